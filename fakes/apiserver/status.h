#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/apiserver/api_resources.h"
#include "fakes/apiserver/http.h"
#include "fakes/validation/field_mistake.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// An answer with an object as its body.
HttpResponse object_response(int status, const Object& object);

/// An answer with a body that is JSON already.
HttpResponse json_response(int status, std::string body);

/// An answer with a `Status` of failure: code, `reason` as Kubernetes spells it (`Forbidden`), message, and what it is
/// about.
HttpResponse failure(int code, std::string_view reason, const std::string& message, const Object& details = nullptr);

HttpResponse bad_request(const std::string& message);

/// The `details` of a Status: which object.
Object status_details(std::string_view group, std::string_view kind, std::string_view name);

/// What a release answers to an object of that kind which is not valid.
HttpResponse invalid(const Version& release, std::string_view group, std::string_view kind, std::string_view name,
                     const FieldMistakes& mistakes);

/// What is not valid of a list of dryRun directives; nothing if all is.
std::optional<FieldMistake> mistake_of_dry_run(const Object& directives);

/// `object` with the apiVersion and kind of the resource that it is asked for as.
Object served_as(const ApiResource& resource, Object object);

/// `pods` or `leases.coordination.k8s.io`
std::string qualified_resource(std::string_view group, std::string_view resource);

HttpResponse not_found(std::string_view group, std::string_view resource, std::string_view name);

/// What stands in the way of a write of an object: it has changed, or is another one.
HttpResponse conflict(std::string_view group, std::string_view resource, std::string_view name, const std::string& why);

/// What is sent has another name than the URL, or none.
HttpResponse other_name(std::string_view name, const std::string& expected);

}  // namespace nodebound
