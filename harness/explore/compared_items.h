#pragma once

#include <map>
#include <string>

#include "fakes/wire/http.h"
#include "harness/explore/drawn/request.h"

namespace nodebound::explore {

/// By object_key(): what a list or a Table shows of each object; empty for a page of a list.
std::map<std::string, std::string> items_of(const HttpResponse& response, const Object& body,
                                            const DrawnRequest& request);

/// Whether it is a watch that begins with what is there, and not with what has happened since some version.
bool begins_with_objects(const DrawnRequest& request);

struct FirstEvents {
  std::map<std::string, std::string> objects;  ///< by object_key()
  std::string bookmark;                        ///< the object of the bookmark after them, if there is one
  std::string error;                           ///< the message of an error, if there is one
};

FirstEvents first_events_of(const HttpResponse& response, const DrawnRequest& request);

}  // namespace nodebound::explore
