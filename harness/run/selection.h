#pragma once

#include <optional>
#include <string>

#include "harness/run/pattern.h"
#include "reference/result.h"
#include "reports/share.h"

namespace nodebound {

/// Which scenarios a run is about.
struct Selection {
  std::string profile;  ///< empty: all
  std::string focus;    ///< regular expression (RE2) on scenario ids; empty: all
  std::string skip;
  Share share;  ///< of the scenarios that are left
};

/// As flags, without the share: `--profile node-restriction --focus labels`.
std::string to_text(const Selection& selection);

class Selector {
 public:
  /// An input error where a regular expression is none.
  static Result<Selector> make(const Selection& selection);

  /// Whether it is selected, in whatever share.
  [[nodiscard]] bool selects(const std::string& id, const std::string& profile) const;
  [[nodiscard]] bool takes(const std::string& id, const std::string& profile) const {
    return selects(id, profile) && selection_.share.takes(id);
  }

 private:
  Selection selection_;
  std::optional<Pattern> focus_;
  std::optional<Pattern> skip_;
};

}  // namespace nodebound
