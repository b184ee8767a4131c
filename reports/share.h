#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "reference/result.h"

namespace nodebound {

/// The i-th of n parts of what several processes divide among them.
struct Share {
  std::size_t index = 1;
  std::size_t of = 1;

  [[nodiscard]] bool is_all() const { return of == 1; }
  /// Whether what has that name belongs to it. Every process says the same.
  [[nodiscard]] bool takes(std::string_view name) const;

  bool operator==(const Share&) const = default;
};

/// `2/3`
std::string to_text(const Share& share);

/// A report and where it was read.
template <typename R>
struct ReportInFile {
  std::string file;
  R report;
};

/// A share and the file of its report.
using ShareInFile = ReportInFile<Share>;

/// An error unless these are all shares of one whole, each once.
Result<void> make_one_whole(const std::vector<ShareInFile>& shares);

/// An error unless two documents have the same in all members: `what` was not asked alike.
Result<void> asked_alike(const ReportInFile<std::string>& first, const ReportInFile<std::string>& other);

}  // namespace nodebound
