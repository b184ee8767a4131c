#include "harness/explore/compared_answers.h"

#include <re2/re2.h>

#include "harness/check/run_names.h"
#include "harness/explore/compared_items.h"
#include "harness/explore/normal_forms.h"
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

// A text in its normal form, without the random part of a name that the request has the server generate.
std::string less_chance(std::string message, const DrawnRequest& request, bool is_object = false) {
  const NormalForms& forms = NormalForms::built_in();
  message = without_uids(std::move(message), "{uid}");
  message = is_object ? forms.of_object(std::move(message)) : forms.of_message(std::move(message));
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

void less_chance_in(Object& value, const DrawnRequest& request) {
  if (value.is_string()) value = less_chance(value.get<std::string>(), request);
  if (!value.is_structured()) return;
  for (Object& inner : value) less_chance_in(inner, request);
}

// What a Status tells programs, besides its message.
std::string details_of(const Object& status, const DrawnRequest& request) {
  Object told = {{"reason", member(status, "reason")}, {"details", member(status, "details")}};
  less_chance_in(told, request);
  return told.dump(-1, ' ', false, Object::error_handler_t::replace);
}

std::string object_of(const HttpResponse& response, const Object& body, const DrawnRequest& request) {
  const std::string_view kind = text(body, "kind");
  if (kind == "Status") return details_of(body, request);
  if (kind == "Table") return member(body, "columnDefinitions").dump();
  const bool object = response.status < 300 && body.is_object() && !kind.empty() && !member(body, "metadata").is_null();
  if (!object || kind.ends_with("List") || kind.ends_with("Review") || kind == "TokenRequest") return "";
  return comparable_object(body, request);
}

}  // namespace

std::string object_key(const std::string& resource, const Object& object) {
  const std::string_view name = text(object, "metadata", "name");
  if (name.empty()) return {};
  return resource + "/" + std::string(text(object, "metadata", "namespace")) + "/" + std::string(name);
}

std::string comparable_object(Object object, const DrawnRequest& request) {
  if (!member(object, "metadata").is_object()) return {};
  object["metadata"].erase("managedFields");
  object["metadata"].erase("resourceVersion");
  without_run_label(object["metadata"]);
  return less_chance(object.dump(-1, ' ', false, Object::error_handler_t::replace), request, true);
}

Said Said::by(const DrawnRequest& request, const HttpResponse& response) {
  if (begins_with_objects(request) && response.status == 200) {
    FirstEvents events = first_events_of(response, request);
    return {response.status, "", less_chance(events.error, request), events.bookmark, std::move(events.objects)};
  }
  const Object body = Object::parse(response.body, nullptr, false);
  Said out = {response.status, decision_of(response, body), less_chance(message_of(response, body), request),
              object_of(response, body, request), items_of(response, body, request)};
  for (const std::string& warning : response.warnings) out.warnings.push_back(less_chance(warning, request));
  return out;
}

Agreement agreement(const Said& a, const Said& b) {
  if (a.decision != b.decision) return Agreement::other_decision;
  if (a.status != b.status) return Agreement::other_status;
  if (a.message != b.message) return Agreement::other_message;
  if (a.object != b.object || a.items != b.items || a.stored != b.stored) return Agreement::other_object;
  return a.warnings == b.warnings ? Agreement::same : Agreement::other_warnings;
}

}  // namespace nodebound::explore
