#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "harness/mutants/faults/conditions.h"
#include "harness/mutants/inquiry.h"
#include "reference/result.h"

namespace nodebound::mutants {

/// What a faulty judge takes a question for: any of the returned questions. Empty if it reads the question correctly.
using Misreading = std::function<std::vector<Inquiry>(const Inquiry&, const Surroundings&)>;

/// Parses `node-prefix` or `first-of /spec/volumes`. An error names the unknown word, without a place in the file.
Result<Misreading> parse_misreading(std::string_view text);

/// The words of the vocabulary in order, with their meanings.
std::vector<Word> misreading_words();

/// One word, with its effect on a question.
struct MisreadingEntry {
  Word word;
  std::function<Misreading(const std::string& argument)> make;
};

/// Replaces a question by the result of `change`.
Misreading taken_for(std::function<void(Inquiry&)> change);
/// The same for a word without an argument.
MisreadingEntry plain_misreading(const char* name, const char* meaning, const std::function<void(Inquiry&)>& change);

/// Misreadings that take the asking node for another.
std::vector<MisreadingEntry> misread_nodes();
/// Misreadings that overlook part of the question, or confuse its names.
std::vector<MisreadingEntry> misread_attributes();
/// Misreadings that overlook part of the written object.
std::vector<MisreadingEntry> misread_objects();

/// How two different names are confused: `prefix` (the first begins with the second), `prefix-of` (the reverse),
/// `suffix`, `case`, `dot` (equal up to the first dot of either). An empty name resembles none.
bool same_by(std::string_view how, std::string_view asked, std::string_view known);

}  // namespace nodebound::mutants
