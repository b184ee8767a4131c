#include "fakes/store/event_groups.h"

#include <array>
#include <string_view>
#include <utility>

namespace nodebound {
namespace {

constexpr std::string_view events_group = "events.k8s.io";

struct FieldNames {
  const char* core;
  const char* events;
};
constexpr std::array field_names = {FieldNames{"involvedObject", "regarding"},
                                    FieldNames{"message", "note"},
                                    FieldNames{"source", "deprecatedSource"},
                                    FieldNames{"firstTimestamp", "deprecatedFirstTimestamp"},
                                    FieldNames{"lastTimestamp", "deprecatedLastTimestamp"},
                                    FieldNames{"count", "deprecatedCount"},
                                    FieldNames{"reportingComponent", "reportingController"}};

}  // namespace

std::optional<ObjectKey> key_in_other_group(const ObjectKey& key) {
  if (key.resource != "events" || (!key.group.empty() && key.group != events_group)) return std::nullopt;
  ObjectKey other = key;
  other.group = key.group.empty() ? events_group : std::string_view();
  return other;
}

Object event_in_group(Object event, const ObjectKey& other) {
  const bool to_core = other.group.empty();
  for (const FieldNames& names : field_names) {
    const char* const from = to_core ? names.events : names.core;
    const auto found = event.find(from);
    if (found == event.end()) continue;
    Object value = std::move(*found);
    event.erase(found);
    event[to_core ? names.core : names.events] = std::move(value);
  }
  // Core alone writes these two when they are empty.
  for (const char* field : {to_core ? "reportingComponent" : "reportingController", "reportingInstance"}) {
    const auto found = event.find(field);
    if (to_core && found == event.end()) event[field] = "";
    if (!to_core && found != event.end() && *found == "") event.erase(found);
  }
  return event;
}

}  // namespace nodebound
