#include "harness/replay/followed_file.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace nodebound::replay {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{200};

class FollowedFile {
 public:
  FollowedFile(std::string name, const Following& following) : name_(std::move(name)), following_(following) {}
  FollowedFile(const FollowedFile&) = delete;
  FollowedFile& operator=(const FollowedFile&) = delete;
  ~FollowedFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  /// Whether there is such a file; `errno` says why not. Opening never waits, as it would for a pipe.
  bool open_again() {
    const int opened = open(name_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (opened < 0) return false;
    struct stat status {};
    if (fstat(opened, &status) != 0 || !S_ISREG(status.st_mode)) {
      close(opened);
      errno = EINVAL;
      return false;
    }
    if (descriptor_ >= 0) close(descriptor_);
    descriptor_ = opened;
    read_ = 0;
    return true;
  }

  std::size_t read(char* to, std::size_t size) {
    while (!following_.ended()) {
      if (const std::size_t count = read_on(to, size); count > 0) return count;
      const bool cut = was_cut();
      if (cut || was_replaced()) {
        // Something may have been written after the last look and before the file was renamed.
        if (const std::size_t rest = cut ? 0 : read_on(to, size); rest > 0) return rest;
        if (begin_anew(cut)) {
          if (within_line_) return line_ended(to);
          continue;
        }
      }
      following_.idle();
      std::this_thread::sleep_for(kBetweenLooks);
    }
    return 0;
  }

 private:
  std::size_t read_on(char* to, std::size_t size) {
    const ssize_t count = ::read(descriptor_, to, size);
    if (count <= 0) return 0;
    read_ += static_cast<off_t>(count);
    within_line_ = to[count - 1] != '\n';
    return static_cast<std::size_t>(count);
  }

  std::size_t line_ended(char* to) {
    *to = '\n';
    within_line_ = false;
    return 1;
  }

  [[nodiscard]] bool was_cut() const {
    struct stat status {};
    return fstat(descriptor_, &status) == 0 && status.st_size < read_;
  }

  [[nodiscard]] bool was_replaced() const {
    struct stat ours {};
    struct stat named {};
    return fstat(descriptor_, &ours) == 0 && stat(name_.c_str(), &named) == 0 &&
           (ours.st_ino != named.st_ino || ours.st_dev != named.st_dev);
  }

  bool begin_anew(bool cut) {
    if (!cut) return open_again();
    read_ = 0;
    return lseek(descriptor_, 0, SEEK_SET) == 0;
  }

  std::string name_;
  const Following& following_;
  int descriptor_ = -1;
  off_t read_ = 0;
  bool within_line_ = false;
};

}  // namespace

Result<TextSource> follow_file(const std::string& file, const Following& following) {
  auto followed = std::make_shared<FollowedFile>(file, following);
  if (!followed->open_again()) {
    return input_error(file, std::string("cannot be followed: ") + std::strerror(errno), "expected a regular file");
  }
  return [followed](char* to, std::size_t size) { return followed->read(to, size); };
}

}  // namespace nodebound::replay
