#include "fakes/files/private_file.h"

#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

BOOST_AUTO_TEST_SUITE(private_file)

namespace fs = std::filesystem;
using nodebound::open_to_append;
using nodebound::PrivateFolder;

namespace {

struct World {
  World() {
    std::string pattern = (fs::temp_directory_path() / "nodebound-files-XXXXXX").string();
    root = mkdtemp(pattern.data());
    umask(0);
  }
  ~World() {
    umask(before);
    fs::remove_all(root);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  static std::string error_of(const fs::path& path) {
    const auto opened = PrivateFolder::open("--flag", path);
    return opened ? "" : opened.error().text();
  }
  static PrivateFolder opened(const fs::path& path) { return std::move(PrivateFolder::open("--flag", path).value()); }
  static mode_t mode_of(const fs::path& path) {
    struct stat about {};
    BOOST_REQUIRE(lstat(path.c_str(), &about) == 0);
    return about.st_mode & 07777;
  }
  static std::string content(const fs::path& path) {
    std::ostringstream out;
    out << std::ifstream(path).rdbuf();
    return out.str();
  }
  void put(const std::string& name, mode_t mode = 0600) const {
    std::ofstream(root / name) << "theirs";
    BOOST_REQUIRE(chmod((root / name).c_str(), mode) == 0);
  }

  fs::path root;
  mode_t before = umask(0);
};

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(private_files, World)

BOOST_AUTO_TEST_CASE(what_is_made_is_for_one_user_whatever_the_umask) {
  const PrivateFolder folder = opened(root / "a" / "b");
  BOOST_TEST(mode_of(root / "a" / "b") == 0700U);
  BOOST_REQUIRE(folder.write("key", "secret").has_value());
  BOOST_TEST(mode_of(root / "a" / "b" / "key") == 0600U);
  BOOST_TEST(folder.read("key").value().value() == "secret");
  BOOST_TEST(!folder.read("none").value().has_value());
  BOOST_REQUIRE(folder.keep_private("db", true).has_value());
  BOOST_TEST(mode_of(root / "a" / "b" / "db") == 0600U);
  BOOST_REQUIRE(folder.keep_private("no", false).has_value());
  BOOST_TEST(!fs::exists(root / "a" / "b" / "no"));
  BOOST_REQUIRE(open_to_append("--log", root / "log").has_value());
  BOOST_TEST(mode_of(root / "log") == 0600U);
}

BOOST_AUTO_TEST_CASE(a_folder_of_others_is_refused) {
  BOOST_REQUIRE(mkdir((root / "open").c_str(), 0777) == 0);
  BOOST_TEST(says(error_of(root / "open"), "others may write it"));
  BOOST_REQUIRE(chmod((root / "open").c_str(), 0770) == 0);
  BOOST_TEST(says(error_of(root / "open"), "others may write it"));
  BOOST_REQUIRE(chmod((root / "open").c_str(), 0755) == 0);
  BOOST_TEST(error_of(root / "open") == "");
  fs::create_directory_symlink(root / "open", root / "link");
  BOOST_TEST(says(error_of(root / "link"), "it is a link"));
  BOOST_TEST(says(error_of((root / "link").string() + "/"), "it is a link"));
  put("file");
  BOOST_TEST(says(error_of(root / "file"), "is no folder"));
  if (geteuid() != 0) return;
  BOOST_REQUIRE(chown((root / "open").c_str(), 12345, 12345) == 0);
  BOOST_TEST(says(error_of(root / "open"), "it belongs to another user (12345)"));
}

BOOST_AUTO_TEST_CASE(files_that_others_put_there_are_not_believed) {
  put("outside");
  fs::create_directory(root / "own");
  BOOST_REQUIRE(chmod((root / "own").c_str(), 0700) == 0);
  const PrivateFolder folder = opened(root / "own");
  fs::create_symlink(root / "outside", root / "own" / "link");
  fs::create_hard_link(root / "outside", root / "own" / "second");
  BOOST_REQUIRE(mkfifo((root / "own" / "fifo").c_str(), 0600) == 0);
  put("own/wide", 0666);
  const std::pair<std::string, std::string> files[] = {{"link", "it is a link"},
                                                       {"second", "it has another name"},
                                                       {"fifo", "it is no regular file"},
                                                       {"wide", "others may write it"}};
  for (const auto& [name, why] : files) {
    const auto read = folder.read(name);
    BOOST_REQUIRE(!read.has_value());
    BOOST_TEST(says(read.error().text(), why), read.error().text());
  }
  BOOST_TEST(says(folder.keep_private("link", true).error().text(), "it is a link"));
  BOOST_TEST(says(folder.keep_private("second", true).error().text(), "it has another name"));
  if (geteuid() != 0) return;
  put("own/theirs");
  BOOST_REQUIRE(chown((root / "own" / "theirs").c_str(), 12345, 12345) == 0);
  BOOST_TEST(says(folder.read("theirs").error().text(), "it belongs to another user"));
  BOOST_TEST(says(open_to_append("--log", root / "own" / "theirs").error().text(), "it belongs to another user"));
}

BOOST_AUTO_TEST_CASE(what_is_written_takes_the_place_of_a_link_and_does_not_go_through_it) {
  put("outside", 0644);
  const PrivateFolder folder = opened(root / "own");
  fs::create_symlink(root / "outside", root / "own" / "key");
  BOOST_REQUIRE(folder.write("key", "ours").has_value());
  BOOST_TEST(content(root / "outside") == "theirs");
  BOOST_TEST(content(root / "own" / "key") == "ours");
  BOOST_TEST(!fs::is_symlink(root / "own" / "key"));
  BOOST_TEST(mode_of(root / "own" / "key") == 0600U);
  BOOST_TEST(!folder.write("../outside", "ours").has_value());
  BOOST_TEST(content(root / "outside") == "theirs");
  fs::create_symlink(root / "outside", root / "log");
  BOOST_TEST(says(open_to_append("--log", root / "log").error().text(), "it is a link"));
}

BOOST_AUTO_TEST_CASE(a_folder_that_is_replaced_is_not_used) {
  const PrivateFolder folder = opened(root / "own");
  fs::rename(root / "own", root / "moved");
  fs::create_directory(root / "own");
  BOOST_REQUIRE(folder.write("key", "ours").has_value());
  BOOST_TEST(fs::exists(root / "moved" / "key"));
  BOOST_TEST(!fs::exists(root / "own" / "key"));
}

BOOST_AUTO_TEST_CASE(what_was_wider_becomes_private) {
  const PrivateFolder folder = opened(root / "own");
  put("own/db", 0644);
  put("log", 0664);
  BOOST_REQUIRE(folder.keep_private("db", true).has_value());
  BOOST_TEST(mode_of(root / "own" / "db") == 0600U);
  BOOST_TEST(content(root / "own" / "db") == "theirs");
  BOOST_REQUIRE(nodebound::write_all(open_to_append("--log", root / "log").value().get(), " and ours"));
  BOOST_TEST(mode_of(root / "log") == 0600U);
  BOOST_TEST(content(root / "log") == "theirs and ours");
  BOOST_TEST(open_to_append("--log", "/dev/null").has_value());
  BOOST_TEST(mode_of("/dev/null") == 0666U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
