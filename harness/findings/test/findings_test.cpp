#include <boost/test/unit_test.hpp>

#include "harness/findings/acceptances.h"
#include "harness/findings/relevance.h"
#include "reference/release/catalogue.h"

BOOST_AUTO_TEST_SUITE(findings)

using namespace nodebound;

namespace {

Release release_at(const char* version) {
  return *Release::make(Catalogue::built_in(), *Version::parse(version), {});
}

Upgrade upgrade(const char* from, const char* to) {
  return {Catalogue::built_in(), release_at(from), release_at(to), {}};
}

const std::vector<ReleaseRange>& in_force(Rule rule) {
  return Catalogue::built_in()[rule].in_force;
}

Finding finding_of(const std::string& id, const std::string& who) {
  Finding out;
  out.id = id;
  out.who = who;
  out.rules = {"node-read-not-all"};
  return out;
}

constexpr const char* one = R"([[accept]]
finding = "kubelet-credentials"
who = "DaemonSet logging/*"
reason = "tried"
until = "2027-01-31"
)";

}  // namespace

BOOST_AUTO_TEST_CASE(a_rule_matters_from_its_release_on_and_its_gate_puts_it_off) {
  const Relevance relevance = upgrade("1.31.4", "1.33.1").relevance(in_force(Rule::node_read_not_all));
  BOOST_TEST(!relevance.before);
  BOOST_TEST(relevance.then);
  BOOST_TEST(relevance.since == "1.32");
  BOOST_TEST(relevance.put_off_by == std::vector<std::string>{"AuthorizeNodeWithSelectors=false"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_locked_gate_puts_nothing_off) {
  BOOST_TEST(upgrade("1.31.4", "1.36.3").relevance(in_force(Rule::node_read_not_all)).put_off_by.empty());
}

BOOST_AUTO_TEST_CASE(what_mattered_before_is_not_new) {
  BOOST_TEST(upgrade("1.33.1", "1.36.3").relevance(in_force(Rule::node_read_not_all)).before);
  BOOST_TEST(!upgrade("1.30.1", "1.31.4").relevance(in_force(Rule::node_read_not_all)).then);
}

BOOST_AUTO_TEST_CASE(without_ranges_it_matters_always) {
  const Relevance relevance = upgrade("1.31.4", "1.36.3").relevance({});
  BOOST_TEST(relevance.before);
  BOOST_TEST(relevance.then);
  BOOST_TEST(relevance.since.empty());
}

BOOST_AUTO_TEST_CASE(an_acceptance_covers_whom_it_names) {
  auto acceptances = Acceptances::read(one, "accept.toml", "2026-12-01");
  BOOST_REQUIRE(acceptances.has_value());
  BOOST_TEST(acceptances->reason_for(finding_of("kubelet-credentials", "DaemonSet logging/x")) ==
             "tried (until 2027-01-31)");
  BOOST_TEST(acceptances->reason_for(finding_of("kubelet-credentials", "DaemonSet kube-system/x")).empty());
  BOOST_TEST(acceptances->reason_for(finding_of("nodes-proxy", "DaemonSet logging/x")).empty());
  BOOST_TEST(acceptances->notes().empty());
}

BOOST_AUTO_TEST_CASE(an_acceptance_ends) {
  auto acceptances = Acceptances::read(one, "accept.toml", "2027-02-01");
  BOOST_REQUIRE(acceptances.has_value());
  BOOST_TEST(acceptances->reason_for(finding_of("kubelet-credentials", "DaemonSet logging/x")).empty());
  BOOST_REQUIRE(acceptances->notes().size() == 1U);
  BOOST_TEST(acceptances->notes()[0] == "the acceptance at accept.toml:1 ended with 2027-01-31");
}

BOOST_AUTO_TEST_CASE(an_acceptance_that_nothing_needs_is_said) {
  const auto acceptances = Acceptances::read(one, "accept.toml", "2026-12-01");
  BOOST_REQUIRE(acceptances.has_value());
  BOOST_REQUIRE(acceptances->notes().size() == 1U);
  BOOST_TEST(acceptances->notes()[0] == "no finding needs the acceptance at accept.toml:1");
}

BOOST_AUTO_TEST_CASE(an_acceptance_needs_a_reason_and_an_end) {
  for (const char* text : {"[[accept]]\nfinding = \"a\"\nreason = \"r\"\n",
                           "[[accept]]\nfinding = \"a\"\nreason = \"\"\nuntil = \"2027-01-31\"\n",
                           "[[accept]]\nfinding = \"a\"\nreason = \"r\"\nuntil = \"soon\"\n",
                           "[[accept]]\nfinding = \"a\"\nreason = \"r\"\nuntil = \"2027-01-31\"\nx = 1\n"}) {
    const auto acceptances = Acceptances::read(text, "accept.toml", "2026-12-01");
    BOOST_REQUIRE(!acceptances.has_value());
    BOOST_TEST(acceptances.error().where.starts_with("accept.toml:"));
  }
}

BOOST_AUTO_TEST_CASE(a_star_stands_for_any_text) {
  BOOST_TEST(matches_pattern("a*c*", "abbc"));
  BOOST_TEST(matches_pattern("*", ""));
  BOOST_TEST(!matches_pattern("a*c", "abcd"));
  BOOST_TEST(matches_pattern("*b*d", "abcbd"));
  BOOST_TEST(!matches_pattern("", "a"));
}

BOOST_AUTO_TEST_SUITE_END()
