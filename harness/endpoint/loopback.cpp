#include "harness/endpoint/loopback.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
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

}  // namespace

Result<std::vector<std::uint16_t>> free_loopback_ports(std::size_t count) {
  std::vector<int> listeners;
  std::vector<std::uint16_t> ports;
  // All are held until the last is known: a port that is closed at once may be given again.
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
  const char* base = std::getenv("TMPDIR");
  std::string name = std::string(base != nullptr && *base != '\0' ? base : "/tmp") + "/nodebound-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) {
    return unreachable_error(name, "cannot make a temporary folder: " + reason(), "set TMPDIR to a writable folder");
  }
  return TemporaryDirectory(std::filesystem::absolute(name));
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
