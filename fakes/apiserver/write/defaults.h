#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fakes/wire/resources/api_catalogue.h"
#include "reference/cluster/object.h"

namespace nodebound::apiserver {

/// The fields that an API server fills in if a client leaves them out: the table of defaults.toml, which explains its
/// fields.
class DefaultsTable {
 public:
  /// One step of a path into an object; with `items` the path goes on in each item of the list found there.
  struct Step {
    std::string name;
    bool items = false;
  };
  using Path = std::vector<Step>;

  struct Field {
    Path path;
    Object value;
  };
  struct Condition {
    Path path;
    std::vector<std::string> values;
  };
  struct Entry {
    std::string group;
    std::string resource;
    bool on_create = false;
    std::vector<Condition> when;
    std::vector<Field> fields;
    ReleaseRange range;
  };
  /// The table this binary was built with.
  static const DefaultsTable& built_in();

  /// Reads the data file; errors carry `name:line:column`.
  static Result<DefaultsTable> parse(std::string_view defaults);

  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

/// The defaults of one release, and its behaviours with the plugins of one server.
class Defaults {
 public:
  Defaults(const Release& release, const std::set<std::string>& disabled_plugins,
           const DefaultsTable& table = DefaultsTable::built_in());

  /// Who fills in: the decoder, for every submitted object, or the strategy, for new objects.
  enum class By { decoder, strategy };
  void apply(std::string_view group, std::string_view resource, By by, Object& object) const;

  /// Whether the release has the behaviour, and the plugin that shows it is on.
  [[nodiscard]] bool does(Behaviour behaviour) const { return behaviours_[static_cast<std::size_t>(behaviour)]; }

 private:
  using Key = std::pair<std::string_view, std::string_view>;
  std::map<Key, std::vector<const DefaultsTable::Entry*>> entries_;
  std::vector<bool> behaviours_;
};

}  // namespace nodebound::apiserver
