#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/mutants/inquiry.h"
#include "reference/result.h"

namespace nodebound::mutants {

/// Conditions: for which questions a fault takes effect.
using Condition = std::function<bool(const Inquiry&, const Surroundings&)>;

/// Parses `verb update and way merge`: words of the vocabulary, some with an argument or preceded by `not`. An error
/// names the unknown word, without a place in the file.
Result<Condition> parse_condition(std::string_view text);

/// The words of the vocabulary in order, with their meanings.
struct Word {
  std::string name;
  std::string argument;  ///< the argument that it takes; empty if none
  std::string meaning;
};
std::vector<Word> condition_words();

/// The elements of a list or map that are in `after` and not in `before`.
bool has_additions(const Object& before, const Object& after);

/// Keys of labels whose values differ, including labels that only one side has.
std::vector<std::string> changed_labels(const Object& before, const Object& after);

/// Wrong ways to compare the domain of a label: `ends`, `begins`, `contains` or `case`. True only if the wrong
/// comparison matches and the exact one does not.
bool loosely_matches(std::string_view how, std::string_view domain, std::string_view expected);

/// The part of a label's key before the slash.
std::string_view domain_of_label(std::string_view key);

}  // namespace nodebound::mutants
