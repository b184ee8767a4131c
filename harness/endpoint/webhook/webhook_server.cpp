#include "harness/endpoint/webhook/webhook_server.h"

#include "reference/cluster/object.h"
#include "reference/encoding/base64.h"

namespace nodebound {
namespace {

Subject asked_subject(const Object& spec) {
  // In v1beta1 the field is called group.
  const Object& groups = member(spec, member(spec, "groups").is_null() ? "group" : "groups");
  return {std::string(text(spec, "user")), strings_of(groups), std::string(text(spec, "uid")), {}};
}

Attributes asked_attributes(const Object& spec) {
  Attributes out;
  const Object& resource = member(spec, "resourceAttributes");
  out.resource_request = resource.is_object();
  const Object& asked = out.resource_request ? resource : member(spec, "nonResourceAttributes");
  out.verb = text(asked, "verb");
  out.api_group = text(asked, "group");
  out.resource = text(asked, "resource");
  out.subresource = text(asked, "subresource");
  out.namespace_ = text(asked, "namespace");
  out.name = text(asked, "name");
  out.path = text(asked, "path");
  return out;
}

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
  const ScriptedAnswer answer = answer_of(script_, asked_subject(spec), asked_attributes(spec));
  if (answer.kind == ScriptedAnswer::Kind::rubbish) return {200, "text/html", "<html>no review</html>\n", {}};
  if (answer.kind == ScriptedAnswer::Kind::refusal) return {403, "text/plain", "refused\n", {}};
  return reviewed(std::move(review), as_received(answer));
}

}  // namespace nodebound
