#include "harness/endpoint/loopback.h"

#include <arpa/inet.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <string>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nodebound {
namespace {

std::string reason() {
  return std::strerror(errno);
}

/// The port that the kernel gave to `listener`, or 0.
std::uint16_t bind_any(int listener) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (bind(listener, generic, size) != 0 || getsockname(listener, generic, &size) != 0) return 0;
  return ntohs(address.sin_port);
}

namespace fs = std::filesystem;

constexpr std::string_view folder_prefix = "nodebound-";
constexpr std::size_t drawn_characters = 6;
/// The lock file of a temporary folder. Its owner holds the lock as long as it uses the folder.
constexpr const char* owner_file = "owner";

/// The lock file of a new folder. It gets its final name only once it is locked, so nobody finds it unlocked.
Descriptor locked_file(const fs::path& folder) {
  const fs::path early = folder / (std::string(owner_file) + ".new");
  Descriptor file(open(early.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  std::error_code error;
  if (!file.is_open() || flock(file.get(), LOCK_EX | LOCK_NB) != 0) return Descriptor();
  fs::rename(early, folder / owner_file, error);
  return error ? Descriptor() : std::move(file);
}

/// Whether this is a temporary folder of this user whose process has ended. `lock` then keeps other cleaners away from
/// it.
bool is_abandoned(const fs::path& folder, Descriptor& lock) {
  struct stat about {};
  if (lstat(folder.c_str(), &about) != 0 || !S_ISDIR(about.st_mode) || about.st_uid != geteuid()) return false;
  lock = Descriptor(open((folder / owner_file).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  return lock.is_open() && flock(lock.get(), LOCK_EX | LOCK_NB) == 0;
}

void remove_abandoned(const fs::path& base) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(base, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(folder_prefix) || name.size() != folder_prefix.size() + drawn_characters) continue;
    Descriptor lock;
    std::error_code ignored;
    if (is_abandoned(entry.path(), lock)) fs::remove_all(entry.path(), ignored);
  }
}

}  // namespace

bool is_loopback(const std::string& host) {
  if (host == "localhost") return true;
  in_addr four{};
  // Some programs read 127.1 and 0x7f000001 as addresses, others as names. Here they are names.
  if (inet_pton(AF_INET, host.c_str(), &four) == 1) return ntohl(four.s_addr) >> 24U == 127;
  in6_addr six{};
  if (inet_pton(AF_INET6, host.c_str(), &six) != 1) return false;
  const bool mapped = IN6_IS_ADDR_V4MAPPED(&six);
  return IN6_IS_ADDR_LOOPBACK(&six) || (mapped && six.s6_addr[12] == 127);
}

Result<std::vector<std::uint16_t>> free_loopback_ports(std::size_t count) {
  std::vector<int> listeners;
  std::vector<std::uint16_t> ports;
  // All sockets stay open until the last port is known: the kernel may hand out a closed port again.
  while (ports.size() < count) {
    listeners.push_back(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const std::uint16_t port = listeners.back() < 0 ? std::uint16_t{0} : bind_any(listeners.back());
    if (port == 0) break;
    ports.push_back(port);
  }
  const std::string why = reason();
  for (const int listener : listeners) {
    if (listener >= 0) close(listener);
  }
  if (ports.size() < count) return unreachable_error("127.0.0.1", "no free port: " + why);
  return ports;
}

Result<TemporaryDirectory> TemporaryDirectory::make() {
  const char* set = std::getenv("TMPDIR");
  const fs::path base = fs::absolute(set != nullptr && *set != '\0' ? set : "/tmp");
  remove_abandoned(base);
  std::string name = (base / (std::string(folder_prefix) + "XXXXXX")).string();
  const auto failed = [&] {
    return unreachable_error(name, "cannot make a temporary folder: " + reason(), "set TMPDIR to a writable folder");
  };
  if (mkdtemp(name.data()) == nullptr) return failed();
  Descriptor lock = locked_file(name);
  if (!lock.is_open()) return failed();
  return TemporaryDirectory(name, std::move(lock));
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

Result<std::filesystem::path> TemporaryDirectory::write(std::string_view name, std::string_view content) const {
  std::filesystem::path file = path_ / name;
  const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  const bool written =
      descriptor >= 0 && ::write(descriptor, content.data(), content.size()) == static_cast<ssize_t>(content.size());
  const std::string why = written ? std::string() : reason();
  if (descriptor >= 0) close(descriptor);
  if (!written) return unreachable_error(file.string(), "cannot be written: " + why);
  return file;
}

}  // namespace nodebound
