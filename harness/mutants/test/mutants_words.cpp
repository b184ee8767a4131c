#include <boost/test/unit_test.hpp>

#include "harness/mutants/faults/conditions.h"
#include "harness/mutants/faults/misreadings.h"
#include "harness/mutants/known.h"

BOOST_AUTO_TEST_SUITE(mutants_words)

using namespace nodebound;
using namespace nodebound::mutants;

namespace {

Inquiry asked_by_node(const std::string& node) {
  Inquiry asked;
  asked.subject = {"system:node:" + node, {"system:nodes"}, {}, {}};
  asked.attributes.resource_request = true;
  return asked;
}

/// What a misreading makes of a question in a cluster.
struct Around {
  RuleSet rules = RuleSet(Catalogue::built_in(), *Release::make(Catalogue::built_in(), *Version::parse("1.36.3"), {}));
  Cluster cluster = Cluster(rules);
  HttpRequest request = {};

  [[nodiscard]] std::vector<Inquiry> misread(const std::string& word, const Inquiry& asked) const {
    const Result<Misreading> misreading = parse_misreading(word);
    BOOST_REQUIRE_MESSAGE(misreading.has_value(), word);
    return (*misreading)(asked, {cluster, request});
  }
  [[nodiscard]] bool holds(const std::string& words, const Inquiry& asked) const {
    const Result<Condition> condition = parse_condition(words);
    BOOST_REQUIRE_MESSAGE(condition.has_value(), words);
    return (*condition)(asked, {cluster, request});
  }
};

Object labels(const Object& of) {
  return {{"metadata", {{"labels", of}}}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(ids_fit_patterns) {
  BOOST_TEST(is_id_of("off:pcr-*", "off:pcr-gate"));
  BOOST_TEST(is_id_of("*", ""));
  BOOST_TEST(is_id_of("a*c*e", "abcde"));
  BOOST_TEST(!is_id_of("off:pcr-*", "on:pcr-gate"));
  BOOST_TEST(!is_id_of("off", "off:"));
}

BOOST_AUTO_TEST_CASE(the_words_of_attributes_mean_what_they_say) {
  const Around around;
  Inquiry asked = asked_by_node("a");
  asked.attributes.verb = "update";
  asked.attributes.subresource = "status";
  BOOST_TEST(around.holds("verb update", asked));
  BOOST_TEST(!around.holds("verb get", asked));
  BOOST_TEST(around.holds("not verb get", asked));
  BOOST_TEST(around.holds("verb update and any-subresource", asked));
  BOOST_TEST(!around.holds("verb update and subresource scale", asked));
  BOOST_TEST(around.holds("no-name", asked));
  asked.attributes.name = "a";
  BOOST_TEST(around.holds("own-name", asked));
  BOOST_TEST(around.misread("no-subresource", asked).front().attributes.subresource.empty());
  BOOST_TEST(around.misread("verb get", asked).front().attributes.verb == "get");
}

BOOST_AUTO_TEST_CASE(the_words_of_writes_mean_what_they_say) {
  Around around;
  Inquiry asked = asked_by_node("a");
  asked.admission = true;
  asked.old_object = labels({{"x", "1"}, {"y", "1"}});
  asked.object = labels({{"x", "1"}});
  BOOST_TEST(around.holds("only-removes /metadata/labels", asked));
  BOOST_TEST(!around.holds("only-adds /metadata/labels", asked));
  BOOST_TEST(around.misread("additions-of /metadata/labels", asked).front().object == asked.old_object);
  asked.object = labels({{"x", "2"}, {"y", "1"}});
  BOOST_TEST(around.holds("only-changes /metadata/labels", asked));
  BOOST_TEST(around.misread("keys-of /metadata/labels", asked).front().object == asked.old_object);
  BOOST_TEST(around.misread("kept /metadata", asked).front().object == asked.old_object);
  around.request = {"PATCH", "/api/v1/nodes/a?dryRun=All", "application/merge-patch+json", "", false};
  BOOST_TEST(around.holds("way merge", asked));
  BOOST_TEST(!around.holds("way put", asked));
  BOOST_TEST(around.holds("dry-run", asked));
}

BOOST_AUTO_TEST_CASE(a_label_is_taken_for_one_of_a_domain_only_by_the_loose_comparison) {
  BOOST_TEST(loosely_matches("ends", "xkubernetes.io", "kubernetes.io"));
  BOOST_TEST(!loosely_matches("ends", "x.kubernetes.io", "kubernetes.io"));
  BOOST_TEST(!loosely_matches("ends", "kubernetes.io", "kubernetes.io"));
  BOOST_TEST(loosely_matches("in", "x.kubernetes.io", "kubernetes.io"));
  BOOST_TEST(loosely_matches("begins", "kubernetes.io.example.com", "kubernetes.io"));
  BOOST_TEST(loosely_matches("case", "Kubernetes.IO", "kubernetes.io"));
}

BOOST_AUTO_TEST_CASE(names_are_taken_for_others_only_as_the_word_says) {
  BOOST_TEST(same_by("prefix", "node-10", "node-1"));
  BOOST_TEST(!same_by("prefix", "node-1", "node-10"));
  BOOST_TEST(same_by("prefix-of", "node-1", "node-10"));
  BOOST_TEST(same_by("suffix", "x-node", "node"));
  BOOST_TEST(same_by("dot", "node.a", "node.b"));
  BOOST_TEST(same_by("case", "NODE", "node"));
  BOOST_TEST(!same_by("prefix", "node", "node"));
  BOOST_TEST(!same_by("prefix", "node", ""));

  Around around;
  around.cluster.put({"", "nodes", "", "ab"}, Object::object());
  around.cluster.put({"", "nodes", "", "b"}, Object::object());
  const std::vector<Inquiry> taken = around.misread("node-prefix", asked_by_node("a"));
  BOOST_REQUIRE(taken.size() == 1U);
  BOOST_TEST(taken.front().subject.name == "system:node:ab");
  BOOST_TEST(around.misread("node-any", asked_by_node("a")).size() >= 2U);
}

BOOST_AUTO_TEST_SUITE_END()
