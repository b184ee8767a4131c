#include "fakes/authentication/repeated_key.h"

#include <set>
#include <vector>

#include "reference/cluster/object.h"

namespace nodebound::authentication {
namespace {

/// An object or a list that is being read.
struct Level {
  std::string place;
  bool asked = false;
  std::string key;
  std::set<std::string> keys;
};

}  // namespace

std::optional<std::string> repeated_key(std::string_view json, const std::function<bool(std::string_view)>& counts) {
  std::vector<Level> levels;
  std::optional<std::string> found;
  const auto place_below = [&levels] {
    return levels.empty() ? std::string() : levels.back().place + "/" + levels.back().key;
  };
  const auto visit = [&](int, Object::parse_event_t event, const Object& parsed) {
    using Event = Object::parse_event_t;
    if (event == Event::object_start) {
      const std::string place = place_below();
      levels.push_back({place, counts(place), {}, {}});
    } else if (event == Event::array_start) {
      levels.push_back({place_below() + "/[]", false, {}, {}});
    } else if (event == Event::object_end || event == Event::array_end) {
      levels.pop_back();
    } else if (event == Event::key) {
      Level& level = levels.back();
      level.key = parsed.get<std::string>();
      if (level.asked && !level.keys.insert(level.key).second && !found) found = level.key;
    }
    return true;
  };
  return Object::parse(json, visit, false).is_discarded() ? std::nullopt : found;
}

}  // namespace nodebound::authentication
