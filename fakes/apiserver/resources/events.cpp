#include <array>

#include "fakes/apiserver/resources/registry.h"
#include "fakes/validation/kinds.h"
#include "fakes/wire/go/human_duration.h"
#include "reference/encoding/ascii.h"

namespace nodebound::apiserver {
namespace {

using Column = TableColumns::Column;
using Now = const std::string&;

// The field of a core Event, or that of an Event of events.k8s.io.
const Object& either(const Object& event, const char* core, const char* other) {
  const Object& own = member(event, core);
  return own.is_null() ? member(event, other) : own;
}

std::string_view either_text(const Object& event, const char* core, const char* other) {
  const std::string_view own = text(event, core);
  return own.empty() ? text(event, other) : own;
}

Object event_object(const Object& event, Now) {
  const Object& object = either(event, "involvedObject", "regarding");
  return in_lower_case(text(object, "kind")) + "/" + std::string(text(object, "name"));
}

Object event_source(const Object& event, Now) {
  const Object& source = either(event, "source", "deprecatedSource");
  const std::string component(text(source, "component"));
  if (component.empty()) return std::string(either_text(event, "reportingComponent", "reportingController"));
  const std::string_view host = text(source, "host");
  return host.empty() ? component : component + ", " + std::string(host);
}

Object event_age(const Object& event, const char* core, const char* other, Now now) {
  std::string_view time = either_text(event, core, other);
  if (time.empty()) time = text(event, "eventTime");
  return age_between(time, now);
}

Object event_count(const Object& event, Now) {
  const Object& count = either(event, "count", "deprecatedCount");
  return count.is_number() ? count : Object(1);
}

constexpr Column event_columns[] = {
    {"Last Seen",
     [](const Object& o, Now now) { return event_age(o, "lastTimestamp", "deprecatedLastTimestamp", now); }},
    {"Type", [](const Object& o, Now) { return Object(text(o, "type")); }},
    {"Reason", [](const Object& o, Now) { return Object(text(o, "reason")); }},
    {"Object", event_object},
    {"Subobject",
     [](const Object& o, Now) { return Object(text(either(o, "involvedObject", "regarding"), "fieldPath")); }, 1},
    {"Source", event_source, 1},
    {"Message", [](const Object& o, Now) { return Object(either_text(o, "message", "note")); }},
    {"First Seen",
     [](const Object& o, Now now) { return event_age(o, "firstTimestamp", "deprecatedFirstTimestamp", now); }, 1},
    {"Count", event_count, 1},
    {"Name", [](const Object& o, Now) { return member(o, "metadata", "name"); }, 1, "string", "name"}};

}  // namespace

// For the sake of old clients, the metadata of core Events is not validated.
std::span<const Strategy> strategies::events() {
  static constexpr std::array kinds = {
      Strategy{.resource = "events",
               .columns = TableColumns(event_columns),
               .checks = {.object = validation::wrong_event, .metadata = false, .metadata_checks = 2},
               .no_dependents = true},
      Strategy{.group = "events.k8s.io",
               .resource = "events",
               .columns = TableColumns(event_columns),
               .checks = {.object = validation::wrong_event,
                          .created = validation::wrong_new_event,
                          .change = validation::wrong_event_change,
                          .metadata_checks = 3},
               .no_dependents = true},
  };
  return kinds;
}

}  // namespace nodebound::apiserver
