#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fakes/wire/http.h"
#include "fakes/wire/media_type.h"
#include "reference/cluster/object.h"

namespace nodebound::apiserver {

/// A media type that a client accepts, with its parameters except `q`.
struct AcceptClause {
  std::string_view type;     ///< `application`, or `*`
  std::string_view subtype;  ///< `json`, or `*`
  double quality = 1;
  std::vector<std::pair<std::string_view, std::string_view>> parameters = {};

  [[nodiscard]] std::string_view parameter(std::string_view name) const;
};

/// Whether a clause asks for no other form of an object: discovery and errors have none.
bool is_plain(const AcceptClause& clause);

/// The clauses of an Accept header in the order of a client's preference; JSON alone without a header.
std::vector<AcceptClause> accepted(std::string_view accept);

/// The first of json, yaml and protobuf that a clause matches; nothing if it matches none.
std::optional<MediaType> media_type_of(const AcceptClause& clause);

/// Whether an Accept header allows any media type that resources are served as.
bool is_acceptable(std::string_view accept);

/// Whether an Accept header allows one of these media types. Those without a `type/subtype` of their own do not, but
/// for `*/*` (go-restful's matchesAccept).
bool is_acceptable(std::string_view accept, std::span<const std::string_view> types);

/// `watch`: of a collection that can be watched.
HttpResponse not_acceptable(bool watch);

/// The refusal of a route that produces these media types.
HttpResponse not_acceptable(std::span<const std::string_view> types);

/// Converts a JSON body into the media type that the client prefers. A body without a protobuf form gets the next type
/// that the client accepts, and JSON if there is none. Streams and bodies that are not JSON stay as they are.
void encode(HttpResponse& response, std::string_view accept);

/// The object in a body of that media type, as far as it can be read without knowing its kind; null if it cannot.
Object sent_object(std::string_view content_type, std::string_view body);

/// The object in an answer, whatever its media type is; null if there is none.
Object object_in(const HttpResponse& response);

}  // namespace nodebound::apiserver
