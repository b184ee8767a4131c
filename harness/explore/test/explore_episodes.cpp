#include <boost/test/unit_test.hpp>

#include "harness/endpoint/authorizer/authorizer_endpoint.h"
#include "harness/endpoint/reference_endpoint.h"
#include "harness/explore/episode/exploration_run.h"
#include "harness/explore/episode/mutation.h"
#include "harness/explore/episode/scenario_file.h"
#include "harness/run/runner.h"
#include "harness/test/late_endpoint.h"
#include "harness/test/project.h"
#include "harness/test/sanitizers.h"

// Tests that are left out under sanitizers take minutes there, and run no code that others do not.
BOOST_AUTO_TEST_SUITE(explore_episodes)

using namespace nodebound;
using namespace nodebound::explore;
using namespace nodebound::journal;

namespace {

RuleSet rules_at(const char* version) {
  return {catalogue(), *Release::make(catalogue(), *Version::parse(version), {})};
}

const Fixtures& fixtures() {
  static const Fixtures all = *fixtures_of(project::file("scenarios"));
  return all;
}

ExploreOptions asking(std::size_t requests, std::size_t jobs = 1) {
  ExploreOptions options;
  options.seed = 7;
  options.requests = sanitized ? requests / 3 : requests;
  options.jobs = jobs;
  options.most_shrunk = 6;
  return options;
}

ExplorationOutcome explored(const RuleSet& rules, Endpoint& b_endpoint, const RuleSet& rules_b,
                            const ExploreOptions& options, const std::vector<Scenario>& from = project_scenarios()) {
  const auto endpoint = make_reference_cluster(rules, {}, RuntimeConfig::api_all);
  const ApiResources resources(rules.release());
  const ApiResources resources_b(rules_b.release());
  Journal journal;
  const ExploredSide a{*endpoint, rules, resources, journal, "test"};
  const ExploredSide b{b_endpoint, rules_b, resources_b, journal, "test"};
  const EpisodeSource source(options.seed, fixtures(), from, rules.release().version);
  LeftBehind left;
  Result<ExplorationOutcome> outcome = explore::explore(a, b, a, source, options, left);
  if (!outcome) BOOST_FAIL(outcome.error().text());
  return std::move(*outcome);
}

ExplorationOutcome between(const RuleSet& rules, const RuleSet& rules_b, const ExploreOptions& options) {
  const auto endpoint = make_reference_cluster(rules_b, {}, RuntimeConfig::api_all);
  return explored(rules, *endpoint, rules_b, options);
}

class Abstainer final : public AccessDecider {
 public:
  Result<AccessAnswer> decide(const std::string& /*spec*/) override {
    ++asked;
    return AccessAnswer{AccessAnswer::Opinion::no_opinion, ""};
  }

  std::size_t asked = 0;
};

/// Sessions of one server, and after a few of them, sessions of another.
class HealingEndpoint final : public Endpoint {
 public:
  HealingEndpoint(const RuleSet& before, const RuleSet& after, std::size_t sessions)
      : before_(make_reference_cluster(before, {}, RuntimeConfig::api_all)),
        after_(make_reference_cluster(after, {}, RuntimeConfig::api_all)),
        left_(sessions) {}

  [[nodiscard]] std::string name() const override { return "healing"; }
  [[nodiscard]] const Observation& observed() const override { return before_->observed(); }
  [[nodiscard]] const Subject& administrator() const override { return before_->administrator(); }
  [[nodiscard]] bool decides_on_latest_state() const override { return true; }
  [[nodiscard]] bool disposable() const override { return true; }
  std::unique_ptr<Session> open_session() override {
    if (left_ == 0) return after_->open_session();
    --left_;
    return before_->open_session();
  }

 private:
  std::unique_ptr<Endpoint> before_;
  std::unique_ptr<Endpoint> after_;
  std::size_t left_;
};

/// The reference without rule names in its answers, like a real server.
class SilentEndpoint final : public Endpoint {
 public:
  explicit SilentEndpoint(const RuleSet& rules) : own_(make_reference_cluster(rules, {}, RuntimeConfig::api_all)) {}

