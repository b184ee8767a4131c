#include "harness/cli/serve/serve_authorizers.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <utility>

#include "fakes/authorization/abac_policy_file.h"
#include "fakes/wire/go/go_duration.h"
#include "harness/objects/input_file.h"

namespace nodebound::cli {
namespace {

constexpr const char* mode_flag = "--authorization-mode";
constexpr const char* policy_flag = "--authorization-policy-file";
constexpr const char* webhook_flag = "--authorization-webhook-config-file";

Result<std::chrono::nanoseconds> read_ttl(const char* flag, const std::string& text) {
  const auto parsed = parse_go_duration(text);
  if (!parsed) return input_error(flag, parsed.error(), "give it like 5m0s");
  return std::chrono::nanoseconds(*parsed);
}

Result<authorization::AbacPolicyFile> read_policies(const std::string& file, const Release& release) {
  if (file.empty()) {
    return input_error(mode_flag, "authorization-mode ABAC's authorization policy file not passed",
                       std::string("name it with ") + policy_flag);
  }
  const auto text = bytes_of_file(file, input_limit::objects);
  if (!text) return input_error(policy_flag, "cannot read " + file + ": " + text.error());
  return authorization::read_abac_policy_file(*text, file, &release);
}

void warn_of_unversioned(const authorization::AbacPolicyFile& read, const std::string& file) {
  if (read.unversioned.empty()) return;
  std::cerr << "warning: " << file << ":" << read.unversioned.front() << ": " << read.unversioned.size()
            << " policies without apiVersion, which hold for all API groups\n";
}

}  // namespace

Result<std::vector<AuthorizationMode>> read_authorization_modes(const std::vector<std::string>& texts) {
  std::vector<AuthorizationMode> modes;
  for (const std::string& text : texts) {
    const Result<AuthorizationMode> mode = parse_authorization_mode(mode_flag, text);
    if (!mode) return tl::unexpected<Error>(mode.error());
    if (std::find(modes.begin(), modes.end(), *mode) != modes.end()) {
      return input_error(mode_flag, "\"" + text + "\" is given twice");
    }
    modes.push_back(*mode);
  }
  return modes;
}

Result<std::shared_ptr<const AbacPolicies>> read_abac_policies(const std::vector<AuthorizationMode>& modes,
                                                               const std::string& policy_file, const Release& release) {
  if (std::find(modes.begin(), modes.end(), AuthorizationMode::abac) == modes.end()) {
    if (policy_file.empty()) return nullptr;
    return input_error(policy_flag, "cannot specify --authorization-policy-file without mode ABAC",
                       "add ABAC to --authorization-mode");
  }
  Result<authorization::AbacPolicyFile> read = read_policies(policy_file, release);
  if (!read) return tl::unexpected<Error>(read.error());
  warn_of_unversioned(*read, policy_file);
  return std::move(read->policies);
}

std::vector<const CLI::Option*> AuthorizationWebhookFlags::add_to(CLI::App& command) {
  return {command.add_option(webhook_flag, config_file, "A kubeconfig that names the webhook of the mode Webhook"),
          command.add_option("--authorization-webhook-version", version, "Of the SubjectAccessReviews that it is sent")
              ->check(CLI::IsMember({"v1", "v1beta1"}))
              ->capture_default_str(),
          command
              .add_option("--authorization-webhook-cache-authorized-ttl", authorized_ttl,
                          "How long what it allows is remembered; 0s: not at all")
              ->capture_default_str(),
          command
              .add_option("--authorization-webhook-cache-unauthorized-ttl", unauthorized_ttl,
                          "How long what it does not allow is remembered; 0s: not at all")
              ->capture_default_str()};
}

Result<AskWebhook> ask_over_network(webhook::WebhookAddress address, webhook::WebhookConnection::Options connection,
                                    authorization::AccessReviewWebhook::Options options, const Release& release) {
  auto opened = webhook::WebhookConnection::open(std::move(address), std::move(connection));
  if (!opened) return tl::unexpected<Error>(opened.error());
  const auto webhook = std::make_shared<authorization::AccessReviewWebhook>(
      [link = std::shared_ptr<webhook::WebhookConnection>(std::move(*opened))](std::string_view body) {
        return link->post(body);
      },
      release, std::move(options));
  return [webhook](const Subject& subject, const Attributes& attributes) { return webhook->ask(subject, attributes); };
}

Result<std::shared_ptr<const AuthorizationWebhook>> authorization_webhook(const std::vector<AuthorizationMode>& modes,
                                                                          const AuthorizationWebhookFlags& flags,
                                                                          const Release& release) {
  if (std::find(modes.begin(), modes.end(), AuthorizationMode::webhook) == modes.end()) {
    if (flags.config_file.empty()) return nullptr;
    return input_error(webhook_flag, "cannot specify --authorization-webhook-config-file without mode Webhook",
                       "add Webhook to --authorization-mode");
  }
  if (flags.config_file.empty()) {
    return input_error(mode_flag, "authorization-mode Webhook's authorization config file not passed",
                       std::string("name it with ") + webhook_flag);
  }
  authorization::AccessReviewWebhook::Options options;
  options.version = flags.version == "v1" ? authorization::ReviewVersion::v1 : authorization::ReviewVersion::v1beta1;
  const auto authorized = read_ttl("--authorization-webhook-cache-authorized-ttl", flags.authorized_ttl);
  if (!authorized) return tl::unexpected<Error>(authorized.error());
  const auto unauthorized = read_ttl("--authorization-webhook-cache-unauthorized-ttl", flags.unauthorized_ttl);
  if (!unauthorized) return tl::unexpected<Error>(unauthorized.error());
  options.authorized_ttl = *authorized;
  options.unauthorized_ttl = *unauthorized;
  Result<webhook::WebhookAddress> address = webhook::read_webhook_kubeconfig(flags.config_file);
  if (!address) return tl::unexpected<Error>(address.error());
  Result<AskWebhook> ask = ask_over_network(std::move(*address), {}, std::move(options), release);
  if (!ask) return tl::unexpected<Error>(ask.error());
  AuthorizationWebhook out;
  out.ask = std::move(*ask);
  return std::make_shared<const AuthorizationWebhook>(std::move(out));
}

}  // namespace nodebound::cli
