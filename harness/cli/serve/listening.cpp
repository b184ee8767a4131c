#include "harness/cli/serve/listening.h"

#include <iostream>
#include <sys/resource.h>

#include "harness/endpoint/loopback.h"

namespace nodebound::cli {

void allow_many_connections() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

std::string url_at(const std::string& address, std::uint16_t port) {
  const bool any = address == "0.0.0.0" || address == "::";
  const std::string host = any ? "127.0.0.1" : address.find(':') == std::string::npos ? address : "[" + address + "]";
  return "https://" + host + ":" + std::to_string(port);
}

void warn_unless_loopback(const std::string& address) {
  if (is_loopback(address)) return;
  const bool any = address == "0.0.0.0" || address == "::";
  std::cerr << "nodebound: " << address
            << (any ? " is every address of this machine, not loopback alone" : " is not loopback")
            << ": this is a test tool, do not expose it\n";
}

}  // namespace nodebound::cli
