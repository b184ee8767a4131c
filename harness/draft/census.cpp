#include "harness/draft/census.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <tuple>

#include "harness/replay/clients/pool_labels.h"
#include "reports/text.h"

namespace nodebound::draft {
namespace {

constexpr const char* control_plane = "control-plane";
constexpr std::size_t most_pools = 60;
constexpr std::size_t most_labels = 20;

bool is_of_control_plane(const Object& labels) {
  return labels.is_object() && (labels.contains("node-role.kubernetes.io/control-plane") ||
                                labels.contains("node-role.kubernetes.io/master"));
}

// Lower case letters, digits and hyphens: what a plan accepts as the name of a pool.
std::string plain_name(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string out;
  for (const char c : text.substr(0, longest)) {
    const auto lower = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const bool fits = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');
    if (fits) out += lower;
    if (!fits && !out.empty() && out.back() != '-') out += '-';
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out.empty() ? "nodes" : out;
}

bool is_free(std::string_view key) {
  const std::string_view domain = key.substr(0, std::min(key.find('/'), key.size()));
  return key.find('/') == std::string_view::npos || (!domain.ends_with("kubernetes.io") && !domain.ends_with("k8s.io"));
}

std::map<std::string, std::string> free_labels(const Object& labels) {
  std::map<std::string, std::string> out;
  if (!labels.is_object()) return out;
  for (const auto& [key, value] : labels.items()) {
    if (is_free(key) && value.is_string() && out.size() < most_labels) out[key] = value.get<std::string>();
  }
  return out;
}

void keep_common(std::map<std::string, std::string>& labels, const std::map<std::string, std::string>& others) {
  std::erase_if(labels, [&](const auto& label) {
    const auto found = others.find(label.first);
    return found == others.end() || found->second != label.second;
  });
}

}  // namespace

Census take_census(const inspect::Inspected& cluster, const std::string& pool_label) {
  Census out;
  std::map<std::pair<std::string, Version>, CountedPool> pools;
  std::size_t of_control_plane = 0;
  for (const inspect::InspectedObject& object : cluster.objects) {
    if (object.kind() != "Node" || !object.group().empty()) continue;
    const std::string_view told = text(object.object, "status", "nodeInfo", "kubeletVersion");
    const std::optional<Version> version = Version::parse(told);
    if (!version) {
      out.notes.push_back("Node " + printable(object.name()) + " does not say the version of its kubelet");
      continue;
    }
    const Object& labels = member(object.object, "metadata", "labels");
    const bool control = is_of_control_plane(labels);
    of_control_plane += control ? 1U : 0U;
    const std::string_view label = replay::pool_of_labels(labels, pool_label);
    const std::string name = control ? control_plane : plain_name(label.empty() ? "nodes" : label);
    const auto [found, added] = pools.try_emplace({name, *version});
    CountedPool& pool = found->second;
    if (added) {
      pool.name = name;
      pool.kubelet = *version;
      pool.labels = free_labels(labels);
    } else {
      keep_common(pool.labels, free_labels(labels));
    }
    ++pool.nodes;
    pool.members.push_back(&object);
  }
  std::map<std::string, std::size_t> of_name;
  for (const auto& [key, pool] : pools) ++of_name[pool.name];
  for (auto& [key, pool] : pools) {
    if (out.pools.size() >= most_pools) {
      out.notes.push_back("more than " + std::to_string(most_pools) + " pools: the others are left out");
      break;
    }
    if (of_name[pool.name] > 1) pool.name = plain_name(pool.name + "-" + pool.kubelet.text());
    out.pools.push_back(std::move(pool));
  }
  out.servers = std::max<std::size_t>(1, of_control_plane);
  return out;
}

}  // namespace nodebound::draft
