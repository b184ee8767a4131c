#include "fakes/files/private_file.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nodebound {
namespace {

namespace fs = std::filesystem;

constexpr mode_t for_us = 0600;
constexpr mode_t others_write = 022;
constexpr mode_t others = 077;
/// Larger files are refused; keys and kubeconfigs have a few kilobytes.
constexpr std::size_t longest = std::size_t{1} << 20U;

std::string reason() {
  return errno == ELOOP ? "it is a link, which could lead anywhere" : std::strerror(errno);
}

/// Why a file or folder must not be trusted; empty if it may be.
std::string not_ours(const struct stat& about) {
  if (about.st_uid != geteuid()) return "it belongs to another user (" + std::to_string(about.st_uid) + ")";
  if ((about.st_mode & others_write) != 0) return "others may write it";
  return {};
}

std::string not_our_file(const struct stat& about) {
  if (!S_ISREG(about.st_mode)) return "it is no regular file";
  // Another name of the file may be in a folder of another user.
  if (about.st_nlink != 1) return "it has another name, too";
  return not_ours(about);
}

tl::expected<std::string, std::string> read_all(int descriptor) {
  std::string text;
  std::array<char, 4096> block{};
  while (true) {
    const ssize_t count = ::read(descriptor, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return tl::unexpected(reason());
    if (count == 0) return text;
    text.append(block.data(), static_cast<std::size_t>(count));
    if (text.size() > longest) return tl::unexpected(std::string("it is too large"));
  }
}

/// Opens the folder, and makes it if it does not exist.
Descriptor folder_at(const fs::path& path) {
  std::error_code ignored;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), ignored);
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return Descriptor();
  return Descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

Descriptor::~Descriptor() {
  if (is_open()) ::close(number_);
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

Result<PrivateFolder> PrivateFolder::open(const std::string& where, const fs::path& path) {
  // With a slash at the end of the path, open would follow a link.
  const fs::path name = path.has_filename() ? path : path.parent_path();
  Descriptor folder = folder_at(name);
  if (!folder.is_open()) {
    const bool link = errno == ENOTDIR && fs::is_symlink(name);
    return input_error(where,
                       name.string() + " is no folder of ours, and cannot be made one: " +
                           (link ? "it is a link, which could lead anywhere" : reason()),
                       "name one that this user may write");
  }
  struct stat about {};
  const std::string why = fstat(folder.get(), &about) == 0 ? not_ours(about) : reason();
  if (!why.empty()) {
    return input_error(where, name.string() + " is not safe for what only this user may read: " + why,
                       "name a new folder, or one of this user's that nobody else may write (chmod go-w)");
  }
  std::error_code error;
  fs::path canonical = fs::canonical(name, error);
  return PrivateFolder(where, error ? name : canonical, std::move(folder));
}

Result<void> PrivateFolder::failed(const std::string& name, const std::string& why) const {
  return input_error(where_, (path_ / name).string() + ": " + why, "remove it, or name another folder");
}

Result<std::optional<std::string>> PrivateFolder::read(const std::string& name) const {
  const Descriptor file(::openat(folder_.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.is_open() && errno == ENOENT) return std::nullopt;
  struct stat about {};
  const std::string why = file.is_open() && fstat(file.get(), &about) == 0 ? not_our_file(about) : reason();
  if (!why.empty()) return tl::unexpected(failed(name, why).error());
  auto text = read_all(file.get());
  if (!text) return tl::unexpected(failed(name, text.error()).error());
  return std::optional(std::move(*text));
}

Result<void> PrivateFolder::write(const std::string& name, std::string_view text) const {
  if (name.find('/') != std::string::npos) return failed(name, "is no name of a file");
  const std::string temporary = "." + name + "." + std::to_string(::getpid()) + ".tmp";
  // The file of an earlier process with our process id, which was killed.
  ::unlinkat(folder_.get(), temporary.c_str(), 0);
  const Descriptor file(
      ::openat(folder_.get(), temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, for_us));
  const bool written = file.is_open() && fchmod(file.get(), for_us) == 0 && write_all(file.get(), text) &&
                       fsync(file.get()) == 0 &&
                       ::renameat(folder_.get(), temporary.c_str(), folder_.get(), name.c_str()) == 0;
  if (written) return {};
  const std::string why = reason();
  ::unlinkat(folder_.get(), temporary.c_str(), 0);
  return failed(name, "cannot be written: " + why);
}

Result<void> PrivateFolder::keep_private(const std::string& name, bool make) const {
  Descriptor file(::openat(folder_.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.is_open() && errno == ENOENT) {
    if (!make) return {};
    file =
        Descriptor(::openat(folder_.get(), name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, for_us));
  }
  if (!file.is_open() && errno == ELOOP) return failed(name, reason());
  // The caller that opens the file reports other errors better.
  if (!file.is_open()) return {};
  struct stat about {};
  if (fstat(file.get(), &about) != 0) return failed(name, reason());
  // If other users may write it, the file's mode is corrected below, provided it is ours.
  struct stat unwritten = about;
  unwritten.st_mode &= ~others_write;
  if (const std::string why = not_our_file(unwritten); !why.empty()) return failed(name, why);
  if ((about.st_mode & others) != 0 && fchmod(file.get(), for_us) != 0) return failed(name, reason());
  return {};
}

Result<Descriptor> open_to_append(const std::string& where, const fs::path& path) {
  const auto failed = [&](const std::string& why) {
    return input_error(where, "cannot write to " + path.string() + ": " + why);
  };
  Descriptor file(::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, for_us));
  struct stat about {};
  if (!file.is_open() || fstat(file.get(), &about) != 0) return failed(reason());
  if (!S_ISREG(about.st_mode)) return file;
  struct stat unwritten = about;
  unwritten.st_mode &= ~others_write;
  if (const std::string why = not_our_file(unwritten); !why.empty()) return failed(why);
  if ((about.st_mode & 0777) != for_us && fchmod(file.get(), for_us) != 0) return failed(reason());
  return file;
}

}  // namespace nodebound
