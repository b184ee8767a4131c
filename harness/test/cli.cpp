#include <boost/test/unit_test.hpp>

#include "harness/test/command_line.h"

BOOST_AUTO_TEST_SUITE(cli)

using namespace command_line;

BOOST_AUTO_TEST_CASE(a_run_against_the_reference_conforms_and_writes_its_reports) {
  const Folder out;
  const Ended run = nodebound("run --focus secret-through-pod --out " + out.path.string());
  BOOST_TEST(run.code == 0);
  BOOST_TEST(says(run, "CONFORMS"));
  BOOST_TEST(std::filesystem::exists(out.path / "report.json"));
  BOOST_TEST(std::filesystem::exists(out.path / "junit.xml"));
}

BOOST_AUTO_TEST_CASE(a_target_without_node_restriction_does_not_conform) {
  const Folder out;
  const Ended run =
      nodebound("run --focus node-taints --disable-admission-plugins NodeRestriction --out " + out.path.string());
  BOOST_TEST(run.code == 1);
  BOOST_TEST(says(run, "node-taints"));
}

BOOST_AUTO_TEST_CASE(nothing_selected_is_no_success) {
  const Ended run = nodebound("run --focus no-such-scenario");
  BOOST_TEST(run.code == 4);
  BOOST_TEST(says(run, "no scenario is selected"));
}

BOOST_AUTO_TEST_CASE(bad_usage_ends_with_2_and_says_what_was_expected) {
  const std::pair<std::string, std::string> mistakes[] = {
      {"run --no-such-flag", "--no-such-flag"},
      {"", "subcommand"},
      {"run --target nonsense", "expected reference[:VERSION], binary:DIR or kubeconfig[:FILE][#CONTEXT]"},
      {"run --target binary:/nonexistent", "ci/real-apiserver"},
      {"run --target kubeconfig:/nonexistent", "/nonexistent"},
      {"run --release nonsense", "give it like 1.36 or 1.36.3"},
      {"run --feature-gates X", "give them as A=true,B=false"},
      {"run --feature-gates NoSuchGate=true", "no release has a feature gate NoSuchGate"},
      {"run --release 1.36.3 --feature-gates AuthorizeNodeWithSelectors=false", "is locked to true"},
      {"run --focus '('", "is not a regular expression"},
      {"run --shard 4/3", "give it as i/n"},
      {"run --shard x", "give it as i/n"},
      {"run --jobs 0", "--jobs"},
      {"run --scenarios /nonexistent", "/nonexistent/fixtures.toml"},
  };
  for (const auto& [arguments, expected] : mistakes) {
    const Ended run = nodebound(arguments);
    BOOST_TEST(run.code == 2, arguments << " ended with " << run.code);
    BOOST_TEST(says(run, expected), arguments << " said " << run.output);
  }
}

BOOST_AUTO_TEST_CASE(a_mistake_in_a_scenario_is_shown_with_its_place) {
  const Folder folder;
  std::filesystem::copy_file(NODEBOUND_SOURCE_DIR "/scenarios/fixtures.toml", folder.path / "fixtures.toml");
  folder.write("profiles.toml", "[p]\nabout = \"a\"\n");
  folder.write("bad.toml",
               "title = \"t\"\nprofile = \"p\"\nsteps = [{ as = \"node a\", reqest = \"get nodes/a\", allow = "
               "\"node-write\" }]\n");
  for (const std::string command : {"run", "lint"}) {
    const Ended run = nodebound(command + " --scenarios " + folder.path.string());
    BOOST_TEST(run.code == 2);
    BOOST_TEST(says(run, "bad.toml:3:"), run.output);
  }
}

BOOST_AUTO_TEST_CASE(a_target_that_does_not_answer_ends_with_3) {
  const Folder folder;
  folder.write("config", R"(apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "https://127.0.0.1:1", insecure-skip-tls-verify: true}}]
users: [{name: u, user: {token: secret-token}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x
)");
  const Ended run = nodebound("run --target kubeconfig:" + (folder.path / "config").string());
  BOOST_TEST(run.code == 3, run.output);
  BOOST_TEST(!says(run, "secret-token"));
}

BOOST_AUTO_TEST_CASE(a_dry_run_lists_checks_and_asks_nothing) {
  const Ended run = nodebound("run --dry-run --focus node-taints --target binary:/nonexistent");
  BOOST_TEST(run.code == 0);
  BOOST_TEST(says(run, "conformance/node-taints[object]/add"));
}

BOOST_AUTO_TEST_CASE(clean_without_a_journal_has_nothing_to_do) {
  const Folder out;
  const Ended run = nodebound("clean --out " + out.path.string());
  BOOST_TEST(run.code == 0);
  BOOST_TEST(says(run, "Nothing to clean"));
}

BOOST_AUTO_TEST_SUITE_END()
