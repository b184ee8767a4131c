#include "harness/objects/input_file.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "fakes/files/private_file.h"

namespace nodebound {
namespace {

using Bytes = tl::expected<std::string, std::string>;

std::string size_text(std::size_t bytes) {
  constexpr std::size_t mebibyte = std::size_t{1} << 20U;
  return bytes < mebibyte ? std::to_string(bytes) + " bytes" : std::to_string(bytes / mebibyte) + " MiB";
}

tl::unexpected<std::string> system_error() {
  return tl::unexpected(std::string(std::strerror(errno)));
}

tl::unexpected<std::string> too_large(std::size_t most) {
  return tl::unexpected("it is larger than " + size_text(most));
}

Bytes read_all(int descriptor, std::size_t most) {
  std::string text;
  std::array<char, 1U << 16U> block{};
  while (true) {
    const ssize_t count = read(descriptor, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error();
    if (count == 0) return text;
    text.append(block.data(), static_cast<std::size_t>(count));
    if (text.size() > most) return too_large(most);
  }
}

/// /dev/null is the usual name for no input, and ends at once.
bool is_null_device(const struct stat& about) {
  return S_ISCHR(about.st_mode) && about.st_rdev == makedev(1, 3);
}

/// A regular file, open to be read.
tl::expected<Descriptor, std::string> open_regular(const std::filesystem::path& file) {
  // Does not block on a FIFO, and does not make a terminal our controlling one.
  Descriptor descriptor(open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat about {};
  if (!descriptor.is_open() || fstat(descriptor.get(), &about) != 0) return system_error();
  if (S_ISDIR(about.st_mode)) return tl::unexpected(std::string("it is a folder"));
  if (!S_ISREG(about.st_mode) && !is_null_device(about)) return tl::unexpected(std::string("it is no regular file"));
  return descriptor;
}

/// Reads up to `size` bytes; 0 at the end, or if it cannot be read.
std::size_t read_some(int descriptor, char* to, std::size_t size) {
  std::size_t taken = 0;
  while (taken < size) {
    const ssize_t count = read(descriptor, to + taken, size - taken);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    taken += static_cast<std::size_t>(count);
  }
  return taken;
}

}  // namespace

Bytes bytes_of_file(const std::filesystem::path& file, std::size_t most) {
  const auto descriptor = open_regular(file);
  if (!descriptor) return tl::unexpected(descriptor.error());
  return read_all(descriptor->get(), most);
}

Result<std::string> read_input(const std::string& file, std::size_t most) {
  const bool standard = file == "-";
  Bytes bytes = standard ? read_all(STDIN_FILENO, most) : bytes_of_file(file, most);
  if (bytes) return std::move(*bytes);
  return input_error(standard ? "standard input" : file, "cannot be read: " + bytes.error(),
                     "expected a regular file of at most " + size_text(most) + ", or - for standard input");
}

Result<TextSource> open_input(const std::string& file) {
  if (file == "-") {
    return [](char* to, std::size_t size) { return read_some(STDIN_FILENO, to, size); };
  }
  auto opened = open_regular(file);
  if (!opened) {
    return input_error(file, "cannot be read: " + opened.error(), "expected a regular file, or - for standard input");
  }
  const auto descriptor = std::make_shared<const Descriptor>(std::move(*opened));
  return [descriptor](char* to, std::size_t size) { return read_some(descriptor->get(), to, size); };
}

}  // namespace nodebound
