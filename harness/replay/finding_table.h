#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "harness/replay/outcome.h"
#include "reports/replay/replay.h"

namespace nodebound::replay {

/// The pool of the node that asks, by a label of its Node, or by those of clouds and installers; empty if it is not
/// known.
std::string pool_of(const LoggedRequest& request, const Cluster& cluster, const std::string& pool_label);

/// The first word of its user agent.
std::string agent_of(const LoggedRequest& request);

/// `list nodes`
std::string request_text(const Attributes& attributes);

/// `2026-12-01T09:00:00Z`
std::string time_text(LoggedRequest::Micros micros);

/// Groups what differs by rule, request, user agent, subject and node pool, in memory that does not grow with the log.
class FindingTable {
 public:
  FindingTable(const RuleSet& from, const RuleSet& to, const ServerSetting& to_setting, GateSettings gates,
               std::string pool_label)
      : from_(from), to_(to), to_setting_(to_setting), gates_(std::move(gates)), pool_label_(std::move(pool_label)) {}

  /// `order` is its number among all requests. Gives the finding if it is new.
  const Replay::Finding* add(const LoggedRequest& request, const Outcome& outcome, std::size_t order);

  /// The most frequent first.
  [[nodiscard]] std::vector<Replay::Finding> findings() const;
  [[nodiscard]] std::size_t left_out() const { return left_out_; }

 private:
  static constexpr std::size_t kMostGroups = 5000;

  using Key = std::tuple<Replay::Finding::Outcome, std::string, std::string, std::string, std::string, std::string>;
  struct Group {
    Replay::Finding finding;
    LoggedRequest::Micros first = 0;
    LoggedRequest::Micros last = 0;
    std::set<std::uint64_t> subjects;
  };
  struct Turning {
    std::string since;
    std::vector<std::string> put_off_by;
  };

  [[nodiscard]] Replay::Finding begun(const LoggedRequest& request, const Outcome& outcome,
                                      Replay::Finding::Outcome kind) const;
  const Turning& turning(const Outcome& outcome, const std::string& sort);
  [[nodiscard]] bool answers_anew(const Release& release, const Outcome& outcome) const;

  const RuleSet& from_;
  const RuleSet& to_;
  ServerSetting to_setting_;
  GateSettings gates_;
  std::string pool_label_;
  std::map<Key, Group> groups_;
  std::map<std::string, Turning> turnings_;  ///< by rule and request
  std::size_t left_out_ = 0;
};

}  // namespace nodebound::replay
