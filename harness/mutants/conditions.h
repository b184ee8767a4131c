#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/mutants/inquiry.h"
#include "reference/result.h"

namespace nodebound {

/// For which questions a fault shows.
using Condition = std::function<bool(const Inquiry&, const Surroundings&)>;

/// Reads `verb update and way merge`: words of the vocabulary, some with an argument or a `not` before them. An error
/// says which word is unknown; it has no place yet.
Result<Condition> parse_condition(std::string_view text);

/// The words of the vocabulary, in order, with what they mean.
struct Word {
  std::string name;
  std::string argument;  ///< what it takes; empty if nothing
  std::string meaning;
};
std::vector<Word> condition_words();

/// Of a list or map, what is in `after` and not in `before`.
bool has_additions(const Object& before, const Object& after);

/// Keys of labels that are not the same in both, whichever has them.
std::vector<std::string> changed_labels(const Object& before, const Object& after);

/// How a label's domain may be compared with another: `ends`, `begins`, `contains` or `case`; true where only such a
/// comparison takes one for the other.
bool loosely_matches(std::string_view how, std::string_view domain, std::string_view expected);

/// What stands before the slash of a label's key.
std::string_view domain_of_label(std::string_view key);

}  // namespace nodebound
