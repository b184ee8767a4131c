#include "harness/kubelet/cluster/rbac_cluster.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <thread>

#include "harness/endpoint/signals.h"
#include "harness/guest/guest_session.h"
#include "reference/kubelet/attributes.h"

namespace nodebound::kubelet_conformance {
namespace {

constexpr std::chrono::seconds patience{20};
constexpr const char* own_namespace = "kubelets";
constexpr int token_seconds = 600;  // the minimum that an API server accepts

// RBAC has no pattern for all subresources of one resource, so they are listed.
constexpr std::array subresources = {"proxy", "pods",    "healthz", "configz",   "stats",
                                     "log",   "metrics", "spec",    "checkpoint"};

// The rule of a ClusterRole that grants an access such as `get pods` on one Node.
Object policy_rule(const std::string& review, const std::string& node) {
  const std::size_t blank = review.find(' ');
  const std::string subresource = review.substr(blank + 1);
  Object resources = Object::array();
  if (subresource != "*") {
    resources.push_back("nodes/" + subresource);
  } else {
    for (const char* each : subresources) resources.push_back(std::string("nodes/") + each);
  }
  return {{"apiGroups", {""}},
          {"resources", std::move(resources)},
          {"resourceNames", {node}},
          {"verbs", {review.substr(0, blank)}}};
}

Object policy_rules(const std::vector<std::string>& grants, const std::string& node) {
  Object out = Object::array();
  for (const std::string& one : grants) out.push_back(policy_rule(one, node));
  return out;
}

// Rights that would make a token worth stealing. An empty name means any object.
constexpr std::array coveted = {
    std::array{"*", "*", "", ""},
    std::array{"get", "secrets", "", ""},
    std::array{"create", "pods", "", ""},
    std::array{"get", "nodes", "proxy", ""},
    std::array{"create", "nodes", "proxy", ""},
    std::array{"impersonate", "users", "", ""},
    std::array{"create", "serviceaccounts", "token", ""},
};

bool needs_authority(CallerText::Shows shows) {
  return shows == CallerText::Shows::expired || shows == CallerText::Shows::not_yet_valid ||
         shows == CallerText::Shows::server_usage || shows == CallerText::Shows::no_common_name;
}

// If only the caller's identity matters, a token proves it as well as a certificate.
bool could_show_a_token(const KubeletScenario& scenario, const KubeletStep& step) {
  static const Object::json_pointer webhook("/authentication/webhook/enabled");
  if (!scenario.config.value(webhook, true)) return false;
  const auto is_about_certificates = [](Rule rule) { return rule == Rule::kubelet_client_certificate; };
  return step.as.shows == CallerText::Shows::certificate &&
         std::none_of(step.rules.begin(), step.rules.end(), is_about_certificates);
}

// Turns text into a valid object name.
std::string object_name(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::isalnum(c) != 0 ? std::tolower(c) : '-'); });
  return text;
}

Action change(RequestText target, Object body) {
  return {Action::Kind::change, std::move(target), std::move(body), "", 0};
}

}  // namespace

RbacCluster::RbacCluster(Endpoint& endpoint, const RuleSet& server_rules, const RuleSet& rules,
                         journal::Journal& journal, RbacClusterOptions options, CertificateAuthority throwaway)
    : rules_(rules),
      options_(std::move(options)),
      resources_(server_rules.release()),
      names_(options_.run_id, 0, {endpoint.observed().api_versions, resources_}),
      session_(guest::open_run_session(endpoint, "", options_.run_id, true)),
      administrator_(endpoint, *session_, names_, journal),
      throwaway_(std::move(throwaway)) {}

Result<std::unique_ptr<RbacCluster>> RbacCluster::open(Endpoint& endpoint, const RuleSet& server_rules,
                                                       const RuleSet& rules, journal::Journal& journal,
                                                       RbacClusterOptions options) {
  auto throwaway = CertificateAuthority::create("nodebound-throwaway");
  if (!throwaway) return tl::unexpected(throwaway.error());
  std::unique_ptr<RbacCluster> out(
      new RbacCluster(endpoint, server_rules, rules, journal, std::move(options), std::move(*throwaway)));
  const CertificateAuthority& authority = out->options_.authority ? *out->options_.authority : out->throwaway_;
  auto callers = KubeletCallers::create(authority, "nodebound-" + out->options_.run_id + "-");
  if (!callers) return tl::unexpected(callers.error());
  out->callers_.emplace(std::move(*callers));
  if (out->options_.issue) out->issued_.emplace(out->options_.issue);
  if (auto looked = out->look_at_service_accounts(); !looked) return tl::unexpected(looked.error());
  return out;
}

