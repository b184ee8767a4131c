#include "harness/cli/target.h"

#include "harness/cli/console.h"
#include "harness/endpoint/authorizer/authorizer_endpoint.h"
#include "harness/endpoint/authorizer/exec_program.h"
#include "harness/endpoint/binary_endpoint.h"
#include "harness/endpoint/reference_endpoint.h"
#include "harness/endpoint/signals.h"
#include "harness/failures/request_commands.h"
#include "reference/release/feature_gates_flag.h"

namespace nodebound::cli {

Result<Version> parse_version(const std::string& flag, const std::string& text) {
  const std::optional<Version> version = Version::parse(text);
  if (version) {
    const int last = Catalogue::built_in().last_patch(*version);
    // Vendors publish patch releases after Kubernetes has ended a minor, so this is no error; but it may be a typing
    // error.
    if (flag.starts_with("--") && version->patch > last) {
      complain("warning: " + flag + ": there is no Kubernetes " + version->text() +
               " that is known here: expected a patch release up to " + std::to_string(last) +
               "; it is taken for one with all that any " + version->minor_text() + " has");
    }
    return *version;
  }
  return input_error(flag, "\"" + text + "\" is not a Kubernetes version", "give it like 1.36 or 1.36.3");
}

Result<Release> named_release(const Catalogue& catalogue, const std::string& version,
                              const std::string& feature_gates) {
  const Result<GateSettings> gates = parse_feature_gates(feature_gates);
  if (!gates) return tl::unexpected<Error>(gates.error());
  const Result<Version> parsed = parse_version("--release", version);
  if (!parsed) return tl::unexpected<Error>(parsed.error());
  return Release::make(catalogue, *parsed, *gates);
}

namespace {

// The rules for a target whose version, and perhaps gates, were observed. Gates that the catalogue does not know are
// ignored.
Result<std::unique_ptr<RuleSet>> rules_of(const Catalogue& catalogue, const Endpoint& endpoint,
                                          const TargetFlags& flags, const GateSettings& set) {
  const std::string& observed = endpoint.observed().version;
  // If the target reports a bad version, that is not the user's mistake.
  const auto of_target = [&](Error error) {
    if (flags.release.empty()) {
      error.kind = Error::Kind::unreachable;
      error.where = endpoint.name() + ": /version";
      error.hint = "--release says by which one to judge";
    }
    return tl::unexpected<Error>(std::move(error));
  };
  Result<Version> version =
      flags.release.empty() ? parse_version(endpoint.name(), observed) : parse_version("--release", flags.release);
  if (!version) return of_target(version.error());
  if (flags.release.empty() && catalogue.releases().ends_before(*version)) {
    *version = catalogue.turning_points().back();
    complain("the catalogue does not know Kubernetes " + observed + " yet; it is judged as " + version->text());
  }
  Result<Release> release = Release::make(catalogue, *version, set);
  if (!release) return set.empty() ? of_target(release.error()) : tl::unexpected<Error>(release.error());
  for (auto& [name, on] : release->gates) {
    const auto seen = endpoint.observed().feature_gates.find(name);
    if (seen != endpoint.observed().feature_gates.end() && flags.release.empty()) on = seen->second;
  }
  return std::make_unique<RuleSet>(catalogue, *release);
}

Result<std::unique_ptr<RuleSet>> rules_at(const Catalogue& catalogue, const std::string& flag,
                                          const std::string& version, const GateSettings& gates) {
  const Result<Version> parsed = parse_version(flag, version);
  if (!parsed) return tl::unexpected<Error>(parsed.error());
  const Result<Release> release = Release::make(catalogue, *parsed, gates);
  if (!release) return tl::unexpected<Error>(release.error());
  return std::make_unique<RuleSet>(catalogue, *release);
}

// `version` is the release that the reference implements; --release then only says by which rules it is judged.
Result<Target> open_reference(const TargetFlags& flags, const std::string& version, const Catalogue& catalogue,
                              const GateSettings& gates) {
  Target target;
  if (!version.empty()) {
    Result<std::unique_ptr<RuleSet>> own = rules_at(catalogue, "--target", version, gates);
    if (!own) return tl::unexpected<Error>(own.error());
    target.own_rules = std::move(*own);
  }
  const std::string& judged = flags.release.empty() ? version : flags.release;
  Result<std::unique_ptr<RuleSet>> rules =
      rules_at(catalogue, "--release", judged.empty() ? reference_release : judged, gates);
  if (!rules) return tl::unexpected<Error>(rules.error());
  target.rules = std::move(*rules);
  target.is_reference = true;
  target.endpoint = make_reference_endpoint(target.own_rules ? *target.own_rules : *target.rules,
                                            {flags.disabled_plugins.begin(), flags.disabled_plugins.end()});
  return target;
}

Result<std::unique_ptr<Endpoint>> open_binary(const TargetFlags& flags, const std::string& directory,
                                              const GateSettings& gates) {
  BinaryOptions options;
  options.directory = directory;
  options.feature_gates = gates;
  options.extra_apiserver_flags = flags.apiserver_flags;
  options.limits = flags.requests.limits;
  for (const std::string& plugin : flags.disabled_plugins) {
    if (plugin == "NodeRestriction") {
      options.enable_node_restriction = false;
    } else {
      options.disable_admission_plugins.push_back(plugin);
    }
  }
  return start_binary(options);
}

Result<std::unique_ptr<Endpoint>> open_cluster(const TargetFlags& flags, const std::string& spec) {
  ClusterOptions options;
  options.identity = identity_mode(flags.identity);
  options.ca_certificate_file = flags.ca_certificate;
  options.ca_key_file = flags.ca_key;
  options.warn = complain;
  options.limits = flags.requests.limits;
  return connect_kubeconfig(spec, options);
}

// An authorizer is judged by --release; without it, by the release of the reference.
Result<Target> rules_for_authorizer(const TargetFlags& flags, const Catalogue& catalogue, const GateSettings& gates) {
  Target target;
  Result<std::unique_ptr<RuleSet>> rules =
      rules_at(catalogue, "--release", flags.release.empty() ? reference_release : flags.release, gates);
  if (!rules) return tl::unexpected<Error>(rules.error());
  target.rules = std::move(*rules);
  return target;
}

// What it decides by is the cluster of an API server of that release; without --release, of the reference's.
Result<Target> open_exec(const TargetFlags& flags, const std::string& command, const Catalogue& catalogue,
                         const GateSettings& gates) {
  if (command.find_first_not_of(' ') == std::string::npos) {
    return input_error("--target", "expected exec:COMMAND, with a command", "like exec:'python3 shim.py'");
  }
  Result<Target> opened = rules_for_authorizer(flags, catalogue, gates);
  if (!opened) return opened;
  Target& target = *opened;
  auto program = ExecProgram::start({command, flags.requests.limits.answer});
  if (!program) return tl::unexpected<Error>(program.error());
  const ObjectsReach reach = (*program)->objects();
  auto cluster = std::make_shared<AuthorizerCluster>(*target.rules, options_of_authorizer_cluster(*target.rules));
  target.endpoint = make_authorizer_endpoint(flags.target, std::move(cluster), std::move(*program), reach);
  return opened;
}

Result<Target> open_webhook(const TargetFlags& flags, const std::string& url, const Catalogue& catalogue,
                            const GateSettings& gates) {
  if (url.empty() && flags.webhook.config_file.empty()) {
    return input_error("--target", "expected authz-webhook:URL, with a URL",
                       "like authz-webhook:https://localhost:8443/");
  }
  Result<Target> opened = rules_for_authorizer(flags, catalogue, gates);
  if (!opened) return opened;
  Target& target = *opened;
  auto cluster = std::make_shared<AuthorizerCluster>(*target.rules, options_of_authorizer_cluster(*target.rules));
  Result<WatchingWebhook> webhook = open_authorization_webhook(flags.webhook, url, flags.requests.limits, cluster);
  if (!webhook) return tl::unexpected<Error>(webhook.error());
  target.watched = std::move(webhook->cluster);
  // A kubeconfig may have named it.
  target.endpoint = make_authorizer_endpoint("authz-webhook:" + webhook->url, std::move(cluster),
                                             std::move(webhook->decider), ObjectsReach::by_watching);
  return opened;
}

Result<Target> open_admission(const TargetFlags& flags, const std::string& url, const Catalogue& catalogue,
                              const GateSettings& gates) {
  if (url.empty()) {
    return input_error("--target", "expected admission-webhook:URL, with a URL",
                       "like admission-webhook:https://localhost:8443/");
  }
  Result<Target> opened = rules_for_authorizer(flags, catalogue, gates);
  if (!opened) return opened;
  Result<WatchingAdmission> webhook = open_admission_webhook(flags.webhook, flags.target, url, *opened->rules);
  if (!webhook) return tl::unexpected<Error>(webhook.error());
  opened->watched = std::move(webhook->cluster);
  opened->endpoint = std::move(webhook->endpoint);
  return opened;
}

}  // namespace

IdentityMode identity_mode(const std::string& text) {
  return text == "ca" ? IdentityMode::ca : text == "csr" ? IdentityMode::csr : IdentityMode::impersonate;
}

void TargetFlags::add_to(CLI::App& command) {
  command
      .add_option("--target", target,
                  "What is under test: reference[:VERSION], binary:DIR (a folder with kube-apiserver and etcd), "
                  "kubeconfig[:FILE][#CONTEXT], exec:COMMAND (an authorizer that answers lines of JSON), "
                  "authz-webhook:URL (one that answers SubjectAccessReviews), admission-webhook:URL (it answers "
                  "AdmissionReviews); of run and certify also kubelet:COMMAND or kubelet:URL")
      ->capture_default_str();
  command.add_option("--release", release,
                     "Kubernetes release to judge by, like 1.36.3 (default: what the target is observed to be)");
  command.add_option("--feature-gates", feature_gates, "Gates set apart from the release's defaults: A=true,B=false");
  const std::size_t before = command.get_options({}).size();
  add_access_to(command);
  webhook.add_to(command);
  const std::vector<CLI::Option*> all = command.get_options({});
  access.assign(all.begin() + static_cast<std::ptrdiff_t>(before), all.end());
}

std::string TargetFlags::access_words() const {
  std::string out;
  for (const CLI::Option* option : access) {
    for (const std::string& value : option->results()) {
      out += " " + option->get_name() + " " + failures::shell_word(value);
    }
  }
  return out;
}

void TargetFlags::add_access_to(CLI::App& command) {
  command.add_option("--identity", identity, "How a cluster is made to see subjects: impersonate, ca or csr")
      ->check(CLI::IsMember({"impersonate", "ca", "csr"}))
      ->capture_default_str();
  command.add_option("--client-ca-cert", ca_certificate, "For --identity=ca: the cluster's authority of clients, PEM");
  command.add_option("--client-ca-key", ca_key, "For --identity=ca: its key, PEM");
  command
      .add_option("--disable-admission-plugins", disabled_plugins,
                  "Start the target (reference or binary) without these admission plugins")
      ->delimiter(',');
  command.add_option("--i-may-write-to", may_write_to,
                     "Context of a kubeconfig, of a cluster on which others have workloads: objects may be made there");
  command.add_option("--apiserver-flag", apiserver_flags, "A further flag for the kube-apiserver of binary:DIR");
  requests.add_to(command);
}

Result<GateSettings> parse_feature_gates(const std::string& text) {
  return nodebound::parse_feature_gates("--feature-gates", text);
}

Result<Target> open_target(const TargetFlags& flags, const Catalogue& catalogue) {
  end_run_after(flags.requests.run_time);
  Result<GateSettings> gates = parse_feature_gates(flags.feature_gates);
  if (!gates) return tl::unexpected<Error>(gates.error());
  const std::size_t colon = flags.target.find_first_of(":#");
  const std::string kind = flags.target.substr(0, colon);
  std::string rest = colon == std::string::npos ? "" : flags.target.substr(colon);
  if (rest.starts_with(':')) rest.erase(0, 1);
  if (kind == "reference") {
    if (rest.empty() != (colon == std::string::npos)) {
      return input_error("--target", "expected reference or reference:VERSION, not \"" + flags.target + "\"");
    }
    return open_reference(flags, rest, catalogue, *gates);
  }
  if (kind == "exec") return open_exec(flags, rest, catalogue, *gates);
  if (kind == "authz-webhook") return open_webhook(flags, rest, catalogue, *gates);
  if (kind == "admission-webhook") return open_admission(flags, rest, catalogue, *gates);
  if (kind != "binary" && kind != "kubeconfig") {
    return input_error("--target", "unknown target \"" + flags.target + "\"",
                       "expected reference[:VERSION], binary:DIR, kubeconfig[:FILE][#CONTEXT], exec:COMMAND, "
                       "authz-webhook:URL or admission-webhook:URL");
  }
  if (kind == "kubeconfig" && !flags.disabled_plugins.empty()) {
    return input_error("--disable-admission-plugins", "a running cluster's plugins are its own");
  }
  Result<std::unique_ptr<Endpoint>> endpoint =
      kind == "binary" ? open_binary(flags, rest, *gates) : open_cluster(flags, rest);
  if (!endpoint) return tl::unexpected<Error>(endpoint.error());
  Target target;
  target.endpoint = std::move(*endpoint);
  Result<std::unique_ptr<RuleSet>> rules = rules_of(catalogue, *target.endpoint, flags, *gates);
  if (!rules) return tl::unexpected<Error>(rules.error());
  target.rules = std::move(*rules);
  return target;
}

}  // namespace nodebound::cli
