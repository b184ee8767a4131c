#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fakes/apiserver/resources/registry.h"
#include "fakes/apiserver/write/each_item.h"
#include "fakes/apiserver/write/update_strategy.h"
#include "fakes/apiserver/write/write_context.h"
#include "fakes/validation/kinds.h"
#include "fakes/wire/go/human_duration.h"
#include "reference/admission/certificate_signing_request.h"
#include "reference/encoding/base64.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::apiserver {
namespace {

using Column = TableColumns::Column;
using Now = const std::string&;

Object requested_duration(const Object& request, Now) {
  const Object& seconds = member(request, "spec", "expirationSeconds");
  if (!seconds.is_number_integer()) return "<none>";
  return elapsed(seconds.get<std::int64_t>());
}

// The request's conditions, in the order approved or denied, failed, issued.
Object request_condition(const Object& request, Now) {
  std::string out;
  for (const char* type : {"Approved", "Denied", "Failed"}) {
    for (const Object& condition : member(request, "status", "conditions")) {
      if (text(condition, "type") == type) out += (out.empty() ? "" : ",") + std::string(type);
    }
  }
  if (out.empty()) out = "Pending";
  if (!text(request, "status", "certificate").empty()) out += ",Issued";
  return out;
}

constexpr Column signing_request_columns[] = {
    name_column,
    age_column,
    {"SignerName", [](const Object& o, Now) { return text_cell(text(o, "spec", "signerName"), "<none>"); }},
    {"Requestor", [](const Object& o, Now) { return Object(text(o, "spec", "username")); }},
    {"RequestedDuration", requested_duration},
    {"Condition", request_condition}};

// The signer of a request that names none: a kubelet's, judged by its name and usages, or else the legacy-unknown
// signer (DefaultSignerNameFromSpec in pkg/apis/certificates/v1beta1/defaults.go).
const char* signer_by_content(const Object& spec) {
  const Object& usages = member(spec, "usages");
  const auto is_for = [&](const char* usage) { return std::find(usages.begin(), usages.end(), usage) != usages.end(); };
  const auto pem = base64_decode(text(spec, "request"));
  const bool of_node = pem && common_name_of(*pem).value_or("").starts_with("system:node:");
  if (!of_node || is_for("client auth") == is_for("server auth")) return "kubernetes.io/legacy-unknown";
  return is_for("server auth") ? "kubernetes.io/kubelet-serving" : "kubernetes.io/kube-apiserver-client-kubelet";
}

void decode_signing_request(const WriteContext& write, Object& request) {
  const bool says = !text(request, "spec", "signerName").empty() || !member(request, "spec").is_object();
  if (!says && write.resource.version == "v1beta1" && write.defaults.does(Behaviour::signing_request_signer)) {
    request["spec"]["signerName"] = signer_by_content(request["spec"]);
  }
}

// Sets the times of conditions that a client has left for the server to set. A condition that is as it was keeps the
// time since when it is so.
void complete_conditions(const WriteContext& write, const Object& before, Object& request) {
  if (!member(request, "status").is_object()) return;
  const Object& old = member(before, "status", "conditions");
  each_item(request["status"], "conditions", [&](Object& condition) {
    if (member(condition, "lastUpdateTime").is_null()) condition["lastUpdateTime"] = write.now;
    if (!member(condition, "lastTransitionTime").is_null()) return;
    const auto same = std::find_if(old.begin(), old.end(), [&](const Object& one) {
      return text(one, "type") == text(condition, "type") && text(one, "status") == text(condition, "status") &&
             !member(one, "lastTransitionTime").is_null();
    });
    condition["lastTransitionTime"] = same == old.end() ? Object(write.now) : (*same)["lastTransitionTime"];
  });
}

// The conditions of one type stay as they were, unless there are more or fewer of them: validation refuses that.
void keep_decisions(const Object& before, Object& request, std::string_view type) {
  std::vector<const Object*> old;
  for (const Object& condition : member(before, "status", "conditions")) {
    if (text(condition, "type") == type) old.push_back(&condition);
  }
  if (!member(request, "status", "conditions").is_array()) return;
  Object& conditions = request["status"]["conditions"];
  const auto is_of_type = [&](const Object& condition) { return text(condition, "type") == type; };
  const auto count = std::count_if(conditions.begin(), conditions.end(), is_of_type);
  if (static_cast<std::size_t>(count) != old.size()) return;
  std::size_t at = 0;
  for (Object& condition : conditions) {
    if (is_of_type(condition)) condition = *old[at++];
  }
}

// The server overwrites what the request says of its requester.
void prepare_signing_request(const WriteContext& write, Object& request) {
  Object& spec = request["spec"];
  for (const char* field : {"username", "uid", "groups", "extra"}) spec.erase(field);
  spec["username"] = write.subject.name;
  if (!write.subject.uid.empty()) spec["uid"] = write.subject.uid;
  if (!write.subject.groups.empty()) spec["groups"] = write.subject.groups;
  if (!write.subject.extra.empty()) spec["extra"] = write.subject.extra;
  request["status"] = Object::object();
}

// What is requested never changes, and what is answered changes through the subresources.
void keep_request(const WriteContext&, const Object& before, Object& submitted) {
  for (const char* field : {"spec", "status"}) keep_field(submitted, before, field);
}

// An approval decides whether a certificate may be issued; it does not issue one.
Object prepared_approval(const WriteContext& write, const Object& before, Object submitted) {
  complete_conditions(write, before, submitted);
  const Object said = member(submitted, "status");
  for (const char* field : {"spec", "status"}) keep_field(submitted, before, field);
  keep_field(submitted["status"], said, "conditions");
  return submitted;
}

Object prepared_signing_request_status(const WriteContext& write, const Object& before, Object submitted) {
  submitted = prepared_status(write, before, std::move(submitted));
  for (const char* type : {"Approved", "Denied"}) keep_decisions(before, submitted, type);
  complete_conditions(write, before, submitted);
  return submitted;
}

validation::FieldMistakes wrong_approval(const Object& request, const Object& before) {
  return validation::wrong_signing_request_conditions(request, before, true);
}

validation::FieldMistakes wrong_signing_request_status(const Object& request, const Object& before) {
  return validation::wrong_signing_request_conditions(request, before, false);
}

constexpr std::array signing_request_subresources = {
    SubresourceStrategy{.name = "status",
                        .prepared = prepared_signing_request_status,
                        .out_of_reach =
                            [] {
                              return FieldSet{{"f:spec"}, {"f:status", "f:conditions"}};
                            },
                        .checks = {.change = wrong_signing_request_status}},
    SubresourceStrategy{.name = "approval",
                        .prepared = prepared_approval,
                        .out_of_reach =
                            [] {
                              return FieldSet{{"f:spec"}, {"f:status", "f:certificate"}};
                            },
                        .checks = {.change = wrong_approval}},
};

constexpr std::string_view certificates_group = "certificates.k8s.io";

}  // namespace

std::span<const Strategy> strategies::certificates() {
  static constexpr std::array kinds = {
      Strategy{.group = certificates_group,
               .resource = "certificatesigningrequests",
               .columns = TableColumns(signing_request_columns),
               .subresources = signing_request_subresources,
               .decode = decode_signing_request,
               .checks = {.object = validation::wrong_signing_request, .whole_on_change = false},
               .prepare_for_create = prepare_signing_request,
               .prepare_for_update = keep_request,
               .out_of_reach =
                   [] {
                     return FieldSet{{"f:spec"}, {"f:status"}};
                   }},
      Strategy{.group = certificates_group,
               .resource = "podcertificaterequests",
               .checks = {.object = validation::wrong_pod_certificate_request, .whole_on_change = false}},
  };
  return kinds;
}

}  // namespace nodebound::apiserver
