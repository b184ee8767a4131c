#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/result.h"
#include "reports/findings/finding.h"

namespace nodebound {

/// Findings that somebody accepts for a time.
class Acceptances {
 public:
  /// `today` is a day as `2026-12-01`. Errors carry `file:line:column`.
  static Result<Acceptances> read(std::string_view text, const std::string& file, std::string today);

  /// Those of the file, today; none without a file.
  static Result<Acceptances> of_file(const std::string& file, std::string today);

  /// Why the finding is accepted; empty if it is not.
  [[nodiscard]] std::string reason_for(const Finding& finding);

  /// What is to be said of acceptances that are over, or that no finding needed.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  struct Entry {
    std::string finding;
    std::string who;  ///< `*` stands for any text
    std::string reason;
    std::string until;
    std::string where;
    bool needed = false;
  };

  [[nodiscard]] bool is_over(const Entry& entry) const { return entry.until < today_; }

  std::string today_;
  std::vector<Entry> entries_;
};

/// Whether `text` is like `pattern`, in which `*` stands for any text.
bool matches_pattern(std::string_view pattern, std::string_view text);

}  // namespace nodebound
