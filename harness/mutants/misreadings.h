#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "harness/mutants/conditions.h"
#include "harness/mutants/inquiry.h"
#include "reference/result.h"

namespace nodebound {

/// What a faulty judge takes a question for: any of the questions that it gives. None if it takes it as it is.
using Misreading = std::function<std::vector<Inquiry>(const Inquiry&, const Surroundings&)>;

/// Reads `node-prefix` or `first-of /spec/volumes`. An error says which word is unknown; it has no place yet.
Result<Misreading> parse_misreading(std::string_view text);

/// The words of the vocabulary, in order, with what they mean.
std::vector<Word> misreading_words();

/// One word with what it makes of a question.
struct MisreadingEntry {
  Word word;
  std::function<Misreading(const std::string& argument)> make;
};

/// A question is taken for what `change` makes of it.
Misreading taken_for(std::function<void(Inquiry&)> change);
/// The same as a word that takes no argument.
MisreadingEntry plain_misreading(const char* name, const char* meaning, const std::function<void(Inquiry&)>& change);

/// Those that take the asking node for another.
std::vector<MisreadingEntry> misread_nodes();
/// Those that overlook something of what is asked, or take its names for others.
std::vector<MisreadingEntry> misread_attributes();
/// Those that overlook something of the object that is written.
std::vector<MisreadingEntry> misread_objects();

/// How two names are compared that are not the same: `prefix` (the first begins with the second), `prefix-of` (the
/// other way), `suffix`, `case`, `dot` (the same up to the first dot of either). An empty one is like none.
bool same_by(std::string_view how, std::string_view asked, std::string_view known);

}  // namespace nodebound
