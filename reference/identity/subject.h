#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reference/encoding/short_text.h"

namespace nodebound {

/// The authenticated caller: all that authorizers and admission plugins know about who sends a request.
struct Subject {
  std::string name;
  std::vector<std::string> groups;
  std::string uid;
  std::map<std::string, std::vector<std::string>> extra;

  [[nodiscard]] bool in_group(std::string_view group) const {
    for (const std::string& own : groups) {
      if (same_text(own, group)) return true;
    }
    return false;
  }

  bool operator==(const Subject&) const = default;
};

}  // namespace nodebound
