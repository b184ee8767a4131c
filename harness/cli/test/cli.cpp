#include <boost/test/unit_test.hpp>

#include "harness/test/command_line.h"
#include "reference/test/project_paths.h"

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

BOOST_AUTO_TEST_CASE(without_a_command_it_says_how_to_begin) {
  const Ended ended = nodebound("");
  BOOST_TEST(ended.code == 2);
  for (const char* next : {"nodebound run --target kubeconfig", "nodebound simulate", "nodebound --help"}) {
    BOOST_TEST(says(ended, next), ended.output);
  }
}

BOOST_AUTO_TEST_CASE(bad_usage_ends_with_2_and_says_what_was_expected) {
  const std::pair<std::string, std::string> mistakes[] = {
      {"run --no-such-flag", "--no-such-flag"},
      {"run --target nonsense",
       "expected reference[:VERSION], binary:DIR, kubeconfig[:FILE][#CONTEXT], exec:COMMAND, "
       "authz-webhook:URL or admission-webhook:URL"},
      {"run --target binary:/nonexistent", "ci/real-apiserver"},
      {"run --target kubeconfig:/nonexistent", "/nonexistent"},
      {"run --release nonsense", "give it like 1.36 or 1.36.3"},
      {"run --feature-gates X", "give them as A=true,B=false"},
      {"run --feature-gates NoSuchGate=true", "no release has a feature gate NoSuchGate"},
      {"run --release 1.36.3 --feature-gates AuthorizeNodeWithSelectors=false", "is locked to true"},
      {"run --focus '('", "is not a regular expression"},
      {"run --shard 4/3", "give it as i/n"},
      {"run --shard x", "give it as i/n"},
      {"run --shard 1/-2", "give it as i/n"},
      {"run --shard 1/2x", "give it as i/n"},
      {"run --shard 1", "give it as i/n"},
      {"run --shard job/2", "in a pod of an Indexed Job as job/n"},
      {"run --seed -1", "expected a number from 0"},
      {"run --seed 99999999999999999999", "expected a number from 0"},
      {"compare 1.31 1.32 --random 99999999999999999999", "not in range 1 to 1000000000"},
      {"explore --requests x", "not in range 1 to 1000000000"},
      {"explore 1.31 1.32 --shrink -1", "expected a number from 0"},
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
  std::filesystem::copy_file(project::file("scenarios/fixtures.toml"), folder.path / "fixtures.toml");
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

BOOST_AUTO_TEST_CASE(what_strangers_give_is_bad_input_and_no_crash_or_hang) {
  const Folder folder;
  BOOST_REQUIRE(run_shell("mkfifo " + (folder.path / "fifo").string()).code == 0);
  std::string users = "apiVersion: v1\nkind: Config\ncurrent-context: a\nusers:\n";
  while (users.size() < (3U << 20U)) users += "- {name: u, user: {token: abc}}\n";
  folder.write("large", users);
  folder.write("dots.toml", "a" + std::string(40'000, '.') + "\n");
  std::string dotted = "a";
  for (int i = 0; i < 40'000; ++i) dotted += ".a";
  folder.write("dotted.toml", dotted + " = 1\n");
  const auto file = [&](const char* name) { return (folder.path / name).string(); };
  const std::string unclosed(20'000, '(');
  const std::pair<std::string, std::string> given[] = {
      {"run --focus '" + unclosed + "'", "is not a regular expression"},
      {"run --skip '" + unclosed + "'", "is not a regular expression"},
      {"mutants --list --focus '" + unclosed + "'", "is not a regular expression"},
      {"compare 1.31 1.32 --focus '(?=a)'", "is not a regular expression"},
      {"run --target kubeconfig:" + file("fifo"), "it is no regular file"},
      {"run --target kubeconfig:/dev/zero", "it is no regular file"},
      {"run --target kubeconfig:" + file("large"), "it is larger than 2 MiB"},
      {"simulate " + file("fifo"), "it is no regular file"},
      {"simulate /dev/zero", "it is no regular file"},
      {"simulate " + file("dotted.toml"), "expected values at most 100 deep"},
      {"simulate " + file("dots.toml"), "expected values at most 100 deep"},
      {"explain --as node:a get pods --cluster " + file("fifo"), "it is no regular file"},
      {"serve --secure-port 0 --token-auth-file /dev/zero", "it is no regular file"},
      {"serve --secure-port 0 --client-ca-file " + file("fifo"), "it is no regular file"},
      {"kubelet --config " + file("fifo"), "it is no regular file"},
      {"kubelet --client-ca-file /dev/zero", "it is no regular file"},
      {"report matrix " + file("fifo"), "it is no regular file"},
      {"run --identity ca --client-ca-cert /dev/zero --client-ca-key /dev/zero --target kubeconfig:" + file("none"),
       "No such file"},
  };
  for (const auto& [arguments, expected] : given) {
    const Ended run = nodebound(arguments);
    BOOST_TEST(run.code == 2, arguments.substr(0, 80) << " ended with " << run.code);
    BOOST_TEST(says(run, expected), arguments.substr(0, 80) << " said " << run.output.substr(0, 400));
  }
  // Some versions of RE2 take it, others find it too deep; std::regex crashes.
  const int deep = nodebound("mutants --list --focus '" + unclosed + std::string(20'000, ')') + "'").code;
  BOOST_TEST((deep == 0 || deep == 2), deep);
  // std::regex would take for ever.
  const Ended redos = nodebound("run --focus '((((([a-z/-]+)+)+)+)+)+!'");
  BOOST_TEST(redos.code == 4, redos.output);
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
  BOOST_TEST(says(run, "insecure-skip-tls-verify: whoever answers for https://127.0.0.1:1 gets the credentials"));
}

BOOST_AUTO_TEST_CASE(a_dry_run_lists_checks_and_asks_nothing) {
  const Ended run = nodebound("run --dry-run --focus node-taints --target binary:/nonexistent");
  BOOST_TEST(run.code == 0);
  BOOST_TEST(says(run, "conformance/node-taints[object]/add"));
}

BOOST_AUTO_TEST_SUITE_END()
