#include "fakes/serving/api_handler.h"

#include <array>
#include <cstdio>
#include <random>

#include "fakes/apiserver/pipeline/forbidden.h"
#include "fakes/apiserver/pipeline/request_body.h"
#include "fakes/apiserver/read/negotiation.h"
#include "fakes/apiserver/status.h"
#include "fakes/apiserver/warnings.h"
#include "fakes/authentication/jwt.h"
#include "fakes/http/duplex_stream.h"
#include "fakes/serving/request_timeout.h"
#include "fakes/websocket/handshake.h"
#include "fakes/websocket/watch_frames.h"
#include "fakes/wire/go/json.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::serving {
namespace {

/// As which user kube-apiserver calls itself (`loopback` client).
const Subject loopback{"system:apiserver", {"system:masters", "system:authenticated"}, "", {}};

constexpr std::size_t kLongestStatus = 1U << 16U;
constexpr std::string_view kFaultsPath = "/nodebound/v1/faults";

/// The body, if it is a Status. Other bodies are not parsed: a list can be long.
Object status_in(const HttpResponse& response) {
  if (response.body.size() > kLongestStatus || response.body.find("Status") == std::string::npos) return {};
  Object body = apiserver::object_in(response);
  if (text(body, "kind") != "Status") return {};
  return body;
}

/// Whether the answer to an allowed request depends on its body.
bool reads_body(std::string_view method, const Attributes& attributes) {
  const bool writes = method == "POST" || method == "PUT" || method == "PATCH" || method == "DELETE";
  return writes && (attributes.resource_request || attributes.path == kFaultsPath);
}

/// The request as the API server gets it.
HttpRequest forwarded(const IncomingRequest& request) {
  HttpRequest out{request.method, request.target, std::string(request.header("content-type")), request.body};
  out.accept = request.header("accept");
  out.headers["user-agent"] = request.header("user-agent");
  out.headers["accept-encoding"] = request.header("accept-encoding");
  out.headers["if-none-match"] = request.header("if-none-match");
  out.body_too_large = request.body_too_large;
  out.body_error = request.body_error;
  return out;
}

/// Encodes an answer that does not come from the API server, which encodes its own.
HttpResponse in_its_media_type(HttpResponse response, const IncomingRequest& request) {
  apiserver::encode(response, request.header("accept"));
  return response;
}

/// The metadata of the submitted object, for requests whose target does not name everything.
Object sent_metadata(const IncomingRequest& request, const Attributes& attributes) {
  if (!attributes.resource_request || (attributes.verb != "create" && attributes.verb != "update")) return {};
  const Object body = apiserver::sent_object(request.header("content-type"), request.body);
  return member(body, "metadata");
}

/// Records a token's id, which later shows the requests that were made with the token.
void note_issued_token(AuditEvent& event, const HttpResponse& response) {
  if (event.attributes.subresource != "token" || response.status != 201) return;
  const Object body = apiserver::object_in(response);
  const auto jwt = authentication::Jwt::parse(text(body, "status", "token"));
  const std::string_view id = jwt ? text(jwt->claims, "jti") : std::string_view();
  if (!id.empty()) event.annotations["authentication.kubernetes.io/issued-credential-id"] = "JTI=" + std::string(id);
}

}  // namespace

/// The checks that impersonation asks the API server for.
class ApiHandler::Access final : public authentication::AccessCheck {
 public:
  explicit Access(apiserver::ApiServer& server) : server_(server) {}

  [[nodiscard]] Decision authorize(const Subject& subject, const Attributes& attributes) const override {
    return server_.authorize(subject, attributes);
  }
  [[nodiscard]] HttpResponse forbidden(const Subject& subject, const Attributes& attributes,
                                       const Decision& decision) const override {
    return server_.forbidden(subject, attributes, decision);
  }

 private:
  apiserver::ApiServer& server_;
};

/// Tells the audit log when a streamed answer has ended, whichever side ended it.
class ApiHandler::AuditedStream final : public DuplexStream {
 public:
  AuditedStream(std::shared_ptr<BodyStream> stream, std::shared_ptr<AuditLog> log, std::shared_ptr<AuditEvent> event)
      : stream_(std::move(stream)), log_(std::move(log)), event_(std::move(event)) {}
  ~AuditedStream() override { log_->write(*event_, "ResponseComplete"); }

  AuditedStream(const AuditedStream&) = delete;
  AuditedStream& operator=(const AuditedStream&) = delete;

