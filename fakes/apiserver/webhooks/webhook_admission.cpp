#include "fakes/apiserver/webhooks/webhook_admission.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

#include "fakes/apiserver/call.h"
#include "fakes/apiserver/pipeline/admission.h"
#include "fakes/apiserver/policies/admission_notes.h"
#include "fakes/apiserver/policies/expression_inputs.h"
#include "fakes/apiserver/policies/match_conditions.h"
#include "fakes/apiserver/policies/policy_admission.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/status.h"
#include "fakes/apiserver/webhooks/webhook_talk.h"
#include "fakes/apiserver/write/patch.h"
#include "fakes/wire/go/go_types.h"
#include "fakes/wire/go/go_values.h"

// staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook: mutating/dispatcher.go and validating/dispatcher.go

namespace nodebound::apiserver {
namespace {

// Webhooks are not asked about what configures them.
bool is_exempt(const ApiResource& resource) {
  constexpr std::array exempt = {"ValidatingWebhookConfiguration", "MutatingWebhookConfiguration",
                                 "ValidatingAdmissionPolicy",      "ValidatingAdmissionPolicyBinding",
                                 "MutatingAdmissionPolicy",        "MutatingAdmissionPolicyBinding"};
  return resource.group == "admissionregistration.k8s.io" &&
         std::find(exempt.begin(), exempt.end(), resource.kind) != exempt.end();
}

std::vector<AdmissionWebhook> webhooks_for(const ServerState& server, const Call& call, WebhookKind kind) {
  if (call.talk == nullptr || is_exempt(*call.resource)) return {};
  return configured_webhooks(server.store.cluster(), kind);
}

// Webhooks have to answer first; whoever runs the handler sees that WebhookTalk waits.
HttpResponse stopped() {
  return {};
}

struct Asked {
  std::optional<HttpResponse> refusal;
  const AdmissionAnswer* answer = nullptr;  ///< null if the webhook was not asked, or its failure is ignored
  bool waits = false;
};

Asked failed(const Call& call, const AdmissionWebhook& webhook, const std::string& why, WebhookKind kind, int round) {
  if (!webhook.ignores_failures()) {
    return {internal_error("failed calling webhook " + go_quoted(webhook.name()) + ": " + why)};
  }
  const char* const prefix = kind == WebhookKind::mutating ? "failed-open.mutation.webhook.admission.k8s.io/"
                                                           : "failed-open.validation.webhook.admission.k8s.io/";
  call.notes->annotate(prefix + ("round_" + std::to_string(round)) + "_index_" + std::to_string(webhook.index),
                       webhook.name());
  return {};
}

// What an answer adds to that of the server.
void note(const Call& call, const AdmissionWebhook& webhook, const AdmissionAnswer& answer) {
  for (const std::string& warning : answer.warnings) call.notes->warn(warning);
  for (const auto& [key, value] : answer.annotations) call.notes->annotate(webhook.name() + "/" + key, value);
}

Asked ask(const ServerState& server, const Call& call, const AdmissionWebhook& webhook, WebhookKind kind,
          const ApiResource& as, const ReviewedWrite& write, int round) {
  if (call.dry_run && !webhook.takes_dry_runs()) {
    return {bad_request("admission webhook " + go_quoted(webhook.name()) + " does not support dry run")};
  }
  const std::string version = webhook.review_version();
  if (version.empty()) {
    return failed(call, webhook,
                  "could not create admission objects: webhook does not accept known AdmissionReview versions "
                  "(v1, v1beta1)",
                  kind, round);
  }
  auto request = request_to(webhook, server.store.cluster());
  if (!request) return failed(call, webhook, "failed to call webhook: " + request.error(), kind, round);
  const WebhookTalk::Answer* const answer = call.talk->answer_to(
      {webhook.id(), kind, version, admission_review(server, call, write, as, version), std::move(*request)});
  if (answer == nullptr) return {std::nullopt, nullptr, true};
  if (!answer->has_value()) return failed(call, webhook, answer->error(), kind, round);
  note(call, webhook, **answer);
  if (!(*answer)->allowed) return {refused_by_webhook(webhook.name(), (*answer)->result)};
  return {std::nullopt, &**answer};
}

// As what a webhook is asked about a write; null if it is not.
tl::expected<const ApiResource*, HttpResponse> matched(const ServerState& server, const Call& call,
                                                       const AdmissionWebhook& webhook, WebhookKind kind,
                                                       const ReviewedWrite& write) {
  static const Object nothing;
  const auto as = matched_by(webhook, matched_write(call, write), server.store.cluster(), *call.resources);
  if (!as || *as == nullptr || member(webhook.entry(), "matchConditions").empty()) return as;
  const char* const prefix = kind == WebhookKind::mutating ? "mutating/" : "validating/";
  const auto compiled = server.conditions.of(
      prefix + webhook.id(), *webhook.of, [&] { return compiled_conditions(webhook.entry(), server.rules.release()); });
  const ExpressionInputs inputs(server, call, write, **as, *call.resource);
  const MatchedConditions conditions =
      matched_conditions(*compiled, inputs.with(nothing, nothing), webhook.ignores_failures());
  if (!conditions.error.empty()) {
    return tl::unexpected(forbidden_by_admission(*call.resource, write.name, conditions.error));
  }
  return conditions.match ? as : nullptr;
}

GroupVersionKind named_kind(const Object& object) {
  GroupVersionKind out = parse_group_version(std::string(text(object, "apiVersion"))).value_or(GroupVersionKind());
  out.kind = text(object, "kind");
  return out;
}

/// The mutating webhooks of one write.
class Mutation {
 public:
  Mutation(const ServerState& server, const Call& call, const ReviewedChange& change)
      : server_(server), call_(call), change_(change), webhooks_(webhooks_for(server, call, WebhookKind::mutating)) {}

