#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reference/cluster/object.h"

namespace nodebound::apiserver {

/// What OpenAPI says of a field beyond its type.
struct FieldMarks {
  bool required = false;
  std::vector<std::string> values = {};  ///< those that it can have; empty for any
  Object otherwise = nullptr;            ///< its default
  Object extensions = Object::object();  ///< `x-kubernetes-…`
};

struct MessageMarks {
  bool atomic = false;  ///< a server-side apply replaces it as a whole
  std::map<std::string, FieldMarks, std::less<>> fields = {};

  [[nodiscard]] const FieldMarks& field(std::string_view name) const;
};

/// The marks of a message, such as `core.v1.Pod`, from the table schema_marks.txt.
const MessageMarks& marks_of(std::string_view message);

}  // namespace nodebound::apiserver
