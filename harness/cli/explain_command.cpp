#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sys/ioctl.h>
#include <unistd.h>

#include "harness/cli/commands.h"
#include "harness/cli/target.h"
#include "harness/explain/explanation_json.h"
#include "harness/explain/explanation_text.h"
#include "harness/objects/input_file.h"

namespace nodebound {
namespace {

struct ExplainFlags {
  QuestionText question;
  std::string release = reference_release;
  std::string feature_gates;
  std::vector<std::string> cluster;
  std::string body;
  std::string format = "text";
};

std::string name_of(const std::string& file) {
  return file == "-" ? "standard input" : file;
}

Result<std::vector<ClusterObject>> read_cluster(const std::vector<std::string>& files) {
  std::vector<ClusterObject> objects;
  for (const std::string& file : files) {
    const Result<std::string> text = read_input(file);
    if (!text) return tl::unexpected<Error>(text.error());
    Result<std::vector<ClusterObject>> read = read_cluster_objects(*text, name_of(file));
    if (!read) return read;
    std::move(read->begin(), read->end(), std::back_inserter(objects));
  }
  return objects;
}

Result<Question> read_question(const ExplainFlags& flags) {
  std::optional<Object> body;
  if (!flags.body.empty()) {
    const Result<std::string> text = read_input(flags.body);
    if (!text) return tl::unexpected<Error>(text.error());
    Result<Object> read = read_body(*text, name_of(flags.body));
    if (!read) return tl::unexpected<Error>(read.error());
    body = std::move(*read);
  }
  Result<Question> question = understand(flags.question, std::move(body), name_of(flags.body));
  if (!question) return question;
  Result<std::vector<ClusterObject>> objects = read_cluster(flags.cluster);
  if (!objects) return tl::unexpected<Error>(objects.error());
  question->set_cluster(std::move(*objects));
  return question;
}

Result<Release> read_release(const ExplainFlags& flags, const GateSettings& gates) {
  const std::optional<Version> version = Version::parse(flags.release);
  if (!version) {
    return input_error("--release", "\"" + flags.release + "\" is not a Kubernetes version",
                       "give it like 1.36 or 1.36.3");
  }
  return Release::make(Catalogue::built_in(), *version, gates);
}

TerminalStyle style_of_output() {
  winsize size{};
  const bool terminal = isatty(STDOUT_FILENO) != 0;
  const bool sized = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return {terminal && std::getenv("NO_COLOR") == nullptr, sized ? size.ws_col : 100, true};
}

int explain_request(const ExplainFlags& flags) {
  Result<GateSettings> gates = parse_feature_gates(flags.feature_gates);
  if (!gates) return fail(gates.error());
  Result<Release> release = read_release(flags, *gates);
  if (!release) return fail(release.error());
  const auto from_input = std::count(flags.cluster.begin(), flags.cluster.end(), "-") + (flags.body == "-" ? 1 : 0);
  if (from_input > 1) return fail({Error::Kind::input, "-", "standard input can be read only once", ""});
  const Result<Question> question = read_question(flags);
  if (!question) return fail(question.error());
  const Result<Explanation> explanation = explain(Catalogue::built_in(), *release, *gates, *question);
  if (!explanation) return fail(explanation.error());
  if (flags.format == "json") {
    std::cout << to_json(*explanation, *question);
    return conforms;
  }
  std::string cluster;
  for (const std::string& file : flags.cluster) cluster += (cluster.empty() ? "" : ", ") + name_of(file);
  std::cout << to_text(*explanation, *question, cluster, style_of_output());
  return conforms;
}

}  // namespace

void add_explain_command(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<ExplainFlags>();
  CLI::App* command = app.add_subcommand("explain", "Say whether a request is allowed, by which rule, and why");
  command->add_option("request", flags->question.words, "Verb and target, as: get secrets/db")->required();
  command->add_option("--as", flags->question.as, "Who asks: node:NAME, user:NAME[,GROUP...], admin or anonymous")
      ->required();
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
  command->add_option("--release", flags->release, "Kubernetes release, like 1.36 or 1.36.3")->capture_default_str();
  command->add_option("--feature-gates", flags->feature_gates,
                      "Gates set apart from the release's defaults: A=true,B=false");
  command->add_option("--format", flags->format, "Form of the answer")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->footer(
      "Example: nodebound explain --as node:a get secrets/db -n shop --cluster objects.yaml\n"
      "Ends with 0 whatever the answer is.");
  command->callback([flags, &exit_code] { exit_code = explain_request(*flags); });
}

}  // namespace nodebound
