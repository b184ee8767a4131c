#include <algorithm>
#include <functional>
#include <optional>

#include "fakes/apiserver/call.h"
#include "fakes/apiserver/pipeline/admission.h"
#include "fakes/apiserver/resources/strategy.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/status.h"
#include "fakes/apiserver/webhooks/webhook_admission.h"
#include "fakes/apiserver/write/computed_fields.h"
#include "fakes/apiserver/write/fields/field_writer.h"
#include "fakes/apiserver/write/remove.h"
#include "fakes/apiserver/write/update_strategy.h"
#include "fakes/apiserver/write/validity.h"
#include "fakes/apiserver/write/write.h"

namespace nodebound::apiserver {
namespace {

// Whether a deleted object waited only for its finalizers, and has none left.
bool is_let_go(const Object& object) {
  const Object& metadata = member(object, "metadata");
  const Object& grace = member(metadata, "deletionGracePeriodSeconds");
  // Namespaces alone have their finalizers in the spec, too.
  return metadata.contains("deletionTimestamp") && member(metadata, "finalizers").empty() &&
         member(object, "spec", "finalizers").empty() && (grace.is_null() || grace == 0);
}

// The storage's error when the submitted UID is not that of the stored object. A dry run uses keys without the prefix.
std::string other_uid(const Call& call, const Object& object, const std::string& uid) {
  const ObjectKey key = call.key();
  const std::string_view resource =
      call.strategy->stored_under.empty() ? std::string_view(key.resource) : call.strategy->stored_under;
  return std::string("StorageError: invalid object, Code: 4, Key: ") + (call.dry_run ? "/" : "/registry/") +
         std::string(resource) + "/" + (key.namespace_.empty() ? "" : key.namespace_ + "/") + key.name +
         ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: " + uid +
         ", UID in object meta: " + std::string(text(object, "metadata", "uid"));
}

bool shows_view(const Call& call) {
  return call.through != nullptr && call.through->view != nullptr;
}

// Webhooks are shown what the client writes: the object, or the view that the subresource has of it.
std::optional<HttpResponse> change_by_webhooks(const ServerState& server, const Call& call, const WriteContext& write,
                                               const Object& before, Object& submitted,
                                               const std::function<std::optional<HttpResponse>()>& plugins) {
  const std::string& name = call.attributes.name;
  if (call.talk == nullptr) return plugins();
  if (!shows_view(call)) {
    const auto complete = [&](Object& changed) { decode(write, changed); };
    return mutated(server, call, {Operation::update, submitted, before, nullptr, name, complete}, plugins);
  }
  Object view = call.through->view(write, submitted);
  const Object old_view = call.through->view(write, before);
  auto refusal = mutated(server, call, {Operation::update, view, old_view, nullptr, name}, plugins);
  submitted = call.through->from_view(before, view);
  return refusal;
}

std::optional<HttpResponse> refused_change(const ServerState& server, const Call& call, const WriteContext& write,
                                           const Object& before, const Object& after) {
  const std::string& name = call.attributes.name;
  if (!has_validators(server, call)) return std::nullopt;
  if (!shows_view(call)) return refused_by_validators(server, call, {Operation::update, after, before, nullptr, name});
  const Object view = call.through->view(write, after);
  const Object old_view = call.through->view(write, before);
  return refused_by_validators(server, call, {Operation::update, view, old_view, nullptr, name});
}

// Validation says what the subject may not change, too, and all that is wrong at once.
std::optional<HttpResponse> wrong_change_of(const ServerState& server, const Call& call,
                                            const AdmissionRequest& request) {
  const Object& before = request.old_object;
  const Object& after = request.object;
  validation::FieldMistakes mistakes;
  std::optional<Rule> rule;
  if (call.through != nullptr && call.through->unauthorized_change != nullptr) {
    auto unauthorized = call.through->unauthorized_change(server, call, before, after);
    if (!unauthorized.mistakes.empty()) rule = unauthorized.rule;
    mistakes = std::move(unauthorized.mistakes);
  }
  const BrokenRules broken = rules_broken_by(server, request);
  if (!rule) rule = broken.rule;
  validation::append(mistakes, mistakes_of_change(call, after, before, broken.mistakes));
  return not_valid(server, call, after, mistakes, rule);
}

// Versions are compared as numbers.
bool names_version(std::string_view submitted, std::string_view version) {
  submitted.remove_prefix(std::min(submitted.find_first_not_of('0'), submitted.size()));
  return submitted == version;
}

}  // namespace

HttpResponse replace_object(ServerState& server, const Call& call, const Object& before, Object submitted) {
  const WriteContext write = server.write_context(call);
  decode(write, submitted);
  const Attributes& attributes = call.attributes;
  // The storage compares UIDs before admission runs.
  const std::string uid(text(submitted, "metadata", "uid"));
  if (attributes.verb != "patch" && !uid.empty() && uid != text(before, "metadata", "uid")) {
    return conflict(attributes.api_group, attributes.resource, attributes.name, other_uid(call, before, uid));
  }
  record_fields(server, call, before, submitted);
  const Strategy& strategy = *call.strategy;
  const AdmissionRequest request = admission_request(call, Operation::update, submitted, before);
  const auto plugins = [&] {
    if (auto refusal = completed_by_plugins(server, request, submitted)) return refusal;
    if (call.through == nullptr && strategy.admit_change != nullptr) strategy.admit_change(write, before, submitted);
    return completed_by_plugins(server, request, submitted, AdmissionPhase::late_mutation);
  };
  if (auto refusal = change_by_webhooks(server, call, write, before, submitted, plugins)) return *refusal;
  if (strategy.unauthorized != nullptr) {
    if (auto refusal = strategy.unauthorized(server, call, before, submitted)) return *refusal;
  }
  if (write.whole_cluster && call.through != nullptr && call.through->refused_submitted != nullptr) {
    if (auto refusal = call.through->refused_submitted(write, submitted)) return *refusal;
  }
  const std::string_view submitted_version = text(submitted, "metadata", "resourceVersion");
  if (auto refusal = wrong_version(submitted_version)) return *refusal;
  const bool has_version = submitted_version.find_first_not_of('0') != std::string_view::npos;
  if (!has_version && call.resource->needs_version) {
    return invalid(*call.resource->release, attributes.api_group, attributes.resource, attributes.name,
                   {validation::invalid_field("metadata.resourceVersion", 0, "must be specified for an update")});
  }
  if (has_version && !names_version(submitted_version, text(before, "metadata", "resourceVersion"))) {
    return conflict(attributes.api_group, attributes.resource, attributes.name,
                    "the object has been modified; please apply your changes to the latest version and try again");
  }
  Object after = prepared_for_update(write, call.through, before, std::move(submitted));
  if (strategy.drop_disabled != nullptr) strategy.drop_disabled(write, before, after);
  const AdmissionRequest prepared = admission_request(call, Operation::update, after, before);
  if (auto refusal = wrong_change_of(server, call, prepared)) return *refusal;
  if (call.through == nullptr) warn_of_object(call, write, before, after);
  if (auto refusal = refused_by_plugins(server, prepared, AdmissionPhase::validation)) return *refusal;
  if (auto refusal = refused_change(server, call, write, before, after)) return *refusal;
  count_generation(write, before, after);
  if (write.whole_cluster && call.through != nullptr && call.through->refused_change != nullptr) {
    if (auto refusal = call.through->refused_change(write, before, after)) return *refusal;
  }
  if (same_but_for_times(after, before)) after = before;
  if (call.dry_run || after == before) return answer_object(server, call, 200, after);
  if (!is_let_go(after)) return answer_object(server, call, 200, server.store.put(call.key(), std::move(after)));
  erase_object(server, call.key(), strategy);
  return answer_object(server, call, 200, after);
}

HttpResponse replace_view(ServerState& server, const Call& call, const Object& before, const Object& view) {
  const ApiSubresource& own = *call.subresource;
  const validation::FieldMistakes mistakes = call.through->wrong_view(view);
  if (!mistakes.empty()) {
    const std::string group = own.group_version.substr(0, own.group_version.find('/'));
    return invalid(*call.resource->release, group, own.kind, call.attributes.name, mistakes);
  }
  return replace_object(server, call, before, call.through->from_view(before, view));
}

HttpResponse answer_update(ServerState& server, const Call& call) {
  if (auto refusal = other_namespace(call.body, call.key().namespace_)) return *refusal;
  if (text(call.body, "metadata", "name") != call.attributes.name) {
    return other_name(text(call.body, "metadata", "name"), call.attributes.name);
  }
  if (auto refusal = impossible_name(call.attributes.name)) return *refusal;
  const ObjectPtr found = server.store.cluster().find(call.key());
  if (found == nullptr) {
    if (creates_missing(call)) {
      static const Object nothing;
      const std::string uid(text(call.body, "metadata", "uid"));
      if (uid.empty()) return create_by_update(server, call, call.body);
      return conflict(call.attributes.api_group, call.attributes.resource, call.attributes.name,
                      other_uid(call, nothing, uid));
    }
    return not_found(call.attributes.api_group, call.attributes.resource, call.attributes.name);
  }
  const Object before = served_as(*call.resource, *found);
  if (call.through != nullptr && call.through->from_view != nullptr) {
    return replace_view(server, call, before, call.body);
  }
  return replace_object(server, call, before, served_as(*call.resource, call.body));
}

}  // namespace nodebound::apiserver
