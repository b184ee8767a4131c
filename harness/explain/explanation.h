#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/explain/answer.h"
#include "reference/cluster/path.h"

namespace nodebound::explain {

/// What ties the object of a request to the asking node, or why nothing does.
struct Tie {
  PathStep from;
  std::string node;
  std::vector<PathStep> path;    ///< empty if the object does not lead to the node
  std::vector<NearMiss> misses;  ///< if it does not
  bool given = false;            ///< the cluster has the object itself; decisions do not depend on it
};

/// Consecutive releases with the same answer.
struct ReleaseSpan {
  Version first;
  Version last;                  ///< the last one judged; releases up to `until` give the same answer
  std::optional<Version> until;  ///< first release with another answer; none for the last
  bool asked = false;            ///< the release of the question is among them

  /// `1.7 – 1.10`, `1.11 – 1.31.11`
  [[nodiscard]] std::string text() const;
};

/// Consecutive releases whose answer comes from the same rule.
struct AnswerSpan : ReleaseSpan {
  ReferenceAnswer answer;
  std::vector<std::pair<Version, std::string>> reasons;  ///< other wordings of the refusal, and since when
};

/// Something that the answer depends on and that was not given.
struct Gap {
  std::string what;
  std::string command;  ///< that prints it: `kubectl get pods -n shop -o yaml`
};

struct Explanation {
  RuleSet rules;
  ReferenceAnswer answer;
  std::optional<Tie> tie;
  std::vector<AnswerSpan> releases;
  std::vector<Gap> gaps;
  std::vector<std::string> advice;  ///< about a refusal

  /// Whether the answer holds whatever else the cluster contains.
  [[nodiscard]] bool certain() const { return gaps.empty(); }
};

/// Answers the question at `release` and at every turning point of the catalogue, with the gates of `set` in every
/// release that accepts them.
Result<Explanation> explain(const Catalogue& catalogue, const Release& release, const GateSettings& set,
                            const Question& question);

/// The same without advice, because advice asks other forms of the question.
Result<Explanation> explain_without_advice(const Catalogue& catalogue, const Release& release, const GateSettings& set,
                                           const Question& question);

/// Facts in words, which both forms of an explanation share.
std::string headline(const ReferenceAnswer& answer);
/// The same, or that the answer is uncertain: `cannot tell: with what was given, refused: no authorizer allows it`.
std::string headline(const Explanation& explanation);
std::string described(const PathStep& step);
/// `pod shop/web (edge-secret-env): the pod is bound to node b`
std::string described(const NearMiss& miss, const RuleSet& rules);

}  // namespace nodebound::explain
