#pragma once

#include <string>
#include <vector>

#include "harness/cli/target.h"

namespace nodebound::cli {

/// Flags that name the two sides. A side is a release (`1.32.5`: the reference as that release) or a target.
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
  std::string target_text;  ///< in the syntax of --target
  Target target;
  std::vector<std::string> notes;
};

struct OpenSides {
  OpenSide a;
  OpenSide b;
  bool releases = false;  ///< both sides are releases
};

/// Opens both sides. A gate that is set for both but known to one only is set on that one, and a note says so.
Result<OpenSides> open_sides(const SideFlags& flags, const Catalogue& catalogue);

}  // namespace nodebound::cli
