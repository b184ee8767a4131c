#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "reports/comparison/comparison_writers.h"
#include "reports/page.h"
#include "reports/text.h"

namespace nodebound {
namespace {

using Change = ComparedRequest::Change;
using Changes = std::vector<const RuleChange*>;

constexpr std::size_t widest_who = 22;
constexpr std::size_t short_of_width = 20;  ///< kept for `, and 12 more; 1234 requests`

// A new restriction refuses, and so does a removed grant.
Changes changes(const Comparison& comparison, std::string_view hits, bool refuses) {
  Changes out;
  const auto add = [&](const std::vector<RuleChange>& rules, const char* effect) {
    for (const RuleChange& rule : rules) {
      if (rule.hits == hits && rule.effect == effect) out.push_back(&rule);
    }
  };
  add(comparison.rules_in, refuses ? "restriction" : "grant");
  add(comparison.rules_out, refuses ? "grant" : "restriction");
  return out;
}

std::size_t requests_of(const Comparison& comparison, const Changes& rules, Change change) {
  return static_cast<std::size_t>(
      std::count_if(comparison.changed.begin(), comparison.changed.end(), [&](const ComparedRequest& request) {
        return request.change == change && std::any_of(rules.begin(), rules.end(), [&](const RuleChange* rule) {
                 return rule->id == request.rule;
               });
      }));
}

// As many ids as fit into the line.
std::string ids_of(const Changes& rules, std::size_t room) {
  std::string out;
  std::size_t shown = 0;
  for (; shown < rules.size(); ++shown) {
    const std::string next = (shown == 0 ? "" : ", ") + rules[shown]->id;
    if (shown > 0 && columns(out + next) > room) break;
    out += next;
  }
  return shown < rules.size() ? out + ", and " + std::to_string(rules.size() - shown) + " more" : out;
}

void line(Page& page, std::string_view who, bool refuses, const Changes& rules, std::size_t requests) {
  const std::string word = refuses ? "✗ refused  " : "✓ allowed  ";
  const std::string counts = requests == 0 ? "" : "; " + counted(requests, "request");
  const std::size_t before = 2 + widest_who + 2 + 11;
  const std::size_t room = page.width() > before + short_of_width + counts.size()
                               ? page.width() - before - short_of_width - counts.size()
                               : 0;
  page.raw("  " + pad_right(std::string(who), widest_who) + "  " +
           page.paint(refuses ? Colour::red : Colour::green, word) + ids_of(rules, room) + counts);
}

}  // namespace

std::string to_brief(const Comparison& comparison, const TerminalStyle& style) {
  // For each affected group, the most likely first: a line for what is newly refused, one for what is newly allowed.
  static constexpr std::array<std::pair<const char*, const char*>, 5> all = {{{"node", "a node's credentials"},
                                                                              {"kubelet", "who asks a kubelet"},
                                                                              {"pod", "who writes pods"},
                                                                              {"certificate", "who signs for nodes"},
                                                                              {"role", "holders of roles"}}};
  Page page(style);
  page.raw(page.paint(Colour::bold, printable(comparison.a.name) + " → " + printable(comparison.b.name)));
  std::size_t lines = 0;
  for (const bool refuses : {true, false}) {
    for (const auto& [hits, who] : all) {
      const Changes rules = changes(comparison, hits, refuses);
      if (rules.empty()) continue;
      line(page, who, refuses, rules,
           requests_of(comparison, rules, refuses ? Change::now_refused : Change::now_allowed));
      ++lines;
      if (lines == most_brief_lines) break;
    }
    if (lines == most_brief_lines) break;
  }
  if (lines == 0) page.raw("  No rule comes or goes.");
  if (!comparison.rules_reworded.empty()) {
    page.raw("  ~ " + counted(comparison.rules_reworded.size(), "rule") +
             (comparison.rules_reworded.size() == 1 ? " refuses" : " refuse") +
             " in other words, for who searches logs by them");
  }
  page.raw("  " + summary_line(comparison));
  page.raw(page.paint(Colour::dim, "  `nodebound rules ID` tells of a rule; without --brief each request is shown."));
  return page.text();
}

}  // namespace nodebound
