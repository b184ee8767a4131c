#pragma once

#include "harness/explore/chance.h"
#include "reference/identity/subject.h"

namespace nodebound {

/// Somebody who asks: mostly a node; also what nearly is one, service accounts, users that the drawn roles are bound
/// to, controllers of a cluster, administrators, nobody.
Subject drawn_subject(Chance& chance);

/// Who may do everything.
Subject drawn_administrator();

/// The node that a subject's name says it is; empty if it says none.
std::string node_of(const Subject& subject);

}  // namespace nodebound
