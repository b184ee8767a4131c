#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fakes/apiserver/http.h"
#include "harness/run/administrator.h"
#include "harness/run/judge.h"
#include "harness/run/names.h"
#include "harness/scenario/scenario.h"
#include "reference/release/rule_set.h"

namespace nodebound {

/// One way of asking what a check asks. Layers hide each other, so a request is sent as it is, and the authorizers and
/// admission are each asked alone as well.
struct Probe {
  enum class Kind {
    request,       ///< the request itself
    authorizer,    ///< a SubjectAccessReview about it
    admission,     ///< the request of the same node, widened so that every authorizer lets it pass
    rules_review,  ///< the request is a SelfSubjectRulesReview, and whether that is complete is asked
  };

  Kind kind = Kind::request;
  std::optional<Way> way;
  std::string id;  ///< of the check, with way and kind
  Expectation expectation;
  std::string not_asked = {};  ///< why it is not asked at this target, only at the one it is compared with
};

/// What the rules in force require of the check's request, whatever the way.
Expectation expectation_of(const Check& check, const RuleSet& rules);

/// All probes of a check. `id` is `scenario/step`.
std::vector<Probe> probes_of(const Check& check, const std::string& id, const RuleSet& rules);

/// The probes of a check at a target of `rules` whose answers are compared with those of a target of `others`: what
/// either asks is asked of both. A probe that only the others ask keeps their expectation, which here only says how
/// long an answer is waited for.
std::vector<Probe> probes_of_both(const Check& check, const std::string& id, const RuleSet& rules,
                                  const RuleSet& others);

/// The request of a probe, made for the target as it is now: a change starts from the object's present state.
Result<HttpRequest> build_request(const Check& check, const Probe& probe, const Names& names,
                                  Administrator& administrator);

/// A SubjectAccessReview about a request of the subject, with what the check says of its attributes.
Result<Object> access_review(const Subject& subject, const Check& check, const HttpRequest& request, const Names& names,
                             Administrator& administrator);

}  // namespace nodebound
