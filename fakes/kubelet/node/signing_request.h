#pragma once

#include <cstdint>
#include <string>

#include "fakes/kubelet/kubelet_line.h"

namespace nodebound::fake_kubelet {

/// A PKCS #10 request in PEM for the names that a kubelet asks for. The key is derived from `seed` and is an Ed25519
/// key, whose signatures are deterministic: the same seed gives the same bytes. Not safe to use on a network.
std::string fake_signing_request(const CertificateOrder& order, std::uint64_t seed);

/// When a certificate in PEM ends; nothing if it cannot be read.
std::optional<KubeletTime> end_of_certificate(const std::string& pem);

}  // namespace nodebound::fake_kubelet
