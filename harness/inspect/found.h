#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/findings/relevance.h"
#include "harness/inspect/inspected_object.h"
#include "harness/inspect/knowledge.h"

namespace nodebound::inspect {

/// What an inspection found.
struct Found {
  std::string_view inspection;
  const InspectedObject* object = nullptr;  ///< null for a file of flags; then `place` says where
  std::string field = {};                   ///< JSON pointer
  std::string what = {};
  std::optional<Finding::Place> place = {};
  std::string who = {};                      ///< empty: the object
  std::optional<Finding::Level> level = {};  ///< instead of the inspection's own
  std::vector<std::string> seen_at = {};     ///< besides the inspection's own
  std::vector<std::string> rules = {};       ///< instead of the inspection's own
  std::string advice = {};                   ///< instead of the inspection's own
  std::optional<Finding::Fix> fix = {};
};

/// Collects findings that matter in the upgrade.
class FoundList {
 public:
  FoundList(const InspectionKnowledge& knowledge, const Upgrade& upgrade) : knowledge_(knowledge), upgrade_(upgrade) {}

  void add(Found found);

  /// Whether it matters at the release one is going to, and did not before.
  [[nodiscard]] bool is_wanted(std::string_view inspection);

  /// Errors first; then by inspection, and in the order of what was read.
  [[nodiscard]] std::vector<Finding> findings() &&;
  [[nodiscard]] std::size_t not_new() const { return not_new_; }
  [[nodiscard]] std::size_t not_yet() const { return not_yet_; }
  [[nodiscard]] std::size_t left_out() const { return left_out_; }

 private:
  static constexpr std::size_t most_findings = 20'000;

  const Relevance& relevance_of(std::string_view inspection);

  const InspectionKnowledge& knowledge_;
  const Upgrade& upgrade_;
  std::map<std::string, Relevance, std::less<>> relevances_;
  std::vector<Finding> findings_;
  std::size_t not_new_ = 0;
  std::size_t not_yet_ = 0;
  std::size_t left_out_ = 0;
};

}  // namespace nodebound::inspect
