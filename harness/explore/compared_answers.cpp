#include "harness/explore/compared_answers.h"

#include <algorithm>
#include <re2/re2.h>
#include <vector>

#include "harness/check/run_names.h"
#include "harness/explore/compared_items.h"
#include "harness/journal/record.h"
#include "reference/authorizer/attributes.h"

namespace nodebound::explore {
namespace {

std::string decision_of(const HttpResponse& response, const Object& body) {
  if (response.status == 401 || response.status == 403) return "refused";
  const Object& allowed = member(body, "status", "allowed");
  if (!allowed.is_boolean() || !text(body, "kind").ends_with("AccessReview")) return "";
  if (allowed.get<bool>()) return "allowed";
  return is_true(body, "status", "denied") ? "denied" : "no opinion";
}

std::string message_of(const HttpResponse& response, const Object& body) {
  if (!body.is_object()) return response.status >= 400 ? response.body : std::string();
  if (text(body, "kind") == "Status") return std::string(text(body, "message"));
  std::string out(text(body, "status", "reason"));
  const std::string_view error = text(body, "status", "evaluationError");
  if (!error.empty()) out.append(" (").append(error).append(")");
  return text(body, "kind").ends_with("Review") ? out : std::string();
}

// Informers list bindings in no fixed order, so RBAC's errors come in any order.
std::string in_order(std::string message) {
  constexpr std::string_view begin = "RBAC: [";
  const std::size_t at = message.find(begin);
  const std::size_t end = at == std::string::npos ? at : message.find(']', at);
  if (end == std::string::npos) return message;
  std::vector<std::string> errors;
  std::string rest = message.substr(at + begin.size(), end - at - begin.size());
  for (std::size_t comma = rest.find(", "); comma != std::string::npos; comma = rest.find(", ")) {
    errors.push_back(rest.substr(0, comma));
    rest.erase(0, comma + 2);
  }
  errors.push_back(rest);
  std::sort(errors.begin(), errors.end());
  std::string sorted;
  for (const std::string& error : errors) sorted += (sorted.empty() ? "" : ", ") + error;
  return message.replace(at + begin.size(), end - at - begin.size(), sorted);
}

// Of several bindings that allow a request, the first that an informer lists is named. Some refused changes are
// followed by a diff of Go's own structures, or tell addresses in memory.
std::string without_choice(std::string message) {
  static const re2::RE2 binding(R"((RBAC: allowed by )(Cluster)?RoleBinding "[^"]*" of (Cluster)?Role "[^"]*" to .*)");
  re2::RE2::GlobalReplace(&message, binding, "\\1{binding}");
  for (const std::string_view refused : {"spec: Forbidden: pod updates may not change fields other than ",
                                         "spec.persistentvolumesource is immutable after creation",
                                         "spec: Forbidden: spec is immutable after creation except "}) {
    const std::size_t at = message.find(refused);
    const std::size_t diff = at == std::string::npos ? at : message.find('\n', at);
    if (diff == std::string::npos) continue;
    message.resize(diff);
    if (message.find(" is invalid: [") != std::string::npos) message += ']';
  }
  static const re2::RE2 address("\\(0x[0-9a-f]{6,}\\)");
  re2::RE2::GlobalReplace(&message, address, "({address})");
  return message;
}

std::string less_chance(std::string message, const DrawnRequest& request) {
  static const re2::RE2 volume("kube-api-access-[bcdfghjklmnpqrstvwxz2456789]{5}");
  static const re2::RE2 version("(current: |ResourceVersion: |version: )[0-9]+");
  message = without_uids(std::move(message), "{uid}");
  re2::RE2::GlobalReplace(&message, version, "\\1{version}");
  re2::RE2::GlobalReplace(&message, volume, "kube-api-access-{suffix}");
  message = without_choice(in_order(std::move(message)));
  const std::string prefix(text(request.body, "metadata", "generateName"));
  if (prefix.empty()) return message;
  // The server generates five characters, from those that form no words.
  static const re2::RE2 suffix("[bcdfghjklmnpqrstvwxz2456789]{5}");
  std::size_t at = 0;
  while ((at = message.find(prefix, at)) != std::string::npos) {
    at += prefix.size();
    const std::string drawn = message.substr(at, 5);
    if (re2::RE2::FullMatch(drawn, suffix)) message.replace(at, drawn.size(), "{suffix}");
  }
  return message;
}

// Only servers that outlive the run get this label.
void without_run_label(Object& metadata) {
  if (!member(metadata, "labels").is_object()) return;
  metadata["labels"].erase(std::string(journal::run_label));
  if (metadata["labels"].empty()) metadata.erase("labels");
}

std::string object_of(const HttpResponse& response, const Object& body, const DrawnRequest& request) {
  const std::string_view kind = text(body, "kind");
  if (kind == "Table") return member(body, "columnDefinitions").dump();
  const bool object = response.status < 300 && body.is_object() && !kind.empty() && !member(body, "metadata").is_null();
  if (!object || kind == "Status" || kind.ends_with("List") || kind.ends_with("Review") || kind == "TokenRequest")
    return "";
  return comparable_object(body, request);
}

}  // namespace

std::string object_key(const std::string& resource, const Object& object) {
  const std::string_view name = text(object, "metadata", "name");
  if (name.empty()) return {};
  return resource + "/" + std::string(text(object, "metadata", "namespace")) + "/" + std::string(name);
}

std::string comparable_object(Object object, const DrawnRequest& request) {
  static const re2::RE2 time("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z");
  if (!member(object, "metadata").is_object()) return {};
  object["metadata"].erase("managedFields");
  object["metadata"].erase("resourceVersion");
  without_run_label(object["metadata"]);
  std::string text = less_chance(object.dump(-1, ' ', false, Object::error_handler_t::replace), request);
  re2::RE2::GlobalReplace(&text, time, "{time}");
  return text;
}

Said Said::by(const DrawnRequest& request, const HttpResponse& response) {
  if (begins_with_objects(request) && response.status == 200) {
    FirstEvents events = first_events_of(response, request);
    return {response.status, "", less_chance(events.error, request), events.bookmark, std::move(events.objects)};
  }
  const Object body = Object::parse(response.body, nullptr, false);
  return {response.status, decision_of(response, body), less_chance(message_of(response, body), request),
          object_of(response, body, request), items_of(response, body, request)};
}

Agreement agreement(const Said& a, const Said& b) {
  if (a.decision != b.decision) return Agreement::other_decision;
  if (a.status != b.status) return Agreement::other_status;
  if (a.message != b.message) return Agreement::other_message;
  const bool same = a.object == b.object && a.items == b.items && a.stored == b.stored;
  return same ? Agreement::same : Agreement::other_object;
}

}  // namespace nodebound::explore
