#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "harness/replay/decided.h"
#include "harness/replay/replayed_cluster.h"
#include "reports/replay/replay.h"

namespace nodebound::replay {

/// Why nothing can be said about a request.
enum class Unknown {
  no_answer,        ///< the log has no answer that came after authorization
  no_selectors,     ///< the log has no query
  late,             ///< it stands in the log long after later ones
  settling,         ///< an object changed just before, and the answer depends on whether the server knew
  graph_of_moment,  ///< the objects of that moment are not known
  rbac_of_moment,   ///< the grant of that moment is not known
  rbac_not_given,   ///< a grant might allow it
  no_body,
  no_object,
  unclear_body,
  which_node,       ///< a kubelet asked, and the log does not show of which node
  finer_rights,     ///< validation asks the authorizers for more there
  not_served,       ///< that API is not served where the log was written, so nothing there has read what was sent
  other_admission,  ///< another admission plugin, or validation, has refused it
};
inline constexpr std::size_t unknown_count = 14;

std::string_view id_of(Unknown unknown);
std::string_view statement_of(Unknown unknown);

/// What the log says became of a request.
enum class Recorded { allowed, authorized, refused_by_authorizer, refused_later, refused, unknown };

Recorded recorded(const LoggedRequest& request);

/// What is known about the objects besides what the cluster shows.
struct StateKnowledge {
  bool whole = false;
  bool rbac = false;
};

/// What comes of a request at the release one is going to.
struct Outcome {
  enum class Kind { unchanged, unchanged_by_record, newly_refused, newly_allowed, disagrees, unknown };

  Kind kind = Kind::unchanged;
  std::optional<Unknown> unknown;
  Decided from;
  Decided to;
  bool compared = false;                ///< the decision at the release of the log was compared with the record
  const Cluster* to_state = nullptr;    ///< the objects by which it was decided
  const LoggedRequest* then = nullptr;  ///< the request as it will be sent
};

/// How the servers of both sides are started.
struct BothSettings {
  ServerSetting from;
  ServerSetting to;
};

/// Decides requests at two releases.
class OutcomeJudge {
 public:
  OutcomeJudge(const RuleSet& from, const RuleSet& to, const BothSettings& settings, StateKnowledge knowledge);

  /// `then` is the request as it will be sent; null if that is not known. It must outlive the outcome.
  [[nodiscard]] Outcome judge(const ReplayedCluster& cluster, const LoggedRequest& request, const LoggedRequest* then,
                              bool late) const;

 private:
  [[nodiscard]] Outcome mismatch(const LoggedRequest& request, Recorded what, Outcome out) const;
  [[nodiscard]] bool same_plugins() const;
  [[nodiscard]] bool admission_alike(const LoggedRequest& request) const;
  [[nodiscard]] std::optional<Unknown> lack_of_admission(const Outcome& out, const LoggedRequest& request,
                                                         Recorded what) const;
  [[nodiscard]] bool refusal_stays(const LoggedRequest& request) const;

  const RuleSet& from_;
  const RuleSet& to_;
  BothSettings settings_;
  StateKnowledge knowledge_;
  bool graph_alike_ = true;
};

}  // namespace nodebound::replay
