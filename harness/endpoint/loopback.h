#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/files/private_file.h"
#include "reference/result.h"

namespace nodebound {

/// Whether traffic to `host` stays on this machine: `localhost`, an address of 127.0.0.0/8, or ::1. Any other name
/// resolves to whatever its DNS server says, even if it looks local.
bool is_loopback(const std::string& host);

/// Different ports of 127.0.0.1 that were free a moment ago. Whoever binds one must expect it to be taken.
Result<std::vector<std::uint16_t>> free_loopback_ports(std::size_t count);

/// A folder below $TMPDIR, or /tmp, that only this user can read. It is removed with this object. If the process is
/// killed first, the next process that makes such a folder removes it: the folder has a file that its process holds
/// locked, so a free lock means that its owner has ended.
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
  /// The path of a new file that only this user can read.
  [[nodiscard]] Result<std::filesystem::path> write(std::string_view name, std::string_view content) const;

 private:
  TemporaryDirectory(std::filesystem::path path, Descriptor lock) : path_(std::move(path)), lock_(std::move(lock)) {}
  std::filesystem::path path_;
  Descriptor lock_;
};

}  // namespace nodebound