Result<void> RbacCluster::look_at_service_accounts() {
  const std::string in = names_.namespace_name(own_namespace);
  const Subject any{"system:serviceaccount:" + in + ":any",
                    {"system:serviceaccounts", "system:serviceaccounts:" + in, "system:authenticated"},
                    "",
                    {}};
  for (const auto& [verb, resource, subresource, namespace_] : coveted) {
    const Object asked = {{"verb", verb},
                          {"resource", resource},
                          {"subresource", subresource},
                          {"group", std::string(resource) == "*" ? "*" : ""},
                          {"namespace", namespace_}};
    const auto allowed = reviewed(any, asked);
    if (!allowed) return tl::unexpected(allowed.error());
    if (!*allowed) continue;
    worth_of_tokens_ = std::string("no token is shown to it: every service account of the cluster may ") + verb + " " +
                       resource + (*subresource == '\0' ? "" : "/") + subresource;
    break;
  }
  return {};
}

void RbacCluster::begin(const KubeletScenario& /*scenario*/, const RuleSet& /*rules*/) {
  const auto revoked = revoke_tokens();
  failure_ = revoked ? std::string() : revoked.error().text();
}

Result<void> RbacCluster::revoke_tokens() {
  for (; !secrets_.empty(); secrets_.pop_back()) {
    const Action deletion{Action::Kind::remove, secrets_.back(), Object(), "", 0};
    if (auto done = administrator_.perform(deletion); !done) return done;
  }
  return {};
}

std::string RbacCluster::cannot(const KubeletScenario& scenario, const KubeletStep& step) const {
  const CallerText::Shows shows = step.as.shows;
  const auto token = scenario.tokens.find(step.as.name());
  const bool fails = token != scenario.tokens.end() && token->second.status != 0;
  if (!step.denies.empty() || !step.fails.empty() || fails) {
    return "a cluster's own reviews neither deny nor fail: it needs reviews of the suite (--kubelet-files)";
  }
  if (!step.group_grants.empty()) return "on a cluster of others nothing is granted to whole groups";
  if (step.crowd > 0) return "a cluster of others does not make so many tokens";
  const bool instead = step.as.has_good_certificate() && !has_certificates();
  if (instead && !could_show_a_token(scenario, step)) {
    return "certificates are issued with --identity=ca or csr";
  }
  if (!worth_of_tokens_.empty() && (step.as.has_good_token() || instead)) return worth_of_tokens_;
  if (needs_authority(shows) && !options_.authority) return "such certificates are issued with --identity=ca";
  const bool anonymous = shows == CallerText::Shows::nobody || shows == CallerText::Shows::basic ||
                         shows == CallerText::Shows::no_common_name;
  if (anonymous && !step.grants.empty()) return "nothing is granted to system:anonymous on a cluster of others";
  return {};
}

Result<KubeletCallers::Caller> RbacCluster::caller(const KubeletScenario& scenario, const CallerText& who) {
  if (!failure_.empty()) return unreachable_error("the cluster", failure_);
  const bool is_good = who.has_good_certificate();
  if (is_good && !has_certificates()) {
    const std::string name = who.name();
    if (auto made = make_token(scenario, name, name); !made) return tl::unexpected(made.error());
    return callers_->caller(scenario, {CallerText::Shows::token, name}, rules_);
  }
  const auto token = scenario.tokens.find(who.name());
  if (who.has_good_token() && token != scenario.tokens.end() && token->second.verdict.subject) {
    const auto made = make_token(scenario, token->first, token->second.verdict.subject->name);
    if (!made) return tl::unexpected(made.error());
  }
  auto out = callers_->caller(scenario, who, rules_);
  if (!out || options_.authority || !is_good) return out;
  if (failure_of_issuing_) return tl::unexpected(*failure_of_issuing_);
  const auto issued = issued_->of(Subject{out->subject.name, {"nodebound"}, "", {}});
  if (!issued) {
    failure_of_issuing_ = issued.error();
    return tl::unexpected(issued.error());
  }
  out->credentials.certificate_pem = issued->certificate_pem;
  out->credentials.key_pem = issued->key_pem;
  return out;
}

