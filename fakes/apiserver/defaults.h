#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fakes/apiserver/api_catalogue.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// What an API server fills in where a client says nothing: the table that defaults.toml is, which says what its fields
/// mean.
class DefaultsTable {
 public:
  /// A way into an object; `items` goes on in each item of the list that is found there.
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
    ServedRange range;
  };
  /// Something that code does, in some releases, as long as its plugin is on.
  struct Feature {
    std::string id;
    std::string plugin;
    ServedRange range;
  };

  /// The table this binary was built with.
  static const DefaultsTable& built_in();

  /// Reads the data file; errors carry `name:line:column`.
  static Result<DefaultsTable> parse(std::string_view defaults);

  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] const std::vector<Feature>& features() const { return features_; }

 private:
  std::vector<Entry> entries_;
  std::vector<Feature> features_;
};

/// The same for one release.
class Defaults {
 public:
  Defaults(const Release& release, const std::set<std::string>& disabled_plugins,
           const DefaultsTable& table = DefaultsTable::built_in());

  /// Who fills in: the decoder of whatever is submitted, or the strategy of what is made.
  enum class By { decoder, strategy };
  void apply(std::string_view group, std::string_view resource, By by, Object& object) const;

  /// Whether code has to do what has that id in the table.
  [[nodiscard]] bool has(std::string_view id) const { return features_.contains(id); }

 private:
  using Key = std::pair<std::string_view, std::string_view>;
  std::map<Key, std::vector<const DefaultsTable::Entry*>> entries_;
  std::set<std::string_view> features_;
};

}  // namespace nodebound
