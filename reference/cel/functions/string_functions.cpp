#include <algorithm>

#include "reference/cel/evaluation/regex.h"
#include "reference/cel/functions/functions.h"
#include "reference/encoding/utf8.h"

namespace nodebound::cel {

namespace strings {

namespace {

Value starts_with(Arena&, Arguments arguments) {
  return Value::of(arguments[0].text().starts_with(arguments[1].text()));
}
Value ends_with(Arena&, Arguments arguments) {
  return Value::of(arguments[0].text().ends_with(arguments[1].text()));
}
Value contains(Arena&, Arguments arguments) {
  return Value::of(arguments[0].text().find(arguments[1].text()) != std::string_view::npos);
}

Value matches(Arena& arena, Arguments arguments) {
  const auto regex = Regex::compile(arguments[1].text());
  if (!regex) return arena.error(regex.error());
  return Value::of(regex->matches(arguments[0].text()));
}

// cel-go's string functions count code points.
std::u32string code_points(std::string_view text) {
  std::u32string out;
  while (!text.empty()) out += take_code_point(text);
  return out;
}
Value made_of(Arena& arena, std::u32string_view code_points) {
  std::string out;
  for (const char32_t one : code_points) append_code_point(out, one);
  return arena.string(out);
}
Value out_of_range(Arena& arena, std::int64_t index) {
  return arena.error("index out of range: " + std::to_string(index));
}

Value char_at(Arena& arena, Arguments arguments) {
  const std::u32string text = code_points(arguments[0].text());
  const std::int64_t index = arguments[1].integer();
  const auto size = static_cast<std::int64_t>(text.size());
  if (index < 0 || index > size) return out_of_range(arena, index);
  return made_of(arena, std::u32string_view(text).substr(static_cast<std::size_t>(index), 1));
}

Value index_of(Arena& arena, Arguments arguments) {
  const std::int64_t offset = arguments.size() > 2 ? arguments[2].integer() : 0;
  if (arguments[1].text().empty()) return Value::of(offset);
  if (offset < 0) return out_of_range(arena, offset);
  const std::size_t found =
      code_points(arguments[0].text()).find(code_points(arguments[1].text()), static_cast<std::size_t>(offset));
  return Value::of(found == std::u32string::npos ? std::int64_t{-1} : static_cast<std::int64_t>(found));
}

Value last_index_of(Arena& arena, Arguments arguments) {
  const std::u32string text = code_points(arguments[0].text());
  const auto size = static_cast<std::int64_t>(text.size());
  const bool has_offset = arguments.size() > 2;
  const std::int64_t offset = has_offset ? arguments[2].integer() : size - 1;
  if (arguments[1].text().empty()) return Value::of(has_offset ? offset : size);
  if (!has_offset && arguments[0].text().size() < arguments[1].text().size()) return Value::of(std::int64_t{-1});
  if (offset < 0) return out_of_range(arena, offset);
  if (offset >= size) return Value::of(std::int64_t{-1});
  const std::size_t found = text.rfind(code_points(arguments[1].text()), static_cast<std::size_t>(offset));
  return Value::of(found == std::u32string::npos ? std::int64_t{-1} : static_cast<std::int64_t>(found));
}

template <char From, char To, int Shift>
Value shift_letters(Arena& arena, Arguments arguments) {
  std::string out(arguments[0].text());
  for (char& c : out) {
    if (c >= From && c <= To) c = static_cast<char>(c + Shift);
  }
  return arena.string(out);
}

// Go's strings.Replace: `count` below 0 means all; an empty `old` is before each character and at the end.
Value replace(Arena& arena, Arguments arguments) {
  std::string_view text = arguments[0].text();
  const std::string_view old = arguments[1].text();
  const std::string_view with = arguments[2].text();
  std::int64_t count = arguments.size() > 3 ? arguments[3].integer() : -1;
  std::string out;
  if (old.empty()) {
    for (bool first = true; count != 0; --count, first = false) {
      if (!first) {
        if (text.empty()) break;
        std::string_view rest = text;
        take_character(rest);
        out.append(text.substr(0, text.size() - rest.size()));
        text = rest;
      }
      out.append(with);
    }
    return arena.string(out.append(text));
  }
  for (; count != 0; --count) {
    const std::size_t found = text.find(old);
    if (found == std::string_view::npos) break;
    out.append(text.substr(0, found)).append(with);
    text.remove_prefix(found + old.size());
  }
  return arena.string(out.append(text));
}

// Go's strings.SplitN.
Value split(Arena& arena, Arguments arguments) {
  std::string_view text = arguments[0].text();
  const std::string_view separator = arguments[1].text();
  const std::int64_t most = arguments.size() > 2 ? arguments[2].integer() : -1;
  std::vector<Value> out;
  const auto has_room = [&] { return most < 0 || static_cast<std::int64_t>(out.size()) + 1 < most; };
  if (most == 0) return arena.list(out);
  if (separator.empty()) {
    while (!text.empty() && has_room()) {
      std::string_view rest = text;
      take_character(rest);
      out.push_back(Value::of(text.substr(0, text.size() - rest.size())));
      text = rest;
    }
    if (!text.empty()) out.push_back(Value::of(text));
    return arena.list(out);
  }
  while (has_room()) {
    const std::size_t found = text.find(separator);
    if (found == std::string_view::npos) break;
    out.push_back(Value::of(text.substr(0, found)));
    text.remove_prefix(found + separator.size());
  }
  out.push_back(Value::of(text));
  return arena.list(out);
}

Value substring(Arena& arena, Arguments arguments) {
  const std::u32string text = code_points(arguments[0].text());
  const auto size = static_cast<std::int64_t>(text.size());
  const std::int64_t begin = arguments[1].integer();
  const std::int64_t end = arguments.size() > 2 ? arguments[2].integer() : size;
  if (arguments.size() > 2 && begin > end) {
    return arena.error("invalid substring range. start: " + std::to_string(begin) + ", end: " + std::to_string(end));
  }
  if (begin < 0 || begin > size) return out_of_range(arena, begin);
  if (end < 0 || end > size) return out_of_range(arena, end);
  return made_of(
      arena, std::u32string_view(text).substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
}

// unicode.IsSpace
bool is_space(char32_t c) {
  return (c >= 9 && c <= 13) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) ||
         c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}
Value trim(Arena& arena, Arguments arguments) {
  const std::u32string text = code_points(arguments[0].text());
  std::u32string_view rest = text;
  while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
  while (!rest.empty() && is_space(rest.back())) rest.remove_suffix(1);
  return made_of(arena, rest);
}

Value join(Arena& arena, Arguments arguments) {
  const List& list = arguments[0].list();
  std::string out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value element = list.at(i);
    if (!element.is(Value::Kind::string)) return arena.error("join: invalid input: " + to_string(element));
    if (i > 0 && arguments.size() > 1) out.append(arguments[1].text());
    out.append(element.text());
  }
  return arena.string(out);
}

Value quote(Arena& arena, Arguments arguments) {
  constexpr std::string_view special = "\a\b\f\n\r\t\v\\\"";
  constexpr std::string_view escaped = "abfnrtv\\\"";
  std::string out = "\"";
  for (const char c : valid_utf8(arguments[0].text())) {
    const std::size_t at = special.find(c);
    if (at == std::string_view::npos) {
      out += c;
    } else {
      out.append("\\").append(1, escaped[at]);
    }
  }
  return arena.string(out + "\"");
}

Value find(Arena& arena, Arguments arguments) {
  const auto regex = Regex::compile(arguments[1].text());
  if (!regex) return arena.error("Illegal regex: " + regex.error());
  const std::vector<std::string_view> found = regex->find_all(arguments[0].text(), 1);
  return Value::of(found.empty() ? std::string_view() : found[0]);
}
Value find_all(Arena& arena, Arguments arguments) {
  const auto regex = Regex::compile(arguments[1].text());
  if (!regex) return arena.error("Illegal regex: " + regex.error());
  std::vector<Value> out;
  for (const std::string_view one :
       regex->find_all(arguments[0].text(), arguments.size() > 2 ? arguments[2].integer() : -1)) {
    out.push_back(Value::of(one));
  }
  return arena.list(out);
}

constexpr NamedImplementation table[] = {
    {"starts_with_string", {starts_with, cost_of_traversal}},
    {"ends_with_string", {ends_with, cost_of_traversal}},
    {"contains_string", {contains, cost_of_search}},
    {"matches", {matches, cost_of_one}},
    {"matches_string", {matches, cost_of_regex}},
    {"string_char_at_int", {char_at, cost_of_one}},
    {"string_index_of_string", {index_of, cost_of_elements}},
    {"string_index_of_string_int", {index_of, cost_of_elements}},
    {"string_last_index_of_string", {last_index_of, cost_of_elements}},
    {"string_last_index_of_string_int", {last_index_of, cost_of_elements}},
    {"string_lower_ascii", {shift_letters<'A', 'Z', 'a' - 'A'>, cost_of_traversal}},
    {"string_upper_ascii", {shift_letters<'a', 'z', 'A' - 'a'>, cost_of_traversal}},
    {"string_replace_string_string", {replace, cost_of_two_traversals}},
    {"string_replace_string_string_int", {replace, cost_of_two_traversals}},
    {"string_split_string", {split, cost_of_two_traversals}},
    {"string_split_string_int", {split, cost_of_two_traversals}},
    {"string_substring_int", {substring, cost_of_traversal}},
    {"string_substring_int_int", {substring, cost_of_traversal}},
    {"string_trim", {trim, cost_of_traversal}},
    {"list_join", {join, cost_of_result}},
    {"list_join_string", {join, cost_of_result}},
    {"strings_quote", {quote, cost_of_traversal}},
    {"string_find_string", {find, cost_of_regex}},
    {"string_find_all_string", {find_all, cost_of_regex}},
    {"string_find_all_string_int", {find_all, cost_of_regex}},
};

}  // namespace

}  // namespace strings

std::span<const NamedImplementation> string_functions() {
  return strings::table;
}

}  // namespace nodebound::cel
