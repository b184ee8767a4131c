#include "harness/simulate/plan/representatives.h"

#include <algorithm>
#include <set>

namespace nodebound::simulate {
namespace {

constexpr std::size_t most_nodes_of_pool = 32;
constexpr std::size_t least_nodes_of_pool = 4;
constexpr std::size_t most_nodes_of_all = 160;
constexpr std::size_t most_pods_of_node = 3;

std::set<std::string> nodes_with_objects(const std::vector<Object>& objects) {
  std::set<std::string> out;
  for (const Object& object : objects) {
    if (text(object, "kind") == "Node") out.emplace(text(object, "metadata", "name"));
    const std::string_view bound = text(object, "spec", "nodeName");
    if (!bound.empty()) out.emplace(bound);
  }
  return out;
}

}  // namespace

std::size_t most_nodes_of_a_pool(std::size_t pools) {
  const std::size_t share = most_nodes_of_all / std::max<std::size_t>(pools, 1);
  return std::clamp(share, least_nodes_of_pool, most_nodes_of_pool);
}

std::vector<Representative> representatives_of(const Plan::Pool& pool, const std::vector<Object>& objects,
                                               std::size_t most) {
  const std::set<std::string> own = nodes_with_objects(objects);
  std::vector<Representative> out;
  std::vector<std::size_t> alike;
  for (std::size_t i = 0; i < pool.nodes.size(); ++i) {
    if (own.contains(pool.nodes[i])) {
      out.push_back({i, 1});
    } else {
      alike.push_back(i);
    }
  }
  const std::size_t count = std::min(alike.size(), most);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = i * alike.size() / count;
    const std::size_t end = (i + 1) * alike.size() / count;
    out.push_back({alike[begin], end - begin});
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  return out;
}

std::size_t simulated_pods(const Plan::Pool& pool) {
  return std::min(pool.pods, most_pods_of_node);
}

}  // namespace nodebound::simulate
