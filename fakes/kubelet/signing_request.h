#pragma once

#include <cstdint>
#include <string>

#include "fakes/kubelet/kubelet_line.h"

namespace nodebound {

/// A PKCS #10 request in PEM, for the names that a kubelet asks for. Its key is made of `seed`, and is of Ed25519,
/// whose signatures are the same each time: so the same seed gives the same bytes. No use for a network.
std::string fake_signing_request(const CertificateOrder& order, std::uint64_t seed);

/// When a certificate in PEM ends; nothing if it cannot be read.
std::optional<KubeletTime> end_of_certificate(const std::string& pem);

}  // namespace nodebound
