#include "harness/simulate/plan/plan_reader.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "fakes/wire/resources/api_catalogue.h"
#include "harness/objects/cluster_file.h"
#include "harness/objects/input_file.h"
#include "harness/scenario/toml_json.h"
#include "harness/simulate/plan/skew_policy.h"

namespace nodebound::simulate {
namespace {

// Reads a file from top to bottom, so that each step is checked against the state that earlier steps leave.
class PlanReader {
 public:
  PlanReader(const std::string& file, const Catalogue& catalogue) : catalogue_(catalogue) { plan_.file = file; }

  Plan read(const toml::table& file) {
    TomlReader in(file);
    plan_.title = in.text("title", true);
    if (const toml::node* settle = in.find("settle")) plan_.settle = read_time(*settle);
    read_seed(in);
    read_begin(in);
    in.tables("step", [&](const toml::table& table) { read_step(table); });
    read_expectations(in);
    in.done();
    return std::move(plan_);
  }

 private:
  void read_seed(TomlReader& in) {
    const toml::node* seed = in.find("seed");
    if (seed == nullptr) return;
    plan_.seed =
        static_cast<std::uint64_t>(TomlReader::number_of(*seed, 0, INT64_MAX, "a number that is not negative"));
  }

  void read_begin(TomlReader& in) {
    const toml::node& control_plane = in.required("control-plane");
    if (!control_plane.is_table()) throw TomlMistake(control_plane, "expected a table");
    if (!control_plane.as_table()->contains("release")) throw TomlMistake(control_plane, "expected a release");
    TomlReader own(*control_plane.as_table());
    plan_.control_plane = read_control_plane(*control_plane.as_table(), own, {}, catalogue_);
    plan_.servers = read_server_count(own);
    own.done();
    servers_.assign(plan_.servers, plan_.control_plane);
    skew_ = VersionSkew(plan_);
    std::set<std::string> nodes;
    in.tables("pool", [&](const toml::table& table) {
      plan_.pools.push_back(read_pool(table, catalogue_));
      const Plan::Pool& pool = plan_.pools.back();
      for (std::size_t i = 0; i + 1 < plan_.pools.size(); ++i) {
        if (plan_.pools[i].name == pool.name) throw TomlMistake(table, "there is a pool \"" + pool.name + "\" already");
      }
      for (const std::string& node : pool.nodes) {
        if (!nodes.insert(node).second) throw TomlMistake(table, "there is a node \"" + node + "\" already");
      }
      kubelets_.push_back(pool.kubelet);
      check(skew_.add_pool(pool), table);
    });
    in.tables("agent", [&](const toml::table& table) {
      plan_.agents.push_back(read_agent(table, plan_.pools));
      check_only(plan_.agents, "agent", table);
    });
    in.tables("daemonset", [&](const toml::table& table) {
      plan_.daemon_sets.push_back(read_daemon_set(table));
      check_only(plan_.daemon_sets, "daemonset", table);
    });
    read_credentials(in);
    read_files(in);
    for (Object& object : read_objects(in, "object")) plan_.objects.push_back(std::move(object));
  }

  void read_credentials(TomlReader& in) {
    in.tables("bootstrap-token",
              [&](const toml::table& table) { plan_.bootstrap_tokens.push_back(read_bootstrap_token(table)); });
    if (const toml::table* table = in.table("certificates")) {
      plan_.certificates = read_certificates(*table, plan_.certificates);
    }
    certificates_ = plan_.certificates;
  }

  void read_files(TomlReader& in) {
    const toml::node* files = in.find("objects");
    if (files == nullptr) return;
    for (const std::string& name : in.texts("objects")) {
      const std::string path = (std::filesystem::path(plan_.file).parent_path() / name).string();
      const Result<std::string> text = read_input(path);
      if (!text) throw TomlMistake(*files, text.error().text());
      const auto objects = read_cluster_objects(*text, path);
      if (!objects) throw TomlMistake(*files, objects.error().text());
      for (const ClusterObject& object : *objects) plan_.objects.push_back(object.object);
    }
  }

