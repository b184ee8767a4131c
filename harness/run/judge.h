#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fakes/wire/http.h"
#include "harness/contents/contents.h"
#include "reference/release/rule_set.h"
#include "reference/result.h"
#include "reports/run/report.h"

namespace nodebound {

/// The target's answer, parsed: allowed, refused and by whom, or inconclusive.
struct Answer {
  enum class Kind { allowed, refused, unclear };

  Kind kind = Kind::unclear;
  std::optional<Layer> layer;  ///< who refused
  int status = 0;
  bool review = false;    ///< the answer to a review: its HTTP status is not the decision
  bool of_rules = false;  ///< a review of all rights of a subject: unknown authorizers may add reasons
  std::string message;
};

/// The answer that the rules of the release require.
struct Expectation {
  bool allow = false;
  Rule rule = Rule::node_rules_only;  ///< the one that decides
  Layer layer = Layer::authorizer;    ///< who must refuse
  int status = 403;
  std::string speaker;                ///< the prefix of an authorizer's reason, `node: `, in releases with it
  const RefusalText* text = nullptr;  ///< the required text of a refusal; null or empty if it is not compared
  std::vector<std::pair<std::string, std::string>> known;  ///< values of the text's placeholders

  /// `allow: secret-through-pod` or `deny by admission: node-taints`
  [[nodiscard]] std::string describe(const Catalogue& catalogue) const;
};

/// Parses an answer of a Kubernetes API server. Authorizers and admission refuse with different messages: only an
/// authorizer's names the user and the verb.
Answer read_answer(const HttpResponse& response);

/// Parses the answer to a SubjectAccessReview: the authorizers' decision about somebody else's request.
Answer read_review(const HttpResponse& response);

/// Parses the answer to a SelfSubjectRulesReview. An incomplete one counts as refused by the authorizers, whose reasons
/// are lines, as in the answer to a SubjectAccessReview.
Answer read_rules_review(const HttpResponse& response);

struct Judgement {
  Verdict verdict = Verdict::inconclusive;
  std::string observed;
  std::string why;
  std::optional<bool> reason_match;
  std::string decision;             ///< `allowed` or `refused`, whatever was expected; empty if the answer says neither
  std::string layer;                ///< who refused
  std::vector<std::string> leaked;  ///< objects that an allowed read showed although it did not ask for them
};

/// Fails a check whose answer has these mistakes, whatever decision was expected.
void judge_contents(ContentMistakes mistakes, Judgement& judgement);

/// Compares decision, layer and status strictly, and the refusal's text separately. A 404, 409, 429, 5xx or missing
/// answer is inconclusive, unless the rule itself refuses with that status and text.
Judgement judge(const Answer& answer, const Expectation& expectation);

}  // namespace nodebound
