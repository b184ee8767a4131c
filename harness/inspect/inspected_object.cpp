#include "harness/inspect/inspected_object.h"

namespace nodebound::inspect {

std::string InspectedObject::group() const {
  const std::string_view version = text(object, "apiVersion");
  const std::size_t slash = version.find('/');
  return slash == std::string_view::npos ? std::string() : std::string(version.substr(0, slash));
}

std::string InspectedObject::title() const {
  if (kind().empty()) return file ? file->name : std::string();
  std::string out(kind());
  if (name().empty()) return out;
  const std::string_view in = text(object, "metadata", "namespace");
  return out + " " + (in.empty() ? "" : std::string(in) + "/") + std::string(name());
}

int InspectedObject::line_of(const std::string& pointer) const {
  if (!lines) return line;
  for (std::string at = within + pointer; !at.empty(); at.erase(at.rfind('/'))) {
    if (const auto found = lines->find(at); found != lines->end()) return found->second;
  }
  return line;
}

Finding::Place InspectedObject::place(const std::string& pointer) const {
  Finding::Place out;
  if (file) {
    out.file = file->name;
    out.line = static_cast<std::size_t>(line_of(pointer));
  }
  out.object = title();
  out.field = pointer;
  return out;
}

}  // namespace nodebound::inspect
