#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "fakes/apiserver/api_server.h"
#include "fakes/authentication/impersonation.h"
#include "fakes/authentication/request_authenticator.h"
#include "fakes/faults/faults.h"
#include "fakes/http/handler.h"
#include "fakes/serving/audit_log.h"
#include "fakes/wire/onward.h"

namespace nodebound::serving {

/// An ApiServer behind kube-apiserver's filters before authorization, in the same order. Thread-safe.
class ApiHandler final : public HttpHandler {
 public:
  /// Told of each answer before it is sent; several threads may call it at once.
  using Answered = std::function<void(const IncomingRequest&, const AuditEvent&, const HttpResponse&)>;

  /// Gets the answer of the server that a request is passed on to; `own` is the answer if nobody can be asked. It may
  /// wait.
  using Forward = std::function<HttpResponse(const IncomingRequest&, const Onward& to, HttpResponse own)>;

  struct Options {
    authentication::AuthenticationFeatures features;
    std::unique_ptr<AuditLog> audit;                   ///< null: no audit log
    std::function<std::string()> new_id;               ///< a UUID for each request
    std::shared_ptr<faults::Faults> faults = nullptr;  ///< null: no faults, and none can be set
    Answered answered = nullptr;                       ///< null: nobody is told
    Forward forward = nullptr;                         ///< null: no other server is asked
  };

  /// The server and the authenticator must outlive the handler.
  ApiHandler(apiserver::ApiServer& server, const authentication::RequestAuthenticator& authenticator, Options options);
  ~ApiHandler() override;

  HttpResponse handle(const IncomingRequest& request) override;
  std::optional<HttpResponse> handle_without_body(const IncomingRequest& request) override;

 private:
  class Access;
  class AuditedStream;

  [[nodiscard]] std::optional<HttpResponse> refuse_timeout(const IncomingRequest& request,
                                                           const Attributes& attributes) const;
  HttpResponse filtered(const IncomingRequest& request, AuditEvent& event);
  /// The answer to the subject that the credentials show, if they show one.
  HttpResponse answered(std::optional<Subject> who, const IncomingRequest& request, AuditEvent& event);
  HttpResponse serve(const Subject& subject, const IncomingRequest& request, AuditEvent& event);
  HttpResponse handle_faults(const Subject& subject, const IncomingRequest& request, const Attributes& attributes);
  [[nodiscard]] std::optional<Object> find(const ObjectKey& key);
  void audit(const IncomingRequest& request, HttpResponse& response, std::shared_ptr<AuditEvent> event);

  apiserver::ApiServer& server_;
  std::mutex setting_faults_;
  const authentication::RequestAuthenticator& authenticator_;
  Options options_;
  std::unique_ptr<Access> access_;
  authentication::Impersonation impersonation_;
  std::shared_ptr<AuditLog> audit_;  ///< shared with open streams, which report their end
};

/// A random UUID.
std::string random_uuid();

}  // namespace nodebound::serving
