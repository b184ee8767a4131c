#include "harness/explore/episode/coverage.h"

#include <algorithm>

namespace nodebound::explore {

std::vector<std::string> fired(const std::vector<Heard>& heard) {
  std::vector<std::string> out;
  for (const Heard& one : heard) {
    if (one.rule.empty()) continue;
    out.push_back(one.rule + (one.answer.kind == Answer::Kind::allowed ? " allowed" : " refused"));
  }
  return out;
}

void Coverage::count(const std::vector<std::string>& features) {
  for (const std::string& feature : features) ++counts_[feature];
}

double Coverage::rarity(const std::vector<std::string>& features) const {
  std::map<std::string, std::size_t> again;
  double out = 0;
  for (const std::string& feature : features) {
    const auto found = counts_.find(feature);
    const std::size_t before = (found == counts_.end() ? 0 : found->second) + 3 * again[feature]++;
    out += 1.0 / (1.0 + static_cast<double>(before));
  }
  return out;
}

std::map<std::string, std::size_t> Coverage::by_rule() const {
  std::map<std::string, std::size_t> out;
  for (const auto& [feature, count] : counts_) out[feature.substr(0, feature.find(' '))] += count;
  return out;
}

void Corpus::keep(const Episode& episode, const std::vector<std::string>& features) {
  for (const std::string& feature : features) {
    const auto [found, fresh] = episodes_.try_emplace(feature, episode);
    if (!fresh && episode.scenario.steps.size() < found->second.scenario.steps.size()) found->second = episode;
  }
}

const Episode& Corpus::pick(const Coverage& coverage, Chance& chance) const {
  std::vector<std::pair<std::size_t, const Episode*>> by_count;
  by_count.reserve(episodes_.size());
  for (const auto& [feature, episode] : episodes_) {
    const auto found = coverage.counts().find(feature);
    by_count.emplace_back(found == coverage.counts().end() ? 0 : found->second, &episode);
  }
  std::stable_sort(by_count.begin(), by_count.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  // The lowest of three draws prefers rare ones and leaves out none.
  std::size_t at = chance.below(by_count.size());
  for (int draws = 0; draws < 2; ++draws) at = std::min(at, chance.below(by_count.size()));
  return *by_count[at].second;
}

}  // namespace nodebound::explore
