#include "harness/cli/serve/serve_kubelets.h"

#include <chrono>

#include "fakes/apiserver/call.h"
#include "fakes/kubelet/api_server_line.h"
#include "fakes/serving/api_handler.h"
#include "harness/cli/target.h"

namespace nodebound::cli {
namespace {

constexpr std::chrono::seconds start_within{10};

// The most kubelets that act between two checks whether to go on serving.
constexpr std::size_t most_at_once = 200;

fake_kubelet::KubeletTime now() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

std::string node_name(std::size_t number) {
  std::string digits = std::to_string(number);
  if (digits.size() < 4) digits.insert(0, 4 - digits.size(), '0');
  return "node-" + digits;
}

// The system chooses ports, of which an address has less than thirty thousand.
std::string loopback_address(std::size_t number) {
  constexpr std::size_t kubelets_of_an_address = 20'000;
  return "127.0.0." + std::to_string(1 + number / kubelets_of_an_address);
}

std::int64_t unix_time_now() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()).time_since_epoch().count();
}

/// Who signs the certificates that kubelets know clients by: the API server's own among them.
std::string client_authorities(const ServeCredentials& credentials) {
  const std::string& own = credentials.authority->certificate_pem();
  const std::string& others = credentials.client_ca_pem;
  return others.find(own) == std::string::npos ? others + own : others;
}

HttpResponse answered(apiserver::ApiServer& server, serving::AuditLog* log, const Subject& subject,
                      const HttpRequest& request) {
  if (log == nullptr) return server.handle(subject, request);
  serving::AuditEvent event;
  event.received = std::chrono::system_clock::now();
  event.id = serving::random_uuid();
  event.target = request.target;
  event.attributes = attributes_of(request.method, request.target);
  event.subject = subject;
  HttpResponse response = server.handle(subject, request, event.attributes);
  event.status = response.status;
  event.annotations = response.annotations;
  log->write(event, response.stream ? "ResponseStarted" : "ResponseComplete");
  return response;
}

}  // namespace

Result<ServeKubelets> ServeKubelets::make(const ServeFlags& flags, const Version& server_release) {
  Version version = server_release;
  if (!flags.kubelet_release.empty()) {
    if (flags.kubelets == 0) {
      return input_error("--kubelet-release", "there are no kubelets", "say how many with --kubelets");
    }
    const Result<Version> own = parse_version("--kubelet-release", flags.kubelet_release);
    if (!own) return tl::unexpected<Error>(own.error());
    version = *own;
  }
  auto traits = fake_kubelet::KubeletTraitsTable::built_in().at(version);
  if (!traits) return input_error("--kubelet-release", traits.error().what, traits.error().hint);
  std::shared_ptr<serving::AuditLog> log;
  if (flags.kubelets > 0 && !flags.audit_log_path.empty()) {
    Result<std::unique_ptr<serving::AuditLog>> opened = serving::AuditLog::open(flags.audit_log_path);
    if (!opened) return tl::unexpected<Error>(opened.error());
    log = std::move(*opened);
  }
  return ServeKubelets(flags.kubelets, std::move(*traits), std::move(log));
}

Result<void> ServeKubelets::listen(const ServeCredentials& credentials) {
  std::vector<HttpsPort> ports;
  for (std::size_t i = 0; i < count_; ++i) {
    const std::string address = loopback_address(i);
    machines_.push_back(std::make_shared<ServedNode>(*nodes_, i, node_name(i + 1), address));
    auto certificate = credentials.authority->issue_server({node_name(i + 1), address});
    if (!certificate) return tl::unexpected(certificate.error());
    ports.push_back(
        {address, 0, std::move(certificate->certificate_pem), std::move(certificate->key_pem), *machines_.back()});
  }
  HttpsServerOptions options;
  options.client_ca_pem = client_authorities(credentials);
  auto listener = HttpsServer::start(options, ports);
  if (!listener) return tl::unexpected(listener.error());
  listener_ = std::move(*listener);
  for (std::size_t i = 0; i < count_; ++i) machines_[i]->listens_on(listener_->port(i));
  return {};
}

std::vector<std::string> ServeKubelets::addresses() const {
  std::vector<std::string> out;
  for (const auto& machine : machines_) {
    out.push_back(machine->address() + ":" + std::to_string(machine->kubelet_port()));
  }
  return out;
}

void ServeKubelets::stop() {
  if (listener_) listener_->stop();
}

Result<void> ServeKubelets::start(apiserver::ApiServer& server, const ServeCredentials& credentials) {
  if (count_ == 0) return {};
  const auto answering = std::make_shared<const fake_kubelet::ApiServerLine::Answering>(
      [&server, log = log_](const Subject& subject, const HttpRequest& request) {
        return answered(server, log.get(), subject, request);
      });
  RuleSet rules(Catalogue::built_in(), traits_->release);
  auto authorities =
      authentication::ClientCertificates::trusting(client_authorities(credentials), "--client-ca-file",
                                                   authentication::AuthenticationFeatures::of(rules), unix_time_now);
  if (!authorities) return tl::unexpected(authorities.error());
  nodes_ = std::make_unique<ServedNodes>(std::move(rules), answering, std::move(*authorities));
  if (auto listening = listen(credentials); !listening) return listening;
  const auto options = std::make_shared<const fake_kubelet::KubeletOptions>();
  const fake_kubelet::KubeletTime begin = now();
  for (std::size_t i = 0; i < count_; ++i) {
    const std::string name = node_name(i + 1);
    const auto later =
        std::chrono::milliseconds(start_within) * static_cast<std::int64_t>(i) / static_cast<std::int64_t>(count_);
    kubelets_.add({name, traits_, options, machines_[i]},
                  std::make_unique<fake_kubelet::ApiServerLine>(
                      answering, fake_kubelet::ApiServerLine::Options{fake_kubelet::node_subject(name)}),
                  begin + later);
  }
  return {};
}

bool ServeKubelets::act() {
  const fake_kubelet::KubeletTime until = now();
  kubelets_.act(until, most_at_once);
  return kubelets_.next() > until;
}

std::string ServeKubelets::summary() const {
  if (count_ == 0) return {};
  return std::to_string(count_) + (count_ == 1 ? " kubelet " : " kubelets ") + traits_->release.version.text() + ": " +
         node_name(1) + (count_ == 1 ? "" : " to " + node_name(count_));
}

}  // namespace nodebound::cli
