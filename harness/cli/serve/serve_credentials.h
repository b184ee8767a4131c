#pragma once

#include <memory>
#include <optional>

#include "fakes/apiserver/api_server.h"
#include "fakes/authentication/request_authenticator.h"
#include "fakes/authentication/service_account_tokens.h"
#include "fakes/files/private_file.h"
#include "fakes/proxy/backend.h"
#include "fakes/wire/certificates/pki.h"
#include "harness/cli/serve/serve_flags.h"
#include "reference/release/rule_set.h"

namespace nodebound::cli {

/// The server's own credentials and those by which it recognises clients: read from files, or generated.
struct ServeCredentials {
  std::optional<PrivateFolder> folder;            ///< of --kubeconfig-out
  std::optional<CertificateAuthority> authority;  ///< whose key we have
  IssuedCertificate server;
  std::string server_ca_pem;  ///< the server's authority; for a certificate from a file, that certificate itself
  std::string client_ca_pem;
  std::shared_ptr<const authentication::ServiceAccountTokens> tokens;
  std::unique_ptr<authentication::RequestAuthenticator> authenticator;
};

Result<ServeCredentials> make_credentials(const ServeFlags& flags, const RuleSet& rules);

/// Makes the ConfigMap from which components learn the authority of client certificates, as kube-apiserver does
/// (pkg/controlplane/controller/clusterauthenticationtrust).
void publish_client_authority(apiserver::ApiServer& server, const ServeCredentials& credentials);

/// What the server shows to kubelets, and how it knows them.
Result<proxy::Backends::Options> kubelet_credentials(const ServeFlags& flags, const ServeCredentials& credentials);

/// Writes the kubeconfigs that the flags ask for. Returns their paths, the administrator's first.
Result<std::vector<std::string>> write_kubeconfigs(const ServeFlags& flags, const ServeCredentials& credentials,
                                                   const std::string& url);

}  // namespace nodebound::cli
