#pragma once

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "harness/mutants/faults/conditions.h"
#include "reference/release/toml_reader.h"
#include "reference/result.h"

namespace nodebound::mutants {

// The syntax of conditions and misreadings: a word, and an optional argument after a blank.

struct WordAndArgument {
  std::string_view word;
  std::string_view argument;
};

inline WordAndArgument split_word(std::string_view text) {
  const std::size_t blank = text.find(' ');
  if (blank == std::string_view::npos) return {text, {}};
  return {text.substr(0, blank), text.substr(blank + 1)};
}

/// The argument of a word that looks into objects.
inline constexpr const char* pointer_argument = "a JSON pointer";

inline bool is_json_pointer(std::string_view text) {
  for (std::size_t at = text.find('~'); at != std::string_view::npos; at = text.find('~', at + 1)) {
    const char escaped = at + 1 < text.size() ? text[at + 1] : '\0';
    if (escaped != '0' && escaped != '1') return false;
  }
  return text.starts_with('/');
}

inline Result<void> argument_fits(const Word& word, const WordAndArgument& found) {
  const bool sound = word.argument != pointer_argument || is_json_pointer(found.argument);
  if (word.argument.empty() == found.argument.empty() && sound) return {};
  const std::string wanted = word.argument.empty() ? "takes nothing behind it" : "expects " + word.argument;
  return tl::unexpected<Error>(Error{Error::Kind::input, "", "\"" + word.name + "\" " + wanted, ""});
}

inline tl::unexpected<Error> unknown_word(const std::string& kind, std::string_view word,
                                          const std::vector<Word>& known) {
  std::vector<std::string> names;
  names.reserve(known.size());
  for (const Word& one : known) names.push_back(one.name);
  return input_error("", "there is no " + kind + " \"" + std::string(word) + "\"" + did_you_mean(word, names),
                     "`nodebound mutants --words` lists them");
}

}  // namespace nodebound::mutants
