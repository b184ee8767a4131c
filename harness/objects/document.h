#pragma once

#include <cstddef>
#include <functional>
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

/// Gives the next bytes of a text, at most `size` of them, and 0 at its end.
using TextSource = std::function<std::size_t(char* to, std::size_t size)>;
TextSource source_of(std::string_view text);

/// Who is given what a text has, as it comes: so that a long list need not fit into memory.
struct DocumentHandler {
  /// An element of a document's list `items`, which the document then does not have. Where it is null, it has them.
  std::function<void(Object&& item, int line)> item;
  std::function<void(Document&& document)> document;
};

/// The same, of a text that is read piece by piece.
Result<void> read_documents(const TextSource& source, const std::string& file, const DocumentHandler& handler);

}  // namespace nodebound
