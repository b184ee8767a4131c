#include "harness/simulate/control_plane/binary_server.h"

#include <algorithm>
#include <thread>

#include "harness/endpoint/signals.h"
#include "harness/simulate/records/refusal_ledger.h"

namespace nodebound::simulate {
namespace {

using std::chrono::steady_clock;

// Over loopback, informers learn of a write within milliseconds, on a busy machine within some hundred.
constexpr std::chrono::seconds to_catch_up{1};
// Clients that act in quicker succession would observe a delay on a real server too.
constexpr std::chrono::seconds least_apart{1};

constexpr RequestLimits request_limits{std::chrono::milliseconds(5'000), std::chrono::milliseconds(20'000)};
constexpr int tries_of_busy = 5;

const Subject& owner_of_control_plane() {
  static const Subject subject{"nodebound:administrator", {"system:masters", "system:authenticated"}, {}, {}};
  return subject;
}

bool is_cluster_administrator(const Subject& subject) {
  return std::find(subject.groups.begin(), subject.groups.end(), "system:masters") != subject.groups.end();
}

// Whether the write may affect later decisions of the server.
bool is_remembered(const HttpRequest& request, const Attributes& attributes) {
  if (request.method == "GET" || is_connection(attributes)) return false;
  if (attributes.resource == "leases" || attributes.resource == "events") return false;
  if (attributes.subresource == "token" || attributes.resource.ends_with("reviews")) return false;
  return attributes.resource != "nodes" || attributes.subresource != "status";
}

// The answer of an overloaded or starting server, which decides nothing about the request.
bool is_busy(const HttpResponse& response) {
  return response.status == 429 || response.status == 503 || response.status == 504;
}

}  // namespace

BinaryOptions BinaryServer::options_for(const ServerBuild& build, const Plan::ControlPlane& control_plane) const {
  BinaryOptions out;
  out.directory = build.directory;
  out.feature_gates = control_plane.gates;
  out.authorization_mode = to_text(control_plane.authorization);
  out.enable_node_restriction = control_plane.node_restriction;
  out.limits = request_limits;
  return out;
}

Result<void> BinaryServer::start(std::size_t /*number*/, const Plan::ControlPlane& control_plane) {
  const Result<ServerBuild> build = build_of(control_plane.version, builds_, "--control-plane");
  if (!build) return tl::unexpected(build.error());
  BinaryOptions options = options_for(*build, control_plane);
  session_.reset();
  if (plane_) {
    if (Result<void> replaced = plane_->replace_apiserver(options); !replaced) return replaced;
  } else {
    // The newest server has the highest requirements for its etcd.
    const auto newest = std::find_if(builds_.rbegin(), builds_.rend(), [](const ServerBuild& one) {
      return std::filesystem::exists(one.directory / "etcd");
    });
    if (newest != builds_.rend()) options.etcd_directory = newest->directory;
    auto started = ControlPlane::start(options, owner_of_control_plane());
    if (!started) return tl::unexpected(started.error());
    plane_ = std::move(*started);
    certificates_ = std::make_unique<CertificateStore>(
        [this](const Subject& subject) { return plane_->authority().issue_client(subject); });
  }
  session_ = std::make_unique<SubjectSession>([this](const Subject& subject) { return connect(subject); },
                                              [this](Error error) { return plane_->explain(std::move(error)); });
  // /readyz waits for the informers, but not for their event handlers.
  note_write(true);
  return {};
}

Result<std::unique_ptr<HttpClient>> BinaryServer::connect(const Subject& subject) {
  Credentials credentials;
  if (!fits_certificate(subject) || subject.name.starts_with("system:serviceaccount:")) {
    auto impersonated = impersonating(plane_->administrator(), subject);
    if (!impersonated) return tl::unexpected(impersonated.error());
    credentials = std::move(*impersonated);
  } else if (!is_anonymous(subject)) {
    auto certificate = certificates_->of(as_presented(subject));
    if (!certificate) return tl::unexpected(certificate.error());
    credentials = {std::move(certificate->certificate_pem), std::move(certificate->key_pem), {}};
  }
  return make_http_client(plane_->server(), credentials, request_limits);
}

HttpResponse BinaryServer::handle(std::size_t /*number*/, const Subject& subject, const HttpRequest& request) {
  const Attributes attributes = attributes_of(request.method, request.target);
  const bool administrator = is_cluster_administrator(subject);
  wait_until_it_knows(administrator);
  HttpRequest sent = request;
  sent.watch = request.watch || attributes.verb == "watch";
  HttpResponse response = send(subject, sent);
  for (int i = 1; i < tries_of_busy && is_busy(response) && !is_connection(attributes); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    response = send(subject, sent);
  }
  if (response.status >= 200 && response.status < 300 && is_remembered(request, attributes)) note_write(administrator);
  return response;
}

HttpResponse BinaryServer::send(const Subject& subject, const HttpRequest& request) {
  // After an interrupt, or without a server, nothing is sent, so that the run ends quickly.
  if (interrupted() || !session_) {
    ++unanswered_;
    return {};
  }
  Result<HttpResponse> response = session_->send(subject, request);
  if (response) return std::move(*response);
  ++unanswered_;
  failure_ = response.error();
  return {};
}

void BinaryServer::wait_until_it_knows(bool administrator) {
  if (!write_ || interrupted()) return;
  // The administrator is allowed everything, so nothing has to be waited for.
  if (administrator || (!write_->administrator && clock_.now < write_->planned + least_apart)) return;
  std::this_thread::sleep_until(write_->real + to_catch_up);
  write_.reset();
}

void BinaryServer::note_write(bool administrator) {
  write_ = {steady_clock::now(), clock_.now, administrator || (write_ && write_->administrator)};
}

}  // namespace nodebound::simulate
