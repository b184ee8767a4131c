#include "harness/mutants/faults/misreadings.h"

#include "harness/mutants/faults/words.h"
#include "reference/encoding/ascii.h"

namespace nodebound::mutants {
namespace {

const std::vector<MisreadingEntry>& entries() {
  static const std::vector<MisreadingEntry> all = [] {
    std::vector<MisreadingEntry> out;
    for (std::vector<MisreadingEntry> (*of)() : {misread_nodes, misread_attributes, misread_objects}) {
      for (MisreadingEntry& entry : of()) out.push_back(std::move(entry));
    }
    return out;
  }();
  return all;
}

}  // namespace

Misreading taken_for(std::function<void(Inquiry&)> change) {
  return [change = std::move(change)](const Inquiry& asked, const Surroundings&) {
    Inquiry changed = asked;
    change(changed);
    return std::vector<Inquiry>{std::move(changed)};
  };
}

MisreadingEntry plain_misreading(const char* name, const char* meaning, const std::function<void(Inquiry&)>& change) {
  return {{name, "", meaning}, [change](const std::string&) { return taken_for(change); }};
}

Result<Misreading> parse_misreading(std::string_view text) {
  const WordAndArgument parts = split_word(text);
  for (const MisreadingEntry& entry : entries()) {
    if (entry.word.name != parts.word) continue;
    if (Result<void> fits = argument_fits(entry.word, parts); !fits) return tl::unexpected<Error>(fits.error());
    return entry.make(std::string(parts.argument));
  }
  return unknown_word("misreading", parts.word, misreading_words());
}

std::vector<Word> misreading_words() {
  std::vector<Word> out;
  for (const MisreadingEntry& entry : entries()) out.push_back(entry.word);
  return out;
}

bool same_by(std::string_view how, std::string_view asked, std::string_view known) {
  if (asked == known || asked.empty() || known.empty()) return false;
  if (how == "prefix") return asked.starts_with(known);
  if (how == "prefix-of") return known.starts_with(asked);
  if (how == "suffix") return asked.ends_with(known);
  if (how == "dot") return asked.substr(0, asked.find('.')) == known.substr(0, known.find('.'));
  return in_lower_case(asked) == in_lower_case(known);
}

}  // namespace nodebound::mutants
