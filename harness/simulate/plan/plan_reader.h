#pragma once

#include <string>
#include <toml++/toml.h>

#include "harness/simulate/plan/plan.h"
#include "reference/release/toml_reader.h"

namespace nodebound::simulate {

// The parts of a plan's file. Each function throws TomlMistake.

/// The latest time of any plan.
inline constexpr Plan::Time longest_plan = std::chrono::hours(24 * 366 * 10);

/// `90s`, `10m`, `+1h30m`, `2d`.
Plan::Time read_time(const toml::node& node);

/// Throws if no object can have that name.
void check_name(const toml::node& node, const std::string& name, std::string_view of_what);

/// How an API server is started, from `table`, which `in` reads. Missing keys keep the values of `before`.
Plan::ControlPlane read_control_plane(const toml::table& table, TomlReader& in, const Plan::ControlPlane& before,
                                      const Catalogue& catalogue);

/// The number of API servers; one by default.
std::size_t read_server_count(TomlReader& in);
/// Which of `count` API servers a step concerns, from 0; all by default.
std::vector<std::size_t> read_server_numbers(TomlReader& in, std::size_t count);

Plan::Rolling read_rolling(TomlReader& in, const char* of_what);

/// How the kubelets of a pool are started, likewise from `table` and `before`.
Plan::Kubelet read_kubelet(const toml::table& table, TomlReader& in, const Plan::Kubelet& before, bool required,
                           const Catalogue& catalogue);

/// How kubelets join, the bootstrap tokens, and the settings of certificates. Missing keys keep the values of `before`.
Plan::Join read_join(const toml::table& table);
Plan::BootstrapToken read_bootstrap_token(const toml::table& table);
Plan::Certificates read_certificates(const toml::table& table, const Plan::Certificates& before);

Plan::Pool read_pool(const toml::table& table, const Catalogue& catalogue);
Plan::Agent read_agent(const toml::table& table, const std::vector<Plan::Pool>& pools);
Plan::DaemonSet read_daemon_set(const toml::table& table);

/// A list of tables as objects of JSON.
std::vector<Object> read_objects(TomlReader& in, std::string_view key);
std::map<std::string, std::string> read_labels(TomlReader& in, std::string_view key);

/// The pool of that name; throws if there is none.
std::size_t find_pool(const toml::node& name, const std::vector<Plan::Pool>& pools);

}  // namespace nodebound::simulate
