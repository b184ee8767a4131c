#include "harness/simulate/control_plane/certificate_controllers.h"

#include <algorithm>
#include <set>

#include "fakes/wire/certificates/openssl.h"
#include "fakes/wire/timestamp.h"
#include "reference/cluster/object.h"
#include "reference/encoding/base64.h"

namespace nodebound::simulate {
namespace {

constexpr std::string_view signer = "kubernetes.io/kube-apiserver-client-kubelet";
constexpr std::string_view user_prefix = "system:node:";

// pkg/controller/certificates/cleaner/cleaner.go
constexpr std::chrono::hours keep_approved{1};
constexpr std::chrono::hours keep_pending{24};

// The controllers' queues: the delay of the first look, and the longest back-off.
constexpr std::chrono::seconds first_look{1};
constexpr std::chrono::minutes looks_apart{15};

bool is_approved(const Object& request) {
  const Object& conditions = member(request, "status", "conditions");
  return std::any_of(conditions.begin(), conditions.end(),
                     [](const Object& condition) { return text(condition, "type") == "Approved"; });
}

std::string entry_of(X509_NAME* name, int nid, int at) {
  const ASN1_STRING* data =
      X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, X509_NAME_get_index_by_NID(name, nid, at)));
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(data)),
          static_cast<std::size_t>(ASN1_STRING_length(data))};
}

// The common name of a request whose only group is system:nodes; otherwise empty.
std::string node_user_of(const std::string& pem) {
  const auto request = openssl::parse_certificate_request("spec.request", pem);
  if (!request) return {};
  X509_NAME* const name = X509_REQ_get_subject_name(request->get());
  const int organization = X509_NAME_get_index_by_NID(name, NID_organizationName, -1);
  const bool one = organization >= 0 && X509_NAME_get_index_by_NID(name, NID_organizationName, organization) < 0;
  if (!one || entry_of(name, NID_organizationName, -1) != "system:nodes") return {};
  return X509_NAME_get_index_by_NID(name, NID_commonName, -1) < 0 ? std::string() : entry_of(name, NID_commonName, -1);
}

// pkg/apis/certificates/helpers.go
bool are_usages_of_kubelet_client(const Object& request) {
  std::set<std::string> usages;
  for (const Object& usage : member(request, "spec", "usages")) usages.insert(usage.get<std::string>());
  usages.erase("key encipherment");
  return usages == std::set<std::string>{"client auth", "digital signature"};
}

}  // namespace

CertificateControllers::CertificateControllers(ClusterAdministrator& administrator, EventQueue& events, Judged judged,
                                               Signed sign)
    : administrator_(administrator),
      events_(events),
      clock_(events.clock()),
      judged_(std::move(judged)),
      signed_(std::move(sign)) {}

void CertificateControllers::request_created() {
  look_at(clock_.now + first_look);
}

void CertificateControllers::look_at(fake_kubelet::KubeletTime time) {
  if (next_look_ && *next_look_ <= time) return;
  next_look_ = time;
  events_.add(time, [this, time]() -> Result<void> {
    if (next_look_ != time) return {};
    next_look_.reset();
    if (process_requests()) look_at(clock_.now + looks_apart);
    return {};
  });
}

std::optional<fake_kubelet::CertificateTime> CertificateControllers::certificate_of(const std::string& node) const {
  const auto found = certificates_.find(node);
  return found == certificates_.end() ? std::nullopt : std::optional(found->second);
}

bool CertificateControllers::authority_has_ended() const {
  return settings_.authority_ends && clock_.since_begin() >= *settings_.authority_ends;
}

// Before 1.18 there were no signers: the content of a request determined its purpose.
std::string CertificateControllers::node_of(const Object& request) const {
  const std::string_view wanted = text(request, "spec", "signerName");
  if (!wanted.empty() && wanted != signer) return {};
  if (!are_usages_of_kubelet_client(request)) return {};
  const std::string user = node_user_of(base64_decode(text(request, "spec", "request")).value_or(""));
  return user.starts_with(user_prefix) ? user.substr(user_prefix.size()) : std::string();
}

bool CertificateControllers::is_old(const Object& request) const {
  const auto made = seconds_of(text(request, "metadata", "creationTimestamp"));
  if (!made) return false;
  const auto age = clock_.now - fake_kubelet::KubeletTime(std::chrono::seconds(*made));
  return age > (is_approved(request) ? keep_approved : keep_pending);
}

