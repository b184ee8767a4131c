#pragma once

#include <cstdint>
#include <string>

namespace nodebound::cli {

/// Raises the limit of open files as far as the system allows, because every watch holds a connection.
void allow_many_connections();

/// The address at which this machine reaches a server that listens on `address`.
std::string url_at(const std::string& address, std::uint16_t port);

/// Warns that a test tool should not be exposed, if it is.
void warn_unless_loopback(const std::string& address);

}  // namespace nodebound::cli
