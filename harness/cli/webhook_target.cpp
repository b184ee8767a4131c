#include "harness/cli/webhook_target.h"

#include <utility>

#include "harness/cli/console.h"
#include "harness/cli/request_flags.h"
#include "harness/cli/serve/admission_webhooks.h"
#include "harness/endpoint/loopback.h"
#include "harness/objects/input_file.h"
#include "reports/text.h"

namespace nodebound::cli {
namespace {

Result<std::string> credential(const char* flag, const std::string& file) {
  if (file.empty()) return std::string();
  auto bytes = bytes_of_file(file, input_limit::credentials);
  if (!bytes) return input_error(flag, "cannot read " + file + ": " + bytes.error());
  if (bytes->empty()) return input_error(flag, file + " is empty");
  return std::move(*bytes);
}

Result<webhook::WebhookAddress> address_of_kubeconfig(const WebhookTargetFlags& flags, const std::string& url) {
  const bool more =
      !flags.ca_file.empty() || !flags.certificate_file.empty() || !flags.key_file.empty() || !flags.token_file.empty();
  if (!url.empty() || more) {
    return input_error("--webhook-kubeconfig", "names the URL and the credentials itself",
                       "leave out the URL behind the target's colon and the other credentials, or this flag");
  }
  return webhook::read_webhook_kubeconfig(flags.config_file);
}

void announce(const WatchedCluster& cluster, const std::string& url) {
  complain("the cluster to watch is that of " + cluster.kubeconfig().string() + "; waiting for " + url);
}

}  // namespace

void WebhookTargetFlags::add_to(CLI::App& command) {
  command.add_option("--webhook-version", version, "Of the SubjectAccessReviews that authz-webhook:URL is sent")
      ->check(CLI::IsMember({"v1", "v1beta1"}))
      ->capture_default_str();
  command.add_option("--webhook-kubeconfig", config_file,
                     "File that names the webhook and its credentials, as kube-apiserver's "
                     "--authorization-webhook-config-file takes it; the target is then authz-webhook: without URL");
  command.add_option("--webhook-ca", ca_file, "Whom a webhook's certificate must be signed by, PEM");
  command.add_option("--webhook-client-certificate", certificate_file, "Certificate that it is shown, PEM");
  command.add_option("--webhook-client-key", key_file, "Its key, PEM");
  command.add_option("--webhook-token-file", token_file, "File with the bearer token that it is sent");
  const auto time = [](std::chrono::milliseconds& to) {
    return [&to](const std::string& text) { to = read_time(text, std::chrono::milliseconds(1)); };
  };
  command.add_option_function<std::string>("--webhook-wait", time(wait), "How long to wait for its first answer")
      ->default_str("60s");
  command
      .add_option_function<std::string>("--settle-within", time(settle_within),
                                        "How long after a write a webhook must decide on it")
      ->default_str("15s");
  command.add_option("--cluster-port", cluster_port, "Port of the cluster that a webhook watches; 0 picks one")
      ->capture_default_str();
  command.add_option("--cluster-kubeconfig-out", cluster_folder,
                     "Folder for that cluster's cluster.kubeconfig (default: a temporary one)");
}

Result<webhook::WebhookAddress> webhook_address_of(const WebhookTargetFlags& flags, const std::string& url) {
  if (!flags.config_file.empty()) return address_of_kubeconfig(flags, url);
  auto parsed = webhook::parse_webhook_url(url, "--target");
  if (!parsed) return tl::unexpected<Error>(parsed.error());
  webhook::WebhookAddress out{std::move(*parsed)};
  if (!out.url.tls && !is_loopback(out.url.host)) {
    return input_error("--target", "plain HTTP is for loopback only", "give an https URL");
  }
  if (flags.certificate_file.empty() != flags.key_file.empty()) {
    return input_error("--webhook-client-certificate", "a certificate needs its key, and a key its certificate",
                       "give both --webhook-client-certificate and --webhook-client-key");
  }
  for (const auto& [flag, file, to] : {std::tuple("--webhook-ca", &flags.ca_file, &out.ca_pem),
                                       {"--webhook-client-certificate", &flags.certificate_file, &out.certificate_pem},
                                       {"--webhook-client-key", &flags.key_file, &out.key_pem},
                                       {"--webhook-token-file", &flags.token_file, &out.token}}) {
    auto read = credential(flag, *file);
    if (!read) return tl::unexpected<Error>(read.error());
    *to = std::move(*read);
  }
  out.token.erase(out.token.find_last_not_of(" \r\n\t") + 1);
  return out;
}

Result<WatchingWebhook> open_authorization_webhook(const WebhookTargetFlags& flags, const std::string& url,
                                                   const RequestLimits& limits,
                                                   const std::shared_ptr<AuthorizerCluster>& cluster) {
  Result<webhook::WebhookAddress> address = webhook_address_of(flags, url);
  if (!address) return tl::unexpected<Error>(address.error());
  const std::string where = address->url.text();
  WebhookDecider::Options options;
  options.version = flags.version == "v1" ? authorization::ReviewVersion::v1 : authorization::ReviewVersion::v1beta1;
  options.patience = limits.answer;
  auto decider = WebhookDecider::open(std::move(*address), cluster->rules().release(), options);
  if (!decider) return tl::unexpected<Error>(decider.error());
  auto watched = WatchedCluster::serve(cluster, {flags.cluster_port, flags.cluster_folder});
  if (!watched) return tl::unexpected<Error>(watched.error());
  announce(**watched, where);
  if (auto answers = (*decider)->await_first_answer(flags.wait); !answers)
    return tl::unexpected<Error>(answers.error());
  return WatchingWebhook{where, std::move(*watched), std::move(*decider)};
}

Result<WatchingAdmission> open_admission_webhook(const WebhookTargetFlags& flags, const std::string& target,
                                                 const std::string& url, const RuleSet& rules) {
  if (!flags.config_file.empty() || !flags.certificate_file.empty() || !flags.token_file.empty()) {
    return input_error("--target", "an admission webhook is shown no credentials here",
                       "--webhook-ca says whom to trust");
  }
  const Result<webhook::WebhookAddress> address = webhook_address_of(flags, url);
  if (!address) return tl::unexpected<Error>(address.error());
  if (!address->url.tls) return input_error("--target", "API servers ask admission webhooks over HTTPS alone");
  const apiserver::AdmissionWebhooks webhooks = admission_webhooks();
  auto cluster = std::make_shared<AuthorizerCluster>(rules, options_of_admission_cluster(rules, webhooks));
  cluster->tell(nullptr);
  auto watched = WatchedCluster::serve(cluster, {flags.cluster_port, flags.cluster_folder});
  if (!watched) return tl::unexpected<Error>(watched.error());
  announce(**watched, url);
  const AdmissionTarget webhook{target, url, address->ca_pem};
  if (auto answers = await_admission_webhook(webhooks, webhook, flags.wait); !answers) {
    return tl::unexpected<Error>(answers.error());
  }
  auto endpoint = make_admission_endpoint(webhook, std::move(cluster));
  if (!endpoint) return tl::unexpected<Error>(endpoint.error());
  return WatchingAdmission{std::move(*watched), std::move(*endpoint)};
}

}  // namespace nodebound::cli
