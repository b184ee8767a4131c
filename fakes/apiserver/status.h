#pragma once

#include <string>
#include <string_view>

#include "fakes/apiserver/api_resources.h"
#include "fakes/apiserver/http.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// An answer with an object as its body.
HttpResponse object_response(int status, const Object& object);

/// An answer with a `Status` of failure: code, `reason` as Kubernetes spells it (`Forbidden`), message.
HttpResponse failure(int code, std::string_view reason, const std::string& message);

/// `object` with the apiVersion and kind of the resource that it is asked for as.
Object served_as(const ApiResource& resource, Object object);

/// `pods` or `leases.coordination.k8s.io`
std::string qualified_resource(std::string_view group, std::string_view resource);

HttpResponse not_found(std::string_view group, std::string_view resource, std::string_view name);

}  // namespace nodebound
