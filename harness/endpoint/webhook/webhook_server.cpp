#include "harness/endpoint/webhook/webhook_server.h"

#include "fakes/apiserver/review/access_question.h"
#include "reference/cluster/object.h"
#include "reference/encoding/base64.h"

namespace nodebound {
namespace {

HttpResponse reviewed(Object review, const WebhookAnswer& answer) {
  Object& status = review["status"] = {{"allowed", answer.allowed}};
  if (answer.denied) status["denied"] = true;
  if (!answer.reason.empty()) status["reason"] = answer.reason;
  return {200, "application/json", review.dump(), {}};
}

}  // namespace

Result<std::unique_ptr<WebhookServer>> WebhookServer::start(WebhookScript script) {
  auto authority = CertificateAuthority::create("nodebound webhook");
  if (!authority) return tl::unexpected(authority.error());
  std::unique_ptr<WebhookServer> out(new WebhookServer(std::move(script), std::move(*authority)));
  const auto certificate = out->authority_.issue_server({"127.0.0.1", "localhost"});
  if (!certificate) return tl::unexpected(certificate.error());
  HttpsServerOptions options;
  options.certificate_pem = certificate->certificate_pem;
  options.key_pem = certificate->key_pem;
  auto server = HttpsServer::start(options, *out);
  if (!server) return tl::unexpected(server.error());
  out->server_ = std::move(*server);
  return out;
}

std::string WebhookServer::kubeconfig() const {
  const Object cluster = {{"server", "https://127.0.0.1:" + std::to_string(server_->port()) + "/authorize"},
                          {"certificate-authority-data", base64_encode(authority_.certificate_pem())}};
  return Object{{"apiVersion", "v1"},
                {"kind", "Config"},
                {"current-context", "webhook"},
                {"clusters", {{{"name", "webhook"}, {"cluster", cluster}}}},
                {"contexts", {{{"name", "webhook"}, {"context", {{"cluster", "webhook"}, {"user", "apiserver"}}}}}},
                {"users", {{{"name", "apiserver"}, {"user", Object::object()}}}}}
      .dump();
}

HttpResponse WebhookServer::handle(const IncomingRequest& request) {
  Object review = Object::parse(request.body, nullptr, false);
  const Object& spec = member(review, "spec");
  if (!spec.is_object()) return {400, "text/plain", "expected a SubjectAccessReview\n", {}};
  const apiserver::AccessQuestion question = apiserver::access_question(spec);
  const ScriptedAnswer answer = answer_of(script_, question.subject, question.attributes);
  if (answer.kind == ScriptedAnswer::Kind::rubbish) return {200, "text/html", "<html>no review</html>\n", {}};
  if (answer.kind == ScriptedAnswer::Kind::refusal) return {403, "text/plain", "refused\n", {}};
  return reviewed(std::move(review), as_received(answer));
}

}  // namespace nodebound
