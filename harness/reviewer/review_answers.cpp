#include "harness/reviewer/review_answers.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "fakes/apiserver/review/access_control.h"
#include "fakes/apiserver/review/access_question.h"
#include "fakes/apiserver/review/kinds_of_owners.h"
#include "fakes/wire/go/json.h"
#include "reference/authorizer/authorizer_chain.h"
#include "reference/encoding/base64.h"

namespace nodebound::reviewer {
namespace {

constexpr std::array<std::string_view, 2> access_versions = {"authorization.k8s.io/v1", "authorization.k8s.io/v1beta1"};
constexpr std::array<std::string_view, 2> admission_versions = {"admission.k8s.io/v1", "admission.k8s.io/v1beta1"};

HttpResponse in_text(int status, std::string words) {
  HttpResponse out;
  out.status = status;
  out.content_type = "text/plain";
  out.body = std::move(words) + "\n";
  return out;
}

std::optional<Operation> operation_of(std::string_view word) {
  for (const Operation each : {Operation::create, Operation::update, Operation::remove, Operation::connect}) {
    if (word == to_string(each)) return each;
  }
  return std::nullopt;
}

template <typename Texts>
bool among(const Texts& texts, std::string_view text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

Subject subject_of_review(const Object& user) {
  Subject out{
      std::string(text(user, "username")), strings_of(member(user, "groups")), std::string(text(user, "uid")), {}};
  for (const auto& [key, values] : member(user, "extra").items()) out.extra[key] = strings_of(values);
  return out;
}

}  // namespace

/// The authorizers and plugins that decide by one cluster.
struct ReviewAnswers::Deciders {
  Deciders(const RuleSet& rules, const Cluster& cluster, const Options& options) {
    apiserver::AccessControl control;
    const apiserver::AuthorizerInputs inputs{rules, cluster};
    for (const AuthorizationMode mode : options.modes) authorizers.push_back(control.authorizer(mode, inputs));
    std::vector<const Authorizer*> members;
    for (const AuthorizationMode mode : {AuthorizationMode::node, AuthorizationMode::rbac}) {
      of_plugins.push_back(control.authorizer(mode, inputs));
      members.push_back(of_plugins.back().get());
    }
    chain_of_plugins = std::make_unique<AuthorizerChain>(rules, std::move(members));
    const FindKind find_kind = apiserver::kinds_of_owners(rules.release(), RuntimeConfig::defaults, cluster);
    plugins = control.plugins({rules, cluster, *chain_of_plugins, find_kind, options.plugins, options.placement});
    std::erase_if(plugins, [&](const auto& plugin) { return !options.plugins.contains(std::string(plugin->name())); });
  }

