#include "reference/release/refusal_text.h"

#include <array>

namespace nodebound {

std::string go_quoted(std::string_view text) {
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  out.reserve(text.size() + 2);
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\x";
      out += digits[byte >> 4U];
      out += digits[byte & 0xfU];
    } else {
      out += c;
    }
  }
  return out + '"';
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
    const TextArgument* found = nullptr;
    for (const TextArgument& argument : arguments) {
      if (argument.first == part.text) found = &argument;
    }
    if (found == nullptr) {
      out += '{' + part.text + '}';
    } else if (part.quoted) {
      out += go_quoted(found->second);
    } else {
      out += found->second;
    }
  }
  return out;
}

bool RefusalText::ends(std::string_view message, const std::vector<std::pair<std::string, std::string>>& known) const {
  // Literal runs between open placeholders must follow one another, and the last must stand at the end.
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

}  // namespace nodebound
