#include "harness/kubelet/cluster/review_server.h"

#include <algorithm>

#include "fakes/apiserver/status.h"
#include "fakes/authentication/request_authenticator.h"
#include "fakes/wire/media_type.h"
#include "fakes/wire/protobuf/protobuf.h"

namespace nodebound::kubelet_conformance {
namespace {

// The kind of review of a path, in its own group and any version; empty: no review.
GroupVersionKind kind_of(std::string_view target) {
  for (const auto& [group, resource, kind] :
       {std::tuple{"authentication.k8s.io", "tokenreviews", "TokenReview"},
        std::tuple{"authorization.k8s.io", "subjectaccessreviews", "SubjectAccessReview"}}) {
    for (const char* version : {"v1", "v1beta1"}) {
      const std::string path = std::string("/apis/") + group + "/" + version + "/" + resource;
      if (target.substr(0, target.find('?')) == path) return {group, version, kind};
    }
  }
  return {};
}

Object body_of(const IncomingRequest& request, const GroupVersionKind& kind) {
  if (media_type_of(request.header("content-type")) != MediaType::protobuf) {
    return Object::parse(request.body, nullptr, false);
  }
  const auto envelope = read_envelope(request.body);
  if (!envelope) return nullptr;
  return read_message(kind, envelope->raw).value_or(nullptr);
}

bool group_has(const Object& spec, const std::string& group) {
  const Object& groups = member(spec, "groups");
  return groups.is_array() && std::find(groups.begin(), groups.end(), group) != groups.end();
}

bool says_nothing(const Object& value) {
  return value.empty() || is_empty_text(value);
}

HttpResponse failed(const FailedReview& how) {
  if (how.status == 0) {
    HttpResponse out;
    out.network_fault.lost = true;
    return out;
  }
  HttpResponse out = apiserver::failure(how.status, "Unknown", "as the scenario has it");
  if (!how.retry_after.empty()) out.headers["retry-after"] = how.retry_after;
  return out;
}

HttpResponse reviewed_as(const Object& status) {
  return {201, "application/json", Object{{"status", status}}.dump(), {}};
}

}  // namespace

bool covers(const ReviewNames& reviews, std::string_view verb, std::string_view subresource) {
  const std::string asked_verb(verb);
  const std::string asked_subresource(subresource);
  return reviews.contains(asked_verb + " " + asked_subresource) || reviews.contains("* " + asked_subresource) ||
         reviews.contains(asked_verb + " *") || reviews.contains("* *");
}

Result<std::unique_ptr<ReviewServer>> ReviewServer::start(const CertificateAuthority& authority, std::uint16_t port,
                                                          std::string node) {
  std::unique_ptr<ReviewServer> out(new ReviewServer(std::move(node)));
  const auto certificate = authority.issue_server({"127.0.0.1", "localhost"});
  if (!certificate) return tl::unexpected(certificate.error());
  HttpsServerOptions options;
  options.port = port;
  options.certificate_pem = certificate->certificate_pem;
  options.key_pem = certificate->key_pem;
  options.threads = 32;  // a review that waits for others occupies its thread
  auto server = HttpsServer::start(options, *out);
  if (!server) return tl::unexpected(server.error());
  out->server_ = std::move(*server);
  return out;
}

void ReviewServer::expect(const RuleSet& rules) {
  const std::lock_guard lock(mutex_);
  rules_ = &rules;
}

void ReviewServer::say(Says says) {
  const std::lock_guard lock(mutex_);
  const std::string name = says.who.name;
  says_[name] = std::move(says);
}

void ReviewServer::say_of_token(const std::string& token, ReviewedToken reviewed) {
  const std::lock_guard lock(mutex_);
  tokens_[token] = std::move(reviewed);
}

void ReviewServer::say_of_crowd(const std::string& prefix, ReviewNames grants) {
  const std::lock_guard lock(mutex_);
  crowd_ = prefix;
  crowd_grants_ = std::move(grants);
}

ReviewServer::Asked ReviewServer::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(asked_, {});
}

void ReviewServer::mistake(Rule rule, const std::string& what) {
  asked_.mistakes.push_back({rule, what});
}

HttpResponse ReviewServer::handle(const IncomingRequest& request) {
  const GroupVersionKind kind = kind_of(request.target);
  if (kind.kind.empty() || request.method != "POST") {
    return apiserver::failure(404, "NotFound", "the server could not find the requested resource");
  }
  const Object review = body_of(request, kind);
  std::unique_lock lock(mutex_);
  if (!review.is_object()) {
    mistake(Rule::kubelet_review_v1, "a " + kind.kind + " that cannot be read");
    return apiserver::failure(400, "BadRequest", "expected a " + kind.kind);
  }
  check_version(kind, review);
  const Object& spec = member(review, "spec");
  HttpResponse response = kind.kind == "TokenReview" ? review_token(spec, lock) : review_access(spec);
  if (response.status != 201) return response;
  Object answer = Object::parse(response.body);
  answer["apiVersion"] = kind.group_version();
  answer["kind"] = kind.kind;
  answer["spec"] = spec;
  response.body = answer.dump();
  return response;
}