  std::vector<std::unique_ptr<Authorizer>> authorizers;
  std::vector<std::unique_ptr<Authorizer>> of_plugins;
  std::unique_ptr<Authorizer> chain_of_plugins;
  std::vector<std::unique_ptr<AdmissionPlugin>> plugins;
};

ReviewAnswers::ReviewAnswers(const RuleSet& rules, const FollowedCluster& cluster, Options options)
    : cluster_(cluster), options_(std::move(options)) {
  for (std::size_t i = 0; i < deciders_.size(); ++i) {
    deciders_[i] = std::make_unique<Deciders>(rules, cluster.clusters()[i], options_);
  }
}

ReviewAnswers::~ReviewAnswers() = default;

const ReviewAnswers::Deciders& ReviewAnswers::deciders_on(const Cluster& cluster) const {
  return *deciders_[&cluster == cluster_.clusters().data() ? 0 : 1];
}

HttpResponse ReviewAnswers::answer(const std::string& body, Webhook webhook) const {
  const auto review = read_json(body);
  if (!review) return in_text(400, "the body is not JSON: " + review.error());
  const std::string_view kind = text(*review, "kind");
  const std::string_view version = text(*review, "apiVersion");
  Object answered;
  if (kind == "SubjectAccessReview" && among(access_versions, version)) {
    if (!member(*review, "spec").is_object()) return in_text(400, "the SubjectAccessReview has no spec");
    answered = {{"status", access(member(*review, "spec"))}};
  } else if (kind == "AdmissionReview" && among(admission_versions, version)) {
    const Object& request = member(*review, "request");
    if (!operation_of(text(request, "operation"))) return in_text(400, "the AdmissionReview has no known operation");
    answered = {{"response", admission(request, webhook)}};
  } else {
    return in_text(400,
                   "expected a SubjectAccessReview of authorization.k8s.io/v1 or v1beta1, or an AdmissionReview of "
                   "admission.k8s.io/v1 or v1beta1");
  }
  answered["kind"] = kind;
  answered["apiVersion"] = version;
  HttpResponse out;
  out.status = 200;
  out.content_type = "application/json";
  out.body = answered.dump(-1, ' ', false, Object::error_handler_t::replace);
  return out;
}

Decision ReviewAnswers::decide(const Subject& subject, const Attributes& attributes) const {
  return cluster_.with([&](const Cluster& cluster) {
    Decision joined;
    for (const auto& authorizer : deciders_on(cluster).authorizers) {
      Decision decision = authorizer->authorize(subject, attributes);
      if (decision.outcome != Decision::Outcome::no_opinion) return decision;
      if (!joined.rule) joined.rule = decision.rule;
      if (!decision.reason.empty()) joined.reason += (joined.reason.empty() ? "" : ", ") + decision.reason;
    }
    return joined;
  });
}

Object ReviewAnswers::access(const Object& spec) const {
  const apiserver::AccessQuestion question = apiserver::access_question(spec);
  const Decision decision = decide(question.subject, question.attributes);
  Object status = {{"allowed", decision.allowed()}};
  if (decision.outcome == Decision::Outcome::deny) status["denied"] = true;
  if (!decision.reason.empty()) status["reason"] = decision.reason;
  if (!question.ignored_selectors.empty()) status["evaluationError"] = question.ignored_selectors;
  return status;
}

Object ReviewAnswers::admission(const Object& request, Webhook webhook) const {
  const Operation operation = *operation_of(text(request, "operation"));
  const Subject subject = subject_of_review(member(request, "userInfo"));
  const std::string subresource(text(request, "subResource"));
  // A review names the object that is created, the plugins expect the name in the URL.
  const bool named_by_url = operation != Operation::create || !subresource.empty();
  const Object& submitted = member(request, "object");
  Object completed = webhook == Webhook::mutating ? submitted : Object();
  const AdmissionRequest asked{operation,
                               subject,
                               std::string(text(request, "resource", "group")),
                               std::string(text(request, "resource", "resource")),
                               subresource,
                               std::string(text(request, "namespace")),
                               named_by_url ? std::string(text(request, "name")) : std::string(),
                               webhook == Webhook::mutating ? completed : submitted,
                               member(request, "oldObject"),
                               std::string(text(request, "resource", "version"))};
  Object response = {{"uid", text(request, "uid")}, {"allowed", true}};
  cluster_.with([&](const Cluster& cluster) {
    for (const auto& plugin : deciders_on(cluster).plugins) {
      Admission refused = webhook == Webhook::mutating ? plugin->complete(asked, completed) : std::nullopt;
      if (!refused) refused = plugin->admit(asked);
      if (!refused) continue;
      response["allowed"] = false;
      response["status"] = {{"code", refused->status}, {"message", refused->reason}};
      if (refused->status == 403) response["status"]["reason"] = "Forbidden";
      return;
    }
  });
  if (webhook == Webhook::mutating && response["allowed"] == true && completed != submitted) {
    response["patchType"] = "JSONPatch";
    response["patch"] = base64_encode(Object::diff(submitted, completed).dump());
  }
  return response;
}

}  // namespace nodebound::reviewer
