#pragma once

#include <optional>
#include <string>

#include "fakes/wire/http.h"
#include "reference/cluster/cluster.h"

namespace nodebound::apiserver {

struct Call;
struct ServerState;
struct Strategy;

/// The result of a deletion.
struct Removed {
  std::optional<HttpResponse> refusal;
  bool not_found_by_admission = false;
  Object object;
  bool waits = false;  ///< the object stays until its grace period is over or its finalizers are removed
};

/// Deletes an object that exists, with these DeleteOptions. `admitted`: admission has already let the deletion through.
Removed remove_object(ServerState& server, const Call& call, const ObjectKey& key, const Object& options,
                      bool admitted = false);

/// Removes an object from the store, with what goes with it.
void erase_object(ServerState& server, const ObjectKey& key, const Strategy& strategy);

/// Which precondition of the client does not hold; nothing if all hold.
std::optional<std::string> unmet_precondition(const Object& object, const Object& options);

}  // namespace nodebound::apiserver