bool CertificateControllers::process_requests() {
  const std::string resource = "certificatesigningrequests";
  const std::string version = administrator_.served_version(resource);
  const Object list = Object::parse(administrator_.call("GET", api_path(version, resource, "")).body, nullptr, false);
  bool again = false;
  for (const Object& object : member(list, "items")) {
    Request request{version, object, node_of(object)};
    if (request.node.empty()) continue;
    if (is_old(object)) {
      administrator_.call("DELETE", path_of(request, ""));
      continue;
    }
    again = true;
    if (!is_approved(object) && may_be_approved(request)) approve(request);
    if (is_approved(request.object) && text(request.object, "status", "certificate").empty()) sign(request);
  }
  return again;
}

// pkg/controller/certificates/approver/sarapprove.go: tries the renewal of a node's own certificate first, then a new
// one for any node.
bool CertificateControllers::may_be_approved(const Request& request) {
  const bool own = text(request.object, "spec", "username") == std::string(user_prefix) + request.node;
  const char* subresource = own ? "selfnodeclient" : "nodeclient";
  HttpResponse answer = review(request, subresource);
  if (own && answer.status == 403 && review(request, "nodeclient").status == 201) answer.status = 201;
  judged_(request.node, {"POST", path_of(request, subresource), "", ""}, answer);
  return answer.status == 201;
}

// 403 if the author of the request may not create such a subresource.
HttpResponse CertificateControllers::review(const Request& request, const std::string& subresource) {
  const Object& from = member(request.object, "spec");
  Object spec = {{"user", text(from, "username")},
                 {"resourceAttributes",
                  {{"group", "certificates.k8s.io"},
                   {"resource", "certificatesigningrequests"},
                   {"verb", "create"},
                   {"subresource", subresource},
                   {"version", "*"}}}};
  if (from.contains("groups")) spec["groups"] = from["groups"];
  if (from.contains("uid")) spec["uid"] = from["uid"];
  HttpResponse answer = administrator_.call("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews",
                                            {{"apiVersion", "authorization.k8s.io/v1"},
                                             {"kind", "SubjectAccessReview"},
                                             {"metadata", Object::object()},
                                             {"spec", spec}});
  const Object review = Object::parse(answer.body, nullptr, false);
  if (answer.status != 201 || member(review, "status", "allowed") == true) return answer;
  answer.status = 403;
  answer.body = "recognized csr as " + subresource + " but subject access review was not approved";
  return answer;
}

std::string CertificateControllers::path_of(const Request& request, const std::string& subresource) {
  const std::string name(text(request.object, "metadata", "name"));
  const std::string path = api_path(request.version, "certificatesigningrequests", "", name);
  return subresource.empty() ? path : path + "/" + subresource;
}

void CertificateControllers::approve(Request& request) {
  Object condition = {{"type", "Approved"},
                      {"reason", "AutoApproved"},
                      {"message", "Auto approving kubelet client certificate after SubjectAccessReview."}};
  if (request.version == "certificates.k8s.io/v1") condition["status"] = "True";
  request.object["status"]["conditions"] = Object::array({condition});
  const HttpResponse approved = administrator_.call("PUT", path_of(request, "approval"), request.object);
  if (approved.status == 200) request.object = Object::parse(approved.body, nullptr, false);
}

// No certificate outlives its CA, and an expired CA signs none (pkg/controller/certificates/signer).
void CertificateControllers::sign(Request& request) {
  if (authority_has_ended()) return;
  if (!authority_) {
    auto made = CertificateAuthority::create("kubernetes");
    if (!made) return;
    authority_.emplace(std::move(*made));
  }
  const std::string pem = base64_decode(text(request.object, "spec", "request")).value_or("");
  const Result<std::string> certificate = authority_->sign_request(pem);
  if (!certificate) return;
  fake_kubelet::CertificateTime time{clock_.now, clock_.now + settings_.last};
  if (settings_.authority_ends) time.end = std::min(time.end, clock_.begin + *settings_.authority_ends);
  certificates_[request.node] = time;
  request.object["status"]["certificate"] = base64_encode(*certificate);
  administrator_.call("PUT", path_of(request, "status"), request.object);
  signed_(request.node, time);
}

}  // namespace nodebound::simulate
