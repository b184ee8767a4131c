#include <boost/test/unit_test.hpp>

#include "harness/endpoint/reference_endpoint.h"
#include "harness/run/runner.h"
#include "harness/test/late_endpoint.h"
#include "harness/test/project.h"

// Scenarios that say how their API server is started.
BOOST_AUTO_TEST_SUITE(run_server_settings)

using namespace nodebound;
using namespace nodebound::journal;

namespace {

const RuleSet& rules() {
  static const RuleSet all{catalogue(), *Release::make(catalogue(), *Version::parse("1.36.3"), {})};
  return all;
}

/// The reference, counting how often it was started anew.
class Counted final : public Endpoint {
 public:
  explicit Counted(bool starts) : starts_(starts) {}

  [[nodiscard]] std::string name() const override { return own_->name(); }
  [[nodiscard]] const Observation& observed() const override { return own_->observed(); }
  [[nodiscard]] Capabilities capabilities() const override { return own_->capabilities(); }
  [[nodiscard]] const Subject& administrator() const override { return own_->administrator(); }
  [[nodiscard]] bool decides_on_latest_state() const override { return true; }
  [[nodiscard]] bool disposable() const override { return true; }
  std::unique_ptr<Session> open_session() override { return own_->open_session(); }
  Result<std::unique_ptr<Endpoint>> start_with(const ServerSettings& settings) override {
    ++started;
    if (!starts_) return unreachable_error("kube-apiserver", "ended while it started");
    return own_->start_with(settings);
  }

  int started = 0;

 private:
  bool starts_;
  std::unique_ptr<Endpoint> own_ = make_reference_endpoint(rules(), {});
};

std::vector<Scenario> scenarios_of_abac() {
  Selection selection;
  selection.profile = "abac";
  return *select(project_scenarios(), selection);
}

Report run(Endpoint& endpoint, const std::vector<Scenario>& scenarios) {
  Journal journal;
  std::vector<Error> errors;
  return run_scenarios(scenarios, endpoint, rules(), journal, {.run_id = "test", .jobs = 2}, errors);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_reference_conforms_with_policies) {
  Counted endpoint(true);
  const std::vector<Scenario> scenarios = scenarios_of_abac();
  const Report report = run(endpoint, scenarios);
  for (const CheckResult& check : report.checks) {
    BOOST_TEST((check.verdict == Verdict::pass), check.id << ": " << check.why);
  }
  BOOST_TEST(report.checks.size() == count_checks(scenarios, rules()));
  BOOST_TEST(report.checks.size() > 100U);
}

BOOST_AUTO_TEST_CASE(a_server_is_started_once_for_all_scenarios_of_its_settings) {
  Counted endpoint(true);
  std::vector<Scenario> scenarios = scenarios_of_abac();
  const std::size_t kinds = scenarios.size();
  const std::vector<Scenario> again = scenarios;
  scenarios.insert(scenarios.end(), again.begin(), again.end());
  const Report report = run(endpoint, scenarios);
  BOOST_TEST(endpoint.started == static_cast<int>(kinds));
  // In the order of the scenarios, whichever server they were asked of.
  BOOST_TEST(report.checks.front().id == report.checks[count_checks(again, rules())].id);
}

BOOST_AUTO_TEST_CASE(a_target_that_others_started_is_not_asked_and_says_so) {
  const auto endpoint = make_shared_endpoint(rules(), [](const Subject&, const HttpRequest&) { return true; });
  const Report report = run(*endpoint, scenarios_of_abac());
  for (const CheckResult& check : report.checks) {
    BOOST_TEST((check.verdict == Verdict::skip), check.id);
    BOOST_TEST(check.why == "how the target's API server was started is not the run's to choose");
  }
  BOOST_TEST(!report.checks.empty());
}

BOOST_AUTO_TEST_CASE(a_server_that_does_not_start_leaves_its_checks_inconclusive) {
  Counted endpoint(false);
  const Report report = run(endpoint, scenarios_of_abac());
  for (const CheckResult& check : report.checks) {
    BOOST_TEST((check.verdict == Verdict::inconclusive), check.id);
    BOOST_TEST(check.why.find("ended while it started") != std::string::npos, check.why);
  }
  BOOST_TEST(exit_code(report) == 3);
}

BOOST_AUTO_TEST_CASE(nothing_is_started_for_a_release_that_asks_nothing_of_it) {
  Counted endpoint(true);
  std::vector<Scenario> scenarios = scenarios_of_abac();
  for (Scenario& scenario : scenarios) scenario.gates.emplace_back("NoSuchGate");
  const Report report = run(endpoint, scenarios);
  BOOST_TEST(endpoint.started == 0);
  BOOST_TEST(report.checks.front().why == "the release has no feature gate NoSuchGate");
}

BOOST_AUTO_TEST_SUITE_END()
