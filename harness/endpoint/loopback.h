#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/files/private_file.h"
#include "reference/result.h"

namespace nodebound {

/// Whether what is sent to `host` stays on this machine: `localhost`, or an address of 127.0.0.0/8 or ::1. Any other
/// name is whatever who answers for it says, however it looks.
bool is_loopback(const std::string& host);

/// Different ports of 127.0.0.1 that were free a moment ago; whoever binds one must be ready to find it taken.
Result<std::vector<std::uint16_t>> free_loopback_ports(std::size_t count);

/// A folder below $TMPDIR, or /tmp, that only we can read; gone with this object, and all that is in it. Where a
/// process is killed first, the next one that makes a folder removes it: a lock on a file in it, which ends with its
/// process, says whether it is still somebody's.
class TemporaryDirectory {
 public:
  static Result<TemporaryDirectory> make();

  TemporaryDirectory(TemporaryDirectory&& other) noexcept
      : path_(std::move(other.path_)), lock_(std::move(other.lock_)) {
    other.path_.clear();
  }
  TemporaryDirectory& operator=(TemporaryDirectory&&) = delete;
  ~TemporaryDirectory();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// The path of a new file that only we can read.
  [[nodiscard]] Result<std::filesystem::path> write(std::string_view name, std::string_view content) const;

 private:
  TemporaryDirectory(std::filesystem::path path, Descriptor lock) : path_(std::move(path)), lock_(std::move(lock)) {}
  std::filesystem::path path_;
  Descriptor lock_;
};

}  // namespace nodebound