  [[nodiscard]] std::string name() const override { return "silent"; }
  [[nodiscard]] const Observation& observed() const override { return own_->observed(); }
  [[nodiscard]] const Subject& administrator() const override { return own_->administrator(); }
  [[nodiscard]] bool decides_on_latest_state() const override { return true; }
  [[nodiscard]] bool disposable() const override { return true; }
  std::unique_ptr<Session> open_session() override { return std::make_unique<Line>(own_->open_session()); }

 private:
  struct Line final : Session {
    explicit Line(std::unique_ptr<Session> to) : own(std::move(to)) {}
    Result<HttpResponse> send(const Subject& subject, const HttpRequest& request) override {
      Result<HttpResponse> response = own->send(subject, request);
      if (response) response->headers.erase("x-nodebound-rule");
      return response;
    }
    std::unique_ptr<Session> own;
  };

  std::unique_ptr<Endpoint> own_;
};

/// Decides as the reference, and changes an object whose change it refuses.
class StoringEndpoint final : public Endpoint {
 public:
  explicit StoringEndpoint(const RuleSet& rules) : own_(make_reference_cluster(rules, {}, RuntimeConfig::api_all)) {}

  [[nodiscard]] std::string name() const override { return "storing"; }
  [[nodiscard]] const Observation& observed() const override { return own_->observed(); }
  [[nodiscard]] const Subject& administrator() const override { return own_->administrator(); }
  [[nodiscard]] bool decides_on_latest_state() const override { return true; }
  [[nodiscard]] bool disposable() const override { return true; }
  std::unique_ptr<Session> open_session() override {
    return std::make_unique<Line>(own_->open_session(), own_->administrator());
  }

 private:
  struct Line final : Session {
    Line(std::unique_ptr<Session> to, const Subject& as) : own(std::move(to)), administrator(as) {}
    Result<HttpResponse> send(const Subject& subject, const HttpRequest& request) override {
      Result<HttpResponse> response = own->send(subject, request);
      if (response && response->status == 403 && request.method == "PATCH") {
        const std::string target = request.target.substr(0, request.target.find('?'));
        const char* const note = R"({"metadata":{"annotations":{"stored":"yes"}}})";
        (void)own->send(administrator, {"PATCH", target, "application/merge-patch+json", note});
      }
      return response;
    }
    std::unique_ptr<Session> own;
    const Subject& administrator;
  };

