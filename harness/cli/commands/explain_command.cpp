#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sys/ioctl.h>
#include <unistd.h>

#include "fakes/kubelet_api/configuration/kubelet_configuration.h"
#include "harness/cli/commands/commands.h"
#include "harness/cli/target.h"
#include "harness/explain/cluster_intake.h"
#include "harness/explain/explanation_json.h"
#include "harness/explain/explanation_text.h"
#include "harness/explain/kubelet_explanation.h"
#include "harness/explain/kubelet_fleet_text.h"
#include "harness/objects/input_file.h"
#include "reference/admission/default_plugins.h"
#include "reports/text.h"

namespace nodebound::cli {
namespace {

struct ExplainFlags {
  explain::QuestionText question;
  std::vector<std::string> kubelets;
  std::string kubelet_config;
  bool fleet = false;
  std::vector<std::string> needs;
  std::string release = reference_release;
  std::string feature_gates;
  std::vector<std::string> enable_admission_plugins;
  std::vector<std::string> cluster;
  std::string body;
  std::string format = "text";
};

std::string name_of(const std::string& file) {
  return file == "-" ? "standard input" : file;
}

Result<std::vector<ClusterObject>> read_cluster(const std::vector<std::string>& files,
                                                const KeepObject& keep = nullptr) {
  std::vector<ClusterObject> objects;
  for (const std::string& file : files) {
    const Result<TextSource> text = open_input(file);
    if (!text) return tl::unexpected<Error>(text.error());
    Result<std::vector<ClusterObject>> read = read_cluster_objects(*text, name_of(file), keep);
    if (!read) return read;
    std::move(read->begin(), read->end(), std::back_inserter(objects));
  }
  return objects;
}

Result<explain::Question> read_question(const ExplainFlags& flags) {
  std::optional<Object> body;
  if (!flags.body.empty()) {
    const Result<std::string> text = read_input(flags.body);
    if (!text) return tl::unexpected<Error>(text.error());
    Result<Object> read = read_body(*text, name_of(flags.body));
    if (!read) return tl::unexpected<Error>(read.error());
    body = std::move(*read);
  }
  Result<explain::Question> question = explain::understand(flags.question, std::move(body), name_of(flags.body));
  if (!question) return question;
  explain::ClusterIntake intake(*question);
  Result<std::vector<ClusterObject>> objects =
      read_cluster(flags.cluster, [&](ClusterObject& entry) { return intake.keep(entry); });
  if (!objects) return tl::unexpected<Error>(objects.error());
  intake.finish(std::move(*objects));
  question->enabled_plugins.insert(flags.enable_admission_plugins.begin(), flags.enable_admission_plugins.end());
  return question;
}

TerminalStyle style_of_output() {
  winsize size{};
  const bool terminal = isatty(STDOUT_FILENO) != 0;
  const bool sized = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return {terminal && std::getenv("NO_COLOR") == nullptr, sized ? size.ws_col : 100, true};
}

Result<void> check_inputs(const ExplainFlags& flags) {
  const auto from_input = std::count(flags.cluster.begin(), flags.cluster.end(), "-") + (flags.body == "-" ? 1 : 0) +
                          (flags.kubelet_config == "-" ? 1 : 0);
  if (from_input > 1) return input_error("-", "standard input can be read only once");
  return {};
}

std::string names_of(const std::vector<std::string>& files) {
  std::vector<std::string> out(files.size());
  std::transform(files.begin(), files.end(), out.begin(), name_of);
  return comma_separated(out);
}

int explain_request(const ExplainFlags& flags) {
  Result<GateSettings> gates = parse_feature_gates(flags.feature_gates);
  if (!gates) return fail(gates.error());
  const Result<Release> release = named_release(Catalogue::built_in(), flags.release, flags.feature_gates);
  if (!release) return fail(release.error());
  const Result<explain::Question> question = read_question(flags);
  if (!question) return fail(question.error());
  const Result<explain::Explanation> explanation = explain::explain(Catalogue::built_in(), *release, *gates, *question);
  if (!explanation) return fail(explanation.error());
  if (flags.format == "json") {
    std::cout << to_json(*explanation, *question);
    return conforms;
  }
  std::cout << to_text(*explanation, *question, names_of(flags.cluster), style_of_output());
  return conforms;
}

Result<std::optional<KubeletSettings>> read_settings(const std::string& file, const Version& version,
                                                     const GateSettings& gates) {
  if (file.empty()) return std::nullopt;
  const auto text = read_input(file, input_limit::configuration);
  if (!text) return tl::unexpected(text.error());
  const auto read = kubelet_api::read_kubelet_configuration(*text, name_of(file), version);
  if (!read) return tl::unexpected(read.error());
  const auto release = Release::make(Catalogue::built_in(), version, gates);
  if (!release) return tl::unexpected(release.error());
  return kubelet_api::KubeletConfiguration::of_file(*read, RuleSet(Catalogue::built_in(), *release)).settings;
}

int explain_kubelet(const ExplainFlags& flags) {
  const Result<Version> server = parse_version("--release", flags.release);
  if (!server) return fail(server.error());
  auto gates = parse_feature_gates(flags.feature_gates);
  if (!gates) return fail(gates.error());
  auto objects = read_cluster(flags.cluster);
  if (!objects) return fail(objects.error());
  const auto kubelet = explain::find_kubelet(flags.kubelets.front(), *objects);
  if (!kubelet) return fail(kubelet.error());
  auto request = explain::read_kubelet_request(flags.question.as, flags.question.words, kubelet->node);
  if (!request) return fail(request.error());
  const auto settings = read_settings(flags.kubelet_config, kubelet->version, *gates);
  if (!settings) return fail(settings.error());
  const explain::KubeletQuestion question{std::move(*request), *settings, std::move(*gates), std::move(*objects)};
  const auto explanation = explain::explain(Catalogue::built_in(), kubelet->version, *server, question);
  if (!explanation) return fail(explanation.error());
  std::cout << (flags.format == "json" ? to_json(*explanation, question)
                                       : to_text(*explanation, question, names_of(flags.cluster), style_of_output()));
  return conforms;
}

int explain_fleet(const ExplainFlags& flags) {
  explain::FleetQuestion question;
  const Result<Version> server = parse_version("--release", flags.release);
  if (!server) return fail(server.error());
  question.server = *server;
  auto gates = parse_feature_gates(flags.feature_gates);
  if (!gates) return fail(gates.error());
  question.gates = std::move(*gates);
  auto objects = read_cluster(flags.cluster);
  if (!objects) return fail(objects.error());
  question.objects = std::move(*objects);
  for (const std::string& text : flags.kubelets) {
    const Result<Version> version = parse_version("--kubelet", text);
    if (!version) return fail(version.error());
    question.kubelets.push_back(*version);
  }
  question.needs = flags.needs.empty() ? explain::usual_needs() : flags.needs;
  const auto fleet = explain::look_at_fleet(Catalogue::built_in(), question);
  if (!fleet) return fail(fleet.error());
  if (flags.format == "text") std::cout << to_text(*fleet, style_of_output());
  if (flags.format == "json") std::cout << to_json(*fleet);
  if (flags.format == "yaml") std::cout << explain::to_yaml(*fleet);
  return conforms;
}

int explain(const ExplainFlags& flags) {
  if (Result<void> right = check_inputs(flags); !right) return fail(right.error());
  if (flags.fleet) return explain_fleet(flags);
  if (flags.format == "yaml") return fail(input_error("--format", "yaml is the form of what --fleet proposes").value());
  if (flags.question.words.empty() || flags.question.as.empty()) {
    return fail(input_error("request", "expected a request, and with --as who asks").value());
  }
  if (flags.kubelets.size() > 1) return fail(input_error("--kubelet", "a request is to one kubelet").value());
  return flags.kubelets.empty() ? explain_request(flags) : explain_kubelet(flags);
}

}  // namespace

void add_explain_command(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<ExplainFlags>();
  CLI::App* command = app.add_subcommand("explain", "Say whether a request is allowed, by which rule, and why");
  command->add_option("request", flags->question.words, "Verb and target, as: get secrets/db");
  command->add_option("--as", flags->question.as,
                      "Who asks: node:NAME, user:NAME[,GROUP...], admin or anonymous; or as kubectl has it, "
                      "system:node:NAME or system:serviceaccount:NAMESPACE:NAME");
  command->add_option("--subresource", flags->question.subresource,
                      "Subresource of the request, as in: update certificatesigningrequests/x --subresource approval");
  command->add_option("-n,--namespace", flags->question.namespace_,
                      "Namespace of the request (default: that of --body, or \"default\")");
  command->add_flag("-A,--all-namespaces", flags->question.all_namespaces, "The request is for all namespaces");
  command->add_option("--field-selector", flags->question.field_selector, "Field selector of the request");
  command->add_option("-l,--selector", flags->question.label_selector, "Label selector of the request");
  command
      ->add_option("--cluster", flags->cluster,
                   "What the cluster has: a file as `kubectl get ... -o yaml` prints it; - is standard input")
      ->expected(1)
      ->take_all();
  command->add_option("--body", flags->body, "Object of a create, update or patch (YAML or JSON); - is standard input");
  command->add_option("--release", flags->release, "Kubernetes release of the API server, like 1.36 or 1.36.3")
      ->capture_default_str();
  command->add_option("--feature-gates", flags->feature_gates,
                      "Gates set apart from the release's defaults: A=true,B=false; with --kubelet, the kubelet's");
  command
      ->add_option("--enable-admission-plugins", flags->enable_admission_plugins,
                   "Plugins that are on, of those that are off by default: OwnerReferencesPermissionEnforcement, "
                   "PodNodeSelector, PodTolerationRestriction")
      ->delimiter(',')
      ->check(CLI::IsMember(optional_plugins()));
  command
      ->add_option("--kubelet", flags->kubelets,
                   "The request is to a kubelet's own API, as GET /pods: its release, or its Node of --cluster")
      ->expected(1)
      ->take_all();
  command->add_option("--kubelet-config", flags->kubelet_config,
                      "Its configuration file (default: certificates, tokens and reviews, as kubeadm has it)");
  command->add_flag("--fleet", flags->fleet,
                    "Who holds nodes/proxy in --cluster, and which grants would be enough for its kubelets");
  command
      ->add_option("--needs", flags->needs,
                   "With --fleet: a request that holders need, as \"GET /pods\" (default: those of monitoring agents)")
      ->expected(1)
      ->take_all();
  command->add_option("--format", flags->format, "Form of the answer")
      ->check(CLI::IsMember({"text", "json", "yaml"}))
      ->capture_default_str();
  command->footer(
      "Examples: nodebound explain --as node:a get secrets/db -n shop --cluster objects.yaml\n"
      "          nodebound explain --kubelet 1.33 --as user:prometheus GET /pods --cluster rbac.yaml\n"
      "          nodebound explain --fleet --cluster nodes-and-rbac.yaml --needs \"GET /metrics\" --format yaml\n"
      "Ends with 0 whatever the answer is.");
  command->callback([flags, &exit_code] { exit_code = explain(*flags); });
}

}  // namespace nodebound::cli
