#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>

#include "fakes/wire/timestamp.h"
#include "harness/cli/commands/commands.h"
#include "harness/cli/console.h"
#include "harness/cli/request_flags.h"
#include "harness/cli/target.h"
#include "harness/cli/target_run.h"
#include "harness/explain/kubelet_fleet_text.h"
#include "harness/findings/acceptances.h"
#include "harness/inspect/cluster_reader.h"
#include "harness/inspect/fix.h"
#include "harness/inspect/inspect.h"
#include "harness/inspect/least_role.h"
#include "harness/inspect/manifest_reader.h"
#include "harness/objects/input_file.h"
#include "reports/files.h"
#include "reports/findings/sarif.h"

namespace nodebound::cli {
namespace {

struct InspectFlags {
  std::vector<std::string> manifests;
  std::string kubeconfig;
  bool from_cluster = false;
  std::string from;
  std::string to = reference_release;
  std::string gates;
  std::string accept;
  std::string fail_on = "error";
  std::string format = "text";
  std::string out;
  std::string kubelet_min;
  std::vector<std::string> needs;
  bool fix = false;
  bool print_rbac = false;
  bool verbose = false;
  RequestFlags requests;
};

constexpr const char* inspecting_role = "nodebound-inspect";

/// What was read, and the release of the cluster that it was read from.
struct InspectedSource {
  inspect::Inspected inspected;
  std::string version;
  std::vector<std::string> names;
};

Result<InspectedSource> read_source(const InspectFlags& flags) {
  if (flags.from_cluster) {
    if (!flags.manifests.empty()) {
      return input_error("--kubeconfig", "manifests and a cluster are not inspected at a time");
    }
    Result<inspect::InspectedCluster> cluster = inspect::read_cluster(flags.kubeconfig, flags.requests.limits);
    if (!cluster) return tl::unexpected<Error>(cluster.error());
    return InspectedSource{std::move(cluster->inspected), cluster->version, {"kubeconfig:" + flags.kubeconfig}};
  }
  if (flags.manifests.empty()) {
    return input_error("", "there is nothing to inspect",
                       "name files or folders, - for standard input, or a cluster by --kubeconfig");
  }
  if (std::count(flags.manifests.begin(), flags.manifests.end(), "-") > 1) {
    return input_error("-", "standard input can be read only once");
  }
  Result<inspect::Inspected> inspected = inspect::read_manifests(flags.manifests);
  if (!inspected) return tl::unexpected<Error>(inspected.error());
  return InspectedSource{std::move(*inspected), "", flags.manifests};
}

// An error names the flag that the release comes from.
Result<Release> inspected_release(const char* flag, const std::string& version, const std::string& gates) {
  Result<Release> release = named_release(Catalogue::built_in(), version, gates);
  if (release) return release;
  Error error = release.error();
  if (error.where != "--feature-gates") error.where = flag;
  return tl::unexpected<Error>(std::move(error));
}

Result<Upgrade> upgrade_of(const InspectFlags& flags) {
  const Result<GateSettings> gates = parse_feature_gates(flags.gates);
  if (!gates) return tl::unexpected<Error>(gates.error());
  const Result<Release> to = inspected_release("--to", flags.to, flags.gates);
  if (!to) return tl::unexpected<Error>(to.error());
  std::optional<Release> from;
  if (!flags.from.empty()) {
    const Result<Release> given = inspected_release("--from", flags.from, "");
    if (!given) return tl::unexpected<Error>(given.error());
    from = *given;
  }
  return Upgrade(Catalogue::built_in(), std::move(from), *to, *gates);
}

Result<void> accept(Inspection& inspection, const std::string& file) {
  Result<Acceptances> acceptances = Acceptances::of_file(file, utc_today());
  if (!acceptances) return tl::unexpected<Error>(acceptances.error());
  for (Finding& finding : inspection.findings) finding.accepted = acceptances->reason_for(finding);
  for (std::string& note : acceptances->notes()) inspection.notes.push_back(std::move(note));
  return {};
}

int exit_code_of(const Inspection& inspection, const std::string& fail_on) {
  using Level = Finding::Level;
  std::size_t failing = fail_on == "nothing" ? 0 : inspection.count(Level::error);
  if (fail_on == "warning" || fail_on == "note") failing += inspection.count(Level::warning);
  if (fail_on == "note") failing += inspection.count(Level::note);
  if (failing > 0) return does_not_conform;
  if (inspection.objects == 0 && inspection.findings.empty()) {
    return inspection.troubles.empty() ? nothing_ran : could_not_tell;
  }
  return conforms;
}

Result<void> write_inspection(const Inspection& inspection, const std::string& folder) {
  const std::filesystem::path path(folder);
  for (const auto& [name, text] : {std::pair{"inspection.json", to_json(inspection)},
                                   {"inspection.md", to_markdown(inspection)},
                                   {"inspection.sarif", to_sarif(inspection.findings, NODEBOUND_VERSION)}}) {
    if (Result<void> written = write_file(path / name, text); !written) return written;
  }
  return {};
}

// The least role of users of the kubelet's API.
int propose_roles(const InspectFlags& flags, const inspect::Inspected& inspected) {
  const Result<Version> oldest = parse_version("--kubelet-min", flags.kubelet_min);
  if (!oldest) return fail(oldest.error());
  const Result<Version> newest = parse_version("--to", flags.to);
  if (!newest) return fail(newest.error());
  if (*newest < *oldest) {
    return fail(input_error("--kubelet-min", "kubelets of " + oldest->text() + " are newer than --to").value());
  }
  const Result<GateSettings> gates = parse_feature_gates(flags.gates);
  if (!gates) return fail(gates.error());
  const auto fleet =
      inspect::least_roles(Catalogue::built_in(), {*oldest, *newest, *gates, flags.needs}, inspected.objects);
  if (!fleet) return fail(fleet.error());
  if (flags.format == "json") {
    std::cout << to_json(*fleet);
  } else {
    std::cout << to_text(*fleet, terminal_style(flags.verbose));
  }
  const bool useless = std::all_of(fleet->proposals.begin(), fleet->proposals.end(),
                                   [](const explain::Proposal& proposal) { return !proposal.taken.empty(); });
  return fleet->proposals.empty() || useless ? could_not_tell : conforms;
}

int inspect_source(const InspectFlags& flags) {
  const auto started = std::chrono::system_clock::now();
  if (flags.print_rbac) {
    std::cout << guest::to_cluster_role(inspect::rights_to_inspect(), inspecting_role);
    return conforms;
  }
  InspectFlags used = flags;
  const bool only_roles = flags.manifests.empty() && !flags.from_cluster && !flags.kubelet_min.empty();
  if (only_roles) return propose_roles(flags, {});
  const Result<InspectedSource> source = read_source(flags);
  if (!source) return fail(source.error());
  if (!flags.kubelet_min.empty()) return propose_roles(flags, source->inspected);
  if (used.from.empty()) used.from = source->version;
  const Result<Upgrade> upgrade = upgrade_of(used);
  if (!upgrade) return fail(upgrade.error());
  Inspection inspection = inspect::inspect(source->inspected, *upgrade);
  inspection.sources = source->names;
  inspection.run = {timestamp_of(started), host_name(), NODEBOUND_VERSION};
  if (Result<void> accepted = accept(inspection, flags.accept); !accepted) return fail(accepted.error());
  if (!flags.out.empty()) {
    if (const Result<void> written = write_inspection(inspection, flags.out); !written) return fail(written.error());
  }
  if (flags.fix) {
    std::cout << inspect::to_patch(inspection.findings, source->inspected);
  } else if (flags.format == "json") {
    std::cout << to_json(inspection);
  } else if (flags.format == "markdown") {
    std::cout << to_markdown(inspection);
  } else if (flags.format == "sarif") {
    std::cout << to_sarif(inspection.findings, NODEBOUND_VERSION);
  } else {
    std::cout << to_terminal(inspection, terminal_style(flags.verbose));
  }
  return exit_code_of(inspection, flags.fail_on);
}

}  // namespace

void add_inspect_command(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<InspectFlags>();
  CLI::App* command =
      app.add_subcommand("inspect", "Say what of manifests or a cluster the release you are going to will refuse");
  command->add_option("manifests", flags->manifests,
                      "Files, folders, - for standard input: Kubernetes objects as YAML or JSON, configurations and "
                      "flags of kubelets");
  CLI::Option* kubeconfig = command->add_option(
      "--kubeconfig", flags->kubeconfig, "Inspect the cluster of this FILE[#CONTEXT], or of #CONTEXT; reads only");
  command->add_flag("--print-rbac", flags->print_rbac, "Print the ClusterRole that --kubeconfig wants, and end");
  command->add_option("--from", flags->from,
                      "Release you come from: what mattered there already is left out (default: that of the cluster; "
                      "without one, everything is shown)");
  command->add_option("--to", flags->to, "Release you are going to")->capture_default_str();
  command->add_option("--feature-gates", flags->gates,
                      "Gates that you set there apart from the defaults: A=true,B=false");
  command->add_option("--accept", flags->accept, "File of findings that somebody accepts, with reason and end");
  command->add_option("--fail-on", flags->fail_on, "The least finding that ends the command with 1")
      ->check(CLI::IsMember({"error", "warning", "note", "nothing"}))
      ->capture_default_str();
  command->add_option("--format", flags->format, "What is printed")
      ->check(CLI::IsMember({"text", "json", "markdown", "sarif"}))
      ->capture_default_str();
  command->add_flag(
      "--fix", flags->fix,
      "Print a patch (for patch -p0) and kubectl commands for what can be changed without a loss, instead");
  command->add_option("--out", flags->out, "Folder for inspection.json, inspection.md and inspection.sarif");
  command->add_option("--kubelet-min", flags->kubelet_min,
                      "Print the least roles instead of nodes/proxy for kubelets from this release to --to");
  command->add_option(
      "--needs", flags->needs,
      "With --kubelet-min: a request that holders send to kubelets, as \"GET /pods\" (default: those of "
      "monitoring agents)");
  command->add_flag("--verbose", flags->verbose, "Cut nothing");
  command->footer(
      "Example: helm template my-chart | nodebound inspect --from 1.31 --to 1.36 -\n"
      "         nodebound inspect --fix manifests/ | patch -p0\n"
      "         nodebound inspect --kubelet-min 1.30 --to 1.36 rbac.yaml\n"
      "Ends with 0 if nothing was found that --fail-on names, 1 if something was, 2 on bad usage or input, 3 if "
      "nothing "
      "could\nbe read, 4 if there was nothing to inspect.");
  command->callback([flags, kubeconfig, &exit_code] {
    flags->from_cluster = kubeconfig->count() > 0;
    exit_code = inspect_source(*flags);
  });
}

}  // namespace nodebound::cli
