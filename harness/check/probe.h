#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fakes/wire/http.h"
#include "harness/check/administrator.h"
#include "harness/check/judge.h"
#include "harness/check/names.h"
#include "harness/scenario/scenario.h"
#include "reference/release/rule_set.h"

namespace nodebound {

/// One way to ask a check's question. One layer can hide another, so the whole request is sent, and the authorizers and
/// admission are each asked alone too.
struct Probe {
  enum class Kind {
    request,       ///< the request itself
    authorizer,    ///< a SubjectAccessReview about it
    admission,     ///< the request as the same node, widened so that every authorizer allows it
    rules_review,  ///< the request is a SelfSubjectRulesReview; asks whether it is complete, or lists a rule
  };

  Kind kind = Kind::request;
  std::optional<Way> way;
  std::string id;  ///< of the check, plus way and kind
  Expectation expectation;
  std::string not_asked = {};  ///< why it is not asked here, but only of the target that this one is compared with
};

/// What the rules in force require of the check's request, in any way.
Expectation expectation_of(const Check& check, const RuleSet& rules);

/// All probes of a check. `id` is `scenario/step`.
std::vector<Probe> probes_of(const Check& check, const std::string& id, const RuleSet& rules);

/// The probes of a check at a target with `rules` whose answers are compared with those of a target with `others`. A
/// question that one of them gets is put to both. A probe that only the others need keeps their expectation, which here
/// only determines how long to wait for an answer.
std::vector<Probe> probes_of_both(const Check& check, const std::string& id, const RuleSet& rules,
                                  const RuleSet& others);

/// The request of a probe for the target in its present state: a change starts from the present object.
Result<HttpRequest> build_request(const Check& check, const Probe& probe, const Names& names,
                                  Administrator& administrator);

/// A SubjectAccessReview of the subject's request, with the attributes that the check adds.
Result<Object> access_review(const Subject& subject, const Check& check, const HttpRequest& request, const Names& names,
                             Administrator& administrator);

}  // namespace nodebound
