#include "fakes/apiserver/write/validity.h"

#include <string>
#include <unordered_set>
#include <vector>

#include "fakes/apiserver/call.h"
#include "fakes/apiserver/custom/custom_resources.h"
#include "fakes/apiserver/pipeline/forbidden.h"
#include "fakes/apiserver/policies/admission_notes.h"
#include "fakes/apiserver/resources/strategy.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/status.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::apiserver {

namespace {

void tell_once(const Release& release, validation::FieldMistakes& mistakes) {
  std::unordered_set<std::string> told;
  std::erase_if(mistakes, [&](const validation::FieldMistake& mistake) {
    return !told.insert(mistake.field + ": " + message_of(mistake, release)).second;
  });
}

}  // namespace

validation::ValidatedKind validated(const Call& call) {
  const ApiResource& resource = *call.resource;
  const bool relaxed =
      resource.names == validation::NameRule::label_1035 && resource.release->does(Behaviour::relaxed_service_names);
  return {call.strategy->checks, resource.namespaced, relaxed ? validation::NameRule::label : resource.names,
          resource.release};
}

validation::FieldMistakes mistakes_of_change(const Call& call, const Object& after, const Object& before,
                                             const validation::FieldMistakes& of_rules) {
  const validation::ValidatedKind kind = validated(call);
  if (call.through == nullptr) return validation::wrong_change(kind, after, before, of_rules);
  return validation::wrong_subresource_change(kind, call.through->checks, after, before, of_rules);
}

std::optional<HttpResponse> not_valid(const ServerState& server, const Call& call, const Object& object,
                                      const validation::FieldMistakes& mistakes, std::optional<Rule> rule) {
  const ApiResource& resource = *call.resource;
  validation::FieldMistakes all = mistakes;
  if (resource.definition) validation::append(all, mistakes_of_custom_object(resource, object));
  if (all.empty()) return std::nullopt;
  if (call.strategy->checks.declared && resource.release->does(Behaviour::mistakes_told_once))
    tell_once(*resource.release, all);
  HttpResponse refusal =
      invalid(*resource.release, resource.group, resource.kind, text(object, "metadata", "name"), all);
  if (rule) name_rule(server.rules, *rule, refusal);
  return refusal;
}

void warn_of_object(const Call& call, const WriteContext& write, const Object& before, const Object& object) {
  if (call.notes == nullptr || call.strategy->warnings == nullptr) return;
  for (std::string& warning : call.strategy->warnings(write, before, object)) call.notes->warn(std::move(warning));
}

}  // namespace nodebound::apiserver
