#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nodebound {

/// The texts with `between` from one to the next, as Go's strings.Join.
inline std::string joined(const std::vector<std::string>& texts, std::string_view between) {
  std::string out;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) out += between;
    out += texts[i];
  }
  return out;
}

}  // namespace nodebound
