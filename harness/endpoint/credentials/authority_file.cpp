#include "harness/endpoint/credentials/authority_file.h"

#include <string>

#include "harness/objects/input_file.h"

namespace nodebound {
namespace {

Result<std::string> read_text(const std::filesystem::path& file) {
  auto bytes = bytes_of_file(file, input_limit::credentials);
  if (!bytes) return input_error(file.string(), "cannot be read: " + bytes.error(), "expected PEM");
  if (bytes->empty()) return input_error(file.string(), "is empty; expected PEM");
  return std::move(*bytes);
}

}  // namespace

Result<CertificateAuthority> read_authority(const std::filesystem::path& certificate_file,
                                            const std::filesystem::path& key_file) {
  const auto certificate_text = read_text(certificate_file);
  if (!certificate_text) return tl::unexpected(certificate_text.error());
  const auto key_text = read_text(key_file);
  if (!key_text) return tl::unexpected(key_text.error());
  return CertificateAuthority::parse(certificate_file.string(), *certificate_text, key_file.string(), *key_text);
}

}  // namespace nodebound
