#pragma once

#include <string>
#include <vector>

#include "fakes/apiserver/write/fields/field_managers.h"
#include "fakes/wire/http.h"
#include "reference/cluster/object.h"

namespace nodebound::apiserver {

/// Who applies, and how.
struct Applier {
  FieldWriter writer;  ///< its manager is the `fieldManager` of the request
  bool force = false;  ///< takes over fields that others own
  Tracked tracked = Tracked::appliers;
  FieldSet nobodys = {};  ///< fields that no client has ever written: each goes with the last owned field beside it
};

/// A field that another manager owns, with another value.
struct ApplyConflict {
  std::string manager;  ///< as `ManagerId::text` names it
  std::string field;    ///< `.spec.containers[name="web"].image`
};

struct Applied {
  Object object;
  std::vector<ApplyConflict> conflicts = {};  ///< if not empty, nothing may be written
};

/// Server-side apply of `configuration` to `live` (an empty object if it does not exist), both valid for their kind
/// (`configuration_type_error`). Fields that this manager applied before and no longer applies are removed, unless
/// another manager owns them, too.
Applied applied(const Object& live, const Object& configuration, const Applier& applier);

/// The answer to an apply with conflicts.
HttpResponse apply_conflict(const std::vector<ApplyConflict>& conflicts);

}  // namespace nodebound::apiserver
