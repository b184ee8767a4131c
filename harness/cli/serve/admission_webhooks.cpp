#include "harness/cli/serve/admission_webhooks.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>

#include "fakes/serving/api_handler.h"
#include "fakes/webhook/webhook_connection.h"
#include "fakes/wire/go/response_error.h"

namespace nodebound::cli {
namespace {

using Connected = Result<std::shared_ptr<webhook::WebhookConnection>>;

/// The connections to the webhooks of all configurations, as they are now and were.
class WebhookConnections {
 public:
  Connected to(const apiserver::WebhookRequest& request) {
    const std::lock_guard lock(mutex_);
    Key key{request.url, request.connect_host, request.ca_pem, request.time};
    const auto found = open_.find(key);
    if (found != open_.end()) return found->second;
    // Whoever changes configurations again and again must not fill the memory.
    constexpr std::size_t most = 1000;
    if (open_.size() == most) open_.clear();
    Connected made = connect(request);
    if (made) open_.emplace(std::move(key), *made);
    return made;
  }

 private:
  using Key = std::tuple<std::string, std::string, std::string, std::chrono::seconds>;

  static Connected connect(const apiserver::WebhookRequest& request) {
    Result<webhook::WebhookUrl> url = webhook::parse_webhook_url(request.url, "clientConfig.url");
    if (!url) return tl::unexpected<Error>(url.error());
    webhook::WebhookAddress address{std::move(*url)};
    address.ca_pem = request.ca_pem;
    address.connect_host = request.connect_host;
    address.connect_port = request.connect_port;
    webhook::WebhookConnection::Options options;
    options.time = request.time;
    options.user_agent = "kube-apiserver-admission";
    auto made = webhook::WebhookConnection::open(std::move(address), options);
    if (!made) return tl::unexpected<Error>(made.error());
    return std::shared_ptr<webhook::WebhookConnection>(std::move(*made));
  }

  std::mutex mutex_;
  std::map<Key, std::shared_ptr<webhook::WebhookConnection>> open_;
};

tl::expected<std::string, std::string> body_from(WebhookConnections& connections,
                                                 const apiserver::WebhookRequest& request) {
  const Connected connection = connections.to(request);
  if (!connection) return tl::unexpected(connection.error().what);
  tl::expected<HttpResponse, webhook::WebhookFailure> answer = (*connection)->post(request.body);
  if (!answer) return tl::unexpected(answer.error().text);
  if (answer->status < 200 || answer->status > 206) return tl::unexpected(error_words(*answer));
  if (!answer->body.empty()) return std::move(answer->body);
  return tl::unexpected("0-length response with status code: " + std::to_string(answer->status) +
                        " and content type: " + answer->content_type);
}

}  // namespace

apiserver::AdmissionWebhooks admission_webhooks() {
  auto connections = std::make_shared<WebhookConnections>();
  return {[connections](const apiserver::WebhookRequest& request) { return body_from(*connections, request); },
          serving::random_uuid};
}

}  // namespace nodebound::cli
