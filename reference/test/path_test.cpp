#include "reference/cluster/path.h"

#include <array>
#include <boost/test/unit_test.hpp>
#include <random>

#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(path)

using namespace nodebound;
using nodebound::test::rules_of;
using Cause = NearMiss::Cause;

namespace {

struct World {
  explicit World(std::string_view version = "1.36.3") : rules(rules_of(version)) {}

  RuleSet rules;
  Cluster cluster{rules};

  void pod(const std::string& name, const std::string& node, const Object& spec, bool mirror = false) {
    Object object = {{"metadata", {{"name", name}, {"namespace", "shop"}}}, {"spec", spec}};
    if (!node.empty()) object["spec"]["nodeName"] = node;
    if (mirror) object["metadata"]["annotations"][std::string(mirror_annotation)] = "x";
    cluster.put({"", "pods", "shop", name}, object);
  }
  void volume(const std::string& name, const Object& spec) {
    cluster.put({"", "persistentvolumes", "", name}, {{"metadata", {{"name", name}}}, {"spec", spec}});
  }

  [[nodiscard]] std::string path(ObjectKind kind, const std::string& name, const std::string& node) const {
    const bool namespaced = kind != ObjectKind::persistentvolume && kind != ObjectKind::volumeattachment;
    return described(path_to_node(rules, cluster, {kind, namespaced ? "shop" : "", name}, node));
  }
  [[nodiscard]] std::vector<NearMiss> misses(ObjectKind kind, const std::string& name, const std::string& node) const {
    return near_misses(rules, cluster, {kind, kind == ObjectKind::persistentvolume ? "" : "shop", name}, node);
  }
  [[nodiscard]] std::string described(const std::vector<PathStep>& steps) const {
    std::string out;
    for (const PathStep& step : steps) {
      out += (out.empty() ? "" : " <- ") + std::string(to_string(step.kind)) + " " + step.name + " (" +
             rules.catalogue()[step.edge].id + ")";
    }
    return out;
  }
};

const Object db_in_env = Object::parse(
    R"({"containers": [{"env": [{"valueFrom": {"secretKeyRef": {"name": "db"}}},
                                {"valueFrom": {"secretKeyRef": {"name": "db"}}}]}]})");
const Object data_volume = Object::parse(R"({"volumes": [{"persistentVolumeClaim": {"claimName": "data"}}]})");

}  // namespace

BOOST_AUTO_TEST_CASE(a_secret_leads_through_the_pod_that_names_it) {
  World world;
  world.pod("web", "a", db_in_env);
  BOOST_TEST(world.path(ObjectKind::secret, "db", "a") == "secret db (edge-secret-env) <- pod web (graph-pod-bound)");
  BOOST_TEST(world.path(ObjectKind::secret, "db", "b").empty());
  BOOST_TEST(world.path(ObjectKind::pod, "web", "a") == "pod web (graph-pod-bound)");
}

BOOST_AUTO_TEST_CASE(a_volume_and_its_secret_lead_through_the_claim) {
  World world;
  world.pod("web", "a", data_volume);
  world.volume("disk", Object::parse(R"({"claimRef": {"namespace": "shop", "name": "data"},
      "csi": {"nodeStageSecretRef": {"namespace": "shop", "name": "stage"}}})"));
  const std::string tail =
      "persistentvolume disk (edge-volume-claim-ref) <- persistentvolumeclaim data (edge-claim-volume) <- pod web "
      "(graph-pod-bound)";
  BOOST_TEST(world.path(ObjectKind::persistentvolume, "disk", "a") == tail);
  BOOST_TEST(world.path(ObjectKind::secret, "stage", "a") ==
             "secret stage (edge-volume-secret-csi-node-stage) <- " + tail);
}

