#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fakes/apiserver/http.h"
#include "reference/release/rule_set.h"
#include "reference/result.h"
#include "reports/report.h"

namespace nodebound {

/// What the target answered, taken apart: allowed, refused and by whom, or nothing that tells.
struct Answer {
  enum class Kind { allowed, refused, unclear };

  Kind kind = Kind::unclear;
  std::optional<Layer> layer;  ///< who refused
  int status = 0;
  bool review = false;    ///< an answer about a request: its own status says nothing of the decision
  bool of_rules = false;  ///< a review of all that a subject may do: an authorizer the suite knows nothing of may speak
  std::string message;
};

/// What the rules of the release require of an answer.
struct Expectation {
  bool allow = false;
  Rule rule = Rule::node_rules_only;  ///< the one that decides
  Layer layer = Layer::authorizer;    ///< who must refuse
  int status = 403;
  std::string speaker;                ///< what an authorizer's reason begins with, `node: `, since reasons name it
  const RefusalText* text = nullptr;  ///< what a refusal must say; null or empty if that is not compared
  std::vector<std::pair<std::string, std::string>> known;  ///< values of the text's placeholders

  /// `allow: secret-through-pod` or `deny by admission: node-taints`
  [[nodiscard]] std::string describe(const Catalogue& catalogue) const;
};

/// Reads an answer of a Kubernetes API server. An authorizer's refusal is told from admission's by its message: only
/// the first names the user and the verb.
Answer read_answer(const HttpResponse& response);

/// Reads the answer to a SubjectAccessReview: the authorizers' decision about somebody else's request.
Answer read_review(const HttpResponse& response);

/// Reads the answer to a SelfSubjectRulesReview: one that says it is incomplete counts as refused by the authorizers.
/// What they say of it is in lines, as in the answer to a SubjectAccessReview.
Answer read_rules_review(const HttpResponse& response);

struct Judgement {
  Verdict verdict = Verdict::inconclusive;
  std::string observed;
  std::string why;
  std::optional<bool> reason_match;
  std::string decision;  ///< `allowed` or `refused`, whatever was expected; empty if the answer says neither
  std::string layer;     ///< who refused
};

/// Compares decision, layer and status strictly, and the refusal's text apart from them. A 404, 409, 429, 5xx or no
/// answer at all decides nothing, unless the rule itself refuses with that status and text.
Judgement judge(const Answer& answer, const Expectation& expectation);

}  // namespace nodebound
