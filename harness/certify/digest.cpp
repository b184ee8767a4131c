#include "harness/certify/digest.h"

#include <array>
#include <fstream>
#include <memory>
#include <new>
#include <openssl/evp.h>
#include <system_error>

namespace nodebound {
namespace {

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    if (context_ == nullptr || EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1) throw std::bad_alloc();
  }

  void add(std::string_view bytes) { EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()); }

  std::string hex() {
    static constexpr char digits[] = "0123456789abcdef";
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    EVP_DigestFinal_ex(context_.get(), digest.data(), &size);
    std::string out;
    for (unsigned int i = 0; i < size; ++i) {
      out += digits[digest.at(i) >> 4U];
      out += digits[digest.at(i) & 15U];
    }
    return out;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  Sha256 sum;
  sum.add(bytes);
  return sum.hex();
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

}  // namespace nodebound
