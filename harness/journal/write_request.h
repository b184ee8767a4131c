#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fakes/wire/http.h"
#include "harness/journal/record.h"
#include "reference/cluster/object.h"

namespace nodebound::journal {

/// What a request may make.
struct WriteRequest {
  Manner manner = Manner::create;
  std::string path;  ///< of the object, or of the collection if its name is not known beforehand
  bool names_object = false;
  std::string prefix;           ///< `generateName`, if the server chooses the name
  bool takes_our_label = true;  ///< the body is a JSON object with well-formed labels
};

/// Nothing if the request stores no new object: a read, a deletion, a review, a subresource, or a dry run on a target
/// that honours dry runs.
std::optional<WriteRequest> write_of(const HttpRequest& request, bool dry_runs_stick);

/// The same request with the run's label on the object that it makes.
HttpRequest marked(const HttpRequest& request, const std::string& run);

/// Finalizers that the request adds to an object. A PUT also names those that the object already has.
std::vector<std::string> finalizers_in(const HttpRequest& request);

}  // namespace nodebound::journal
