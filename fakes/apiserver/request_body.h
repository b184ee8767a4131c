#pragma once

#include <string>
#include <tl/expected.hpp>

#include "fakes/apiserver/api_resources.h"
#include "fakes/apiserver/http.h"
#include "fakes/encoding/media_type.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// The object in the body of a create or update, which is to be of that kind, in the media type of the request's
/// Content-Type. What it cannot be is refused as kube-apiserver does. `resources` knows which other kinds there are.
tl::expected<Object, HttpResponse> read_body(const ApiResources& resources, const GroupVersionKind& expected,
                                             const HttpRequest& request);

/// The DeleteOptions in the body of a delete; empty without a body.
tl::expected<Object, HttpResponse> read_delete_options(const HttpRequest& request, const Version& release);

/// What is said of a kind that there is not.
std::string not_registered(const GroupVersionKind& kind, const Version& release);

/// How a body is refused whose media type is not read for that kind.
HttpResponse unsupported_media_type(bool with_protobuf);

}  // namespace nodebound
