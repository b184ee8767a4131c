#pragma once

#include <string>
#include <vector>

#include "harness/cli/target.h"

namespace nodebound {

/// Flags that say what is compared. A side is a release (`1.32.5`: the reference as that release) or a target.
struct SideFlags {
  std::string a;
  std::string b;
  std::string feature_gates;
  std::string feature_gates_a;
  std::string feature_gates_b;
  TargetFlags access;  ///< how targets are started or reached, the same for both

  void add_to(CLI::App& command);
};

struct OpenSide {
  std::string name;
  std::string target_text;  ///< as --target would have it
  Target target;
  std::vector<std::string> notes;
};

struct OpenSides {
  OpenSide a;
  OpenSide b;
  bool releases = false;  ///< both are releases
};

/// Opens both. A gate that is set for both sides and only one of them has is set there only, which is noted.
Result<OpenSides> open_sides(const SideFlags& flags, const Catalogue& catalogue);

}  // namespace nodebound