BOOST_AUTO_TEST_CASE(an_object_that_names_its_node_leads_there) {
  World world;
  world.cluster.put({"storage.k8s.io", "volumeattachments", "", "va"}, {{"spec", {{"nodeName", "a"}}}});
  BOOST_TEST(world.path(ObjectKind::volumeattachment, "va", "a") == "volumeattachment va (attachment-of-node)");
  BOOST_TEST(world.path(ObjectKind::volumeattachment, "va", "b").empty());
}

BOOST_AUTO_TEST_CASE(a_miss_says_what_is_wrong_with_each_way) {
  World world;
  world.pod("elsewhere", "b", db_in_env);
  world.pod("mirror", "a", db_in_env, true);
  world.pod("waiting", "", db_in_env);
  const std::vector<NearMiss> misses = world.misses(ObjectKind::secret, "db", "a");
  BOOST_REQUIRE(misses.size() == 3U);
  BOOST_TEST(misses[0].steps.back().name == "elsewhere");
  BOOST_CHECK(misses[0].cause == Cause::other_node);
  BOOST_TEST(misses[0].node == "b");
  BOOST_CHECK(misses[1].cause == Cause::mirror_pod);
  BOOST_CHECK(misses[1].rule == Rule::graph_mirror_pod_alone);
  BOOST_CHECK(misses[2].cause == Cause::unbound);
}

BOOST_AUTO_TEST_CASE(what_only_controllers_use_is_a_miss_of_its_own) {
  World world;
  world.pod("web", "a", data_volume);
  world.volume("disk", Object::parse(R"({"claimRef": {"namespace": "shop", "name": "data"},
      "csi": {"controllerPublishSecretRef": {"namespace": "shop", "name": "publish"}}})"));
  const std::vector<NearMiss> misses = world.misses(ObjectKind::secret, "publish", "a");
  BOOST_REQUIRE(misses.size() == 1U);
  BOOST_CHECK(misses[0].cause == Cause::hidden_secret);
  BOOST_TEST(misses[0].steps.back().name == "disk");
}

BOOST_AUTO_TEST_CASE(an_edge_of_another_release_is_a_miss_that_names_it) {
  World world("1.13.0");
  world.pod("web", "a", Object::parse(R"({"volumes": [{"csi": {"nodePublishSecretRef": {"name": "db"}}}]})"));
  const std::vector<NearMiss> misses = world.misses(ObjectKind::secret, "db", "a");
  BOOST_REQUIRE(misses.size() == 1U);
  BOOST_CHECK(misses[0].cause == Cause::not_in_force);
  BOOST_CHECK(misses[0].rule == Rule::edge_secret_csi);
}

BOOST_AUTO_TEST_CASE(a_way_that_ends_before_a_pod_says_where) {
  World world;
  world.volume("free", Object::object());
  const auto only_cause = [&](ObjectKind kind, const std::string& name) {
    const std::vector<NearMiss> misses = world.misses(kind, name, "a");
    BOOST_REQUIRE(misses.size() == 1U);
    return misses.front().cause;
  };
  BOOST_CHECK(only_cause(ObjectKind::secret, "db") == Cause::unnamed);
  BOOST_CHECK(only_cause(ObjectKind::pod, "web") == Cause::not_there);
  BOOST_CHECK(only_cause(ObjectKind::persistentvolume, "disk") == Cause::not_there);
  BOOST_CHECK(only_cause(ObjectKind::persistentvolume, "free") == Cause::unclaimed);
}

BOOST_AUTO_TEST_CASE(fields_are_those_of_the_catalogue) {
  const Catalogue& catalogue = Catalogue::built_in();
  BOOST_TEST(field_of(catalogue, Rule::edge_secret_volume) == "spec.volumes[].secret.secretName");
  BOOST_TEST(field_of(catalogue, Rule::edge_volume_secret_rbd) == "spec.rbd.secretRef.name");
  BOOST_TEST(field_of(catalogue, Rule::graph_pod_bound) == "spec.nodeName");
  BOOST_TEST(field_of(catalogue, Rule::edge_volume_claim_ref) == "spec.claimRef");
}

