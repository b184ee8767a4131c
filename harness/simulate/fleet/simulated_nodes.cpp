#include "harness/simulate/fleet/simulated_nodes.h"

#include <utility>

namespace nodebound::simulate {

NodePlace SimulatedNodes::add(std::size_t pool, SimulatedNode node) {
  const NodePlace place{pool, pools_[pool].size()};
  places_[node.name] = place;
  pools_[pool].push_back(std::move(node));
  return place;
}

void SimulatedNodes::rename(const NodePlace& place, const std::string& name) {
  (*this)[place].name = name;
  places_[name] = place;
}

std::vector<NodePlace> SimulatedNodes::places() const {
  std::vector<NodePlace> out;
  for (std::size_t pool = 0; pool < pools_.size(); ++pool) {
    for (std::size_t i = 0; i < pools_[pool].size(); ++i) out.push_back({pool, i});
  }
  return out;
}

const NodePlace* SimulatedNodes::find(const std::string& name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? nullptr : &found->second;
}

std::size_t SimulatedNodes::weight_of(const std::string& name) const {
  const NodePlace* place = find(name);
  return place == nullptr ? 1 : (*this)[*place].weight;
}

}  // namespace nodebound::simulate