  bool take(std::string& out) override { return stream_->take(out); }
  [[nodiscard]] bool broken() const override { return stream_->broken(); }
  void on_ready(std::function<void()> notify) override { stream_->on_ready(std::move(notify)); }
  void expire() override { stream_->expire(); }
  void receive(std::string_view bytes) override { stream_->receive(bytes); }
  [[nodiscard]] bool full() const override {
    const auto* const duplex = dynamic_cast<const DuplexStream*>(stream_.get());
    return duplex != nullptr && duplex->full();
  }

 private:
  std::shared_ptr<BodyStream> stream_;
  std::shared_ptr<AuditLog> log_;
  std::shared_ptr<AuditEvent> event_;
};

ApiHandler::ApiHandler(apiserver::ApiServer& server, const authentication::RequestAuthenticator& authenticator,
                       Options options)
    : server_(server),
      authenticator_(authenticator),
      options_(std::move(options)),
      access_(std::make_unique<Access>(server)),
      impersonation_(options_.features, *access_),
      audit_(std::move(options_.audit)) {
  if (options_.faults) server_.set_lag(options_.faults->lag());
}

ApiHandler::~ApiHandler() = default;

std::optional<Object> ApiHandler::find(const ObjectKey& key) {
  // Without a name, the path would be a list's; with these names, a path above it.
  if (key.name.empty() || key.name == "." || key.name == ".." || key.namespace_ == "." || key.namespace_ == "..") {
    return std::nullopt;
  }
  std::string target = "/api/v1/";
  if (!key.namespace_.empty()) target += "namespaces/" + percent_encoded(key.namespace_) + "/";
  target += key.resource + "/" + percent_encoded(key.name);
  const HttpResponse answer = server_.handle(loopback, {"GET", target, {}, {}, false, {}, {}});
  if (answer.status != 200) return std::nullopt;
  Object object = apiserver::object_in(answer);
  return object.is_object() ? std::optional<Object>(std::move(object)) : std::nullopt;
}

HttpResponse ApiHandler::handle(const IncomingRequest& request) {
  auto event = std::make_shared<AuditEvent>();
  event->received = std::chrono::system_clock::now();
  event->id = request.header("audit-id");
  if (event->id.empty()) event->id = options_.new_id();
  event->attributes = attributes_of(request.method, request.target);
  if (apiserver::breaks_off(event->attributes)) {
    HttpResponse response = apiserver::broken_off(request.target);
    response.headers["audit-id"] = event->id;
    return response;
  }
  HttpResponse response = filtered(request, *event);
  response.headers["audit-id"] = event->id;
  response.headers.try_emplace("cache-control", "no-cache, private");
  if (options_.answered) options_.answered(request, *event, response);
  if (audit_) audit(request, response, std::move(event));
  return response;
}

// As in kube-apiserver, the body is looked at last: a forbidden request is refused at once, and a read is answered
// without its body.
std::optional<HttpResponse> ApiHandler::handle_without_body(const IncomingRequest& request) {
  const Attributes attributes = attributes_of(request.method, request.target);
  const bool refused = apiserver::breaks_off(attributes) || refuse_timeout(request, attributes);
  if (refused || !reads_body(request.method, attributes)) return handle(request);
  const authentication::Authentication who =
      authenticator_.authenticate(request, [this](const ObjectKey& key) { return find(key); });
  if (!who.subject) return handle(request);
  const authentication::Impersonated impersonated = impersonation_.apply(*who.subject, request, attributes);
  const Subject& subject = impersonated.subject ? *impersonated.subject : *who.subject;
  if (impersonated.refusal || !access_->authorize(subject, attributes).allowed()) return handle(request);
  return std::nullopt;
}

std::optional<HttpResponse> ApiHandler::refuse_timeout(const IncomingRequest& request,
                                                       const Attributes& attributes) const {
  if (!server_.does(Behaviour::timeout_must_be_a_duration)) return std::nullopt;
  return wrong_timeout(request, attributes);
}

HttpResponse ApiHandler::filtered(const IncomingRequest& request, AuditEvent& event) {
  if (auto refusal = refuse_timeout(request, event.attributes)) return in_its_media_type(std::move(*refusal), request);
  authentication::Authentication who =
      authenticator_.authenticate(request, [this](const ObjectKey& key) { return find(key); });
  HttpResponse response = answered(std::move(who.subject), request, event);
  if (!who.warning.empty() && server_.does(Behaviour::hidden_tokens_warned_of)) {
    const std::vector<std::string> headers = apiserver::warning_headers({who.warning});
    response.warnings.insert(response.warnings.begin(), headers.begin(), headers.end());
  }
  return response;
}

