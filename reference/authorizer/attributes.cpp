#include "reference/authorizer/attributes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>

#include "reference/authorizer/query_flag.h"
#include "reference/cluster/label_selector.h"
#include "reference/encoding/ascii.h"

namespace nodebound {
namespace {

std::optional<unsigned> hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return std::nullopt;
}

// The path is decoded before it is split, so `a%2Fb` is two segments; an empty part between two slashes is a segment,
// too.
std::vector<std::string> path_segments(std::string_view decoded_path) {
  const std::size_t first = decoded_path.find_first_not_of('/');
  if (first == std::string_view::npos) return {};
  std::string_view path = decoded_path.substr(first, decoded_path.find_last_not_of('/') + 1 - first);
  std::vector<std::string> segments;
  while (true) {
    const std::size_t slash = path.find('/');
    segments.emplace_back(path.substr(0, slash));
    if (slash == std::string_view::npos) return segments;
    path.remove_prefix(slash + 1);
  }
}

// The API server drops query pairs that contain a semicolon, or a percent sign without two hexadecimal digits.
bool is_well_formed(std::string_view pair) {
  if (pair.find(';') != std::string_view::npos) return false;
  for (std::size_t at = pair.find('%'); at != std::string_view::npos; at = pair.find('%', at + 1)) {
    if (at + 2 >= pair.size() || !hex_digit(pair[at + 1]) || !hex_digit(pair[at + 2])) return false;
  }
  return true;
}

bool is_encoded(std::string_view text, bool plus_is_blank) {
  return text.find('%') != std::string_view::npos || (plus_is_blank && text.find('+') != std::string_view::npos);
}

bool decodes_to(std::string_view encoded, std::string_view text) {
  return is_encoded(encoded, true) ? percent_decoded(encoded, true) == text : encoded == text;
}

// Calls `found` with each value of that parameter until it returns true.
template <typename Found>
void each_query_parameter(std::string_view target, std::string_view name, Found found) {
  const std::size_t mark = target.find('?');
  std::string_view query = mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1);
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    if (is_well_formed(pair) && decodes_to(pair.substr(0, equals), name) &&
        found(percent_decoded(pair.substr(std::min(equals + 1, pair.size())), true))) {
      return;
    }
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
  }
}

std::optional<std::string> find_query_parameter(std::string_view target, std::string_view name) {
  std::optional<std::string> out;
  each_query_parameter(target, name, [&](std::string value) {
    out = std::move(value);
    return true;
  });
  return out;
}

std::string verb_of_method(std::string_view method) {
  if (method == "POST") return "create";
  if (method == "GET" || method == "HEAD") return "get";
  if (method == "PUT") return "update";
  if (method == "PATCH") return "patch";
  if (method == "DELETE") return "delete";
  return "";
}

bool true_parameter(std::string_view target, std::string_view name) {
  const std::optional<std::string> value = find_query_parameter(target, name);
  return value && is_set_flag(*value);
}

bool plain_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find_first_of("/%") == std::string_view::npos;
}

// Reads the rest of the path after group, version and a special verb: namespace, resource, name, subresource.
void read_resource(std::vector<std::string> parts, Attributes& attributes) {
  static constexpr std::array<std::string_view, 2> namespace_subresources = {"status", "finalize"};
  if (parts.front() == "namespaces" && parts.size() > 1) {
    attributes.namespace_ = parts[1];
    const bool of_namespace_itself =
        parts.size() == 2 || std::find(namespace_subresources.begin(), namespace_subresources.end(), parts[2]) !=
                                 namespace_subresources.end();
    if (!of_namespace_itself) parts.erase(parts.begin(), parts.begin() + 2);
  }
  attributes.resource = parts[0];
  if (parts.size() > 1) attributes.name = parts[1];
  if (parts.size() > 2 && attributes.verb != "proxy") attributes.subresource = parts[2];
  attributes.beyond = parts.size() > 3;
}

bool is_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

// Whether the list options can be decoded. If not, no name is taken from them.
bool has_readable_options(std::string_view target) {
  for (const char* number : {"limit", "timeoutSeconds"}) {
    const std::optional<std::string> value = find_query_parameter(target, number);
    if (value && !is_integer(*value)) return false;
  }
  return LabelSelector::parse(query_parameter(target, "labelSelector")).has_value();
}

