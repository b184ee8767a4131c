#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "reference/result.h"

namespace nodebound {

/// Different ports of 127.0.0.1 that were free a moment ago; whoever binds one must be ready to find it taken.
Result<std::vector<std::uint16_t>> free_loopback_ports(std::size_t count);

/// A folder below $TMPDIR, or /tmp, that only we can read; gone with this object, and all that is in it.
class TemporaryDirectory {
 public:
  static Result<TemporaryDirectory> make();

  TemporaryDirectory(TemporaryDirectory&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  TemporaryDirectory& operator=(TemporaryDirectory&&) = delete;
  ~TemporaryDirectory();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// The path of a new file that only we can read.
  [[nodiscard]] Result<std::filesystem::path> write(std::string_view name, std::string_view content) const;

 private:
  explicit TemporaryDirectory(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace nodebound
