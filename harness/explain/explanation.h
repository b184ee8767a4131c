#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/explain/answer.h"
#include "reference/cluster/path.h"

namespace nodebound {

/// What ties the object of a request to the node that asks, or does not.
struct Tie {
  PathStep from;
  std::string node;
  std::vector<PathStep> path;    ///< empty if the object does not lead to the node
  std::vector<NearMiss> misses;  ///< if it does not
  bool given = false;            ///< the cluster has the object itself, on which nothing depends
};

/// Releases, one after another, with the same answer.
struct ReleaseSpan {
  Version first;
  Version last;                  ///< judged with this answer; those up to `until` are no different
  std::optional<Version> until;  ///< first release with another answer; none for the last
  bool asked = false;            ///< the release that was asked about is in it

  /// `1.7 – 1.10`, `1.11 – 1.31.11`
  [[nodiscard]] std::string text() const;
};

/// Those with an answer from the same rule.
struct ReleaseRange : ReleaseSpan {
  ReferenceAnswer answer;
  std::vector<std::pair<Version, std::string>> reasons;  ///< other texts of the refusal, and since when
};

/// Something that an answer depends on and that was not given.
struct Gap {
  std::string what;
  std::string command;  ///< that prints it: `kubectl get pods -n shop -o yaml`
};

struct Explanation {
  RuleSet rules;
  ReferenceAnswer answer;
  std::optional<Tie> tie;
  std::vector<ReleaseRange> releases;
  std::vector<Gap> gaps;
  std::vector<std::string> advice;  ///< of what is refused

  /// Whether the answer holds whatever else is in the cluster.
  [[nodiscard]] bool certain() const { return gaps.empty(); }
};

/// Answers the question at `release`, and at every turning point of the catalogue, with the gates of `set` wherever a
/// release takes them.
Result<Explanation> explain(const Catalogue& catalogue, const Release& release, const GateSettings& set,
                            const Question& question);

/// The same without advice, which is found by asking for other forms of the question.
Result<Explanation> explain_without_advice(const Catalogue& catalogue, const Release& release, const GateSettings& set,
                                           const Question& question);

/// Facts in words, which both forms of an explanation have.
std::string headline(const ReferenceAnswer& answer);
/// The same, or that it cannot be told: `cannot tell: with what was given, refused: no authorizer allows it`.
std::string headline(const Explanation& explanation);
std::string described(const PathStep& step);
/// `pod shop/web (edge-secret-env): the pod is bound to node b`
std::string described(const NearMiss& miss, const RuleSet& rules);

}  // namespace nodebound
