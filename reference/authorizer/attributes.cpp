#include "reference/authorizer/attributes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace nodebound {
namespace {

std::optional<unsigned> hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return std::nullopt;
}

std::vector<std::string> path_segments(std::string_view path) {
  std::vector<std::string> segments;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    if (slash > 0) segments.push_back(percent_decoded(path.substr(0, slash), false));
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return segments;
}

std::string verb_of_method(std::string_view method) {
  if (method == "POST") return "create";
  if (method == "GET" || method == "HEAD") return "get";
  if (method == "PUT") return "update";
  if (method == "PATCH") return "patch";
  if (method == "DELETE") return "delete";
  return "";
}

// A parameter that is present counts as true unless it says otherwise: the API server decodes it like that.
bool true_parameter(std::string_view target, std::string_view name) {
  const std::size_t query = target.find('?');
  if (query == std::string_view::npos || target.substr(query).find(name) == std::string_view::npos) return false;
  const std::string value = query_parameter(target, name);
  return !value.empty() && value != "0" && value != "false";
}

bool plain_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find_first_of("/%") == std::string_view::npos;
}

// What remains of the path behind group, version and a special verb: namespace, resource, name, subresource.
void read_resource(std::vector<std::string> parts, Attributes& attributes) {
  static constexpr std::array<std::string_view, 2> namespace_subresources = {"status", "finalize"};
  if (parts.front() == "namespaces" && parts.size() > 1) {
    attributes.namespace_ = parts[1];
    const bool of_namespace_itself =
        parts.size() == 2 || (parts.size() == 3 && std::find(namespace_subresources.begin(), namespace_subresources.end(),
                                                             parts[2]) != namespace_subresources.end());
    if (!of_namespace_itself) parts.erase(parts.begin(), parts.begin() + 2);
  }
  attributes.resource = parts[0];
  if (parts.size() > 1) attributes.name = parts[1];
  if (parts.size() > 2) attributes.subresource = parts[2];
}

void read_selectors(std::string_view target, bool special_verb, Attributes& attributes) {
  if (attributes.name.empty() && attributes.verb == "get") {
    attributes.verb = true_parameter(target, "watch") ? "watch" : "list";
  }
  if (attributes.name.empty() && attributes.verb == "delete") attributes.verb = "deletecollection";
  const bool read = attributes.verb == "list" || attributes.verb == "watch";
  if (!read && attributes.verb != "deletecollection") return;
  const std::vector<FieldRequirement> terms = parse_field_selector(query_parameter(target, "fieldSelector"));
  if (read && attributes.name.empty()) {
    for (const FieldRequirement& term : terms) {
      if (term.field == "metadata.name" && term.op == "=" && plain_name(term.value)) attributes.name = term.value;
    }
  }
  if (!special_verb) attributes.field_selector = terms;
}

}  // namespace

std::string percent_decoded(std::string_view text, bool plus_is_blank) {
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

std::string query_parameter(std::string_view target, std::string_view name) {
  const std::size_t mark = target.find('?');
  std::string_view query = mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1);
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    if (percent_decoded(pair.substr(0, equals), true) == name) {
      return percent_decoded(pair.substr(std::min(equals + 1, pair.size())), true);
    }
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
  }
  return {};
}

std::vector<FieldRequirement> parse_field_selector(std::string_view text) {
  std::vector<FieldRequirement> terms;
  while (!text.empty()) {
    // A backslash keeps a comma or an equals sign from ending its part.
    std::string parts[2];
    std::string op;
    std::size_t i = 0;
    for (; i < text.size() && text[i] != ','; ++i) {
      if (text[i] == '\\' && i + 1 < text.size()) {
        parts[op.empty() ? 0 : 1] += text[++i];
      } else if (op.empty() && text[i] == '!' && i + 1 < text.size() && text[i + 1] == '=') {
        op = "!=";
        ++i;
      } else if (op.empty() && text[i] == '=') {
        op = "=";
        if (i + 1 < text.size() && text[i + 1] == '=') ++i;
      } else {
        parts[op.empty() ? 0 : 1] += text[i];
      }
    }
    if (op.empty()) return {};
    terms.push_back({parts[0], op, parts[1]});
    text.remove_prefix(std::min(i + 1, text.size()));
  }
  return terms;
}

Attributes attributes_of(std::string_view method, std::string_view target) {
  Attributes attributes;
  const std::string_view raw_path = target.substr(0, target.find('?'));
  std::vector<std::string> parts = path_segments(raw_path);
  attributes.path = percent_decoded(raw_path, false);
  const auto no_resource = [&] {
    attributes.verb = std::string(method);
    std::transform(attributes.verb.begin(), attributes.verb.end(), attributes.verb.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
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
