#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/validation/field_mistake.h"
#include "fakes/wire/http.h"
#include "fakes/wire/resources/api_resources.h"
#include "reference/cluster/object.h"

namespace nodebound::apiserver {

/// An answer with an object as its body.
HttpResponse object_response(int status, const Object& object);

/// An answer whose body is already JSON.
HttpResponse json_response(int status, std::string body);

/// An answer with a `Status` of failure: its code, its `reason` as Kubernetes spells it (`Forbidden`), its message, and
/// the details of the object.
HttpResponse failure(int code, std::string_view reason, const std::string& message, const Object& details = nullptr);

HttpResponse bad_request(const std::string& message);
HttpResponse internal_error(const std::string& why);

/// The `details` of a Status: which object it is about.
Object status_details(std::string_view group, std::string_view kind, std::string_view name);

/// A release's answer to an invalid object of that kind.
HttpResponse invalid(const Release& release, std::string_view group, std::string_view kind, std::string_view name,
                     const validation::FieldMistakes& mistakes);

/// What is wrong with a list of dryRun directives; nothing if it is valid.
std::optional<validation::FieldMistake> mistake_of_dry_run(const Object& directives);

/// `object` with the apiVersion and kind of the resource as requested.
Object served_as(const ApiResource& resource, Object object);

/// `pods` or `leases.coordination.k8s.io`
std::string qualified_resource(std::string_view group, std::string_view resource);

HttpResponse not_found(std::string_view group, std::string_view resource, std::string_view name);

/// The answer to a write that conflicts with the stored object: it has changed, or is another object.
HttpResponse conflict(std::string_view group, std::string_view resource, std::string_view name, const std::string& why);

/// The answer if the submitted object's name is not the name in the URL, or is missing.
HttpResponse other_name(std::string_view name, const std::string& expected);

/// The answer if no object can have that name (NamespaceKeyFunc of apiserver's registry/generic/registry/store.go).
std::optional<HttpResponse> impossible_name(std::string_view name);

/// The answer if the submitted object names another namespace than the URL (apiserver's registry/rest/meta.go).
std::optional<HttpResponse> other_namespace(const Object& object, std::string_view namespace_);

/// The answer if the resourceVersion of an object that is to replace another is no number.
std::optional<HttpResponse> wrong_version(std::string_view version);

}  // namespace nodebound::apiserver
