#include "harness/kubelet/target/client_ca_file.h"

#include <chrono>

#include "harness/objects/input_file.h"

namespace nodebound::kubelet_conformance {
namespace {

std::int64_t now_in_seconds() {
  using namespace std::chrono;
  return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
}

}  // namespace

Result<std::string> file_text(const std::string& path) {
  auto bytes = bytes_of_file(path, input_limit::configuration);
  if (bytes) return std::move(*bytes);
  return input_error("", "open " + path + ": " + bytes.error());
}

Result<std::unique_ptr<ClientCaFile>> ClientCaFile::open(const std::string& path, const RuleSet& rules) {
  if (path.empty()) return nullptr;
  std::unique_ptr<ClientCaFile> out(new ClientCaFile(path, rules));
  if (auto done = out->read(); !done) return tl::unexpected(done.error());
  return out;
}

Result<void> ClientCaFile::read() {
  std::error_code ignored;
  read_at_ = std::filesystem::last_write_time(path_, ignored);
  const auto text = file_text(path_);
  if (!text) return tl::unexpected(text.error());
  authentication::AuthenticationFeatures features = authentication::AuthenticationFeatures::of(rules_);
  features.certificate_has_credential_id = rules_.in_force(Rule::kubelet_credential_id);
  auto made = authentication::ClientCertificates::trusting(*text, path_, features, now_in_seconds);
  if (!made) return tl::unexpected(made.error());
  if (pem_.empty()) pem_ = *text;
  certificates_ = std::move(*made);
  return {};
}

std::shared_ptr<const authentication::ClientCertificates> ClientCaFile::current() {
  const std::lock_guard lock(mutex_);
  if (rules_.in_force(Rule::kubelet_client_ca_reload)) {
    std::error_code error;
    const auto changed = std::filesystem::last_write_time(path_, error);
    if (!error && changed != read_at_) (void)read();
  }
  return certificates_;
}

}  // namespace nodebound::kubelet_conformance
