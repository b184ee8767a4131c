#include "reports/inspection/inspection.h"

#include <algorithm>
#include <array>

#include "reports/findings/finding_parts.h"
#include "reports/json_object.h"
#include "reports/markdown.h"
#include "reports/page.h"

namespace nodebound {
namespace {

using Level = Finding::Level;

struct LevelWords {
  Level level;
  const char* title;
  const char* noun;
  Colour colour;
  const char* glyph;
};
constexpr std::array<LevelWords, 3> kLevels = {
    {{Level::error, "Will be refused", "error", Colour::red, "✗"},
     {Level::warning, "May be refused, or allows too much", "warning", Colour::yellow, "!"},
     {Level::note, "Worth a look", "note", Colour::plain, "·"}}};

constexpr std::size_t most_troubles_shown = 10;

std::string title_of(const Inspection& inspection) {
  return inspection.from.empty() ? "for Kubernetes " + inspection.to
                                 : "from Kubernetes " + inspection.from + " to " + inspection.to;
}

void show_level(Page& page, const Inspection& inspection, const LevelWords& words) {
  const std::size_t count = inspection.count(words.level);
  if (count == 0) return;
  page.heading(words.colour, words.glyph, std::string(words.title) + ": " + counted(count, "finding"));
  std::string id;
  for (const Finding& finding : inspection.findings) {
    if (finding.level != words.level || !finding.accepted.empty()) continue;
    show_finding(page, finding, finding.id != id);
    id = finding.id;
  }
}

void show_troubles(Page& page, const Inspection& inspection) {
  if (inspection.troubles.empty()) return;
  page.heading(Colour::yellow, "?", "Not read: " + counted(inspection.troubles.size(), "place"));
  std::size_t shown = 0;
  for (const Inspection::Trouble& trouble : inspection.troubles) {
    if (++shown > most_troubles_shown && !page.verbose()) break;
    page.paragraph(2, Colour::plain, trouble.where + ": " + trouble.what);
  }
  if (inspection.troubles.size() > most_troubles_shown && !page.verbose()) {
    page.paragraph(2, Colour::dim,
                   "and " + std::to_string(inspection.troubles.size() - most_troubles_shown) + " more (--verbose)");
  }
}

void show_accepted(Page& page, const Inspection& inspection) {
  if (inspection.accepted() == 0) return;
  page.heading(Colour::plain, "·", "Accepted: " + counted(inspection.accepted(), "finding"));
  for (const Finding& finding : inspection.findings) {
    if (!finding.accepted.empty())
      page.paragraph(2, Colour::plain, finding.id + ", " + finding.who + ": " + finding.accepted);
  }
}

std::string counts_text(const Inspection& inspection) {
  std::string out;
  for (const LevelWords& words : kLevels) {
    out += (out.empty() ? "" : ", ") + counted(inspection.count(words.level), words.noun);
  }
  return out;
}

}  // namespace

std::size_t Inspection::count(Level level) const {
  return static_cast<std::size_t>(std::count_if(findings.begin(), findings.end(), [&](const Finding& finding) {
    return finding.level == level && finding.accepted.empty();
  }));
}

std::size_t Inspection::accepted() const {
  return static_cast<std::size_t>(std::count_if(findings.begin(), findings.end(),
                                                [](const Finding& finding) { return !finding.accepted.empty(); }));
}

std::string to_terminal(const Inspection& inspection, const TerminalStyle& style) {
  Page page(style);
  page.field(0, "read",
             counted(inspection.objects, "object") +
                 (inspection.files == 0 ? "" : " in " + counted(inspection.files, "file")) + ", " +
                 title_of(inspection) +
                 (inspection.gates.empty() ? "" : " (" + comma_separated(inspection.gates) + ")"));
  for (const std::string& note : inspection.notes) page.field(0, "note", note);
  if (inspection.not_new > 0) {
    page.field(0, "not new",
               counted(inspection.not_new, "finding") + (inspection.not_new == 1 ? " matters" : " matter") + " at " +
                   inspection.from + " already");
  }
  if (inspection.not_yet > 0) {
    page.field(0, "not yet",
               counted(inspection.not_yet, "finding") + (inspection.not_yet == 1 ? " does" : " do") +
                   " not matter yet at " + inspection.to);
  }
  for (const LevelWords& words : kLevels) show_level(page, inspection, words);
  if (inspection.left_out > 0) page.field(0, "left out", counted(inspection.left_out, "finding"));
  show_accepted(page, inspection);
  show_troubles(page, inspection);
  page.blank();
  if (inspection.objects == 0 && inspection.findings.empty()) {
    page.raw(page.paint(Colour::yellow, "?") + " NOTHING TO INSPECT: no Kubernetes object was read");
  } else if (inspection.count(Level::error) + inspection.count(Level::warning) == 0) {
    page.raw(page.paint(Colour::green, "✓") + " NOTHING TO ACT ON: " + counts_text(inspection));
  } else {
    const bool refused = inspection.count(Level::error) > 0;
    page.raw(page.paint(refused ? Colour::red : Colour::yellow, refused ? "✗" : "!") +
             " TO ACT ON: " + counts_text(inspection));
  }
  return page.text();
}

std::string to_json(const Inspection& inspection) {
  using Json = nlohmann::ordered_json;
  Json out;
  out["schema"] = inspection_schema;
  out["run"] = {{"started", inspection.run.started},
                {"host", inspection.run.host},
                {"tool_version", inspection.run.tool_version}};
  put_unless_empty(out, "from", inspection.from);
  out["to"] = inspection.to;
  out["feature_gates"] = inspection.gates;
  out["sources"] = inspection.sources;
  out["read"] = {{"files", inspection.files}, {"objects", inspection.objects}};
  out["summary"] = {{"errors", inspection.count(Level::error)},
                    {"warnings", inspection.count(Level::warning)},
                    {"notes", inspection.count(Level::note)},
                    {"accepted", inspection.accepted()},
                    {"not_new", inspection.not_new},
                    {"not_yet", inspection.not_yet},
                    {"left_out", inspection.left_out}};
  out["findings"] = Json::array();
  for (const Finding& finding : inspection.findings) out["findings"].push_back(finding_json(finding));
  out["troubles"] = Json::array();
  for (const Inspection::Trouble& one : inspection.troubles) {
    out["troubles"].push_back({{"where", one.where}, {"what", one.what}});
  }
  out["notes"] = inspection.notes;
  return json_text(out);
}

std::string to_markdown(const Inspection& inspection) {
  std::string out = "# What to act on, " + title_of(inspection) + "\n\n" + counted(inspection.objects, "object") +
                    (inspection.files == 0 ? "" : " in " + counted(inspection.files, "file")) +
                    " read: " + counts_text(inspection) + ".\n";
  for (const LevelWords& words : kLevels) {
    out += findings_markdown(inspection.findings, words.level,
                             std::string(words.title) + ": " + counted(inspection.count(words.level), "finding"));
  }
  if (!inspection.troubles.empty()) {
    out += "\n## Not read\n\n" + markdown_head({"where", "why"});
    for (const Inspection::Trouble& one : inspection.troubles) {
      out += markdown_row({markdown_code(one.where), markdown_text(one.what)});
    }
  }
  return out;
}

}  // namespace nodebound
