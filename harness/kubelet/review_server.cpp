#include "harness/kubelet/review_server.h"

#include "fakes/apiserver/status.h"
#include "fakes/authentication/request_authenticator.h"
#include "fakes/encoding/media_type.h"
#include "fakes/encoding/protobuf.h"

namespace nodebound {
namespace {

// Which kind of review a path is of, in its own group and any version; empty: it is none.
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
  auto server = HttpsServer::start(options, *out);
  if (!server) return tl::unexpected(server.error());
  out->server_ = std::move(*server);
  return out;
}

void ReviewServer::say(const std::string& user, Says says) {
  const std::lock_guard lock(mutex_);
  says_[user] = std::move(says);
}

void ReviewServer::say_of_token(const std::string& token, ReviewedToken reviewed) {
  const std::lock_guard lock(mutex_);
  tokens_[token] = std::move(reviewed);
}

ReviewServer::Asked ReviewServer::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(asked_, {});
}

HttpResponse ReviewServer::handle(const IncomingRequest& request) {
  const GroupVersionKind kind = kind_of(request.target);
  if (kind.kind.empty() || request.method != "POST") {
    return failure(404, "NotFound", "the server could not find the requested resource");
  }
  const Object review = body_of(request, kind);
  const std::lock_guard lock(mutex_);
  if (!review.is_object()) {
    asked_.mistakes.push_back("a " + kind.kind + " that cannot be read");
    return failure(400, "BadRequest", "expected a " + kind.kind);
  }
  const Object& spec = member(review, "spec");
  HttpResponse response = kind.kind == "TokenReview" ? review_token(spec) : review_access(spec);
  if (response.status != 201) return response;
  Object answer = Object::parse(response.body);
  answer["apiVersion"] = kind.group_version();
  answer["kind"] = kind.kind;
  answer["spec"] = spec;
  response.body = answer.dump();
  return response;
}

HttpResponse ReviewServer::review_access(const Object& spec) {
  const Object& asked = member(spec, "resourceAttributes");
  const std::string verb(text(asked, "verb"));
  const std::string subresource(text(asked, "subresource"));
  const std::string review = verb + " " + subresource;
  asked_.access.push_back(review);
  if (node_.empty()) node_ = text(asked, "name");
  if (text(asked, "resource") != "nodes" || text(asked, "name") != node_ || !text(asked, "group").empty() ||
      text(asked, "version") != "v1" || !text(asked, "namespace").empty()) {
    asked_.mistakes.push_back("an access review that is not about nodes/" + node_ + ": " + asked.dump());
  }
  const Says says = says_[std::string(text(spec, "user"))];
  if (const auto found = says.fails.find(review); found != says.fails.end()) {
    return failure(found->second, "Unknown", "as the scenario has it");
  }
  Object status{{"allowed", covers(says.grants, verb, subresource)}};
  if (covers(says.denies, verb, subresource)) status["denied"] = true;
  return {201, "application/json", Object{{"status", status}}.dump(), {}};
}

HttpResponse ReviewServer::review_token(const Object& spec) {
  const std::string token(text(spec, "token"));
  asked_.tokens.push_back(token);
  const auto found = tokens_.find(token);
  Object status = Object::object();
  if (found != tokens_.end() && found->second.status != 0) {
    return failure(found->second.status, "Unknown", "as the scenario has it");
  }
  if (found == tokens_.end()) {
    status["error"] = "invalid bearer token";
  } else if (found->second.verdict.subject) {
    status = {{"authenticated", true}, {"user", to_user_info(*found->second.verdict.subject)}};
  } else if (!found->second.verdict.error.empty()) {
    status["error"] = found->second.verdict.error;
  }
  return {201, "application/json", Object{{"status", status}}.dump(), {}};
}

}  // namespace nodebound
