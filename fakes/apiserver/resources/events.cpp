#include <array>

#include "fakes/apiserver/resources/registry.h"
#include "fakes/validation/kinds.h"
#include "fakes/wire/go/human_duration.h"
#include "reference/encoding/ascii.h"

namespace nodebound {
namespace {

using Column = TableColumns::Column;
using Now = const std::string&;

Object event_object(const Object& event, Now) {
  const Object& involved = member(event, "involvedObject");
  const Object& object = involved.is_object() ? involved : member(event, "regarding");
  return in_lower_case(text(object, "kind")) + "/" + std::string(text(object, "name"));
}

Object event_source(const Object& event, Now) {
  const std::string component(text(event, "source", "component"));
  if (component.empty()) return std::string(text(event, "reportingComponent"));
  const std::string_view host = text(event, "source", "host");
  return host.empty() ? component : component + ", " + std::string(host);
}

Object event_age(const Object& event, const char* field, Now now) {
  std::string_view time = text(event, field);
  if (time.empty()) time = text(event, "eventTime");
  return age_between(time, now);
}

Object event_count(const Object& event, Now) {
  const Object& count = member(event, "count");
  return count.is_number() ? count : Object(1);
}

constexpr Column event_columns[] = {
    {"Last Seen", [](const Object& o, Now now) { return event_age(o, "lastTimestamp", now); }},
    {"Type", [](const Object& o, Now) { return Object(text(o, "type")); }},
    {"Reason", [](const Object& o, Now) { return Object(text(o, "reason")); }},
    {"Object", event_object},
    {"Subobject", [](const Object& o, Now) { return Object(text(o, "involvedObject", "fieldPath")); }, 1},
    {"Source", event_source, 1},
    {"Message", [](const Object& o, Now) { return Object(text(o, "message")); }},
    {"First Seen", [](const Object& o, Now now) { return event_age(o, "firstTimestamp", now); }, 1},
    {"Count", event_count, 1},
    {"Name", [](const Object& o, Now) { return member(o, "metadata", "name"); }, 1, "string", "name"}};

}  // namespace

// For the sake of old clients, the metadata of core Events is not validated.
std::span<const Strategy> strategies::events() {
  static constexpr std::array kinds = {
      Strategy{.resource = "events",
               .columns = TableColumns(event_columns),
               .checks = {.object = wrong_event, .metadata = false}},
      Strategy{.group = "events.k8s.io",
               .resource = "events",
               .columns = TableColumns(event_columns),
               .checks = {.object = wrong_event}},
  };
  return kinds;
}

}  // namespace nodebound
