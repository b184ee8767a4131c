#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace re2 {
class RE2;
}

namespace nodebound::cel {

/// A regular expression in the syntax that Go's regexp shares with RE2.
class Regex {
 public:
  /// Or what is wrong with it, in Go's words.
  static tl::expected<Regex, std::string> compile(std::string_view pattern);

  [[nodiscard]] bool matches(std::string_view text) const;
  /// The first `most` matches that do not overlap; all if it is negative.
  [[nodiscard]] std::vector<std::string_view> find_all(std::string_view text, std::int64_t most) const;

 private:
  std::shared_ptr<const re2::RE2> regex_;
};

}  // namespace nodebound::cel
