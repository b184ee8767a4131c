#include "reference/cluster/names.h"

#include <algorithm>

#include "reference/encoding/ascii.h"

namespace nodebound {
namespace {

constexpr std::string_view label_pattern = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
constexpr std::string_view subdomain_pattern = R"([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)";
constexpr std::string_view search_pattern = R"(_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*)";
constexpr std::string_view key_pattern = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

constexpr std::size_t longest_label = 63;
constexpr std::size_t longest_subdomain = 253;

bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

bool is_letter(char c) {
  return is_lower(c) || (c >= 'A' && c <= 'Z');
}

bool is_label_end(char c) {
  return is_lower(c) || is_digit(c);
}

bool is_key_end(char c) {
  return is_letter(c) || is_digit(c);
}

bool is_key_inside(char c) {
  return is_key_end(c) || c == '-' || c == '_' || c == '.';
}

bool is_label(std::string_view text) {
  return !text.empty() && is_label_end(text.front()) && is_label_end(text.back()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_label_end(c) || c == '-'; });
}

bool is_label_of_search(std::string_view text) {
  if (text.starts_with('_')) text.remove_prefix(1);
  return !text.empty() && is_label_end(text.front()) && is_label_end(text.back()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_label_end(c) || c == '-' || c == '_'; });
}

bool is_subdomain(std::string_view text, bool (*is_part)(std::string_view) = is_label) {
  for (std::size_t begin = 0;;) {
    const std::size_t dot = text.find('.', begin);
    if (!is_part(text.substr(begin, dot == std::string_view::npos ? dot : dot - begin))) return false;
    if (dot == std::string_view::npos) return true;
    begin = dot + 1;
  }
}

bool is_key(std::string_view text) {
  return !text.empty() && is_key_end(text.front()) && is_key_end(text.back()) &&
         std::all_of(text.begin(), text.end(), is_key_inside);
}

std::string too_long(std::size_t most, const char* unit = "characters") {
  return "must be no more than " + std::to_string(most) + " " + unit;
}

std::string unlike(std::string_view what, std::string_view pattern, std::initializer_list<const char*> examples) {
  std::string out(what);
  out += " (e.g. ";
  bool first = true;
  for (const char* example : examples) {
    if (!first) out += " or ";
    first = false;
    out.append("'").append(example).append("', ");
  }
  return out.append("regex used for validation is '").append(pattern).append("')");
}

constexpr std::string_view key_rule =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

std::string unlike_key(const std::string& part) {
  return unlike(part + std::string(key_rule), key_pattern, {"MyName", "my.name", "123-abc"});
}

}  // namespace

std::vector<std::string> wrong_dns_label(std::string_view text) {
  std::vector<std::string> out;
  if (text.size() > longest_label) out.push_back(too_long(longest_label));
  if (is_label(text)) return out;
  if (is_subdomain(text)) {
    out.emplace_back("must not contain dots");
  } else {
    out.push_back(unlike(
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and "
        "end with an alphanumeric character",
        label_pattern, {"my-name", "123-abc"}));
  }
  return out;
}

std::vector<std::string> wrong_dns_subdomain(std::string_view text) {
  std::vector<std::string> out;
  if (text.size() > longest_subdomain) out.push_back(too_long(longest_subdomain));
  if (!is_subdomain(text)) {
    out.push_back(unlike(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must "
        "start and end with an alphanumeric character",
        subdomain_pattern, {"example.com"}));
  }
  return out;
}

std::vector<std::string> wrong_dns_search(std::string_view text) {
  std::vector<std::string> out;
  if (text.size() > longest_subdomain) out.push_back(too_long(longest_subdomain));
  if (!is_subdomain(text, is_label_of_search)) {
    out.push_back(unlike(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must "
        "start and end with an alphanumeric character",
        search_pattern, {"example.com"}));
  }
  return out;
}

std::vector<std::string> wrong_dns_1035_label(std::string_view text) {
  std::vector<std::string> out;
  if (text.size() > longest_label) out.push_back(too_long(longest_label));
  if (!is_label(text) || !is_lower(text.front())) {
    out.push_back(
        unlike("a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic "
               "character, and end with an alphanumeric character",
               "[a-z]([-a-z0-9]*[a-z0-9])?", {"my-name", "abc-123"}));
  }
  return out;
}

std::vector<std::string> wrong_path_segment(std::string_view text, bool prefix) {
  std::vector<std::string> out;
  if (!prefix && (text == "." || text == "..")) return {"may not be '" + std::string(text) + "'"};
  for (const char* forbidden : {"/", "%"}) {
    if (text.find(forbidden) != std::string_view::npos)
      out.push_back(std::string("may not contain '") + forbidden + "'");
  }
  return out;
}

std::vector<std::string> wrong_label_key(std::string_view text) {
  std::vector<std::string> out;
  const std::size_t slash = text.find('/');
  std::string_view name = text;
  if (slash != std::string_view::npos) {
    const std::string_view prefix = text.substr(0, slash);
    name = text.substr(slash + 1);
    if (name.find('/') != std::string_view::npos) {
      return {unlike_key("a valid label key ") +
              " with an optional DNS subdomain prefix and '/' (e.g. "
              "'example.com/MyName')"};
    }
    if (prefix.empty()) out.emplace_back("prefix part must be non-empty");
    if (!prefix.empty()) {
      for (const std::string& wrong : wrong_dns_subdomain(prefix)) out.push_back("prefix part " + wrong);
    }
  }
  if (name.empty()) {
    out.emplace_back("name part must be non-empty");
  } else if (name.size() > longest_label) {
    out.push_back("name part " + too_long(longest_label, "bytes"));
  }
  if (!is_key(name)) out.push_back(unlike_key("name part "));
  return out;
}

std::vector<std::string> wrong_label_value(std::string_view text) {
  std::vector<std::string> out;
  if (text.size() > longest_label) out.push_back(too_long(longest_label, "bytes"));
  if (!text.empty() && !is_key(text)) {
    out.push_back(unlike("a valid label must be an empty string or " + std::string(key_rule.substr(5)),
                         "(" + std::string(key_pattern) + ")?", {"MyValue", "my_value", "12345"}));
  }
  return out;
}

std::vector<std::string> wrong_config_key(std::string_view text) {
  std::vector<std::string> out;
  if (text.size() > longest_subdomain) out.push_back(too_long(longest_subdomain));
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_key_inside)) {
    out.push_back(unlike("a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
                         "[-._a-zA-Z0-9]+", {"key.name", "KEY_NAME", "key-name"}));
  }
  if (text == "." || text == "..") {
    out.push_back("must not be '" + std::string(text) + "'");
  } else if (text.starts_with("..")) {
    out.emplace_back("must not start with '..'");
  }
  return out;
}

}  // namespace nodebound
