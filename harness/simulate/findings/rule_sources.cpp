#include "harness/simulate/findings/rule_sources.h"

#include <algorithm>
#include <string_view>

namespace nodebound::simulate {
namespace {

// A KEP's number is that of its issue.
std::string page_of(std::string_view source, const std::string& version) {
  constexpr std::string_view kep = "KEP-";
  const std::size_t hash = source.find('#');
  if (source.starts_with(kep)) {
    return "https://github.com/kubernetes/enhancements/issues/" + std::string(source.substr(kep.size()));
  }
  if (source.starts_with("CVE-")) return "https://www.cve.org/CVERecord?id=" + std::string(source);
  if (hash != std::string_view::npos) {
    return "https://github.com/" + std::string(source.substr(0, hash)) + "/issues/" +
           std::string(source.substr(hash + 1));
  }
  if (!source.ends_with(".go")) return {};
  return "https://github.com/kubernetes/kubernetes/blob/v" + version + "/" + std::string(source);
}

}  // namespace

std::vector<Simulation::Finding::Source> sources_of(const RuleEntry& rule, const std::string& version) {
  std::vector<Simulation::Finding::Source> out;
  for (const std::string& source : rule.source) out.push_back({source, page_of(source, version)});
  // Sources that explain a rule come before those that implement it.
  std::stable_partition(out.begin(), out.end(), [](const auto& one) { return !one.name.ends_with(".go"); });
  return out;
}

}  // namespace nodebound::simulate
