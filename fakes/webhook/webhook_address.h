#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "fakes/webhook/webhook_url.h"
#include "reference/result.h"

namespace nodebound::webhook {

/// Where a webhook is, whom its client trusts, and what it shows.
struct WebhookAddress {
  WebhookUrl url;
  /// Empty: the authorities of the system.
  std::string ca_pem = {};
  /// Host and port to connect to in place of those of the URL, as to a Service at its cluster IP; empty: the URL's.
  std::string connect_host = {};
  std::string connect_port = {};
  /// The name that the certificate must have; empty for the host of the URL.
  std::string server_name = {};
  bool skip_verification = false;
  std::string certificate_pem = {};
  std::string key_pem = {};
  std::string token = {};
  /// It is read for each request, because its content is replaced. It wins over `token`.
  std::filesystem::path token_file = {};
  std::string user = {};
  std::string password = {};
};

/// Reads a kubeconfig as --authorization-webhook-config-file and its like take it: the cluster and the user of its
/// current context. Relative paths inside are relative to the file. What client-go supports and this client does not
/// (exec, proxies, impersonation) is an error.
Result<WebhookAddress> read_webhook_kubeconfig(const std::filesystem::path& file);

}  // namespace nodebound::webhook
