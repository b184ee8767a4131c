#include "harness/kubelet/target/embedded_kubelet.h"

#include <algorithm>
#include <atomic>

#include "fakes/kubelet_api/kubelet_ports.h"
#include "fakes/kubelet_api/review_client.h"
#include "fakes/wire/certificates/openssl.h"
#include "harness/kubelet/target/client_ca_file.h"
#include "harness/kubelet/target/kubelet_flags.h"
#include "reference/encoding/ascii.h"

namespace nodebound::kubelet_conformance {
namespace {

// Arbitrary numbers; port 0 means no port.
KubeletPortNumbers ports_for(const KubeletScenario& scenario) {
  return {10250, scenario.uses(KubeletPort::read_only) ? usual_read_only_port : std::uint16_t{0}, 10248};
}

Result<std::vector<std::string>> der_of(const std::string& pem) {
  std::vector<std::string> out;
  if (pem.empty()) return out;
  const auto chain = openssl::parse_certificates("client certificate", pem);
  if (!chain) return tl::unexpected(chain.error());
  for (const openssl::Certificate& certificate : *chain) {
    unsigned char* bytes = nullptr;
    const int size = i2d_X509(certificate.get(), &bytes);
    if (size <= 0) return openssl::failure("client certificate", "cannot be written");
    out.emplace_back(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
    OPENSSL_free(bytes);
  }
  return out;
}

/// Asks the review server without a connection.
class DirectReviews final : public kubelet_api::ReviewTransport {
 public:
  DirectReviews(ReviewServer& reviews, const KubeletFault& fault) : reviews_(reviews), fault_(fault) {}

  Reply post(const HttpRequest& request) override {
    IncomingRequest incoming{request.method, request.target, {{"content-type", request.content_type}}, request.body};
    if (fault_.review) {
      Object review = Object::parse(request.body);
      fault_.review(review["kind"], review["spec"]);
      incoming.body = review.dump();
    }
    HttpResponse response = reviews_.handle(incoming);
    if (response.network_fault.lost) return {{}, true};
    return {std::move(response), false};
  }

 private:
  ReviewServer& reviews_;
  const KubeletFault& fault_;
};

/// Everything that one kubelet consists of.
class EmbeddedKubelet final : public KubeletUnderTest {
 public:
  EmbeddedKubelet(const RuleSet& rules, ReviewServer& reviews, const KubeletFiles& files, const KubeletFault& fault)
      : rules_(rules), files_(files), fault_(fault), transport_(reviews, fault) {}

  Result<void> start(const kubelet_api::KubeletConfiguration& configuration) {
    auto authorities = ClientCaFile::open(configuration.client_ca_file, rules_);
    if (!authorities) return tl::unexpected(authorities.error());
    authorities_ = std::move(*authorities);
    has_read_only_port_ = configuration.settings.read_only_port != 0;
    const auto clock = [this] { return now_.load(); };
    const auto sleep = [this](std::int64_t time) { now_ += time; };
    reviews_ = std::make_unique<kubelet_api::ReviewClient>(
        rules_, configuration.settings, transport_,
        kubelet_api::ReviewClient::Options{configuration.content_type, clock, sleep, [] { return 0.0; }});
    if (fault_.reviewer) altered_ = fault_.reviewer(*reviews_);
    Reviewer& reviewer = altered_ ? *altered_ : *reviews_;
    ports_ = std::make_unique<kubelet_api::KubeletPorts>(
        rules_, configuration, kubelet_node, kubelet_api::KubeletAnswers::Flags{},
        kubelet_api::KubeletPorts::World{reviewer, [this] { return authorities_ ? authorities_->current() : nullptr; },
                                         [this] { return now_.load() / 1000; }});
    return {};
  }

  Result<std::unique_ptr<HttpClient>> connect(KubeletPort port, const Credentials& credentials) override;
  bool listens(KubeletPort port) override { return port != KubeletPort::read_only || has_read_only_port_; }
  void wait(std::chrono::milliseconds time) override { now_ += time.count(); }
  Result<void> trust(const std::string& authorities) override { return files_.trust(authorities); }

  HttpResponse answer(KubeletPort port, const IncomingRequest& request) {
    const auto asking = [this](KubeletPort which) {
      return [this, which](const IncomingRequest& asked) { return handler(which).handle(asked); };
    };
    if (!fault_.answer) return handler(port).handle(request);
    return fault_.answer(port, request, asking(port), asking(KubeletPort::main));
  }

 private:
  HttpHandler& handler(KubeletPort port) {
    return port == KubeletPort::main        ? ports_->main()
           : port == KubeletPort::read_only ? ports_->read_only()
                                            : ports_->health();
  }

  RuleSet rules_;
  const KubeletFiles& files_;
  const KubeletFault& fault_;
  DirectReviews transport_;
  std::atomic<std::int64_t> now_ = 1'700'000'000'000;
  bool has_read_only_port_ = false;
  std::unique_ptr<ClientCaFile> authorities_;
  std::unique_ptr<kubelet_api::ReviewClient> reviews_;
  std::unique_ptr<Reviewer> altered_;
  std::unique_ptr<kubelet_api::KubeletPorts> ports_;
};

/// Stands in for a connection.
class DirectClient final : public HttpClient {
 public:
  DirectClient(EmbeddedKubelet& kubelet, KubeletPort port, const HttpHeaders& headers, std::shared_ptr<Peer> peer)
      : kubelet_(kubelet), port_(port), headers_(headers), peer_(std::move(peer)) {}

  Result<HttpResponse> send(const HttpRequest& request) override {
    IncomingRequest out{request.method, request.target, {}, request.body, false, peer_};
    std::map<std::string, std::string> own = {{"accept", "application/json"}};
    for (const auto& [name, value] : headers_) own[in_lower_case(name)] = value;
    for (const auto& [name, value] : request.headers) own[in_lower_case(name)] = value;
    out.headers.assign(own.begin(), own.end());
    return kubelet_.answer(port_, out);
  }

 private:
  EmbeddedKubelet& kubelet_;
  KubeletPort port_;
  HttpHeaders headers_;
  std::shared_ptr<Peer> peer_;
};

Result<std::unique_ptr<HttpClient>> EmbeddedKubelet::connect(KubeletPort port, const Credentials& credentials) {
  auto chain = der_of(credentials.certificate_pem);
  if (!chain) return tl::unexpected(chain.error());
  auto peer = std::make_shared<Peer>(Peer{"127.0.0.1", std::move(*chain)});
  return std::make_unique<DirectClient>(*this, port, credentials.headers, std::move(peer));
}

// Parses the flags as `nodebound kubelet` does.
Result<KubeletFlags> parsed(std::vector<std::string> arguments) {
  KubeletFlags out;
  CLI::App command;
  out.add_to(command);
  std::reverse(arguments.begin(), arguments.end());
  try {
    command.parse(arguments);
  } catch (const CLI::ParseError& error) {
    return input_error("the kubelet's flags", error.what());
  }
  return out;
}

}  // namespace

Result<std::unique_ptr<KubeletUnderTest>> EmbeddedKubelets::start(const KubeletStartup& startup, const RuleSet& rules) {
  if (const Result<void> trusted = files_.trust(); !trusted) return tl::unexpected(trusted.error());
  std::vector<std::string> arguments = startup.flags;
  const KubeletPortNumbers ports = ports_for(startup.scenario);
  std::optional<kubelet_api::KubeletConfigurationFile> file;
  if (takes_file(startup.scenario, rules)) {
    auto read = kubelet_api::read_kubelet_configuration(files_.configuration(startup, ports), "config.yaml",
                                                        rules.release().version);
    if (!read) return tl::unexpected(read.error());
    file = std::move(*read);
  } else {
    const std::vector<std::string> flags = files_.flags(startup, ports);
    arguments.insert(arguments.begin(), flags.begin(), flags.end());
  }
  if (startup.kubeconfig) arguments.push_back("--kubeconfig=" + files_.path("kubeconfig").string());
  const auto flags = parsed(std::move(arguments));
  if (!flags) return tl::unexpected(flags.error());
  const RuleSet own = fault_.rules ? fault_.rules(rules) : rules;
  auto configuration = configured_kubelet(*flags, file, own);
  if (!configuration) return tl::unexpected(configuration.error());
  if (fault_.configure) fault_.configure(*configuration);
  // Altering reviews requires JSON.
  if (fault_.review) configuration->content_type = "application/json";
  auto out = std::make_unique<EmbeddedKubelet>(own, reviews_, files_, fault_);
  if (auto started = out->start(*configuration); !started) return tl::unexpected(started.error());
  return out;
}

}  // namespace nodebound::kubelet_conformance
