#include "harness/cli/serve/serve_controllers.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fakes/wire/go/go_duration.h"
#include "harness/objects/input_file.h"
#include "reference/release/refusal_text.h"

namespace nodebound::cli {
namespace {

using std::chrono::steady_clock;

constexpr std::array<std::string_view, 3> approving = {"csrapproving", "certificatesigningrequest-approving-controller",
                                                       "*"};
constexpr std::array<std::string_view, 3> signing = {"csrsigning", "certificatesigningrequest-signing-controller", "*"};

template <std::size_t size>
bool names(const std::array<std::string_view, size>& controller, const std::string& name) {
  return std::find(controller.begin(), controller.end(), name) != controller.end();
}

// Kubernetes' own, with the rights that RBAC's bootstrap roles give it.
const Subject user{"system:serviceaccount:kube-system:certificate-controller",
                   {"system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"},
                   {},
                   {}};

Result<std::string> text_of(const char* flag, const std::string& path) {
  auto bytes = bytes_of_file(path, input_limit::configuration);
  if (!bytes) return input_error(flag, "cannot read " + path + ": " + bytes.error());
  return std::move(*bytes);
}

Result<CertificateAuthority> authority_of(const ServeFlags& flags, const ServeCredentials& credentials) {
  const std::string& certificate_file = flags.cluster_signing_cert_file;
  const std::string& key_file = flags.cluster_signing_key_file;
  if (certificate_file.empty() != key_file.empty()) {
    return input_error("--cluster-signing-cert-file", "a certificate needs its key, and a key its certificate",
                       "give both --cluster-signing-cert-file and --cluster-signing-key-file");
  }
  if (certificate_file.empty()) {
    if (!credentials.authority) {
      return input_error("--controllers", "csrsigning has no authority whose key it knows",
                         "give --cluster-signing-cert-file and --cluster-signing-key-file");
    }
    return CertificateAuthority::parse("authority", credentials.authority->certificate_pem(), "its key",
                                       credentials.authority->key_pem());
  }
  const Result<std::string> certificate = text_of("--cluster-signing-cert-file", certificate_file);
  if (!certificate) return tl::unexpected(certificate.error());
  const Result<std::string> key = text_of("--cluster-signing-key-file", key_file);
  if (!key) return tl::unexpected(key.error());
  return CertificateAuthority::parse(certificate_file, *certificate, key_file, *key);
}

}  // namespace

Result<ServeControllers> ServeControllers::make(const ServeFlags& flags, const ServeCredentials& credentials,
                                                const Release& release, apiserver::ApiServer& server) {
  controllers::CertificateController::Options options;
  options.approves = false;
  bool signs = false;
  for (const std::string& name : flags.controllers) {
    if (!names(approving, name) && !names(signing, name)) {
      return input_error("--controllers", "there is no controller " + go_quoted(name) + " here",
                         "give csrapproving, csrsigning, or * for both");
    }
    options.approves = options.approves || names(approving, name);
    signs = signs || names(signing, name);
  }
  ServeControllers out;
  if (flags.controllers.empty()) return out;
  const auto longest = parse_go_duration(flags.cluster_signing_duration);
  if (!longest || *longest <= 0) {
    return input_error("--cluster-signing-duration", go_quoted(flags.cluster_signing_duration) + " is no duration",
                       "give one like 8760h");
  }
  options.longest = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::nanoseconds(*longest));
  if (signs) {
    Result<CertificateAuthority> authority = authority_of(flags, credentials);
    if (!authority) return tl::unexpected(authority.error());
    options.authority = std::make_shared<const CertificateAuthority>(std::move(*authority));
  }
  out.certificates_ = std::make_unique<controllers::CertificateController>(
      release, std::move(options), [&server](const HttpRequest& request) { return server.handle(user, request); });
  return out;
}

void ServeControllers::act() {
  constexpr std::chrono::milliseconds shortest_pause(100);
  constexpr int pause_by_work = 4;
  const auto begin = steady_clock::now();
  if (certificates_ == nullptr || begin < next_) return;
  certificates_->look(std::chrono::system_clock::now());
  const auto end = steady_clock::now();
  next_ = end + std::max<steady_clock::duration>(shortest_pause, (end - begin) * pause_by_work);
}

}  // namespace nodebound::cli
