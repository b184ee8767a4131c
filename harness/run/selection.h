#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "harness/run/pattern.h"
#include "reference/result.h"

namespace nodebound {

/// Which scenarios a run is about.
struct Selection {
  std::string profile;  ///< empty: all
  std::string focus;    ///< regular expression (RE2) on scenario ids; empty: all
  std::string skip;
  std::size_t shard = 1;  ///< the i of i/n
  std::size_t shards = 1;
};

class Selector {
 public:
  /// An input error where a regular expression is none.
  static Result<Selector> make(const Selection& selection);

  [[nodiscard]] bool takes(const std::string& id, const std::string& profile) const;

 private:
  Selection selection_;
  std::optional<Pattern> focus_;
  std::optional<Pattern> skip_;
};

}  // namespace nodebound
