#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/cluster/object.h"
#include "reference/result.h"

namespace nodebound {

/// A document of a file.
struct Document {
  Object value;
  int line = 1;
  std::vector<int> item_lines;  ///< where the elements of its list `items` begin
};

/// Reads JSON values, one after another, or YAML documents. Plain scalars of YAML have the types of its core schema
/// (YAML 1.2, 10.3.2), which are those that kubectl prints plain. Empty documents are passed over. `file` is for
/// errors.
Result<std::vector<Document>> read_documents(std::string_view text, const std::string& file);

}  // namespace nodebound
