#include <algorithm>

#include "fakes/encoding/yaml.h"
#include "fakes/encoding/yaml_scalar.h"

namespace nodebound {
namespace {

bool is_plain(std::string_view text) {
  const auto usual = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view(" -_./:(),'\"+=;").find(c) != std::string_view::npos;
  };
  if (text.empty() || text.back() == ' ' || text.back() == ':') return false;
  if (std::string_view(" -:,'\"=+(;").find(text.front()) != std::string_view::npos) return false;
  if (text.find(": ") != std::string_view::npos || text == "---" || text == "...") return false;
  return std::all_of(text.begin(), text.end(), usual) && plain_yaml_scalar(text).is_string();
}

// go-yaml writes dates in quotes, too.
bool looks_like_date(std::string_view text) {
  return text.size() >= 8 && text.find_first_not_of("0123456789") == 4 && text[4] == '-';
}

// What JSON leaves as it is in strings and YAML does not allow: DEL and the control characters behind it, byte order
// marks.
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

void write_string(std::string& out, const std::string& text) {
  if (is_plain(text) && !looks_like_date(text)) {
    out += text;
  } else {
    out += with_escapes(Object(text).dump(-1, ' ', false, Object::error_handler_t::replace));
  }
}

void write(std::string& out, const Object& value, std::size_t indent, bool in_list);

constexpr std::size_t longest_simple_key = 128;

void write_map(std::string& out, const Object& map, std::size_t indent, bool in_list) {
  bool first = true;
  for (auto field = map.begin(); field != map.end(); ++field) {
    // The first field of an item stands on the line of its dash.
    if (!first || !in_list) out.append(indent, ' ');
    first = false;
    // A reader need not look for a colon behind a longer key (YAML 1.1, simple keys; go-yaml's best width).
    const bool long_key = field.key().size() > longest_simple_key;
    if (long_key) out += "? ";
    write_string(out, field.key());
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
    write_string(out, value.get_ref<const std::string&>());
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
