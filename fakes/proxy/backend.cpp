#include "fakes/proxy/backend.h"

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <thread>
#include <vector>

#include "fakes/proxy/backend_link.h"

namespace nodebound::proxy {
namespace {

namespace asio = boost::asio;

Result<void> set_up_client(asio::ssl::context& tls, const Backends::Options& options) {
  boost::system::error_code error;
  if (!options.certificate_pem.empty()) {
    tls.use_certificate_chain(asio::buffer(options.certificate_pem), error);
    if (error)
      return input_error("--kubelet-client-certificate", "expected a certificate in PEM (" + error.message() + ")");
    tls.use_private_key(asio::buffer(options.key_pem), asio::ssl::context::pem, error);
    if (error) return input_error("--kubelet-client-key", "expected the certificate's key (" + error.message() + ")");
  }
  if (!options.kubelet_ca_pem.empty()) {
    tls.add_certificate_authority(asio::buffer(options.kubelet_ca_pem), error);
    if (error)
      return input_error("--kubelet-certificate-authority", "expected certificates in PEM (" + error.message() + ")");
  }
  return {};
}

}  // namespace

class Backends::Loop {
 public:
  explicit Loop(Options given) : options(std::move(given)), work_(asio::make_work_guard(context)) {}

  ~Loop() {
    // The context must be empty before it is destroyed: what waits in it refers to it.
    const std::lock_guard lock(mutex_);
    for (const auto& link : links_) {
      if (const auto open = link.lock()) open->close();
    }
    work_.reset();
    if (thread_.joinable()) thread_.join();
  }

  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  void run() {
    thread_ = std::thread([this] { context.run(); });
  }

  std::shared_ptr<BackendLink> open(const Onward& to) {
    auto link = std::make_shared<BackendLink>(context, to.kubelet ? kubelet_tls : other_tls, to, options);
    const std::lock_guard lock(mutex_);
    std::erase_if(links_, [](const auto& own) { return own.expired(); });
    links_.push_back(link);
    return link;
  }

  const Options options;
  asio::io_context context{1};
  asio::ssl::context kubelet_tls{asio::ssl::context::tls_client};
  asio::ssl::context other_tls{asio::ssl::context::tls_client};

 private:
  std::mutex mutex_;
  std::vector<std::weak_ptr<BackendLink>> links_;
  asio::executor_work_guard<asio::io_context::executor_type> work_;
  std::thread thread_;
};

Backends::Backends(std::unique_ptr<Loop> loop) : loop_(std::move(loop)) {}

Backends::~Backends() = default;

Result<std::unique_ptr<Backends>> Backends::make(Options options) {
  auto loop = std::make_unique<Loop>(std::move(options));
  if (const Result<void> done = set_up_client(loop->kubelet_tls, loop->options); !done)
    return tl::unexpected(done.error());
  loop->run();
  return std::unique_ptr<Backends>(new Backends(std::move(loop)));
}

tl::expected<Backends::Answer, Backends::Failure> Backends::ask(const Onward& to, const std::string& bytes,
                                                                bool is_head) {
  return loop_->open(to)->ask(bytes, is_head);
}

}  // namespace nodebound::proxy
