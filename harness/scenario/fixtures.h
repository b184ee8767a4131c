#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/scenario/scenario.h"
#include "reference/result.h"

namespace nodebound {

/// The sentences that make objects: `pod web on a with secret db via env`. scenarios/fixtures.toml defines what each
/// word means.
class Fixtures {
 public:
  static Result<Fixtures> parse(std::string_view text, const std::string& file);

  /// The administrator's actions for a sentence: one that makes an object, `delete RESOURCE/NAME`, or `bind pods/NAME
  /// to NODE`.
  [[nodiscard]] Result<Action> action(std::string_view sentence) const;

  /// The ways in which a `noun` can reference a `kind` in a sentence, sorted by name.
  [[nodiscard]] std::vector<std::string> ways(const std::string& noun, const std::string& kind) const;

 private:
  struct Noun {
    RequestText target;
    Object body;
    std::map<std::string, Object> options;                      ///< word to fragment
    std::map<std::string, std::map<std::string, Object>> with;  ///< kind, way to fragment
  };

  [[nodiscard]] Result<Action> creation(const std::vector<std::string>& words) const;

  std::map<std::string, Noun> nouns_;
};

/// Merges `fragment` into `object`: tables are merged, and so are list items of the same name; other items are
/// appended.
void merge_fragment(Object& object, const Object& fragment);

}  // namespace nodebound
