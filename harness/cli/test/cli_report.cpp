#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/test/command_line.h"
#include "reference/test/project_paths.h"

BOOST_AUTO_TEST_SUITE(cli_report)

using namespace command_line;

namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The reports of one run that conforms, and of one that does not.
struct TwoRuns {
  TwoRuns() {
    BOOST_TEST(nodebound("run --quiet --focus node-taints --out " + good()).code == 0);
    BOOST_TEST(nodebound("run --focus node-taints --disable-admission-plugins NodeRestriction --out " + bad()).code ==
               1);
  }

  [[nodiscard]] std::string good() const { return (folder.path / "good").string(); }
  [[nodiscard]] std::string bad() const { return (folder.path / "bad").string(); }

  Folder folder;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_run_writes_every_form, TwoRuns) {
  for (const std::string name :
       {"report.html", "report.json", "junit.xml", "report.md", "report.sarif", "metrics.txt"}) {
    BOOST_TEST(std::filesystem::file_size(std::filesystem::path(bad()) / name) > 0U, name);
  }
}

BOOST_FIXTURE_TEST_CASE(the_command_of_a_failure_s_page_repeats_it, TwoRuns) {
  std::size_t pages = 0;
  for (const auto& page : std::filesystem::directory_iterator(std::filesystem::path(bad()) / "failures")) {
    if (page.path().extension() != ".md" || ++pages > 1) continue;
    const std::string text = text_of(page.path());
    const std::size_t from = text.find("\nnodebound run ");
    BOOST_REQUIRE(from != std::string::npos);
    const std::string command = text.substr(from + 11, text.find('\n', from + 1) - from - 11);
    BOOST_TEST(command.find(" --disable-admission-plugins NodeRestriction") != std::string::npos, command);
    BOOST_TEST(nodebound(command + " --out " + (folder.path / "again").string()).code == 1);
  }
  BOOST_TEST(pages > 0U);
}

BOOST_FIXTURE_TEST_CASE(what_is_rendered_is_what_the_run_wrote, TwoRuns) {
  for (const auto& [form, name] : {std::pair("json", "report.json"),
                                   {"junit", "junit.xml"},
                                   {"markdown", "report.md"},
                                   {"sarif", "report.sarif"},
                                   {"metrics", "metrics.txt"},
                                   {"html", "report.html"}}) {
    const std::string file = (folder.path / name).string();
    const Ended ended = nodebound("report render " + bad() + " --format " + form + " --out " + file);
    BOOST_TEST(ended.code == 0, ended.output);
    BOOST_TEST((text_of(file) == text_of(std::filesystem::path(bad()) / name)), form);
  }
  BOOST_TEST(output("report render " + good() + " --format badge").output.starts_with("<svg "));
  BOOST_TEST(says(nodebound("report render " + (folder.path / "nothing").string()), "cannot read this report"));
}

BOOST_FIXTURE_TEST_CASE(two_runs_are_compared, TwoRuns) {
  const Ended worse = nodebound("report compare " + good() + " " + bad());
  BOOST_TEST(worse.code == 1);
  BOOST_TEST(says(worse, "newly failing"));
  const Ended better = output("report compare " + bad() + " " + good() + " --format json");
  BOOST_TEST(better.code == 0);
  const auto summary = nlohmann::json::parse(better.output)["summary"];
  BOOST_TEST(summary["newly_failing"] == 0);
  BOOST_TEST(summary["newly_passing"] > 0);
}

BOOST_AUTO_TEST_CASE(the_summary_of_a_job_is_added_to) {
  const Folder folder;
  const std::string summary = (folder.path / "summary.md").string();
  std::ofstream(summary) << "what was there\n";
  const std::string run = "run --quiet --focus node-taints --github --out " + folder.path.string();
  const std::string program = project::nodebound_program;
  BOOST_TEST(run_shell("GITHUB_STEP_SUMMARY=" + summary + " " + program + " " + run).code == 0);
  BOOST_TEST(text_of(summary).starts_with("what was there\n## "));
  const Ended failing = run_shell("GITHUB_STEP_SUMMARY=" + summary + " " + program + " " + run +
                                  " --disable-admission-plugins NodeRestriction");
  BOOST_TEST(failing.code == 1);
  BOOST_TEST(says(failing, "::error title=Nodebound%3A node-taints"));
  const Ended elsewhere = run_shell("env -u GITHUB_STEP_SUMMARY " + program + " " + run + " 2>&1");
  BOOST_TEST(says(elsewhere, "GITHUB_STEP_SUMMARY is not set"));
}

BOOST_AUTO_TEST_SUITE_END()
