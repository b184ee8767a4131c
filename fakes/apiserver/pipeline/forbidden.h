#pragma once

#include <string>
#include <string_view>

#include "fakes/wire/http.h"
#include "reference/authorizer/attributes.h"
#include "reference/authorizer/authorizer.h"
#include "reference/identity/subject.h"
#include "reference/release/rule_set.h"

namespace nodebound::apiserver {

/// The answer to a request that the authorizers do not allow.
HttpResponse forbidden(const RuleSet& rules, const Subject& subject, const Attributes& attributes,
                       const Decision& decision);

/// What the caller reads of it: who may not do what, and the authorizers' reason (apiserver's
/// responsewriters/errors.go).
std::string forbidden_message(const Subject& subject, const Attributes& attributes, const std::string& reason);

/// The answer to a request about which an authorizer failed, and that no other allowed.
HttpResponse undecided(std::string_view target, const std::string& error);

/// Whether the path ends after a verb, as `/api/v1/watch` does. A server cannot tell what that is about.
bool breaks_off(const Attributes& attributes);

/// The answer to such a request, whoever sends it.
HttpResponse broken_off(std::string_view target);

/// Names the rule that decided in the header `x-nodebound-rule`, unless an earlier one stands there or none is about
/// it.
void name_rule(const RuleSet& rules, const Decision& decision, HttpResponse& response);
void name_rule(const RuleSet& rules, Rule rule, HttpResponse& response);

}  // namespace nodebound::apiserver
