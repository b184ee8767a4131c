#include "reports/files.h"

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

BOOST_AUTO_TEST_SUITE(reports_files)

using namespace nodebound;
namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "nodebound-files-XXXXXX").string();
    BOOST_REQUIRE(::mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~Folder() { fs::remove_all(path); }
  [[nodiscard]] auto entries() const { return std::distance(fs::directory_iterator(path), fs::directory_iterator()); }
};

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(makes_folders_and_leaves_nothing_else, Folder) {
  const std::string content("a\0b\n", 4);
  BOOST_REQUIRE(write_file(path / "out" / "deep" / "report.json", content));
  BOOST_TEST(content_of(path / "out/deep/report.json") == content);
  BOOST_TEST(std::distance(fs::directory_iterator(path / "out/deep"), fs::directory_iterator()) == 1);
}

BOOST_FIXTURE_TEST_CASE(replaces_what_was_there, Folder) {
  BOOST_REQUIRE(write_file(path / "report.json", "a longer content than the next"));
  BOOST_REQUIRE(write_file(path / "report.json", "short"));
  BOOST_TEST(content_of(path / "report.json") == "short");
  BOOST_TEST(entries() == 1);
}

BOOST_FIXTURE_TEST_CASE(others_may_read_it, Folder) {
  const mode_t before = ::umask(022);
  BOOST_REQUIRE(write_file(path / "report.json", ""));
  ::umask(before);
  struct stat status {};
  BOOST_REQUIRE(::stat((path / "report.json").c_str(), &status) == 0);
  BOOST_TEST((status.st_mode & 0777U) == 0644U);
}

BOOST_FIXTURE_TEST_CASE(a_file_where_a_folder_is_needed, Folder) {
  BOOST_REQUIRE(write_file(path / "out", "x"));
  const auto result = write_file(path / "out" / "report.json", "x");
  BOOST_REQUIRE(!result);
  BOOST_TEST(result.error().text().starts_with((path / "out").string() + ": cannot make the folder: "));
  BOOST_TEST((result.error().kind == Error::Kind::input));
}

BOOST_FIXTURE_TEST_CASE(what_is_no_file_is_left_alone, Folder) {
  fs::create_directory(path / "folder");
  BOOST_TEST(!write_file(path / "folder", "x"));
  BOOST_TEST(!write_file(path / "folder" / "", "x"));
  BOOST_REQUIRE(::mkfifo((path / "pipe").c_str(), 0600) == 0);
  BOOST_TEST(!write_file(path / "pipe", "x"));
  BOOST_TEST(fs::is_fifo(path / "pipe"));
  BOOST_TEST(entries() == 2);
}

BOOST_FIXTURE_TEST_CASE(a_write_that_fails_changes_nothing, Folder) {
  BOOST_REQUIRE(write_file(path / "report.json", "before"));
  rlimit before{};
  BOOST_REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const rlimit ten_bytes{10, before.rlim_max};
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  BOOST_REQUIRE(::setrlimit(RLIMIT_FSIZE, &ten_bytes) == 0);
  const auto result = write_file(path / "report.json", std::string(100, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &before);
  (void)std::signal(SIGXFSZ, old_handler);
  BOOST_REQUIRE(!result);
  BOOST_TEST(result.error().text() == (path / "report.json").string() + ": cannot write: File too large");
  BOOST_TEST(content_of(path / "report.json") == "before");
  BOOST_TEST(entries() == 1);
}

BOOST_FIXTURE_TEST_CASE(a_reader_never_sees_half_of_it, Folder) {
  const fs::path file = path / "report.json";
  const std::string contents[] = {std::string(300'000, 'a'), std::string(300'000, 'b')};
  BOOST_REQUIRE(write_file(file, contents[0]));
  std::vector<std::jthread> writers;
  for (const std::string& content : contents) {
    writers.emplace_back([&file, &content] {
      for (int i = 0; i < 20; ++i) (void)write_file(file, content);
    });
  }
  for (int i = 0; i < 50; ++i) {
    const std::string seen = content_of(file);
    BOOST_REQUIRE((seen == contents[0] || seen == contents[1]));
  }
  writers.clear();
  BOOST_TEST(entries() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