void ReviewServer::check_version(const GroupVersionKind& kind, const Object& review) {
  const bool right = kind.version == (in_force(Rule::kubelet_review_v1) ? "v1" : "v1beta1");
  // A protobuf review has its version in the envelope only, and the request's path names it too.
  const std::string_view own = text(review, "apiVersion");
  if (!right || (!own.empty() && own != kind.group_version())) {
    mistake(Rule::kubelet_review_v1, "a " + kind.kind + " of " + kind.version);
  }
}

// A kubelet chooses only verb and subresource; version, resource and Node are fixed. Any other attribute is noted as
// wrong.
void ReviewServer::check_attributes(const Object& asked) {
  if (node_.empty()) node_ = text(asked, "name");
  Object rest = Object::object();
  for (const auto& [key, value] : asked.items()) {
    if (key != "verb" && key != "subresource" && !is_empty_text(value)) rest[key] = value;
  }
  const Object expected{{"version", "v1"}, {"resource", "nodes"}, {"name", node_}};
  if (rest != expected) {
    mistake(Rule::kubelet_review_node, "an access review of " + rest.dump() + ", expected " + expected.dump());
  }
}

void ReviewServer::check_subject(const Object& spec, const Says& says) {
  const auto compare = [&](const char* what, const Object& expected, Rule rule) {
    const Object& found = member(spec, what);
    if (says_nothing(expected) ? !says_nothing(found) : found != expected) {
      mistake(rule,
              std::string("an access review with ") + what + " " + found.dump() + ", expected " + expected.dump());
    }
  };
  compare("groups", says.who.groups, says.known_by);
  compare("uid", in_force(Rule::kubelet_review_uid) ? says.who.uid : "", Rule::kubelet_review_uid);
  const bool certificate = says.known_by == Rule::kubelet_client_certificate;
  compare("extra", says.who.extra, certificate ? Rule::kubelet_credential_id : says.known_by);
}

HttpResponse ReviewServer::review_access(const Object& spec) {
  const Object& asked = member(spec, "resourceAttributes");
  const std::string verb(text(asked, "verb"));
  const std::string subresource(text(asked, "subresource"));
  const std::string review = verb + " " + subresource;
  const std::string user(text(spec, "user"));
  check_attributes(asked);
  if (!member(spec, "nonResourceAttributes").is_null()) {
    mistake(Rule::kubelet_review_node, "an access review of a path as well: " + spec.dump());
  }
  if (is_of_crowd(user)) return reviewed_as({{"allowed", covers(crowd_grants_, verb, subresource)}});
  asked_.access.push_back(review);
  const auto found = says_.find(user);
  if (found == says_.end()) {
    mistake(Rule::kubelet_authentication, "an access review of \"" + user + "\", who did not ask");
    return reviewed_as({{"allowed", false}});
  }
  Says& says = found->second;
  check_subject(spec, says);
  if (const auto fails = says.fails.find(review); fails != says.fails.end()) {
    const FailedReview how = fails->second;
    if (how.times > 0 && --fails->second.times == 0) says.fails.erase(fails);
    return failed(how);
  }
  bool allowed = covers(says.grants, verb, subresource);
  for (const auto& [group, grants] : says.group_grants) {
    allowed = allowed || (group_has(spec, group) && covers({grants.begin(), grants.end()}, verb, subresource));
  }
  Object status{{"allowed", allowed}};
  if (covers(says.denies, verb, subresource)) status["denied"] = true;
  return reviewed_as(status);
}

ReviewedToken ReviewServer::reviewed(const std::string& token) const {
  if (is_of_crowd(token)) return {{Subject{token, {}, "", {}}, ""}, 0, 0};
  const auto found = tokens_.find(token);
  return found == tokens_.end() ? ReviewedToken{{std::nullopt, "invalid bearer token"}, 0, 0} : found->second;
}

HttpResponse ReviewServer::review_token(const Object& spec, std::unique_lock<std::mutex>& lock) {
  const std::string token(text(spec, "token"));
  asked_.tokens.push_back(token);
  for (const auto& [key, value] : spec.items()) {
    if (key != "token" && !value.empty()) mistake(Rule::kubelet_token_audience, "a TokenReview with " + key);
  }
  const ReviewedToken out = reviewed(token);
  if (out.hold > 0) {
    came_.notify_all();
    came_.wait_for(lock, std::chrono::seconds(1), [&] {
      return std::count(asked_.tokens.begin(), asked_.tokens.end(), token) >= static_cast<std::ptrdiff_t>(out.hold);
    });
  }
  if (out.status != 0) return failed({out.status, "", 0});
  Object status = Object::object();
  if (out.verdict.subject) {
    status = {{"authenticated", true}, {"user", authentication::to_user_info(*out.verdict.subject)}};
  } else if (!out.verdict.error.empty()) {
    status["error"] = out.verdict.error;
  }
  return reviewed_as(status);
}

}  // namespace nodebound::kubelet_conformance
