#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nodebound::replay {

/// Why a part of a log is left out.
enum class LogTrouble {
  torn,           ///< a line that ends within its JSON
  not_json,       ///< text
  no_event,       ///< JSON that holds no audit event
  other_version,  ///< an event of another version than audit.k8s.io/v1
  bad_event,      ///< a field is missing or of another type: no time, no user
  too_long,
  too_deep,
  broken_bytes,  ///< compressed bytes
};
inline constexpr std::size_t log_trouble_count = 8;

std::string_view to_string(LogTrouble trouble);

/// Counts what is left out, with the first places of each sort.
class LogTroubles {
 public:
  struct Sort {
    std::size_t count = 0;
    std::vector<std::string> places;  ///< `audit.log:17`, at most three
  };

  void add(LogTrouble trouble, const std::string& file, std::size_t line);

  [[nodiscard]] const Sort& of(LogTrouble trouble) const { return sorts_[static_cast<std::size_t>(trouble)]; }
  [[nodiscard]] std::size_t count() const;

 private:
  std::array<Sort, log_trouble_count> sorts_;
};

}  // namespace nodebound::replay
