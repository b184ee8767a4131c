#include "harness/replay/replay.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <tuple>
#include <utility>

#include "harness/replay/clients/kubelet_names.h"
#include "harness/replay/finding_table.h"
#include "harness/replay/log_files.h"
#include "harness/replay/outcome.h"
#include "harness/replay/replayed_cluster.h"
#include "harness/replay/time_order.h"

namespace nodebound::replay {
namespace {

/// In a log that is followed, requests that were answered later are waited for so long.
constexpr LoggedRequest::Micros kFollowedWithin = 5'000'000;

LoggedRequest::Micros micros_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

// What one side has and the other has not is told of the other.
Replay::Side side(const RuleSet& rules, const ServerSetting& setting, const ServerSetting& other) {
  Replay::Side out{rules.release().version.text(), rules.release().changed_gates(), rules.size(), {}};
  if (!setting.node_authorizer) out.without.emplace_back("the Node authorizer");
  if (!setting.node_restriction) out.without.emplace_back("NodeRestriction");
  if (!setting.node_role_bound) out.without.emplace_back("bindings of ClusterRole system:node");
  std::set_difference(other.added.names.begin(), other.added.names.end(), setting.added.names.begin(),
                      setting.added.names.end(), std::back_inserter(out.without));
  return out;
}

/// Counts the outcomes of requests in the order of time.
class Replayer {
 public:
  explicit Replayer(const ReplayQuestion& question)
      : question_(question),
        cluster_(*question.from, *question.to, question.cluster, question.to_setting.node_role_bound),
        judge_(*question.from, *question.to, {question.from_setting, question.to_setting},
               {question.whole_state, question.default_rbac || question.whole_state || cluster_.has_rbac()}),
        table_(*question.from, *question.to, question.to_setting, question.gates, question.pool_label),
        clients_(*question.to, question.pool_label) {}

  void take(const TimeOrder::Moment& moment) {
    cluster_.advance(moment.at);
    if (!moment.decide) return cluster_.apply(*moment.request, moment.at);
    if ((question_.since && moment.at < *question_.since) || (question_.until && moment.at >= *question_.until)) {
      ++out_.outside;
      return;
    }
    if (seen_ == 0 || moment.at < first_) first_ = moment.at;
    last_ = std::max(last_, moment.at);
    clients_.add(*moment.request, cluster_.to().now);
    ++seen_;
    // All shares see the same state and clients; each decides for its own subjects.
    const LoggedRequest* then = moment.request.get();
    std::optional<LoggedRequest> renamed;
    if (question_.own_names && is_kubelet_without_name(*question_.to, *then)) {
      renamed = names_.with_own_name(*then);
      then = renamed ? &*renamed : nullptr;
    }
    if (!question_.share.takes(moment.request->subject.name)) return;
    ++out_.requests;
    count(*moment.request, judge_.judge(cluster_, *moment.request, then, moment.late));
  }

  [[nodiscard]] std::vector<AgentOfNodes> agents() const { return clients_.agents(); }

  Replay result() {
    for (std::size_t i = 0; i < unknown_count; ++i) {
      const auto unknown = static_cast<Unknown>(i);
      if (unknowns_[i].count == 0) continue;
      out_.unknowns.push_back({std::string(id_of(unknown)), std::string(statement_of(unknown)), unknowns_[i].count,
                               unknowns_[i].where, unknowns_[i].order});
    }
    sort_unknowns(out_.unknowns);
    if (seen_ > 0) {
      out_.first = time_text(first_);
      out_.last = time_text(last_);
    }
    out_.findings = table_.findings();
    out_.findings_left_out = table_.left_out();
    out_.clients = clients_.findings();
    out_.from = side(*question_.from, question_.from_setting, question_.to_setting);
    out_.to = side(*question_.to, question_.to_setting, question_.from_setting);
    if (question_.own_names) out_.from.without.emplace_back("names of kubelets' own");
    out_.logs = question_.logs;
    out_.share = question_.share;
    return std::move(out_);
  }

 private:
  void count(const LoggedRequest& request, const Outcome& outcome) {
    if (outcome.compared) ++out_.compared;
    switch (outcome.kind) {
      case Outcome::Kind::unchanged_by_record:
        ++out_.unchanged_by_record;
        ++out_.unchanged;
        return;
      case Outcome::Kind::unchanged:
        ++out_.unchanged;
        return;
      case Outcome::Kind::unknown: {
        ++out_.unknown;
        auto& counted = unknowns_[static_cast<std::size_t>(*outcome.unknown)];
        if (counted.count++ == 0) std::tie(counted.where, counted.order) = std::pair(request.where, seen_);
        return;
      }
      case Outcome::Kind::newly_refused:
        ++out_.newly_refused;
        break;
      case Outcome::Kind::newly_allowed:
        ++out_.newly_allowed;
        break;
      case Outcome::Kind::disagrees:
        ++out_.disagreeing;
        break;
    }
    const Replay::Finding* begun = table_.add(request, outcome, seen_);
    const bool is_refusal = begun != nullptr && begun->outcome == Replay::Finding::Outcome::newly_refused;
    if (is_refusal && question_.newly_refused) question_.newly_refused(*begun);
  }

  struct CountedUnknown {
    std::size_t count = 0;
    std::string where;
    std::size_t order = 0;
  };

  const ReplayQuestion& question_;
  ReplayedCluster cluster_;
  OutcomeJudge judge_;
  FindingTable table_;
  ClientTable clients_;
  KubeletNames names_;
  std::array<CountedUnknown, unknown_count> unknowns_;
  std::size_t seen_ = 0;  ///< requests about nodes, of all shares
  LoggedRequest::Micros first_ = 0;
  LoggedRequest::Micros last_ = 0;
  Replay out_;
};

}  // namespace

Result<Replay> replay(const ReplayQuestion& question, std::vector<AgentOfNodes>* agents) {
  Replayer replayer(question);
  TimeOrder order([&](const TimeOrder::Moment& moment) { replayer.take(moment); });
  Following following{question.followed_until, [&] { order.hand_on(micros_now() - kFollowedWithin); }};
  const Result<std::unique_ptr<LogFiles>> opened =
      LogFiles::open(question.logs, question.followed_until ? &following : nullptr);
  if (!opened) return tl::unexpected<Error>(opened.error());
  LogFiles& files = **opened;
  LoggedRequest request;
  while (files.next(request)) order.add(std::move(request));
  order.finish();
  Replay out = replayer.result();
  if (agents != nullptr) *agents = replayer.agents();
  out.bytes = files.bytes();
  out.events = files.counts().events;
  out.not_final = files.counts().not_final;
  out.about_others = files.counts().about_others;
  out.administrators = files.counts().administrators;
  out.repeated = order.repeated();
  for (std::size_t i = 0; i < log_trouble_count; ++i) {
    const auto trouble = static_cast<LogTrouble>(i);
    const LogTroubles::Sort& sort = files.troubles().of(trouble);
    if (sort.count > 0) out.troubles.push_back({std::string(to_string(trouble)), sort.count, sort.places});
  }
  if (files.counts().without_query > 0) {
    out.notes.emplace_back(
        "Cloud Logging names neither groups nor selectors: users system:node:NAME are taken to be in group "
        "system:nodes.");
  }
  return out;
}

}  // namespace nodebound::replay
