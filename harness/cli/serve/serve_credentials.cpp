#include "harness/cli/serve/serve_credentials.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "fakes/authentication/bootstrap_tokens.h"
#include "fakes/authentication/token_file.h"
#include "fakes/serving/api_handler.h"
#include "harness/endpoint/credentials/kubeconfig.h"
#include "harness/objects/input_file.h"

namespace nodebound::cli {
namespace {

std::int64_t unix_seconds_now() {
  using namespace std::chrono;
  return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
}

Result<std::string> read_file(const std::string& flag, const std::string& path) {
  auto bytes = bytes_of_file(path, input_limit::configuration);
  if (!bytes) return input_error(flag, "cannot read " + path + ": " + bytes.error());
  if (bytes->empty()) return input_error(flag, path + " is empty");
  return std::move(*bytes);
}

/// The folder's certificate authority, or a new one that is stored there, so that kubeconfigs outlive a restart.
Result<CertificateAuthority> authority_of(const PrivateFolder* folder) {
  constexpr const char* certificate_name = "ca.crt";
  constexpr const char* key_name = "ca.key";
  if (folder == nullptr) return CertificateAuthority::create("nodebound");
  const auto certificate = folder->read(certificate_name);
  if (!certificate) return tl::unexpected(certificate.error());
  const auto key = folder->read(key_name);
  if (!key) return tl::unexpected(key.error());
  if (*certificate && *key) {
    return CertificateAuthority::parse((folder->path() / certificate_name).string(), **certificate,
                                       (folder->path() / key_name).string(), **key);
  }
  auto made = CertificateAuthority::create("nodebound");
  if (!made) return made;
  if (auto done = folder->write(certificate_name, made->certificate_pem()); !done) return tl::unexpected(done.error());
  if (auto done = folder->write(key_name, made->key_pem()); !done) return tl::unexpected(done.error());
  return made;
}

/// The key that signs tokens: from a file, from the folder that is kept, or a new one.
Result<std::string> signing_key(const ServeFlags& flags, const PrivateFolder* folder) {
  constexpr const char* kept = "sa.key";
  if (!flags.service_account_signing_key_file.empty()) {
    return read_file("--service-account-signing-key-file", flags.service_account_signing_key_file);
  }
  if (folder != nullptr) {
    auto text = folder->read(kept);
    if (!text) return tl::unexpected(text.error());
    if (*text) return std::move(**text);
  }
  const auto made = make_service_account_keys();
  if (!made) return tl::unexpected(made.error());
  if (folder != nullptr) {
    if (auto done = folder->write(kept, made->private_pem); !done) return tl::unexpected(done.error());
  }
  return made->private_pem;
}

/// The folder that a flag names, or nothing.
Result<std::optional<PrivateFolder>> folder_of(const char* flag, const std::string& path) {
  if (path.empty()) return std::nullopt;
  auto folder = PrivateFolder::open(flag, path);
  if (!folder) return tl::unexpected(folder.error());
  return std::optional(std::move(*folder));
}

std::vector<std::string> audiences_of(const ServeFlags& flags) {
  return flags.api_audiences.empty() ? std::vector<std::string>{flags.service_account_issuer} : flags.api_audiences;
}

Result<authentication::ServiceAccountTokens::Options> token_options(
    const ServeFlags& flags, const PrivateFolder* folder, const authentication::AuthenticationFeatures& features) {
  authentication::ServiceAccountTokens::Options options;
  options.issuer = flags.service_account_issuer;
  options.audiences = audiences_of(flags);
  options.features = features;
  options.clock = unix_seconds_now;
  options.new_id = serving::random_uuid;
  const auto pem = signing_key(flags, folder);
  if (!pem) return tl::unexpected(pem.error());
  auto key = openssl::parse_private_key("--service-account-signing-key-file", *pem);
  if (!key) return tl::unexpected(key.error());
  options.signing_key = std::move(*key);
  for (const std::string& file : flags.service_account_key_files) {
    const auto text = read_file("--service-account-key-file", file);
    if (!text) return tl::unexpected(text.error());
    auto keys = openssl::parse_public_keys(file, *text);
    if (!keys) return tl::unexpected(keys.error());
    for (openssl::Key& each : *keys) options.verification_keys.push_back(std::move(each));
  }
  if (flags.service_account_key_files.empty()) {
    auto own = openssl::parse_public_keys("--service-account-signing-key-file", *pem);
    if (!own) return tl::unexpected(own.error());
    options.verification_keys = std::move(*own);
  }
  return options;
}

/// Tokens that several threads and owners share. The authenticator itself holds only a reference to them.
class SharedTokens final : public authentication::TokenAuthenticator {
 public:
  explicit SharedTokens(std::shared_ptr<const authentication::ServiceAccountTokens> tokens)
      : tokens_(std::move(tokens)) {}
  [[nodiscard]] authentication::Authentication authenticate(std::string_view token,
                                                            const std::vector<std::string>& wanted,
                                                            const apiserver::FindObject& find) const override {
    return tokens_->authenticate(token, wanted, find);
  }

