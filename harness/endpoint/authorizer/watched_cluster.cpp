#include "harness/endpoint/authorizer/watched_cluster.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "fakes/authentication/request_authenticator.h"
#include "fakes/files/private_file.h"
#include "fakes/http/server.h"
#include "fakes/serving/api_handler.h"
#include "fakes/wire/certificates/pki.h"
#include "harness/endpoint/credentials/kubeconfig.h"
#include "harness/endpoint/loopback.h"

namespace nodebound {
namespace {

constexpr const char* file_name = "cluster.kubeconfig";
constexpr const char* watcher = "nodebound-webhook";

std::int64_t unix_seconds() {
  using namespace std::chrono;
  return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
}

Result<std::unique_ptr<authentication::RequestAuthenticator>> trusting(const CertificateAuthority& authority,
                                                                       const RuleSet& rules) {
  auto certificates =
      authentication::ClientCertificates::trusting(authority.certificate_pem(), "the cluster's authority",
                                                   authentication::AuthenticationFeatures::of(rules), unix_seconds);
  if (!certificates) return tl::unexpected<Error>(certificates.error());
  authentication::RequestAuthenticator::Options options;
  options.certificates = std::move(*certificates);
  options.anonymous = false;
  return std::make_unique<authentication::RequestAuthenticator>(std::move(options));
}

}  // namespace

class WatchedCluster::Serving {
 public:
  explicit Serving(std::shared_ptr<AuthorizerCluster> cluster) : cluster_(std::move(cluster)) {}
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;

  ~Serving() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    end_.notify_all();
    if (ticker_.joinable()) ticker_.join();
    cluster_->server().end_watches();
    if (listener_) listener_->stop();
  }

  Result<void> begin(const Options& options) {
    auto authority = CertificateAuthority::create("nodebound");
    if (!authority) return tl::unexpected<Error>(authority.error());
    auto authenticator = trusting(*authority, cluster_->rules());
    if (!authenticator) return tl::unexpected<Error>(authenticator.error());
    authenticator_ = std::move(*authenticator);
    handler_.emplace(cluster_->server(), *authenticator_,
                     serving::ApiHandler::Options{authentication::AuthenticationFeatures::of(cluster_->rules()),
                                                  nullptr, serving::random_uuid});
    if (auto listening = listen(options.port, *authority); !listening) return listening;
    // Watches end and get bookmarks by the second.
    ticker_ = std::thread([this] { tick(); });
    return write_kubeconfig(options.folder, *authority);
  }

  [[nodiscard]] const std::filesystem::path& kubeconfig() const { return kubeconfig_; }

 private:
  Result<void> listen(std::uint16_t port, const CertificateAuthority& authority) {
    const auto certificate = authority.issue_server({"127.0.0.1", "localhost"});
    if (!certificate) return tl::unexpected<Error>(certificate.error());
    HttpsServerOptions options;
    options.port = port;
    options.certificate_pem = certificate->certificate_pem;
    options.key_pem = certificate->key_pem;
    options.client_ca_pem = authority.certificate_pem();
    auto started = HttpsServer::start(options, *handler_);
    if (!started) return tl::unexpected<Error>(started.error());
    listener_ = std::move(*started);
    return {};
  }

  Result<void> write_kubeconfig(const std::string& folder, const CertificateAuthority& authority) {
    const auto certificate = authority.issue_client({watcher, {"system:masters"}, "", {}});
    if (!certificate) return tl::unexpected<Error>(certificate.error());
    const std::string text = to_kubeconfig("https://127.0.0.1:" + std::to_string(listener_->port()),
                                           authority.certificate_pem(), watcher, *certificate);
    if (folder.empty()) {
      auto made = TemporaryDirectory::make();
      if (!made) return tl::unexpected<Error>(made.error());
      temporary_.emplace(std::move(*made));
      auto written = temporary_->write(file_name, text);
      if (!written) return tl::unexpected<Error>(written.error());
      kubeconfig_ = std::move(*written);
      return {};
    }
    const auto opened = PrivateFolder::open("--cluster-kubeconfig-out", folder);
    if (!opened) return tl::unexpected<Error>(opened.error());
    kubeconfig_ = std::filesystem::path(folder) / file_name;
    return opened->write(file_name, text);
  }

  void tick() {
    std::unique_lock lock(mutex_);
    while (!end_.wait_for(lock, std::chrono::seconds(1), [this] { return ending_; })) {
      lock.unlock();
      cluster_->server().tick();
      lock.lock();
    }
  }

  const std::shared_ptr<AuthorizerCluster> cluster_;
  std::unique_ptr<authentication::RequestAuthenticator> authenticator_;
  std::optional<serving::ApiHandler> handler_;
  std::unique_ptr<HttpsServer> listener_;
  std::optional<TemporaryDirectory> temporary_;
  std::filesystem::path kubeconfig_;
  std::mutex mutex_;
  std::condition_variable end_;
  bool ending_ = false;
  std::thread ticker_;
};

WatchedCluster::WatchedCluster(std::unique_ptr<Serving> serving) : serving_(std::move(serving)) {}

WatchedCluster::~WatchedCluster() = default;

Result<std::unique_ptr<WatchedCluster>> WatchedCluster::serve(std::shared_ptr<AuthorizerCluster> cluster,
                                                              const Options& options) {
  auto serving = std::make_unique<Serving>(std::move(cluster));
  if (auto begun = serving->begin(options); !begun) return tl::unexpected<Error>(begun.error());
  return std::unique_ptr<WatchedCluster>(new WatchedCluster(std::move(serving)));
}

const std::filesystem::path& WatchedCluster::kubeconfig() const {
  return serving_->kubeconfig();
}

}  // namespace nodebound