HttpResponse ApiHandler::answered(std::optional<Subject> who, const IncomingRequest& request, AuditEvent& event) {
  if (!who) return in_its_media_type(apiserver::failure(401, "Unauthorized", "Unauthorized"), request);
  event.subject = std::move(who);
  authentication::Impersonated impersonated = impersonation_.apply(*event.subject, request, event.attributes);
  if (impersonated.refusal) return in_its_media_type(std::move(*impersonated.refusal), request);
  event.impersonated = std::move(impersonated.subject);
  event.constraint = std::move(impersonated.constraint);
  return serve(event.impersonated ? *event.impersonated : *event.subject, request, event);
}

HttpResponse ApiHandler::serve(const Subject& subject, const IncomingRequest& request, AuditEvent& event) {
  if (options_.faults && event.attributes.path == kFaultsPath) {
    return handle_faults(subject, request, event.attributes);
  }
  HttpRequest inner = forwarded(request);
  const auto next = [&](const HttpRequest& asked) {
    HttpResponse answer = server_.handle(subject, asked, event.attributes);
    if (const auto passed = std::dynamic_pointer_cast<const PassedOn>(answer.stream)) {
      answer.stream = nullptr;
      if (options_.forward) answer = options_.forward(request, passed->to(), std::move(answer));
      return in_its_media_type(std::move(answer), request);
    }
    const bool watches = event.attributes.verb == "watch" && answer.status == 200 && answer.stream != nullptr;
    return watches && asks_for_websocket(request) ? watch_over_websocket(request, std::move(answer)) : answer;
  };
  HttpResponse response =
      options_.faults ? options_.faults->around(subject, event.attributes, std::move(inner), next) : next(inner);
  event.annotations = std::move(response.annotations);
  return response;
}

// Not a part of Kubernetes: only for administrators, whatever RBAC allows.
HttpResponse ApiHandler::handle_faults(const Subject& subject, const IncomingRequest& request,
                                       const Attributes& attributes) {
  if (!subject.in_group("system:masters")) {
    return access_->forbidden(subject, attributes, Decision::no_opinion(Rule::masters_group));
  }
  const bool clears = request.method == "DELETE";
  if (request.method != "GET" && request.method != "PUT" && !clears) {
    return apiserver::failure(405, "MethodNotAllowed",
                              "faults are read with GET, replaced with PUT and ended with DELETE");
  }
  if (request.method != "GET") {
    if (auto refusal = apiserver::unread_body(forwarded(request))) return *refusal;
    const Object body = clears ? Object{{"faults", Object::array()}} : read_json(request.body).value_or(Object());
    Result<std::vector<faults::Fault>> faults = faults::Faults::from_json(body);
    if (!faults) return apiserver::bad_request(faults.error().text());
    const std::lock_guard lock(setting_faults_);
    options_.faults->set(std::move(*faults));
    server_.set_lag(options_.faults->lag());
  }
  return apiserver::object_response(200, options_.faults->to_json());
}

void ApiHandler::audit(const IncomingRequest& request, HttpResponse& response, std::shared_ptr<AuditEvent> event) {
  event->target = request.target;
  event->user_agent = request.header("user-agent");
  event->source_addresses = source_addresses(request);
  event->status = response.status;
  event->status_object = status_in(response);
  const auto decision = event->annotations.find("authorization.k8s.io/decision");
  if (decision != event->annotations.end() && decision->second == "allow") {
    event->object_metadata = sent_metadata(request, event->attributes);
    note_issued_token(*event, response);
  }
  if (!event->subject) return audit_->write(*event, "ResponseStarted");
  if (response.stream == nullptr) return audit_->write(*event, "ResponseComplete");
  audit_->write(*event, "ResponseStarted");
  response.stream = std::make_shared<AuditedStream>(std::move(response.stream), audit_, std::move(event));
}

std::string random_uuid() {
  thread_local std::mt19937_64 random(std::random_device{}());
  const std::uint64_t high = random();
  const std::uint64_t low = random();
  std::array<char, 37> out{};
  // The version is 4, the variant 10 in binary (RFC 9562).
  std::snprintf(out.data(), out.size(), "%08x-%04x-4%03x-%04x-%012llx", static_cast<unsigned>(high >> 32U),
                static_cast<unsigned>(high >> 16U & 0xffffU), static_cast<unsigned>(high & 0xfffU),
                static_cast<unsigned>(0x8000U | (low >> 48U & 0x3fffU)),
                static_cast<unsigned long long>(low & 0xffffffffffffU));
  return out.data();
}

}  // namespace nodebound::serving
