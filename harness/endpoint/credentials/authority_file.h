#pragma once

#include <filesystem>

#include "fakes/wire/certificates/pki.h"
#include "reference/result.h"

namespace nodebound {

/// The authority of a certificate and a key in PEM files, as CertificateAuthority::parse() reads them.
Result<CertificateAuthority> read_authority(const std::filesystem::path& certificate_file,
                                            const std::filesystem::path& key_file);

}  // namespace nodebound
