#include "harness/endpoint/endpoint.h"

namespace nodebound {

Result<std::unique_ptr<Endpoint>> Endpoint::start_with(const ServerSettings& /*settings*/) {
  return input_error(name(), capabilities().lacks(Capability::own_server).value_or("it cannot be started anew"));
}

}  // namespace nodebound
