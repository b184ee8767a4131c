#include "harness/endpoint/authorizer/authorizer_endpoint.h"

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/cluster/object.h"
#include "reference/encoding/json_depth.h"

namespace nodebound {
namespace {

constexpr std::string_view reviews_path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

HttpResponse in_json(int status, const Object& body) {
  HttpResponse response;
  response.status = status;
  response.content_type = "application/json";
  response.body = json_text(body);
  return response;
}

HttpResponse review_with(const AccessAnswer& answer) {
  using Opinion = AccessAnswer::Opinion;
  if (answer.opinion == Opinion::error) {
    return in_json(500, {{"kind", "Status"},
                         {"apiVersion", "v1"},
                         {"status", "Failure"},
                         {"reason", "InternalError"},
                         {"code", 500},
                         {"message", "the authorizer failed: " + answer.reason}});
  }
  HttpResponse response;
  response.status = 201;
  response.content_type = "application/json";
  response.body = R"({"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","status":{"allowed":)";
  response.body += answer.opinion == Opinion::allow ? "true" : "false";
  if (answer.opinion == Opinion::deny) response.body += R"(,"denied":true)";
  if (!answer.reason.empty()) response.body += R"(,"reason":)" + json_text(Object(answer.reason));
  response.body += "}}";
  return response;
}

// The object's own text with its type before it: it is most of what a program is told.
std::string with_type(const Change& change, const std::string& group_version, const std::string& kind) {
  const ObjectPtr object = change.object.open();
  if (object->contains("apiVersion") || object->contains("kind") || object->empty()) {
    Object typed = *object;
    typed["apiVersion"] = group_version;
    typed["kind"] = kind;
    return json_text(typed);
  }
  const std::string own = change.json();
  std::string out;
  out.reserve(own.size() + group_version.size() + kind.size() + 32);
  // No name of a type needs to be escaped.
  out.append(R"({"apiVersion":")").append(group_version).append(R"(","kind":")").append(kind).append("\",");
  return out.append(own, 1);
}

/// Everything but a SubjectAccessReview is for the cluster.
class AuthorizerSession final : public Session {
 public:
  AuthorizerSession(apiserver::ApiServer& server, AccessDecider& decider) : server_(server), decider_(decider) {}

  Result<HttpResponse> send(const Subject& subject, const HttpRequest& request) override {
    if (auto broken = decider_.broken()) return tl::unexpected<Error>(std::move(*broken));
    if (request.method != "POST" || request.target != reviews_path) return ask_cluster(subject, request);
    if (request.body.find("Selector\"") != std::string::npos) {
      // An API server does not ask its authorizers about a review whose selectors are invalid.
      HttpResponse checked = ask_cluster(subject, request);
      if (checked.status >= 400) return checked;
    }
    const std::string_view spec = plain_spec(request.body);
    const Result<AccessAnswer> answer = decider_.decide(
        spec.empty() ? json_text(member(Object::parse(request.body, nullptr, false), "spec")) : std::string(spec));
    if (!answer) return tl::unexpected<Error>(answer.error());
    return review_with(*answer);
  }

 private:
  HttpResponse ask_cluster(const Subject& subject, const HttpRequest& request) {
    if (!request.accept.empty()) return server_.handle(subject, request);
    HttpRequest asked = request;
    asked.accept = "application/json";
    return server_.handle(subject, asked);
  }

  apiserver::ApiServer& server_;
  AccessDecider& decider_;
};

Capabilities of_authorizer(ObjectsReach reach) {
  Capabilities out = {Capability::access_review, Capability::objects};
  out = out.without(Capability::request, "an authorizer alone answers no requests to the Kubernetes API")
            .without(Capability::admission, "an authorizer alone has no admission")
            .without(Capability::own_server, "an authorizer alone has no API server to start");
  if (reach != ObjectsReach::never) return out;
  return out.without(Capability::objects, "the target does not learn of objects");
}

class AuthorizerEndpoint final : public Endpoint {
 public:
  AuthorizerEndpoint(std::string name, std::shared_ptr<AuthorizerCluster> cluster,
                     std::shared_ptr<AccessDecider> decider, ObjectsReach reach)
      : name_(std::move(name)), cluster_(std::move(cluster)), decider_(std::move(decider)), reach_(reach) {
    const Release& release = cluster_->rules().release();
    observed_.version = "v" + release.version.text();
    for (std::string& version : ApiResources(release).group_versions()) {
      observed_.api_versions.insert(std::move(version));
    }
    cluster_->tell(reach_ == ObjectsReach::at_once ? decider_ : nullptr);
  }

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] const Observation& observed() const override { return observed_; }
  [[nodiscard]] Capabilities capabilities() const override { return of_authorizer(reach_); }
  [[nodiscard]] const Subject& administrator() const override { return administrator_; }
  [[nodiscard]] bool decides_on_latest_state() const override { return reach_ != ObjectsReach::by_watching; }
  [[nodiscard]] bool must_learn_of_writes() const override { return reach_ == ObjectsReach::by_watching; }
  [[nodiscard]] bool disposable() const override { return true; }
  [[nodiscard]] Result<void> finish() override { return decider_->finish(); }
  std::unique_ptr<Session> open_session() override {
    return std::make_unique<AuthorizerSession>(cluster_->server(), *decider_);
  }

