#pragma once

#include <string>
#include <vector>

#include "fakes/apiserver/http.h"
#include "fakes/apiserver/owned_fields.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// Who applies, and when.
struct Applier {
  std::string manager;      ///< `fieldManager` of the request
  std::string api_version;  ///< of what is applied
  std::string time;
  bool force = false;            ///< takes fields that others own
  std::string subresource = {};  ///< through which it applies
  std::string unwritten = {};    ///< the field that cannot be written that way: nobody owns it by trying
  FieldSet nobodys = {};  ///< what is there and no client has written: it goes with the last owned field beside it
};

/// A field that another manager has applied with another value.
struct ApplyConflict {
  std::string manager;  ///< quoted, with its subresource: `"one" with subresource "status"`
  std::string field;    ///< `.spec.containers[name="web"].image`
};

struct Applied {
  Object object;
  std::vector<ApplyConflict> conflicts;  ///< not empty: nothing is to be written
};

/// Server-side apply: `configuration` over `live` (an empty object where there is none), both with the types of their
/// kind (`configuration_type_error`). Fields that this manager
/// applied before and does not any more go, unless another manager applied them too. The metadata's managedFields say
/// who applied what; fields that were written otherwise are nobody's here, so nobody's conflict.
Applied applied(const Object& live, const Object& configuration, const Applier& applier);

/// After a write that is no apply: whoever applied a field that it changed does not own it any more.
void disown_changed_fields(const Object& before, Object& after);

/// How an apply is refused.
HttpResponse apply_conflict(const std::vector<ApplyConflict>& conflicts);

}  // namespace nodebound