  std::optional<HttpResponse> run(const std::function<std::optional<HttpResponse>()>& plugins) {
    if (auto refusal = plugins()) return refusal;
    if (auto refusal = round(0)) return refusal;
    if (!changed_) return std::nullopt;
    const Object left = change_.object;
    if (auto refusal = plugins()) return refusal;
    if (change_.object != left) ask_invoked_again();
    return round(1);
  }

 private:
  std::optional<HttpResponse> round(int number) {
    for (const AdmissionWebhook& webhook : webhooks_) {
      const ReviewedWrite write{change_.operation, change_.object, change_.old_object, change_.options, change_.name};
      const auto as = matched(server_, call_, webhook, WebhookKind::mutating, write);
      if (!as) return as.error();
      if (*as == nullptr || (number > 0 && !again_.contains(webhook.index))) continue;
      if (auto refusal = ask_one(webhook, **as, write, number)) return refusal;
    }
    return std::nullopt;
  }

  std::optional<HttpResponse> ask_one(const AdmissionWebhook& webhook, const ApiResource& as,
                                      const ReviewedWrite& write, int number) {
    const Asked asked = ask(server_, call_, webhook, WebhookKind::mutating, as, write, number);
    if (asked.refusal) return asked.refusal;
    if (asked.waits) return stopped();
    bool changed = false;
    if (asked.answer != nullptr) {
      if (auto refusal = patch(webhook, *asked.answer, changed)) return refusal;
      annotate(webhook, number, changed);
    }
    if (changed) {
      changed_ = true;
      ask_invoked_again();
    }
    if (webhook.asked_again()) invoked_.insert(webhook.index);
    return std::nullopt;
  }

  std::optional<HttpResponse> patch(const AdmissionWebhook& webhook, const AdmissionAnswer& answer, bool& changed) {
    if (answer.operations.empty()) return std::nullopt;
    if (change_.object.is_null()) {
      return internal_error("admission webhook " + go_quoted(webhook.name()) +
                            " attempted to modify the object, which is not supported for this operation");
    }
    auto after = patched(change_.object, json_patch, answer.operations.dump());
    if (!after) return internal_error(after.error().message);
    const GroupVersionKind kind = named_kind(*after);
    const Release* const release = call_.resource->release;
    if (const GoDecoding decoding = decode_as_go(kind, *after, release); decoding.error)
      return internal_error(*decoding.error);
    keep_as_go(kind, *after, release);
    // A webhook forgets no managers, so its empty list is as good as none.
    const Object& managers = member(*after, "metadata", "managedFields");
    if (managers.is_array() && managers.empty()) (*after)["metadata"].erase("managedFields");
    if (change_.complete) change_.complete(*after);
    changed = *after != change_.object;
    change_.object = std::move(*after);
    return std::nullopt;
  }

  void annotate(const AdmissionWebhook& webhook, int number, bool changed) {
    const nlohmann::ordered_json value = {
        {"configuration", webhook.configuration}, {"webhook", webhook.name()}, {"mutated", changed}};
    call_.notes->annotate(
        "mutation.webhook.admission.k8s.io/round_" + std::to_string(number) + "_index_" + std::to_string(webhook.index),
        value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  }

  void ask_invoked_again() {
    again_.insert(invoked_.begin(), invoked_.end());
    invoked_.clear();
  }

  const ServerState& server_;
  const Call& call_;
  const ReviewedChange& change_;
  const std::vector<AdmissionWebhook> webhooks_;
  bool changed_ = false;
  std::set<std::size_t> invoked_;  ///< those that ask to be asked again
  std::set<std::size_t> again_;    ///< those that are, because the object has changed after their answer
};

}  // namespace

std::optional<HttpResponse> mutated(const ServerState& server, const Call& call, const ReviewedChange& change,
                                    const std::function<std::optional<HttpResponse>()>& plugins) {
  if (call.talk == nullptr) return plugins();
  return Mutation(server, call, change).run(plugins);
}

bool has_validators(const ServerState& server, const Call& call) {
  return call.talk != nullptr || has_policies(server, call);
}

std::optional<HttpResponse> refused_by_validators(const ServerState& server, const Call& call,
                                                  const ReviewedWrite& write) {
  if (auto refusal = refused_by_policies(server, call, write)) return refusal;
  struct Relevant {
    AdmissionWebhook webhook;
    const ApiResource* as;
  };
  std::vector<Relevant> relevant;
  for (AdmissionWebhook& webhook : webhooks_for(server, call, WebhookKind::validating)) {
    const auto as = matched(server, call, webhook, WebhookKind::validating, write);
    if (!as) return as.error();
    if (*as != nullptr) relevant.push_back({std::move(webhook), *as});
  }
  std::optional<HttpResponse> refusal;
  bool waits = false;
  for (const Relevant& one : relevant) {
    Asked asked = ask(server, call, one.webhook, WebhookKind::validating, *one.as, write, 0);
    waits = waits || asked.waits;
    if (asked.refusal && !refusal) refusal = std::move(asked.refusal);
  }
  return waits ? std::optional(stopped()) : refusal;
}

}  // namespace nodebound::apiserver
