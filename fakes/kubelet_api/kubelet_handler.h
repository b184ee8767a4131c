#pragma once

#include <functional>
#include <memory>

#include "fakes/authentication/client_certificates.h"
#include "fakes/kubelet_api/answers/kubelet_answers.h"
#include "reference/kubelet/filter.h"
#include "reference/kubelet/routes.h"

namespace nodebound::kubelet_api {

/// One port of a kubelet. Thread-safe if the reviewer is.
class KubeletHandler final : public HttpHandler {
 public:
  /// Authentication and authorization, for the main port; the read-only port has none.
  struct Guard {
    KubeletFilter filter;
    Reviewer& reviewer;
    /// The current client CAs; null if there are none.
    std::function<std::shared_ptr<const authentication::ClientCertificates>()> certificates;
  };

  /// `guard` is null for the read-only port. The rules and `answers` must outlive it.
  KubeletHandler(const RuleSet& rules, KubeletRoutes routes, KubeletAnswers& answers, std::unique_ptr<Guard> guard)
      : rules_(rules), routes_(std::move(routes)), answers_(answers), guard_(std::move(guard)) {}

  HttpResponse handle(const IncomingRequest& request) override;

 private:
  [[nodiscard]] KubeletCredentials credentials(const IncomingRequest& request) const;
  [[nodiscard]] HttpResponse without_handler(const KubeletRoute& route) const;

  const RuleSet& rules_;
  KubeletRoutes routes_;
  KubeletAnswers& answers_;
  std::unique_ptr<Guard> guard_;
};

/// The healthz port: plain HTTP without authentication.
class KubeletHealthHandler final : public HttpHandler {
 public:
  explicit KubeletHealthHandler(KubeletAnswers& answers) : answers_(answers) {}
  HttpResponse handle(const IncomingRequest& request) override { return answers_.health(request); }

 private:
  KubeletAnswers& answers_;
};

}  // namespace nodebound::kubelet_api
