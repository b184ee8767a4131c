#include "harness/mutants/kept_releases.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <memory>
#include <openssl/evp.h>
#include <vector>

#include "reference/encoding/hex.h"
#include "reports/files.h"
#include "reports/mutation/mutation_writers.h"

namespace nodebound::mutants {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t basis_digits = 16;

/// A hash of texts including their lengths, so that different lists of texts differ.
class Fingerprint {
 public:
  Fingerprint() { EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr); }

  void add(const std::string& text) {
    const std::string length = std::to_string(text.size()) + "\n";
    EVP_DigestUpdate(context_.get(), length.data(), length.size());
    EVP_DigestUpdate(context_.get(), text.data(), text.size());
  }

  std::string text() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    EVP_DigestFinal_ex(context_.get(), bytes.data(), nullptr);
    return hex_encode({reinterpret_cast<const char*>(bytes.data()), basis_digits / 2});
  }

 private:
  struct Free {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> context_{EVP_MD_CTX_new()};
};

std::optional<std::string> content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return {};
  return std::string(std::istreambuf_iterator<char>(in), {});
}

bool is_basis(const std::string& name) {
  return name.size() == basis_digits && is_hex(name);
}

}  // namespace

Result<std::string> basis_of_outcomes(const fs::path& scenarios, const std::string& flags) {
  std::error_code failed;
  std::vector<fs::path> files = {"/proc/self/exe"};
  for (fs::recursive_directory_iterator entry(scenarios, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    if (entry->is_regular_file(failed)) files.push_back(entry->path());
  }
  if (failed) return input_error(scenarios.string(), "cannot be read: " + failed.message());
  std::sort(files.begin(), files.end());
  Fingerprint fingerprint;
  fingerprint.add(flags);
  for (const fs::path& file : files) {
    const std::optional<std::string> content = content_of(file);
    if (!content) return input_error(file.string(), "cannot be read, so nothing can be said of what was kept");
    fingerprint.add(file.lexically_relative(scenarios).string());
    fingerprint.add(*content);
  }
  return fingerprint.text();
}

KeptReleases::KeptReleases(const fs::path& folder, const std::string& basis) : folder_(folder / basis) {
  std::error_code ignored;
  std::vector<fs::path> stale;
  for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end; entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (is_basis(name) && name != basis && entry->is_directory(ignored)) stale.push_back(entry->path());
  }
  for (const fs::path& one : stale) fs::remove_all(one, ignored);
}

fs::path KeptReleases::file_of(const Version& release) const {
  return folder_ / (release.text() + ".json");
}

std::optional<MutationReport> KeptReleases::find(const Version& release) const {
  const std::optional<std::string> content = content_of(file_of(release));
  if (!content) return {};
  Result<MutationReport> report = mutation_report_from_json(*content, file_of(release).string());
  if (!report || report->releases != std::vector<std::string>{release.text()}) return {};
  return std::move(*report);
}

Result<void> KeptReleases::keep(const Version& release, const MutationReport& report) const {
  return write_file(file_of(release), to_json(report));
}

}  // namespace nodebound::mutants
