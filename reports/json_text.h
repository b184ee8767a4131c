#pragma once

#include <string>
#include <string_view>

namespace nodebound {

/// Appends `text` as a JSON string. Bytes that are not UTF-8 become U+FFFD, and what a terminal would interpret is
/// escaped: it reads back as it was. For what is too large to be built as a document first.
void append_json_text(std::string& out, std::string_view text);

}  // namespace nodebound
