#include "harness/endpoint/admission/admission_endpoint.h"

#include <chrono>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "harness/endpoint/signals.h"
#include "reference/cluster/object.h"
#include "reference/encoding/base64.h"

namespace nodebound {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// NodeRestriction and its like are asked before the object is validated, and so are mutating webhooks alone.
constexpr const char* configurations = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
constexpr int answer_seconds = 5;
constexpr std::size_t most_unanswered = 10;

const Subject& cluster_administrator() {
  static const Subject out{"nodebound-administrator", {"system:masters"}, {}, {}};
  return out;
}

Object configuration_of(const AdmissionTarget& target) {
  Object client = {{"url", target.url}};
  if (!target.ca_pem.empty()) client["caBundle"] = base64_encode(target.ca_pem);
  const Object rule = {
      {"apiGroups", {"", "storage.k8s.io", "coordination.k8s.io", "resource.k8s.io", "certificates.k8s.io"}},
      {"apiVersions", {"*"}},
      {"operations", {"CREATE", "UPDATE", "DELETE"}},
      {"resources", {"*/*"}},
      {"scope", "*"}};
  return {{"apiVersion", "admissionregistration.k8s.io/v1"},
          {"kind", "MutatingWebhookConfiguration"},
          {"metadata", {{"name", "nodebound"}}},
          {"webhooks",
           {{{"name", "target.nodebound.dev"},
             {"clientConfig", std::move(client)},
             {"rules", {rule}},
             {"failurePolicy", "Fail"},
             {"matchPolicy", "Exact"},
             {"sideEffects", "None"},
             {"timeoutSeconds", answer_seconds},
             {"admissionReviewVersions", {"v1"}}}}}};
}

/// Whether the API server could not make sense of the webhook.
bool is_unanswered(const HttpResponse& response) {
  return response.status == 500 && response.body.find("failed calling webhook") != std::string::npos;
}

/// Counts answers that did not come. Thread-safe.
class Unanswered {
 public:
  explicit Unanswered(std::string url) : url_(std::move(url)) {}

  void saw(const HttpResponse& response) {
    const std::lock_guard lock(mutex_);
    if (!is_unanswered(response)) {
      in_row_ = 0;
      return;
    }
    if (++in_row_ < most_unanswered || broken_) return;
    const Object status = Object::parse(response.body, nullptr, false);
    broken_ = Error{Error::Kind::unreachable, url_,
                    "has not answered " + std::to_string(most_unanswered) +
                        " times in a row; the last: " + std::string(text(status, "message")),
                    ""};
  }

  [[nodiscard]] std::optional<Error> broken() const {
    const std::lock_guard lock(mutex_);
    return broken_;
  }

 private:
  const std::string url_;
  mutable std::mutex mutex_;
  std::size_t in_row_ = 0;
  std::optional<Error> broken_;
};

class AdmissionSession final : public Session {
 public:
  AdmissionSession(apiserver::ApiServer& server, Unanswered& unanswered) : server_(server), unanswered_(unanswered) {}

  Result<HttpResponse> send(const Subject& subject, const HttpRequest& request) override {
    if (auto broken = unanswered_.broken()) return tl::unexpected<Error>(std::move(*broken));
    HttpRequest asked = request;
    if (asked.accept.empty()) asked.accept = "application/json";
    HttpResponse response = server_.handle(subject, asked);
    if (request.method != "GET") unanswered_.saw(response);
    return response;
  }

