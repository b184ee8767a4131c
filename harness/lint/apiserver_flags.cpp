#include "harness/lint/apiserver_flags.h"

#include <algorithm>
#include <sstream>

#include "fakes/wire/yaml/yaml.h"
#include "reference/cluster/object.h"

namespace nodebound::lint {
namespace {

constexpr std::string_view program = "kube-apiserver";

bool names_program(std::string_view word) {
  const std::size_t slash = word.find_last_of("/=");
  return word == program || (slash != std::string_view::npos && word.substr(slash + 1) == program);
}

struct Word {
  std::string text;
  std::size_t line;  ///< from 1
};

/// Finds the lines of words that come one after another in a text.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}

  /// The line of the next place that holds the word; that of the last word if none does.
  std::size_t of(std::string_view word) {
    const std::size_t at = text_.find(word, from_);
    if (at == std::string_view::npos) return line_;
    const auto begin = text_.begin() + static_cast<std::ptrdiff_t>(from_);
    line_ += static_cast<std::size_t>(std::count(begin, text_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    from_ = at;
    return line_;
  }

 private:
  std::string_view text_;
  std::size_t from_ = 0;
  std::size_t line_ = 1;
};

void split(const std::string& text, std::size_t line, std::vector<Word>& out) {
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word.starts_with('#')) return;
    std::erase_if(word, [](char c) { return c == '"' || c == '\'' || c == '\\'; });
    if (!word.empty()) out.push_back({std::move(word), line});
  }
}

// The command of the container that runs kube-apiserver, which may be one text for a shell.
std::vector<Word> words_of_manifest(const Object& pod, std::string_view text) {
  for (const Object& container : member(pod, "spec", "containers")) {
    std::vector<Word> words;
    Lines lines(text);
    for (const char* field : {"command", "args"}) {
      for (const Object& word : member(container, field)) {
        if (word.is_string()) split(word.get<std::string>(), lines.of(word.get_ref<const std::string&>()), words);
      }
    }
    const bool runs =
        std::any_of(words.begin(), words.end(), [](const Word& word) { return names_program(word.text); });
    if (runs) return words;
  }
  return {};
}

// A line that begins with the program, perhaps behind ExecStart=, and the lines that continue it.
std::vector<Word> words_of_command(std::string_view text) {
  std::vector<Word> out;
  std::istringstream lines{std::string(text)};
  bool continued = false;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::vector<Word> words;
    split(line, number, words);
    if (words.empty()) continue;
    const std::string& first = words.front().text;
    const bool goes_on = out.empty() ? names_program(first) : continued || first.starts_with("--");
    if (goes_on) out.insert(out.end(), words.begin(), words.end());
    if (!goes_on && !out.empty()) break;
    continued = !out.empty() && line.ends_with('\\');
  }
  return out;
}

}  // namespace

const ApiServerFlag* ApiServerFlags::find(std::string_view name) const {
  const auto found =
      std::find_if(flags_.rbegin(), flags_.rend(), [&](const ApiServerFlag& flag) { return flag.name == name; });
  return found == flags_.rend() ? nullptr : &*found;
}

std::vector<std::string> ApiServerFlags::list(std::string_view name) const {
  std::vector<std::string> out;
  for (const ApiServerFlag& flag : flags_) {
    if (flag.name != name) continue;
    std::istringstream items(flag.value);
    for (std::string item; std::getline(items, item, ',');) out.push_back(item);
  }
  return out;
}

const ApiServerFlag* ApiServerFlags::beginning_with(std::string_view prefix) const {
  const auto found = std::find_if(flags_.begin(), flags_.end(),
                                  [&](const ApiServerFlag& flag) { return flag.name.starts_with(prefix); });
  return found == flags_.end() ? nullptr : &*found;
}

ApiServerFlags read_apiserver_flags(std::string_view text) {
  const auto object = read_yaml(text);
  const bool manifest = object && object->is_object() && nodebound::text(*object, "kind") == "Pod";
  const std::vector<Word> words = manifest ? words_of_manifest(*object, text) : words_of_command(text);
  std::vector<ApiServerFlag> flags;
  for (auto word = words.begin(); word != words.end(); ++word) {
    if (!word->text.starts_with("--") || word->text.size() == 2) continue;
    const std::size_t equals = word->text.find('=');
    ApiServerFlag flag{word->text.substr(2, equals == std::string::npos ? equals : equals - 2), "true", word->line};
    const auto next = std::next(word);
    if (equals != std::string::npos) {
      flag.value = word->text.substr(equals + 1);
    } else if (next != words.end() && !next->text.starts_with("--")) {
      flag.value = next->text;
    }
    // Flags may be written with underscores (k8s.io/component-base/cli/flag, WordSepNormalizeFunc).
    std::replace(flag.name.begin(), flag.name.end(), '_', '-');
    flags.push_back(std::move(flag));
  }
  return ApiServerFlags(std::move(flags));
}

}  // namespace nodebound::lint
