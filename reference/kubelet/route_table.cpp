#include "reference/kubelet/route_table.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "reference/kubelet/url_path.h"
#include "reference/release/toml_reader.h"

namespace nodebound {

namespace data {
std::string_view kubelet_routes_text();
}  // namespace data

namespace {

using Pattern = KubeletRoutes::Pattern;
using Template = KubeletRoutes::Template;

struct Switch {
  std::string_view name;
  bool KubeletSettings::*setting;
  Rule rule;  ///< while it is not in force, the setting counts as on
};

constexpr std::array switches = {
    Switch{"cadvisor_json", &KubeletSettings::cadvisor_json, Rule::kubelet_cadvisor_json_switch},
    Switch{"system_log_handler", &KubeletSettings::system_log_handler, Rule::kubelet_log_handler_switch},
    Switch{"profiling_handler", &KubeletSettings::profiling_handler, Rule::kubelet_debug_handler_switches},
    Switch{"debug_flags_handler", &KubeletSettings::debug_flags_handler, Rule::kubelet_debug_handler_switches},
};

// One entry of the file.
struct Entry {
  Pattern pattern;
  std::vector<std::string> rules;
  std::vector<std::string> without;
  bool debugging = false;
  std::string switch_;
  std::string off;
  std::string refused;
};

Template read_template(const toml::table& table) {
  TomlReader in(table);
  Template out{path_segments(in.text("path")), in.texts("methods"), in.text("handler", true)};
  in.done();
  return out;
}

Entry read_entry(const toml::table& table, bool service) {
  TomlReader in(table);
  Entry out;
  out.pattern.path = in.text(service ? "root" : "path", true);
  if (service) {
    out.pattern.root = path_segments(out.pattern.path).size();
    in.tables("routes", [&](const toml::table& route) { out.pattern.templates.push_back(read_template(route)); });
  } else {
    out.pattern.handler = in.text("handler", true);
  }
  out.pattern.produces = in.text("produces");
  out.rules = in.texts("rules");
  out.without = in.texts("without");
  out.debugging = in.flag("debugging");
  out.switch_ = in.text("switch");
  out.off = in.text("off");
  out.refused = in.text("refused");
  in.done();
  return out;
}

std::vector<Entry> read_entries() {
  const toml::table file = toml::parse(data::kubelet_routes_text());
  TomlReader in(file);
  std::vector<Entry> out;
  in.tables("path", [&](const toml::table& table) { out.push_back(read_entry(table, false)); });
  in.tables("service", [&](const toml::table& table) { out.push_back(read_entry(table, true)); });
  in.done();
  return out;
}

bool in_force(const std::string& id, const RuleSet& rules) {
  const auto rule = rules.catalogue().find(id);
  if (!rule) throw std::logic_error("routes.toml: there is no rule " + id);
  return rules.in_force(*rule);
}

bool is_there(const Entry& entry, const RuleSet& rules) {
  const auto is = [&](const std::string& id) { return in_force(id, rules); };
  return std::all_of(entry.rules.begin(), entry.rules.end(), is) &&
         std::none_of(entry.without.begin(), entry.without.end(), is);
}

bool is_on(const Entry& entry, const KubeletSettings& settings, const RuleSet& rules) {
  const auto found =
      std::find_if(switches.begin(), switches.end(), [&](const Switch& one) { return one.name == entry.switch_; });
  return found == switches.end() || settings.*(found->setting) || !rules.in_force(found->rule);
}

// Merges the entries of a web service. One without a slash at its end is also registered with a slash.
void add(std::vector<Pattern>& patterns, const Pattern& pattern) {
  const auto same = std::find_if(patterns.begin(), patterns.end(), [&](const Pattern& one) {
    return one.path == pattern.path && one.root > 0 && pattern.root > 0;
  });
  if (same != patterns.end()) {
    same->templates.insert(same->templates.end(), pattern.templates.begin(), pattern.templates.end());
    return;
  }
  patterns.push_back(pattern);
  if (pattern.root == 0 || pattern.path.ends_with('/')) return;
  patterns.push_back(pattern);
  patterns.back().path += "/";
}

}  // namespace

std::vector<Pattern> kubelet_patterns(const RuleSet& rules, const KubeletSettings& settings, KubeletRoutes::Port port) {
  static const std::vector<Entry> entries = read_entries();
  const bool is_for_debugging = port == KubeletRoutes::Port::main || !rules.in_force(Rule::kubelet_read_only_port);
  const bool debugging = settings.debugging_handlers && is_for_debugging;
  std::vector<Pattern> out;
  for (const Entry& entry : entries) {
    if (!is_there(entry, rules)) continue;
    if (entry.debugging && !debugging) {
      if (entry.refused.empty() || !rules.in_force(Rule::kubelet_debugging_handlers_refuse)) continue;
      Pattern refused;
      refused.path = entry.refused;
      refused.message = rules.refusal(Rule::kubelet_debugging_handlers_refuse).render({});
      add(out, refused);
    } else if (is_on(entry, settings, rules)) {
      add(out, entry.pattern);
    } else if (!entry.off.empty()) {
      Pattern off;
      off.path = entry.pattern.path;
      off.message = entry.off;
      add(out, off);
    }
  }
  return out;
}

}  // namespace nodebound
