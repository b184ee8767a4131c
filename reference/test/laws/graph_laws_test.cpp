// Laws of what nodes may read: see README.md here.
#include <boost/test/unit_test.hpp>

#include "reference/test/laws/history.h"

BOOST_AUTO_TEST_SUITE(laws_graph)

using namespace nodebound;
using namespace nodebound::test;

namespace {

/// Clusters cannot be moved, so each is made where it is needed.
std::unique_ptr<Cluster> cluster_after(const RuleSet& rules, const std::vector<Event>& events) {
  auto out = std::make_unique<Cluster>(rules);
  for (const Event& event : events) arrive(*out, event);
  return out;
}

std::vector<Event> drawn_events() {
  const auto lives = *a_history();
  return interleaved(lives, *rc::gen::arbitrary<std::vector<std::uint8_t>>());
}

void reads_never_grow(const RuleSet& rules, const Says& says) {
  const std::vector<Event> events = drawn_events();
  const auto cluster = cluster_after(rules, events);
  for (const char* pod : {"p", "pp", "p.p"}) {
    if (cluster->find("", "pods", "s", pod) == nullptr) continue;
    const auto without = cluster_after(rules, events);
    without->erase({"", "pods", "s", pod});
    for (const Question& question : all_questions()) {
      // The deleted pod itself: a get of an object that does not exist may be allowed, but reads nothing.
      if (question.attributes.resource == "pods" && question.attributes.name == pod) continue;
      if (!says(*cluster, question)) RC_ASSERT_FALSE(says(*without, question));
    }
  }
}

void pods_elsewhere(const RuleSet& rules, const Says& says) {
  const std::vector<Event> events = drawn_events();
  const auto cluster = cluster_after(rules, events);
  const std::string elsewhere = *a_node();
  const auto volumes = *rc::gen::container<std::vector<Object>>(a_volume());
  const auto more = cluster_after(rules, events);
  arrive(*more, pod_event(pod_of("new", "new-1", elsewhere, volumes, *a_name(), false)));
  for (const Question& question : all_questions()) {
    if (question.node == elsewhere) continue;
    RC_ASSERT(says(*more, question) == says(*cluster, question));
  }
}

using Arrives = std::function<void(Cluster&, const Event&)>;

void order_of_arrival(const RuleSet& rules, const Arrives& arrives) {
  const auto lives = *a_history();
  Cluster one(rules);
  Cluster other(rules);
  for (const Event& event : interleaved(lives, {})) arrives(one, event);
  for (const Event& event : interleaved(lives, *rc::gen::arbitrary<std::vector<std::uint8_t>>())) arrives(other, event);
  for (const Question& question : all_questions()) {
    const Decision a = decision_on(one, rules, question);
    const Decision b = decision_on(other, rules, question);
    RC_ASSERT(a.allowed() == b.allowed());
    RC_ASSERT(a.rule == b.rule);
  }
}

/// Whether the graph follows every change, so that a cluster that has only seen the last state of each object knows as
/// much.
bool follows_all(const RuleSet& rules) {
  for (const Rule rule : {Rule::graph_forgets_deleted, Rule::graph_forgets_deleted_attachments,
                          Rule::graph_follows_ephemeral_containers, Rule::graph_follows_claim_statuses}) {
    if (!rules.in_force(rule)) return false;
  }
  return true;
}

void only_the_last_state_counts(const RuleSet& rules, const Arrives& arrives) {
  const auto lives = *a_history();
  Cluster told_all(rules);
  for (const Event& event : interleaved(lives, *rc::gen::arbitrary<std::vector<std::uint8_t>>())) {
    arrives(told_all, event);
  }
  Cluster told_last(rules);
  for (const Lives& of : lives) {
    if (!of.empty() && of.back().object) arrives(told_last, of.back());
  }
  for (const Question& question : all_questions()) {
    RC_ASSERT(decision_on(told_all, rules, question).allowed() == decision_on(told_last, rules, question).allowed());
  }
}

const RuleSet& newest() {
  return all_rules().back();
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_node_reads_never_grows_when_a_pod_is_deleted) {
  const bool holds = rc::check("reads_never_grow", [] {
    const RuleSet& rules = any_rules();
    reads_never_grow(rules, as_the_reference(rules));
  });
  BOOST_TEST(holds);
}

BOOST_AUTO_TEST_CASE(that_law_refutes_who_takes_what_nobody_uses_for_free) {
  const Says free = [](const Cluster& cluster, const Question& question) {
    bool used = false;
    for (const char* node : nodes) used |= decision_on(cluster, newest(), {node, question.attributes}).allowed();
    return !used || decision_on(cluster, newest(), question).allowed();
  };
  BOOST_TEST(refuted([&] { reads_never_grow(newest(), free); }));
}

BOOST_AUTO_TEST_CASE(a_pod_elsewhere_never_adds_a_right_here) {
  const bool holds = rc::check("pods_elsewhere", [] {
    const RuleSet& rules = any_rules();
    pods_elsewhere(rules, as_the_reference(rules));
  });
  BOOST_TEST(holds);
}

BOOST_AUTO_TEST_CASE(that_law_refutes_who_compares_the_beginning_of_a_name) {
  const Says prefix = [](const Cluster& cluster, const Question& question) {
    for (const char* node : nodes) {
      const bool alike = std::string_view(node).starts_with(question.node);
      if (alike && decision_on(cluster, newest(), {node, question.attributes}).allowed()) return true;
    }
    return false;
  };
  BOOST_TEST(refuted([&] { pods_elsewhere(newest(), prefix); }));
}

BOOST_AUTO_TEST_CASE(decisions_do_not_depend_on_the_order_in_which_objects_arrive) {
  const bool holds = rc::check("order_of_arrival", [] { order_of_arrival(any_rules(), arrive); });
  BOOST_TEST(holds);
}

BOOST_AUTO_TEST_CASE(where_every_change_is_followed_only_the_last_state_of_each_object_counts) {
  std::vector<const RuleSet*> followers;
  for (const RuleSet& rules : all_rules()) {
    if (follows_all(rules)) followers.push_back(&rules);
  }
  BOOST_REQUIRE(followers.size() > 3U);
  const bool holds = rc::check("only_the_last_state_counts", [&] {
    only_the_last_state_counts(*followers[*rc::gen::inRange<std::size_t>(0, followers.size())], arrive);
  });
  BOOST_TEST(holds);
}

BOOST_AUTO_TEST_CASE(those_laws_refute_who_ties_a_volume_only_to_pods_that_are_there) {
  const Arrives forgetful = [](Cluster& cluster, const Event& event) {
    const bool volume = event.key.resource == "persistentvolumes" && event.object != nullptr;
    if (volume && cluster.find("", "pods", "s", "p") == nullptr) return;
    arrive(cluster, event);
  };
  BOOST_TEST(refuted([&] { order_of_arrival(newest(), forgetful); }));
  const Arrives never_deletes = [](Cluster& cluster, const Event& event) {
    if (event.object != nullptr) arrive(cluster, event);
  };
  BOOST_TEST(refuted([&] { only_the_last_state_counts(newest(), never_deletes); }));
}

BOOST_AUTO_TEST_SUITE_END()
