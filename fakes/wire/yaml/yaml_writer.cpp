#include <algorithm>

#include "fakes/wire/yaml/yaml.h"
#include "fakes/wire/yaml/yaml_scalar.h"
#include "reference/encoding/ascii.h"

namespace nodebound {
namespace {

bool is_usual(char c) {
  return c >= ' ' && c <= '~';
}

// Whether a character has a meaning in YAML at this place, outside of brackets (yaml_emitter_analyze_scalar in
// go-yaml's emitterc.go).
bool is_indicator(std::string_view text, std::size_t at) {
  const char c = text[at];
  const bool blank_follows = at + 1 == text.size() || text[at + 1] == ' ';
  if (c == ':') return blank_follows;
  if (c == '#' && at > 0) return text[at - 1] == ' ';
  if (at > 0) return false;
  if (c == '?' || c == '-') return blank_follows;
  return std::string_view("#,[]{}&*!|>'\"%@`").find(c) != std::string_view::npos;
}

// Whether a text of ordinary characters needs no quotes.
bool is_plain(std::string_view text) {
  if (text.front() == ' ' || text.back() == ' ') return false;
  if (text.starts_with("---") || text.starts_with("...")) return false;
  // Unquoted, it would be the merge key.
  if (text == "<<") return false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (is_indicator(text, at)) return false;
  }
  return true;
}

bool looks_like_date(std::string_view text) {
  return text.size() >= 8 && text.find_first_not_of("0123456789") == 4 && text[4] == '-';
}

// YAML 1.1 reads digits with colons as base 60: `1:20` is eighty, `1:20.5` is eighty and a half.
bool looks_like_base_60(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || !is_digit(text.front()) || text.find(':') == std::string_view::npos) return false;
  std::size_t at = text.find_first_not_of("0123456789_");
  while (at < text.size() && text[at] == ':') {
    const std::size_t end = std::min(text.find_first_not_of("0123456789", at + 1), text.size());
    const std::string_view digits = text.substr(at + 1, end - at - 1);
    if (digits.empty() || digits.size() > 2 || (digits.size() == 2 && digits.front() > '5')) return false;
    at = end;
  }
  return at == text.size() ||
         (text[at] == '.' && text.find_first_not_of("0123456789_", at + 1) == std::string_view::npos);
}

// Text that some YAML reader takes for another type is written in double quotes.
bool is_text_to_every_reader(std::string_view text) {
  return !text.empty() && plain_yaml_scalar(text).is_string() && !looks_like_date(text) && !looks_like_base_60(text);
}

// Escapes the characters that JSON strings may contain and YAML does not allow: DEL, the control characters after it,
// byte order marks.
std::string with_escapes(const std::string& json) {
  std::string out;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string_view rest = std::string_view(json).substr(i);
    const auto next = static_cast<unsigned char>(rest.size() > 1 ? rest[1] : '\0');
    if (rest.front() == '\x7f') {
      out += "\\x7f";
    } else if (rest.front() == '\xc2' && next >= 0x80 && next < 0xa0) {
      constexpr std::string_view digits = "0123456789abcdef";
      out += std::string("\\x") + digits[next >> 4U] + digits[next & 0xfU];
      ++i;
    } else if (rest.starts_with("\xEF\xBB\xBF")) {
      out += "\\ufeff";
      i += 2;
    } else {
      out += rest.front();
    }
  }
  return out;
}

std::string in_single_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out.append(c == '\'' ? 2 : 1, c);
  return out + "'";
}

constexpr std::size_t best_width = 80;

// Folds lines at the first single space behind go-yaml's best width; the line break stands for that space.
void append_folded(std::string& out, std::string_view written, std::size_t indent) {
  for (std::size_t at = 0; at < written.size(); ++at) {
    // Computed only at single spaces: most text is one long word.
    const auto column = [&] { return out.size() - (out.rfind('\n') + 1); };
    const bool alone =
        written[at] == ' ' && at > 1 && written[at - 1] != ' ' && at + 2 < written.size() && written[at + 1] != ' ';
    if (alone && column() > best_width) {
      out += '\n';
      out.append(indent, ' ');
    } else {
      out += written[at];
    }
  }
}

std::string in_quotes_if_need_be(const std::string& text) {
  const bool in_double_quotes = !is_text_to_every_reader(text) || !std::all_of(text.begin(), text.end(), is_usual);
  if (in_double_quotes) return with_escapes(Object(text).dump(-1, ' ', false, Object::error_handler_t::replace));
  return is_plain(text) ? text : in_single_quotes(text);
}

void write(std::string& out, const Object& value, std::size_t indent, bool in_list);

constexpr std::size_t longest_simple_key = 128;

void write_map(std::string& out, const Object& map, std::size_t indent, bool in_list) {
  bool first = true;
  for (auto field = map.begin(); field != map.end(); ++field) {
    // The first field of an item stands on the same line as its dash.
    if (!first || !in_list) out.append(indent, ' ');
    first = false;
    // Readers need not look for the colon of a longer key (YAML 1.1, simple keys; go-yaml's best width).
    const bool long_key = field.key().size() > longest_simple_key;
    if (long_key) out += "? ";
    out += in_quotes_if_need_be(field.key());
    if (long_key) {
      out += '\n';
      out.append(indent, ' ');
    }
    out += ':';
    const bool open = field->is_structured() && !field->empty();
    out += open ? '\n' : ' ';
    write(out, *field, field->is_object() ? indent + 2 : indent, false);
  }
}

void write_list(std::string& out, const Object& list, std::size_t indent, bool in_list) {
  bool first = true;
  for (const Object& item : list) {
    if (!first || !in_list) out.append(indent, ' ');
    first = false;
    out += "- ";
    write(out, item, indent + 2, true);
  }
}

void write(std::string& out, const Object& value, std::size_t indent, bool in_list) {
  if (value.is_object() && !value.empty()) return write_map(out, value, indent, in_list);
  if (value.is_array() && !value.empty()) return write_list(out, value, indent, in_list);
  if (value.is_string()) {
    append_folded(out, in_quotes_if_need_be(value.get_ref<const std::string&>()), in_list ? indent : indent + 2);
  } else {
    out += value.dump();
  }
  out += '\n';
}

}  // namespace

std::string write_yaml(const Object& object) {
  std::string out;
  write(out, object, 0, false);
  return out;
}

}  // namespace nodebound
