#include <boost/test/unit_test.hpp>

#include "harness/certify/claim.h"
#include "harness/certify/gzip.h"
#include "harness/certify/kubelet/kubelet_tape.h"
#include "harness/certify/verification.h"
#include "harness/endpoint/loopback.h"
#include "harness/kubelet/kubelet_run.h"
#include "harness/kubelet/target/embedded_kubelet.h"
#include "harness/run/description.h"
#include "harness/test/project.h"
#include "reports/run/json.h"

BOOST_AUTO_TEST_SUITE(certify_kubelets)

using namespace nodebound;
using namespace nodebound::certify;
using namespace nodebound::kubelet_conformance;

namespace {

std::filesystem::path scenarios_folder() {
  return project::file("scenarios");
}

ClaimedSet claimed(const std::string& profile) {
  auto set = claimed_set(scenarios_folder(), {profile, 0, Level::extended}, catalogue());
  if (!set) BOOST_FAIL(set.error().text());
  return std::move(*set);
}

RuleSet rules_at(const char* version) {
  return {catalogue(), *Release::make(catalogue(), *Version::parse(version), {})};
}

struct Recorded {
  Report report;
  std::string record;
};

/// A run of the fake kubelet, recorded.
Recorded recorded(const ClaimedSet& set, const char* version, const KubeletFault& fault = {}) {
  const auto folder = TemporaryDirectory::make();
  BOOST_REQUIRE(folder);
  const auto cluster = SuiteCluster::open(folder->path(), "", kubelet_node);
  BOOST_REQUIRE(cluster);
  EmbeddedKubelets kubelets(folder->path(), **cluster, fault);
  const RuleSet rules = rules_at(version);
  std::vector<KubeletScenario> scenarios = set.of_kubelets;
  narrow_to(scenarios, rules.release().version, {});
  std::vector<std::string> ids;
  for (const KubeletScenario& scenario : scenarios) ids.push_back(scenario.id);
  RecordWriter writer(ids);
  Recorded out;
  {
    const RecordedKubelets asked = record_kubelets(kubelets, **cluster, writer);
    out.report =
        run_kubelet_scenarios(scenarios, *asked.kubelets, *asked.cluster, catalogue(), rules.release().version, {});
  }
  describe_kubelet(out.report, kubelets.name(), rules);
  out.record = writer.finish();
  return out;
}

std::string lines_of(const std::string& record) {
  std::string out;
  GzipLines lines(record, "record");
  for (auto line = lines.next(); line && *line; line = lines.next()) out += **line + "\n";
  return out;
}

/// Why the record is refused once `from` became `to` at its first place; empty if it is not.
std::string refusal_of(const Recorded& run, const ClaimedSet& set, const std::string& from, const std::string& to) {
  std::string lines = lines_of(run.record);
  const std::size_t at = lines.find(from);
  BOOST_REQUIRE_MESSAGE(at != std::string::npos, from);
  lines.replace(at, from.size(), to);
  const auto again = recompute(run.report, gzip(lines), "record", set, catalogue());
  return again ? "" : again.error().text();
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_checks_of_every_kubelet_profile_are_the_frozen_ones) {
  const Result<Profiles> profiles = kubelet_profiles_of(scenarios_folder());
  BOOST_REQUIRE(profiles);
  std::set<std::string> known;
  for (const auto& [name, profile] : *profiles) {
    BOOST_TEST(!claimed(name).of_kubelets.empty(), name);
    BOOST_TEST(claimed(name).scenarios.empty());
    known.insert(name);
  }
  const auto all = load_kubelet_scenarios(scenarios_folder(), catalogue());
  BOOST_REQUIRE(all);
  for (const KubeletScenario& scenario : *all) BOOST_TEST(known.contains(scenario.profile), scenario.id);
}

BOOST_AUTO_TEST_CASE(a_record_of_a_kubelet_gives_the_same_report_again) {
  for (const char* profile : {"kubelet-authorization", "kubelet-authentication", "kubelet-caching", "kubelet-hardening",
                              "kubelet-fine-grained"}) {
    const ClaimedSet set = claimed(profile);
    for (const char* version : {"1.36.3", "1.26.0"}) {
      const Recorded run = recorded(set, version);
      if (run.report.checks.empty()) continue;
      const auto again = recompute(run.report, run.record, "record", set, catalogue());
      BOOST_REQUIRE_MESSAGE(again.has_value(), (again ? "" : again.error().text()));
      BOOST_TEST((to_json(*again) == to_json(run.report)), profile);
      BOOST_TEST(run.report.count(Verdict::fail) == 0U);
      BOOST_TEST(run.report.count(Verdict::pass) > 0U);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_failure_is_recomputed_too) {
  const ClaimedSet set = claimed("kubelet-authorization");
  KubeletFault fault;
  fault.rules = [](const RuleSet& rules) { return rules.with_flipped(Rule::kubelet_subresource); };
  const Recorded run = recorded(set, "1.36.3", fault);
  BOOST_TEST(run.report.count(Verdict::fail) > 0U);
  const auto again = recompute(run.report, run.record, "record", set, catalogue());
  BOOST_REQUIRE(again);
  BOOST_TEST((to_json(*again) == to_json(run.report)));
}

BOOST_AUTO_TEST_CASE(a_record_holds_no_credentials) {
  const std::string lines = lines_of(recorded(claimed("kubelet-authentication"), "1.36.3").record);
  BOOST_TEST(lines.find("\"ask\"") != std::string::npos);
  for (const char* secret : {"Bearer ", "Basic ", "authorization\":\"", "PRIVATE KEY", "bearer.authorization.k8s.io"}) {
    BOOST_TEST(lines.find(secret) == std::string::npos, secret);
  }
}

BOOST_AUTO_TEST_CASE(a_record_that_was_changed_is_refused_or_gives_another_report) {
  const ClaimedSet set = claimed("kubelet-fine-grained");
  const Recorded run = recorded(set, "1.36.3");
  const auto refused = [&](const std::string& from, const std::string& to) { return refusal_of(run, set, from, to); };
  BOOST_TEST(refused("\"method\":\"GET\"", "\"method\":\"PUT\"").find("holds another question") != std::string::npos);
  BOOST_TEST(refused("\"cannot\":", "\"can\":").find("does not hold what the run asks") != std::string::npos);
  BOOST_TEST(refused("{\"server\"", "{\"other\"").find("does not begin with the server") != std::string::npos);
  BOOST_TEST(refused("\"kubelet\"", "\"bucket\"").find("does not begin with the kubelet") != std::string::npos);
  BOOST_TEST(refused("\"access\":", "\"excess\":").find("the reviews that were sent") != std::string::npos);
  BOOST_TEST(refused("\"status\":", "\"state\":").find("does not hold an answer") != std::string::npos);
  BOOST_TEST(refused("{\"scenario\"", "{\"act\"").find("is of no scenario") != std::string::npos);
  const std::string two = run.record + gzip("{\"server\":{\"kubelet\":{\"name\":\"b\",\"feature_gates\":{}}}}\n");
  const auto of_two = recompute(run.report, two, "record", set, catalogue());
  BOOST_REQUIRE(!of_two);
  BOOST_TEST(of_two.error().text().find("asks more than one kubelet") != std::string::npos);
  std::string longer = lines_of(run.record) + "{\"answer\":true,\"say\":\"more\"}\n";
  const auto more = recompute(run.report, gzip(longer), "record", set, catalogue());
  BOOST_REQUIRE(!more);
  BOOST_TEST(more.error().text().find("holds more than the run asks") != std::string::npos);
  std::string other = lines_of(run.record);
  const std::string status = "\"status\":403";
  const std::size_t at = other.find(status);
  BOOST_REQUIRE(at != std::string::npos);
  other.replace(at, status.size(), "\"status\":200");
  const auto changed = recompute(run.report, gzip(other), "record", set, catalogue());
  BOOST_REQUIRE(changed);
  BOOST_TEST((to_json(*changed) != to_json(run.report)));
}

// Whatever a stranger writes in the place of an answer is refused or judged, and never ends the process.
BOOST_AUTO_TEST_CASE(answers_of_every_shape_are_survived) {
  const ClaimedSet set = claimed("kubelet-fine-grained");
  const Recorded run = recorded(set, "1.36.3");
  const std::string lines = lines_of(run.record);
  const std::string word = "\"answer\":";
  for (const char* shape : {"null", "true", "false", "7", "\"\"", "[]", "{}", "{\"error\":{}}", "{\"name\":7}",
                            "{\"status\":\"x\"}", "{\"access\":7,\"tokens\":-1,\"mistakes\":{}}"}) {
    for (std::size_t at = lines.find(word), number = 0; at != std::string::npos; at = lines.find(word, at + 1)) {
      if (++number > 24) break;
      const std::size_t line = lines.rfind('\n', at) + 1;
      nlohmann::json changed = nlohmann::json::parse(lines.substr(line, lines.find('\n', at) - line));
      changed["answer"] = nlohmann::json::parse(shape);
      std::string all = lines;
      all.replace(line, lines.find('\n', at) - line, changed.dump());
      const auto again = recompute(run.report, gzip(all), "record", set, catalogue());
      BOOST_TEST((!again || !again->checks.empty()));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
