#pragma once

#include "harness/explore/chance.h"
#include "reference/identity/subject.h"

namespace nodebound::explore {

/// A caller: mostly a node; otherwise an identity that resembles a node's, a service account, a user that the drawn
/// roles are bound to, a controller, an administrator or nobody.
Subject drawn_subject(Chance& chance);

/// A subject that may do everything.
Subject drawn_administrator();

/// The node that the subject's name claims to be; empty if it claims none.
std::string node_of(const Subject& subject);

}  // namespace nodebound::explore
