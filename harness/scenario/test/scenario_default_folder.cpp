#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "harness/scenario/default_folder.h"
#include "harness/test/command_line.h"
#include "reference/test/project_paths.h"

BOOST_AUTO_TEST_SUITE(scenario_default_folder)

using namespace nodebound;
namespace fs = std::filesystem;

namespace {

struct Places : command_line::Folder {
  fs::path scenarios(const char* place) const {
    fs::create_directories(path / place);
    for (const char* file : {"fixtures.toml", "profiles.toml"}) write((fs::path(place) / file).string(), "");
    return path / place;
  }

  fs::path program(const char* place) const {
    fs::create_directories((path / place).parent_path());
    write(place, "");
    return path / place;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(an_installed_program_has_those_of_its_share) {
  const Places places;
  const fs::path program = places.program("usr/bin/nodebound");
  const fs::path installed = places.scenarios("usr/share/nodebound/scenarios");
  places.scenarios("scenarios");
  BOOST_TEST(scenarios_of(program) == installed);
}

BOOST_AUTO_TEST_CASE(a_built_program_has_those_of_its_tree) {
  const Places places;
  const fs::path program = places.program("tree/build/dev/harness/cli/nodebound");
  places.scenarios("scenarios");
  BOOST_TEST(scenarios_of(program) == places.path / "scenarios");
  places.scenarios("tree/scenarios");
  BOOST_TEST(scenarios_of(program) == places.path / "tree/scenarios");
}

BOOST_AUTO_TEST_CASE(a_folder_without_fixtures_has_no_scenarios) {
  const Places places;
  const fs::path program = places.program("tree/build/nodebound");
  const fs::path tree = places.scenarios("tree/scenarios");
  fs::create_directories(places.path / "tree/build/scenarios");
  BOOST_TEST(scenarios_of(program) == tree);
}

BOOST_AUTO_TEST_CASE(what_lies_in_a_folder_that_strangers_share_is_not_ours) {
  const Places places;
  const fs::path program = places.program("shared/mine/bin/nodebound");
  places.scenarios("shared/scenarios");
  BOOST_TEST(!scenarios_of(program).empty());
  fs::permissions(places.path / "shared", fs::perms::others_write | fs::perms::sticky_bit, fs::perm_options::add);
  BOOST_TEST(scenarios_of(program).empty());
}

BOOST_AUTO_TEST_CASE(a_program_that_has_moved_finds_what_has_moved_with_it) {
  const Places places;
  fs::create_directories(places.path / "bin");
  fs::create_directories(places.path / "share/nodebound");
  fs::copy_file(project::nodebound_program, places.path / "bin/nodebound");
  fs::copy(project::file("scenarios"), places.path / "share/nodebound/scenarios", fs::copy_options::recursive);
  const auto lint = [&] {
    return command_line::run_shell("cd / && XDG_CACHE_HOME=" + places.path.string() + "/cache " + places.path.string() +
                                   "/bin/nodebound lint 2>&1");
  };
  BOOST_TEST(lint().code == 0);
  places.write("share/nodebound/scenarios/conformance/broken.toml", "titel = ''");
  const command_line::Ended refused = lint();
  BOOST_TEST(refused.code == 2, refused.output);
  BOOST_TEST(command_line::says(refused, "share/nodebound/scenarios/conformance/broken.toml"), refused.output);
  fs::remove_all(places.path / "share");
  const command_line::Ended built_in = lint();
  BOOST_TEST(built_in.code == 0, built_in.output);
}

BOOST_AUTO_TEST_SUITE_END()
