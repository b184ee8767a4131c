#pragma once

#include <string>
#include <vector>

#include "fakes/wire/http.h"
#include "harness/contents/contents.h"
#include "reference/authorizer/attributes.h"
#include "reference/cluster/object.h"
#include "reference/result.h"

namespace nodebound {

/// How many seconds a watch is read whose answer does not end by itself.
enum class Waiting { briefly = 1, patiently = 5 };

/// The answer to an allowed watch with its first events. `answered` is the answer to it as far as it was read: where
/// that is only the head, the same watch is sent again, with an end.
Result<HttpResponse> first_events(const HttpRequest& watch, HttpResponse answered, const SendRequest& send,
                                  Waiting waiting);

/// The same watch with sendInitialEvents: it begins with all objects and a bookmark (KEP-3157).
HttpRequest with_initial_events(HttpRequest watch);

/// The lines of a watch in JSON; one that is no event has no type.
std::vector<Object> events_in(const std::string& body);

/// Leaves out the events after that bookmark. False if there is none.
bool cut_after_initial_events(HttpResponse& events);

/// Whether a watch ends with an error, such as that the version it begins with is forgotten.
bool tells_error(const HttpResponse& events);

/// Whether a watch in JSON sends a line that is no event, as where a handler fails after its answer has begun.
bool has_other_lines(const HttpResponse& events);

/// Whether a watch names its object in a path below /watch.
bool is_watch_by_path(const HttpRequest& watch, const Attributes& attributes);

/// The GET of what a watch is about.
HttpRequest list_of_watch(HttpRequest watch);

}  // namespace nodebound
