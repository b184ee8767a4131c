// Files in TOML: scenarios and the files that belong to them. The first byte chooses the kind.
#include <cstdint>
#include <cstdlib>

#include "harness/fuzz/structure.h"
#include "harness/kubelet/kubelet_scenario.h"
#include "harness/mutants/faults/fault_file.h"
#include "harness/scenario/loader.h"
#include "harness/simulate/plan/plan.h"
#include "reference/test/project_paths.h"

using namespace nodebound;
using namespace nodebound::kubelet_conformance;
using namespace nodebound::mutants;
using namespace nodebound::simulate;

namespace {

/// The project's own words, which scenarios are written in.
struct Words {
  Fixtures fixtures = fixtures_of(project::file("scenarios")).value();
  Profiles profiles =
      parse_profiles(
          "[rbac]\nabout = \"a\"\n[certificates]\nabout = \"a\"\n[node-restriction]\nabout = \"a\"\n"
          "[node-authorizer]\nabout = \"a\"\n[mirror-pods]\nabout = \"a\"\n[escalations]\nabout = \"a\"\n",
          "profiles.toml")
          .value();
};

// An error must name its place.
void say(const Error& error) {
  if (error.text().empty()) std::abort();
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  return fuzz::mutated(data, size, most, seed, 1, fuzz::changed_toml);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Words words;
  static const Catalogue& catalogue = Catalogue::built_in();
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 6) {
    case 0: {
      const auto fixtures = Fixtures::parse(text, "fixtures.toml");
      if (!fixtures) say(fixtures.error());
      if (fixtures) static_cast<void>(fixtures->action("pod web on a with secret db via env"));
      break;
    }
    case 1: {
      const auto profiles = parse_profiles(text, "profiles.toml");
      if (!profiles) say(profiles.error());
      break;
    }
    case 2: {
      const auto read = read_scenarios(text, "x.toml", "x", words.fixtures, words.profiles, catalogue);
      for (const Error& mistake : read.mistakes) say(mistake);
      for (const Error& warning : read.warnings) say(warning);
      break;
    }
    case 3: {
      const auto scenario = parse_kubelet_scenario(text, "x.kubelet.toml", "x", catalogue);
      if (!scenario) say(scenario.error());
      break;
    }
    case 4: {
      const auto plan = read_plan(text, "x.plan.toml", catalogue);
      if (!plan) say(plan.error());
      break;
    }
    default: {
      const auto faults = parse_faults(text, "faults.toml", catalogue);
      if (!faults) say(faults.error());
    }
  }
  return 0;
}
