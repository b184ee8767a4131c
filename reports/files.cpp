#include "reports/files.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <system_error>
#include <unistd.h>

namespace nodebound {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> failed(const fs::path& path, const std::string& what, int error) {
  return input_error(path.string(), what + ": " + std::generic_category().message(error));
}

/// A temporary file beside `path`, because a rename is atomic only within one file system. Removed unless it was moved.
class Temporary {
 public:
  explicit Temporary(const fs::path& path) {
    static std::atomic<unsigned> serial{0};
    do {
      name_ = path.parent_path() / ("." + path.filename().string() + "." + std::to_string(::getpid()) + "." +
                                    std::to_string(serial++) + ".tmp");
      descriptor_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      // A killed run may have left a file of that name.
    } while (descriptor_ < 0 && errno == EEXIST);
  }
  ~Temporary() {
    if (!open()) return;
    ::close(descriptor_);
    if (!moved_) ::unlink(name_.c_str());
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  [[nodiscard]] bool open() const { return descriptor_ >= 0; }

  bool write(std::string_view content) {
    while (!content.empty()) {
      const ssize_t written = ::write(descriptor_, content.data(), content.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      content.remove_prefix(static_cast<std::size_t>(written));
    }
    // Without the sync, a power failure after the rename can leave an empty file under the final name.
    return ::fsync(descriptor_) == 0;
  }

  bool move_to(const fs::path& path) {
    moved_ = std::rename(name_.c_str(), path.c_str()) == 0;
    return moved_;
  }

 private:
  fs::path name_;
  int descriptor_ = -1;
  bool moved_ = false;
};

}  // namespace

Result<void> write_file(const fs::path& path, std::string_view content) {
  if (!path.has_filename()) return input_error(path.string(), "is not the name of a file");
  std::error_code error;
  const fs::path folder = path.parent_path();
  if (!folder.empty()) fs::create_directories(folder, error);
  if (error) return failed(folder, "cannot make the folder", error.value());
  // A rename would replace a device or pipe by a plain file.
  const fs::file_status there = fs::status(path, error);
  if (fs::exists(there) && !fs::is_regular_file(there)) return input_error(path.string(), "exists and is not a file");

  Temporary temporary(path);
  if (!temporary.open()) return failed(path, "cannot create", errno);
  if (!temporary.write(content)) return failed(path, "cannot write", errno);
  if (!temporary.move_to(path)) return failed(path, "cannot replace", errno);
  return {};
}

}  // namespace nodebound
