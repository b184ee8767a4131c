#include <array>

#include "fakes/validation/kinds.h"
#include "fakes/validation/object.h"
#include "reference/cluster/names.h"

// pkg/apis/core/validation/events.go. An Event is validated in the form in which it is stored, so errors name the
// fields of the core group, whichever group a request is for.

namespace nodebound::validation {
namespace {

constexpr std::size_t longest_word = 128;
constexpr std::size_t longest_note = 1024;

bool is_core(const Object& event) {
  return text(event, "apiVersion") == "v1";
}

bool is_strict(const Object& event) {
  return text(event, "apiVersion") == "events.k8s.io/v1";
}

const Object& field_of(const Object& event, const char* core, const char* other) {
  return member(event, is_core(event) ? core : other);
}

const Object& involved_object(const Object& event) {
  return field_of(event, "involvedObject", "regarding");
}

std::string_view reporter(const Object& event) {
  return text(event, is_core(event) ? "reportingComponent" : "reportingController");
}

void check_word(FieldMistakes& out, const char* field, std::string_view word) {
  if (word.empty()) out.push_back(required_field(field, ""));
  if (word.size() <= longest_word) return;
  out.push_back(invalid_field(field, "", "can have at most " + std::to_string(longest_word) + " characters"));
}

FieldMistakes wrong_series(const Object& event) {
  FieldMistakes out;
  const Object& series = member(event, "series");
  if (!series.is_object()) return out;
  const Object& count = member(series, "count");
  if (!count.is_number_integer() || count < 2) {
    out.push_back(invalid_field("series.count", "", "should be at least 2"));
  }
  if (text(series, "lastObservedTime").empty()) out.push_back(required_field("series.lastObservedTime", ""));
  return out;
}

// Errors show a value of a Go type without names for JSON, whose fields are all there.
Shown as_go_struct(const Object& value, std::initializer_list<std::pair<const char*, const char*>> fields) {
  Shown out = Shown::object();
  for (const auto& [go, json] : fields) out[go] = std::string(text(value, json));
  return out;
}

Shown shown_reference(const Object& reference) {
  return as_go_struct(reference, {{"Kind", "kind"},
                                  {"Namespace", "namespace"},
                                  {"Name", "name"},
                                  {"UID", "uid"},
                                  {"APIVersion", "apiVersion"},
                                  {"ResourceVersion", "resourceVersion"},
                                  {"FieldPath", "fieldPath"}});
}

Shown shown_source(const Object& source) {
  return as_go_struct(source, {{"Component", "component"}, {"Host", "host"}});
}

Shown shown_plain(const Object& value) {
  return Shown(value);
}

struct FixedField {
  const char* name;  ///< in errors
  const char* field;
  Shown (*shown)(const Object& value);
  Object none;  ///< what a missing value means
};

}  // namespace

FieldMistakes wrong_event(const Object& event) {
  FieldMistakes out;
  const std::string about(text(involved_object(event), "namespace"));
  const std::string_view in = text(event, "metadata", "namespace");
  const auto other_namespace = [&] {
    out.push_back(invalid_field("involvedObject.namespace", about, "does not match event.namespace"));
  };
  if (text(event, "eventTime").empty()) {
    if (about.empty() ? in != "default" : in != about) other_namespace();
    return out;
  }
  if (about.empty() && in != "default" && in != "kube-system") other_namespace();
  const std::string by(reporter(event));
  const char* const by_field = is_core(event) ? "reportingComponent" : "reportingController";
  if (by.empty()) out.push_back(required_field(by_field, ""));
  append(out, invalid_field_each(by_field, by, wrong_label_key(by)));
  check_word(out, "reportingInstance", text(event, "reportingInstance"));
  check_word(out, "action", text(event, "action"));
  check_word(out, "reason", text(event, "reason"));
  if (field_of(event, "message", "note").is_string() &&
      field_of(event, "message", "note").get_ref<const std::string&>().size() > longest_note) {
    out.push_back(invalid_field("message", "", "can have at most " + std::to_string(longest_note) + " characters"));
  }
  return out;
}

FieldMistakes wrong_new_event(const Object& event) {
  if (!is_strict(event)) return {};
  FieldMistakes out = wrong_series(event);
  if (text(event, "eventTime").empty()) out.push_back(required_field("eventTime", ""));
  const std::string type(text(event, "type"));
  if (type != "Normal" && type != "Warning") {
    out.push_back(invalid_field("type", "", "has invalid value: " + type));
  }
  const auto unset = [&](const char* name, bool is_set) {
    if (is_set) out.push_back(invalid_field(name, "", "needs to be unset"));
  };
  unset("firstTimestamp", !text(event, "deprecatedFirstTimestamp").empty());
  unset("lastTimestamp", !text(event, "deprecatedLastTimestamp").empty());
  const Object& count = member(event, "deprecatedCount");
  unset("count", count.is_number() && count != 0);
  const Object& source = member(event, "deprecatedSource");
  unset("source", !text(source, "component").empty() || !text(source, "host").empty());
  return out;
}

FieldMistakes wrong_event_change(const Object& event, const Object& before) {
  if (!is_strict(event)) return {};
  FieldMistakes out;
  if (!means_the_same(member(event, "series"), member(before, "series"))) append(out, wrong_series(event));
  const Object empty = Object::object();
  const FixedField fixed[] = {{"involvedObject", "regarding", shown_reference, empty},
                              {"reason", "reason", shown_plain, ""},
                              {"message", "note", shown_plain, ""},
                              {"source", "deprecatedSource", shown_source, empty},
                              {"firstTimestamp", "deprecatedFirstTimestamp", shown_plain, nullptr},
                              {"lastTimestamp", "deprecatedLastTimestamp", shown_plain, nullptr},
                              {"count", "deprecatedCount", shown_plain, 0},
                              {"reason", "reason", shown_plain, ""},
                              {"type", "type", shown_plain, ""},
                              {"eventTime", "eventTime", shown_plain, nullptr},
                              {"action", "action", shown_plain, ""},
                              {"related", "related", shown_reference, nullptr},
                              {"reportingController", "reportingController", shown_plain, ""},
                              {"reportingInstance", "reportingInstance", shown_plain, ""}};
  for (const FixedField& field : fixed) {
    const Object& said = member(event, field.field);
    const Object& was = member(before, field.field);
    const Object& now = said.is_null() ? field.none : said;
    if (means_the_same(now, was.is_null() ? field.none : was)) continue;
    const Shown value = now.is_null() ? Shown(nullptr) : field.shown(now);
    out.push_back(invalid_field(field.name, value, "field is immutable"));
  }
  return out;
}

}  // namespace nodebound::validation
