#include "harness/objects/input_file.h"

#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/test/command_line.h"

BOOST_AUTO_TEST_SUITE(input_file)

using command_line::Folder;
using nodebound::bytes_of_file;
using nodebound::read_input;

BOOST_AUTO_TEST_CASE(a_regular_file_is_read_up_to_its_limit) {
  const Folder folder;
  folder.write("ten", "0123456789");
  BOOST_TEST(bytes_of_file(folder.path / "ten", 10).value() == "0123456789");
  BOOST_TEST(bytes_of_file(folder.path / "ten", 9).error() == "it is larger than 9 bytes");
  const auto link = folder.path / "link";
  std::filesystem::create_symlink(folder.path / "ten", link);
  BOOST_TEST(bytes_of_file(link, 10).value() == "0123456789");
  BOOST_TEST(bytes_of_file("/dev/null", 10).value() == "");
  folder.write("empty", "");
  BOOST_TEST(bytes_of_file(folder.path / "empty", 10).value() == "");
}

BOOST_AUTO_TEST_CASE(what_has_no_end_or_no_beginning_is_not_read) {
  const Folder folder;
  const std::filesystem::path fifo = folder.path / "fifo";
  BOOST_REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  for (const std::filesystem::path& odd :
       {fifo, std::filesystem::path("/dev/zero"), std::filesystem::path("/dev/tty")}) {
    BOOST_TEST(!bytes_of_file(odd, 10).has_value(), odd);
  }
  BOOST_TEST(bytes_of_file(fifo, 10).error() == "it is no regular file");
  BOOST_TEST(bytes_of_file("/dev/zero", 10).error() == "it is no regular file");
  BOOST_TEST(bytes_of_file(folder.path, 10).error() == "it is a folder");
  BOOST_TEST(bytes_of_file(folder.path / "none", 10).error() == "No such file or directory");
}

BOOST_AUTO_TEST_CASE(the_error_says_what_to_do) {
  const auto error = read_input("/dev/zero").error();
  BOOST_TEST(error.where == "/dev/zero");
  BOOST_TEST(error.what == "cannot be read: it is no regular file");
  BOOST_TEST(error.hint == "expected a regular file of at most 128 MiB, or - for standard input");
}

BOOST_AUTO_TEST_SUITE_END()
