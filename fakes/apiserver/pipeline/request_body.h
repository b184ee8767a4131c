#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "fakes/wire/http.h"
#include "fakes/wire/media_type.h"
#include "fakes/wire/resources/api_resources.h"
#include "reference/cluster/object.h"

namespace nodebound::apiserver {

struct Call;
struct ServerState;

/// What happens to fields that are unknown or repeated, as the parameter of that name says.
enum class FieldValidation { ignore, warn, strict };

/// An object that was sent, and the fields of it that are unknown or repeated.
struct SentObject {
  Object object;
  std::vector<std::string> warnings = {};
};

/// The object of the expected kind in the body of a create or update, decoded by the request's Content-Type. The error
/// is kube-apiserver's answer to a body that is no such object. `resources` knows which other kinds exist.
tl::expected<SentObject, HttpResponse> read_body(const ApiResources& resources, const GroupVersionKind& expected,
                                                 const HttpRequest& request, FieldValidation validation);

/// What a request asks for, or the release does without being asked.
FieldValidation field_validation(const ServerState& server, const HttpRequest& request);

/// The DeleteOptions in the body of a delete; empty without a body.
tl::expected<Object, HttpResponse> read_delete_options(const HttpRequest& request, const Release& release);

/// The answer to a request whose body could not be read to its end; nothing if it was.
std::optional<HttpResponse> unread_body(const HttpRequest& request);

/// Reads the body of a create, update or delete into the call. The answer refuses one that cannot be read as `kind`.
std::optional<HttpResponse> read_body_of(const ServerState& server, Call& call, const GroupVersionKind& kind);

/// The error of a strict decoder.
std::string strict_error(const std::vector<std::string>& fields);

/// The answer to a body whose media type cannot be read for that kind.
HttpResponse unsupported_media_type(bool with_protobuf);

}  // namespace nodebound::apiserver
