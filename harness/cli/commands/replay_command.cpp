#include <algorithm>
#include <array>
#include <chrono>
#include <iostream>
#include <iterator>

#include "fakes/wire/timestamp.h"
#include "harness/cli/commands/commands.h"
#include "harness/cli/console.h"
#include "harness/cli/replay/replay_output.h"
#include "harness/cli/serve/admission_file.h"
#include "harness/cli/share_flag.h"
#include "harness/cli/target.h"
#include "harness/cli/target_run.h"
#include "harness/endpoint/signals.h"
#include "harness/objects/input_file.h"
#include "harness/replay/clients/least_grant.h"
#include "harness/replay/outcome.h"
#include "harness/replay/replay.h"
#include "reference/admission/default_plugins.h"
#include "reports/text.h"

namespace nodebound::cli {
namespace {

struct ReplayFlags {
  std::vector<std::string> logs;
  std::vector<std::string> cluster;
  std::string from;
  std::string to;
  std::string question = "upgrade";
  bool propose_rbac = false;
  bool follow = false;
  std::string shard;
  std::string gates_from;
  std::string gates_to;
  std::vector<std::string> plugins;
  std::vector<std::string> plugins_to;
  std::string admission_file;
  std::string admission_file_to;
  std::string since;
  std::string until;
  std::string pool_label;
  bool whole_state = false;
  bool default_rbac = false;
  ReplayOutput output;
};

Result<std::optional<replay::LoggedRequest::Micros>> moment_of(const char* flag, std::string text) {
  if (text.empty()) return std::nullopt;
  const std::string given = text;
  constexpr std::size_t date = std::string_view("2026-12-01").size();
  constexpr std::size_t minutes = std::string_view("2026-12-01T09:00Z").size();
  if (text.size() == date) text += "T00:00:00Z";
  if (text.size() == minutes && text.ends_with('Z')) text.insert(text.size() - 1, ":00");
  const std::optional<std::int64_t> seconds = seconds_of(text);
  if (!seconds) return input_error(flag, "expected a time like 2026-12-01T09:00Z, found \"" + given + "\"");
  return *seconds * 1'000'000;
}

// An error names the flag that the release comes from.
Result<Release> release_of(const char* flag, const std::string& version, const char* gates_flag,
                           const std::string& gates) {
  Result<Release> release = named_release(Catalogue::built_in(), version, gates);
  if (release) return release;
  Error error = release.error();
  error.where = error.where == "--feature-gates" ? gates_flag : flag;
  return tl::unexpected<Error>(std::move(error));
}

Result<std::vector<ClusterObject>> read_dumps(const std::vector<std::string>& files) {
  std::vector<ClusterObject> objects;
  for (const std::string& file : files) {
    const Result<TextSource> text = open_input(file);
    if (!text) return tl::unexpected<Error>(text.error());
    Result<std::vector<ClusterObject>> read =
        read_cluster_objects(*text, file == "-" ? "standard input" : file, [](const ClusterObject&) { return true; });
    if (!read) return read;
    std::move(read->begin(), read->end(), std::back_inserter(objects));
  }
  return objects;
}

Result<void> check_replay_inputs(const ReplayFlags& flags) {
  if (std::count(flags.logs.begin(), flags.logs.end(), "-") +
          std::count(flags.cluster.begin(), flags.cluster.end(), "-") >
      1) {
    return input_error("-", "standard input can be read only once");
  }
  if (flags.follow && (flags.logs.size() != 1 || flags.logs[0] == "-")) {
    return input_error("--follow", "follows one log, which is a file", "name the file that the API server writes");
  }
  if (flags.propose_rbac && (flags.follow || !flags.shard.empty())) {
    return input_error("--propose-rbac", "reads whole logs, and twice", "leave out --follow and --shard");
  }
  if (!flags.shard.empty() && !flags.output.accept.empty()) {
    return input_error("--accept", "is asked of all shares together", "give it to `nodebound report merge`");
  }
  return {};
}

/// What changes besides the release.
struct ReplayPreset {
  const char* name;
  replay::ServerSetting from = {};
  replay::ServerSetting to = {};
  const char* gate = "";  ///< off before, on then
  bool own_names = false;
};
const std::array<ReplayPreset, 6>& presets() {
  static const std::array<ReplayPreset, 6> all = {{{"upgrade"},
                                                   {"node-authorizer", {.node_authorizer = false}},
                                                   {"node-restriction", {.node_restriction = false}},
                                                   {"unbind-system-node", {}, {.node_role_bound = false}},
                                                   {"audiences", {}, {}, "ServiceAccountNodeAudienceRestriction"},
                                                   {"one-name-for-all", {}, {}, "", true}}};
  return all;
}

const ReplayPreset& preset_of(const std::string& name) {
  return *std::find_if(presets().begin(), presets().end(), [&](const ReplayPreset& one) { return name == one.name; });
}

Result<replay::AddedPlugins> added_plugins(const std::vector<std::string>& names, const std::string& file) {
  Result<PlacementSettings> placement = placement_of_file(file);
  if (!placement) return tl::unexpected<Error>(placement.error());
  return replay::AddedPlugins{{names.begin(), names.end()}, std::move(*placement)};
}

/// How servers are started on both sides: what the question changes, and the plugins that flags turn on.
Result<replay::BothSettings> settings_of(const ReplayFlags& flags, const ReplayPreset& preset) {
  auto from = added_plugins(flags.plugins, flags.admission_file);
  if (!from) return tl::unexpected<Error>(from.error());
  auto to = added_plugins(flags.plugins_to.empty() ? flags.plugins : flags.plugins_to,
                          flags.admission_file_to.empty() ? flags.admission_file : flags.admission_file_to);
  if (!to) return tl::unexpected<Error>(to.error());
  replay::BothSettings out{preset.from, preset.to};
  out.from.added = std::move(*from);
  out.to.added = std::move(*to);
  return out;
}

// What --feature-gates-from or -to says, and what the question says of its gate. A release that has no such gate does
// not have what it turns on.
std::string gates_with(std::string given, const ReplayPreset& preset, const std::string& version, bool on) {
  const std::string gate = preset.gate;
  if (gate.empty() || given.find(gate + "=") != std::string::npos) return given;
  const std::string added = gate + (on ? "=true" : "=false");
  if (!on && !named_release(Catalogue::built_in(), version, added)) return given;
  return given + (given.empty() ? "" : ",") + added;
}

std::vector<std::string> preset_names() {
  std::vector<std::string> out;
  for (const ReplayPreset& preset : presets()) out.emplace_back(preset.name);
  return out;
}

int propose_grants(const replay::ReplayQuestion& question, const Replay& replay,
                   const std::vector<replay::AgentOfNodes>& agents) {
  const auto grants = replay::least_grants(question, agents);
  if (!grants) return fail(grants.error());
  std::cout << replay::to_yaml(*grants);
  if (grants->empty()) {
    complain("no program but kubelets asks as a node");
    return replay.requests == 0 ? nothing_ran : conforms;
  }
  const bool enough =
      std::all_of(grants->begin(), grants->end(), [](const replay::LeastGrant& grant) { return grant.refused == 0; });
  return enough ? conforms : does_not_conform;
}

// Ends when the user interrupts it, with the report.
void follow_log(replay::ReplayQuestion& question) {
  install_signal_handlers();
  question.followed_until = [] { return interrupted().load(); };
  question.newly_refused = [](const Replay::Finding& finding) {
    std::cerr << printable("newly refused: " + finding.example + " (" + finding.where + "), " + finding.rule + ", " +
                           (finding.user_agent.empty() ? "no user agent" : finding.user_agent))
              << std::endl;
  };
}

int replay_logs(const ReplayFlags& flags) {
  const auto started = std::chrono::system_clock::now();
  if (Result<void> right = check_replay_inputs(flags); !right) return fail(right.error());
  const Catalogue& catalogue = Catalogue::built_in();
  const ReplayPreset& preset = preset_of(flags.question);
  const Result<Release> from =
      release_of("--from", flags.from, "--feature-gates-from", gates_with(flags.gates_from, preset, flags.from, false));
  if (!from) return fail(from.error());
  // What one turns on or takes away is mostly asked of the release that runs.
  const bool same = flags.to.empty() && flags.question != "upgrade";
  const std::string going_to = same ? flags.from : flags.to.empty() ? reference_release : flags.to;
  const std::string gates_to = gates_with(flags.gates_to, preset, going_to, true);
  const Result<Release> to = release_of("--to", going_to, "--feature-gates-to", gates_to);
  if (!to) return fail(to.error());
  const RuleSet from_rules(catalogue, *from);
  const RuleSet to_rules(catalogue, *to);
  replay::ReplayQuestion question;
  question.logs = flags.logs;
  question.from = &from_rules;
  question.to = &to_rules;
  const Result<GateSettings> gates = parse_feature_gates(gates_to);
  if (!gates) return fail(gates.error());
  question.gates = *gates;
  const auto since = moment_of("--since", flags.since);
  if (!since) return fail(since.error());
  const auto until = moment_of("--until", flags.until);
  if (!until) return fail(until.error());
  question.since = *since;
  question.until = *until;
  question.pool_label = flags.pool_label;
  question.whole_state = flags.whole_state;
  question.default_rbac = flags.default_rbac;
  Result<replay::BothSettings> settings = settings_of(flags, preset);
  if (!settings) return fail(settings.error());
  question.from_setting = std::move(settings->from);
  question.to_setting = std::move(settings->to);
  question.own_names = preset.own_names;
  const Result<Share> share = read_share(flags.shard, "requests");
  if (!share) return fail(share.error());
  question.share = *share;
  if (flags.follow) follow_log(question);
  Result<std::vector<ClusterObject>> dump = read_dumps(flags.cluster);
  if (!dump) return fail(dump.error());
  question.cluster = std::move(*dump);
  std::vector<replay::AgentOfNodes> agents;
  Result<Replay> done = replay::replay(question, &agents);
  if (!done) return fail(done.error());
  if (flags.propose_rbac) return propose_grants(question, *done, agents);
  done->cluster = flags.cluster;
  done->run = {timestamp_of(started), host_name(), NODEBOUND_VERSION,
               std::chrono::duration<double>(std::chrono::system_clock::now() - started).count()};
  return flags.output.tell(std::move(*done));
}

void add_plugin_flags(ReplayFlags& flags, CLI::App& command) {
  const CLI::IsMember optional(optional_plugins());
  command
      .add_option("--enable-admission-plugins", flags.plugins,
                  "Plugins that are on, of those that are off by default: OwnerReferencesPermissionEnforcement, "
                  "PodNodeSelector, PodTolerationRestriction")
      ->delimiter(',')
      ->check(optional);
  command
      .add_option("--enable-admission-plugins-to", flags.plugins_to,
                  "The same at the release you are going to (default: no change)")
      ->delimiter(',')
      ->check(optional);
  command.add_option("--admission-control-config-file", flags.admission_file,
                     "An AdmissionConfiguration, of which PodNodeSelector and PodTolerationRestriction read theirs");
  command.add_option("--admission-control-config-file-to", flags.admission_file_to,
                     "The same at the release you are going to (default: no change)");
}

}  // namespace

void add_replay_command(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<ReplayFlags>();
  CLI::App* command =
      app.add_subcommand("replay", "Say which requests of audit logs the release you are going to will refuse");
  command
      ->add_option("logs", flags->logs,
                   "Audit logs (audit.k8s.io/v1): lines, lists, or records of CloudWatch, Cloud Logging or Azure "
                   "Monitor; plain, gzip or zstd; - is standard input")
      ->required();
  command
      ->add_option(
          "--cluster", flags->cluster,
          "What the cluster has, as `kubectl get ... -A -o yaml` prints it: roles, bindings, nodes, pods, volumes; "
          "- is standard input")
      ->expected(1)
      ->take_all();
  command->add_option("--from", flags->from, "Release of the API servers that wrote the logs")->required();
  command->add_option("--to", flags->to,
                      std::string("Release you are going to (default: ") + reference_release +
                          "; with another --question, that of --from)");
  command
      ->add_option(
          "--question", flags->question,
          "What changes: the release alone; the Node authorizer or NodeRestriction, which the logs' servers "
          "lack and yours will have; bindings of ClusterRole system:node, which you delete; audiences of tokens, "
          "which nodes must be allowed to ask for; or names of their own for kubelets that share one")
      ->check(CLI::IsMember(preset_names()))
      ->capture_default_str();
  command->add_flag("--propose-rbac", flags->propose_rbac,
                    "Print the least roles for programs that ask as nodes, tried on the logs, instead");
  command->add_option("--feature-gates-from", flags->gates_from, "Gates set apart from the defaults: A=true,B=false");
  command->add_option("--feature-gates-to", flags->gates_to, "The same at the release you are going to");
  add_plugin_flags(*flags, *command);
  command->add_option("--since", flags->since, "Only requests from this time on, as 2026-12-01T09:00Z");
  command->add_option("--until", flags->until, "Only requests before this time");
  command->add_option("--pool-label", flags->pool_label,
                      "Label of Nodes that names their pool (default: those of clouds and installers)");
  command->add_flag(
      "--whole-state", flags->whole_state,
      "Dump and logs show every object, as logs of a cluster's whole life at RequestResponse level do: what "
      "differs because of an object disagrees");
  command->add_flag("--default-rbac", flags->default_rbac,
                    "The cluster has no roles and bindings but those that API servers make");
  command->add_flag("-f,--follow", flags->follow,
                    "Read on as the log grows, through rotations, until interrupted; tell of each new refusal at once");
  command->add_option("--shard", flags->shard,
                      "Decide only the i-th of n shares of the requests, i/n; `nodebound report merge` joins them");
  flags->output.add_to(*command);
  command->footer(
      "Example: kubectl get clusterroles,clusterrolebindings,roles,rolebindings,nodes,pods,pvc,pv,serviceaccounts -A "
      "-o "
      "json > cluster.json\n"
      "         nodebound replay /var/log/kubernetes/audit*.log* --cluster cluster.json --from 1.31.4 --to 1.36\n"
      "Ends with 0 if nothing that --fail-on names was found, 1 if something was, 2 on bad usage or input, 3 if "
      "nothing "
      "could be\ndecided, 4 if no request is about nodes.");
  command->callback([flags, &exit_code] { exit_code = replay_logs(*flags); });
}

}  // namespace nodebound::cli
