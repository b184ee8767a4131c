#include "reports/findings/finding_parts.h"

#include "reports/json_object.h"
#include "reports/markdown.h"
#include "reports/text.h"

namespace nodebound {
namespace {

constexpr std::size_t finding_indent = 6;

std::string flags_of(const std::vector<std::string>& gates) {
  std::string out;
  for (const std::string& gate : gates) out += (out.empty() ? "" : " or ") + ("--feature-gates=" + gate);
  return out;
}

nlohmann::ordered_json fix_json(const Finding::Fix& fix) {
  nlohmann::ordered_json out;
  out["what"] = fix.what;
  put_unless_empty(out, "patch", fix.json_patch);
  put_unless_empty(out, "command", fix.command);
  out["edits_file"] = !fix.edits.empty();
  return out;
}

}  // namespace

std::string when_it_matters(const Finding& finding) {
  std::string out = finding.since.empty() ? "in every release" : finding.since + " on";
  if (!finding.put_off_by.empty()) out += "; put off by " + flags_of(finding.put_off_by);
  return out;
}

void show_finding(Page& page, const Finding& finding, bool first_of_id) {
  if (first_of_id) {
    page.paragraph(2, Colour::bold, finding.id);
    page.paragraph(4, Colour::dim, finding.statement);
  }
  page.paragraph(4, Colour::plain, finding.who.empty() ? finding.what : finding.who + ": " + finding.what);
  page.field(finding_indent, "at", finding.place.text());
  page.field(finding_indent, "from", when_it_matters(finding));
  page.field(finding_indent, "rules", comma_separated(finding.rules));
  page.field(finding_indent, "seen at", comma_separated(finding.seen_at));
  if (first_of_id || page.verbose()) page.whole_field(finding_indent, "do", finding.advice);
  for (const Finding::Fix& fix : finding.fixes) page.field(finding_indent, "fix", fix.what + " (--fix)");
}

nlohmann::ordered_json finding_json(const Finding& finding) {
  nlohmann::ordered_json out;
  out["id"] = finding.id;
  out["level"] = to_string(finding.level);
  out["fingerprint"] = fingerprint_of(finding);
  out["rules"] = finding.rules;
  put_unless_empty(out, "statement", finding.statement);
  put_unless_empty(out, "who", finding.who);
  out["what"] = finding.what;
  put_unless_empty(out, "file", finding.place.file);
  if (finding.place.line > 0) out["line"] = finding.place.line;
  put_unless_empty(out, "object", finding.place.object);
  put_unless_empty(out, "field", finding.place.field);
  put_unless_empty(out, "since", finding.since);
  out["put_off_by"] = finding.put_off_by;
  put_unless_empty(out, "advice", finding.advice);
  out["seen_at"] = finding.seen_at;
  if (finding.count > 0) out["count"] = finding.count;
  put_unless_empty(out, "first", finding.first);
  put_unless_empty(out, "last", finding.last);
  if (!finding.fixes.empty()) out["fix"] = fix_json(finding.fixes.front());
  put_unless_empty(out, "accepted", finding.accepted);
  return out;
}

Finding finding_from_json(JsonObject object) {
  constexpr Finding::Level levels[] = {Finding::Level::error, Finding::Level::warning, Finding::Level::note};
  Finding out;
  out.id = object.text("id");
  out.level = object.one_of("level", levels);
  object.text("fingerprint");
  out.rules = object.texts("rules");
  out.statement = object.optional_text("statement");
  out.who = object.optional_text("who");
  out.what = object.text("what");
  out.place.file = object.optional_text("file");
  if (object.optional("line") != nullptr) out.place.line = object.number("line");
  out.place.object = object.optional_text("object");
  out.place.field = object.optional_text("field");
  out.since = object.optional_text("since");
  out.put_off_by = object.texts("put_off_by");
  out.advice = object.optional_text("advice");
  out.seen_at = object.texts("seen_at");
  if (object.optional("count") != nullptr) out.count = object.number("count");
  out.first = object.optional_text("first");
  out.last = object.optional_text("last");
  object.optional("fix");
  out.accepted = object.optional_text("accepted");
  object.close();
  return out;
}

std::string findings_markdown(const std::vector<Finding>& findings, Finding::Level level, const std::string& title) {
  std::string out;
  for (const Finding& finding : findings) {
    if (finding.level != level || !finding.accepted.empty()) continue;
    if (out.empty()) {
      out = "\n## " + title + "\n\n" +
            markdown_head({"finding", "who", "what", "where", "from", "put off by", "what to do", "seen at"});
    }
    out += markdown_row({markdown_code(finding.id), markdown_text(finding.who), markdown_text(finding.what),
                         markdown_code(finding.place.text()), markdown_text(finding.since),
                         markdown_text(comma_separated(finding.put_off_by)), markdown_text(finding.advice),
                         markdown_text(comma_separated(finding.seen_at))});
  }
  return out;
}

}  // namespace nodebound