  void read_step(const toml::table& table) {
    TomlReader in(table);
    Plan::Step step;
    step.where = plan_.file + ":" + std::to_string(table.source().begin.line);
    const toml::node& at = in.required("at");
    step.at = read_time(at);
    if (!plan_.steps.empty() && step.at < plan_.steps.back().at) {
      throw TomlMistake(at, "time runs backwards: the step above is later");
    }
    step.what = in.text("what");
    read_control_plane_change(in, step);
    in.tables("pools", [&](const toml::table& change) { read_pool_change(change, step); });
    for (Object& object : read_objects(in, "apply")) step.actions.emplace_back(Plan::Apply{std::move(object)});
    read_deletions(in, step);
    in.tables("label-nodes", [&](const toml::table& labels) { read_node_labels(labels, step); });
    in.tables("daemonsets", [&](const toml::table& change) { read_daemon_set_change(change, step); });
    in.tables("bootstrap-tokens",
              [&](const toml::table& token) { step.actions.emplace_back(read_bootstrap_token(token)); });
    if (const toml::table* certificates = in.table("certificates")) {
      step.actions.emplace_back(certificates_ = read_certificates(*certificates, certificates_));
    }
    in.done();
    if (step.actions.empty()) {
      throw TomlMistake(table,
                        "the step does nothing: expected control-plane, pools, apply, delete, label-nodes, daemonsets, "
                        "bootstrap-tokens or certificates");
    }
    plan_.steps.push_back(std::move(step));
  }

  void read_control_plane_change(TomlReader& in, Plan::Step& step) {
    const toml::table* table = in.table("control-plane");
    if (table == nullptr) return;
    TomlReader own(*table);
    Plan::ChangeControlPlane change;
    for (const std::size_t number : read_server_numbers(own, plan_.servers)) {
      change.to[number] = read_control_plane(*table, own, servers_[number], catalogue_);
    }
    static_cast<Plan::Rolling&>(change) = read_rolling(own, "API servers");
    const bool down = own.flag("downgrade");
    own.done();
    for (const auto& [number, to] : change.to) {
      const Version before = std::exchange(servers_[number], to).version;
      if (!down) check_not_older(to.version, before, *table);
    }
    check_length(step.at, change, change.to.size(), *table);
    check(skew_.carry_out(change, step.at), *table);
    step.actions.emplace_back(std::move(change));
  }

  void read_pool_change(const toml::table& table, Plan::Step& step) {
    TomlReader in(table);
    Plan::ChangePool change;
    change.pool = find_pool(in.required("name"), plan_.pools);
    Plan::Kubelet& kubelet = kubelets_[change.pool];
    change.to = read_kubelet(table, in, kubelet, false, catalogue_);
    const bool down = in.flag("downgrade");
    if (!down) check_not_older(change.to.version, kubelet.version, table);
    static_cast<Plan::Rolling&>(change) = read_rolling(in, "nodes");
    change.surge = in.flag("surge");
    in.done();
    kubelet = change.to;
    check_length(step.at, change, plan_.pools[change.pool].nodes.size(), table);
    check(skew_.carry_out(change, step.at), table);
    step.actions.emplace_back(std::move(change));
  }

  void read_deletions(TomlReader& in, Plan::Step& step) {
    const toml::node* node = in.find("delete");
    if (node == nullptr) return;
    for (const std::string& text : in.texts("delete")) {
      ObjectPath out = split_path(text);
      const ApiResourceEntry* resource = ApiCatalogue::built_in().find(out.resource, std::nullopt);
      if (resource == nullptr || resource->namespaced == out.namespace_.empty() || out.name.empty()) {
        throw TomlMistake(
            *node,
            "expected [NAMESPACE/]RESOURCE/NAME, like \"clusterrolebindings/system:node\", found \"" + text + "\"");
      }
      step.actions.emplace_back(Plan::Delete{std::move(out)});
    }
  }

  void read_node_labels(const toml::table& table, Plan::Step& step) {
    TomlReader in(table);
    Plan::LabelNodes out;
    out.pool = find_pool(in.required("pool"), plan_.pools);
    for (const auto& [key, value] : read_labels(in, "labels")) out.labels[key] = value;
    for (const std::string& key : in.texts("remove")) out.labels[key] = std::nullopt;
    in.done();
    step.actions.emplace_back(std::move(out));
  }

  void read_daemon_set_change(const toml::table& table, Plan::Step& step) {
    TomlReader in(table);
    const toml::node& name = in.required("name");
    const std::string wanted = TomlReader::string_of(name);
    const auto found = std::find_if(plan_.daemon_sets.begin(), plan_.daemon_sets.end(),
                                    [&](const Plan::DaemonSet& one) { return one.name == wanted; });
    if (found == plan_.daemon_sets.end()) throw TomlMistake(name, "there is no daemonset \"" + wanted + "\"");
    Plan::ChangeDaemonSet out{static_cast<std::size_t>(found - plan_.daemon_sets.begin()),
                              read_labels(in, "node-selector")};
    in.done();
    step.actions.emplace_back(std::move(out));
  }

