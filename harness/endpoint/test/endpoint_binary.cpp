#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "harness/endpoint/binary_endpoint.h"
#include "harness/endpoint/child_process.h"
#include "harness/endpoint/loopback.h"
#include "harness/endpoint/signals.h"

BOOST_AUTO_TEST_SUITE(endpoint_binary)

using namespace nodebound;
namespace fs = std::filesystem;

namespace {

/// A folder for programs, and one for temporary files of the tested code.
struct Folders {
  TemporaryDirectory root = std::move(*TemporaryDirectory::make());
  fs::path programs = root.path() / "bin";
  fs::path scratch = root.path() / "tmp";

  Folders() {
    fs::create_directories(programs);
    fs::create_directories(scratch);
    setenv("TMPDIR", scratch.c_str(), 1);
    for (const char* name : {"TEST_ASSET_ETCD", "TEST_ASSET_KUBE_APISERVER", "KUBEBUILDER_ASSETS"}) unsetenv(name);
  }
  ~Folders() { unsetenv("TMPDIR"); }

  void program(const char* name, const std::string& script) const {
    std::ofstream(programs / name) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(programs / name, fs::perms::owner_all);
  }
  [[nodiscard]] BinaryOptions options() const {
    BinaryOptions out;
    out.directory = programs;
    out.start_timeout = std::chrono::seconds(1);
    return out;
  }
};

std::string failure(const BinaryOptions& options, Error::Kind kind) {
  const auto endpoint = start_binary(options);
  BOOST_REQUIRE(!endpoint);
  BOOST_TEST((endpoint.error().kind == kind));
  return endpoint.error().text();
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(missing_programs_are_an_input_error_that_says_where_it_looked) {
  const Folders folders;
  const std::string text = failure(folders.options(), Error::Kind::input);
  BOOST_TEST(contains(text, (folders.programs / "kube-apiserver").string()));
  BOOST_TEST(contains(text, "ci/real-apiserver VERSION"));
  BOOST_TEST(contains(failure({}, Error::Kind::input), "no folder is given"));
  folders.program("kube-apiserver", "exit 0");
  setenv("TEST_ASSET_ETCD", "/nonexistent/etcd", 1);
  BOOST_TEST(contains(failure(folders.options(), Error::Kind::input), "/nonexistent/etcd"));
}

BOOST_AUTO_TEST_CASE(a_program_that_ends_while_it_starts_is_quoted_and_leaves_nothing) {
  const Folders folders;
  folders.program("kube-apiserver", "exit 0");
  folders.program("etcd", "echo first; echo broken store >&2; exit 7");
  const std::string text = failure(folders.options(), Error::Kind::unreachable);
  BOOST_TEST(contains(text, "ended with exit status 7"));
  BOOST_TEST(contains(text, "broken store"));
  BOOST_TEST(fs::is_empty(folders.scratch));
}

BOOST_AUTO_TEST_CASE(only_a_taken_port_is_tried_again) {
  const Folders folders;
  folders.program("kube-apiserver", "exit 0");
  const std::string count = (folders.root.path() / "count").string();
  folders.program("etcd", "echo x >> " + count + "; echo 'bind: address already in use'; exit 1");
  BOOST_TEST(contains(failure(folders.options(), Error::Kind::unreachable), "address already in use"));
  BOOST_TEST(fs::file_size(count) == 6U);
}

BOOST_AUTO_TEST_CASE(a_program_that_never_gets_ready_is_given_up) {
  const Folders folders;
  folders.program("kube-apiserver", "exit 0");
  folders.program("etcd", "echo waiting; exec sleep 60");
  BOOST_TEST(contains(failure(folders.options(), Error::Kind::unreachable), "was not ready in time"));
  BOOST_TEST(fs::is_empty(folders.scratch));
}

BOOST_AUTO_TEST_CASE(a_signal_ends_the_wait) {
  const Folders folders;
  folders.program("kube-apiserver", "exit 0");
  folders.program("etcd", "exec sleep 60");
  install_signal_handlers();
  raise(SIGTERM);
  BOOST_TEST(interrupted().load());
  BOOST_TEST(contains(failure(folders.options(), Error::Kind::unreachable), "interrupted"));
  interrupted() = false;
}

BOOST_AUTO_TEST_CASE(a_child_that_ignores_sigterm_is_killed) {
  const Folders folders;
  folders.program("stubborn", "trap '' TERM; echo up; while :; do sleep 0.05; done");
  const auto child = ChildProcess::start(folders.programs / "stubborn", {}, folders.scratch / "log");
  BOOST_REQUIRE(child);
  while ((*child)->last_lines(1) != "up") std::this_thread::sleep_for(std::chrono::milliseconds(5));
  BOOST_TEST(!(*child)->ending());
  (*child)->stop(std::chrono::milliseconds(100));
  BOOST_REQUIRE((*child)->ending());
  BOOST_TEST(*(*child)->ending() == "by signal 9");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_executed_is_an_error_of_the_start) {
  const Folders folders;
  const auto child = ChildProcess::start(folders.programs / "none", {}, folders.scratch / "log");
  BOOST_REQUIRE(!child);
  BOOST_TEST(contains(child.error().what, "No such file"));
}

BOOST_AUTO_TEST_CASE(a_temporary_directory_is_ours_alone_and_goes_away) {
  const Folders folders;
  fs::path path;
  {
    const auto made = TemporaryDirectory::make();
    BOOST_REQUIRE(made);
    path = made->path();
    BOOST_TEST((fs::status(path).permissions() == fs::perms::owner_all));
    const auto file = made->write("key", "secret");
    BOOST_REQUIRE(file);
    BOOST_TEST((fs::status(*file).permissions() == (fs::perms::owner_read | fs::perms::owner_write)));
    BOOST_TEST(!made->write("key", "again"));
  }
  BOOST_TEST(!fs::exists(path));
}

BOOST_AUTO_TEST_CASE(a_program_gets_no_more_of_our_environment_than_it_needs) {
  const Folders folders;
  folders.program("env", "exec env");
  setenv("SECRET_TOKEN", "s3cr3t", 1);
  setenv("HTTPS_PROXY", "http://user:s3cr3t@proxy", 1);
  setenv("GOMAXPROCS", "2", 1);
  setenv("NODEBOUND_FAULT", "none", 1);
  const auto child = ChildProcess::start(folders.programs / "env", {}, folders.scratch / "log").value();
  while (!child->ending()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  for (const char* name : {"SECRET_TOKEN", "HTTPS_PROXY", "GOMAXPROCS", "NODEBOUND_FAULT"}) unsetenv(name);
  const std::string seen = child->last_lines(100);
  BOOST_TEST(!contains(seen, "s3cr3t"), seen);
  for (const char* line : {"PATH=", "GOMAXPROCS=2", "NODEBOUND_FAULT=none"}) BOOST_TEST(contains(seen, line), seen);
  BOOST_TEST(contains(seen, "TMPDIR=" + folders.scratch.string()), seen);
}

BOOST_AUTO_TEST_CASE(the_folder_of_a_killed_process_is_removed_by_the_next) {
  const Folders folders;
  const pid_t killed = fork();
  if (killed == 0) {
    const auto made = TemporaryDirectory::make();
    (void)made->write("key", "secret");
    raise(SIGKILL);
  }
  int status = 0;
  BOOST_REQUIRE(waitpid(killed, &status, 0) == killed);
  BOOST_REQUIRE(WIFSIGNALED(status));
  const auto left = [&] {
    std::set<fs::path> out;
    for (const auto& entry : fs::directory_iterator(folders.scratch)) out.insert(entry.path());
    return out;
  };
  BOOST_TEST(left().size() == 1U);

  // Folders in use, folders that are no temporary ones of ours, and targets of links must stay.
  const auto mine = TemporaryDirectory::make();
  BOOST_TEST((left() == std::set<fs::path>{mine->path()}));
  fs::create_directories(folders.scratch / "nodebound-others");
  fs::create_directories(folders.scratch / "elsewhere");
  std::ofstream(folders.scratch / "elsewhere" / "owner") << "";
  fs::create_directory_symlink(folders.scratch / "elsewhere", folders.scratch / "nodebound-linked");
  const auto before = left();
  const auto another = TemporaryDirectory::make();
  auto expected = before;
  expected.insert(another->path());
  BOOST_TEST((left() == expected));
  BOOST_TEST(fs::exists(folders.scratch / "elsewhere" / "owner"));
}

BOOST_AUTO_TEST_SUITE_END()
