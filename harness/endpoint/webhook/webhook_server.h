#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "fakes/http/server.h"
#include "fakes/wire/certificates/pki.h"
#include "harness/endpoint/webhook/webhook_script.h"
#include "reference/result.h"

namespace nodebound {

/// An authorization webhook of the suite's own, on 127.0.0.1.
class WebhookServer final : public HttpHandler {
 public:
  static Result<std::unique_ptr<WebhookServer>> start(WebhookScript script);

  /// The file by which a kube-apiserver finds it (--authorization-webhook-config-file).
  [[nodiscard]] std::string kubeconfig() const;

  HttpResponse handle(const IncomingRequest& request) override;

 private:
  WebhookServer(WebhookScript script, CertificateAuthority authority)
      : script_(std::move(script)), authority_(std::move(authority)) {}

  const WebhookScript script_;
  const CertificateAuthority authority_;
  std::unique_ptr<HttpsServer> server_;
};

}  // namespace nodebound
