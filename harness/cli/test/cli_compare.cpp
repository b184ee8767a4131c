#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "harness/test/command_line.h"
#include "harness/test/sanitizers.h"
#include "reference/test/project_paths.h"
#include "reports/test/schema.h"

BOOST_AUTO_TEST_SUITE(cli_compare)

using namespace command_line;
using Json = nlohmann::json;

namespace {

Json printed(const std::string& arguments, int code = 0) {
  const Ended ended = output("compare " + arguments + " --format json");
  BOOST_TEST_REQUIRE(ended.code == code, arguments << " ended with " << ended.code);
  const Json document = Json::parse(ended.output);
  std::ifstream schema(project::file("reports/comparison/comparison.schema.json"));
  const std::vector<std::string> found = nodebound::test::violations(Json::parse(schema), document);
  BOOST_TEST(found.empty(), arguments << ": " << (found.empty() ? "" : found.front()));
  return document;
}

const Json* find(const Json& list, const std::string& id) {
  for (const Json& item : list) {
    if (item["id"] == id) return &item;
  }
  return nullptr;
}

std::string content(const std::filesystem::path& path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

Ended compare(const std::string& arguments) {
  return command_line::nodebound("compare " + arguments);
}

// Many scenarios; under sanitizers few, which run the same code.
const std::string many = nodebound::sanitized ? "node-selectors" : "node-";

}  // namespace

BOOST_AUTO_TEST_CASE(two_releases_differ_in_rules_and_in_requests_that_were_asked) {
  const Json document = printed("1.31 1.32 --focus 'node-selectors|claim-status$'");
  BOOST_TEST(find(document["rules"]["in"], "node-read-own") != nullptr);
  const Json* request = find(document["requests"]["now_refused"], "conformance/node-selectors[list]/another");
  BOOST_REQUIRE(request != nullptr);
  BOOST_TEST((*request)["rule"] == "node-read-own");
  BOOST_TEST((*request)["a"]["decision"] == "allowed");
  BOOST_TEST((*request)["b"]["decision"] == "refused");
  BOOST_TEST((*request)["b"]["layer"] == "authorizer");
  BOOST_TEST((*request)["b"]["status"] == 403);
  // Requests that 1.32 allows and 1.31 refuses.
  BOOST_TEST(find(document["requests"]["now_allowed"], "conformance/claim-status/allocated-resources[put]") != nullptr);
  BOOST_TEST(document["summary"]["same"] > 0);
}

BOOST_AUTO_TEST_CASE(the_other_way_round_gains_are_losses) {
  const Json there = printed("1.31 1.32 --focus node-selectors");
  const Json back = printed("1.32 1.31 --focus node-selectors");
  BOOST_TEST(there["summary"]["now_refused"] > 0);
  BOOST_TEST(there["summary"]["now_refused"] == back["summary"]["now_allowed"]);
  BOOST_TEST(there["rules"]["in"].size() == back["rules"]["out"].size());
}

BOOST_AUTO_TEST_CASE(a_release_is_like_itself) {
  const Ended same = compare("1.36 1.36 --focus " + many);
  BOOST_TEST(same.code == 0);
  BOOST_TEST(says(same, "THEY DECIDE ALIKE"));
}

BOOST_AUTO_TEST_CASE(targets_that_differ_end_with_1_and_releases_with_0) {
  BOOST_TEST(compare("reference:1.31 reference:1.32 --focus node-selectors").code == 1);
  BOOST_TEST(compare("reference:1.36.3 reference --focus node-selectors").code == 0);
  BOOST_TEST(compare("1.31 1.32 --focus node-selectors").code == 0);
}

BOOST_AUTO_TEST_CASE(what_is_asked_of_one_side_only_says_why) {
  const Json document = printed("1.36 1.37 --focus 'pod-certificate-requests|node-taints'");
  BOOST_REQUIRE(!document["requests"]["only_b"].empty());
  BOOST_TEST(document["requests"]["only_b"][0]["a"]["why"].get<std::string>().find("feature gate") !=
             std::string::npos);
  BOOST_TEST(document["requests"]["only_a"].empty());
}

BOOST_AUTO_TEST_CASE(gates_are_set_where_a_side_has_them) {
  const Json document = printed("1.31 1.36 --feature-gates PodCertificateRequest=true --focus service-accounts");
  BOOST_TEST(document["a"]["feature_gates"].empty());
  BOOST_TEST(document["a"]["notes"].size() == 1U);
  BOOST_TEST(document["b"]["feature_gates"][0] == "PodCertificateRequest=true");
  const Json own =
      printed("1.36 1.36 --feature-gates-b PodCertificateRequest=true --focus 'pod-certificate-requests|node-taints'");
  BOOST_TEST(own["requests"]["only_b"].size() > 0U);
  BOOST_TEST(find(own["rules"]["in"], "pcr-create") != nullptr);
}

BOOST_AUTO_TEST_CASE(the_files_do_not_depend_on_the_number_of_jobs) {
  const Folder folder;
  const std::string one = (folder.path / "one").string();
  const std::string four = (folder.path / "four").string();
  const Ended ended = compare("1.31 1.32 --focus " + many + " --out " + one);
  BOOST_TEST(ended.code == 0);
  BOOST_TEST(says(ended, one + "/compare.json"));
  BOOST_TEST(compare("1.31 1.32 --focus " + many + " --jobs 4 --out " + four).code == 0);
  BOOST_TEST(!content(one + "/compare.json").empty());
  BOOST_TEST(content(one + "/compare.json") == content(four + "/compare.json"));
  BOOST_TEST(content(one + "/compare.md").starts_with("# Kubernetes 1.31.0 → Kubernetes 1.32.0\n"));
}

BOOST_AUTO_TEST_CASE(a_release_beyond_the_catalogue_is_refused) {
  const Ended ended = compare("1.36 1.99 --focus node-taints");
  BOOST_TEST(ended.code == 2);
  BOOST_TEST(says(ended, "it knows the releases from 1.6.0 to before 1.38.0"), ended.output);
}

BOOST_AUTO_TEST_CASE(nothing_to_compare_is_no_success) {
  BOOST_TEST(compare("1.31 1.32 --focus nosuch").code == 4);
  BOOST_TEST(compare("1.31 1.32 --focus pod-certificate-requests").code == 4);
}

BOOST_AUTO_TEST_CASE(bad_usage_of_compare_ends_with_2_and_says_what_was_expected) {
  const std::pair<std::string, std::string> mistakes[] = {
      {"1.31", "B is required"},
      {"foo bar", "A: unknown target \"foo\"\n  expected a release like 1.31 or 1.32.5"},
      {"1.31 bar", "B: unknown target \"bar\""},
      {"reference: 1.31", "expected reference or reference:VERSION"},
      {"reference:x 1.31", "\"x\" is not a Kubernetes version"},
      {"1.31 binary:/nonexistent", "ci/real-apiserver"},
      {"1.31 1.32 --format xml", "--format"},
      {"1.31 1.32 --focus '('", "is not a regular expression"},
      {"1.31 1.36 --feature-gates Nope=true", "no release has a feature gate Nope"},
      {"1.31 1.36 --feature-gates-a PodCertificateRequest=true", "is possible from 1.34.0"},
      {"1.31 1.36 --feature-gates-b x", "--feature-gates-b"},
  };
  for (const auto& [arguments, expected] : mistakes) {
    const Ended ended = compare(arguments);
    BOOST_TEST(ended.code == 2, arguments << " ended with " << ended.code);
    BOOST_TEST(says(ended, expected), arguments << " said " << ended.output);
  }
}

BOOST_AUTO_TEST_CASE(the_reference_of_a_version_can_be_judged_as_another) {
  const Folder out;
  const std::string where = " --focus pod-selectors --out " + out.path.string();
  BOOST_TEST(command_line::nodebound("run --target reference:1.31" + where).code == 0);
  BOOST_TEST(command_line::nodebound("run --target reference:1.31 --release 1.36" + where).code == 1);
}

// Two runs of the whole suite: under sanitizers, minutes.
BOOST_AUTO_TEST_CASE(compare_in_brief_says_who_is_hit_in_ten_lines,
                     *boost::unit_test::enable_if<!nodebound::sanitized>()) {
  const Ended ended = command_line::output("compare 1.31 1.34 --brief");
  BOOST_TEST(ended.code == 0, ended.output);
  BOOST_TEST(std::count(ended.output.begin(), ended.output.end(), '\n') <= 10, ended.output);
  for (const char* expected : {"Kubernetes 1.31.0 → Kubernetes 1.34.0", "a node's credentials    ✗ refused  ",
                               "who asks a kubelet ", " requests"}) {
    BOOST_TEST(says(ended, expected), expected << " is not in " << ended.output);
  }
}

BOOST_AUTO_TEST_SUITE_END()
