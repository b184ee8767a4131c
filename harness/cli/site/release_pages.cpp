#include "harness/cli/site/site_page.h"
#include "harness/cli/site/site_writers.h"
#include "reports/html.h"

namespace nodebound::cli {
namespace {

std::string list(const std::string& heading, const std::string& items) {
  return items.empty() ? "" : site_heading(heading) + "<ul class=\"list\">\n" + items + "</ul>\n";
}

std::string item(const SiteRule& rule, const Version& version, const std::string& note) {
  return "<li>" + site_link("../rules/" + rule.entry->id + ".html", rule.entry->id) + " " +
         html_text(rule.entry->statement) +
         (version.short_text() == version.minor_text() ? "" : " <span class=\"dim\">" + version.text() + "</span>") +
         (note.empty() ? "" : " <span class=\"dim\">" + html_text(note) + "</span>") + "</li>\n";
}

struct Changes {
  std::string come;
  std::string gone;
  std::string gated;
  std::string reworded;
};

Changes changes_of(const Version& minor, const SiteModel& model) {
  Changes out;
  for (const SiteRule& rule : model.rules) {
    for (const Turn& turn : rule.turns) {
      if (!turn.version.same_minor(minor)) continue;
      std::string& where = turn.after == Standing::in_force ? out.come
                           : turn.after == Standing::absent ? out.gone
                                                            : out.gated;
      where += item(rule, turn.version, "");
    }
    for (const auto& [since, text] : rule.entry->refusal) {
      if (since.same_minor(minor) && &text != &rule.entry->refusal.front().second) {
        out.reworded += item(rule, since, text.pattern());
      }
    }
  }
  return out;
}

std::string gates_of_minor(const Version& minor, const SiteModel& model) {
  std::string out;
  for (const std::string& name : model.catalogue->deciding_gates()) {
    const GateEntry* const gate = model.catalogue->find_gate(name);
    if (gate == nullptr) continue;
    std::string what;
    for (const GateEntry::Stage& stage : gate->stages) {
      if (stage.since.same_minor(minor)) what = std::string(stage.locked ? "locked " : "") + (stage.on ? "on" : "off");
    }
    if (gate->until && gate->until->same_minor(minor)) what = "gone";
    if (!what.empty()) out += "<li>" + site_code(name) + " " + what + "</li>\n";
  }
  return out;
}

std::string behaviours_from(const std::vector<BehaviourEntry>& entries, const Version& minor, bool ending) {
  std::string out;
  for (const BehaviourEntry& entry : entries) {
    for (const ReleaseRange& range : entry.in_force) {
      const bool begins = !range.since.empty() && range.since.back().same_minor(minor);
      const bool ends = range.until && range.until->same_minor(minor);
      if (ending ? ends : begins) out += "<li>" + html_text(entry.statement) + "</li>\n";
    }
  }
  return out;
}

std::string content_of(const Version& minor, const SiteModel& model) {
  const Changes changes = changes_of(minor, model);
  std::string out = "<h1>Kubernetes " + minor.minor_text() + "</h1>\n";
  out += list("Rules that come into force", changes.come) + list("Rules that end", changes.gone) +
         list("Rules behind a gate that is off", changes.gated) + list("Refusals in other words", changes.reworded) +
         list("Feature gates of rules", gates_of_minor(minor, model));
  out += list("What the API server does from here on", behaviours_from(model.catalogue->behaviours(), minor, false)) +
         list("What it no longer does", behaviours_from(model.catalogue->behaviours(), minor, true)) +
         list("What kubelets do from here on", behaviours_from(model.catalogue->kubelet_traits(), minor, false)) +
         list("What kubelets no longer do", behaviours_from(model.catalogue->kubelet_traits(), minor, true));
  if (out.find("<h2>") == std::string::npos) out += "<p>Nothing that the catalogue knows came or went.</p>\n";
  return out;
}

}  // namespace

void add_release_pages(SiteFiles& files, const SiteModel& model) {
  std::string index = "<h1>Releases</h1>\n<p>What came and went with each.</p>\n<ul class=\"list\">\n";
  for (auto minor = model.minors.rbegin(); minor != model.minors.rend(); ++minor) {
    const std::string file = "releases/" + minor->minor_text() + ".html";
    files[file] = site_page({minor->minor_text(), "releases.html", "../"}, content_of(*minor, model));
    std::size_t come = 0;
    std::size_t gone = 0;
    for (const SiteRule& rule : model.rules) {
      for (const Turn& turn : rule.turns) {
        if (!turn.version.same_minor(*minor)) continue;
        (turn.after == Standing::in_force ? come : gone) += turn.after == Standing::behind_gate ? 0 : 1;
      }
    }
    index += "<li>" + site_link(file, "Kubernetes " + minor->minor_text()) + " <span class=\"dim\">" +
             std::to_string(come) + " rules come, " + std::to_string(gone) + " end</span></li>\n";
  }
  files["releases.html"] = site_page({"Releases", "releases.html", ""}, index + "</ul>\n");
}

}  // namespace nodebound::cli
