// That the two copies of a cluster stay the same, whatever is written to them: objects of all sorts, well-formed or
// not.
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "reference/cluster/two_copies.h"
#include "reference/test/laws/history.h"

BOOST_AUTO_TEST_SUITE(copied_cluster)

using namespace nodebound;
using namespace nodebound::test;

namespace {

/// Collections that the graph or RBAC follows, and one that nothing follows.
const std::vector<ObjectKey>& followed() {
  static const std::vector<ObjectKey> all = {
      {"", "pods", "s", ""},
      {"", "persistentvolumes", "", ""},
      {"", "nodes", "", ""},
      {"", "configmaps", "s", ""},
      {"storage.k8s.io", "volumeattachments", "", ""},
      {"resource.k8s.io", "resourceslices", "", ""},
      {"certificates.k8s.io", "podcertificaterequests", "s", ""},
      {"rbac.authorization.k8s.io", "roles", "s", ""},
      {"rbac.authorization.k8s.io", "clusterroles", "", ""},
      {"rbac.authorization.k8s.io", "rolebindings", "s", ""},
      {"rbac.authorization.k8s.io", "clusterrolebindings", "", ""},
  };
  return all;
}

/// Writes of a seed.
class Writes {
 public:
  explicit Writes(unsigned seed) : random_(seed) {}

  Event next() {
    ObjectKey key = followed()[below(followed().size())];
    key.name = names[below(names.size())];
    if (below(4) == 0) return {key, nullptr};
    Object object = whole(key);
    for (std::size_t damages = below(3); damages > 0; --damages) damage(object);
    return {key, std::make_shared<const Object>(std::move(object))};
  }

 private:
  std::size_t below(std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_); }
  std::string name() { return names[below(names.size())]; }
  std::string node() { return nodes[below(nodes.size())]; }

  /// An object with all that decisions read of its kind.
  Object whole(const ObjectKey& key) {
    const Object named = {{"namespace", "s"}, {"name", name()}};
    Object out = {{"metadata", {{"namespace", key.namespace_}, {"name", key.name}, {"uid", name()}}}};
    out["spec"] = {
        {"nodeName", node()},
        {"serviceAccountName", name()},
        {"claimRef", named},
        {"csi", {{"nodeStageSecretRef", named}, {"controllerPublishSecretRef", named}}},
        {"configSource", {{"configMap", named}}},
        {"volumes",
         {{{"name", "v"}, {"secret", {{"secretName", name()}}}}, {{"name", "e"}, {"ephemeral", Object::object()}}}},
        {"resourceClaims", {{{"name", "c"}, {"resourceClaimTemplateName", name()}}}},
        {"containers", {{{"envFrom", {{{"configMapRef", {{"name", name()}}}}}}}}}};
    out["status"] = {{"phase", below(8) == 0 ? "Failed" : "Running"},
                     {"resourceClaimStatuses", {{{"name", "c"}, {"resourceClaimName", name()}}}}};
    out["rules"] = {{{"verbs", {"get"}}, {"apiGroups", {""}}, {"resources", {"secrets"}}, {"resourceNames", {name()}}}};
    out["roleRef"] = {{"kind", key.namespace_.empty() ? "ClusterRole" : "Role"}, {"name", name()}};
    out["subjects"] = {{{"kind", "User"}, {"name", "system:node:" + node()}}};
    return out;
  }

  /// Puts a value of another type in the place of some value.
  void damage(Object& object) {
    static const std::vector<Object> others = {nullptr,
                                               true,
                                               7,
                                               -1.5,
                                               "",
                                               "x",
                                               Object::array(),
                                               Object::object(),
                                               {{"name", 7}},
                                               {"x", nullptr, {{"name", "x"}}}};
    Object* at = &object;
    while (at->is_structured() && !at->empty() && below(4) != 0) {
      at = &*std::next(at->begin(), static_cast<std::ptrdiff_t>(below(at->size())));
    }
    *at = others[below(others.size())];
  }

  std::mt19937 random_;
};

/// All that decisions take from a cluster.
std::string contents_of(const Cluster& cluster, const RuleSet& rules) {
  std::ostringstream out;
  for (const ObjectKey& of : followed()) {
    cluster.each(of.group, of.resource, "", [&](const ObjectKey& key, const Object& object) {
      out << key.resource << key.name << object << "\n";
    });
  }
  for (const Question& question : all_questions()) out << decision_on(cluster, rules, question).allowed();
  out << "\n" << cluster.graph().object_count();
  for (const auto& [key, role] : cluster.rbac().roles()) out << "\n" << key.first << "/" << key.second << role.size();
  for (const auto& [key, binding] : cluster.rbac().bindings()) {
    out << "\n" << key.first << "/" << key.second << binding->role << binding->subjects.size();
  }
  return out.str();
}

/// Clusters cannot be moved, so the copies are made where they are kept.
struct Copied {
  explicit Copied(const RuleSet& of) : rules(of), clusters([&] { return Cluster(of); }) {}

  void write(const Event& event) {
    clusters.write([&](Cluster& cluster) { arrive(cluster, event); });
  }
  [[nodiscard]] std::string contents(std::size_t copy) const { return contents_of(clusters.both()[copy], rules); }

  const RuleSet& rules;
  TwoCopies<Cluster> clusters;
};

}  // namespace

BOOST_AUTO_TEST_CASE(both_are_the_same_after_any_writes) {
  // All releases, because they follow objects in other ways.
  for (const RuleSet& rules : all_rules()) {
    Copied copied(rules);
    Cluster alone(rules);
    Writes writes(static_cast<unsigned>(&rules - all_rules().data()));
    for (int i = 0; i < 300; ++i) {
      const Event event = writes.next();
      copied.write(event);
      arrive(alone, event);
      if (i % 30 != 0) continue;
      const std::string expected = contents_of(alone, rules);
      BOOST_TEST(copied.contents(0) == expected);
      BOOST_TEST(copied.contents(1) == expected);
    }
  }
}

// For the thread sanitizer, too (preset tsan).
BOOST_AUTO_TEST_CASE(decisions_beside_a_writer_are_those_of_one_moment) {
  const RuleSet& rules = all_rules().back();
  Copied copied(rules);
  const Question here = {"n", reading("", "secrets", true, "x")};
  const Question there = {"nn", reading("", "secrets", true, "x")};
  const Object volume = {{"name", "v"}, {"secret", {{"secretName", "x"}}}};
  const auto moved = [&](const char* node, int life) {
    return pod_event(pod_of("p", std::to_string(life), node, {volume}, "x", false));
  };
  copied.write(moved("n", 0));
  std::atomic<bool> ends = false;
  std::atomic<int> reads = 0;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i) {
    readers.emplace_back([&] {
      while (!ends) {
        const bool one = copied.clusters.read([&](const Cluster& cluster) {
          return decision_on(cluster, rules, here).allowed() != decision_on(cluster, rules, there).allowed();
        });
        wrong += one ? 0 : 1;
        ++reads;
      }
    });
  }
  Writes writes(7);
  for (int life = 1; life < 200 || reads < 100; ++life) {
    Event other = writes.next();
    other.key.namespace_ = "other";
    copied.write(moved(life % 2 == 0 ? "n" : "nn", life));
    // Elsewhere, so that memory of what is read moves while it is read.
    if (other.key.resource == "configmaps") copied.write(other);
  }
  ends = true;
  for (std::thread& reader : readers) reader.join();
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_SUITE_END()
