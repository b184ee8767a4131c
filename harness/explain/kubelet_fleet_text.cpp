#include "harness/explain/kubelet_fleet_text.h"

#include <algorithm>

#include "fakes/wire/yaml/yaml.h"
#include "reports/json_object.h"
#include "reports/page.h"
#include "reports/text.h"

namespace nodebound::explain {
namespace {

using Json = nlohmann::ordered_json;

void add_kubelets(Page& page, const KubeletFleet& fleet) {
  page.heading(Colour::plain, "-", "Kubelets");
  for (const KubeletsOfRelease& of : fleet.kubelets) {
    const std::string some = of.count > 1 ? of.example + ", …" : of.example;
    page.field(2, of.version.text(), of.count == 0 ? "as said" : counted(of.count, "node") + " (" + some + ")");
  }
}

// Kubelets of all releases may need the same rights.
std::string needed_for(const std::string& line, const KubeletFleet& fleet) {
  std::vector<std::pair<std::string, std::vector<std::string>>> by_review;
  for (const Need& need : fleet.needs) {
    if (need.line != line) continue;
    const std::string review = need.is_served ? need.review : "not served";
    if (by_review.empty() || by_review.back().first != review) by_review.push_back({review, {}});
    by_review.back().second.push_back(need.version.text());
  }
  if (by_review.size() == 1) return by_review.front().first;
  std::string out;
  for (const auto& [review, versions] : by_review) {
    out += (out.empty() ? "" : "; ") + review + " on " + comma_separated(versions);
  }
  return out;
}

std::vector<std::string> lines_of(const KubeletFleet& fleet) {
  std::vector<std::string> out;
  for (const Need& need : fleet.needs) {
    if (std::find(out.begin(), out.end(), need.line) == out.end()) out.push_back(need.line);
  }
  return out;
}

void add_needs(Page& page, const KubeletFleet& fleet) {
  page.heading(Colour::plain, "-", "What is needed (--needs), and the narrowest grant for it");
  const std::vector<std::string> lines = lines_of(fleet);
  std::size_t width = 0;
  for (const std::string& line : lines) width = std::max(width, columns(printable(line)));
  for (const std::string& line : lines) {
    page.raw("  " + pad_right(printable(line), width) + "  " + needed_for(line, fleet));
  }
}

std::string why_left_alone(const ProxyHolder& holder) {
  if (holder.by_wildcard) return "it allows this by a wildcard, and more: left alone";
  return holder.is_given ? "" : "it is kept up by the API server, made of other roles, or not given: left alone";
}

void add_holders(Page& page, const KubeletFleet& fleet) {
  if (fleet.holders.empty()) {
    page.heading(Colour::green, "✓", "Nobody holds nodes/proxy");
    return;
  }
  page.heading(Colour::red, "✗",
               counted(fleet.holders.size(), "ClusterRoleBinding") +
                   " with nodes/proxy, by which commands are run in any pod of a node, with get, too");
  for (const ProxyHolder& holder : fleet.holders) {
    page.raw("  " + printable(holder.binding));
    page.field(4, "subjects", comma_separated(holder.subjects));
    page.field(4, "role", holder.role + " (" + comma_separated(holder.verbs) + ")");
    page.field(4, "note", why_left_alone(holder));
  }
}

void add_proposal(Page& page, const Proposal& proposal) {
  const bool good = proposal.taken.empty();
  page.heading(good ? Colour::green : Colour::yellow, good ? "✓" : "!",
               good ? "Proposed for ClusterRole " + proposal.role + ", and tried"
                    : "Nothing is proposed for ClusterRole " + proposal.role + ": needs would be lost");
  for (const std::string& one : proposal.taken) page.field(2, "lost", one);
  for (const std::string& one : proposal.kept) page.field(2, "proxy", "stays for " + one);
  if (proposal.until) {
    page.field(2, "later", "needs no nodes/proxy once all kubelets are " + proposal.until->text() + " or newer");
  }
  for (const std::string& one : proposal.still_possible) page.field(2, "danger", "still possible: " + one);
  if (proposal.still_possible.empty()) page.field(2, "danger", "exec, attach, port-forward, run and logs are refused");
}

}  // namespace

std::string to_yaml(const KubeletFleet& fleet) {
  std::string out;
  for (const Proposal& proposal : fleet.proposals) {
    if (proposal.taken.empty()) out += "---\n" + write_yaml(proposal.object);
  }
  return out;
}

std::string to_text(const KubeletFleet& fleet, const TerminalStyle& style) {
  Page page(style);
  add_kubelets(page, fleet);
  add_needs(page, fleet);
  add_holders(page, fleet);
  for (const Proposal& proposal : fleet.proposals) add_proposal(page, proposal);
  const std::string yaml = to_yaml(fleet);
  return page.text() + (yaml.empty() ? "" : "\n" + yaml);
}

std::string to_json(const KubeletFleet& fleet) {
  Json out = {{"kubelets", Json::array()},
              {"needs", Json::array()},
              {"holders", Json::array()},
              {"dangers", fleet.dangers},
              {"proposals", Json::array()}};
  for (const KubeletsOfRelease& of : fleet.kubelets) {
    out["kubelets"].push_back({{"version", of.version.text()}, {"nodes", of.count}});
  }
  for (const Need& need : fleet.needs) {
    out["needs"].push_back({{"request", need.line},
                            {"kubelet", need.version.text()},
                            {"review", need.review},
                            {"served", need.is_served}});
  }
  for (const ProxyHolder& holder : fleet.holders) {
    out["holders"].push_back({{"clusterRoleBinding", holder.binding},
                              {"clusterRole", holder.role},
                              {"subjects", holder.subjects},
                              {"verbs", holder.verbs},
                              {"byWildcard", holder.by_wildcard},
                              {"leftAlone", !holder.is_given || holder.by_wildcard}});
  }
  for (const Proposal& proposal : fleet.proposals) {
    Json one = {{"clusterRole", proposal.role},
                {"proxyStaysFor", proposal.kept},
                {"lost", proposal.taken},
                {"stillPossible", proposal.still_possible},
                {"object", Json::parse(proposal.object.dump())}};
    if (proposal.until) one["noProxyFrom"] = proposal.until->text();
    out["proposals"].push_back(std::move(one));
  }
  return json_text(out);
}

}  // namespace nodebound::explain
