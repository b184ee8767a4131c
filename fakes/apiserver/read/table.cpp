#include "fakes/apiserver/read/table.h"

#include "fakes/wire/go/human_duration.h"

namespace nodebound {

Object name_cell(const Object& object, const std::string&) {
  return member(object, "metadata", "name");
}

Object age_cell(const Object& object, const std::string& now) {
  return age_between(text(object, "metadata", "creationTimestamp"), now);
}

Object text_cell(std::string_view value, const char* otherwise) {
  return value.empty() ? Object(otherwise) : Object(value);
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
  return out;
}

Object TableColumns::cells(const Object& object, const std::string& now) const {
  Object out = Object::array();
  for (const Column& column : columns_) {
    if (shows(column)) out.push_back(column.cell(object, now));
  }
  return out;
}

}  // namespace nodebound
