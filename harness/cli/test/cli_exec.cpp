#include <boost/test/unit_test.hpp>
#include <sstream>
#include <string>
#include <string_view>

#include "harness/test/command_line.h"
#include "harness/test/sanitizers.h"
#include "reference/test/project_paths.h"

BOOST_AUTO_TEST_SUITE(cli_exec)

namespace {

using command_line::Ended;
using command_line::Folder;

std::string sample(const std::string& name) {
  return "python3 " + (std::filesystem::path(project::source_folder) / "ci/samples/exec" / name).string();
}

/// Where a line ends depends on the length of paths.
std::string unwrapped(const std::string& text) {
  std::string out;
  std::istringstream words(text);
  for (std::string word; words >> word;) out += (out.empty() ? "" : " ") + word;
  return out;
}

/// What the checks of `focus` come to for a program.
Ended ask(const std::string& program, const std::string& focus, const std::string& more = {}) {
  const Folder folder;
  Ended ended = command_line::nodebound("run --target 'exec:" + program + "' --focus '" + focus + "' --out " +
                                        folder.path.string() + " " + more);
  ended.output = unwrapped(ended.output);
  return ended;
}

constexpr const char* few = "^conformance/namespaces-and-names";
/// What the sample in Python implements whole.
constexpr const char* many = "^conformance/(namespaces-and-names|reading-secrets-and-configmaps|node-identity)";

}  // namespace

BOOST_AUTO_TEST_CASE(an_authorizer_of_a_page_passes) {
  for (const char* jobs : {"--jobs 1", "--jobs 4"}) {
    const Ended ended = ask(sample("faulty.py none"), many, jobs);
    BOOST_TEST(ended.code == 0, ended.output);
    BOOST_TEST(says(ended, "safe alone, behind Node and before Node"), ended.output);
  }
}

BOOST_AUTO_TEST_CASE(nobody_passes_who_decides_nothing) {
  for (const char* how : {"allow", "deny", "no-opinion", "slow"}) {
    const Ended ended = ask(sample("null.py ") + how, few);
    BOOST_TEST(ended.code == 1, how << ": " << ended.output);
    BOOST_TEST(says(ended, "secret-through-pod"), ended.output);
  }
  const Ended failing = ask(sample("null.py error"), few);
  BOOST_TEST(failing.code == 3, failing.output);
  BOOST_TEST(says(failing, "unknown alone, behind Node and before Node"), failing.output);
}

BOOST_AUTO_TEST_CASE(where_it_may_stand_depends_on_what_it_does_not_allow) {
  BOOST_TEST(says(ask(sample("null.py no-opinion"), few), "safe behind Node and before Node; alone it"));
  BOOST_TEST(says(ask(sample("null.py deny"), few), "safe behind Node; alone it"));
  BOOST_TEST(!says(ask(sample("null.py allow"), few), "safe "));
}

BOOST_AUTO_TEST_CASE(a_breach_of_the_protocol_proves_nothing) {
  struct Breach {
    const char* how;
    const char* says;
  };
  for (const auto& [how, text] : {Breach{"other-version", "expected 1, the only one"},
                                  {"dies-at-once", "cannot find my policy"},
                                  {"not-json", "is not JSON"},
                                  {"silent", "has not introduced itself within 5 s"},
                                  {"flood", "64 KiB"},
                                  {"stall", "has not answered within 5 s"},
                                  {"wrong-id", "which was not asked"},
                                  {"text-id", "\"id\""},
                                  {"long-line", "64 KiB"},
                                  {"unknown-word", "\"no opinion\""},
                                  {"twice", "twice"},
                                  {"last-word", "twice"},
                                  {"dies", "out of ideas"},
                                  {"unasked", "which was not asked"}}) {
    const bool waits = std::string_view(text).find("within") != std::string_view::npos;
    const Ended ended = ask(sample("null.py ") + how, few, waits ? "--request-timeout 5s" : "");
    // A program may fail a check before it breaks the protocol.
    BOOST_TEST((ended.code == 3 || ended.code == 1), how << ": " << ended.code << ended.output);
    BOOST_TEST(says(ended, text), how << ": " << ended.output);
    BOOST_TEST(!says(ended, "CONFORMS"), ended.output);
  }
}

BOOST_AUTO_TEST_CASE(answers_may_come_in_another_order) {
  const Ended ended = ask(sample("null.py backwards"), few, "--jobs 8");
  BOOST_TEST(ended.code == 1, ended.output);
  BOOST_TEST(says(ended, "secret-through-pod"), ended.output);
  BOOST_TEST(!says(ended, "not asked"), ended.output);
}

BOOST_AUTO_TEST_CASE(noise_on_standard_error_does_no_harm) {
  const Ended ended = ask(sample("null.py noise"), few);
  BOOST_TEST(ended.code == 1, ended.output);
  BOOST_TEST(!says(ended, "thinking"), ended.output);
}

BOOST_AUTO_TEST_CASE(each_fault_is_found) {
  struct Fault {
    const char* name;
    const char* rule;
  };
  for (const auto& [name, rule] : {Fault{"ignores-group", "node-identity-group: "},
                                   {"ignores-node", "secret-through-pod: "},
                                   {"ignores-namespace", "object-read-namespaced: "},
                                   {"ignores-deletion", "graph-forgets-deleted: "},
                                   {"ignores-verb", "object-read-verbs: "},
                                   {"lists-secrets", "object-read-named: "}}) {
    // What differs is the sample, which has no sanitizers.
    if (nodebound::sanitized && std::string_view(name) != "ignores-node") continue;
    const Ended ended = ask(sample("faulty.py ") + name, many);
    BOOST_TEST(ended.code == 1, name << ": " << ended.output);
    BOOST_TEST(says(ended, rule), name << ": " << ended.output);
  }
}

BOOST_AUTO_TEST_CASE(a_command_is_needed) {
  const Ended ended = command_line::nodebound("run --target exec:");
  BOOST_TEST(ended.code == 2, ended.output);
  BOOST_TEST(says(ended, "exec:COMMAND"), ended.output);
  const Ended missing = command_line::nodebound("run --target exec:/does/not/exist");
  BOOST_TEST(missing.code == 3, missing.output);
}

BOOST_AUTO_TEST_SUITE_END()
