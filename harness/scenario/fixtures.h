#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/scenario/scenario.h"
#include "reference/result.h"

namespace nodebound {

/// The words that make objects: `pod web on a with secret db via env`. What each word means is data, in
/// scenarios/fixtures.toml.
class Fixtures {
 public:
  static Result<Fixtures> parse(std::string_view text, const std::string& file);

  /// What the administrator does at a sentence: one that makes an object, `delete RESOURCE/NAME`, or
  /// `bind pods/NAME to NODE`.
  [[nodiscard]] Result<Action> action(std::string_view sentence) const;

  /// The ways in which a sentence may say that a `noun` is made with a `kind`, in order of their names.
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

/// Adds `fragment` to `object`: tables are merged, list items of the same name too, other items are appended.
void merge_fragment(Object& object, const Object& fragment);

}  // namespace nodebound