  void read_expectations(TomlReader& in) {
    if (in.find("expect") == nullptr) return;
    plan_.expectations.emplace();
    in.tables("expect", [&](const toml::table& table) {
      TomlReader expect(table);
      const toml::node& step = expect.required("step");
      const std::int64_t number = TomlReader::number_of(
          step, 0, static_cast<std::int64_t>(plan_.steps.size()),
          "the number of a step, from 1 to " + std::to_string(plan_.steps.size()) + ", or 0 for the begin");
      plan_.expectations->push_back(read_expectation(expect, static_cast<std::size_t>(number)));
      expect.done();
    });
  }

  Plan::Expectation read_expectation(TomlReader& in, std::size_t step) const {
    Plan::Expectation out;
    out.step = step;
    out.lost = in.text("lost");
    const toml::node* not_ready = in.find("not-ready");
    if (not_ready != nullptr) {
      out.not_ready =
          static_cast<std::size_t>(TomlReader::number_of(*not_ready, 1, INT64_MAX, "a number of nodes above 0"));
    }
    if (not_ready != nullptr || !out.lost.empty()) return out;
    const toml::node& who = in.required("who");
    out.who = TomlReader::string_of(who);
    if (!is_somebody(out.who)) throw TomlMistake(who, "expected \"pool NAME\" or \"agent NAME\" of one that there is");
    out.request = in.text("request", true);
    if (const toml::node* status = in.find("status")) {
      out.status =
          static_cast<int>(TomlReader::number_of(*status, 400, 599, "an HTTP status of a refusal, from 400 to 599"));
    } else {
      const toml::node& rule = in.required("rule");
      out.rule = TomlReader::string_of(rule);
      if (!catalogue_.find(out.rule)) {
        throw TomlMistake(rule, "there is no rule \"" + out.rule + "\"; see `nodebound rules`");
      }
    }
    out.refused_by = in.texts("refused-by");
    out.kubelets = in.texts("kubelets");
    if (in.find("heals") != nullptr) out.heals = in.flag("heals");
    return out;
  }

  bool is_somebody(const std::string& who) const {
    return std::any_of(plan_.pools.begin(), plan_.pools.end(),
                       [&](const Plan::Pool& pool) { return who == "pool " + pool.name; }) ||
           std::any_of(plan_.agents.begin(), plan_.agents.end(),
                       [&](const Plan::Agent& agent) { return who == "agent " + agent.name; });
  }

  // Findings refer to names, so names must be unique.
  template <typename Named>
  static void check_only(const std::vector<Named>& all, const std::string& what, const toml::table& table) {
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
      if (all[i].name != all.back().name) continue;
      throw TomlMistake(
          table, "there is " + std::string(what == "agent" ? "an " : "a ") + what + " \"" + all[i].name + "\" already");
    }
  }

  static void check_not_older(const Version& to, const Version& before, const toml::node& node) {
    if (to >= before) return;
    throw TomlMistake(
        node, to.text() + " is older than " + before.text() + ": expected `downgrade = true` where that is meant");
  }

  static void check_length(Plan::Time at, const Plan::Rolling& change, std::size_t members, const toml::table& table) {
    const auto batches = static_cast<std::int64_t>((members - 1) / change.at_once);
    if (change.apart == Plan::Time(0) || batches <= (longest_plan - at) / change.apart) return;
    const toml::node* apart = table.get("apart");
    throw TomlMistake(apart == nullptr ? static_cast<const toml::node&>(table) : *apart,
                      "with " + std::to_string(members) + " members, " + std::to_string(change.at_once) +
                          " at once, that goes on for longer than the ten years that a plan may last");
  }

  static void check(const std::string& wrong, const toml::node& node) {
    if (!wrong.empty()) throw TomlMistake(node, wrong);
  }

  const Catalogue& catalogue_;
  Plan plan_;
  // The state after the steps so far:
  VersionSkew skew_;
  std::vector<Plan::ControlPlane> servers_;
  std::vector<Plan::Kubelet> kubelets_;  ///< by pool
  Plan::Certificates certificates_;
};

}  // namespace

Result<Plan> read_plan(std::string_view text, const std::string& file, const Catalogue& catalogue) try {
  return PlanReader(file, catalogue).read(parse_toml(text, file));
} catch (const toml::parse_error& error) {
  return toml_error(file, error);
} catch (const TomlMistake& mistake) {
  return toml_error(file, mistake);
}

}  // namespace nodebound::simulate
