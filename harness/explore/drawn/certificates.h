#pragma once

#include <string>

#include "harness/explore/chance.h"
#include "reference/cluster/object.h"

namespace nodebound::explore {

/// A CertificateSigningRequest, whose PKCS #10 request is always that of the node `a`.
Object drawn_signing_request(Chance& chance, const std::string& node);

}  // namespace nodebound::explore
