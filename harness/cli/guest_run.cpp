#include "harness/cli/guest_run.h"

#include <algorithm>
#include <map>

#include "harness/cli/commands/commands.h"
#include "harness/cli/console.h"
#include "harness/guest/others.h"
#include "harness/guest/rights.h"
#include "harness/scenario/by_release.h"
#include "reports/text.h"

namespace nodebound::cli {
namespace {

constexpr const char* role_name = "nodebound";

std::vector<Scenario> at_release(const std::vector<Scenario>& scenarios, const Version& version) {
  std::vector<Scenario> out;
  for (const Scenario& scenario : scenarios) {
    // How a cluster was started is not the run's to choose, so scenarios that say it are skipped there.
    if (scenario.holds.contains(version) && !scenario.server) out.push_back(at_version(scenario, version));
  }
  return out;
}

// Rights that every scenario needs. Without the remaining rights of a run, it only observes less and goes on.
guest::Rights indispensable(IdentityMode identity, bool read_only) {
  guest::Rights out = guest::rights_of_run(identity, read_only);
  std::erase_if(out, [](const guest::Right& right) {
    return right.resource.empty() || right.verb == "list" || right.resource.starts_with("selfsubject");
  });
  return out;
}

guest::Rights common(const guest::Rights& a, const guest::Rights& b) {
  guest::Rights out;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(out, out.end()));
  return out;
}

guest::Rights needed(const Scenario& scenario, IdentityMode identity, bool read_only) {
  guest::Rights out = indispensable(identity, read_only);
  if (!read_only) out.merge(guest::rights_of(scenario, identity));
  return out;
}

/// What the run loses without a right.
struct Cost {
  std::size_t scenarios = 0;
  std::size_t checks = 0;
};

void tell(const std::map<guest::Right, Cost>& costs, const std::string& user) {
  std::string text = printable(user) + " lacks rights; what needs them is skipped";
  for (const auto& [right, cost] : costs) {
    text += "\n  " + right.text();
    if (cost.checks > 0) {
      text += ": " + counted(cost.checks, "check") + " of " + counted(cost.scenarios, "scenario");
    }
  }
  complain(text + "\n  nodebound run --print-rbac prints a ClusterRole that has them all");
}

std::string reason_of(const guest::Rights& lacking) {
  std::string out;
  for (const guest::Right& right : lacking) out += (out.empty() ? "" : ", ") + right.text();
  return "the credentials of the target may not " + out;
}

}  // namespace

Result<void> ask_to_write(const Target& target, const TargetFlags& flags, const std::string& makes) {
  Endpoint& endpoint = *target.endpoint;
  if (endpoint.disposable()) return {};
  const std::string context = endpoint.context();
  const std::vector<std::string>& granted = flags.may_write_to;
  const bool may = std::find(granted.begin(), granted.end(), context) != granted.end();
  const guest::OthersThere others = guest::others_at(endpoint);
  if (!may && others.any()) {
    return input_error(endpoint.name(), others.text() + ". It would make " + makes,
                       "if you may do that there: --i-may-write-to " + context +
                           "; to make nothing: --read-only (of nodebound run); what it takes: --print-rbac");
  }
  complain("on " + endpoint.name() + " this makes " + makes);
  return {};
}

Result<void> ask_to_write(const Target& target, const TargetFlags& flags, const std::vector<Scenario>& scenarios,
                          const std::string& run_id) {
  const auto there = at_release(scenarios, target.rules->release().version);
  return ask_to_write(target, flags,
                      guest::in_words(guest::made_by(there, true)) + ", called nb-" + run_id +
                          "-… and removed at the end; Nodes are tainted and unschedulable, no image exists, and each "
                          "clusterrolebinding to cluster-admin is for a group that nobody else is in");
}

Result<void> allow_for_missing_rights(const Target& target, const TargetFlags& flags,
                                      const std::vector<Scenario>& scenarios, RunOptions& options) {
  if (target.endpoint->disposable()) return {};
  const IdentityMode identity = identity_mode(flags.identity);
  const bool read_only = options.read_only;
  const Version& version = target.rules->release().version;
  const auto there = at_release(scenarios, version);
  guest::Rights all = indispensable(identity, read_only);
  for (const Scenario& scenario : there) all.merge(needed(scenario, identity, read_only));
  if (!read_only) all.merge(guest::rights_to_widen());
  const auto lacking = guest::missing(*target.endpoint, all);
  if (!lacking) return tl::unexpected<Error>(lacking.error());
  if (lacking->empty()) return {};

  std::map<guest::Right, Cost> costs;
  for (const guest::Right& right : *lacking) costs[right];
  for (const Scenario& scenario : there) {
    const std::size_t checks = count_checks({scenario}, *target.rules);
    for (const guest::Right& right : common(needed(scenario, identity, read_only), *lacking)) {
      ++costs[right].scenarios;
      costs[right].checks += checks;
    }
  }
  tell(costs, target.endpoint->administrator().name);
  if (const guest::Rights widening = common(guest::rights_to_widen(), *lacking); !read_only && !widening.empty()) {
    options.may_not_widen = reason_of(widening) + ", so admission cannot be met alone";
  }
  options.lacks = [identity, read_only, version, rights = *lacking](const Scenario& scenario) {
    const guest::Rights found = common(needed(at_version(scenario, version), identity, read_only), rights);
    return found.empty() ? std::string() : reason_of(found);
  };
  return {};
}

int print_rights(const std::vector<Scenario>& scenarios, const TargetFlags& flags, bool read_only) {
  const auto version = parse_version("--release", flags.release.empty() ? reference_release : flags.release);
  if (!version) return fail(version.error());
  const IdentityMode identity = identity_mode(flags.identity);
  guest::Rights rights = guest::rights_of_run(identity, read_only);
  if (!read_only) {
    for (const Scenario& scenario : at_release(scenarios, *version)) rights.merge(guest::rights_of(scenario, identity));
    rights.merge(guest::rights_to_widen());
  }
  std::cout << guest::to_cluster_role(rights, role_name);
  return conforms;
}

int print_rights_of_kubelet_run(const TargetFlags& flags) {
  std::cout << guest::to_cluster_role(guest::rights_of_kubelet_run(identity_mode(flags.identity)), role_name);
  return conforms;
}

}  // namespace nodebound::cli
