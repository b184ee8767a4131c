#include "fakes/apiserver/webhooks/admission_review.h"

#include <utility>

#include "fakes/apiserver/call.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/status.h"
#include "fakes/wire/go/go_text.h"
#include "fakes/wire/go/json.h"
#include "fakes/wire/requests.h"
#include "reference/encoding/base64.h"
#include "reference/release/behaviour_ids.h"

// staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook: request/admissionreview.go and errors/statuserror.go

namespace nodebound::apiserver {
namespace {

constexpr std::string_view review_group = "admission.k8s.io";

Object kind_object(const GroupVersionKind& kind) {
  return {{"group", kind.group}, {"version", kind.version}, {"kind", kind.kind}};
}

Object resource_object(const ApiResource& resource) {
  return {{"group", resource.group}, {"version", resource.version}, {"resource", resource.resource}};
}

Object user_info(const Subject& subject) {
  Object out = Object::object();
  if (!subject.name.empty()) out["username"] = subject.name;
  if (!subject.uid.empty()) out["uid"] = subject.uid;
  if (!subject.groups.empty()) out["groups"] = subject.groups;
  if (!subject.extra.empty()) out["extra"] = subject.extra;
  return out;
}

// The options of the request, as the kind that belongs to the operation: those of a patch become those of an update.
Object options_object(const Call& call, const ReviewedWrite& write) {
  if (write.operation == Operation::connect) return nullptr;
  Object out = write.options != nullptr && write.options->is_object() ? *write.options : Object::object();
  const char* const kind = write.operation == Operation::create   ? "CreateOptions"
                           : write.operation == Operation::update ? "UpdateOptions"
                                                                  : "DeleteOptions";
  out["kind"] = kind;
  out["apiVersion"] = "meta.k8s.io/v1";
  if (write.operation == Operation::remove) return out;
  const std::string& target = call.request.target;
  if (call.dry_run) out["dryRun"] = Object::array({"All"});
  for (const char* name : {"fieldManager", "fieldValidation"}) {
    if (std::string value = query_parameter(target, name); !value.empty()) out[name] = std::move(value);
  }
  return out;
}

// What Go writes of an object that the request leaves out.
void complete(const ServerState& server, const Call& call, Object& object) {
  if (!member(object, "metadata").is_object()) return;
  Object& metadata = object["metadata"];
  if (call.resource->namespaced) metadata.emplace("namespace", call.attributes.namespace_);
  // Some releases write a time that is not set as null.
  if (server.defaults.does(Behaviour::null_creation_timestamp)) metadata.emplace("creationTimestamp", nullptr);
  const bool own = call.subresource == nullptr || call.subresource->kind.empty();
  const bool has_status = call.resource->definition == nullptr && call.resource->subresource("status") != nullptr;
  if (own && has_status) object.emplace("status", Object::object());
}

std::string in_words(const std::string& group_version, std::string_view kind) {
  const std::size_t slash = group_version.find('/');
  const bool core = slash == std::string::npos;
  return (core ? "" : group_version.substr(0, slash)) + "/" + (core ? group_version : group_version.substr(slash + 1)) +
         ", Kind=" + std::string(kind);
}

using Read = tl::expected<AdmissionAnswer, std::string>;

std::optional<std::string> wrong_review(const Object& review, const Object& response, const std::string& uid,
                                        WebhookKind kind) {
  const std::string answered(text(response, "uid"));
  if (answered != uid) return "expected response.uid=" + go_quoted(uid) + ", got " + go_quoted(answered);
  const std::string version(text(review, "apiVersion"));
  if (version != "admission.k8s.io/v1" || text(review, "kind") != "AdmissionReview") {
    return "expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got " +
           in_words(version, text(review, "kind"));
  }
  const bool patches = !text(response, "patch").empty();
  const Object& type = member(response, "patchType");
  if (kind == WebhookKind::validating) {
    if (patches) return "validating webhook may not return response.patch";
    if (!type.is_null()) return "validating webhook may not return response.patchType";
    return std::nullopt;
  }
  if (patches && type.is_null()) return "webhook returned response.patch but not response.patchType";
  if (!patches && !type.is_null()) return "webhook returned response.patchType but not response.patch";
  if (is_empty_text(type)) return "webhook returned invalid response.patchType of \"\"";
  return std::nullopt;
}

Read with_patch(AdmissionAnswer out, const Object& response, bool checks_type) {
  const std::string_view sent = text(response, "patch");
  if (sent.empty()) return out;
  const std::optional<std::string> bytes = base64_decode(sent);
  if (!bytes) return tl::unexpected<std::string>("failed to call webhook: illegal base64 data in response.patch");
  if (checks_type && text(response, "patchType") != "JSONPatch") {
    return tl::unexpected("unsupported patch type " + go_quoted(std::string(text(response, "patchType"))));
  }
  out.operations = read_json(*bytes).value_or(nullptr);
  if (!out.operations.is_array()) {
    return tl::unexpected<std::string>("received undecodable patch in webhook response: it is no list of operations");
  }
  return out;
}

}  // namespace

Object admission_request_object(const Call& call, const ReviewedWrite& write, const ApiResource& as) {
  const ApiSubresource* const through = call.subresource;
  Object request = {{"kind", kind_object(kind_of(as, through))},
                    {"resource", resource_object(as)},
                    {"requestKind", kind_object(kind_of(*call.resource, through))},
                    {"requestResource", resource_object(*call.resource)},
                    {"operation", to_string(write.operation)},
                    {"userInfo", user_info(call.subject)},
                    {"dryRun", call.dry_run},
                    {"options", options_object(call, write)}};
  if (through != nullptr) request["subResource"] = request["requestSubResource"] = call.attributes.subresource;
  if (!write.name.empty()) request["name"] = write.name;
  std::string in = matched_write(call, write).namespace_;
  if (!in.empty()) request["namespace"] = std::move(in);
  return request;
}

Object shown_old_object(const Call& call, const Object& old_object, const ApiResource& as) {
  Object out = old_object;
  if (call.subresource == nullptr && as.version != call.resource->version && out.is_object()) {
    out["apiVersion"] = as.group_version;
  }
  return out;
}

Object shown_object(const ServerState& server, const Call& call, const Object& object, const ApiResource& as) {
  Object out = shown_old_object(call, object, as);
  complete(server, call, out);
  return out;
}

Object admission_review(const ServerState& server, const Call& call, const ReviewedWrite& write, const ApiResource& as,
                        const std::string& version) {
  Object request = admission_request_object(call, write, as);
  request["object"] = shown_object(server, call, write.object, as);
  request["oldObject"] = shown_old_object(call, write.old_object, as);
  return {{"kind", "AdmissionReview"},
          {"apiVersion", std::string(review_group) + "/" + version},
          {"request", std::move(request)}};
}

Read read_admission_answer(const std::string& body, const std::string& version, const std::string& uid,
                           WebhookKind kind) {
  const auto parsed = read_json(body);
  if (!parsed) {
    return tl::unexpected("failed to call webhook: couldn't get version/kind; json parse error: " + parsed.error());
  }
  const Object& review = *parsed;
  const Object& response = member(review, "response");
  const auto invalid_answer = [](const std::string& why) {
    return tl::unexpected("received invalid webhook response: " + why);
  };
  if (!review.is_object()) {
    return tl::unexpected<std::string>("failed to call webhook: couldn't get version/kind; json parse error");
  }
  if (!response.is_object()) return invalid_answer("webhook response was absent");
  if (version == "v1") {
    if (const auto wrong = wrong_review(review, response, uid, kind)) return invalid_answer(*wrong);
  }
  AdmissionAnswer out;
  out.allowed = is_true(response, "allowed");
  out.result = member(response, "status");
  out.warnings = strings_of(member(response, "warnings"));
  for (const auto& [key, value] : member(response, "auditAnnotations").items()) {
    if (value.is_string()) out.annotations[key] = value.get<std::string>();
  }
  if (kind == WebhookKind::validating || !out.allowed) return out;
  return with_patch(std::move(out), response, version == "v1");
}

HttpResponse refused_by_webhook(const std::string& webhook, Object status) {
  const std::string denied = "admission webhook " + go_quoted(webhook) + " denied the request";
  if (!status.is_object()) status = Object::object();
  const Object& code = member(status, "code");
  if (!code.is_number_integer() || code.get<std::int64_t>() < 400) status["code"] = 400;
  if (text(status, "status").empty() || text(status, "status") == "Success") status["status"] = "Failure";
  const std::string message(text(status, "message"));
  const std::string reason(text(status, "reason"));
  status["message"] = !message.empty()  ? denied + ": " + message
                      : !reason.empty() ? denied + ": " + reason
                                        : denied + " without explanation";
  status["kind"] = "Status";
  status["apiVersion"] = "v1";
  if (!status.contains("metadata")) status["metadata"] = Object::object();
  const std::int64_t answered = status["code"].get<std::int64_t>();
  return object_response(answered > 599 ? 500 : static_cast<int>(answered), status);
}

}  // namespace nodebound::apiserver