  std::unique_ptr<Endpoint> own_;
};

std::string shown(const ExplorationOutcome& outcome) {
  std::string out = std::to_string(outcome.requests) + " " + std::to_string(outcome.episodes) + "\n";
  for (const auto& [feature, count] : outcome.coverage.counts()) out += feature + " " + std::to_string(count) + "\n";
  for (const DifferenceFound& found : outcome.differences) {
    out += std::to_string(found.count) + " " + found.cause.by + "\n";
    for (const Step& step : found.difference.episode.scenario.steps) out += "  " + to_text(step) + "\n";
  }
  return out;
}

std::vector<Episode> many_episodes() {
  const EpisodeSource source(3, fixtures(), project_scenarios(), *Version::parse("1.36.3"));
  std::vector<Episode> out;
  for (std::size_t number = 0; number < 40; ++number) {
    for (Episode& episode : source.candidates(number, {}, {})) out.push_back(std::move(episode));
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_an_episode_asks_can_be_written_down) {
  std::size_t requests = 0;
  for (const Episode& episode : many_episodes()) {
    for (const Step& step : episode.scenario.steps) {
      if (!step.check || !step.check->request.resource_request) continue;
      RequestText wanted = step.check->request;
      const Result<RequestText> read = parse_request(to_text(wanted));
      BOOST_REQUIRE_MESSAGE(read.has_value(), to_text(wanted));
      BOOST_TEST(to_text(*read) == to_text(wanted));
      BOOST_TEST(read->namespace_ == wanted.namespace_);
      ++requests;
    }
  }
  BOOST_TEST(requests > 2000U);
}

// A request without a name concerns a collection, in which others have objects.
BOOST_AUTO_TEST_CASE(no_collection_is_written_to_for_good) {
  const EpisodeSource source(3, fixtures(), project_scenarios(), *Version::parse("1.36.3"));
  std::size_t kept = 0;
  for (std::size_t number = 0; number < 150; ++number) {
    for (const Episode& episode : source.candidates(number, {}, {})) {
      for (const Step& step : episode.scenario.steps) {
        if (!step.check || !persists(*step.check)) continue;
        BOOST_TEST(!step.check->request.name.empty(), to_text(step));
        ++kept;
      }
    }
  }
  BOOST_TEST(kept > 200U);
  for (const char* request : {"delete csidrivers", "update nodes", "create pods", "deletecollection pods",
                              "delete clusterroles/system:node", "delete nodes/=theirs"}) {
    Check check;
    check.subject = SubjectText::of("widened a");
    check.request = *parse_request(request);
    check.keep = true;
    Episode episode;
    episode.scenario.steps = {step_of(check)};
    make_presentable(episode, 10);
    BOOST_TEST(!persists(*episode.scenario.steps.front().check), request);
  }
}

BOOST_AUTO_TEST_CASE(nobody_else_on_the_target_is_granted_anything) {
  const auto kept = [](const char* target, const char* subjects) {
    Action action{Action::Kind::create, *parse_request(std::string("create ") + target), Object::object(), {}, 0};
    action.body["subjects"] = Object::parse(subjects);
    Episode episode;
    episode.scenario.steps = {step_of(action)};
    make_presentable(episode, 10);
    return !episode.scenario.steps.empty();
  };
  BOOST_TEST(kept("clusterrolebindings/r", R"([{"kind":"User","name":"system:node:{a}"}])"));
  BOOST_TEST(kept("clusterrolebindings/r", R"([{"kind":"ServiceAccount","name":"x","namespace":"{ns shop}"}])"));
  BOOST_TEST(
      !kept("clusterrolebindings/r", R"([{"kind":"User","name":"{a}"},{"kind":"Group","name":"system:nodes"}])"));
  BOOST_TEST(kept("rolebindings/r", R"([{"kind":"Group","name":"system:nodes"}])"));
  BOOST_TEST(!kept("nodes/=theirs", "[]"));
  BOOST_TEST(!kept("leases/x -n kube-system", "[]"));
}

BOOST_AUTO_TEST_CASE(episodes_reach_for_the_edges) {
  std::string all;
  for (const Episode& episode : many_episodes()) {
    for (const Step& step : episode.scenario.steps) all += to_text(step) + "\n";
  }
  for (const std::string& edge :
       {std::string(253, 'n'), std::string("caf\xc3\xa9"), std::string("node ab"), std::string("mirror"),
        std::string("[apply]"), std::string("[strategic]"), std::string("requirements"), std::string("[kept]"),
        std::string("delete pods/"), std::string("bind"), std::string("podcertificaterequests"),
        std::string("ownerRef")}) {
    BOOST_TEST((all.find(edge) != std::string::npos), edge);
  }
}

namespace {

std::string drawn_with(std::uint64_t seed) {
  const EpisodeSource source(seed, fixtures(), {}, *Version::parse("1.36.3"));
  std::string out;
  for (std::size_t number = 0; number < 20; ++number) {
    for (const Episode& episode : source.candidates(number, {}, {})) {
      for (const Step& step : episode.scenario.steps) out += to_text(step) + "\n";
    }
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_seed_draws_the_same_each_time_and_another_seed_something_else) {
  const std::string drawn = drawn_with(3);
  BOOST_TEST((drawn_with(3) == drawn));
  BOOST_TEST((drawn_with(4) != drawn));
}

BOOST_AUTO_TEST_CASE(the_seed_fixes_all_whatever_the_jobs, *boost::unit_test::enable_if<!sanitized>()) {
  const RuleSet rules = rules_at("1.36.3");
  const RuleSet faulty = rules.with_flipped(Rule::pod_delete_own);
  const std::string one = shown(between(rules, faulty, asking(1000)));
  BOOST_TEST(one == shown(between(rules, faulty, asking(1000, 4))));
  ExploreOptions other = asking(1000);
  other.seed = 8;
  BOOST_TEST(one != shown(between(rules, faulty, other)));
}

BOOST_AUTO_TEST_CASE(an_episode_comes_back_alone) {
  const RuleSet rules = rules_at("1.36.3");
  const RuleSet faulty = rules.with_flipped(Rule::pod_delete_own);
  const ExplorationOutcome all = between(rules, faulty, asking(1000));
  BOOST_REQUIRE(!all.differences.empty());
  ExploreOptions alone = asking(1000);
  alone.only = all.differences.front().difference.episode.number;
  const ExplorationOutcome one = between(rules, faulty, alone);
  BOOST_TEST(one.episodes == 1U);
  BOOST_REQUIRE(!one.differences.empty());
  BOOST_TEST(one.differences.front().difference.episode.number == *alone.only);
}

// Which seed finds a fault depends on the scenarios from which mutants are made; the edge is one of some forty. A fault
// in a rule that another rule duplicates, such as node-restricted-labels-update, does not show.
BOOST_AUTO_TEST_CASE(a_fault_is_found_made_small_and_named) {
  const RuleSet rules = rules_at("1.36.3");
  for (const Rule rule : {Rule::node_taints, Rule::pod_delete_own, Rule::edge_configmap_volume,
                          Rule::graph_forgets_deleted, Rule::node_kubernetes_labels_update}) {
    if (sanitized && rule != Rule::node_taints) continue;
    const RuleSet flipped = rules.with_flipped(rule);
    // A server that violates a rule of its release.
    const auto faulty = make_reference_cluster(flipped, {}, RuntimeConfig::api_all);
    ExplorationOutcome outcome;
    for (std::uint64_t seed = 1; outcome.differences.empty() && seed <= 30; ++seed) {
      ExploreOptions options = asking(1000, 2);
      options.seed = seed;
      options.most_shrunk = 1;
      outcome = explored(rules, *faulty, rules, options);
    }
    const std::string& id = rules.catalogue()[rule].id;
    BOOST_REQUIRE_MESSAGE(!outcome.differences.empty(), id);
    const DifferenceFound& found = outcome.differences.front();
    BOOST_TEST(found.small);
    BOOST_TEST((found.cause.kind == DifferenceCause::Kind::defect), id);
    BOOST_TEST(found.cause.by == id);
    BOOST_TEST(found.difference.episode.scenario.steps.size() <= 4U, id);
  }
}

BOOST_AUTO_TEST_CASE(rules_of_one_side_and_known_deviations_explain) {
  ExploreOptions options = asking(100);
  options.only = 5;
  const ExplorationOutcome outcome = between(rules_at("1.31"), rules_at("1.32.5"), options);
  BOOST_REQUIRE(outcome.differences.size() > 3U);
  for (const DifferenceFound& found : outcome.differences) {
    BOOST_TEST((found.cause.kind == DifferenceCause::Kind::release));
    // Each has a rule that explains it, or rules that do so together, or neither.
    BOOST_TEST((found.cause.by.empty() || found.cause.together.empty()));
    BOOST_TEST(found.cause.together.size() != 1U);
  }
  // 1.31 lets every node watch a pod by name.
  const std::vector<std::string> both = {"pod-of-node", "pod-selector"};
  BOOST_TEST(std::ranges::any_of(outcome.differences,
                                 [&](const DifferenceFound& found) { return found.cause.together == both; }));
}

BOOST_AUTO_TEST_CASE(what_is_not_made_small_is_found_again_and_explained_all_the_same) {
  const RuleSet rules = rules_at("1.36.3");
  ExploreOptions options = asking(1000);
  options.most_shrunk = 0;
  const ExplorationOutcome outcome = between(rules, rules.with_flipped(Rule::pod_delete_own), options);
  BOOST_REQUIRE(!outcome.differences.empty());
  for (const DifferenceFound& found : outcome.differences) {
    BOOST_TEST(!found.small);
    BOOST_TEST(found.steady);
    BOOST_TEST(found.cause.by == "pod-delete-own");
  }
}

BOOST_AUTO_TEST_CASE(a_server_that_stores_what_it_refuses_differs) {
  const RuleSet rules = rules_at("1.36.3");
  const auto reference = make_reference_cluster(rules, {}, RuntimeConfig::api_all);
  StoringEndpoint storing(rules);
  const ApiResources resources(rules.release());
  Journal journal;
  const ExploredSide a{*reference, rules, resources, journal, "test"};
  ExploredSide b{storing, rules, resources, journal, "test"};
  b.judges_contents = true;
  const EpisodeSource source(7, fixtures(), project_scenarios(), rules.release().version);
  ExploreOptions options = asking(150);
  options.most_shrunk = 0;
  LeftBehind left;
  const Result<ExplorationOutcome> outcome = explore::explore(a, b, a, source, options, left);
  BOOST_REQUIRE(outcome);
  const auto stored = std::ranges::find_if(outcome->differences, [](const DifferenceFound& found) {
    return found.difference.b.mistake == "a refused request changed the object";
  });
  BOOST_TEST((stored != outcome->differences.end()), shown(*outcome));
}

BOOST_AUTO_TEST_CASE(an_authorizer_alone_is_asked_nothing_but_reviews) {
  const RuleSet rules = rules_at("1.36.3");
  const auto cluster = std::make_shared<AuthorizerCluster>(rules, options_of_authorizer_cluster(rules));
  const auto authorizer =
      make_authorizer_endpoint("test", cluster, std::make_shared<Abstainer>(), ObjectsReach::at_once);
  ExploreOptions options = asking(100);
  options.most_shrunk = options.most_explained = 0;
  const ExplorationOutcome outcome = explored(rules, *authorizer, rules, options);
  BOOST_REQUIRE(!outcome.differences.empty());
  for (const DifferenceFound& found : outcome.differences) {
    for (const Step& step : found.difference.episode.scenario.steps) {
      if (!step.check || step.check->subject.kind == SubjectText::Kind::administrator) continue;
      BOOST_TEST(step.check->review, to_text(step));
      BOOST_TEST(!persists(*step.check), to_text(step));
      BOOST_TEST(step.check->request.verb != "change", to_text(step));
    }
  }
  const auto out_of_reach =
      make_authorizer_endpoint("test", cluster, std::make_shared<Abstainer>(), ObjectsReach::never);
  const ApiResources resources(rules.release());
  Journal journal;
  const ExploredSide side{*out_of_reach, rules, resources, journal, "test"};
  const EpisodeSource source(7, fixtures(), project_scenarios(), rules.release().version);
  LeftBehind left;
  BOOST_TEST(!explore::explore(side, side, side, source, options, left));
}

BOOST_AUTO_TEST_CASE(an_authorizer_is_not_asked_about_selectors_that_an_api_server_refuses) {
  const RuleSet rules = rules_at("1.36.3");
  const auto cluster = std::make_shared<AuthorizerCluster>(rules, options_of_authorizer_cluster(rules));
  const auto abstainer = std::make_shared<Abstainer>();
  const auto authorizer = make_authorizer_endpoint("test", cluster, abstainer, ObjectsReach::at_once);
  const auto review = [&](const std::string& selector) {
    const std::string body =
        R"({"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"u","resourceAttributes":)"
        R"({"verb":"list","version":"v1","resource":"pods","fieldSelector":)" +
        selector + "}}}";
    return authorizer->open_session()
        ->send(authorizer->administrator(),
               {"POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", "application/json", body, false})
        ->status;
  };
  BOOST_TEST(review("{}") == 422);
  BOOST_TEST(abstainer->asked == 0U);
  BOOST_TEST(review(R"({"requirements":[{"key":"spec.nodeName","operator":"In","values":["a"]}]})") == 201);
  BOOST_TEST(abstainer->asked == 1U);
}

// A server that answers so only once: the cause is unknown, and it does not count as a difference.
BOOST_AUTO_TEST_CASE(what_is_not_found_again_counts_as_unsteady_however_little_is_made_small,
                     *boost::unit_test::enable_if<!sanitized>()) {
  const RuleSet rules = rules_at("1.36.3");
  const RuleSet faulty = rules.with_flipped(Rule::pod_delete_own);
  ExploreOptions options = asking(1000);
  options.most_shrunk = 0;
  const ExplorationOutcome faults = between(rules, faulty, options);
  BOOST_REQUIRE(!faults.differences.empty());
  HealingEndpoint healing(faulty, rules, faults.episodes);
  const ExplorationOutcome outcome = explored(rules, healing, rules, options);
  BOOST_REQUIRE(!outcome.differences.empty());
  for (const DifferenceFound& found : outcome.differences) BOOST_TEST(!found.steady);
}

// A real server names no rule, so the guide's rules distinguish the sorts of differences.
BOOST_AUTO_TEST_CASE(a_side_that_names_no_rule_has_as_many_sorts_of_differences,
                     *boost::unit_test::enable_if<!sanitized>()) {
  const RuleSet rules = rules_at("1.36.3");
  const RuleSet faulty = rules.with_flipped(Rule::pod_delete_own).with_flipped(Rule::node_taints);
  const auto reference = make_reference_cluster(rules, {}, RuntimeConfig::api_all);
  const auto other = make_reference_cluster(faulty, {}, RuntimeConfig::api_all);
  SilentEndpoint silent(rules);
  const ApiResources resources(rules.release());
  Journal journal;
  const ExploredSide guide{*reference, rules, resources, journal, "test"};
  const ExploredSide names_none{silent, rules, resources, journal, "test"};
  const ExploredSide b{*other, rules, resources, journal, "test"};
  const EpisodeSource source(7, fixtures(), project_scenarios(), rules.release().version);
  ExploreOptions options = asking(2000);
  options.most_shrunk = 0;
  LeftBehind left;
  const std::size_t sorts = explore::explore(guide, b, guide, source, options, left)->differences.size();
  BOOST_TEST(sorts > 1U);
  BOOST_TEST(explore::explore(names_none, b, guide, source, options, left)->differences.size() == sorts);
}

BOOST_AUTO_TEST_CASE(a_found_difference_becomes_a_scenario_that_passes_here_and_fails_there) {
  const RuleSet rules = rules_at("1.36.3");
  const RuleSet faulty = rules.with_flipped(Rule::pod_delete_own);
  const ExplorationOutcome outcome = between(rules, faulty, asking(1000));
  BOOST_REQUIRE(!outcome.differences.empty());
  const DifferenceFound& found = outcome.differences.front();
  const Catalogue& catalogue = rules.catalogue();
  const Result<std::string> text = scenario_of(found.difference, found.by_rules, {.about = "found"}, catalogue);
  BOOST_REQUIRE(text);
  const Profiles profiles = {{"node-restriction", {}}, {"node-authorizer", {}}, {"mirror-pods", {}}, {"rbac", {}}};
  const auto read = parse_scenarios(*text, "found.toml", "found", fixtures(), profiles, catalogue);
  BOOST_REQUIRE_MESSAGE(read.has_value(), *text);
  const auto failed = [&](const RuleSet& of) {
    const auto endpoint = make_reference_endpoint(of, {});
    Journal journal;
    std::vector<Error> left;
    RunOptions options;
    options.run_id = "test";
    const Report report = run_scenarios(*read, *endpoint, rules, journal, options, left);
    return report.count(Verdict::fail);
  };
  BOOST_TEST(failed(rules) == 0U);
  BOOST_TEST(failed(faulty) > 0U);
}

BOOST_AUTO_TEST_CASE(who_learns_late_is_not_told_as_different) {
  const RuleSet rules = rules_at("1.36.3");
  const auto late = make_late_endpoint(rules);
  const ExplorationOutcome outcome = explored(rules, *late, rules, asking(1500, 4));
  BOOST_TEST(outcome.differences.empty(), shown(outcome));
}

BOOST_AUTO_TEST_CASE(waiting_hides_no_fault_of_who_learns_late, *boost::unit_test::enable_if<!sanitized>()) {
  const RuleSet rules = rules_at("1.36.3");
  const RuleSet faulty = rules.with_flipped(Rule::edge_configmap_volume);
  const std::vector<Scenario> from = scenarios_naming(Rule::edge_configmap_volume);
  ExplorationOutcome outcome;
  for (std::uint64_t seed = 1; outcome.differences.empty() && seed <= 30; ++seed) {
    const auto late = make_late_endpoint(faulty);
    ExploreOptions options = asking(500, 16);
    options.seed = seed;
    options.most_shrunk = 1;
    outcome = explored(rules, *late, rules, options, from);
  }
  BOOST_REQUIRE(!outcome.differences.empty());
  BOOST_TEST(outcome.differences.front().steady);
  BOOST_TEST(outcome.differences.front().cause.by == "edge-configmap-volume");
}

// The canaries live in namespaces of their own; every one that is made must be removed.
BOOST_AUTO_TEST_CASE(who_stops_answering_is_cleaned_up_after_all_the_same) {
  const RuleSet rules = rules_at("1.36.3");
  std::set<std::string> namespaces;
  std::string kept;
  int deletions = 0;
  int requests = 0;
  const auto shared = make_shared_endpoint(rules, [&](const Subject& subject, const HttpRequest& request) {
    if (request.method == "POST" && request.target == "/api/v1/namespaces") {
      namespaces.insert("/api/v1/namespaces/" + Object::parse(request.body)["metadata"]["name"].get<std::string>());
    }
    // Only the clean-up deletes namespaces. Deletions of the first one get no answer, so it stays.
    if (request.method == "DELETE" && namespaces.contains(request.target) && ++deletions == 1) kept = request.target;
    if (request.method == "DELETE" && request.target == kept) return false;
    if (request.method == "DELETE") namespaces.erase(request.target);
    // From then on nodes get no answer.
    return ++requests < 400 || !subject.name.starts_with("system:node:");
  });
  const auto endpoint = make_reference_cluster(rules, {}, RuntimeConfig::api_all);
  const ApiResources resources(rules.release());
  Journal journal;
  const ExploredSide a{*endpoint, rules, resources, journal, "test"};
  const ExploredSide b{*shared, rules, resources, journal, "test"};
  const EpisodeSource source(7, fixtures(), project_scenarios(), rules.release().version);
  LeftBehind left;
  const Result<ExplorationOutcome> outcome = explore::explore(a, b, a, source, asking(100000), left);
  BOOST_TEST(!outcome);
  BOOST_TEST(deletions > 1);
  BOOST_TEST(left.on_a.empty());
  BOOST_TEST(left.on_b.size() == 1U);
  BOOST_TEST(namespaces.size() == 1U);
}

BOOST_AUTO_TEST_CASE(shrinking_keeps_what_it_takes_and_nothing_else) {
  Chance chance(1);
  Episode episode = many_episodes()[1];
  Check wanted;
  wanted.subject = SubjectText::of("widened b");
  wanted.request = *parse_request("list pods --field-selector spec.nodeName={a}");
  wanted.body = {{"spec", {{"needed", 1}, {"not", {{"needed", 2}}}}}};
  wanted.keep = true;
  episode.scenario.steps.push_back(step_of(wanted));
  const Step given = step_of(*fixtures().action("node needed"));
  episode.scenario.steps.insert(episode.scenario.steps.begin() + 2, given);
  const StillDiffers differs = [&](const Episode& candidate) -> std::optional<EpisodeDifference> {
    bool made = false;
    for (std::size_t at = 0; at < candidate.scenario.steps.size(); ++at) {
      const Step& step = candidate.scenario.steps[at];
      made |= to_text(step) == to_text(given);
      const bool asked = step.check && step.check->request.resource == "pods" &&
                         step.check->body.contains("/spec/needed"_json_pointer);
      if (made && asked) return EpisodeDifference{candidate, at, {}, {}};
    }
    return std::nullopt;
  };
  const EpisodeDifference out = shrunk(*differs(episode), differs, 2000);
  BOOST_REQUIRE(out.episode.scenario.steps.size() == 2U);
  BOOST_TEST(to_text(out.episode.scenario.steps[0]) == to_text(given));
  BOOST_TEST(to_text(out.episode.scenario.steps[1]) == "node a: list pods {\"spec\":{\"needed\":1}}");
}

BOOST_AUTO_TEST_CASE(what_fires_seldom_is_worth_more) {
  Coverage coverage;
  for (int count = 0; count < 100; ++count) coverage.count({"often allowed"});
  coverage.count({"seldom refused"});
  BOOST_TEST(coverage.rarity({"seldom refused"}) > coverage.rarity({"often allowed"}));
  BOOST_TEST(coverage.rarity({"never allowed"}) > coverage.rarity({"seldom refused"}));
  BOOST_TEST(coverage.rarity({"never allowed", "never allowed"}) < 2 * coverage.rarity({"never allowed"}));
  BOOST_TEST(coverage.by_rule().at("often") == 100U);
}

BOOST_AUTO_TEST_SUITE_END()
