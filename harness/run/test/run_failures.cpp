#include <atomic>
#include <boost/test/unit_test.hpp>
#include <mutex>
#include <new>
#include <set>

#include "harness/run/runner.h"
#include "harness/test/late_endpoint.h"
#include "harness/test/project.h"

BOOST_AUTO_TEST_SUITE(run_failures)

using namespace nodebound;
using namespace nodebound::journal;

namespace {

/// A cluster that others use, the objects made on it, and requests that fail in an unforeseen way.
struct Cluster {
  explicit Cluster(std::function<void(int)> failing)
      : fails(std::move(failing)),
        endpoint(make_shared_endpoint(rules, [this](const Subject& subject, const HttpRequest& request) {
          note(subject, request);
          return true;
        })) {}

  void note(const Subject& subject, const HttpRequest& request) {
    const std::string path = request.target.substr(0, request.target.find('?'));
    // The run reads an object before it removes it.
    const bool of_clean_up = request.method == "DELETE" || (request.method == "GET" && subject.name == "admin");
    if (!of_clean_up) fails(++requests);
    const std::lock_guard lock(mutex);
    if (request.method == "DELETE") removed.insert(path);
    if (request.method == "POST" && path == "/api/v1/namespaces") {
      const Object body = Object::parse(request.body);
      made.insert(path + "/" + body["metadata"]["name"].get<std::string>());
    }
  }

  Report run(std::size_t jobs) {
    std::vector<Scenario> scenarios;
    for (const Scenario& one : project_scenarios()) {
      if (one.id.find("node-taints") != std::string::npos || one.id.find("secret-through") != std::string::npos) {
        scenarios.push_back(one);
      }
    }
    Journal journal;
    RunOptions options;
    options.run_id = "test";
    options.jobs = jobs;
    return run_scenarios(scenarios, *endpoint, rules, journal, options, errors);
  }

  RuleSet rules{catalogue(), *Release::make(catalogue(), *Version::parse("1.36.3"), {})};
  std::function<void(int)> fails;
  std::mutex mutex;
  std::set<std::string> made;
  std::set<std::string> removed;
  std::atomic<int> requests = 0;
  std::vector<Error> errors;
  std::unique_ptr<Endpoint> endpoint;
};

}  // namespace

BOOST_AUTO_TEST_CASE(an_exception_leaves_checks_inconclusive_and_nothing_behind) {
  const std::pair<std::function<void()>, std::string> failures[] = {
      {[] { throw std::bad_alloc(); }, "there was not enough memory"},
      {[] { throw std::runtime_error("nobody foresaw this"); }, "nobody foresaw this"},
  };
  for (const auto& [fail, said] : failures) {
    for (const std::size_t jobs : {1U, 8U}) {
      Cluster cluster([&](int number) {
        if (number > 15) fail();
      });
      const Report report = cluster.run(jobs);
      BOOST_TEST(exit_code(report) == 3);
      BOOST_TEST(report.count(Verdict::inconclusive) > 0U);
      const CheckResult& last = report.checks.back();
      BOOST_TEST(last.why.find(said) != std::string::npos, last.why);
      BOOST_TEST(cluster.made.size() > 0U);
      for (const std::string& path : cluster.made) BOOST_TEST(cluster.removed.contains(path), path << " is left");
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
