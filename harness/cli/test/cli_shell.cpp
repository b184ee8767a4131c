#include <boost/test/unit_test.hpp>
#include <fstream>

#include "harness/test/command_line.h"
#include "reference/test/project_paths.h"

BOOST_AUTO_TEST_SUITE(cli_shell)

using namespace command_line;

BOOST_AUTO_TEST_CASE(a_mistyped_word_gets_the_one_that_was_meant) {
  const std::pair<std::string, std::string> mistakes[] = {
      {"rnu", "did you mean \"run\"?"},
      {"report verfy x", "did you mean \"verify\"?"},
      {"run --relase 1.31", "did you mean \"--release\"?"},
      {"run --fleet", "these have it: explain"},
      {"rules secret-trough-pod", "did you mean \"secret-through-pod\"?"},
      {"compare 1.31", "nodebound compare A B"},
      {"report", "There are: "},
  };
  for (const auto& [arguments, expected] : mistakes) {
    const Ended ended = nodebound(arguments);
    BOOST_TEST(ended.code == 2, arguments << " ended with " << ended.code);
    BOOST_TEST(says(ended, expected), arguments << " said " << ended.output);
    BOOST_TEST(says(ended, "--help") == !says(ended, "nodebound rules"), arguments << " said " << ended.output);
  }
}

BOOST_AUTO_TEST_CASE(a_selection_of_nothing_gets_the_names_that_were_meant) {
  const Ended profile = nodebound("run --profile nod-restriction");
  BOOST_TEST(profile.code == 4);
  BOOST_TEST(says(profile, "did you mean \"node-restriction\"?"), profile.output);
  const Ended focus = nodebound("run --focus node-selektors");
  BOOST_TEST(focus.code == 4);
  BOOST_TEST(says(focus, "did you mean \"node-selectors\"?"), focus.output);
}

BOOST_AUTO_TEST_CASE(settings_give_flags_and_the_command_line_wins) {
  const Folder folder;
  folder.write("own.toml", "[run]\nprofile = \"mirror-pods\"\nrelease = \"1.34\"\n");
  const std::string run = "--config " + (folder.path / "own.toml").string() + " run --out " + folder.path.string();
  const Ended from_file = nodebound(run);
  BOOST_TEST(from_file.code == 0);
  BOOST_TEST(says(from_file, "judged as 1.34.0"), from_file.output);
  BOOST_TEST(!says(from_file, "node-authorizer"), from_file.output);
  BOOST_TEST(says(nodebound(run + " --release 1.33"), "judged as 1.33.0"));
}

BOOST_AUTO_TEST_CASE(mistakes_in_settings_have_their_place) {
  const Folder folder;
  const std::pair<std::string, std::string> mistakes[] = {
      {"[run]\nrelaese = \"1.34\"\n", "own.toml:2:11: run has no flag --relaese; did you mean \"release\"?"},
      {"[rnu]\n", "there is no command \"rnu\"; did you mean \"run\"?"},
      {"release = \"1.34\"\n", "belong into the table of a command"},
      {"[serve]\nno-such-flag = 1\n", "serve has no flag --no-such-flag"},
      {"[run]\nverbose = \"yes\"\n", "expected true or false"},
      {"[run]\nrelease = 1.34\n", "expected a string, a whole number"},
      {"[run", "own.toml:1"},
  };
  for (const auto& [text, expected] : mistakes) {
    folder.write("own.toml", text);
    const Ended ended = nodebound("--config " + (folder.path / "own.toml").string() + " run");
    BOOST_TEST(ended.code == 2, text);
    BOOST_TEST(says(ended, expected), ended.output);
  }
}

BOOST_AUTO_TEST_CASE(bash_completes_commands_flags_and_values) {
  const Folder folder;
  const Ended script = nodebound("completion bash");
  BOOST_TEST(script.code == 0);
  folder.write("nodebound.bash", script.output);
  folder.write("complete.sh",
               "source nodebound.bash\n"
               "tried() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _nodebound; echo \"${COMPREPLY[*]}\"; }\n"
               "tried nodebound si; tried nodebound run --rel; tried nodebound replay --format ma; tried nodebound "
               "report ver\n");
  BOOST_TEST(run_shell("cd " + folder.path.string() + " && bash complete.sh > out.txt 2>&1").code == 0);
  std::ifstream out(folder.path / "out.txt");
  const std::string printed(std::istreambuf_iterator<char>(out), {});
  BOOST_TEST(printed == "simulate site\n--release\nmarkdown\nverify\n");
}

BOOST_AUTO_TEST_CASE(the_manual_and_every_completion_name_every_command) {
  for (const char* command : {"completion bash", "completion zsh", "completion fish", "man"}) {
    const Ended printed = nodebound(command);
    BOOST_TEST(printed.code == 0);
    for (const char* name : {"certify", "replay", "completion", "init"}) {
      BOOST_TEST(says(printed, name), command << " does not name " << name);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_init_writes_works_and_is_not_overwritten) {
  const Folder folder;
  const std::string scenarios = (folder.path / "mine").string();
  BOOST_TEST(nodebound("init scenario " + scenarios).code == 0);
  BOOST_TEST(nodebound("lint --scenarios " + scenarios).code == 0);
  const Ended run = nodebound("run --scenarios " + scenarios + " --out " + (folder.path / "out").string());
  BOOST_TEST(run.code == 0, run.output);
  BOOST_TEST(nodebound("init scenario " + scenarios).code == 2);

  const std::string plan = (folder.path / "my.plan.toml").string();
  BOOST_TEST(nodebound("init plan " + plan).code == 0);
  const Ended simulated = nodebound("simulate --no-remedies " + plan);
  BOOST_TEST(simulated.code == 1);
  BOOST_TEST(says(simulated, "node-read-not-all"), simulated.output);
  BOOST_TEST(nodebound("init plan " + plan).code == 2);
}

BOOST_AUTO_TEST_CASE(a_pod_of_an_indexed_job_takes_the_part_of_its_index) {
  const auto asked = [](const std::string& shard, const std::string& environment) {
    return run_shell(environment + project::nodebound_program + " run --dry-run --profile mirror-pods --shard " +
                     shard);
  };
  const Ended second = asked("2/3", "");
  BOOST_TEST(second.code == 0);
  BOOST_TEST(asked("job/3", "JOB_COMPLETION_INDEX=1 ").output == second.output);
  BOOST_TEST(asked("job/3", "JOB_COMPLETION_INDEX=0 ").output != second.output);
}

BOOST_AUTO_TEST_CASE(a_site_has_a_page_for_each_rule_and_spares_other_folders) {
  const Folder folder;
  const std::filesystem::path site = folder.path / "site";
  BOOST_TEST(nodebound("site " + site.string()).code == 0);
  for (const char* page : {"index.html", "rules/node-read-not-all.html", "releases/1.32.html", "guides/index.html"}) {
    BOOST_TEST(std::filesystem::exists(site / page), page);
  }
  std::ifstream rule(site / "rules/node-read-not-all.html");
  const std::string text(std::istreambuf_iterator<char>(rule), {});
  for (const char* part :
       {"only its own Node object", "siderolabs/talos#9980", "conformance/node-selectors", "KEP-4601"}) {
    BOOST_TEST((text.find(part) != std::string::npos), part);
  }
  BOOST_TEST(nodebound("site " + site.string()).code == 0);
  folder.write("mine.txt", "x");
  BOOST_TEST(nodebound("site " + folder.path.string()).code == 2);
}

BOOST_AUTO_TEST_SUITE_END()
