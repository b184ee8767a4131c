#include <algorithm>
#include <charconv>

#include "fakes/kubelet/kubelet_traits.h"
#include "harness/scenario/toml_json.h"
#include "harness/simulate/plan/plan_reader.h"
#include "reference/cluster/names.h"

namespace nodebound::simulate {
namespace {

constexpr std::int64_t most_nodes = 100'000;
constexpr std::int64_t most_pods = 1000;
constexpr std::int64_t most_servers = 9;

// A number, or none if the key is missing.
std::size_t read_count(TomlReader& in, std::string_view key, std::int64_t least, std::int64_t most) {
  const toml::node* node = in.find(key);
  if (node == nullptr) return 0;
  return static_cast<std::size_t>(TomlReader::number_of(*node, least, most));
}

std::optional<std::chrono::milliseconds> unit_of(char letter) {
  switch (letter) {
    case 's':
      return std::chrono::seconds(1);
    case 'm':
      return std::chrono::minutes(1);
    case 'h':
      return std::chrono::hours(1);
    case 'd':
      return std::chrono::hours(24);
    default:
      return std::nullopt;
  }
}

std::optional<Plan::Time> parse_time(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  Plan::Time out{0};
  if (text.empty()) return std::nullopt;
  while (!text.empty()) {
    std::uint32_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc() || end == text.data() + text.size()) return std::nullopt;
    const auto unit = unit_of(*end);
    if (!unit || count > longest_plan / *unit) return std::nullopt;
    out += count * *unit;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  }
  return out <= longest_plan ? std::optional(out) : std::nullopt;
}

std::vector<std::string> node_names(TomlReader& in, const std::string& pool) {
  const toml::node& node = in.required("nodes");
  std::vector<std::string> out;
  if (const toml::array* names = node.as_array()) {
    for (const toml::node& name : *names) out.push_back(TomlReader::string_of(name));
  } else {
    const std::size_t count = read_count(in, "nodes", 1, most_nodes);
    for (std::size_t i = 1; i <= count; ++i) out.push_back(pool + "-" + std::to_string(i));
  }
  if (out.empty()) throw TomlMistake(node, "expected a number of nodes, or their names");
  for (const std::string& name : out) check_name(node, name, "Node");
  return out;
}

Object static_pod(std::size_t number) {
  return {{"metadata", {{"name", "static-" + std::to_string(number)}, {"namespace", "kube-system"}}},
          {"spec", {{"containers", {{{"name", "main"}, {"image", "registry.example/static"}}}}}}};
}

}  // namespace

void check_name(const toml::node& node, const std::string& name, std::string_view of_what) {
  const std::vector<std::string> wrong = wrong_dns_subdomain(name);
  if (wrong.empty()) return;
  throw TomlMistake(node, "\"" + name + "\" cannot be the name of a " + std::string(of_what) + ": " + wrong.front());
}

Plan::Time read_time(const toml::node& node) {
  const auto time = parse_time(TomlReader::string_of(node));
  if (!time) throw TomlMistake(node, "expected a time, like \"+90s\", \"+10m\", \"+1h30m\" or \"+2d\"");
  return *time;
}

std::size_t read_server_count(TomlReader& in) {
  const std::size_t count = read_count(in, "servers", 1, most_servers);
  return count == 0 ? 1 : count;
}

std::vector<std::size_t> read_server_numbers(TomlReader& in, std::size_t count) {
  const toml::node* only = in.find("only");
  std::vector<std::size_t> out;
  if (only == nullptr) {
    for (std::size_t i = 0; i < count; ++i) out.push_back(i);
    return out;
  }
  const std::string expected = "a list of numbers of API servers, each from 1 to " + std::to_string(count);
  const toml::array* numbers = only->as_array();
  if (numbers == nullptr || numbers->empty()) throw TomlMistake(*only, "expected " + expected);
  for (const toml::node& number : *numbers) {
    const auto found =
        static_cast<std::size_t>(TomlReader::number_of(number, 1, static_cast<std::int64_t>(count), expected)) - 1;
    if (std::find(out.begin(), out.end(), found) != out.end()) throw TomlMistake(number, "is there already");
    out.push_back(found);
  }
  return out;
}

Plan::Rolling read_rolling(TomlReader& in, const char* of_what) {
  Plan::Rolling out;
  if (const toml::node* at_once = in.find("at-once")) {
    const std::string expected = std::string("a number of ") + of_what + " above 0";
    out.at_once = static_cast<std::size_t>(TomlReader::number_of(*at_once, 1, INT64_MAX, expected));
  }
  if (const toml::node* apart = in.find("apart")) out.apart = read_time(*apart);
  return out;
}

