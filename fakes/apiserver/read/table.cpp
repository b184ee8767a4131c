#include "fakes/apiserver/read/table.h"

#include <charconv>

#include "fakes/wire/go/human_duration.h"

namespace nodebound::apiserver {
namespace {

// One step of a path in JSONPath, without its dot: `name`, or `[0]`, `['name']`, `[?(@.type=="Ready")]`.
const Object& step_into(const Object& value, std::string_view step) {
  if (!step.starts_with('[')) return member(value, step);
  step = step.substr(1, step.size() - 2);
  if (step.starts_with("?(@.")) {
    const std::size_t equal = step.find("==");
    const std::size_t quote = step.find_first_of("\"'", equal);
    if (equal == std::string_view::npos || quote == std::string_view::npos) return member(nullptr, "");
    const std::string_view field = step.substr(4, equal - 4);
    const std::string_view wanted = step.substr(quote + 1, step.find_last_of("\"'") - quote - 1);
    for (const Object& item : value) {
      if (text(item, field) == wanted) return item;
    }
    return member(nullptr, "");
  }
  if (step.starts_with('\'') || step.starts_with('"')) return member(value, step.substr(1, step.size() - 2));
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
  const bool found = error == std::errc() && value.is_array() && index < value.size();
  return found ? value[index] : member(nullptr, "");
}

const Object& value_at(const Object& object, std::string_view path) {
  const Object* found = &object;
  while (!path.empty()) {
    if (path.front() == '.') {
      path.remove_prefix(1);
      continue;
    }
    const bool bracket = path.front() == '[';
    std::size_t size = bracket ? path.find(']') : path.find_first_of(".[");
    size = size == std::string_view::npos ? path.size() : size + (bracket ? 1 : 0);
    found = &step_into(*found, path.substr(0, size));
    path.remove_prefix(size);
  }
  return *found;
}

}  // namespace

Object name_cell(const Object& object, const std::string&) {
  return member(object, "metadata", "name");
}

Object age_cell(const Object& object, const std::string& now) {
  return age_between(text(object, "metadata", "creationTimestamp"), now);
}

Object text_cell(std::string_view value, const char* otherwise) {
  return value.empty() ? Object(otherwise) : Object(value);
}

TableColumns TableColumns::of_definition(const Object& version) {
  static constexpr Column name_only[] = {name_column};
  const Object& own = member(version, "additionalPrinterColumns");
  if (own.empty()) return plain();
  TableColumns out{name_only};
  out.defined_ = &own;
  return out;
}

Object TableColumns::definitions() const {
  Object out = Object::array();
  for (const Column& column : columns_) {
    if (!shows(column)) continue;
    out.push_back({{"name", column.name},
                   {"type", column.type},
                   {"format", column.format},
                   {"description", ""},
                   {"priority", column.priority}});
  }
  if (defined_ == nullptr) return out;
  for (const Object& column : *defined_) {
    const Object& priority = member(column, "priority");
    out.push_back({{"name", text(column, "name")},
                   {"type", text(column, "type")},
                   {"format", text(column, "format")},
                   {"description", text(column, "description")},
                   {"priority", priority.is_number() ? priority : Object(0)}});
  }
  return out;
}

Object TableColumns::cells(const Object& object, const std::string& now) const {
  Object out = Object::array();
  for (const Column& column : columns_) {
    if (shows(column)) out.push_back(column.cell(object, now));
  }
  if (defined_ == nullptr) return out;
  for (const Object& column : *defined_) {
    const Object& value = value_at(object, text(column, "jsonPath"));
    const bool is_age = text(column, "type") == "date" && value.is_string();
    out.push_back(is_age ? Object(age_between(value.get<std::string>(), now)) : value);
  }
  return out;
}

}  // namespace nodebound::apiserver
