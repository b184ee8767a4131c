#include "reference/admission/pod_placement.h"

#include <boost/test/unit_test.hpp>

#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(pod_placement)

using namespace nodebound;
using namespace nodebound::test;

namespace {

const std::string let_pass;
const Object nothing_before;
const std::string conflict = "pod node label selector conflicts with its namespace node label selector";
const std::string not_listed = "pod node label selector labels conflict with its namespace whitelist";
const std::string of_namespace =
    "pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist";
const std::string of_cluster =
    "pod tolerations (possibly merged with namespace default tolerations) conflict with its cluster whitelist";

const std::string annotation = "scheduler.alpha.kubernetes.io/";

Object pod_with(const Object& spec) {
  return {{"metadata", {{"name", "m"}}}, {"spec", spec}};
}

Object json(const char* text) {
  return Object::parse(text);
}

struct Placed {
  explicit Placed(PlacementSettings placement_, std::string_view version = "1.36.3")
      : rules(rules_of(version)), cluster(rules), placement(std::move(placement_)) {}

  void annotate(const std::string& key, const std::string& value) {
    cluster.put({"", "namespaces", "", "shop"}, {{"metadata", {{"annotations", {{annotation + key, value}}}}}});
  }

  /// What becomes of the pod, or why it is refused.
  template <typename Plugin>
  std::string with(const Object& spec, Object& out, Operation operation = Operation::create) const {
    const Plugin plugin(rules, cluster, placement);
    const Subject subject{"somebody", {}, "", {}};
    out = pod_with(spec);
    const AdmissionRequest request{operation, subject, "", "pods", "", "shop", "m", out, nothing_before};
    Admission refusal = plugin.complete(request, out);
    if (!refusal) refusal = plugin.admit(request);
    return refusal ? refusal->reason : let_pass;
  }
  [[nodiscard]] std::string selecting(const char* selector) const {
    Object out;
    return with<PodNodeSelector>({{"nodeSelector", json(selector)}}, out);
  }
  [[nodiscard]] std::string tolerating(const char* tolerations) const {
    Object out;
    return with<PodTolerationRestriction>({{"tolerations", json(tolerations)}}, out);
  }
  [[nodiscard]] Object tolerations_of(const Object& spec, Operation operation = Operation::create) const {
    Object out;
    BOOST_TEST(with<PodTolerationRestriction>(spec, out, operation) == let_pass);
    return member(out, "spec", "tolerations");
  }

