#include <boost/test/unit_test.hpp>

#include "harness/test/command_line.h"
#include "harness/test/sanitizers.h"
#include "reference/test/project_paths.h"

BOOST_AUTO_TEST_SUITE(cli_explore)

using command_line::Ended;
using command_line::Folder;
using command_line::nodebound;
using command_line::says;

BOOST_AUTO_TEST_CASE(the_reference_agrees_with_itself) {
  const Folder folder;
  const Ended ended = nodebound("explore --requests " + std::string(nodebound::sanitized ? "100" : "500") + " --out " +
                                folder.path.string());
  BOOST_TEST(ended.code == 0);
  BOOST_TEST(says(ended, "NO DIFFERENCE in decision, layer or status"));
  BOOST_TEST(std::filesystem::exists(folder.path / "explore.json"));
}

BOOST_AUTO_TEST_CASE(two_releases_differ_and_the_differences_become_scenarios) {
  const Folder folder;
  const std::string path = folder.path.string();
  const Ended ended = nodebound("explore 1.31 1.32 --requests 500 --shrink 4 --out " + path + " --write-scenarios " +
                                path + "/scenarios");
  BOOST_TEST(ended.code == 1);
  BOOST_TEST(says(ended, "is in force on one side only"));
  BOOST_REQUIRE(std::filesystem::exists(folder.path / "scenarios" / "found"));
  BOOST_TEST(nodebound("lint --scenarios " + path + "/scenarios").code == 0);
  const std::string run =
      "run --scenarios " + path + "/scenarios --out " + path + " --release 1.31 --target reference:";
  BOOST_TEST(nodebound(run + "1.31").code == 0);
  BOOST_TEST(nodebound(run + "1.32").code == 1);
}

BOOST_AUTO_TEST_CASE(an_authorizer_alone_is_asked_by_reviews) {
  const Folder folder;
  const auto explore = [&](const std::string& word, const std::string& shrink) {
    const std::filesystem::path file = std::filesystem::path(project::source_folder) / "ci/samples/exec/null.py";
    return nodebound("explore --target 'exec:python3 " + file.string() + " " + word +
                     "' --episode 3 --requests 1 --shrink " + shrink + " --out " + folder.path.string());
  };
  for (const char* word : {"allow", "deny", "no-opinion", "error"}) {
    const Ended ended = explore(word, "0");
    BOOST_TEST(ended.code == 1, word << ": " << ended.output);
    BOOST_TEST(says(ended, "[review]"), word << ": " << ended.output);
  }
  BOOST_TEST(explore("dies", "0").code == 3);
  BOOST_TEST(says(explore("deny", "1"), "as if"));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_explored_is_said) {
  BOOST_TEST(nodebound("explore 1.31").code == 2);
  BOOST_TEST(nodebound("explore 1.31 1.99").code == 2);
  BOOST_TEST(nodebound("explore --requests 0").code == 2);
  BOOST_TEST(nodebound("explore --scenarios /nonexistent").code == 2);
  BOOST_TEST(nodebound("explore --target binary:/nonexistent").code == 2);
}

BOOST_AUTO_TEST_SUITE_END()
