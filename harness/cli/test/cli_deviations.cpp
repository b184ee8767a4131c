#include <boost/test/unit_test.hpp>
#include <fstream>
#include <iterator>
#include <string>

#include "harness/test/command_line.h"
#include "reference/test/project_paths.h"

BOOST_AUTO_TEST_SUITE(cli_deviations)

namespace {

using command_line::Ended;
using command_line::Folder;
using command_line::says;

std::string faulty(const std::string& fault) {
  return "'exec:python3 " + (std::filesystem::path(project::source_folder) / "ci/samples/exec/faulty.py").string() +
         " " + fault + "'";
}

Ended run_with(const Folder& folder, const std::string& fault, const std::string& more) {
  return command_line::nodebound("run --target " + faulty(fault) + " --focus '^conformance/namespaces-and-names'" +
                                 " --deviations " + (folder.path / "deviations.toml").string() + " --out " +
                                 (folder.path / "out").string() + " " + more);
}

std::string declaration(const Folder& folder) {
  std::ifstream in(folder.path / "deviations.toml");
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string with_all(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_vendor_declares_what_is_to_be_mended) {
  const Folder folder;
  const Ended first = run_with(folder, "ignores-namespace", "--fix");
  BOOST_TEST(first.code == 1, first.output);
  BOOST_TEST(says(first, "give each its reason and issue"), first.output);
  const Ended empty = run_with(folder, "ignores-namespace", "");
  BOOST_TEST(empty.code == 2, empty.output);
  BOOST_TEST(says(empty, "the deviation has no reason"), empty.output);
  folder.write("deviations.toml", with_all(with_all(declaration(folder), "reason = \"\"", "reason = \"Known\""),
                                           "issue = \"\"", "issue = \"https://example.com/1\""));
  const Ended declared = run_with(folder, "ignores-namespace", "");
  BOOST_TEST(declared.code == 0, declared.output);
  BOOST_TEST(says(declared, "CONFORMS EXCEPT FOR WHAT IS DECLARED"), declared.output);
  // Once mended, the file is wrong.
  const Ended stale = run_with(folder, "none", "");
  BOOST_TEST(stale.code == 1, stale.output);
  BOOST_TEST(says(stale, "remove it"), stale.output);
  const Ended repaired = run_with(folder, "none", "--fix");
  BOOST_TEST(repaired.code == 1, repaired.output);
  BOOST_TEST(!says(Ended{0, declaration(folder)}, "[[deviation]]"), declaration(folder));
  const Ended last = run_with(folder, "none", "");
  BOOST_TEST(last.code == 0, last.output);
  BOOST_TEST(says(last, "✓ CONFORMS"), last.output);
}

BOOST_AUTO_TEST_CASE(what_cannot_go_together_is_refused) {
  const Folder folder;
  BOOST_TEST(run_with(folder, "none", "").code == 2);
  folder.write("deviations.toml", "");
  BOOST_TEST(run_with(folder, "none", "--fail-fast").code == 2);
  BOOST_TEST(command_line::nodebound("run --fix").code == 2);
}

BOOST_AUTO_TEST_CASE(a_certificate_with_deviations_says_so) {
  const Folder folder;
  const auto path = [&](const char* name) { return (folder.path / name).string(); };
  BOOST_TEST(command_line::nodebound("certify --generate-key " + path("key")).code == 0);
  const std::string target = "--target " + faulty("ignores-namespace") + " --profile node-authorizer --deviations " +
                             path("deviations.toml") + " --out " + path("out") + " --jobs 2";
  // The sample imitates a part of the Node authorizer: the rest of what it does otherwise is declared, too.
  BOOST_TEST(command_line::nodebound("run " + target + " --fix").code == 1);
  folder.write("deviations.toml", with_all(with_all(declaration(folder), "reason = \"\"", "reason = \"Known\""),
                                           "issue = \"\"", "issue = \"https://example.com/1\""));
  const Ended certified = command_line::nodebound("certify " + target + " --key " + path("key") +
                                                  " --subject sample=sha256:" + std::string(64, 'a'));
  BOOST_TEST(certified.code == 0, certified.output);
  BOOST_TEST(says(certified, "WITH DECLARED DEVIATIONS, which is not conformant"), certified.output);
  const std::string verify = "report verify " + path("out/bundle") + " --key " + path("key.pub");
  const Ended verified = command_line::nodebound(verify);
  BOOST_TEST(verified.code == 1, verified.output);
  BOOST_TEST(says(verified, "is not conformant"), verified.output);
  BOOST_TEST(says(verified, "https://example.com/1"), verified.output);
  const Ended accepted = command_line::nodebound(verify + " --accept-deviations");
  BOOST_TEST(accepted.code == 0, accepted.output);
}

BOOST_AUTO_TEST_SUITE_END()
