#pragma once

#include "harness/explore/episode/episode.h"

namespace nodebound::explore {

/// The episode with a few changes: callers, verbs, names, bodies and their fields; steps removed, repeated, undone, or
/// copied from `other`.
Episode mutated(Episode episode, const Episode& other, Chance& chance);

/// Limits the episode to `most` steps and makes it invisible to others on the target: everything that it keeps has a
/// unique name, known beforehand, by which it is removed, and grants nothing to others.
void make_presentable(Episode& episode, std::size_t most);

}  // namespace nodebound::explore