Plan::ControlPlane read_control_plane(const toml::table& table, TomlReader& in, const Plan::ControlPlane& before,
                                      const Catalogue& catalogue) {
  Plan::ControlPlane out = before;
  if (const auto version = in.version("release")) out.version = *version;
  if (in.find("feature-gates") != nullptr) out.gates = in.flags("feature-gates");
  if (const toml::node* modes = in.find("authorization")) {
    out.authorization.clear();
    for (const std::string& text : in.texts("authorization")) {
      const auto mode = parse_authorization_mode("", text);
      if (!mode) throw TomlMistake(*modes, mode.error().what + ": " + mode.error().hint);
      if (*mode == AuthorizationMode::webhook)
        throw TomlMistake(*modes, "a plan has nobody to ask for the mode Webhook");
      if (*mode == AuthorizationMode::abac) throw TomlMistake(*modes, "a plan has no policies for the mode ABAC");
      out.authorization.push_back(*mode);
    }
  }
  if (in.find("node-restriction") != nullptr) out.node_restriction = in.flag("node-restriction");
  const auto release = Release::make(catalogue, out.version, out.gates);
  if (!release) throw TomlMistake(table, release.error().what);
  const bool knows_nodes = RuleSet(catalogue, *release).in_force(Rule::node_authorizer);
  const bool uses_node = std::count(out.authorization.begin(), out.authorization.end(), AuthorizationMode::node) > 0;
  if (!knows_nodes && (uses_node || out.node_restriction)) {
    throw TomlMistake(table, "Kubernetes " + out.version.text() +
                                 " has neither the authorization mode Node nor NodeRestriction: expected "
                                 "authorization = [\"RBAC\"] and node-restriction = false");
  }
  return out;
}

Plan::KubeletApi read_kubelet_api(const toml::table& table, const Plan::KubeletApi& before) {
  TomlReader in(table);
  Plan::KubeletApi out = before;
  if (in.find("anonymous") != nullptr) out.anonymous = in.flag("anonymous");
  if (in.find("token-webhook") != nullptr) out.token_webhook = in.flag("token-webhook");
  if (const toml::node* mode = in.find("authorization")) {
    out.authorization = in.text("authorization");
    if (out.authorization != "Webhook" && out.authorization != "AlwaysAllow") {
      throw TomlMistake(*mode, "expected Webhook or AlwaysAllow, found \"" + out.authorization + "\"");
    }
  }
  in.done();
  return out;
}

Plan::Kubelet read_kubelet(const toml::table& table, TomlReader& in, const Plan::Kubelet& before, bool required,
                           const Catalogue& catalogue) {
  Plan::Kubelet out = before;
  const toml::node* version = required ? &in.required("kubelet") : in.find("kubelet");
  if (version != nullptr) {
    out.version = TomlReader::version_of(*version);
    const auto traits = fake_kubelet::KubeletTraitsTable::built_in().at(out.version);
    if (!traits) throw TomlMistake(*version, traits.error().what);
  }
  if (in.find("feature-gates") != nullptr) out.gates = in.flags("feature-gates");
  const auto release = Release::make(catalogue, out.version, out.gates);
  if (!release) throw TomlMistake(table, release.error().what);
  if (const toml::table* api = in.table("api")) out.api = read_kubelet_api(*api, before.api);
  if (in.find("user") != nullptr) out.user = in.text("user");
  if (in.find("groups") != nullptr) out.groups = in.texts("groups");
  if (const toml::table* join = in.table("join")) out.join = read_join(*join);
  if (out.join && (in.find("user") != nullptr || in.find("groups") != nullptr)) {
    throw TomlMistake(table,
                      "a kubelet that joins becomes system:node:NAME of system:nodes: expected no user or groups");
  }
  if (in.find("node-labels") != nullptr) out.node_labels = read_labels(in, "node-labels");
  if (in.find("taints") != nullptr) out.taints = read_objects(in, "taints");
  if (in.find("static-pods") != nullptr) {
    out.static_pods.clear();
    const std::size_t count = read_count(in, "static-pods", 0, most_pods);
    for (std::size_t i = 1; i <= count; ++i) out.static_pods.push_back(static_pod(i));
  }
  return out;
}

Plan::Pool read_pool(const toml::table& table, const Catalogue& catalogue) {
  TomlReader in(table);
  Plan::Pool pool;
  pool.name = in.text("name", true);
  check_name(in.required("name"), pool.name, "pool, after which Nodes and Secrets are named");
  pool.nodes = node_names(in, pool.name);
  pool.pods = read_count(in, "pods", 0, most_pods);
  pool.kubelet = read_kubelet(table, in, {}, true, catalogue);
  in.done();
  return pool;
}

std::vector<Object> read_objects(TomlReader& in, std::string_view key) {
  std::vector<Object> out;
  in.tables(key, [&](const toml::table& table) { out.push_back(to_json(table)); });
  return out;
}

std::map<std::string, std::string> read_labels(TomlReader& in, std::string_view key) {
  std::map<std::string, std::string> out;
  const toml::table* table = in.table(key);
  if (table == nullptr) return out;
  for (const auto& [name, value] : *table) out[std::string(name.str())] = TomlReader::string_of(value);
  return out;
}

std::size_t find_pool(const toml::node& name, const std::vector<Plan::Pool>& pools) {
  const std::string wanted = TomlReader::string_of(name);
  std::vector<std::string> known;
  for (std::size_t i = 0; i < pools.size(); ++i) {
    if (pools[i].name == wanted) return i;
    known.push_back(pools[i].name);
  }
  throw TomlMistake(name, "there is no pool \"" + wanted + "\"" + did_you_mean(wanted, known));
}

}  // namespace nodebound::simulate
