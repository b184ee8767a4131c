#include "harness/run/uids.h"

#include <algorithm>

namespace nodebound {

std::string without_uids(std::string text, std::string_view instead) {
  static constexpr std::string_view shape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  const auto fits = [](char expected, char c) {
    return expected == '-' ? c == '-' : (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  };
  for (std::size_t at = 0; at + shape.size() <= text.size(); ++at) {
    if (std::equal(shape.begin(), shape.end(), text.begin() + static_cast<std::ptrdiff_t>(at),
                   [&](char expected, char c) { return fits(expected, c); })) {
      text.replace(at, shape.size(), instead);
    }
  }
  return text;
}

}  // namespace nodebound
