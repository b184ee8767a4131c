#pragma once

#include <cstdint>
#include <string>

namespace nodebound {

/// Every watch keeps a connection: as many as the system lets us have.
void allow_many_connections();

/// Where a server that listens at `address` is reached from this machine.
std::string url_at(const std::string& address, std::uint16_t port);

/// Says that a test tool should not be exposed, unless it is not.
void warn_unless_loopback(const std::string& address);

}  // namespace nodebound
