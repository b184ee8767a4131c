#pragma once

#include "harness/explore/episode/episode.h"

namespace nodebound {

/// The episode with a few things changed: who asks, verbs, names, bodies and their fields; steps left out, repeated,
/// undone, or taken over from `other`.
Episode mutated(Episode episode, const Episode& other, Chance& chance);

/// No longer than `most` steps, and such that nobody else on the target notices it: all that it keeps has a name of its
/// own, known beforehand, by which it is removed, and grants nothing to others.
void make_presentable(Episode& episode, std::size_t most);

}  // namespace nodebound
