// That a cluster finds the pods of a node, and the objects of a name, without a look at the others.
#include <array>
#include <boost/test/unit_test.hpp>
#include <random>
#include <string>
#include <vector>

#include "reference/cluster/cluster.h"
#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(pods_of_nodes)

using namespace nodebound;
using nodebound::test::rules_of;

namespace {

constexpr std::array<const char*, 4> namespaces_of_pods = {"a", "a-b", "b", "c"};
constexpr std::array<const char*, 5> names_of_pods = {"p", "pp", "p-p", "q", "r"};
constexpr std::array<const char*, 4> nodes_of_pods = {"", "n", "nn", "n.n"};

template <typename Texts>
const char* any(const Texts& texts, std::mt19937& random) {
  return texts[std::uniform_int_distribution<std::size_t>(0, texts.size() - 1)(random)];
}

using Found = std::vector<std::string>;

Cluster::KeptVisitor adds_to(Found& found) {
  return [&found](const std::string& in, const std::string& name, const KeptObject& object) {
    found.push_back(in + "/" + name + " " + object.json());
  };
}

// The same by a look at every pod.
Found by_all(const Cluster& cluster, std::string_view in, const std::function<bool(const Object&)>& wanted) {
  Found found;
  cluster.each_kept("", "pods", in,
                    [&](const std::string& namespace_, const std::string& name, const KeptObject& object) {
                      if (wanted(*object.open())) adds_to(found)(namespace_, name, object);
                    });
  return found;
}

void compare(const Cluster& cluster) {
  for (const std::string in : {"", "a", "a-b", "c", "absent"}) {
    for (const std::string node : {"n", "nn", "n.n", "absent"}) {
      Found found;
      cluster.each_pod_of_node(node, in, adds_to(found));
      BOOST_TEST(found == by_all(cluster, in, [&](const Object& pod) { return text(pod, "spec", "nodeName") == node; }),
                 boost::test_tools::per_element());
    }
    for (const std::string name : {"p", "q", "absent"}) {
      Found found;
      cluster.each_named("", "pods", in, name, adds_to(found));
      BOOST_TEST(found == by_all(cluster, in, [&](const Object& pod) { return text(pod, "metadata", "name") == name; }),
                 boost::test_tools::per_element());
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(whatever_was_written) {
  // 1.8 forgets no deleted pod in its graph; 1.36 does.
  for (const char* release : {"1.8.0", "1.36.3"}) {
    const RuleSet rules = rules_of(release);
    Cluster cluster(rules);
    CommonTexts common;
    std::mt19937 random(25);
    std::size_t most = 0;
    for (int write = 0; write < 600; ++write) {
      const ObjectKey key{"", "pods", any(namespaces_of_pods, random), any(names_of_pods, random)};
      if (random() % 4 == 0) {
        cluster.erase(key);
      } else {
        Object pod = {{"metadata", {{"name", key.name}, {"namespace", key.namespace_}}},
                      {"spec", {{"nodeName", any(nodes_of_pods, random)}}}};
        if (random() % 5 == 0) pod["status"]["phase"] = "Succeeded";
        if (random() % 7 == 0) pod["spec"] = "damaged";
        auto shared = std::make_shared<const Object>(std::move(pod));
        cluster.put_shared(key, random() % 2 == 0 ? KeptObject::as_text(shared, common) : KeptObject(shared));
      }
      Found found;
      cluster.each_pod_of_node("n", "", adds_to(found));
      most = std::max(most, found.size());
      compare(cluster);
    }
    BOOST_TEST(most > 3);
  }
}

BOOST_AUTO_TEST_SUITE_END()
