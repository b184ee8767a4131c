#include "harness/built_in/built_in_scenarios.h"

#include <boost/test/unit_test.hpp>
#include <fstream>
#include <iterator>

#include "harness/test/command_line.h"
#include "reference/test/project_paths.h"

BOOST_AUTO_TEST_SUITE(built_in)

using namespace nodebound;
using namespace nodebound::built_in;
namespace fs = std::filesystem;

namespace {

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

PackedFiles files_below(const fs::path& folder) {
  PackedFiles out;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) out.emplace(entry.path().lexically_relative(folder), content_of(entry.path()));
  }
  return out;
}

std::function<std::string(const char*)> with_cache(const fs::path& cache) {
  return [cache](const char* name) { return std::string_view(name) == "XDG_CACHE_HOME" ? cache.string() : ""; };
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_files_of_the_tree_are_packed) {
  const fs::path tree = fs::path(project::source_folder) / "scenarios";
  BOOST_TEST((built_in_scenarios() == files_below(tree)));
}

BOOST_AUTO_TEST_CASE(they_are_written_to_the_cache_and_mended_there) {
  const command_line::Folder cache;
  const auto folder = folder_of_built_in_scenarios(with_cache(cache.path));
  BOOST_REQUIRE(folder.has_value());
  BOOST_TEST(folder->string().starts_with(cache.path.string()));
  BOOST_TEST((files_below(*folder) == built_in_scenarios()));
  const fs::path fixtures = *folder / "fixtures.toml";
  std::ofstream(fixtures) << "changed";
  BOOST_TEST(*folder_of_built_in_scenarios(with_cache(cache.path)) == *folder);
  BOOST_TEST(content_of(fixtures) == built_in_scenarios().at("fixtures.toml"));
}

BOOST_AUTO_TEST_CASE(without_a_cache_a_temporary_folder_has_them) {
  const auto folder = folder_of_built_in_scenarios([](const char*) { return std::string(); });
  BOOST_REQUIRE(folder.has_value());
  BOOST_TEST(fs::exists(*folder / "fixtures.toml"));
  const auto again = folder_of_built_in_scenarios(with_cache("/dev/null"));
  BOOST_REQUIRE(again.has_value());
  BOOST_TEST(!again->string().starts_with("/dev/null"));
  BOOST_TEST(*again == *folder);
}

BOOST_AUTO_TEST_CASE(a_program_that_was_copied_alone_has_its_scenarios) {
  const command_line::Folder place;
  fs::create_directories(place.path / "cache");
  fs::copy_file(project::nodebound_program, place.path / "nodebound");
  const auto copied = [&](const std::string& arguments) {
    return command_line::run_shell("cd " + place.path.string() + " && HOME= XDG_CACHE_HOME=" +
                                   (place.path / "cache").string() + " ./nodebound " + arguments + " 2>&1");
  };
  BOOST_TEST(copied("--version").code == 0);
  const command_line::Ended run = copied("run --profile mirror-pods");
  BOOST_TEST(run.code == 0, run.output);
  BOOST_TEST(command_line::says(run, "CONFORMS"), run.output);
  const command_line::Ended written = copied("scenarios --write mine");
  BOOST_TEST(written.code == 0, written.output);
  BOOST_TEST((files_below(place.path / "mine") == built_in_scenarios()));
  const command_line::Ended again = copied("scenarios --write mine");
  BOOST_TEST(again.code == 2, again.output);
  BOOST_TEST(command_line::says(again, "not empty"), again.output);
}

BOOST_AUTO_TEST_SUITE_END()
