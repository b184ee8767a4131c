#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/inspect/inspected_object.h"

namespace nodebound::inspect {

/// A fix of an object by a JSON patch. If its file can be edited line by line to the same effect, the fix has the
/// edits: they are tried, and whatever else they would change makes them be left out.
Finding::Fix make_fix(const InspectedObject& object, std::string what, const Object& patch,
                      std::vector<Finding::Fix::Edit> edits);

/// The edit that adds a text to a list of texts, on one line or several; none if the list is written otherwise.
std::vector<Finding::Fix::Edit> edits_to_append(const InspectedObject& object, const std::string& list,
                                                const std::string& text);
/// The edit that puts a mapping before an element of a list.
std::vector<Finding::Fix::Edit> edits_to_insert(const InspectedObject& object, const std::string& element,
                                                const Object& mapping);

/// A patch of all files with edits, for `patch -p0` and `git apply -p0`; then the commands that do the rest to a
/// cluster.
std::string to_patch(const std::vector<Finding>& findings, const Inspected& inspected);

}  // namespace nodebound::inspect