Result<void> RbacCluster::make_token(const KubeletScenario& scenario, const std::string& name,
                                     const std::string& user) {
  if (callers_->has_token(scenario, name)) return {};
  const std::string account = object_name(scenario.id + "-" + user);
  const auto target = parse_request("create serviceaccounts/" + account + " -n " + own_namespace);
  if (!target) return tl::unexpected(target.error());
  const std::string path = names_.path(*target);
  const auto there = administrator_.send("GET", path, Object());
  if (there && there->status == 404) {
    if (auto made = administrator_.create(*target, Object::object()); !made) return made;
  }
  const auto secret =
      parse_request("create secrets/token-" + std::to_string(++tokens_) + " -n " + std::string(own_namespace));
  if (!secret) return tl::unexpected(secret.error());
  if (auto made = administrator_.create(*secret, Object::object()); !made) return made;
  secrets_.push_back(*secret);
  const Object request = {
      {"apiVersion", "authentication.k8s.io/v1"},
      {"kind", "TokenRequest"},
      {"spec",
       {{"expirationSeconds", token_seconds},
        {"boundObjectRef", {{"apiVersion", "v1"}, {"kind", "Secret"}, {"name", names_.object_name(*secret)}}}}}};
  const auto answer = administrator_.send("POST", path + "/token", request);
  if (!answer) return tl::unexpected(answer.error());
  const Object body = Object::parse(answer->body, nullptr, false);
  const std::string token(text(body, "status", "token"));
  if (token.empty()) return unreachable_error(path + "/token", "HTTP " + std::to_string(answer->status));
  callers_->use_token(scenario, name, token,
                      "system:serviceaccount:" + names_.namespace_name(own_namespace) + ":" + account);
  return {};
}

Result<void> RbacCluster::say(const KubeletCallers::Caller& caller, const KubeletStep& step) {
  if (caller.subject.name == "system:anonymous") return {};
  if (auto granted = grant(caller.subject.name, policy_rules(step.grants, options_.node)); !granted) return granted;
  const ReviewNames grants(step.grants.begin(), step.grants.end());
  const std::string path = step.target.substr(0, step.target.find('?'));
  for (const Attributes& asked : kubelet_attributes(step.method, path, options_.node, rules_)) {
    const bool wanted = covers(grants, asked.verb, asked.subresource);
    const auto end = std::chrono::steady_clock::now() + patience;
    for (;;) {
      const auto allowed = reviewed({caller.subject.name, {}, "", {}}, {{"verb", asked.verb},
                                                                        {"version", "v1"},
                                                                        {"resource", "nodes"},
                                                                        {"subresource", asked.subresource},
                                                                        {"name", asked.name}});
      if (!allowed) return tl::unexpected(allowed.error());
      if (*allowed == wanted) break;
      if (interrupted() || std::chrono::steady_clock::now() > end) {
        return unreachable_error("the cluster", std::string(*allowed ? "allows " : "does not allow ") +
                                                    caller.subject.name + " to " + asked.verb + " nodes/" +
                                                    asked.subresource + ", whatever its ClusterRole " +
                                                    roles_[caller.subject.name] + " says");
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  return {};
}

Result<void> RbacCluster::withdraw(const KubeletCallers::Caller& caller) {
  if (!roles_.contains(caller.subject.name)) return {};
  return grant(caller.subject.name, Object::array());
}

Result<void> RbacCluster::grant(const std::string& user, const Object& policy_rules) {
  const bool known = roles_.contains(user);
  const std::string name = known ? roles_[user] : "kubelet-user-" + std::to_string(roles_.size() + 1);
  const auto role = parse_request("create clusterroles/" + name);
  const auto binding = parse_request("create clusterrolebindings/" + name);
  if (!role || !binding) return tl::unexpected((role ? binding : role).error());
  const Object rules = {{"rules", policy_rules}};
  if (known) return administrator_.perform(change(*role, rules));
  roles_[user] = name;
  if (auto made = administrator_.create(*role, rules); !made) return made;
  const Object subject = {{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", "User"}, {"name", user}};
  return administrator_.create(
      *binding,
      {{"roleRef",
        {{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", "ClusterRole"}, {"name", names_.object_name(*role)}}},
       {"subjects", {subject}}});
}

Result<bool> RbacCluster::reviewed(const Subject& user, const Object& attributes) {
  const Object review = {{"apiVersion", "authorization.k8s.io/v1"},
                         {"kind", "SubjectAccessReview"},
                         {"spec", {{"user", user.name}, {"groups", user.groups}, {"resourceAttributes", attributes}}}};
  const auto answer = administrator_.send("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", review);
  if (!answer) return tl::unexpected(answer.error());
  if (answer->status == 201) return is_true(Object::parse(answer->body, nullptr, false), "status", "allowed");
  return unreachable_error("subjectaccessreviews", "HTTP " + std::to_string(answer->status));
}

}  // namespace nodebound::kubelet_conformance
