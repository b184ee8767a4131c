#include <filesystem>
#include <iostream>
#include <memory>

#include "harness/cli/commands/commands.h"
#include "harness/cli/console.h"
#include "harness/cli/request_flags.h"
#include "harness/cli/target.h"
#include "harness/draft/draft.h"
#include "harness/inspect/cluster_reader.h"
#include "harness/inspect/inspect.h"
#include "harness/inspect/manifest_reader.h"
#include "harness/replay/replay.h"
#include "harness/simulate/plan/plan.h"
#include "reports/files.h"

namespace nodebound::cli {
namespace {

struct PlanFlags {
  std::string kubeconfig;
  bool from_cluster = false;
  std::vector<std::string> dumps;
  std::vector<std::string> logs;
  std::string from;
  std::string to = reference_release;
  std::string gates;
  std::string pool_label;
  std::string out;
  RequestFlags requests;
};

struct PlannedCluster {
  inspect::Inspected objects;
  std::string version;
  std::string name;
};

Result<PlannedCluster> read_planned_cluster(const PlanFlags& flags) {
  if (flags.from_cluster == !flags.dumps.empty()) {
    return input_error("", "a plan is drafted from one cluster", "name it by --kubeconfig, or its dump by --cluster");
  }
  if (flags.from_cluster) {
    Result<inspect::InspectedCluster> cluster = inspect::read_cluster(flags.kubeconfig, flags.requests.limits);
    if (!cluster) return tl::unexpected<Error>(cluster.error());
    return PlannedCluster{std::move(cluster->inspected), cluster->version,
                          "the cluster of " + (flags.kubeconfig.empty() ? "the kubeconfig" : flags.kubeconfig)};
  }
  Result<inspect::Inspected> dump = inspect::read_manifests(flags.dumps);
  if (!dump) return tl::unexpected<Error>(dump.error());
  return PlannedCluster{std::move(*dump), "", flags.dumps.front() == "-" ? "standard input" : flags.dumps.front()};
}

// Programs that ask as nodes in the logs.
Result<std::vector<replay::AgentOfNodes>> agents_of_logs(const PlanFlags& flags, const RuleSet& from) {
  std::vector<replay::AgentOfNodes> out;
  if (flags.logs.empty()) return out;
  replay::ReplayQuestion question;
  question.logs = flags.logs;
  question.from = &from;
  question.to = &from;
  const Result<Replay> read = replay::replay(question, &out);
  if (!read) return tl::unexpected<Error>(read.error());
  if (read->requests == 0) complain("warning: no request in the logs is about nodes");
  return out;
}

std::vector<Finding> holders_of_credentials(const inspect::Inspected& objects, const Release& from) {
  std::vector<Finding> out;
  // Asked of the newest release, so that whatever mattered at any is found.
  const Catalogue& catalogue = *from.catalogue;
  const Result<Release> newest = named_release(catalogue, reference_release, "");
  if (!newest) return out;
  for (Finding& finding : inspect::inspect(objects, Upgrade(catalogue, std::nullopt, *newest, {})).findings) {
    if (finding.id == "kubelet-credentials") out.push_back(std::move(finding));
  }
  return out;
}

int write_draft(const draft::DraftedPlan& draft, const PlanFlags& flags, const std::string& objects_file) {
  if (flags.out.empty()) {
    std::cout << draft.plan;
    if (!draft.objects.empty()) complain("what is bound to nodes goes into a file of its own: name one by --out");
    return conforms;
  }
  const std::filesystem::path path(flags.out);
  if (Result<void> written = write_file(path, draft.plan); !written) return fail(written.error());
  if (!draft.objects.empty()) {
    const Result<void> written = write_file(path.parent_path() / objects_file, draft.objects);
    if (!written) return fail(written.error());
  }
  // What is written must be what `simulate` reads.
  const Result<simulate::Plan> read = simulate::read_plan(draft.plan, flags.out, Catalogue::built_in());
  if (!read) return fail(read.error());
  std::cout << flags.out << ": " << read->pools.size() << " pools, " << read->agents.size() << " agents, "
            << read->steps.size() << " steps; nodebound simulate " << flags.out << '\n';
  return conforms;
}

int draft_upgrade(const PlanFlags& flags) {
  Result<PlannedCluster> cluster = read_planned_cluster(flags);
  if (!cluster) return fail(cluster.error());
  const std::string from = flags.from.empty() ? cluster->version : flags.from;
  if (from.empty()) return fail(input_error("--from", "a dump does not say the release of the API servers").value());
  const Catalogue& catalogue = Catalogue::built_in();
  const Result<Release> release = named_release(catalogue, from, flags.gates);
  if (!release) return fail(release.error());
  const Result<Version> to = parse_version("--to", flags.to);
  if (!to) return fail(to.error());
  const Result<GateSettings> gates = parse_feature_gates(flags.gates);
  if (!gates) return fail(gates.error());
  const RuleSet rules(catalogue, *release);
  Result<std::vector<replay::AgentOfNodes>> agents = agents_of_logs(flags, rules);
  if (!agents) return fail(agents.error());
  draft::DraftQuestion question;
  question.name = cluster->name;
  question.from = release->version;
  question.to = *to;
  question.gates = *gates;
  question.pool_label = flags.pool_label;
  question.agents = std::move(*agents);
  question.with_credentials = holders_of_credentials(cluster->objects, *release);
  question.cluster = std::move(cluster->objects);
  std::string objects_file = std::filesystem::path(flags.out).filename().string();
  objects_file = (objects_file.empty() ? "plan" : objects_file.substr(0, objects_file.find('.'))) + ".objects.yaml";
  const Result<draft::DraftedPlan> draft = draft::draft_plan(catalogue, question, objects_file);
  if (!draft) return fail(draft.error());
  for (const std::string& note : draft->notes) complain("warning: " + note);
  return write_draft(*draft, flags, objects_file);
}

}  // namespace

void add_plan_command(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<PlanFlags>();
  CLI::App* command = app.add_subcommand("plan", "Draft the plan of an upgrade, for `simulate`, from a cluster");
  CLI::Option* kubeconfig =
      command->add_option("--kubeconfig", flags->kubeconfig,
                          "Draft it from the cluster of this FILE[#CONTEXT], or of #CONTEXT; reads only");
  command
      ->add_option(
          "--cluster", flags->dumps,
          "Or from what `kubectl get nodes,clusterroles,clusterrolebindings,daemonsets -A -o yaml` prints; - is "
          "standard input")
      ->expected(1)
      ->take_all();
  command->add_option("--log", flags->logs, "Audit logs: what programs that ask as nodes ask for")
      ->expected(1)
      ->take_all();
  command->add_option("--from", flags->from, "Release of the API servers (default: that of the cluster)");
  command->add_option("--to", flags->to, "Release to go to")->capture_default_str();
  command->add_option("--feature-gates", flags->gates, "Gates that the API servers have apart from the defaults");
  command->add_option("--pool-label", flags->pool_label,
                      "Label of Nodes that names their pool (default: those of clouds and installers)");
  command->add_option("--out", flags->out, "File for the plan; beside it is a file with what is bound to nodes");
  command->footer(
      "Example: nodebound plan --kubeconfig ~/.kube/config --to 1.36 --log audit.log --out upgrade.plan.toml\n"
      "         nodebound simulate upgrade.plan.toml\n"
      "`nodebound inspect --print-rbac` prints the ClusterRole that --kubeconfig wants.");
  command->callback([flags, kubeconfig, &exit_code] {
    flags->from_cluster = kubeconfig->count() > 0;
    exit_code = draft_upgrade(*flags);
  });
}

}  // namespace nodebound::cli
