#pragma once

#include <optional>

#include "fakes/validation/object.h"
#include "fakes/wire/http.h"
#include "reference/release/rule_set.h"

namespace nodebound::apiserver {

struct Call;
struct ServerState;
struct WriteContext;

/// The kind of the object that a call writes.
validation::ValidatedKind validated(const Call& call);

/// The mistakes of a change through the call's resource or subresource, with those of rules in their place.
validation::FieldMistakes mistakes_of_change(const Call& call, const Object& after, const Object& before,
                                             const validation::FieldMistakes& of_rules);

/// The answer to an object with mistakes; nothing if it has none. It names the rule that decides, if one does.
std::optional<HttpResponse> not_valid(const ServerState& server, const Call& call, const Object& object,
                                      const validation::FieldMistakes& mistakes, std::optional<Rule> rule);

/// Notes for the answer what a valid object is warned of; `before` is null for a create.
void warn_of_object(const Call& call, const WriteContext& write, const Object& before, const Object& object);

}  // namespace nodebound::apiserver
