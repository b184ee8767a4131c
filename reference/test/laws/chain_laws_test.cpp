// Adding an authorizer without an opinion to a chain changes nothing: see README.md here.
#include <boost/test/unit_test.hpp>

#include "reference/authorizer/always_authorizer.h"
#include "reference/test/laws/history.h"

BOOST_AUTO_TEST_SUITE(laws_chain)

using namespace nodebound;
using namespace nodebound::test;

namespace {

/// An authorizer without an opinion or a reason.
class Abstainer final : public Authorizer {
 public:
  [[nodiscard]] std::string_view name() const override { return "abstainer"; }
  [[nodiscard]] Decision authorize(const Subject&, const Attributes&) const override {
    return Decision::no_opinion(Rule::node_rules_only);
  }
};

/// A broken chain: its last member decides.
class LastWord final : public Authorizer {
 public:
  explicit LastWord(std::vector<const Authorizer*> members) : members_(std::move(members)) {}
  [[nodiscard]] std::string_view name() const override { return "last"; }
  [[nodiscard]] Decision authorize(const Subject& subject, const Attributes& attributes) const override {
    return members_.back()->authorize(subject, attributes);
  }

 private:
  std::vector<const Authorizer*> members_;
};

/// A broken abstainer: it denies everything.
class Refuser final : public Authorizer {
 public:
  [[nodiscard]] std::string_view name() const override { return "refuser"; }
  [[nodiscard]] Decision authorize(const Subject&, const Attributes&) const override {
    return {Decision::Outcome::deny, Rule::node_rules_only, ""};
  }
};

rc::Gen<Subject> a_subject() {
  return rc::gen::map(rc::gen::pair(a_node(), rc::gen::inRange(0, 4)), [](const std::pair<std::string, int>& drawn) {
    Subject out = node_named(drawn.first);
    if (drawn.second == 1) out.groups = {"system:authenticated"};
    if (drawn.second == 2) out = {"ann", {"system:masters"}, "", {}};
    if (drawn.second == 3) out = {"ann", {"team"}, "", {}};
    return out;
  });
}

using Chain = std::function<Decision(std::vector<const Authorizer*>, const Subject&, const Attributes&)>;

void no_opinion(const RuleSet& rules, const Authorizer& abstainer, const Chain& chain) {
  const auto lives = *a_history();
  Cluster cluster(rules);
  for (const Event& event : interleaved(lives, *rc::gen::arbitrary<std::vector<std::uint8_t>>())) {
    arrive(cluster, event);
  }
  const Subject subject = *a_subject();
  const NodeAuthorizer node(rules, cluster.graph());
  const RbacAuthorizer rbac(rules, cluster.rbac());
  const std::size_t place = *rc::gen::inRange<std::size_t>(0, 3);
  std::vector<const Authorizer*> more = {&node, &rbac};
  more.insert(more.begin() + static_cast<std::ptrdiff_t>(place), &abstainer);
  for (const Question& question : all_questions()) {
    const Decision without = chain({&node, &rbac}, subject, question.attributes);
    const Decision with = chain(more, subject, question.attributes);
    RC_ASSERT(with.outcome == without.outcome);
    if (without.allowed()) RC_ASSERT(with.rule == without.rule);
    RC_ASSERT(with.reason == without.reason);
  }
}

Chain reference_chain(const RuleSet& rules) {
  return [&rules](std::vector<const Authorizer*> members, const Subject& subject, const Attributes& attributes) {
    return AuthorizerChain(rules, std::move(members)).authorize(subject, attributes);
  };
}

}  // namespace

BOOST_AUTO_TEST_CASE(who_has_no_opinion_changes_nothing) {
  const bool holds = rc::check("no_opinion", [] {
    const RuleSet& rules = any_rules();
    no_opinion(rules, Abstainer(), reference_chain(rules));
  });
  BOOST_TEST(holds);
}

BOOST_AUTO_TEST_CASE(that_law_refutes_a_chain_of_the_last_word_and_one_who_denies) {
  const RuleSet& rules = all_rules().back();
  const Chain last = [](std::vector<const Authorizer*> members, const Subject& subject, const Attributes& attributes) {
    return LastWord(std::move(members)).authorize(subject, attributes);
  };
  BOOST_TEST(refuted([&] { no_opinion(rules, Abstainer(), last); }));
  BOOST_TEST(refuted([&] { no_opinion(rules, Refuser(), reference_chain(rules)); }));
  BOOST_TEST(refuted([&] { no_opinion(rules, AlwaysAuthorizer(true), reference_chain(rules)); }));
}

BOOST_AUTO_TEST_SUITE_END()