 private:
  std::shared_ptr<const authentication::ServiceAccountTokens> tokens_;
};

Result<authentication::RequestAuthenticator::Options> authenticator_options(
    const ServeFlags& flags, const ServeCredentials& credentials,
    const authentication::AuthenticationFeatures& features) {
  authentication::RequestAuthenticator::Options options;
  options.audiences = audiences_of(flags);
  // As in kube-apiserver, AlwaysAllow disables anonymous requests, whatever --anonymous-auth says.
  const auto& modes = flags.authorization_mode;
  options.anonymous = flags.anonymous_auth && std::find(modes.begin(), modes.end(), "AlwaysAllow") == modes.end();
  if (!credentials.client_ca_pem.empty()) {
    auto trusted = authentication::ClientCertificates::trusting(credentials.client_ca_pem, "--client-ca-file", features,
                                                                unix_seconds_now);
    if (!trusted) return tl::unexpected(trusted.error());
    options.certificates = std::move(*trusted);
  }
  if (!flags.token_auth_file.empty()) {
    const auto text = read_file("--token-auth-file", flags.token_auth_file);
    if (!text) return tl::unexpected(text.error());
    auto file = authentication::TokenFile::parse(*text, flags.token_auth_file, options.audiences);
    if (!file) return tl::unexpected(file.error());
    options.tokens.push_back(std::move(*file));
  }
  options.tokens.push_back(std::make_unique<SharedTokens>(credentials.tokens));
  if (flags.enable_bootstrap_token_auth) {
    options.tokens.push_back(std::make_unique<authentication::BootstrapTokens>(unix_seconds_now, options.audiences));
  }
  return options;
}

Result<void> make_server_certificate(const ServeFlags& flags, ServeCredentials& credentials) {
  if (flags.tls_cert_file.empty()) {
    std::vector<std::string> names = apiserver_names();
    if (std::find(names.begin(), names.end(), flags.bind_address) == names.end()) names.push_back(flags.bind_address);
    auto issued = credentials.authority->issue_server(names);
    if (!issued) return tl::unexpected(issued.error());
    credentials.server = std::move(*issued);
    credentials.server_ca_pem = credentials.authority->certificate_pem();
    return {};
  }
  auto certificate = read_file("--tls-cert-file", flags.tls_cert_file);
  if (!certificate) return tl::unexpected(certificate.error());
  auto key = read_file("--tls-private-key-file", flags.tls_private_key_file);
  if (!key) return tl::unexpected(key.error());
  credentials.server = {std::move(*certificate), std::move(*key)};
  // Clients can trust this certificate directly, whoever signed it.
  credentials.server_ca_pem = credentials.server.certificate_pem;
  return {};
}

}  // namespace

Result<ServeCredentials> make_credentials(const ServeFlags& flags, const RuleSet& rules) {
  ServeCredentials credentials;
  auto folder = folder_of("--kubeconfig-out", flags.kubeconfig_out);
  if (!folder) return tl::unexpected(folder.error());
  credentials.folder = std::move(*folder);
  auto authority = authority_of(credentials.folder ? &*credentials.folder : nullptr);
  if (!authority) return tl::unexpected(authority.error());
  credentials.authority = std::move(*authority);
  if (auto made = make_server_certificate(flags, credentials); !made) return tl::unexpected(made.error());
  if (!flags.client_ca_file.empty()) {
    auto read = read_file("--client-ca-file", flags.client_ca_file);
    if (!read) return tl::unexpected(read.error());
    credentials.client_ca_pem = std::move(*read);
  }
  if (!flags.kubeconfig_out.empty()) credentials.client_ca_pem += credentials.authority->certificate_pem();

  const authentication::AuthenticationFeatures features = authentication::AuthenticationFeatures::of(rules);
  const auto data =
      credentials.folder ? Result<std::optional<PrivateFolder>>(std::nullopt) : folder_of("--data-dir", flags.data_dir);
  if (!data) return tl::unexpected(data.error());
  const PrivateFolder* const keys = credentials.folder ? &*credentials.folder : *data ? &**data : nullptr;
  auto tokens = token_options(flags, keys, features);
  if (!tokens) return tl::unexpected(tokens.error());
  credentials.tokens = std::make_shared<const authentication::ServiceAccountTokens>(std::move(*tokens));
  auto options = authenticator_options(flags, credentials, features);
  if (!options) return tl::unexpected(options.error());
  credentials.authenticator = std::make_unique<authentication::RequestAuthenticator>(std::move(*options));
  return credentials;
}

void publish_client_authority(apiserver::ApiServer& server, const ServeCredentials& credentials) {
  if (credentials.client_ca_pem.empty()) return;
  const Subject own{"system:apiserver", {"system:masters", "system:authenticated"}, "", {}};
  const std::string all = "/api/v1/namespaces/kube-system/configmaps";
  const std::string name = "extension-apiserver-authentication";
  const Object object{{"metadata", {{"name", name}}}, {"data", {{"client-ca-file", credentials.client_ca_pem}}}};
  const std::string manager = "?fieldManager=kube-apiserver";
  if (server.handle(own, {"POST", all + manager, "application/json", object.dump()}).status == 409) {
    server.handle(own, {"PUT", all + "/" + name + manager, "application/json", object.dump()});
  }
}

Result<proxy::Backends::Options> kubelet_credentials(const ServeFlags& flags, const ServeCredentials& credentials) {
  proxy::Backends::Options out;
  if (!flags.kubelet_certificate_authority.empty()) {
    auto read = read_file("--kubelet-certificate-authority", flags.kubelet_certificate_authority);
    if (!read) return tl::unexpected(read.error());
    out.kubelet_ca_pem = std::move(*read);
  }
  if (flags.kubelet_client_certificate.empty()) {
    auto own = credentials.authority->issue_client({"kube-apiserver-kubelet-client", {"system:masters"}, "", {}});
    if (!own) return tl::unexpected(own.error());
    out.certificate_pem = std::move(own->certificate_pem);
    out.key_pem = std::move(own->key_pem);
    return out;
  }
  auto certificate = read_file("--kubelet-client-certificate", flags.kubelet_client_certificate);
  if (!certificate) return tl::unexpected(certificate.error());
  auto key = read_file("--kubelet-client-key", flags.kubelet_client_key);
  if (!key) return tl::unexpected(key.error());
  out.certificate_pem = std::move(*certificate);
  out.key_pem = std::move(*key);
  return out;
}

Result<std::vector<std::string>> write_kubeconfigs(const ServeFlags& flags, const ServeCredentials& credentials,
                                                   const std::string& url) {
  std::vector<std::string> written;
  if (!credentials.folder) return written;
  std::vector<std::pair<std::string, Subject>> users = {{"admin", {"admin", {"system:masters"}, "", {}}}};
  for (const std::string& node : flags.nodes) {
    users.emplace_back("node-" + node, Subject{"system:node:" + node, {"system:nodes"}, "", {}});
  }
  for (const auto& [name, subject] : users) {
    const auto certificate = credentials.authority->issue_client(subject);
    if (!certificate) return tl::unexpected(certificate.error());
    const std::string file = name + ".kubeconfig";
    const std::string text = to_kubeconfig(url, credentials.server_ca_pem, name, *certificate);
    if (auto done = credentials.folder->write(file, text); !done) return tl::unexpected(done.error());
    written.push_back((std::filesystem::path(flags.kubeconfig_out) / file).string());
  }
  return written;
}

}  // namespace nodebound::cli
