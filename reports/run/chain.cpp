#include "reports/run/chain.h"

#include <algorithm>
#include <cstddef>

namespace nodebound {
namespace {

enum class Wrong { no, allows, refuses, denies };

/// What a judged decision does that it must not. A known defect of upstream's counts as what it is.
Wrong wrong_of(const CheckResult& check) {
  if (check.verdict == Verdict::pass) return Wrong::no;
  switch (*check.evidence.opinion) {
    case AccessOpinion::allow:
      return Wrong::allows;
    case AccessOpinion::deny:
      return Wrong::denies;
    case AccessOpinion::no_opinion:
    case AccessOpinion::error:
      break;
  }
  return Wrong::refuses;
}

bool counts_at(ChainPlace place, Wrong wrong) {
  switch (place) {
    case ChainPlace::alone:
      return wrong != Wrong::no;
    case ChainPlace::behind_node:
      return wrong == Wrong::allows;
    case ChainPlace::before_node:
      return wrong == Wrong::allows || wrong == Wrong::denies;
  }
  return true;
}

bool is_judged(const CheckResult& check) {
  const bool decided = check.evidence.opinion && *check.evidence.opinion != AccessOpinion::error;
  return decided && check.verdict != Verdict::skip && check.verdict != Verdict::inconclusive;
}

/// `alone`, `alone and behind Node`, `alone, behind Node and before Node`
std::string listed_places(const std::vector<const ChainFitness*>& places) {
  std::string out;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i > 0) out += i + 1 == places.size() ? " and " : ", ";
    out += to_string(places[i]->place);
  }
  return out;
}

}  // namespace

const char* to_string(ChainPlace place) {
  switch (place) {
    case ChainPlace::alone:
      return "alone";
    case ChainPlace::behind_node:
      return "behind Node";
    case ChainPlace::before_node:
      return "before Node";
  }
  return "alone";
}

const char* to_string(ChainFitness::Safety safety) {
  switch (safety) {
    case ChainFitness::Safety::safe:
      return "safe";
    case ChainFitness::Safety::unsafe:
      return "unsafe";
    case ChainFitness::Safety::unknown:
      return "unknown";
  }
  return "unknown";
}

std::vector<ChainFitness> chain_fitness(const std::vector<CheckResult>& checks) {
  using Safety = ChainFitness::Safety;
  std::vector<ChainFitness> out;
  const auto judged = std::ranges::count_if(checks, is_judged);
  const auto undecided = std::ranges::count(checks, Verdict::inconclusive, &CheckResult::verdict);
  for (const ChainPlace place : all_chain_places) {
    ChainFitness& fitness = out.emplace_back();
    fitness.place = place;
    fitness.undecided = static_cast<std::size_t>(undecided);
    for (const CheckResult& check : checks) {
      if (is_judged(check) && counts_at(place, wrong_of(check))) fitness.against.push_back(check.id);
    }
    fitness.safety = !fitness.against.empty()       ? Safety::unsafe
                     : judged == 0 || undecided > 0 ? Safety::unknown
                                                    : Safety::safe;
  }
  return out;
}

std::string in_words(const std::vector<ChainFitness>& all) {
  std::vector<const ChainFitness*> safe;
  std::vector<const ChainFitness*> unknown;
  std::string out;
  const auto add = [&out](const std::string& clause) { out += (out.empty() ? "" : "; ") + clause; };
  for (const ChainFitness& each : all) {
    if (each.safety == ChainFitness::Safety::safe) safe.push_back(&each);
    if (each.safety == ChainFitness::Safety::unknown) unknown.push_back(&each);
  }
  if (!safe.empty()) add("safe " + listed_places(safe));
  if (!unknown.empty()) add("unknown " + listed_places(unknown));
  for (const ChainFitness& each : all) {
    if (each.safety != ChainFitness::Safety::unsafe) continue;
    const std::size_t number = each.against.size();
    add(std::string(to_string(each.place)) + " it answers " + std::to_string(number) +
        (number == 1 ? " question" : " questions") + " wrongly");
  }
  return out;
}

}  // namespace nodebound
