#pragma once

#include <string>

namespace nodebound {

/// What a reader wants to know of a rule that a report names. Whoever has the catalogue fills it in; empty texts are
/// left out.
struct RuleNote {
  std::string id;
  std::string statement;  ///< one line
  std::string help;       ///< since when it holds, and where it comes from
  std::string link;       ///< to its source
};

}  // namespace nodebound
