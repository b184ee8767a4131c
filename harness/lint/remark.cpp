#include "harness/lint/remark.h"

#include <algorithm>

namespace nodebound::lint {

std::string_view to_string(Remark::Kind kind) {
  switch (kind) {
    case Remark::Kind::refused:
      return "refused";
    case Remark::Kind::ignored:
      return "ignored";
    case Remark::Kind::unsafe:
      return "unsafe";
    case Remark::Kind::unknown:
      break;
  }
  return "unknown";
}

std::string place_of(std::string_view word, std::string_view text, const std::string& file) {
  const std::size_t at = text.find(word);
  if (at == std::string_view::npos) return file;
  return file + ":" +
         std::to_string(1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

}  // namespace nodebound::lint
