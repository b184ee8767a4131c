#pragma once

#include <cstddef>
#include <string>

#include "reports/simulation.h"
#include "reports/simulation_timeline.h"

namespace nodebound {

/// The SVG of a timeline: refusals by rule, below them versions by pool, the steps as marks across both. Its classes
/// get their colours from `simulation.css`.
std::string timeline_picture(const Simulation& simulation, const Timeline& timeline);

/// The same in words.
std::string timeline_text(const Simulation& simulation, const Timeline& timeline);

/// The picture with what its colours stand for, and its numbers for those who cannot see it.
std::string timeline_figure(const Simulation& simulation, const Timeline& timeline);

/// A section for the begin and each step, with its findings.
std::string step_sections(const Simulation& simulation);

/// What a link within the page leads to: `step-3`.
std::string step_anchor(const Simulation::Step& step);

/// `pool blue`, `control plane`.
std::string lane_name(const Timeline::Lane& lane);

/// The class of a rule's or a version's colour.
std::string rule_colour(std::size_t rule);
std::string version_colour(std::size_t version);

}  // namespace nodebound
