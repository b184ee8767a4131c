#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fakes/apiserver/write/write_context.h"
#include "fakes/validation/field_mistake.h"
#include "fakes/wire/http.h"
#include "reference/admission/admission.h"

namespace nodebound::apiserver {

struct Call;
struct ServerState;

/// The answer that refuses a write; nothing if all plugins of that phase admit it.
std::optional<HttpResponse> refused_by_plugins(const ServerState& server, const AdmissionRequest& request,
                                               AdmissionPhase phase = AdmissionPhase::mutation);

/// The same for a write whose object, that of the request, the plugins may change.
std::optional<HttpResponse> completed_by_plugins(const ServerState& server, const AdmissionRequest& request,
                                                 Object& object, AdmissionPhase phase = AdmissionPhase::mutation);

/// The first refusal by the plugins of that phase; nothing if all admit the write.
Admission admission_of(const ServerState& server, const AdmissionRequest& request, AdmissionPhase phase);

/// What is wrong with an object by rules of its own validation.
struct BrokenRules {
  validation::FieldMistakes mistakes;
  std::optional<Rule> rule;  ///< that decides
};
BrokenRules rules_broken_by(const ServerState& server, const AdmissionRequest& request);

/// How a refusal calls a new object: by its name, the prefix of its generateName, or `Unknown`.
std::string_view name_in_refusal(const Object& object);

/// The answer that refuses a write.
HttpResponse refusal_response(const RuleSet& rules, const AdmissionRequest& request, const Refusal& refusal);

/// The objects must outlive the request.
AdmissionRequest admission_request(const Call& call, Operation operation, const Object& object,
                                   const Object& old_object);

/// The plugin NamespaceLifecycle refuses to create objects in a namespace that does not exist or is being deleted.
std::optional<HttpResponse> refused_by_namespace(const Cluster& cluster, const ApiResource& resource,
                                                 const std::string& namespace_, const std::string& name);

/// A refusal of admission: `pods "web" is forbidden: …`.
HttpResponse forbidden_by_admission(const ApiResource& resource, std::string_view name, const std::string& why,
                                    Object details = nullptr);

}  // namespace nodebound::apiserver
