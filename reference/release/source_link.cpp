#include "reference/release/source_link.h"

#include <algorithm>

namespace nodebound {

std::string link_of(std::string_view source, const Version& version) {
  constexpr std::string_view kep = "KEP-";
  const std::string text(source);
  if (source.starts_with(kep)) {
    return "https://www.kubernetes.dev/resources/keps/" + text.substr(kep.size()) + "/";
  }
  if (source.starts_with("CVE-")) return "https://nvd.nist.gov/vuln/detail/" + text;
  const std::size_t hash = source.find('#');
  if (hash != std::string_view::npos) {
    return "https://github.com/" + text.substr(0, hash) + "/issues/" + text.substr(hash + 1);
  }
  return "https://github.com/kubernetes/kubernetes/blob/v" + version.text() + "/" + text;
}

Version read_at(const RuleEntry& rule, const Version& version) {
  const auto has = [&](const Version& at) {
    return std::any_of(rule.in_force.begin(), rule.in_force.end(), [&](const ReleaseRange& range) {
      return at >= range.since.front() && (!range.until || at < *range.until);
    });
  };
  if (has(version)) return version;
  // The first patch release with the rule is sure to have it in its files.
  Version last = rule.in_force.front().since.back();
  for (const ReleaseRange& range : rule.in_force) last = std::max(last, range.since.back());
  return last;
}

}  // namespace nodebound
