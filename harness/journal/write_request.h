#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fakes/apiserver/http.h"
#include "harness/journal/record.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// What a request may make.
struct WriteRequest {
  Manner manner = Manner::create;
  std::string path;  ///< of the object, or of the collection where its name is not known beforehand
  bool names_object = false;
  std::string prefix;    ///< `generateName`, where the server chooses the name
  bool markable = true;  ///< the body is an object in JSON, with labels as they should be
};

/// Nothing if the request makes no object that is stored: a read, a deletion, a review, a subresource, or a dry run,
/// where those are kept.
std::optional<WriteRequest> write_of(const HttpRequest& request, bool dry_runs_stick);

/// The same request with the run's label on what it makes.
HttpRequest marked(const HttpRequest& request, const std::string& run);

/// Finalizers that the request puts on an object; a PUT names those, too, that are on it already.
std::vector<std::string> finalizers_in(const HttpRequest& request);

}  // namespace nodebound
