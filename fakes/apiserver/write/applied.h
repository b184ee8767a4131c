#pragma once

#include <string>
#include <vector>

#include "fakes/apiserver/write/owned_fields.h"
#include "fakes/wire/http.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// Who applies, and when.
struct Applier {
  std::string manager;      ///< `fieldManager` of the request
  std::string api_version;  ///< of the applied object
  std::string time;
  bool force = false;            ///< takes over fields that others own
  std::string subresource = {};  ///< through which it applies
  std::string unwritten = {};    ///< a field that this subresource cannot write: applying it gives no ownership
  FieldSet nobodys = {};  ///< fields that no client has ever written: each goes with the last owned field beside it
};

/// A field that another manager has applied with another value.
struct ApplyConflict {
  std::string manager;  ///< quoted, with its subresource: `"one" with subresource "status"`
  std::string field;    ///< `.spec.containers[name="web"].image`
};

struct Applied {
  Object object;
  std::vector<ApplyConflict> conflicts;  ///< if not empty, nothing may be written
};

/// Server-side apply of `configuration` to `live` (an empty object if it does not exist), both valid for their kind
/// (`configuration_type_error`). Fields that this manager applied before and no longer applies are removed, unless
/// another manager applied them, too. managedFields records who applied what; here nobody owns fields that were written
/// otherwise, so they never conflict.
Applied applied(const Object& live, const Object& configuration, const Applier& applier);

/// After a write that is not an apply: managers lose the fields that it changed.
void disown_changed_fields(const Object& before, Object& after);

/// The answer to an apply with conflicts.
HttpResponse apply_conflict(const std::vector<ApplyConflict>& conflicts);

}  // namespace nodebound
