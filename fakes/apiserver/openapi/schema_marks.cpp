#include "fakes/apiserver/openapi/schema_marks.h"

#include <algorithm>
#include <array>
#include <utility>

namespace nodebound::data {

std::string_view schema_marks_text();

}  // namespace nodebound::data

namespace nodebound::apiserver {
namespace {

std::string_view cut(std::string_view& text, char divider) {
  const std::size_t end = std::min(text.find(divider), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

std::vector<std::string> words_of(std::string_view list) {
  std::vector<std::string> out;
  for (std::size_t end = 0; end != std::string_view::npos; list.remove_prefix(end + 1)) {
    end = list.find(',');
    std::string& word = out.emplace_back(list.substr(0, end));
    for (std::size_t at = word.find("%20"); at != std::string::npos; at = word.find("%20")) word.replace(at, 3, " ");
    if (end == std::string_view::npos) break;
  }
  return out;
}

constexpr std::array<std::pair<std::string_view, const char*>, 4> texts = {{{"list", "x-kubernetes-list-type"},
                                                                            {"map", "x-kubernetes-map-type"},
                                                                            {"patch", "x-kubernetes-patch-strategy"},
                                                                            {"merge", "x-kubernetes-patch-merge-key"}}};

void read_mark(std::string_view mark, FieldMarks& out) {
  const std::string_view name = cut(mark, '=');
  if (name == "required") out.required = true;
  if (name == "enum") out.values = words_of(mark);
  if (name == "keys") out.extensions["x-kubernetes-list-map-keys"] = words_of(mark);
  if (name == "default") out.otherwise = Object::parse(mark);
  for (const auto& [own, extension] : texts) {
    if (name == own) out.extensions[extension] = std::string(mark);
  }
}

using MarksByMessage = std::map<std::string, MessageMarks, std::less<>>;

MarksByMessage read_marks(std::string_view lines) {
  MarksByMessage out;
  MessageMarks* message = nullptr;
  while (!lines.empty()) {
    std::string_view line = cut(lines, '\n');
    if (line.empty() || line.starts_with('#')) continue;
    const bool is_field = line.starts_with(' ');
    if (is_field) line.remove_prefix(1);
    const std::string name(cut(line, ' '));
    if (!is_field) {
      message = &out[name];
      message->atomic = line == "atomic";
      continue;
    }
    FieldMarks& field = message->fields[name];
    while (!line.empty()) read_mark(cut(line, ' '), field);
  }
  return out;
}

}  // namespace

const FieldMarks& MessageMarks::field(std::string_view name) const {
  static const FieldMarks none;
  const auto found = fields.find(name);
  return found == fields.end() ? none : found->second;
}

const MessageMarks& marks_of(std::string_view message) {
  static const MarksByMessage known = read_marks(data::schema_marks_text());
  static const MessageMarks none;
  const auto found = known.find(message);
  return found == known.end() ? none : found->second;
}

}  // namespace nodebound::apiserver