  RuleSet rules;
  Cluster cluster;
  PlacementSettings placement;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_pod_gets_the_selector_of_its_namespace_or_else_the_clusters) {
  Placed world({{{"clusterDefaultNodeSelector", "pool=general"}}, nullptr, nullptr});
  Object out;
  BOOST_TEST(world.with<PodNodeSelector>(Object::object(), out) == let_pass);
  BOOST_TEST(member(out, "spec", "nodeSelector") == json(R"({"pool":"general"})"));
  BOOST_TEST(world.selecting(R"({"pool":"gpu"})") == conflict);
  world.annotate("node-selector", " env = prod , disk=ssd");
  BOOST_TEST(world.with<PodNodeSelector>({{"nodeSelector", {{"zone", "x"}}}}, out) == let_pass);
  BOOST_TEST(member(out, "spec", "nodeSelector") == json(R"({"disk":"ssd","env":"prod","zone":"x"})"));
  BOOST_TEST(world.selecting(R"({"pool":"gpu"})") == let_pass);
  BOOST_TEST(world.selecting(R"({"env":"dev"})") == conflict);
  world.annotate("node-selector", "");
  BOOST_TEST(world.selecting(R"({"pool":"gpu"})") == let_pass);
}

BOOST_AUTO_TEST_CASE(a_namespace_with_a_list_has_no_other_labels) {
  Placed world({{{"shop", "env=prod,disk=ssd"}}, nullptr, nullptr});
  BOOST_TEST(world.selecting(R"({"env":"prod"})") == let_pass);
  BOOST_TEST(world.selecting(R"({"env":"dev"})") == not_listed);
  BOOST_TEST(world.selecting(R"({"zone":"x"})") == not_listed);
  world.annotate("node-selector", "zone=x");
  BOOST_TEST(world.selecting("{}") == not_listed);
  BOOST_TEST(Placed({{{"shop", ""}}, nullptr, nullptr}).selecting(R"({"zone":"x"})") == let_pass);
  BOOST_TEST(Placed({{{"vault", "env=prod"}}, nullptr, nullptr}).selecting(R"({"zone":"x"})") == let_pass);
}

BOOST_AUTO_TEST_CASE(a_selector_that_cannot_be_read_refuses_every_pod) {
  Placed world({{}, nullptr, nullptr});
  world.annotate("node-selector", "env=a=b,x");
  BOOST_TEST(world.selecting("{}") == "invalid selector: [env a b]");
  world.annotate("node-selector", "env=prod,x");
  BOOST_TEST(world.selecting("{}") == "invalid selector: [x]");
  world.annotate("node-selector", "e nv=a");
  BOOST_TEST(world.selecting("{}") ==
             "<nil>: Invalid value: \"e nv\": name part must consist of alphanumeric characters, '-', '_' or '.', and "
             "must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex "
             "used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')");
  world.annotate("node-selector", "env=-");
  BOOST_TEST(world.selecting("{}").starts_with("[env]: Invalid value: \"-\": a valid label must be "));
}

BOOST_AUTO_TEST_CASE(tolerations_that_others_cover_are_left_out) {
  Placed world({{}, json(R"([{"key":"a","operator":"Exists"}])"), nullptr});
  BOOST_TEST(world.tolerations_of(Object::object()) == json(R"([{"key":"a","operator":"Exists"}])"));
  const Object own = {
      {"tolerations",
       json(R"([{"key":"a","operator":"Equal","value":"1","effect":"NoSchedule"},{"key":"b","operator":"Exists"}])")}};
  BOOST_TEST(world.tolerations_of(own) == json(R"([{"key":"b","operator":"Exists"},{"key":"a","operator":"Exists"}])"));
  BOOST_TEST(world.tolerations_of(own, Operation::update) == own["tolerations"]);
  world.annotate("defaultTolerations", "");
  BOOST_TEST(world.tolerations_of(own) == own["tolerations"]);
  world.annotate("defaultTolerations", R"([{"key":"b","operator":"Exists"}])");
  BOOST_TEST(world.tolerations_of(own) == own["tolerations"]);
}

BOOST_AUTO_TEST_CASE(a_pod_that_asks_for_something_tolerates_a_lack_of_memory) {
  const Placed world({{}, nullptr, nullptr});
  const auto asking = [](const char* kind, const char* what, const Object& amount) {
    return Object{{"containers", Object::array({{{"resources", {{kind, {{what, amount}}}}}}})}};
  };
  const Object lack =
      json(R"([{"key":"node.kubernetes.io/memory-pressure","operator":"Exists","effect":"NoSchedule"}])");
  BOOST_TEST(world.tolerations_of(asking("requests", "cpu", "100m")) == lack);
  BOOST_TEST(world.tolerations_of(asking("limits", "memory", "64Mi")) == lack);
  BOOST_TEST(world.tolerations_of(asking("limits", "memory", "64Mi"), Operation::update) == lack);
  BOOST_TEST(world.tolerations_of(asking("requests", "cpu", "0")).is_null());
  BOOST_TEST(world.tolerations_of(asking("requests", "cpu", "0e3")).is_null());
  BOOST_TEST(world.tolerations_of(asking("requests", "ephemeral-storage", "1Gi")).is_null());
}

BOOST_AUTO_TEST_CASE(tolerations_are_on_the_whitelist_of_the_namespace_or_else_the_clusters) {
  const char* list =
      R"([{"key":"a","operator":"Equal","value":"1","effect":"NoSchedule"},{"key":"b","operator":"Exists"},{"key":"c","operator":"Exists","effect":"NoExecute","tolerationSeconds":60}])";
  Placed world({{}, nullptr, json(list)});
  const std::vector<std::pair<const char*, bool>> cases = {
      {R"([])", true},
      {R"([{"key":"a","operator":"Equal","value":"1","effect":"NoSchedule"}])", true},
      {R"([{"key":"a","operator":"Equal","value":"2","effect":"NoSchedule"}])", false},
      {R"([{"key":"a","operator":"Equal","value":"1","effect":"NoExecute"}])", false},
      {R"([{"key":"a","operator":"Equal","value":"1"}])", false},
      {R"([{"key":"a","value":"1","effect":"NoSchedule"}])", false},
      {R"([{"key":"a","operator":"Exists","effect":"NoSchedule"}])", false},
      {R"([{"key":"b","value":"1"}])", true},
      {R"([{"key":"bb","operator":"Exists"}])", false},
      {R"([{"operator":"Exists"}])", false},
      {R"([{"key":"c","operator":"Exists","effect":"NoExecute","tolerationSeconds":60}])", true},
      {R"([{"key":"c","operator":"Exists","effect":"NoExecute","tolerationSeconds":61}])", false},
      {R"([{"key":"c","operator":"Exists","effect":"NoExecute"}])", false},
      {R"([{"key":"b","operator":"Exists"},{"key":"z","operator":"Exists"}])", false},
  };
  for (const auto& [tolerations, listed] : cases) {
    BOOST_TEST(world.tolerating(tolerations) == (listed ? let_pass : of_cluster), tolerations);
  }
  world.annotate("tolerationsWhitelist", list);
  world.placement.tolerations_whitelist = json(R"([{"key":"z","operator":"Exists"}])");
  for (const auto& [tolerations, listed] : cases) {
    BOOST_TEST(world.tolerating(tolerations) == (listed ? let_pass : of_namespace), tolerations);
  }
  world.annotate("tolerationsWhitelist", "");
  BOOST_TEST(world.tolerating(R"([{"key":"q","operator":"Exists"}])") == let_pass);
  world.annotate("tolerationsWhitelist", "[");
  BOOST_TEST(world.tolerating(R"([{"key":"q","operator":"Exists"}])") == "the tolerations cannot be read");
  BOOST_TEST(world.tolerating("[]") == let_pass);
}

BOOST_AUTO_TEST_CASE(what_is_no_pod_or_no_new_one_is_left_alone) {
  Placed world({{{"clusterDefaultNodeSelector", "pool=general"}}, nullptr, nullptr});
  Object out;
  BOOST_TEST(world.with<PodNodeSelector>({{"nodeSelector", {{"pool", "gpu"}}}}, out, Operation::update) == let_pass);
  const Subject subject{"somebody", {}, "", {}};
  const Object pod = pod_with({{"nodeSelector", {{"pool", "gpu"}}}});
  const PodNodeSelector plugin(world.rules, world.cluster, world.placement);
  BOOST_TEST(!plugin.admit({Operation::create, subject, "", "pods", "binding", "shop", "m", pod, nothing_before}));
  BOOST_TEST(!plugin.admit({Operation::create, subject, "", "secrets", "", "shop", "m", pod, nothing_before}));
  BOOST_TEST(plugin.admit({Operation::create, subject, "", "pods", "", "shop", "m", pod, nothing_before}).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