 private:
  apiserver::ApiServer& server_;
  Unanswered& unanswered_;
};

class AdmissionEndpoint final : public Endpoint {
 public:
  AdmissionEndpoint(const AdmissionTarget& target, std::shared_ptr<AuthorizerCluster> cluster)
      : name_(target.name), cluster_(std::move(cluster)), unanswered_(target.url) {
    const Release& release = cluster_->rules().release();
    observed_.version = "v" + release.version.text();
    for (std::string& version : ApiResources(release).group_versions()) {
      observed_.api_versions.insert(std::move(version));
    }
  }

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] const Observation& observed() const override { return observed_; }
  [[nodiscard]] Capabilities capabilities() const override {
    const Capabilities own = {Capability::admission, Capability::objects};
    return own.without(Capability::request, "an admission webhook alone authorizes nothing")
        .without(Capability::access_review, "an admission webhook alone authorizes nothing")
        .without(Capability::own_server, "an admission webhook alone has no API server to start");
  }
  [[nodiscard]] const Subject& administrator() const override { return cluster_administrator(); }
  // The authorizers are ours. What the webhook refuses because it has not seen a write yet is asked again.
  [[nodiscard]] bool decides_on_latest_state() const override { return false; }
  [[nodiscard]] bool disposable() const override { return true; }
  [[nodiscard]] Result<void> finish() override {
    if (auto broken = unanswered_.broken()) return tl::unexpected<Error>(std::move(*broken));
    return {};
  }
  std::unique_ptr<Session> open_session() override {
    return std::make_unique<AdmissionSession>(cluster_->server(), unanswered_);
  }

 private:
  std::string name_;
  std::shared_ptr<AuthorizerCluster> cluster_;
  Unanswered unanswered_;
  Observation observed_;
};

}  // namespace

apiserver::ApiServer::Options options_of_admission_cluster(const RuleSet& rules,
                                                           apiserver::AdmissionWebhooks webhooks) {
  apiserver::ApiServer::Options options = options_of_authorizer_cluster(rules);
  options.admission_webhooks = std::move(webhooks);
  options.disabled_plugins = {"NodeRestriction", "ServiceAccount", "CertificateApproval", "CertificateSigning",
                              "CertificateSubjectRestriction"};
  return options;
}

Result<void> await_admission_webhook(const apiserver::AdmissionWebhooks& webhooks, const AdmissionTarget& target,
                                     milliseconds time) {
  const Object object = {
      {"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"metadata", {{"name", "none"}, {"namespace", "default"}}}};
  const Object review = {{"apiVersion", "admission.k8s.io/v1"},
                         {"kind", "AdmissionReview"},
                         {"request",
                          {{"uid", "nodebound"},
                           {"kind", {{"group", ""}, {"version", "v1"}, {"kind", "ConfigMap"}}},
                           {"resource", {{"group", ""}, {"version", "v1"}, {"resource", "configmaps"}}},
                           {"name", "none"},
                           {"namespace", "default"},
                           {"operation", "CREATE"},
                           {"dryRun", true},
                           {"userInfo", {{"username", "nodebound"}}},
                           {"object", object},
                           {"oldObject", nullptr}}}};
  const apiserver::WebhookRequest request{target.url,   "", "", target.ca_pem, std::chrono::seconds(answer_seconds),
                                          review.dump()};
  const auto until = steady_clock::now() + time;
  for (;;) {
    const auto answer = webhooks.ask(request);
    if (answer) return {};
    if (interrupted()) return unreachable_error(target.url, interruption());
    if (steady_clock::now() >= until) {
      return unreachable_error(target.url, "does not answer an AdmissionReview: " + answer.error(),
                               "--webhook-wait allows more time");
    }
    std::this_thread::sleep_for(milliseconds(100));
  }
}

Result<std::unique_ptr<Endpoint>> make_admission_endpoint(const AdmissionTarget& target,
                                                          std::shared_ptr<AuthorizerCluster> cluster) {
  const HttpRequest request{"POST", configurations, "application/json", configuration_of(target).dump(), false};
  const HttpResponse made = cluster->server().handle(cluster_administrator(), request);
  if (made.status != 201) {
    return unreachable_error(target.url, "cannot be configured as a webhook: " + made.body,
                             "the release may be older than admissionregistration.k8s.io/v1");
  }
  return std::make_unique<AdmissionEndpoint>(target, std::move(cluster));
}

}  // namespace nodebound
