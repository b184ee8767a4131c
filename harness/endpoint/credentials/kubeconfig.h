#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "fakes/wire/certificates/pki.h"
#include "harness/endpoint/https_client.h"
#include "reference/result.h"

namespace nodebound {

/// One context of a kubeconfig with everything it refers to. All files are read, except the token's.
struct Kubeconfig {
  std::filesystem::path file;
  std::string context;
  /// The name of the kubeconfig's `users` entry, which the cluster need not know.
  std::string user;
  ServerAddress server;
  std::string certificate_pem;
  std::string key_pem;
  std::string token;
  /// credentials_of() reads it anew each time, because its content is replaced while a run lasts.
  std::filesystem::path token_file;
};

/// Whether a user without any credential is an error.
enum class CredentialNeed { some, none };

/// `spec` is `FILE`, `FILE#CONTEXT`, `#CONTEXT` or empty. Without a file: $KUBECONFIG, else ~/.kube/config; without a
/// context: current-context. Relative paths inside are relative to the kubeconfig. Errors name file and line.
Result<Kubeconfig> load_kubeconfig(std::string_view spec, CredentialNeed need = CredentialNeed::some);

/// A warning for the user; empty if there is none.
std::string warning_of(const Kubeconfig& kubeconfig);

Result<Credentials> credentials_of(const Kubeconfig& kubeconfig);

/// `https://HOST:PORT`, optionally with a path. `where` is its place in error messages.
Result<ServerAddress> parse_server(const std::string& url, const std::string& where);

/// The text of a kubeconfig with one context: a server whose certificate `ca_pem` signed, and one user.
std::string to_kubeconfig(const std::string& url, std::string_view ca_pem, const std::string& user,
                          const IssuedCertificate& certificate);

}  // namespace nodebound
