#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/check/answer.h"
#include "harness/check/reason.h"
#include "harness/contents/contents.h"
#include "reference/release/rule_set.h"

namespace nodebound {

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

/// What an answer means for a check.
struct Judgement {
  Reason reason;
  std::string observed;                           ///< the answer in words, for the report
  Answer::Kind decision = Answer::Kind::unclear;  ///< whatever was expected
  std::optional<Layer> layer = {};                ///< who refused
  std::optional<bool> reason_match = {};  ///< whether the refusal's text is the required one; empty if not compared
  std::vector<std::string> leaked = {};   ///< objects that an allowed read showed although it did not ask for them

  [[nodiscard]] Verdict verdict() const { return verdict_of(reason); }
};

/// Fails a check whose answer has these mistakes, whatever decision was expected.
void judge_contents(ContentMistakes mistakes, Judgement& judgement);

/// Compares decision, layer and status strictly, and the refusal's text separately. A 404, 409, 429, 5xx or missing
/// answer is inconclusive, unless the rule itself refuses with that status and text.
Judgement judge(const Answer& answer, const Expectation& expectation);

}  // namespace nodebound
