#include <boost/test/unit_test.hpp>
#include <string>

#include "reference/authorizer/policy.h"
#include "reference/authorizer/rbac_authorizer.h"
#include "reference/authorizer/role_escalation.h"
#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(rbac)

using namespace nodebound;
using nodebound::test::node_named;
using nodebound::test::rules_of;

namespace {

Attributes asked(std::string verb, std::string group, std::string resource, std::string subresource = {},
                 std::string namespace_ = {}, std::string name = {}) {
  Attributes out;
  out.verb = std::move(verb);
  out.resource_request = true;
  out.api_group = std::move(group);
  out.resource = std::move(resource);
  out.subresource = std::move(subresource);
  out.namespace_ = std::move(namespace_);
  out.name = std::move(name);
  return out;
}

Attributes asked_path(std::string verb, std::string path) {
  Attributes out;
  out.verb = std::move(verb);
  out.path = std::move(path);
  return out;
}

Subject user(std::string name, std::vector<std::string> groups = {}) {
  return {std::move(name), std::move(groups), "", {}};
}

struct World {
  RuleSet rules = rules_of("1.36.3");
  RbacObjects objects{rules};

  bool matches(const PolicyRule& rule, const Attributes& attributes) const { return covers(rules, rule, attributes); }
  Decision decide(const Subject& subject, const Attributes& attributes) const {
    return RbacAuthorizer(rules, objects).authorize(subject, attributes);
  }
  void role(const std::string& namespace_, const std::string& name, const char* rules_json) {
    objects.put(namespace_.empty() ? "clusterroles" : "roles", namespace_, name,
                {{"rules", Object::parse(rules_json)}});
  }
  void bind(const std::string& namespace_, const std::string& name, const char* kind, const std::string& role,
            const char* subjects) {
    objects.put(namespace_.empty() ? "clusterrolebindings" : "rolebindings", namespace_, name,
                {{"roleRef", {{"kind", kind}, {"name", role}}}, {"subjects", Object::parse(subjects)}});
  }
};

constexpr const char* read_pods = R"([{"verbs":["get","list"],"apiGroups":[""],"resources":["pods"]}])";
constexpr const char* jane = R"([{"kind":"User","name":"jane"}])";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(rules_of_roles, World)

BOOST_AUTO_TEST_CASE(verbs_are_listed_or_all) {
  const PolicyRule some{{"get", "list"}, {""}, {"pods"}, {}, {}};
  BOOST_TEST(matches(some, asked("get", "", "pods")));
  BOOST_TEST(!matches(some, asked("watch", "", "pods")));
  BOOST_TEST(!matches(some, asked("GET", "", "pods")));
  BOOST_TEST(!matches(some, asked("", "", "pods")));
  const PolicyRule all{{"*"}, {""}, {"pods"}, {}, {}};
  BOOST_TEST(matches(all, asked("anything", "", "pods")));
  BOOST_TEST(!matches({{}, {""}, {"pods"}, {}, {}}, asked("get", "", "pods")));
  BOOST_TEST(!matches({{"get*"}, {""}, {"pods"}, {}, {}}, asked("get", "", "pods")));
}

BOOST_AUTO_TEST_CASE(groups_are_listed_or_all) {
  const PolicyRule apps{{"get"}, {"apps"}, {"*"}, {}, {}};
  BOOST_TEST(matches(apps, asked("get", "apps", "deployments")));
  BOOST_TEST(!matches(apps, asked("get", "", "pods")));
  BOOST_TEST(!matches(apps, asked("get", "apps.example.com", "deployments")));
  BOOST_TEST(matches({{"get"}, {"*"}, {"pods"}, {}, {}}, asked("get", "", "pods")));
  BOOST_TEST(!matches({{"get"}, {}, {"pods"}, {}, {}}, asked("get", "", "pods")));
}

BOOST_AUTO_TEST_CASE(a_resource_does_not_stand_for_its_subresources) {
  struct Row {
    const char* resource;
    const char* subresource;
    std::vector<std::string> listed;
    bool matches;
  };
  const std::vector<Row> rows = {
      {"pods", "", {"pods"}, true},
      {"pods", "log", {"pods"}, false},
      {"pods", "log", {"pods/log"}, true},
      {"pods", "", {"pods/log"}, false},
      {"pods", "exec", {"pods/log"}, false},
      {"pods", "log", {"*"}, true},
      {"pods", "", {"*"}, true},
      {"pods", "log", {"*/log"}, true},
      {"services", "log", {"*/log"}, true},
      {"pods", "", {"*/log"}, false},
      {"pods", "log", {"pods/*"}, false},
      {"pods", "", {"pods/*"}, false},
      {"pods", "log", {"*/*"}, false},
      {"pods", "", {"pods/"}, false},
      {"pods", "", {"*/"}, false},
      {"pods", "log", {"nodes", "pods/log"}, true},
      {"pods", "log", {"log"}, false},
      {"pods", "log", {"pods/logs"}, false},
      {"pods", "log", {"pod/log"}, false},
      // A review may ask about a resource whose name contains the slash.
      {"pods/log", "", {"pods/log"}, true},
      {"pods/log", "", {"*/log"}, false},
      {"", "", {"pods"}, false},
  };
  for (const Row& row : rows) {
    BOOST_TEST_CONTEXT(row.resource << "/" << row.subresource << " by " << row.listed.back()) {
      BOOST_TEST(matches({{"get"}, {""}, row.listed, {}, {}}, asked("get", "", row.resource, row.subresource)) ==
                 row.matches);
    }
  }
}

BOOST_AUTO_TEST_CASE(names_must_be_asked_for_exactly) {
  const PolicyRule one{{"get", "list", "create"}, {""}, {"secrets"}, {"a", "b"}, {}};
  BOOST_TEST(matches(one, asked("get", "", "secrets", "", "ns", "a")));
  BOOST_TEST(matches(one, asked("list", "", "secrets", "", "ns", "b")));
  BOOST_TEST(!matches(one, asked("list", "", "secrets", "", "ns")));
  BOOST_TEST(!matches(one, asked("get", "", "secrets", "", "ns", "c")));
  BOOST_TEST(!matches({{"get"}, {""}, {"secrets"}, {"*"}, {}}, asked("get", "", "secrets", "", "ns", "a")));
  BOOST_TEST(matches({{"get"}, {""}, {"secrets"}, {}, {}}, asked("get", "", "secrets", "", "ns", "a")));
}

BOOST_AUTO_TEST_CASE(urls_are_exact_or_have_a_star_at_the_end) {
  const auto covers_path = [&](const char* url, const char* path) {
    return matches({{"get"}, {}, {}, {}, {url}}, asked_path("get", path));
  };
  BOOST_TEST(covers_path("/healthz", "/healthz"));
  BOOST_TEST(!covers_path("/healthz", "/healthz/"));
  BOOST_TEST(!covers_path("/healthz", "/healthz/etcd"));
  BOOST_TEST(covers_path("/healthz/*", "/healthz/etcd"));
  BOOST_TEST(covers_path("/healthz/*", "/healthz/"));
  BOOST_TEST(!covers_path("/healthz/*", "/healthz"));
  BOOST_TEST(covers_path("/health*", "/healthz"));
  BOOST_TEST(covers_path("/health***", "/healthz"));
  BOOST_TEST(covers_path("*", "/anything"));
  BOOST_TEST(!covers_path("/*/x", "/a/x"));
  BOOST_TEST(!matches({{"get"}, {}, {}, {}, {"/healthz"}}, asked_path("post", "/healthz")));
}

BOOST_AUTO_TEST_CASE(rules_for_urls_and_for_resources_do_not_mix) {
  BOOST_TEST(!matches({{"*"}, {"*"}, {"*"}, {}, {}}, asked_path("get", "/healthz")));
  BOOST_TEST(!matches({{"*"}, {}, {}, {}, {"*"}}, asked("get", "", "pods")));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(bindings, World)

BOOST_AUTO_TEST_CASE(a_cluster_role_binding_holds_everywhere) {
  role("", "reader", read_pods);
  bind("", "readers", "ClusterRole", "reader", jane);
  for (const char* in : {"", "ns", "other"}) {
    const Decision decision = decide(user("jane"), asked("get", "", "pods", "", in, "p"));
    BOOST_TEST(decision.allowed());
    BOOST_TEST(decision.reason ==
               R"(RBAC: allowed by ClusterRoleBinding "readers" of ClusterRole "reader" to User "jane")");
  }
  const Decision refused = decide(user("jane"), asked("delete", "", "pods", "", "ns", "p"));
  BOOST_TEST((refused.outcome == Decision::Outcome::no_opinion));
  BOOST_TEST(refused.reason == "");
}

BOOST_AUTO_TEST_CASE(a_role_binding_holds_in_its_namespace) {
  role("ns", "reader", read_pods);
  role("", "cluster-reader", R"([{"verbs":["get"],"apiGroups":[""],"resources":["secrets","nodes"]}])");
  bind("ns", "readers", "Role", "reader", jane);
  bind("ns", "cluster-readers", "ClusterRole", "cluster-reader", R"([{"kind":"Group","name":"crew"}])");
  BOOST_TEST(decide(user("jane"), asked("get", "", "pods", "", "ns", "p")).reason ==
             R"(RBAC: allowed by RoleBinding "readers/ns" of Role "reader" to User "jane")");
  BOOST_TEST(!decide(user("jane"), asked("get", "", "pods", "", "other", "p")).allowed());
  BOOST_TEST(!decide(user("jane"), asked("list", "", "pods")).allowed());
  BOOST_TEST(decide(user("joe", {"crew"}), asked("get", "", "secrets", "", "ns", "s")).reason ==
             R"(RBAC: allowed by RoleBinding "cluster-readers/ns" of ClusterRole "cluster-reader" to Group "crew")");
  BOOST_TEST(!decide(user("joe", {"crew"}), asked("get", "", "nodes", "", "", "n1")).allowed());
}

BOOST_AUTO_TEST_CASE(users_and_groups_are_compared_exactly) {
  role("", "reader", read_pods);
  bind("", "users", "ClusterRole", "reader", jane);
  bind("", "groups", "ClusterRole", "reader", R"([{"kind":"Group","name":"crew"}])");
  const Attributes get = asked("get", "", "pods", "", "ns", "p");
  BOOST_TEST(decide(user("x", {"a", "crew"}), get).allowed());
  for (const Subject& other :
       {user("Jane"), user("jane "), user("crew"), user("x", {"jane"}), user("x", {"Crew"}), user("")}) {
    BOOST_TEST(!decide(other, get).allowed(), other.name);
  }
}

BOOST_AUTO_TEST_CASE(a_service_account_is_a_user_of_a_certain_name) {
  role("", "reader", read_pods);
  bind("", "named", "ClusterRole", "reader", R"([{"kind":"ServiceAccount","namespace":"apps","name":"bot"}])");
  bind("ns", "here", "ClusterRole", "reader", R"([{"kind":"ServiceAccount","name":"local"}])");
  bind("", "nowhere", "ClusterRole", "reader", R"([{"kind":"ServiceAccount","name":"lost"}])");
  const Attributes get = asked("get", "", "pods", "", "ns", "p");
  BOOST_TEST(decide(user("system:serviceaccount:apps:bot"), get).reason ==
             R"(RBAC: allowed by ClusterRoleBinding "named" of ClusterRole "reader" to ServiceAccount "bot/apps")");
  BOOST_TEST(decide(user("system:serviceaccount:ns:local"), get).reason ==
             R"(RBAC: allowed by RoleBinding "here/ns" of ClusterRole "reader" to ServiceAccount "local/ns")");
  BOOST_TEST(!decide(user("system:serviceaccount:other:bot"), get).allowed());
  BOOST_TEST(!decide(user("system:serviceaccount::lost"), get).allowed());
  BOOST_TEST(!decide(user("bot"), get).allowed());
}

BOOST_AUTO_TEST_CASE(a_subject_of_another_kind_is_nobody) {
  role("", "reader", read_pods);
  bind("", "odd", "ClusterRole", "reader",
       R"([{"kind":"Robot","name":"jane"},{"kind":"user","name":"jane"},{"name":"jane"},7,null])");
  BOOST_TEST(!decide(user("jane"), asked("get", "", "pods")).allowed());
}

BOOST_AUTO_TEST_CASE(a_missing_role_is_named_in_the_refusal) {
  bind("", "b1", "ClusterRole", "gone", jane);
  const Attributes get = asked("get", "", "pods", "", "ns", "p");
  BOOST_TEST(decide(user("jane"), get).reason == R"(RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found)");
  BOOST_TEST(decide(user("joe"), get).reason == "");
  bind("ns", "b2", "Role", "lost", jane);
  BOOST_TEST(
      decide(user("jane"), get).reason ==
      R"(RBAC: [clusterrole.rbac.authorization.k8s.io "gone" not found, role.rbac.authorization.k8s.io "lost" not found])");
}

BOOST_AUTO_TEST_CASE(a_role_that_several_bindings_miss_is_named_once) {
  bind("", "b1", "ClusterRole", "gone", jane);
  bind("", "b2", "ClusterRole", "gone", jane);
  BOOST_TEST(decide(user("jane"), asked("get", "", "pods")).reason ==
             R"(RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found)");
}

BOOST_AUTO_TEST_CASE(a_missing_role_does_not_hide_another_binding) {
  bind("", "a", "ClusterRole", "gone", jane);
  role("", "reader", read_pods);
  bind("", "b", "ClusterRole", "reader", jane);
  BOOST_TEST(decide(user("jane"), asked("get", "", "pods")).allowed());
}

BOOST_AUTO_TEST_CASE(what_is_removed_no_longer_grants) {
  role("", "reader", read_pods);
  bind("", "readers", "ClusterRole", "reader", jane);
  objects.erase("clusterrolebindings", "", "readers");
  BOOST_TEST(!decide(user("jane"), asked("get", "", "pods")).allowed());
  bind("", "readers", "ClusterRole", "reader", jane);
  role("", "reader", R"([])");
  BOOST_TEST(!decide(user("jane"), asked("get", "", "pods")).allowed());
  objects.erase("clusterroles", "", "reader");
  BOOST_TEST(decide(user("jane"), asked("get", "", "pods")).reason.starts_with("RBAC: clusterrole"));
}

BOOST_AUTO_TEST_CASE(objects_of_hostile_types_grant_nothing) {
  for (const Object& value :
       {Object(nullptr), Object(7), Object("x"), Object::array({1, "x", nullptr}), Object{{"verbs", "*"}}}) {
    BOOST_CHECK_NO_THROW(objects.put("clusterroles", "", "r", value));
    BOOST_CHECK_NO_THROW(objects.put("clusterroles", "", "r", {{"rules", value}}));
    BOOST_CHECK_NO_THROW(objects.put("clusterrolebindings", "", "b", {{"roleRef", value}, {"subjects", value}}));
    BOOST_CHECK_NO_THROW(objects.put("clusterrolebindings", "", "b", value));
    BOOST_TEST(!decide(user("x"), asked("get", "", "pods")).allowed());
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(bootstrap_roles, World)

BOOST_AUTO_TEST_CASE(the_role_of_nodes_is_bound_to_nobody) {
  BOOST_TEST(objects.role("", "system:node") != nullptr);
  BOOST_TEST(objects.bindings().at({"", "system:node"})->subjects.empty());
  BOOST_TEST(!decide(node_named("n1"), asked("get", "", "secrets", "", "ns", "s")).allowed());
  BOOST_TEST(!decide(node_named("n1"), asked("list", "", "services")).allowed());
}

BOOST_AUTO_TEST_CASE(the_role_of_nodes_has_the_static_rules_of_nodes) {
  bind("", "all-nodes", "ClusterRole", "system:node", R"([{"kind":"Group","name":"system:nodes"}])");
  const Subject node = node_named("n1");
  for (const Attributes& request :
       {asked("get", "", "secrets", "", "ns", "any"), asked("watch", "", "configmaps"), asked("list", "", "pods"),
        asked("create", "", "pods", "eviction", "ns", "p"), asked("patch", "", "nodes", "status", "", "n2"),
        asked("get", "", "persistentvolumeclaims", "status", "ns", "c"),
        asked("create", "", "serviceaccounts", "token", "ns", "sa"),
        asked("get", "", "serviceaccounts", "", "ns", "sa"),
        asked("deletecollection", "resource.k8s.io", "resourceslices")}) {
    BOOST_TEST(decide(node, request).allowed(), request.verb << " " << request.full_resource());
  }
  for (const Attributes& request :
       {asked("update", "", "secrets", "", "ns", "any"), asked("delete", "", "nodes", "", "", "n1"),
        asked("get", "resource.k8s.io", "resourceslices", "", "", "s"), asked("patch", "", "pods", "", "ns", "p"),
        asked("list", "certificates.k8s.io", "podcertificaterequests"),
        asked("list", "certificates.k8s.io", "clustertrustbundles")}) {
    BOOST_TEST(!decide(node, request).allowed(), request.verb << " " << request.full_resource());
  }
}

BOOST_AUTO_TEST_CASE(every_authenticated_user_reads_discovery_and_asks_about_itself) {
  const Subject node = node_named("n1");
  for (const char* path :
       {"/api", "/api/v1", "/apis/apps", "/healthz", "/livez", "/readyz", "/version", "/openapi/v3"}) {
    BOOST_TEST(decide(node, asked_path("get", path)).allowed(), path);
  }
  BOOST_TEST(!decide(node, asked_path("get", "/metrics")).allowed());
  BOOST_TEST(!decide(node, asked_path("post", "/api")).allowed());
  BOOST_TEST(!decide(node, asked_path("get", "/logs/x")).allowed());
  BOOST_TEST(decide(node, asked("create", "authorization.k8s.io", "selfsubjectaccessreviews")).allowed());
  BOOST_TEST(decide(node, asked("create", "authentication.k8s.io", "selfsubjectreviews")).allowed());
}

BOOST_AUTO_TEST_CASE(anonymous_users_read_health_and_version_only) {
  const Subject anonymous = user("system:anonymous", {"system:unauthenticated"});
  BOOST_TEST(decide(anonymous, asked_path("get", "/version")).allowed());
  BOOST_TEST(decide(anonymous, asked_path("get", "/healthz")).allowed());
  BOOST_TEST(!decide(anonymous, asked_path("get", "/api")).allowed());
  BOOST_TEST(!decide(anonymous, asked("create", "authorization.k8s.io", "selfsubjectaccessreviews")).allowed());
}

BOOST_AUTO_TEST_CASE(kube_proxy_reads_what_it_needs) {
  const Subject proxy = user("system:kube-proxy");
  BOOST_TEST(decide(proxy, asked("list", "", "services")).allowed());
  BOOST_TEST(decide(proxy, asked("watch", "", "nodes")).allowed());
  BOOST_TEST(decide(proxy, asked("list", "discovery.k8s.io", "endpointslices")).allowed());
  BOOST_TEST(decide(proxy, asked("watch", "networking.k8s.io", "servicecidrs")).allowed());
  BOOST_TEST(decide(proxy, asked("create", "events.k8s.io", "events", "", "ns")).allowed());
  BOOST_TEST(!decide(proxy, asked("get", "", "secrets", "", "ns", "s")).allowed());
  BOOST_TEST(!decide(proxy, asked("get", "", "services", "", "ns", "s")).allowed());
}

BOOST_AUTO_TEST_CASE(the_api_of_kubelets_is_for_its_admins) {
  const Attributes proxy = asked("get", "", "nodes", "proxy", "", "n1");
  BOOST_TEST(!decide(user("jane"), proxy).allowed());
  bind("", "admins", "ClusterRole", "system:kubelet-api-admin", jane);
  BOOST_TEST(decide(user("jane"), proxy).allowed());
  BOOST_TEST(decide(user("jane"), asked("create", "", "nodes", "pods", "", "n1")).allowed());
  BOOST_TEST(!decide(user("jane"), asked("get", "", "nodes", "spec", "", "n1")).allowed());
  BOOST_TEST(!decide(user("jane"), asked("get", "", "nodes", "checkpoint", "", "n1")).allowed());
  const RuleSet before = rules_of("1.32.0");
  RbacObjects old(before);
  old.put("clusterrolebindings", "", "admins",
          {{"roleRef", {{"kind", "ClusterRole"}, {"name", "system:kubelet-api-admin"}}},
           {"subjects", Object::parse(jane)}});
  BOOST_TEST(RbacAuthorizer(before, old).authorize(user("jane"), proxy).allowed());
  BOOST_TEST(
      !RbacAuthorizer(before, old).authorize(user("jane"), asked("get", "", "nodes", "pods", "", "n1")).allowed());
}

BOOST_AUTO_TEST_CASE(cluster_admins_may_do_everything) {
  const Subject admin = user("x", {"system:masters"});
  BOOST_TEST(decide(admin, asked("anything", "any.group", "things", "sub", "ns", "name")).allowed());
  BOOST_TEST(decide(admin, asked_path("delete", "/any/path")).allowed());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(bindings_of_a_subject_are_found_in_the_order_of_their_names) {
  World world;
  const char* many = R"([{"kind":"User","name":"jane"},{"kind":"Group","name":"g9"},{"kind":"Group","name":"g1"},
                         {"kind":"ServiceAccount","name":"till","namespace":"shop"}])";
  const char* one = R"([{"kind":"Group","name":"g5"}])";
  for (const char* name : {"d", "a", "c"}) world.bind("shop", name, "Role", "r", many);
  world.bind("shop", "b", "Role", "r", one);
  world.bind("other", "x", "Role", "r", many);
  const auto names = [&](const std::string& user_name, const std::vector<std::string>& groups) {
    RbacObjects::BindingsOf bindings(world.objects, user_name, groups);
    bindings.start("shop");
    std::string out;
    while (const RbacObjects::Binding* binding = bindings.next()) out += binding->name;
    return out;
  };
  std::vector<std::string> groups;
  for (int i = 0; i < 12; ++i) groups.push_back("g" + std::to_string(i));
  BOOST_TEST(names("jane", groups) == "abcd");
  BOOST_TEST(names("jane", {}) == "acd");
  BOOST_TEST(names("system:serviceaccount:shop:till", {}) == "acd");
  BOOST_TEST(names("till", {"jane"}) == "");
  world.bind("shop", "c", "Role", "r", one);
  BOOST_TEST(names("jane", {}) == "ad");
  BOOST_TEST(names("", {"g5"}) == "bc");
  world.objects.erase("rolebindings", "shop", "a");
  BOOST_TEST(names("jane", groups) == "bcd");
}

BOOST_AUTO_TEST_CASE(parts_are_covered_by_a_single_rule) {
  const auto missing = [](PolicyRule held, const PolicyRule& granted) {
    return permissions_missing({std::move(held)}, {granted}).size();
  };
  const PolicyRule pods{{"get", "list"}, {""}, {"pods"}, {}, {}};
  BOOST_TEST(missing(pods, pods) == 0U);
  BOOST_TEST(missing(pods, {{"get", "watch"}, {"", "apps"}, {"pods"}, {}, {}}) == 3U);
  BOOST_TEST(missing(pods, {{"*"}, {""}, {"pods"}, {}, {}}) == 1U);
  BOOST_TEST(missing({{"*"}, {"*"}, {"*"}, {}, {}}, {{"get"}, {"apps"}, {"pods/log"}, {"web"}, {}}) == 0U);
  BOOST_TEST(missing(pods, {{"get"}, {""}, {"pods/log"}, {}, {}}) == 1U);
  BOOST_TEST(missing({{"get"}, {""}, {"*/log"}, {}, {}}, {{"get"}, {""}, {"pods/log"}, {}, {}}) == 0U);
  BOOST_TEST(missing({{"get"}, {""}, {"pods/*"}, {}, {}}, {{"get"}, {""}, {"pods/log"}, {}, {}}) == 1U);
  BOOST_TEST(missing({{"get"}, {""}, {"pods"}, {"web"}, {}}, {{"get"}, {""}, {"pods"}, {}, {}}) == 1U);
  BOOST_TEST(missing({{"get"}, {""}, {"pods"}, {"web"}, {}}, {{"get"}, {""}, {"pods"}, {"web", "db"}, {}}) == 1U);
  BOOST_TEST(missing(pods, {{"get"}, {""}, {"pods"}, {"web"}, {}}) == 0U);
  BOOST_TEST(missing({{"get"}, {}, {}, {}, {"/logs/*"}}, {{"get"}, {}, {}, {}, {"/logs/a", "/logs", "/logs/**"}}) ==
             1U);
  BOOST_TEST(missing({{"get"}, {}, {}, {}, {"*"}}, {{"get"}, {}, {}, {}, {"/logs", "*"}}) == 0U);
  BOOST_TEST(missing({{"*"}, {"*"}, {"*"}, {}, {}}, {{"get"}, {}, {}, {}, {"/logs"}}) == 1U);
  BOOST_TEST(missing(pods, {{"get"}, {}, {}, {}, {}}) == 0U, "a rule without resources grants nothing");
}

BOOST_AUTO_TEST_CASE(a_refused_grant_lists_what_its_author_lacks) {
  const PolicyRule granted{{"get", "list"}, {"", "apps"}, {"pods"}, {}, {}};
  const PolicyRule named{{"get"}, {""}, {"secrets"}, {"b", "a"}, {}};
  const PolicyRule path{{"get"}, {}, {}, {}, {"/logs"}};
  const auto why = [&](const char* release) {
    World world{rules_of(release)};
    world.role("", "reader", R"([{"verbs":["get"],"apiGroups":[""],"resources":["pods"]}])");
    world.bind("", "reader", "ClusterRole", "reader", jane);
    world.bind("shop", "lost", "Role", "gone", jane);
    const RoleEscalation escalation(world.rules, world.objects);
    BOOST_TEST(!escalation.refused(user("jane"), {"", "roles", {}}));
    BOOST_TEST(!escalation.holds_everything(user("jane"), "shop"));
    return escalation.refused(user("jane", {"team", "all"}), {"shop", "roles", {granted, named, path}}).value();
  };
  const std::string list = R"({APIGroups:[""], Resources:["pods"], Verbs:["list"]})"
                           "\n"
                           R"({APIGroups:[""], Resources:["secrets"], ResourceNames:["a"], Verbs:["get"]})"
                           "\n"
                           R"({APIGroups:[""], Resources:["secrets"], ResourceNames:["b"], Verbs:["get"]})"
                           "\n"
                           R"({APIGroups:["apps"], Resources:["pods"], Verbs:["get" "list"]})"
                           "\n"
                           R"({NonResourceURLs:["/logs"], Verbs:["get"]})";
  BOOST_TEST(why("1.36.3") == R"(user "jane" (groups=["team" "all"]) is attempting to grant RBAC permissions )"
                              "not currently held:\n" +
                                  list + R"(; resolution errors: [roles.rbac.authorization.k8s.io "gone" not found])");
  BOOST_TEST(why("1.11.0") ==
             R"(attempt to grant extra privileges: [{[list] [] [pods] [] []} {[get] [apps] [pods] [] []} )"
             R"({[list] [apps] [pods] [] []} {[get] [] [secrets] [b] []} {[get] [] [secrets] [a] []} )"
             R"({[get] [] [] [] [/logs]}] user=&{jane  [team all] map[]} )"
             R"(ownerrules=[{[get] [] [pods] [] []}] )"
             R"(ruleResolutionErrors=[roles.rbac.authorization.k8s.io "gone" not found])");
  BOOST_TEST(why("1.9.0").find(R"([PolicyRule{Resources:["pods"], APIGroups:[""], Verbs:["list"]} )") !=
             std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
