#include "fakes/apiserver/resources/registry.h"

#include <map>
#include <utility>

#include "fakes/apiserver/write/update_strategy.h"

namespace nodebound::apiserver {
namespace {

using StrategyKey = std::pair<std::string_view, std::string_view>;

std::map<StrategyKey, const Strategy*> by_key() {
  std::map<StrategyKey, const Strategy*> out;
  for (const auto& file : strategies::all) {
    for (const Strategy& strategy : file()) out.emplace(StrategyKey(strategy.group, strategy.resource), &strategy);
  }
  return out;
}

const SubresourceStrategy* named(std::span<const SubresourceStrategy> subresources, std::string_view name) {
  for (const SubresourceStrategy& own : subresources) {
    if (own.name == name) return &own;
  }
  return nullptr;
}

}  // namespace

const Strategy& strategy_of(std::string_view group, std::string_view resource) {
  static const std::map<StrategyKey, const Strategy*> known = by_key();
  static constexpr Strategy plain = {};
  const auto found = known.find({group, resource});
  return found == known.end() ? plain : *found->second;
}

const SubresourceStrategy& Strategy::subresource(std::string_view name) const {
  static constexpr std::array<SubresourceStrategy, 1> of_any_kind = {{{.name = "status", .prepared = prepared_status}}};
  static constexpr SubresourceStrategy plain = {};
  if (const SubresourceStrategy* own = named(subresources, name)) return *own;
  const SubresourceStrategy* common = named(of_any_kind, name);
  return common == nullptr ? plain : *common;
}

}  // namespace nodebound::apiserver
