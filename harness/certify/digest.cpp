#include "harness/certify/digest.h"

#include <array>
#include <fstream>
#include <memory>
#include <new>
#include <openssl/evp.h>
#include <system_error>

#include "reference/encoding/hex.h"

namespace nodebound::certify {
namespace {

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    if (context_ == nullptr || EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1) throw std::bad_alloc();
  }

  void add(std::string_view bytes) { EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()); }

  std::string hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    EVP_DigestFinal_ex(context_.get(), digest.data(), &size);
    return hex_encode({reinterpret_cast<const char*>(digest.data()), size});
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

bool is_sha256_hex(std::string_view text) {
  return text.size() == 64 && is_hex(text);
}

Result<std::string> sha256_of_file(const std::filesystem::path& file) {
  std::error_code problem;
  std::ifstream in;
  if (std::filesystem::is_regular_file(file, problem)) in.open(file, std::ios::binary);
  if (!in.is_open()) return input_error(file.string(), "cannot be read, so it has no digest");
  Sha256 sum;
  std::string block(std::size_t{1} << 16U, '\0');
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0) {
    sum.add({block.data(), static_cast<std::size_t>(in.gcount())});
  }
  if (in.bad()) return input_error(file.string(), "cannot be read to its end, so it has no digest");
  return sum.hex();
}

}  // namespace nodebound::certify