void read_selectors(std::string_view target, bool special_verb, Attributes& attributes) {
  const bool many = attributes.name.empty();
  if (many && attributes.verb == "get") attributes.verb = true_parameter(target, "watch") ? "watch" : "list";
  if (many && attributes.verb == "delete") attributes.verb = "deletecollection";
  const bool read = attributes.verb == "list" || attributes.verb == "watch";
  // With a verb in the path, selectors are ignored.
  if (special_verb || (!read && attributes.verb != "deletecollection")) return;
  attributes.field_selector = parse_field_selector(query_parameter(target, "fieldSelector"));
  if (!read) return;
  const auto named = std::find_if(attributes.field_selector.begin(), attributes.field_selector.end(),
                                  [](const FieldRequirement& t) { return t.field == "metadata.name" && t.op == "="; });
  const bool found = named != attributes.field_selector.end() && plain_name(named->value);
  if (found && has_readable_options(target)) attributes.name = named->value;
}

// The value of a term without its escapes; nothing if an escape is unknown, or a character lacks its escape.
std::optional<std::string> unescaped(std::string_view value) {
  std::string out;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] == ',' || value[i] == '=') return std::nullopt;
    if (value[i] == '\\') {
      if (++i == value.size() || std::string_view("\\,=").find(value[i]) == std::string_view::npos) return std::nullopt;
    }
    out += value[i];
  }
  return out;
}

// Splits at the commas without a backslash before them; sorts the terms, as the API server does.
std::vector<std::string_view> selector_terms(std::string_view text) {
  std::vector<std::string_view> terms;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '\\') {
      ++i;
    } else if (i == text.size() || text[i] == ',') {
      terms.push_back(text.substr(start, i - start));
      start = i + 1;
    }
  }
  if (start < text.size()) terms.push_back(text.substr(start));
  std::sort(terms.begin(), terms.end());
  return terms;
}

}  // namespace

std::string percent_decoded(std::string_view text, bool plus_is_blank) {
  if (!is_encoded(text, plus_is_blank)) return std::string(text);
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      const std::optional<unsigned> high = hex_digit(text[i + 1]);
      const std::optional<unsigned> low = hex_digit(text[i + 2]);
      if (high && low) {
        out += static_cast<char>(*high * 16 + *low);
        i += 2;
        continue;
      }
    }
    out += plus_is_blank && text[i] == '+' ? ' ' : text[i];
  }
  return out;
}

std::vector<std::string> query_parameters(std::string_view target, std::string_view name) {
  std::vector<std::string> out;
  each_query_parameter(target, name, [&](std::string value) {
    out.push_back(std::move(value));
    return false;
  });
  return out;
}

std::string query_parameter(std::string_view target, std::string_view name) {
  return find_query_parameter(target, name).value_or("");
}

std::string percent_encoded(std::string_view text) {
  static constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '-' || c == '.' || c == '_' || c == '~') {
      out += c;
    } else {
      out += '%';
      out += digits[byte >> 4U];
      out += digits[byte & 0xfU];
    }
  }
  return out;
}

std::vector<FieldRequirement> parse_field_selector(std::string_view text) {
  std::vector<FieldRequirement> terms;
  for (const std::string_view term : selector_terms(text)) {
    if (term.empty()) continue;
    const std::size_t equals = term.find('=');
    if (equals == std::string_view::npos) return {};
    const bool differs = equals > 0 && term[equals - 1] == '!';
    const std::size_t width = !differs && term.substr(equals).starts_with("==") ? 2 : 1;
    const std::string_view field = term.substr(0, differs ? equals - 1 : equals);
    const std::optional<std::string> value = unescaped(term.substr(equals + width));
    if (!value) return {};
    if (field.empty() && value->empty()) continue;
    terms.push_back({std::string(field), differs ? "!=" : "=", *value});
  }
  return terms;
}

Attributes attributes_of(std::string_view method, std::string_view target) {
  Attributes attributes;
  const std::string_view raw_path = target.substr(0, target.find('?'));
  attributes.path = percent_decoded(raw_path, false);
  std::vector<std::string> parts = path_segments(attributes.path);
  const auto no_resource = [&] {
    attributes.verb = std::string(method);
    attributes.verb = in_lower_case(attributes.verb);
    return attributes;
  };
  if (parts.size() < 3 || (parts[0] != "api" && parts[0] != "apis")) return no_resource();
  std::size_t skip = 2;
  if (parts[0] == "apis") {
    if (parts.size() < 4) return no_resource();
    attributes.api_group = parts[1];
    skip = 3;
  }
  attributes.api_version = parts[skip - 1];
  attributes.resource_request = true;
  attributes.verb = verb_of_method(method);
  parts.erase(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(skip));
  const bool special_verb = parts.front() == "watch" || parts.front() == "proxy";
  if (special_verb) {
    if (parts.size() == 1) return no_resource();
    attributes.verb = parts.front();
    parts.erase(parts.begin());
  }
  read_resource(std::move(parts), attributes);
  read_selectors(target, special_verb, attributes);
  return attributes;
}

}  // namespace nodebound
