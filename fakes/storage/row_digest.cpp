#include "fakes/storage/row_digest.h"

#include <array>
#include <openssl/sha.h>

namespace nodebound::storage {

RowDigest& RowDigest::add(std::string_view column) {
  add(column.size());
  columns_ += column;
  return *this;
}

RowDigest& RowDigest::add(std::uint64_t column) {
  for (unsigned shift = 0; shift < 64; shift += 8) columns_ += static_cast<char>((column >> shift) & 0xffU);
  return *this;
}

std::uint64_t RowDigest::value() const {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(columns_.data()), columns_.size(), digest.data());
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < sizeof out; ++i) out = out << 8U | digest[i];
  return out;
}

}  // namespace nodebound::storage
