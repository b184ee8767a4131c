#pragma once

#include <string>
#include <tl/expected.hpp>

#include "fakes/wire/http.h"
#include "fakes/wire/media_type.h"
#include "fakes/wire/resources/api_resources.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// The object of the expected kind in the body of a create or update, decoded by the request's Content-Type. The error
/// is kube-apiserver's answer to a body that is no such object. `resources` knows which other kinds exist.
tl::expected<Object, HttpResponse> read_body(const ApiResources& resources, const GroupVersionKind& expected,
                                             const HttpRequest& request);

/// The DeleteOptions in the body of a delete; empty without a body.
tl::expected<Object, HttpResponse> read_delete_options(const HttpRequest& request, const Release& release);

/// The error text for a kind that does not exist.
std::string not_registered(const GroupVersionKind& kind, const Release& release);

/// The answer to a body whose media type cannot be read for that kind.
HttpResponse unsupported_media_type(bool with_protobuf);

}  // namespace nodebound
