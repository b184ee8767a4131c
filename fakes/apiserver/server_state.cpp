#include "fakes/apiserver/server_state.h"

#include <algorithm>
#include <limits>

#include "fakes/apiserver/call.h"
#include "fakes/apiserver/custom/custom_resources.h"
#include "fakes/apiserver/resources/strategy.h"
#include "fakes/apiserver/review/review_talk.h"
#include "fakes/apiserver/status.h"
#include "fakes/wire/resources/kind_mapping.h"
#include "fakes/wire/timestamp.h"

namespace nodebound::apiserver {
namespace {

// Whoever holds the server's lock has the webhook asked afterwards.
AuthorizationWebhook asked_in_turn(const SharedWebhook& webhook) {
  AuthorizationWebhook out = *webhook;
  out.ask = [webhook](const Subject& subject, const Attributes& attributes) {
    ReviewTalk* const talk = ReviewTalk::current();
    return talk == nullptr ? webhook->ask(subject, attributes) : talk->answer(webhook, subject, attributes);
  };
  return out;
}

}  // namespace

ObjectKey Call::key(std::string_view name) const {
  return {attributes.api_group, attributes.resource, resource->namespaced ? attributes.namespace_ : std::string(),
          std::string(name)};
}

ServerState::ServerState(const RuleSet& own_rules, const ApiServer::Options& own_options)
    : rules(own_rules),
      options(own_options),
      defaults(rules.release(), options.disabled_plugins),
      store(rules, options.compaction ? std::numeric_limits<std::size_t>::max() : options.history, options.journal,
            options.keeps_text),
      access_control(options.access_control ? options.access_control : std::make_shared<AccessControl>()),
      authorization_modes(options.authorization_modes),
      authorization_webhooks(options.authorization_webhooks),
      own_resources_(options.resources ? options.resources : std::make_shared<const ApiResources>(rules.release())),
      served_{own_resources_, std::make_shared<OpenApiDocuments>(own_resources_)} {
  serve_custom_resources();
}

ServerState::Served ServerState::served() const {
  const std::lock_guard lock(serving_);
  return served_;
}

void ServerState::serve_custom_resources() {
  std::vector<std::string> now_defined = definitions_in(store.cluster());
  if (now_defined == definitions_) return;
  definitions_ = std::move(now_defined);
  const auto resources = std::make_shared<const ApiResources>(*own_resources_, custom_resources_of(store.cluster()));
  Served next{resources, std::make_shared<OpenApiDocuments>(resources)};
  const std::lock_guard lock(serving_);
  served_ = std::move(next);
}

std::string ServerState::now() const {
  return options.clock ? timestamp_of(options.clock()) : "2026-01-01T00:00:00Z";
}

void ServerState::decide_on(const Cluster& cluster) {
  plugins.clear();
  chain.reset();
  authorizers.clear();
  std::vector<const Authorizer*> members;
  auto next_webhook = authorization_webhooks.begin();
  for (const AuthorizationMode mode : authorization_modes) {
    AuthorizerInputs inputs{rules, cluster, options.abac_policies.get()};
    AuthorizationWebhook webhook;
    if (mode == AuthorizationMode::webhook && next_webhook != authorization_webhooks.end()) {
      webhook = options.webhook_waits ? asked_in_turn(*next_webhook) : **next_webhook;
      inputs.webhook = &webhook;
      ++next_webhook;
    }
    authorizers.push_back(access_control->authorizer(mode, inputs));
    members.push_back(authorizers.back().get());
  }
  chain = std::make_unique<AuthorizerChain>(rules, std::move(members));
  const FindKind find_kind = [this](const std::string& group, const std::string& version, const std::string& kind) {
    return mapping_of(*served().resources, group, version, kind);
  };
  plugins = access_control->plugins({rules, cluster, *chain, find_kind, options.enabled_plugins, options.placement});
  std::erase_if(plugins,
                [&](const auto& plugin) { return options.disabled_plugins.contains(std::string(plugin->name())); });
}

WriteContext ServerState::write_context(const Call& call) const {
  return {*call.resource, *call.strategy, defaults, store.cluster(), call.subject, call.now, options.namespaces_first};
}

std::uint64_t ServerState::read_version(const Call& call, std::uint64_t oldest) const {
  const std::uint64_t current = store.version();
  const std::uint64_t behind = std::min(call.request.server_fault.behind, current);
  const std::uint64_t known = store.oldest_version(call.attributes.api_group, call.attributes.resource);
  return std::max({current - behind, oldest, known});
}

HttpResponse answer_object(const ServerState& server, const Call& call, int status, const KeptObject& object) {
  const bool viewed = call.through != nullptr && call.through->view != nullptr;
  if (viewed || call.as.form != Representation::Form::whole || object.own_text() == nullptr) {
    return answer_object(server, call, status, *object.open());
  }
  std::string out;
  append_with_type(out, call.resource->kind, call.resource->group_version, object.json());
  return json_response(status, std::move(out));
}

HttpResponse answer_object(const ServerState& server, const Call& call, int status, const Object& object) {
  const auto view = call.through == nullptr ? nullptr : call.through->view;
  if (view != nullptr) return object_response(status, view(server.write_context(call), object));
  if (auto refusal = wrong_metadata_form(*call.resource, call.as, false)) return *refusal;
  return json_response(status, represented(*call.resource, call.as, object, call.now));
}

}  // namespace nodebound::apiserver
