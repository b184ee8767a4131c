#include "harness/inspect/fix.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "harness/objects/document.h"
#include "reports/text.h"

namespace nodebound::inspect {
namespace {

using Edit = Finding::Fix::Edit;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return out;
}

// The line of the file with that number, from 1; nothing if there is none.
std::optional<std::string> line_at(const InspectedObject& object, int number) {
  if (!object.file || number < 1) return std::nullopt;
  const auto lines = lines_of(object.file->text);
  if (static_cast<std::size_t>(number) > lines.size()) return std::nullopt;
  return std::string(lines[static_cast<std::size_t>(number) - 1]);
}

/// The lines of one YAML document: the numbers of its first line and of the one after its last.
struct Section {
  std::size_t begin = 1;
  std::size_t end = 1;
};

Section section_of(const std::vector<std::string_view>& lines, int line) {
  const std::size_t at = std::min(lines.size(), static_cast<std::size_t>(std::max(line, 1)));
  Section out{at, at};
  while (out.begin > 1 && !lines[out.begin - 2].starts_with("---")) --out.begin;
  while (out.end <= lines.size() && (out.end < at + 1 || !lines[out.end - 1].starts_with("---"))) ++out.end;
  return out;
}

std::string edited(const std::vector<std::string_view>& lines, const Section& section, const std::vector<Edit>& edits) {
  std::string out;
  for (std::size_t number = section.begin; number < section.end; ++number) {
    bool replaced = false;
    for (const Edit& edit : edits) {
      if (edit.line != number) continue;
      for (const std::string& line : edit.lines) out += line + "\n";
      replaced = replaced || edit.replaces;
    }
    if (!replaced) out += std::string(lines[number - 1]) + "\n";
  }
  return out;
}

std::optional<Object> only_document(const std::string& text) {
  auto documents = read_documents(text, "");
  if (!documents || documents->size() != 1) return std::nullopt;
  return std::move(documents->front().value);
}

Object within(const Object& patch, const std::string& pointer) {
  Object out = patch;
  for (Object& step : out) step["path"] = pointer + step["path"].get<std::string>();
  return out;
}

// Whether the edits do to the document what the patch does to the object, and nothing else.
bool do_the_same(const InspectedObject& object, const Object& patch, const std::vector<Edit>& edits) {
  const std::string& text = object.file->text;
  if (!text.ends_with('\n') || text.find('\r') != std::string::npos) return false;
  const auto lines = lines_of(text);
  const Section section = section_of(lines, object.line);
  const auto before = only_document(edited(lines, section, {}));
  const auto after = only_document(edited(lines, section, edits));
  if (!before || !after) return false;
  try {
    return before->patch(within(patch, object.within)) == *after;
  } catch (const Object::exception&) {
    return false;
  }
}

std::string shell_word(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string kubectl_patch(const InspectedObject& object, const Object& patch) {
  if (object.name().empty() || object.kind().empty()) return {};
  std::string resource(object.kind());
  if (const std::string group = object.group(); !group.empty()) resource += "." + group;
  std::transform(resource.begin(), resource.end(), resource.begin(),
                 [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
  std::string out = "kubectl patch " + shell_word(resource) + " " + shell_word(std::string(object.name()));
  const std::string_view in = text(object.object, "metadata", "namespace");
  if (!in.empty()) out += " -n " + shell_word(std::string(in));
  return out + " --type=json -p " + shell_word(patch.dump(-1, ' ', false, Object::error_handler_t::replace));
}

std::size_t indent_of(std::string_view line) {
  const std::size_t at = line.find_first_not_of(' ');
  return at == std::string_view::npos ? line.size() : at;
}

// A value on one line, as JSON, which YAML understands.
std::string on_one_line(const Object& value) {
  if (!value.is_array()) return value.dump();
  std::string out;
  for (const Object& item : value) out += (out.empty() ? "" : ", ") + item.dump();
  return "[" + out + "]";
}

/// Writes the edits of one file as hunks.
class FileDiff {
 public:
  explicit FileDiff(const InspectedFile& file) : file_(file), lines_(lines_of(file.text)) {}

  // Edits of the same line that do not agree are left for the next time.
  void add(const std::vector<Edit>& edits) {
    const bool taken =
        std::any_of(edits.begin(), edits.end(), [&](const Edit& edit) { return edits_.contains(edit.line); });
    if (taken) return;
    for (const Edit& edit : edits) edits_.emplace(edit.line, edit);
  }

  [[nodiscard]] std::string text() const {
    if (edits_.empty()) return {};
    const std::string name = printable(file_.name);
    std::string out = "--- " + name + "\n+++ " + name + "\n";
    std::ptrdiff_t shift = 0;
    for (auto at = edits_.begin(); at != edits_.end();) out += hunk(at, shift);
    return out;
  }

 private:
  using Edits = std::map<std::size_t, Edit>;
  static constexpr std::size_t context = 3;

  std::string hunk(Edits::const_iterator& at, std::ptrdiff_t& shift) const {
    const std::size_t begin = at->first > context ? at->first - context : 1;
    std::size_t end = begin;
    std::string body;
    std::size_t before = 0;
    std::size_t after = 0;
    const auto copy_until = [&](std::size_t line) {
      for (; end < line && end <= lines_.size(); ++end, ++before, ++after)
        body += " " + std::string(lines_[end - 1]) + "\n";
    };
    for (; at != edits_.end() && (body.empty() || at->first <= end + 2 * context); ++at) {
      copy_until(at->first);
      if (at->second.replaces) {
        body += "-" + std::string(lines_[end - 1]) + "\n";
        ++end;
        ++before;
      }
      for (const std::string& line : at->second.lines) body += "+" + line + "\n";
      after += at->second.lines.size();
    }
    copy_until(end + context);
    const auto new_begin = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(begin) + shift);
    shift += static_cast<std::ptrdiff_t>(after) - static_cast<std::ptrdiff_t>(before);
    return "@@ -" + std::to_string(begin) + "," + std::to_string(before) + " +" + std::to_string(new_begin) + "," +
           std::to_string(after) + " @@\n" + body;
  }

  const InspectedFile& file_;
  std::vector<std::string_view> lines_;
  Edits edits_;
};

}  // namespace

Finding::Fix make_fix(const InspectedObject& object, std::string what, const Object& patch, std::vector<Edit> edits) {
  Finding::Fix out;
  out.what = std::move(what);
  out.json_patch = patch.dump(-1, ' ', false, Object::error_handler_t::replace);
  out.command = kubectl_patch(object, patch);
  if (!edits.empty() && object.file && do_the_same(object, patch, edits)) out.edits = std::move(edits);
  return out;
}

std::vector<Edit> edits_to_append(const InspectedObject& object, const std::string& list, const std::string& text) {
  const Object& items = object.object.at(Object::json_pointer(list));
  if (!items.is_array() || items.empty()) return {};
  const int line = object.line_of(list + "/" + std::to_string(items.size() - 1));
  const std::optional<std::string> last = line_at(object, line);
  if (!last) return {};
  const std::size_t indent = indent_of(*last);
  if (std::string_view(*last).substr(indent).starts_with("- ") && last->find(':') == std::string::npos) {
    return {{static_cast<std::size_t>(line) + 1, false, {std::string(indent, ' ') + "- " + text}}};
  }
  const std::size_t close = last->find(']');
  if (close == std::string::npos) return {};
  const std::string quote = last->find('"') != std::string::npos ? "\"" : "";
  std::size_t after = close;
  while (after > 0 && (*last)[after - 1] == ' ') --after;
  const std::string changed = last->substr(0, after) + ", " + quote + text + quote + last->substr(after);
  return {{static_cast<std::size_t>(line), true, {changed}}};
}

std::vector<Edit> edits_to_insert(const InspectedObject& object, const std::string& element, const Object& mapping) {
  const int line = object.line_of(element);
  const std::optional<std::string> first = line_at(object, line);
  if (!first) return {};
  const std::size_t indent = indent_of(*first);
  if (!std::string_view(*first).substr(indent).starts_with("- ")) return {};
  Edit out{static_cast<std::size_t>(line), false, {}};
  std::string lead = std::string(indent, ' ') + "- ";
  for (const auto& [key, value] : mapping.items()) {
    out.lines.push_back(lead + key + ": " + on_one_line(value));
    lead = std::string(indent + 2, ' ');
  }
  return {out};
}

std::string to_patch(const std::vector<Finding>& findings, const Inspected& inspected) {
  std::map<std::string, FileDiff> diffs;
  const auto diff_of = [&](const std::string& name) -> FileDiff* {
    if (const auto found = diffs.find(name); found != diffs.end()) return &found->second;
    const auto with_file = std::find_if(inspected.objects.begin(), inspected.objects.end(),
                                        [&](const auto& object) { return object.file && object.file->name == name; });
    if (with_file == inspected.objects.end()) return nullptr;
    return &diffs.emplace(name, FileDiff(*with_file->file)).first->second;
  };
  std::set<std::string> commands;
  for (const Finding& finding : findings) {
    for (const Finding::Fix& fix : finding.fixes) {
      FileDiff* diff =
          fix.edits.empty() || finding.place.file == "standard input" ? nullptr : diff_of(finding.place.file);
      if (diff != nullptr) {
        diff->add(fix.edits);
      } else if (!fix.command.empty()) {
        commands.insert("# " + printable(finding.place.text() + ": " + fix.what) + "\n" + printable(fix.command) +
                        "\n");
      }
    }
  }
  std::string out;
  for (const auto& [name, diff] : diffs) out += printable_page(diff.text());
  for (const std::string& command : commands) out += command;
  return out;
}

}  // namespace nodebound::inspect
