#include "harness/cli/serve/authorization_file.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <utility>

#include "fakes/authorization/authorization_configuration.h"
#include "fakes/webhook/webhook_address.h"
#include "harness/cli/serve/serve_authorizers.h"
#include "harness/objects/input_file.h"
#include "reference/release/refusal_text.h"

namespace nodebound::cli {
namespace {

constexpr const char* config_flag = "--authorization-config";

Result<std::shared_ptr<const AuthorizationWebhook>> webhook_of(const authorization::ConfiguredAuthorizer& one,
                                                               const Release& release) {
  const authorization::ConfiguredAuthorizer::Webhook& configured = *one.webhook;
  if (!configured.unsupported.empty()) {
    return input_error(config_flag, configured.unsupported.front(),
                       "kube-apiserver may take it; Nodebound does not evaluate what it may get wrong");
  }
  if (configured.kubeconfig.empty()) {
    return input_error(config_flag, "webhook " + one.name + ": connectionInfo of type InClusterConfig is not supported",
                       "name a kubeconfig: kube-apiserver itself needs one");
  }
  Result<webhook::WebhookAddress> address = webhook::read_webhook_kubeconfig(configured.kubeconfig);
  if (!address) return tl::unexpected<Error>(address.error());
  webhook::WebhookConnection::Options connection;
  connection.time = std::chrono::duration_cast<std::chrono::milliseconds>(configured.timeout);
  authorization::AccessReviewWebhook::Options options;
  options.version = configured.review_version;
  options.authorized_ttl = one.keeps_authorized();
  options.unauthorized_ttl = one.keeps_unauthorized();
  Result<AskWebhook> ask = ask_over_network(std::move(*address), connection, std::move(options), release);
  if (!ask) return tl::unexpected<Error>(ask.error());
  return std::make_shared<const AuthorizationWebhook>(
      AuthorizationWebhook{one.name, std::move(*ask), configured.deny_on_failure, configured.conditions});
}

std::set<AuthorizationMode> besides_webhooks(const std::vector<AuthorizationMode>& modes) {
  std::set<AuthorizationMode> out(modes.begin(), modes.end());
  out.erase(AuthorizationMode::webhook);
  return out;
}

// Go prints a list of texts in brackets, with blanks between them.
std::string go_names(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  std::string out = "[";
  for (const std::string& name : names) out += (out.size() > 1 ? " " : "") + name;
  return out + "]";
}

Result<void> same_besides_webhooks(const std::set<AuthorizationMode>& before, const std::set<AuthorizationMode>& now) {
  std::vector<std::string> missing;
  for (const AuthorizationMode mode : before) {
    if (!now.contains(mode)) missing.emplace_back(to_string(mode));
  }
  if (!missing.empty()) return input_error(config_flag, "missing required types: " + go_names(missing));
  for (const AuthorizationMode mode : now) {
    const bool always = mode == AuthorizationMode::always_allow || mode == AuthorizationMode::always_deny;
    if (always || before.contains(mode)) continue;
    return input_error(config_flag, std::string("authorizer type ") + to_string(mode) +
                                        " is not allowed if it was not enabled at initial server startup");
  }
  return {};
}

}  // namespace

Result<std::string> AuthorizationFile::read() const {
  auto text = bytes_of_file(file_, input_limit::configuration);
  if (!text) return input_error(config_flag, "cannot read " + file_.string() + ": " + text.error());
  return std::move(*text);
}

Result<AuthorizationFile::Authorizers> AuthorizationFile::authorizers_of(const std::string& text) const {
  const authorization::AuthorizationConfiguration configuration =
      authorization::read_authorization_configuration(text, release_);
  if (!configuration.mistakes.empty()) {
    return input_error(config_flag, go_aggregate(configuration.mistakes), "mend " + file_.string());
  }
  Authorizers out;
  for (const authorization::ConfiguredAuthorizer& one : configuration.authorizers) {
    const Result<AuthorizationMode> mode = parse_authorization_mode(config_flag, one.type);
    if (!mode) return tl::unexpected<Error>(mode.error());
    out.modes.push_back(*mode);
  }
  if (others_) {
    const auto kept = same_besides_webhooks(*others_, besides_webhooks(out.modes));
    if (!kept) return tl::unexpected<Error>(kept.error());
  }
  for (const authorization::ConfiguredAuthorizer& one : configuration.authorizers) {
    if (!one.webhook) continue;
    auto webhook = webhook_of(one, release_);
    if (!webhook) return tl::unexpected<Error>(webhook.error());
    out.webhooks.push_back(std::move(*webhook));
  }
  return out;
}

Result<AuthorizationFile::Authorizers> AuthorizationFile::load() {
  Result<std::string> text = read();
  if (!text) return tl::unexpected<Error>(text.error());
  text_ = std::move(*text);
  Result<Authorizers> out = authorizers_of(text_);
  if (out) others_ = besides_webhooks(out->modes);
  return out;
}

std::optional<Result<AuthorizationFile::Authorizers>> AuthorizationFile::changed() {
  Result<std::string> text = read();
  const bool again = std::exchange(unreadable_, !text) && !text;
  if (again) return std::nullopt;
  if (!text) return Result<Authorizers>(tl::unexpected<Error>(text.error()));
  if (*text == text_) return std::nullopt;
  text_ = std::move(*text);
  return authorizers_of(text_);
}

void follow(AuthorizationFile& file, apiserver::ApiServer& server) {
  std::optional<Result<AuthorizationFile::Authorizers>> found = file.changed();
  if (!found) return;
  if (*found) {
    server.authorize_by(std::move((*found)->modes), std::move((*found)->webhooks));
    std::cerr << "nodebound: " << file.path().string() << ": the authorizers are now those of the changed file\n";
  } else {
    std::cerr << "nodebound: the authorizers stay as they were: " << found->error().text() << '\n';
  }
}

}  // namespace nodebound::cli