namespace {

using Random = std::mt19937;

std::string one_of(Random& random, std::initializer_list<const char*> choices) {
  return *(choices.begin() + random() % choices.size());
}

Object random_pod_spec(Random& random) {
  const std::string name = one_of(random, {"x", "y", "z"});
  switch (random() % 7) {
    case 0:
      return {{"containers", {{{"envFrom", {{{"secretRef", {{"name", name}}}}}}}}}};
    case 1:
      return {{"ephemeralContainers", {{{"envFrom", {{{"configMapRef", {{"name", name}}}}}}}}}};
    case 2:
      return {{"volumes", {{{"persistentVolumeClaim", {{"claimName", name}}}}}}};
    case 3:
      return {{"volumes", {{{"csi", {{"nodePublishSecretRef", {{"name", name}}}}}}}}};
    case 4:
      return {{"resourceClaims", {{{"name", "r"}, {"resourceClaimName", name}}}}};
    case 5:
      return {{"volumes", {{{"name", name}, {"ephemeral", Object::object()}}}}};
    default:
      return {{"serviceAccountName", name}};
  }
}

Object random_volume_spec(Random& random) {
  Object spec = Object::object();
  if (random() % 4 != 0) spec["claimRef"] = {{"namespace", "shop"}, {"name", one_of(random, {"x", "y", "pod0-x"})}};
  const std::string field = one_of(random, {"nodeStageSecretRef", "nodeExpandSecretRef", "controllerPublishSecretRef"});
  spec["csi"][field] = {{"namespace", "shop"}, {"name", one_of(random, {"x", "y", "z"})}};
  return spec;
}

void fill(World& world, Random& random) {
  for (int i = 0; i < 6; ++i) {
    world.pod("pod" + std::to_string(i), one_of(random, {"", "a", "b"}), random_pod_spec(random), random() % 5 == 0);
  }
  for (const char* name : {"x", "y", "z"}) {
    world.volume(name, random_volume_spec(random));
    world.cluster.put({"storage.k8s.io", "volumeattachments", "", name},
                      {{"spec", {{"nodeName", one_of(random, {"a", "b"})}}}});
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_path_is_found_exactly_where_the_graph_leads) {
  constexpr std::array kinds = {ObjectKind::secret,
                                ObjectKind::configmap,
                                ObjectKind::persistentvolumeclaim,
                                ObjectKind::persistentvolume,
                                ObjectKind::serviceaccount,
                                ObjectKind::resourceclaim,
                                ObjectKind::pod,
                                ObjectKind::volumeattachment,
                                ObjectKind::resourceslice};
  int leading = 0;
  int missing = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    Random random(seed);
    World world(one_of(random, {"1.7.0", "1.9.0", "1.13.0", "1.18.0", "1.24.0", "1.36.3"}));
    fill(world, random);
    for (const ObjectKind kind : kinds) {
      const bool cluster_scoped = kind == ObjectKind::persistentvolume || kind == ObjectKind::volumeattachment;
      const std::string in = cluster_scoped ? "" : "shop";
      for (const std::string name : {"x", "y", "z", "pod0", "pod1", "pod0-x"}) {
        for (const std::string node : {"a", "b", "c"}) {
          const bool leads = world.cluster.graph().leads(kind, in, name, node);
          const bool found = !path_to_node(world.rules, world.cluster, {kind, in, name}, node).empty();
          BOOST_TEST(found == leads, "seed " << seed << ": " << to_string(kind) << " " << name << " to " << node);
          ++(leads ? leading : missing);
          if (!leads) BOOST_TEST(!near_misses(world.rules, world.cluster, {kind, in, name}, node).empty());
        }
      }
    }
  }
  BOOST_TEST(leading > 200);
  BOOST_TEST(missing > 200);
}

BOOST_AUTO_TEST_SUITE_END()
