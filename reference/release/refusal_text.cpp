#include "reference/release/refusal_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>
#include <utility>

#include "reference/encoding/utf8.h"

namespace nodebound {

namespace {

// Go escapes invisible characters: control and format characters, all blanks except the space, private use. It also
// escapes code points that Unicode has not assigned; those stay as they are here.
bool shown(char32_t rune) {
  using Range = std::pair<char32_t, char32_t>;
  static constexpr std::array<Range, 24> hidden = {
      {{0x0, 0x1f},        {0x7f, 0xa0},       {0xad, 0xad},       {0x600, 0x605},     {0x61c, 0x61c},
       {0x6dd, 0x6dd},     {0x70f, 0x70f},     {0x890, 0x891},     {0x8e2, 0x8e2},     {0x1680, 0x1680},
       {0x180e, 0x180e},   {0x2000, 0x200f},   {0x2028, 0x202f},   {0x205f, 0x206f},   {0x3000, 0x3000},
       {0xe000, 0xf8ff},   {0xfeff, 0xfeff},   {0xfff0, 0xfffb},   {0xfffe, 0xffff},   {0x110bd, 0x110cd},
       {0x13430, 0x1343f}, {0x1d173, 0x1d17a}, {0xe0000, 0xe00ff}, {0xe01f0, 0x10ffff}}};
  return std::none_of(hidden.begin(), hidden.end(),
                      [&](Range range) { return rune >= range.first && rune <= range.second; });
}

std::string hexadecimal(char32_t value, std::size_t width) {
  std::string out(width, '0');
  for (std::size_t i = width; i > 0; --i, value >>= 4U) out[i - 1] = "0123456789abcdef"[value & 0xfU];
  return out;
}

// The escape of a character that is not printed as it is.
std::string escaped(char32_t rune) {
  if (rune >= '\a' && rune <= '\r') return std::string("\\") + "abtnvfr"[rune - '\a'];
  if (rune < 0x20 || rune == 0x7f) return "\\x" + hexadecimal(rune, 2);
  return rune < 0x10000 ? "\\u" + hexadecimal(rune, 4) : "\\U" + hexadecimal(rune, 8);
}

}  // namespace

void append_go_quoted(std::string& out, std::string_view text) {
  out += '"';
  // Fast path: nearly all names contain only such characters.
  const auto* const special =
      std::find_if(text.begin(), text.end(), [](char c) { return c < ' ' || c > '~' || c == '"' || c == '\\'; });
  const auto plain = static_cast<std::size_t>(special - text.begin());
  out += text.substr(0, plain);
  text.remove_prefix(plain);
  while (!text.empty()) {
    const auto first = static_cast<unsigned char>(text.front());
    const std::optional<char32_t> rune = take_character(text);
    if (!rune) {
      out += "\\x" + hexadecimal(first, 2);
    } else if (!shown(*rune)) {
      out += escaped(*rune);
    } else {
      if (*rune == U'"' || *rune == U'\\') out += '\\';
      append_code_point(out, *rune);
    }
  }
  out += '"';
}

std::string go_quoted(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 2);
  append_go_quoted(out, text);
  return out;
}

std::string go_aggregate(const std::vector<std::string>& errors) {
  std::string out;
  std::unordered_set<std::string_view> told;
  for (const std::string& error : errors) {
    if (!told.insert(error).second) continue;
    if (told.size() > 1) out += ", ";
    out += error;
  }
  return told.size() > 1 ? "[" + out + "]" : out;
}

RefusalText::RefusalText(std::string_view pattern) {
  while (!pattern.empty()) {
    const std::size_t open = pattern.find('{');
    const std::size_t close = open == std::string_view::npos ? open : pattern.find('}', open);
    if (close == std::string_view::npos) {
      parts_.push_back({std::string(pattern), false, false});
      return;
    }
    if (open > 0) parts_.push_back({std::string(pattern.substr(0, open)), false, false});
    std::string_view name = pattern.substr(open + 1, close - open - 1);
    const bool quoted = name.ends_with(":q");
    if (quoted) name.remove_suffix(2);
    parts_.push_back({std::string(name), true, quoted});
    pattern.remove_prefix(close + 1);
  }
}

std::string RefusalText::pattern() const {
  std::string out;
  for (const Part& part : parts_) {
    out += part.placeholder ? "{" + part.text + (part.quoted ? ":q}" : "}") : part.text;
  }
  return out;
}

std::string RefusalText::render(std::initializer_list<TextArgument> arguments) const {
  std::string out;
  out.reserve(128);
  for (const Part& part : parts_) {
    if (!part.placeholder) {
      out += part.text;
      continue;
    }
    const TextArgument* const found = std::find_if(
        arguments.begin(), arguments.end(), [&](const TextArgument& argument) { return argument.first == part.text; });
    if (found == arguments.end()) {
      out += '{' + part.text + '}';
    } else if (part.quoted) {
      out += go_quoted(found->second);
    } else {
      out += found->second;
    }
  }
  return out;
}

std::vector<std::string> RefusalText::runs(const std::vector<std::pair<std::string, std::string>>& known) const {
  std::vector<std::string> runs(1);
  for (const Part& part : parts_) {
    if (!part.placeholder) {
      runs.back() += part.text;
      continue;
    }
    const std::string* value = nullptr;
    for (const auto& [name, fixed] : known) {
      if (name == part.text) value = &fixed;
    }
    if (value == nullptr) {
      runs.emplace_back();
    } else {
      runs.back() += part.quoted ? go_quoted(*value) : *value;
    }
  }
  return runs;
}

bool RefusalText::ends(std::string_view message, const std::vector<std::pair<std::string, std::string>>& known) const {
  // The literal texts must occur in order, and the last must stand at the end.
  const std::vector<std::string> runs = this->runs(known);
  if (!message.ends_with(runs.back())) return false;
  message.remove_suffix(runs.back().size());
  std::size_t from = 0;
  for (std::size_t i = 0; i + 1 < runs.size(); ++i) {
    const std::size_t at = message.find(runs[i], from);
    if (at == std::string_view::npos) return false;
    from = at + runs[i].size();
  }
  return true;
}

bool RefusalText::is(std::string_view message, const std::vector<std::pair<std::string, std::string>>& known) const {
  const std::vector<std::string> runs = this->runs(known);
  return ends(message, known) && message.starts_with(runs.front()) && (runs.size() > 1 || message == runs.front());
}

}  // namespace nodebound