 private:
  std::string name_;
  std::shared_ptr<AuthorizerCluster> cluster_;
  std::shared_ptr<AccessDecider> decider_;
  ObjectsReach reach_;
  Observation observed_;
  Subject administrator_{"nodebound-administrator", {"system:masters"}, {}, {}};
};

}  // namespace

std::string_view plain_spec(std::string_view review) {
  constexpr std::string_view head = R"({"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":)";
  if (!review.starts_with(head) || !review.ends_with("}}")) return {};
  review.remove_prefix(head.size());
  review.remove_suffix(1);
  const bool whole = review.starts_with('{') && closing_bracket(review) == review.size() - 1;
  return whole ? review : std::string_view();
}

/// Passes changes on. Those from before there is a decider are the first objects of the cluster.
class AuthorizerCluster::Follower final : public apiserver::AccessControl {
 public:
  explicit Follower(std::shared_ptr<const ApiResources> resources) : resources_(std::move(resources)) {
    for (const ApiResource& resource : resources_->all()) {
      types_.try_emplace({resource.group, resource.resource}, resource.group_version, resource.kind);
    }
  }

  void changed(const ObjectKey& key, const Change& change) override {
    const std::lock_guard lock(mutex_);
    if (!decider_ && !first_) return;
    const auto type = types_.find({key.group, key.resource});
    // No authorizer decides by custom resources.
    if (type == types_.end()) return;
    ObjectEvent event{change.kind, with_type(change, type->second.first, type->second.second)};
    if (decider_) return decider_->changed(event);
    first_->push_back(std::move(event));
  }

  void tell(std::shared_ptr<AccessDecider> decider) {
    const std::lock_guard lock(mutex_);
    decider_ = std::move(decider);
    if (first_ && decider_) {
      for (const ObjectEvent& event : *first_) decider_->changed(event);
    }
    first_.reset();
  }

 private:
  const std::shared_ptr<const ApiResources> resources_;
  std::map<std::pair<std::string, std::string>, std::pair<std::string, std::string>> types_;
  std::mutex mutex_;
  std::shared_ptr<AccessDecider> decider_;
  std::optional<std::vector<ObjectEvent>> first_ = std::vector<ObjectEvent>();
};

AuthorizerCluster::AuthorizerCluster(const RuleSet& rules, apiserver::ApiServer::Options options)
    : rules_(rules), follower_(std::make_shared<Follower>(options.resources)) {
  options.access_control = follower_;
  server_ = std::make_unique<apiserver::ApiServer>(rules, options);
}

AuthorizerCluster::~AuthorizerCluster() = default;

void AuthorizerCluster::tell(std::shared_ptr<AccessDecider> decider) {
  follower_->tell(std::move(decider));
}

apiserver::ApiServer::Options options_of_authorizer_cluster(const RuleSet& rules) {
  apiserver::ApiServer::Options options;
  options.namespaces_first = true;
  options.clock = [] { return std::chrono::system_clock::now(); };
  options.resources = std::make_shared<const ApiResources>(rules.release(), RuntimeConfig::api_all);
  return options;
}

std::unique_ptr<Endpoint> make_authorizer_endpoint(std::string name, std::shared_ptr<AuthorizerCluster> cluster,
                                                   std::shared_ptr<AccessDecider> decider, ObjectsReach reach) {
  return std::make_unique<AuthorizerEndpoint>(std::move(name), std::move(cluster), std::move(decider), reach);
}

}  // namespace nodebound
