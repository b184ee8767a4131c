#pragma once

#include <boost/test/unit_test.hpp>
#include <string>

#include "harness/simulate/simulation.h"

namespace nodebound::test {

inline simulate::Plan plan_of(const std::string& text) {
  Result<simulate::Plan> plan = simulate::read_plan(text, "plan.toml", Catalogue::built_in());
  if (!plan) BOOST_FAIL(plan.error().text());
  return *plan;
}

inline Simulation simulated(const simulate::Plan& plan) {
  Result<Simulation> out = simulate::simulate_on_reference(plan, Catalogue::built_in());
  if (!out) BOOST_FAIL(out.error().text());
  return *out;
}

inline Simulation simulated(const std::string& text) {
  return simulated(plan_of(text));
}

/// The beginning of a plan: a control plane and a pool `blue` of that release, followed by the given text.
inline std::string begin_at(const std::string& release, const std::string& pool = "nodes = 2\npods = 1\n") {
  return "title = \"t\"\n[control-plane]\nrelease = \"" + release + "\"\n[[pool]]\nname = \"blue\"\nkubelet = \"" +
         release + "\"\n" + pool;
}

}  // namespace nodebound::test
