#include "fakes/controllers/certificate_controller.h"

#include <algorithm>
#include <utility>

#include "fakes/wire/timestamp.h"
#include "reference/encoding/base64.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::controllers {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// The limits of the queues of both controllers (pkg/controller/certificates/certificate_controller.go).
constexpr milliseconds shortest_pause(200);
constexpr milliseconds longest_pause = seconds(1000);

bool has_condition(const Object& request, std::string_view type) {
  const Object& conditions = member(request, "status", "conditions");
  return std::any_of(conditions.begin(), conditions.end(),
                     [&](const Object& condition) { return text(condition, "type") == type; });
}

std::string path_of(const std::string& group_version) {
  return "/apis/" + group_version + "/certificatesigningrequests";
}

}  // namespace

CertificateController::CertificateController(const Release& release, Options options, Call call)
    : release_(release),
      options_(std::move(options)),
      call_(std::move(call)),
      group_version_(release.does(Behaviour::certificate_signers_refuse) ? "certificates.k8s.io/v1"
                                                                         : "certificates.k8s.io/v1beta1") {}

void CertificateController::look(Time now) {
  const HttpResponse answer = call_({"GET", path_of(group_version_), {}, {}});
  Object list = Object::parse(answer.body, nullptr, false);
  if (answer.status != 200 || !member(list, "items").is_array()) return;
  std::map<std::string, Waiting> known;
  for (Object& request : list["items"]) {
    const std::string uid(text(request, "metadata", "uid"));
    if (const auto before = waiting_.find(uid); before != waiting_.end()) known.insert(*before);
    if (waits(request, now)) continue;
    request["apiVersion"] = group_version_;
    request["kind"] = "CertificateSigningRequest";
    if (process(request, now)) {
      known.erase(uid);
      continue;
    }
    Waiting& own = known[uid];
    const std::string_view version = text(request, "metadata", "resourceVersion");
    own.pause = own.resource_version == version ? std::min(own.pause * 2, longest_pause) : shortest_pause;
    own.resource_version = version;
    own.again = now + own.pause;
  }
  waiting_ = std::move(known);
}

bool CertificateController::waits(const Object& request, Time now) const {
  const auto found = waiting_.find(std::string(text(request, "metadata", "uid")));
  return found != waiting_.end() && now < found->second.again &&
         found->second.resource_version == text(request, "metadata", "resourceVersion");
}

bool CertificateController::process(Object& request, Time now) {
  if (!text(request, "status", "certificate").empty() || has_condition(request, "Denied")) return false;
  const bool was_approved = has_condition(request, "Approved");
  if (!was_approved && !(options_.approves && approve(request))) return false;
  const bool may_sign = options_.authority != nullptr && !has_condition(request, "Failed");
  return (may_sign && sign(request, now)) || !was_approved;
}

bool CertificateController::approve(Object& request) {
  for (const signers::Approval& approval : signers::approvals_of(request, release_)) {
    if (!may_be_approved(request, approval.subresource)) continue;
    Object condition = {{"type", "Approved"}, {"reason", "AutoApproved"}, {"message", approval.message}};
    if (group_version_.ends_with("/v1")) condition["status"] = "True";
    request["status"]["conditions"].push_back(std::move(condition));
    return update(request, "approval");
  }
  return false;
}

bool CertificateController::may_be_approved(const Object& request, std::string_view subresource) const {
  const Object& author = member(request, "spec");
  Object attributes = {{"group", "certificates.k8s.io"},
                       {"resource", "certificatesigningrequests"},
                       {"verb", "create"},
                       {"subresource", subresource}};
  if (release_.does(Behaviour::certificate_reviews_of_any_version)) attributes["version"] = "*";
  Object spec = {{"user", text(author, "username")}, {"resourceAttributes", std::move(attributes)}};
  for (const char* field : {"uid", "groups", "extra"}) {
    if (author.contains(field)) spec[field] = author[field];
  }
  const std::string version = "authorization.k8s.io/v1";
  const HttpResponse answer =
      send("POST", "/apis/" + version + "/subjectaccessreviews",
           {{"apiVersion", version}, {"kind", "SubjectAccessReview"}, {"spec", std::move(spec)}});
  return answer.status == 201 && member(Object::parse(answer.body, nullptr, false), "status", "allowed") == true;
}

bool CertificateController::sign(Object& request, Time now) {
  const signers::Signing signing = signers::signing_of(request, release_);
  if (signing.outcome == signers::Signing::Outcome::ignored) return false;
  if (signing.outcome == signers::Signing::Outcome::failed) return fail(request, signing.why, now);
  const std::int64_t left =
      options_.authority->end() - std::chrono::duration_cast<seconds>(now.time_since_epoch()).count();
  if (left <= 0) return false;
  const signers::Lifetime lifetime = signers::lifetime_of(request, options_.longest.count(), left, release_);
  const auto pem = base64_decode(text(request, "spec", "request"));
  if (!pem) return false;
  const Result<std::string> certificate = options_.authority->sign_request(
      *pem, {strings_of(member(request, "spec", "usages")), {lifetime.begin, lifetime.end}});
  if (!certificate) return false;
  request["status"]["certificate"] = base64_encode(*certificate);
  return update(request, "status");
}

bool CertificateController::fail(Object& request, const std::string& why, Time now) {
  request["status"]["conditions"].push_back({{"type", "Failed"},
                                             {"status", "True"},
                                             {"reason", "SignerValidationFailure"},
                                             {"message", why},
                                             {"lastUpdateTime", timestamp_of(now)}});
  return update(request, "status");
}

bool CertificateController::update(Object& request, const char* subresource) const {
  const std::string target =
      path_of(group_version_) + "/" + std::string(text(request, "metadata", "name")) + "/" + subresource;
  const HttpResponse answer = send("PUT", target, request);
  if (answer.status == 200) request = Object::parse(answer.body, nullptr, false);
  return answer.status == 200;
}

HttpResponse CertificateController::send(const char* method, const std::string& target, const Object& body) const {
  return call_({method, target, "application/json", body.dump(-1, ' ', false, Object::error_handler_t::replace)});
}

}  // namespace nodebound::controllers
