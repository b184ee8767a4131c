#pragma once

#include <cstddef>
#include <functional>
#include <map>
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
  std::vector<int> item_lines;       ///< where the elements of its list `items` begin
  std::map<std::string, int> lines;  ///< of every value, by its JSON pointer; only if the handler wants them
};

/// Reads JSON values, one after another, or YAML documents. Plain YAML scalars have the types of the core schema (YAML
/// 1.2, 10.3.2), as kubectl prints them. Skips empty documents. `file` appears in errors.
Result<std::vector<Document>> read_documents(std::string_view text, const std::string& file);

/// Copies the next bytes of a text, at most `size`, and returns 0 at its end.
using TextSource = std::function<std::size_t(char* to, std::size_t size)>;
TextSource source_of(std::string_view text);

/// Receives the content of a text while it is read, so that a long list need not fit into memory.
struct DocumentHandler {
  /// Receives an element of a document's list `items`, which the document then lacks. Null: the document keeps them.
  std::function<void(Object&& item, int line)> item;
  std::function<void(Document&& document)> document;
  bool wants_lines = false;  ///< costs some hundred bytes a value
};

/// The same for a text that is read in pieces.
Result<void> read_documents(const TextSource& source, const std::string& file, const DocumentHandler& handler);

}  // namespace nodebound
