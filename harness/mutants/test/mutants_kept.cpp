#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>

#include "harness/mutants/kept_releases.h"
#include "harness/scenario/scenario_files.h"
#include "harness/test/command_line.h"
#include "reference/test/project_paths.h"
#include "reports/mutation/mutation_writers.h"

BOOST_AUTO_TEST_SUITE(mutants_kept)

using namespace nodebound;
using namespace nodebound::mutants;

namespace {

const Version release{1, 16, 0};
const std::string basis = "0123456789abcdef";

MutationReport some_report() {
  MutationReport out;
  out.releases = {release.text()};
  MutantResult mutant;
  mutant.id = "off:a";
  mutant.part = "nodes";
  mutant.meaning = "is wrong";
  mutant.release = release.text();
  mutant.outcome = MutantResult::Outcome::killed;
  mutant.killer = "conformance/a/one";
  out.mutants = {mutant};
  out.scenarios = {{"conformance/a", "off:a", ""}};
  return out;
}

std::string basis_of(const std::filesystem::path& scenarios, const std::string& flags) {
  const Result<std::string> found = basis_of_outcomes(scenarios, flags);
  BOOST_REQUIRE_MESSAGE(found.has_value(), (found ? "" : found.error().text()));
  return *found;
}

/// A folder of the one scenario that a run for node-taints needs.
std::filesystem::path one_scenario_in(const std::filesystem::path& folder) {
  const std::filesystem::path scenarios = project::file("scenarios");
  std::filesystem::create_directories(folder / "conformance");
  for (const char* file : {"fixtures.toml", "profiles.toml"}) {
    std::filesystem::copy_file(scenarios / file, folder / file);
  }
  const auto files = scenario_files(scenarios, ScenarioKind::api_server).value();
  const auto taints = std::find_if(files.begin(), files.end(),
                                   [](const ScenarioFile& file) { return file.id == "conformance/node-taints"; });
  BOOST_REQUIRE((taints != files.end()));
  std::filesystem::copy_file(taints->path, folder / "conformance/node-taints.toml");
  return folder;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_was_kept_is_found) {
  const command_line::Folder folder;
  const KeptReleases kept(folder.path, basis);
  BOOST_TEST(!kept.find(release).has_value());
  BOOST_TEST(kept.keep(release, some_report()).has_value());
  const auto found = KeptReleases(folder.path, basis).find(release);
  BOOST_REQUIRE(found.has_value());
  BOOST_TEST(to_json(*found) == to_json(some_report()));
  BOOST_TEST(!kept.find(Version{1, 17, 0}).has_value());
}

BOOST_AUTO_TEST_CASE(what_was_kept_on_another_basis_is_dropped_and_nothing_else) {
  const command_line::Folder folder;
  BOOST_TEST(KeptReleases(folder.path, "ffffffffffffffff").keep(release, some_report()).has_value());
  std::filesystem::create_directory(folder.path / "mine");
  folder.write("fedcba9876543210", "a file");
  const KeptReleases kept(folder.path, basis);
  BOOST_TEST(!kept.find(release).has_value());
  BOOST_TEST(!std::filesystem::exists(folder.path / "ffffffffffffffff"));
  BOOST_TEST(std::filesystem::exists(folder.path / "mine"));
  BOOST_TEST(std::filesystem::exists(folder.path / "fedcba9876543210"));
}

BOOST_AUTO_TEST_CASE(a_damaged_file_is_as_if_it_were_not_there) {
  const command_line::Folder folder;
  const KeptReleases kept(folder.path, basis);
  BOOST_TEST(kept.keep(release, some_report()).has_value());
  const std::filesystem::path file = folder.path / basis / (release.text() + ".json");
  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  BOOST_TEST(!kept.find(release).has_value());
  // The report of another release is not used for this one either.
  BOOST_TEST(kept.keep(Version{1, 17, 0}, some_report()).has_value());
  BOOST_TEST(!kept.find(Version{1, 17, 0}).has_value());
}

BOOST_AUTO_TEST_CASE(the_basis_changes_with_flags_and_scenarios) {
  const command_line::Folder folder;
  folder.write("a.toml", "a");
  const std::string first = basis_of(folder.path, "");
  BOOST_TEST(first == basis_of(folder.path, ""));
  BOOST_TEST(first.size() == 16U);
  BOOST_TEST(first != basis_of(folder.path, "boundaries"));
  folder.write("a.toml", "b");
  const std::string second = basis_of(folder.path, "");
  BOOST_TEST(second != first);
  folder.write("b.toml", "");
  BOOST_TEST(basis_of(folder.path, "") != second);
  BOOST_TEST(!basis_of_outcomes(folder.path / "none", "").has_value());
}

BOOST_AUTO_TEST_CASE(a_hunt_that_is_resumed_asks_only_for_what_is_missing) {
  const command_line::Folder folder;
  const std::string command = "mutants --focus '^off:node-taints$' --scenarios " +
                              one_scenario_in(folder.path / "scenarios").string() + " --out " + folder.path.string();
  const command_line::Ended plain = command_line::nodebound(command + " --release 1.32.0,1.36.3 --format json");
  BOOST_REQUIRE_MESSAGE(plain.code == 0, plain.output);
  const command_line::Ended one = command_line::nodebound(command + " --release 1.32.0 --resume");
  BOOST_REQUIRE_MESSAGE(one.code == 0, one.output);
  const command_line::Ended both = command_line::nodebound(command + " --release 1.32.0,1.36.3 --resume");
  BOOST_TEST(both.code == 0);
  BOOST_TEST(command_line::says(
                 both, "1.32.0: 1 killed, 0 survived, 0 equivalent; 1 of 2 releases, known from an earlier run"),
             both.output);
  BOOST_TEST(command_line::says(both, "1.36.3: 1 killed, 0 survived, 0 equivalent; 2 of 2 releases\n"), both.output);
  const std::string arguments = command + " --release 1.32.0,1.36.3 --format json";
  BOOST_TEST(command_line::output(arguments).output == command_line::output(arguments + " --resume").output);
}

BOOST_AUTO_TEST_CASE(to_resume_needs_a_folder) {
  BOOST_TEST(command_line::nodebound("mutants --resume").code == 2);
  BOOST_TEST(command_line::nodebound("mutants --resume --checks --out out").code == 2);
}

BOOST_AUTO_TEST_SUITE_END()
