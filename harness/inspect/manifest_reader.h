#pragma once

#include <string>
#include <vector>

#include "harness/inspect/inspected_object.h"
#include "reference/result.h"

namespace nodebound::inspect {

/// Reads files, folders with all that is in them, and standard input (`-`). What cannot be read is an error if it was
/// named, and a trouble if it was found in a folder: a chart's templates are no YAML yet.
Result<Inspected> read_manifests(const std::vector<std::string>& paths);

/// Reads a text as YAML or JSON documents, lists taken apart.
Result<void> add_manifest(InspectedFile file, Inspected& out);

}  // namespace nodebound::inspect
