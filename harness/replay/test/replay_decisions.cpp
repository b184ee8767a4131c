#include <boost/test/unit_test.hpp>

#include "harness/replay/test/replayed_log.h"

BOOST_AUTO_TEST_SUITE(replay_decisions)

using namespace nodebound;
using namespace nodebound::replay;
using namespace nodebound::test;

namespace {

const std::string db = "/api/v1/namespaces/shop/secrets/db";

WrittenEvent gets_secret(int second, int code = 200) {
  return {.verb = "get", .uri = db, .code = code, .second = second, .decision = code == 403 ? "forbid" : "allow"};
}

std::string unknown_of(const Replay& replay) {
  return replay.unknowns.size() == 1 ? replay.unknowns[0].reason : std::to_string(replay.unknowns.size()) + " reasons";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_node_that_lists_all_nodes_is_newly_refused) {
  const Replay replay =
      replayed_text(WrittenEvent{}.line() + WrittenEvent{.user = "system:node:b", .second = 9}.line());
  BOOST_REQUIRE(replay.findings.size() == 1U);
  const Replay::Finding& finding = replay.findings[0];
  BOOST_TEST(finding.rule == "node-read-not-all");
  BOOST_TEST(finding.who == "nodes");
  BOOST_TEST(finding.count == 2U);
  BOOST_TEST(finding.subjects == 2U);
  BOOST_TEST(finding.user_agent == "agent/v1");
  BOOST_TEST(finding.first == "2026-12-01T09:00:00Z");
  BOOST_TEST(finding.last == "2026-12-01T09:00:09Z");
  BOOST_TEST(finding.since == "1.32");
  BOOST_TEST(!finding.advice.empty());
  BOOST_TEST(replay.decided() == 2U);
  BOOST_TEST(replay.compared == 2U);
  BOOST_TEST(replay.disagreeing == 0U);
}

BOOST_AUTO_TEST_CASE(a_gate_that_still_exists_puts_it_off) {
  const Replay at_33 = replayed_text(WrittenEvent{}.line(), {.to = "1.33.0"});
  BOOST_REQUIRE(at_33.findings.size() == 1U);
  BOOST_TEST(at_33.findings[0].put_off_by == std::vector<std::string>{"AuthorizeNodeWithSelectors=false"},
             boost::test_tools::per_element());
  BOOST_TEST(replayed_text(WrittenEvent{}.line(), {.to = "1.31.0"}).newly_refused == 0U);
}

BOOST_AUTO_TEST_CASE(without_the_roles_of_the_cluster_a_grant_may_allow_it) {
  const Replay replay = replayed_text(WrittenEvent{}.line(), {.default_rbac = false});
  BOOST_TEST(unknown_of(replay) == "rbac-not-given");
  BOOST_TEST(replay.newly_refused == 0U);
}

BOOST_AUTO_TEST_CASE(a_binding_in_the_dump_keeps_it_allowed) {
  const Object binding = {{"apiVersion", "rbac.authorization.k8s.io/v1"},
                          {"kind", "ClusterRoleBinding"},
                          {"metadata", {{"name", "old"}}},
                          {"roleRef", {{"kind", "ClusterRole"}, {"name", "system:node"}}},
                          {"subjects", {{{"kind", "Group"}, {"name", "system:nodes"}}}}};
  const std::vector<ClusterObject> dump = {
      {{"rbac.authorization.k8s.io", "clusterrolebindings", "", "old"}, binding, "dump:1"}};
  BOOST_TEST(replayed_text(WrittenEvent{}.line(), {.default_rbac = false, .cluster = dump}).unchanged == 1U);
}

BOOST_AUTO_TEST_CASE(a_request_is_decided_on_the_objects_of_its_moment) {
  const WrittenEvent pod = created("/api/v1/namespaces/shop/pods", pod_with_secret("web", "a", "db"), 10);
  const WrittenEvent gone{.verb = "delete",
                          .uri = "/api/v1/namespaces/shop/pods/web",
                          .user = "admin",
                          .groups = {"system:masters"},
                          .second = 30,
                          .response = {{"kind", "Status"}, {"status", "Success"}}};
  const std::string log =
      gets_secret(5, 403).line() + pod.line() + gets_secret(20).line() + gone.line() + gets_secret(40, 403).line();
  const Replay replay = replayed_text(log, {.whole_state = true});
  BOOST_TEST(replay.requests == 3U);
  BOOST_TEST(replay.unchanged == 3U);
  BOOST_TEST(replay.compared == 3U);
  // Were it decided on any other state, it would not agree.
  const Replay without = replayed_text(gets_secret(20).line(), {.whole_state = true});
  BOOST_TEST(without.disagreeing == 1U);
  BOOST_REQUIRE(without.findings.size() == 1U);
  BOOST_TEST(to_string(without.findings[0].outcome) == "disagrees");
}

BOOST_AUTO_TEST_CASE(a_binding_of_a_pod_ties_its_secrets_to_the_node) {
  Object pod = pod_with_secret("web", "", "db");
  pod["spec"].erase("nodeName");
  WrittenEvent bound = created("/api/v1/namespaces/shop/pods/web/binding", {{"kind", "Status"}}, 10);
  bound.request = {{"kind", "Binding"}, {"target", {{"kind", "Node"}, {"name", "a"}}}};
  const std::string log = created("/api/v1/namespaces/shop/pods", pod, 1).line() + gets_secret(5, 403).line() +
                          bound.line() + gets_secret(20).line();
  const Replay replay = replayed_text(log, {.whole_state = true});
  BOOST_TEST(replay.disagreeing == 0U);
  BOOST_TEST(replay.unchanged == 2U);
}

BOOST_AUTO_TEST_CASE(without_the_objects_the_record_stands_only_if_the_rules_are_the_same) {
  const Replay same = replayed_text(gets_secret(5).line(), {.from = "1.36.0", .to = "1.36.3"});
  BOOST_TEST(same.unchanged_by_record == 1U);
  BOOST_TEST(same.compared == 0U);
  BOOST_TEST(unknown_of(replayed_text(gets_secret(5).line())) == "graph-of-the-moment");
}

BOOST_AUTO_TEST_CASE(a_pod_that_nobody_shows_may_have_been_on_the_node) {
  const WrittenEvent read{.verb = "get", .uri = "/api/v1/namespaces/shop/pods/web"};
  BOOST_TEST(unknown_of(replayed_text(read.line())) == "graph-of-the-moment");
  const auto on = [](const char* node) {
    return std::vector<ClusterObject>{{{"", "pods", "shop", "web"}, pod_with_secret("web", node, "db"), ""}};
  };
  BOOST_TEST(replayed_text(read.line(), {.cluster = on("b")}).newly_refused == 1U);
  BOOST_TEST(replayed_text(read.line(), {.cluster = on("a")}).unchanged == 1U);
}

BOOST_AUTO_TEST_CASE(a_pod_that_was_not_found_is_on_no_node) {
  WrittenEvent read{.verb = "get", .uri = "/api/v1/namespaces/shop/pods/web", .code = 404};
  read.message = "pods \"web\" not found";
  BOOST_TEST(replayed_text(read.line()).newly_refused == 1U);
  read.uri += "/log";  // may be refused for another reason than that the pod is gone
  BOOST_TEST(replayed_text(read.line()).newly_refused == 0U);
}

BOOST_AUTO_TEST_CASE(an_answer_just_after_a_write_may_be_that_of_before) {
  const WrittenEvent pod = created("/api/v1/namespaces/shop/pods", pod_with_secret("web", "a", "db"), 10);
  // The server had not learned of the pod yet; a second later it had.
  const Replay replay =
      replayed_text(pod.line() + gets_secret(11, 403).line() + gets_secret(14).line(), {.whole_state = true});
  BOOST_TEST(replay.disagreeing == 0U);
  BOOST_TEST(replay.unchanged == 2U);
}

BOOST_AUTO_TEST_CASE(opening_exec_by_get_needs_create_from_1_35_on) {
  const WrittenEvent exec{.verb = "get",
                          .uri = "/api/v1/namespaces/shop/pods/web/exec?command=ls",
                          .user = "job",
                          .groups = {"system:authenticated"},
                          .code = 101,
                          .reason = "RBAC: allowed by RoleBinding \"job/shop\" of Role \"job\" to User \"job\""};
  const std::vector<ClusterObject> dump = {
      {{"rbac.authorization.k8s.io", "roles", "shop", "job"},
       {{"metadata", {{"name", "job"}, {"namespace", "shop"}}},
        {"rules", {{{"apiGroups", {""}}, {"resources", {"pods/exec"}}, {"verbs", {"get"}}}}}},
       ""},
      {{"rbac.authorization.k8s.io", "rolebindings", "shop", "job"},
       {{"metadata", {{"name", "job"}, {"namespace", "shop"}}},
        {"roleRef", {{"kind", "Role"}, {"name", "job"}}},
        {"subjects", {{{"kind", "User"}, {"name", "job"}}}}},
       ""}};
  const Replay replay = replayed_text(exec.line(), {.cluster = dump});
  BOOST_REQUIRE(replay.findings.size() == 1U);
  BOOST_TEST(replay.findings[0].rule == "pod-connection-create");
  BOOST_TEST(replay.findings[0].since == "1.35");
  BOOST_TEST(replayed_text(exec.line(), {.to = "1.34.0", .cluster = dump}).unchanged == 1U);
}

BOOST_AUTO_TEST_CASE(admission_needs_the_body_where_its_rules_differ) {
  WrittenEvent token{.verb = "create", .uri = "/api/v1/namespaces/shop/serviceaccounts/web/token", .code = 201};
  Object pod = pod_with_secret("web", "a", "db");
  pod["metadata"]["uid"] = "1";
  pod["spec"]["serviceAccountName"] = "web";
  const std::string before = created("/api/v1/namespaces/shop/pods", pod, 1).line();
  token.second = 10;
  BOOST_TEST(unknown_of(replayed_text(before + token.line())) == "no-body");
  token.request = {{"kind", "TokenRequest"},
                   {"spec",
                    {{"audiences", {"vault"}},
                     {"boundObjectRef", {{"kind", "Pod"}, {"apiVersion", "v1"}, {"name", "web"}, {"uid", "1"}}}}}};
  const Replay replay = replayed_text(before + token.line());
  BOOST_REQUIRE(replay.findings.size() == 1U);
  BOOST_TEST(replay.findings[0].layer == "admission");
  BOOST_TEST(replay.findings[0].by == "NodeRestriction");
}

BOOST_AUTO_TEST_CASE(what_admission_says_to_an_api_that_was_not_served_is_unknown) {
  WrittenEvent create{.verb = "create", .uri = "/apis/resource.k8s.io/v1/resourceslices", .code = 404};
  const Asked asked{.from = "1.33.13", .to = "1.34.4"};
  BOOST_TEST(unknown_of(replayed_text(create.line(), asked)) == "not-served");
  // No rule of admission is about these.
  create.uri = "/apis/resource.k8s.io/v1/deviceclasses";
  create.decision = "forbid";
  create.code = 403;
  BOOST_TEST(replayed_text(create.line(), asked).unchanged == 1U);
}

BOOST_AUTO_TEST_CASE(what_was_in_conflict_had_been_admitted) {
  WrittenEvent create{.verb = "create", .uri = "/api/v1/namespaces/shop/serviceaccounts/web/token", .code = 409};
  create.message = "in conflict";
  Object pod = pod_with_secret("web", "a", "db");
  pod["spec"]["serviceAccountName"] = "web";
  const std::string before = created("/api/v1/namespaces/shop/pods", pod, 1).line();
  create.second = 10;
  BOOST_TEST(unknown_of(replayed_text(before + create.line())) == "no-body");
  BOOST_TEST(replayed_text(before + create.line(), {.from = "1.34.0", .to = "1.34.4"}).unchanged == 1U);
}

BOOST_AUTO_TEST_CASE(the_text_of_a_refusal_says_whether_it_stays) {
  WrittenEvent token{.verb = "create", .uri = "/api/v1/namespaces/shop/serviceaccounts/web/token", .code = 403};
  Object pod = pod_with_secret("web", "a", "db");
  pod["spec"]["serviceAccountName"] = "web";
  const std::string before = created("/api/v1/namespaces/shop/pods", pod, 1).line();
  token.second = 10;
  const auto asked = [&](const std::string& message, const std::string& to) {
    token.message = "serviceaccounts \"web\" is forbidden: " + message;
    return replayed_text(before + token.line(), {.to = to});
  };
  BOOST_TEST(asked("node requested token not bound to a pod", "1.36.3").unchanged_by_record == 1U);
  // Another plugin has refused it, or the log does not say why.
  BOOST_TEST(unknown_of(asked("exceeded quota", "1.36.3")) == "no-body");
  BOOST_TEST(unknown_of(asked("", "1.36.3")) == "no-body");
}

BOOST_AUTO_TEST_CASE(the_dump_has_what_a_server_filled_into_a_logged_create) {
  WrittenEvent create = created("/api/v1/namespaces/shop/pods", nullptr, 1);
  Object pod = pod_with_secret("web", "a", "db");
  pod["spec"]["serviceAccountName"] = "web";
  create.request = pod;
  WrittenEvent token{.verb = "create", .uri = "/api/v1/namespaces/shop/serviceaccounts/web/token", .code = 201};
  token.second = 10;
  token.request = {
      {"kind", "TokenRequest"},
      {"spec", {{"boundObjectRef", {{"kind", "Pod"}, {"apiVersion", "v1"}, {"name", "web"}, {"uid", "7"}}}}}};
  pod["metadata"]["uid"] = "7";
  const auto agrees = [&](const std::string& creation) {
    pod["metadata"]["creationTimestamp"] = creation;
    const std::vector<ClusterObject> dump = {{{"", "pods", "shop", "web"}, pod, ""}};
    const Replay replay = replayed_text(create.line() + token.line(), {.to = "1.31.0", .cluster = dump});
    return replay.compared == 1 && replay.disagreeing == 0;
  };
  BOOST_TEST(agrees("2026-12-01T09:00:01Z"));
  BOOST_TEST(!agrees("2026-11-01T09:00:00Z"));  // another pod of that name
  // Without the dump, its UID and the volumes that admission has added are not known.
  const std::string log = create.line() + token.line();
  BOOST_TEST(replayed_text(log, {.from = "1.34.0", .to = "1.34.4"}).unchanged_by_record == 1U);
  BOOST_TEST(unknown_of(replayed_text(log)) == "graph-of-the-moment");
}

BOOST_AUTO_TEST_CASE(stages_and_copies_of_a_request_count_once) {
  WrittenEvent received{.code = 0, .stage = "RequestReceived", .id = "x"};
  WrittenEvent started{.verb = "watch", .uri = "/api/v1/nodes?watch=1", .stage = "ResponseStarted", .id = "x"};
  WrittenEvent ended = started;
  ended.stage = "ResponseComplete";
  const LogFile first(received.line() + started.line() + ended.line(), "first");
  const LogFile second(started.line(), "second");
  const Replay replay = replayed({first.path(), second.path()});
  BOOST_TEST(replay.requests == 1U);
  BOOST_TEST(replay.not_final == 1U);
  BOOST_TEST(replay.repeated == 2U);
}

BOOST_AUTO_TEST_CASE(the_logs_of_two_servers_are_put_in_order) {
  const LogFile reads(gets_secret(20).line() + gets_secret(50).line(), "reads");
  const LogFile writes(created("/api/v1/namespaces/shop/pods", pod_with_secret("web", "a", "db"), 10).line(), "writes");
  const Replay replay = replayed({reads.path(), writes.path()}, {.whole_state = true});
  BOOST_TEST(replay.unchanged == 2U);
}

BOOST_AUTO_TEST_CASE(what_nobody_decided_is_unknown) {
  BOOST_TEST(unknown_of(replayed_text(WrittenEvent{.code = 401, .decision = ""}.line())) == "no-answer");
  BOOST_TEST(unknown_of(replayed_text(WrittenEvent{.code = 429, .decision = ""}.line())) == "no-answer");
  BOOST_TEST(replayed_text(WrittenEvent{.user = "joe", .groups = {"system:authenticated"}}.line()).requests == 0U);
}

BOOST_AUTO_TEST_CASE(another_answer_than_the_record_is_a_disagreement_and_no_finding) {
  const Replay replay = replayed_text(WrittenEvent{.code = 403, .decision = "forbid"}.line());
  BOOST_TEST(replay.disagreeing == 1U);
  BOOST_TEST(replay.newly_refused == 0U);
  BOOST_TEST(replay.decided() == 0U);
}

BOOST_AUTO_TEST_CASE(a_connection_that_failed_for_another_reason_lacks_the_right_to_create_nevertheless) {
  const auto connect = [](const std::string& verb, const std::string& to) {
    WrittenEvent out{.verb = verb, .uri = "/api/v1/namespaces/shop/pods/web/exec?command=a", .code = 500};
    out.user = "system:serviceaccount:shop:cron";
    out.groups = {"system:serviceaccounts", "system:authenticated"};
    out.reason = "RBAC: allowed";
    Asked asked{.from = "1.34.0", .to = to};
    Object role = {
        {"apiVersion", "rbac.authorization.k8s.io/v1"}, {"kind", "ClusterRole"}, {"metadata", {{"name", "x"}}}};
    role["rules"] =
        Object::array({Object{{"apiGroups", {""}}, {"resources", {"pods/exec"}}, {"verbs", Object::array({verb})}}});
    Object binding = {{"apiVersion", "rbac.authorization.k8s.io/v1"},
                      {"kind", "ClusterRoleBinding"},
                      {"metadata", {{"name", "x"}}},
                      {"roleRef", {{"kind", "ClusterRole"}, {"name", "x"}}}};
    binding["subjects"] = Object::array({Object{{"kind", "ServiceAccount"}, {"name", "cron"}, {"namespace", "shop"}}});
    asked.cluster = {{{"rbac.authorization.k8s.io", "clusterroles", "", "x"}, role, ""},
                     {{"rbac.authorization.k8s.io", "clusterrolebindings", "", "x"}, binding, ""}};
    return replayed_text(out.line(), asked).newly_refused;
  };
  BOOST_TEST(connect("get", "1.35.0") == 1U);
  BOOST_TEST(connect("get", "1.34.0") == 0U);
  BOOST_TEST(connect("create", "1.35.0") == 0U);
}

BOOST_AUTO_TEST_CASE(a_pod_that_was_evicted_without_time_is_gone) {
  WrittenEvent evict = created("/api/v1/namespaces/shop/pods/web/eviction", nullptr, 2);
  evict.request = {{"apiVersion", "policy/v1"}, {"kind", "Eviction"}, {"deleteOptions", {{"gracePeriodSeconds", 0}}}};
  WrittenEvent read{.verb = "get", .uri = "/api/v1/namespaces/shop/pods/web", .code = 404, .second = 10};
  const std::string made = created("/api/v1/namespaces/shop/pods", pod_with_secret("web", "a", "s"), 1).line();
  const Asked asked{.whole_state = true};
  BOOST_TEST(replayed_text(made + evict.line() + read.line(), asked).newly_refused == 1U);
  evict.request["deleteOptions"]["gracePeriodSeconds"] = 30;
  BOOST_TEST(replayed_text(made + evict.line() + read.line(), asked).newly_refused == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
