#pragma once

#include <cstddef>
#include <string>

#include "reports/simulation/simulation.h"
#include "reports/simulation/simulation_timeline.h"

namespace nodebound {

/// The SVG of a timeline: refusals by rule above versions by pool, with marks for the steps across both.
/// `simulation.css` gives its classes their colours.
std::string timeline_picture(const Simulation& simulation, const Timeline& timeline);

/// The same as text.
std::string timeline_text(const Simulation& simulation, const Timeline& timeline);

/// The picture with a legend, and its numbers for readers who cannot see it.
std::string timeline_figure(const Simulation& simulation, const Timeline& timeline);

/// A section for the beginning and for each step, with its findings.
std::string step_sections(const Simulation& simulation);

/// The target of a link within the page: `step-3`.
std::string step_anchor(const Simulation::Step& step);

/// `pool blue`, `control plane`.
std::string lane_name(const Timeline::Lane& lane);

/// The class of a rule's or a version's colour.
std::string rule_colour(std::size_t rule);
std::string version_colour(std::size_t version);

}  // namespace nodebound
