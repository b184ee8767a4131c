#include "harness/failures/failure_page.h"

#include <algorithm>

#include "harness/failures/request_commands.h"
#include "reference/release/source_link.h"
#include "reports/markdown.h"
#include "reports/text.h"

namespace nodebound::failures {
namespace {

// A fence that is longer than any in the text.
std::string fenced(const std::string& language, const std::string& text) {
  std::string fence = "```";
  while (text.find(fence) != std::string::npos) fence += '`';
  return fence + language + "\n" + printable_page(text) + (text.ends_with('\n') ? "" : "\n") + fence + "\n\n";
}

std::string rule_text(const std::string& id, const Version& version, const Catalogue& catalogue) {
  const auto rule = catalogue.find(id);
  if (!rule) return "* " + markdown_code(id) + "\n";
  const RuleEntry& entry = catalogue[*rule];
  std::string out = "* " + markdown_code(id) + ": " + markdown_text(entry.statement) + "\n";
  for (const std::string& source : entry.source) {
    out += "  Source: [" + markdown_text(source) + "](" + link_of(source, read_at(entry, version)) + ")\n";
  }
  return out;
}

std::string sent(const CheckResult& check, const Report& report) {
  const Evidence& evidence = check.evidence;
  if (evidence.request.empty()) return "Nothing.\n\n";
  std::string out = "As " + markdown_code(evidence.subject) +
                    ". Names that begin with `nb-RUN-` and `UID` are those of a "
                    "run: the command below makes the objects anew.\n\n" +
                    fenced("http", evidence.request + (evidence.body.empty() ? "" : "\n\n" + evidence.body));
  const RequestCommands commands = commands_of(check, report.target.name);
  for (const std::string* command : {&commands.pipe, &commands.curl, &commands.kubectl}) {
    if (!command->empty()) out += fenced("sh", *command);
  }
  return out;
}

std::string received(const CheckResult& check) {
  const Evidence& evidence = check.evidence;
  std::string out = check.observed.empty() ? "nothing" : check.observed;
  if (evidence.opinion) out += std::string("\nopinion: ") + to_string(*evidence.opinion);
  if (!evidence.message.empty()) out += "\n" + evidence.message;
  for (const std::string& leaked : check.leaked) out += "\nleaked: " + leaked;
  return fenced("", out);
}

}  // namespace

std::string failure_page(const CheckResult& check, const Report& report, const Catalogue& catalogue,
                         const FailureContext& context) {
  std::string out =
      "# " + markdown_code(check.id) + "\n\n" + markdown_text(check.scenario) + ": " + markdown_text(check.title) +
      ". At " + markdown_code(check.where) + ".\n\n**Expected** " + markdown_text(check.expected) + "; **observed** " +
      markdown_text(check.observed.empty() ? "no answer" : check.observed) + ": " + markdown_text(check.why) + ".\n";
  if (context.of_kind > 1) {
    out += "\n" + counted(context.of_kind - 1, "other check") + " of the same rule " +
           (context.of_kind == 2 ? "fails" : "fail") + " alike.\n";
  }
  out += "\n## The rule\n\n";
  const Version version = Version::parse(report.release.version).value_or(Version{});
  for (const std::string& rule : check.rules) out += rule_text(rule, version, catalogue);
  out += "\n## What was sent\n\n" + sent(check, report) + "## What came back\n\n" + received(check) +
         "## See it again\n\n" + fenced("sh", context.replay);
  if (!context.smallest.empty()) {
    out += "## The smallest scenario that shows it\n\nThe reference does as it says; the target does not.\n\n" +
           fenced("toml", context.smallest) + fenced("sh", context.smallest_replay);
  }
  return out;
}

}  // namespace nodebound::failures
