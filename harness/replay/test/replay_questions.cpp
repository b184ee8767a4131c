#include <boost/test/unit_test.hpp>

#include "harness/replay/clients/least_grant.h"
#include "harness/replay/test/replayed_log.h"

BOOST_AUTO_TEST_SUITE(replay_questions)

using namespace nodebound;
using namespace nodebound::replay;
using namespace nodebound::test;

namespace {

constexpr const char* rbac_v1 = "rbac.authorization.k8s.io/v1";

ClusterObject binding_of_node_role() {
  Object binding = {{"apiVersion", rbac_v1},
                    {"kind", "ClusterRoleBinding"},
                    {"metadata", {{"name", "old"}}},
                    {"roleRef", {{"kind", "ClusterRole"}, {"name", "system:node"}}}};
  binding["subjects"] = Object::array({Object{{"kind", "Group"}, {"name", "system:nodes"}}});
  return {{"rbac.authorization.k8s.io", "clusterrolebindings", "", "old"}, std::move(binding), ""};
}

WrittenEvent labels_itself(const std::string& label) {
  WrittenEvent out{.verb = "create", .uri = "/api/v1/nodes", .code = 201};
  out.request = {{"apiVersion", "v1"}, {"kind", "Node"}, {"metadata", {{"name", "a"}, {"labels", {{label, "x"}}}}}};
  return out;
}

WrittenEvent by_kubelet(const std::string& user, const std::vector<std::string>& groups) {
  WrittenEvent out;
  out.user = user;
  out.groups = groups;
  return out;
}

std::string with_user_agent(const WrittenEvent& event, const std::string& user_agent) {
  Object json = event.json();
  json["userAgent"] = user_agent;
  return json.dump() + "\n";
}

std::vector<std::string> clients_of(const Replay& replay) {
  std::vector<std::string> out;
  for (const Finding& client : replay.clients) out.push_back(client.id + " " + client.who);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(node_restriction_that_is_turned_on_refuses_labels) {
  const std::string log = labels_itself("node-role.kubernetes.io/worker").line();
  Asked asked{.from = "1.36.3"};
  BOOST_TEST(replayed_text(log, asked).newly_refused == 0U);
  asked.from_setting.node_restriction = false;
  const Replay replay = replayed_text(log, asked);
  BOOST_REQUIRE(replay.newly_refused == 1U);
  BOOST_TEST(replay.disagreeing == 0U);
  BOOST_TEST(replay.findings[0].rule == "node-kubernetes-labels-create");
  BOOST_TEST(replay.from.without == std::vector<std::string>{"NodeRestriction"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_changes_at_the_release_with_which_a_rule_came_is_found) {
  const std::string log = labels_itself("node-role.kubernetes.io/worker").line();
  for (const char* version : {"1.30.0", "1.31.0", "1.32.0"}) {
    Asked asked{.from = version, .to = version};
    asked.from_setting.node_restriction = false;
    const Replay replay = replayed_text(log, asked);
    BOOST_REQUIRE(replay.newly_refused == 1U);
    BOOST_TEST(replay.findings[0].since == std::string(version).substr(0, 4));
  }
}

BOOST_AUTO_TEST_CASE(node_restriction_that_is_turned_on_lets_harmless_labels_be) {
  Asked asked{.from = "1.36.3"};
  asked.from_setting.node_restriction = false;
  BOOST_TEST(replayed_text(labels_itself("pool").line(), asked).newly_refused == 0U);
}

BOOST_AUTO_TEST_CASE(a_selector_of_a_namespace_refuses_mirror_pods_once_its_plugin_is_on) {
  const auto mirror_pod = [](const Object& selector, int second) {
    WrittenEvent out{.verb = "create", .uri = "/api/v1/namespaces/shop/pods", .code = 201, .second = second};
    out.request = {
        {"apiVersion", "v1"},
        {"kind", "Pod"},
        {"metadata",
         {{"name", "m"},
          {"annotations", {{"kubernetes.io/config.mirror", "x"}}},
          {"ownerReferences",
           {{{"apiVersion", "v1"}, {"kind", "Node"}, {"name", "a"}, {"uid", "u"}, {"controller", true}}}}}},
        {"spec", {{"nodeName", "a"}, {"nodeSelector", selector}, {"containers", {{{"name", "c"}, {"image", "i"}}}}}}};
    return out.line();
  };
  const Object selecting = {
      {"apiVersion", "v1"},
      {"kind", "Namespace"},
      {"metadata",
       {{"name", "shop"}, {"annotations", {{"scheduler.alpha.kubernetes.io/node-selector", "pool=shop"}}}}}};
  const std::string log =
      created("/api/v1/nodes", {{"apiVersion", "v1"}, {"kind", "Node"}, {"metadata", {{"name", "a"}, {"uid", "u"}}}}, 0)
          .line() +
      created("/api/v1/namespaces", selecting, 1).line() + mirror_pod({{"pool", "bank"}}, 10) +
      mirror_pod(Object::object(), 11);
  Asked asked{.from = "1.36.3"};
  BOOST_TEST(replayed_text(log, asked).newly_refused == 0U);
  asked.to_setting.added.names = {"PodNodeSelector"};
  const Replay replay = replayed_text(log, asked);
  BOOST_TEST(replay.disagreeing == 0U);
  BOOST_REQUIRE(replay.newly_refused == 1U);
  BOOST_TEST(replay.findings[0].rule == "pod-selector-of-namespace");
  BOOST_TEST(replay.from.without == std::vector<std::string>{"PodNodeSelector"}, boost::test_tools::per_element());
  // The file lists what the namespace's own selector is held against, too.
  asked.to_setting.added.placement.node_selectors = {{"shop", "disk=ssd"}};
  BOOST_TEST(replayed_text(log, asked).newly_refused == 2U);
}

BOOST_AUTO_TEST_CASE(a_node_that_changes_owners_must_be_able_to_delete_once_that_plugin_is_on) {
  WrittenEvent patch{.verb = "patch", .uri = "/api/v1/nodes/a/status", .second = 10};
  Object owner = {{"apiVersion", "v1"}, {"kind", "Node"}, {"name", "b"}, {"uid", "u"}};
  patch.request = {{"metadata", {{"ownerReferences", Object::array({std::move(owner)})}}}};
  const Object node = {{"apiVersion", "v1"}, {"kind", "Node"}, {"metadata", {{"name", "a"}}}};
  const std::string log = created("/api/v1/nodes", node, 0).line() + patch.line();
  Asked asked{.from = "1.30.0", .to = "1.30.0"};
  BOOST_TEST(replayed_text(log, asked).newly_refused == 0U);
  asked.to_setting.added.names = {"OwnerReferencesPermissionEnforcement"};
  const Replay replay = replayed_text(log, asked);
  BOOST_REQUIRE(replay.newly_refused == 1U);
  BOOST_TEST(replay.findings[0].rule == "owner-change-needs-delete");
  asked.from_setting = asked.to_setting;
  BOOST_TEST(replayed_text(log, asked).disagreeing == 1U);
}

BOOST_AUTO_TEST_CASE(without_the_binding_of_its_role_a_node_may_no_longer_read_all_nodes) {
  Asked asked{.from = "1.36.3", .default_rbac = false, .cluster = {binding_of_node_role()}};
  const std::string log = WrittenEvent{}.line();
  BOOST_TEST(replayed_text(log, asked).newly_refused == 0U);
  asked.to_setting.node_role_bound = false;
  const Replay replay = replayed_text(log, asked);
  BOOST_TEST(replay.disagreeing == 0U);
  BOOST_REQUIRE(replay.newly_refused == 1U);
  BOOST_TEST(replay.findings[0].request == "list nodes");
}

BOOST_AUTO_TEST_CASE(a_log_of_servers_without_the_node_authorizer_agrees_with_its_record) {
  Asked asked{.from = "1.31.0", .to = "1.31.0", .default_rbac = false, .cluster = {binding_of_node_role()}};
  asked.from_setting.node_authorizer = false;
  const Replay replay = replayed_text(WrittenEvent{}.line(), asked);
  BOOST_TEST(replay.disagreeing == 0U);
  BOOST_TEST(replay.compared == 1U);
}

BOOST_AUTO_TEST_CASE(clients_are_told_apart) {
  const Replay replay =
      replayed_text(with_user_agent(WrittenEvent{}, "kubelet/v1.31.0 (linux)") +
                    with_user_agent(WrittenEvent{.second = 1}, "flanneld/v0.26 (linux)") +
                    with_user_agent(by_kubelet("kubelet", {"system:nodes"}), "kubelet/v1.31.0 (linux)") +
                    with_user_agent(by_kubelet("system:node:b", {"x"}), "kubelet/v1.31.0 (linux)"));
  BOOST_TEST(clients_of(replay) == (std::vector<std::string>{"kubelet-without-identity kubelet/v1.31.0",
                                                             "node-outside-group kubelet/v1.31.0",
                                                             "agent-with-node-credentials flanneld/v0.26"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_kubelet_that_joins_is_no_stranger) {
  WrittenEvent joins = by_kubelet("system:bootstrap:abcdef", {"system:bootstrappers"});
  joins.verb = "create";
  joins.uri = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
  BOOST_TEST(replayed_text(with_user_agent(joins, "kubelet/v1.31.0")).clients.empty());
}

BOOST_AUTO_TEST_CASE(an_agent_keeps_working_with_the_least_roles) {
  const std::string log =
      with_user_agent(WrittenEvent{}, "flanneld/v0.26") +
      with_user_agent(WrittenEvent{.uri = "/api/v1/namespaces/shop/pods?fieldSelector=spec.nodeName%3Da", .second = 1},
                      "flanneld/v0.26");
  const LogFile file(log);
  const RuleSet from = rules_of("1.31.0");
  const RuleSet to = rules_of("1.36.3");
  ReplayQuestion question;
  question.logs = {file.path()};
  question.from = &from;
  question.to = &to;
  std::vector<AgentOfNodes> agents;
  BOOST_REQUIRE(replay::replay(question, &agents).has_value());
  const auto grants = least_grants(question, agents);
  BOOST_REQUIRE(grants.has_value());
  BOOST_REQUIRE(grants->size() == 1U);
  BOOST_TEST(grants->front().account == "flanneld");
  BOOST_TEST(grants->front().tried == 2U);
  BOOST_TEST(grants->front().refused == 0U);
  const std::string yaml = to_yaml(*grants);
  BOOST_TEST(yaml.find("kind: ClusterRole\n") != std::string::npos, yaml);
  BOOST_TEST(yaml.find("kind: RoleBinding\n") != std::string::npos, yaml);
  BOOST_TEST(yaml.find("of 2 requests that the log allowed, 0 would be refused") != std::string::npos, yaml);
}

BOOST_AUTO_TEST_CASE(roles_that_lack_something_are_told) {
  const LogFile file(with_user_agent(WrittenEvent{}, "flanneld/v0.26"));
  const RuleSet from = rules_of("1.31.0");
  const RuleSet to = rules_of("1.36.3");
  ReplayQuestion question;
  question.logs = {file.path()};
  question.from = &from;
  question.to = &to;
  const auto grants = least_grants(question, {{"flanneld/v0.26", {{"get", "", "nodes", "", ""}}, {}, false}});
  BOOST_REQUIRE(grants.has_value());
  BOOST_TEST(grants->front().tried == 1U);
  BOOST_TEST(grants->front().refused == 1U);
}

BOOST_AUTO_TEST_CASE(standard_input_cannot_be_read_again) {
  ReplayQuestion question;
  question.logs = {"-"};
  BOOST_TEST(!least_grants(question, {}).has_value());
}

BOOST_AUTO_TEST_CASE(kubelets_that_share_a_name_are_told_apart_by_what_they_ask_for_and_from_where) {
  const auto shared = [](const std::string& verb, const std::string& uri, const std::string& address, int second) {
    WrittenEvent event{.verb = verb, .uri = uri, .user = "kubelet", .groups = {"system:masters"}, .second = second};
    Object json = event.json();
    json["userAgent"] = "kubelet/v1.36.3 (linux)";
    json["sourceIPs"] = Object::array({address});
    return json.dump() + "\n";
  };
  const std::string log = shared("get", "/api/v1/nodes/a", "10.0.0.1", 1) +
                          shared("list", "/api/v1/nodes", "10.0.0.1", 2) +
                          shared("list", "/api/v1/nodes", "10.0.0.2", 3);
  const RuleSet rules = rules_of("1.36.3");
  const LogFile file(log);
  ReplayQuestion question;
  question.logs = {file.path()};
  question.from = question.to = &rules;
  question.default_rbac = true;
  BOOST_TEST(nodebound::replay::replay(question)->newly_refused == 0U);
  question.own_names = true;
  const Replay asked = nodebound::replay::replay(question).value();
  BOOST_TEST(asked.disagreeing == 0U);
  BOOST_TEST(asked.unchanged == 1U);
  BOOST_REQUIRE(asked.newly_refused == 1U);
  BOOST_TEST(asked.findings[0].request == "list nodes");
  BOOST_REQUIRE(asked.unknowns.size() == 1U);
  BOOST_TEST(asked.unknowns[0].reason == "which-node");
}

BOOST_AUTO_TEST_CASE(audiences_that_no_pod_names_are_refused_once_they_are_restricted) {
  const auto asks = [](const std::string& audience) {
    WrittenEvent token{.verb = "create", .uri = "/api/v1/namespaces/shop/serviceaccounts/default/token", .code = 201};
    token.second = 10;
    token.request = {{"kind", "TokenRequest"}, {"apiVersion", "authentication.k8s.io/v1"}};
    token.request["spec"] = {
        {"audiences", Object::array({audience})},
        {"boundObjectRef", {{"kind", "Pod"}, {"apiVersion", "v1"}, {"name", "web"}, {"uid", "u"}}}};
    Object pod = pod_with_secret("web", "a", "s");
    pod["metadata"]["uid"] = "u";
    pod["spec"]["serviceAccountName"] = "default";
    pod["spec"]["volumes"].push_back(
        {{"name", "t"},
         {"projected",
          {{"sources", Object::array({Object{{"serviceAccountToken", {{"audience", "vault"}, {"path", "t"}}}}})}}}});
    const std::string log = created("/api/v1/namespaces/shop/pods", pod, 1).line() + token.line();
    return replayed_text(log, {.from = "1.31.0", .to = "1.33.0", .whole_state = true});
  };
  BOOST_TEST(asks("vault").newly_refused == 0U);
  BOOST_TEST(asks("vault").disagreeing == 0U);
  BOOST_TEST(asks("other").newly_refused == 1U);
}

BOOST_AUTO_TEST_CASE(of_labels_that_agents_set_only_the_keys_are_kept) {
  WrittenEvent patch{.verb = "patch", .uri = "/api/v1/nodes/a"};
  patch.request = {{"metadata", {{"labels", {{"pool", "nobody's business"}, {"old", nullptr}}}}}};
  WrittenEvent annotation{.verb = "patch", .uri = "/api/v1/nodes/a", .second = 1};
  annotation.request = {{"metadata", {{"annotations", {{"a", "b"}}}}}};
  const LogFile file(patch.line() + annotation.line());
  const RuleSet rules = rules_of("1.36.3");
  ReplayQuestion question;
  question.logs = {file.path()};
  question.from = question.to = &rules;
  std::vector<AgentOfNodes> agents;
  BOOST_REQUIRE(replay::replay(question, &agents).has_value());
  BOOST_REQUIRE(agents.size() == 1U);
  const std::set<std::string> expected = {
      R"(PATCH /api/v1/nodes/{node} {"metadata":{"labels":{"old":null,"pool":""}}})"};
  BOOST_TEST(agents[0].requests == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
