#include "fakes/apiserver/read/field_selector.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "reference/encoding/ascii.h"

namespace nodebound::apiserver {
namespace {

std::vector<std::string> steps_of(std::string_view field) {
  std::vector<std::string> path;
  while (true) {
    const std::size_t dot = field.find('.');
    path.emplace_back(field.substr(0, dot));
    if (dot == std::string_view::npos) return path;
    field.remove_prefix(dot + 1);
  }
}

// Some selectors use another name than the field has (AddFieldLabelConversionFunc in pkg/apis/*/conversion.go).
std::string_view real_field(std::string_view field) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 2> aliases = {
      {{"spec.host", "spec.nodeName"}, {"source", "source.component"}}};
  const auto found =
      std::find_if(aliases.begin(), aliases.end(), [&](const auto& pair) { return pair.first == field; });
  return found == aliases.end() ? field : found->second;
}

std::string absent_value(std::string_view field) {
  if (field == "spec.unschedulable" || field == "spec.hostNetwork") return "false";
  if (field == "status.replicas" || field == "status.successful") return "0";
  return "";
}

// What is wrong with the value of a term: an unknown escape, or a character that lacks its escape.
std::optional<std::string> wrong_value(std::string_view value) {
  for (std::size_t at = 0; at < value.size(); ++at) {
    if (value[at] == ',' || value[at] == '=')
      return "unescaped character in value: " + std::to_string(static_cast<int>(value[at]));
    if (value[at] != '\\') continue;
    if (++at == value.size()) return "invalid escape sequence: \\";
    if (std::string_view("\\,=").find(value[at]) == std::string_view::npos)
      return "invalid escape sequence: " + std::string(value.substr(at - 1, 2));
  }
  return std::nullopt;
}

// Splits terms at the commas that no backslash escapes, and sorts them, as apimachinery does.
std::vector<std::string_view> divided(std::string_view text) {
  std::vector<std::string_view> terms;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size() && text[at] == '\\') {
      ++at;
    } else if (at == text.size() || text[at] == ',') {
      terms.push_back(text.substr(begin, at - begin));
      begin = at + 1;
    }
  }
  if (begin < text.size()) terms.push_back(text.substr(begin));
  std::sort(terms.begin(), terms.end());
  return terms;
}

std::string unsupported(const ApiResource& resource, const std::string& field) {
  if (resource.fields.empty()) {
    return "\"" + field + R"(" is not a known field selector: only "metadata.name", "metadata.namespace")";
  }
  if (resource.group == "batch") return "field label \"" + field + "\" not supported for " + resource.kind;
  if (resource.group == "resource.k8s.io") {
    return "field label not supported for " + resource.group_version + ", Kind=" + resource.kind + ": " + field;
  }
  return "field label not supported: " + field;
}

bool is_supported(const ApiResource& resource, const std::string& field) {
  if (field == "metadata.name") return true;
  if (resource.fields.empty()) return field == "metadata.namespace";
  return std::find(resource.fields.begin(), resource.fields.end(), field) != resource.fields.end();
}

// How a value stands in JSON. JSON may write other characters otherwise, and has numbers and booleans without quotes.
std::string needle_of(const std::string& value) {
  const bool plain = std::all_of(value.begin(), value.end(),
                                 [](char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || c == '-' || c == '.'; });
  if (!plain || value.empty()) return "";
  const bool word = value.front() >= 'a' && value != "true" && value != "false";
  return word ? "\"" + value + "\"" : value;
}

std::string value_text(const Object& value, const std::string& absent) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean() || value.is_number()) return value.dump();
  return absent;
}

}  // namespace

// apimachinery's pkg/fields/selector.go
std::optional<std::string> FieldSelector::wrong_syntax(std::string_view text) {
  for (const std::string_view term : divided(text)) {
    if (term.empty()) continue;
    const std::size_t equals = term.find('=');
    if (equals == std::string_view::npos)
      return "invalid selector: '" + std::string(text) + "'; can't understand '" + std::string(term) + "'";
    const bool differs = equals > 0 && term[equals - 1] == '!';
    const std::size_t width = !differs && term.substr(equals).starts_with("==") ? 2 : 1;
    if (const auto why = wrong_value(term.substr(equals + width))) return "invalid field selector: " + *why;
  }
  return std::nullopt;
}

Result<FieldSelector> FieldSelector::parse(const ApiResource& resource, std::string_view text) {
  if (const std::optional<std::string> what = wrong_syntax(text)) return input_error("", *what);
  FieldSelector out;
  for (const FieldRequirement& term : parse_field_selector(text)) {
    if (!is_supported(resource, term.field)) return input_error("", unsupported(resource, term.field));
    out.add(term.field, term.op == "=", term.value);
  }
  return out;
}

FieldSelector FieldSelector::of_name(std::string name) {
  FieldSelector out;
  out.add("metadata.name", true, std::move(name));
  return out;
}

std::optional<std::string> FieldSelector::wanted(std::string_view field) const {
  for (const Term& term : terms_) {
    std::string path;
    for (const std::string& step : term.path) path += (path.empty() ? "" : ".") + step;
    if (term.equal && path == field) return term.value;
  }
  return std::nullopt;
}

void FieldSelector::add(std::string_view field, bool equal, std::string value) {
  Term term{steps_of(real_field(field)), equal, std::move(value), absent_value(field), ""};
  if (equal && term.value != term.absent) term.needle = needle_of(term.value);
  terms_.push_back(std::move(term));
}

bool FieldSelector::may_match(std::string_view json) const {
  return std::all_of(terms_.begin(), terms_.end(), [&](const Term& term) {
    // std::string_view::find stops at every quote.
    return term.needle.empty() || ::memmem(json.data(), json.size(), term.needle.data(), term.needle.size()) != nullptr;
  });
}

bool FieldSelector::matches(const Object& object) const {
  return std::all_of(terms_.begin(), terms_.end(), [&](const Term& term) {
    const Object* value = &object;
    for (const std::string& name : term.path) value = &member(*value, name);
    if (value->is_string()) return (value->get_ref<const std::string&>() == term.value) == term.equal;
    return (value_text(*value, term.absent) == term.value) == term.equal;
  });
}

}  // namespace nodebound::apiserver
