#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "fakes/test/whole_cluster.h"

// What kube-apiserver 1.36.3 answers (ci/compare/admission).
BOOST_AUTO_TEST_SUITE(admission_policies)

using namespace nodebound;
using namespace nodebound::apiserver;

namespace {

const std::string policies = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
const std::string bindings = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings";
const std::string maps = "/api/v1/namespaces/shop/configmaps";

struct WithPolicies {
  WithPolicies() : rules(test::rules_of("1.36.3", {})), server(rules, options()) {
    post("/api/v1/namespaces", R"({"metadata":{"name":"shop","labels":{"tier":"gold"}}})");
  }

  static ApiServer::Options options() {
    ApiServer::Options out;
    out.namespaces_first = true;
    return out;
  }

  static Object spec(const std::string& expression) {
    return {{"matchConstraints",
             {{"resourceRules", Object::array({{{"operations", {"*"}},
                                                {"apiGroups", {""}},
                                                {"apiVersions", {"v1"}},
                                                {"resources", {"configmaps", "pods/*", "serviceaccounts/token"}}}})}}},
            {"validations", Object::array({{{"expression", expression}}})}};
  }

  Answer make_policy(const std::string& name, const Object& spec) {
    return post(policies, Object{{"metadata", {{"name", name}}}, {"spec", spec}}.dump());
  }
  Answer bind(const std::string& policy, Object more = Object::object()) {
    more["policyName"] = policy;
    more.emplace("validationActions", Object::array({"Deny"}));
    return post(bindings, Object{{"metadata", {{"name", policy + "-b"}}}, {"spec", more}}.dump());
  }
  // A policy that is in force.
  void enforce(const std::string& name, const Object& spec, const Object& binding = Object::object()) {
    BOOST_REQUIRE_EQUAL(make_policy(name, spec).status, 201);
    BOOST_REQUIRE_EQUAL(bind(name, binding).status, 201);
  }

  HttpResponse send(const char* method, const std::string& target, const std::string& body, const Subject& as = admin) {
    return server.handle(as, {method, target, "application/json", body});
  }
  Answer post(const std::string& target, const std::string& body, const Subject& as = admin) {
    const HttpResponse response = send("POST", target, body, as);
    return {response.status, Object::parse(response.body, nullptr, false)};
  }
  Answer make_map(const std::string& name, const std::string& more = "") {
    return post(maps, R"({"metadata":{"name":")" + name + "\"}" + more + "}");
  }
  static std::string message(const Answer& answer) { return std::string(text(answer.body, "message")); }

  RuleSet rules;
  ApiServer server;
};

std::string denial(const std::string& name, const std::string& why, const std::string& policy = "p") {
  return "configmaps \"" + name + "\" is forbidden: ValidatingAdmissionPolicy '" + policy + "' with binding '" +
         policy + "-b' denied request: " + why;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_policy_counts_when_it_is_bound, WithPolicies) {
  BOOST_TEST(make_policy("p", spec("object.metadata.name != 'no'")).status == 201);
  BOOST_TEST(make_map("no").status == 201);
  BOOST_TEST(send("DELETE", maps + "/no", "").status == 200);
  BOOST_TEST(bind("p").status == 201);
  BOOST_TEST(make_map("yes").status == 201);
  const Answer refused = make_map("no");
  BOOST_TEST(refused.status == 422);
  BOOST_TEST(text(refused.body, "reason") == "Invalid");
  BOOST_TEST(message(refused) == denial("no", "failed expression: object.metadata.name != 'no'"));
  BOOST_TEST(refused.body["details"]["name"] == "no");
  BOOST_TEST(refused.body["details"]["kind"] == "configmaps");
  BOOST_TEST(refused.body["details"]["causes"][0]["message"] ==
             "ValidatingAdmissionPolicy 'p' with binding 'p-b' denied request: failed expression: object.metadata.name "
             "!= 'no'");
}

BOOST_FIXTURE_TEST_CASE(messages_and_reasons_are_the_policys, WithPolicies) {
  Object own = spec("object.metadata.name.startsWith('ok')");
  own["validations"][0]["message"] = " not so ";
  own["validations"][0]["messageExpression"] =
      "object.metadata.name == 'line' ? 'a\\nb' : 'no ' + object.metadata.name";
  own["validations"][0]["reason"] = "Forbidden";
  enforce("p", own);
  const Answer refused = make_map("x");
  BOOST_TEST(refused.status == 403);
  BOOST_TEST(text(refused.body, "reason") == "Forbidden");
  BOOST_TEST(message(refused) == denial("x", "no x"));
  BOOST_TEST(message(make_map("line")) == denial("line", "not so"));
  BOOST_TEST(make_map("ok").status == 201);
}

BOOST_FIXTURE_TEST_CASE(variables_are_evaluated_when_they_are_asked_for, WithPolicies) {
  Object own = spec("object.metadata.name == 'short' || variables.twice == 'bb'");
  own["variables"] = Object::array({{{"name", "data"}, {"expression", "object.data.k"}},
                                    {{"name", "twice"}, {"expression", "variables.data + variables.data"}}});
  enforce("p", own);
  BOOST_TEST(make_map("short").status == 201);
  BOOST_TEST(make_map("b", R"(,"data":{"k":"b"})").status == 201);
  BOOST_TEST(message(make_map("c", R"(,"data":{"k":"c"})")) ==
             denial("c", "failed expression: object.metadata.name == 'short' || variables.twice == 'bb'"));
  BOOST_TEST(message(make_map("none")) ==
             denial("none",
                    "expression 'object.metadata.name == 'short' || variables.twice == 'bb'' resulted in error: "
                    "composited variable \"twice\" fails to evaluate: composited variable \"data\" fails to evaluate: "
                    "no such key: data"));
}

BOOST_FIXTURE_TEST_CASE(errors_follow_the_failure_policy, WithPolicies) {
  Object own = spec("object.data.k == 'v'");
  own["failurePolicy"] = "Ignore";
  enforce("p", own);
  BOOST_TEST(make_map("none").status == 201);
  BOOST_TEST(make_map("other", R"(,"data":{"k":"w"})").status == 422);
}

BOOST_FIXTURE_TEST_CASE(match_conditions_leave_writes_alone, WithPolicies) {
  Object own = spec("false");
  own["matchConditions"] =
      Object::array({{{"name", "named"}, {"expression", "object.metadata.name == 'no'"}},
                     {{"name", "by-admin"}, {"expression", "request.userInfo.username == 'admin'"}}});
  enforce("p", own);
  BOOST_TEST(make_map("yes").status == 201);
  BOOST_TEST(make_map("no").status == 422);
}

BOOST_FIXTURE_TEST_CASE(constraints_select_writes, WithPolicies) {
  Object own = spec("false");
  own["matchConstraints"]["resourceRules"][0]["resourceNames"] = {"a", "b"};
  own["matchConstraints"]["excludeResourceRules"] = own["matchConstraints"]["resourceRules"];
  own["matchConstraints"]["excludeResourceRules"][0]["resourceNames"] = {"b"};
  own["matchConstraints"]["namespaceSelector"] = {{"matchLabels", {{"tier", "gold"}}}};
  enforce("p", own);
  BOOST_TEST(make_map("a").status == 422);
  BOOST_TEST(make_map("b").status == 201);
  BOOST_TEST(make_map("c").status == 201);
  BOOST_TEST(post("/api/v1/namespaces", R"({"metadata":{"name":"plain"}})").status == 201);
  BOOST_TEST(post("/api/v1/namespaces/plain/configmaps", R"({"metadata":{"name":"a"}})").status == 201);
}

BOOST_FIXTURE_TEST_CASE(bindings_select_fewer_writes, WithPolicies) {
  enforce("p", spec("false"), {{"matchResources", {{"objectSelector", {{"matchLabels", {{"guarded", "yes"}}}}}}}});
  BOOST_TEST(make_map("free").status == 201);
  BOOST_TEST(post(maps, R"({"metadata":{"name":"g","labels":{"guarded":"yes"}}})").status == 422);
}

BOOST_FIXTURE_TEST_CASE(actions_warn_and_audit, WithPolicies) {
  Object own = spec("object.metadata.name != 'odd'");
  own["validations"][0]["message"] = "<odd>";
  own["auditAnnotations"] =
      Object::array({{{"key", "name"}, {"valueExpression", "'is ' + object.metadata.name"}},
                     {{"key", "none"}, {"valueExpression", "object.metadata.name == 'odd' ? ' ' : 'x'"}}});
  enforce("p", own, {{"validationActions", {"Warn", "Audit"}}});
  const HttpResponse made = send("POST", maps, R"({"metadata":{"name":"odd"}})");
  BOOST_TEST(made.status == 201);
  BOOST_REQUIRE(made.warnings.size() == 1U);
  BOOST_TEST(made.warnings[0] ==
             "299 - \"Validation failed for ValidatingAdmissionPolicy 'p' with binding 'p-b': <odd>\"");
  BOOST_TEST(made.annotations.at("p/name") == "is odd");
  BOOST_TEST(!made.annotations.contains("p/none"));
  BOOST_TEST(made.annotations.at("validation.policy.admission.k8s.io/validation_failure") ==
             R"([{"message":"\u003codd\u003e","policy":"p","binding":"p-b","expressionIndex":0,)"
             R"("validationActions":["Warn","Audit"]}])");
}

BOOST_FIXTURE_TEST_CASE(a_binding_names_parameters, WithPolicies) {
  Object own = spec("!has(object.data) || object.data.size() <= int(params.data.most)");
  own["paramKind"] = {{"apiVersion", "v1"}, {"kind", "ConfigMap"}};
  own["validations"][0]["messageExpression"] = "'at most ' + params.data.most";
  BOOST_TEST(make_map("limits", R"(,"data":{"most":"1"})").status == 201);
  const Object ref = {{"name", "limits"}, {"parameterNotFoundAction", "Deny"}};
  enforce("p", own, {{"paramRef", ref}});
  BOOST_TEST(make_map("one", R"(,"data":{"a":"1"})").status == 201);
  BOOST_TEST(message(make_map("two", R"(,"data":{"a":"1","b":"2"})")) == denial("two", "at most 1"));
  BOOST_TEST(post("/api/v1/namespaces", R"({"metadata":{"name":"empty"}})").status == 201);
  BOOST_TEST(message(post("/api/v1/namespaces/empty/configmaps", R"({"metadata":{"name":"a"}})")) ==
             denial("a",
                    "failed to configure binding: no params found for policy binding with `Deny` "
                    "parameterNotFoundAction"));
}

BOOST_FIXTURE_TEST_CASE(parameters_of_an_unknown_kind_refuse_writes, WithPolicies) {
  Object own = spec("params.x == 1");
  own["paramKind"] = {{"apiVersion", "rules.example.com/v1"}, {"kind", "Limit"}};
  enforce("p", own, {{"paramRef", {{"name", "x"}, {"parameterNotFoundAction", "Allow"}}}});
  BOOST_TEST(message(make_map("a")) ==
             "configmaps \"a\" is forbidden: ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: "
             "failed to find resource referenced by paramKind: 'rules.example.com/v1, Kind=Limit'");
}

BOOST_FIXTURE_TEST_CASE(a_policy_sees_old_objects_and_namespaces, WithPolicies) {
  Object own = spec("request.operation != 'DELETE' || oldObject.metadata.name != 'kept'");
  own["validations"].push_back({{"expression", "namespaceObject.metadata.labels['tier'] == 'gold'"}});
  own["validations"].push_back({{"expression", "authorizer.group('').resource('configmaps').check('get').allowed()"}});
  enforce("p", own);
  BOOST_TEST(make_map("kept").status == 201);
  BOOST_TEST(make_map("other").status == 201);
  BOOST_TEST(send("DELETE", maps + "/kept", "").status == 422);
  BOOST_TEST(send("DELETE", maps + "/other", "").status == 200);
  BOOST_TEST(send("PUT", maps + "/kept", R"({"metadata":{"name":"kept"},"data":{"a":"b"}})").status == 200);
}

BOOST_FIXTURE_TEST_CASE(a_service_account_is_confined_to_its_node, WithPolicies) {
  Object own = spec("request.userInfo.extra['authentication.kubernetes.io/node-name'][0] == object.metadata.name");
  own["matchConditions"] = Object::array(
      {{{"name", "agent"}, {"expression", "request.userInfo.username == 'system:serviceaccount:shop:agent'"}}});
  enforce("p", own);
  Subject agent{
      "system:serviceaccount:shop:agent", {"system:masters"}, "", {{"authentication.kubernetes.io/node-name", {"n1"}}}};
  BOOST_TEST(post(maps, R"({"metadata":{"name":"n1"}})", agent).status == 201);
  BOOST_TEST(post(maps, R"({"metadata":{"name":"n2"}})", agent).status == 422);
  const auto rule_of = [&](const char* name) {
    const std::string body = Object{{"metadata", {{"name", name}}}}.dump();
    return send("POST", maps, body, agent).headers["x-nodebound-rule"];
  };
  BOOST_TEST(rule_of("n2") == "policy-validation");
  agent.extra.clear();
  BOOST_TEST(rule_of("n3") == "policy-fails-closed");
  const Answer without = post(maps, R"({"metadata":{"name":"n3"}})", agent);
  BOOST_TEST(without.status == 422);
  BOOST_TEST(message(without).ends_with("resulted in error: no such key: extra"));
  BOOST_TEST(make_map("n2").status == 201);
}

BOOST_FIXTURE_TEST_CASE(a_policy_that_does_not_compile_is_refused, WithPolicies) {
  Object own = spec("object.");
  own["variables"] = Object::array({{{"name", "if"}, {"expression", "1"}}});
  own["validations"].push_back({{"expression", "'a'"}, {"message", "x\ny"}, {"reason", "Because"}});
  own["validations"].push_back({{"expression", "params.x"}});
  const Answer refused = make_policy("p", own);
  BOOST_TEST(refused.status == 422);
  std::vector<std::string> fields;
  for (const Object& cause : refused.body["details"]["causes"]) fields.emplace_back(text(cause, "field"));
  const std::vector<std::string> expected = {"spec.variables[0].name",         "spec.validations[0].expression",
                                             "spec.validations[1].expression", "spec.validations[1].message",
                                             "spec.validations[1].reason",     "spec.validations[2].expression"};
  BOOST_TEST(fields == expected, boost::test_tools::per_element());
  BOOST_TEST(refused.body["details"]["causes"][2]["message"] ==
             "Invalid value: \"'a'\": must evaluate to bool but got string");
}

BOOST_FIXTURE_TEST_CASE(policies_do_not_look_at_themselves, WithPolicies) {
  Object own = spec("false");
  own["matchConstraints"]["resourceRules"][0] = {
      {"operations", {"*"}}, {"apiGroups", {"*"}}, {"apiVersions", {"*"}}, {"resources", {"*"}}};
  enforce("p", own);
  BOOST_TEST(make_map("a").status == 422);
  BOOST_TEST(send("DELETE", bindings + "/p-b", "").status == 200);
  BOOST_TEST(make_map("a").status == 201);
}

BOOST_AUTO_TEST_CASE(a_server_without_the_plugin_asks_no_policy) {
  const RuleSet rules = test::rules_of("1.36.3", {});
  ApiServer::Options options = WithPolicies::options();
  options.disabled_plugins = {"ValidatingAdmissionPolicy"};
  ApiServer server(rules, options);
  const auto send = [&](const std::string& target, const Object& body) {
    return server.handle(admin, {"POST", target, "application/json", body.dump()}).status;
  };
  BOOST_TEST(send("/api/v1/namespaces", {{"metadata", {{"name", "shop"}}}}) == 201);
  BOOST_TEST(send(policies, {{"metadata", {{"name", "p"}}}, {"spec", WithPolicies::spec("false")}}) == 201);
  BOOST_TEST(send(bindings, {{"metadata", {{"name", "b"}}},
                             {"spec", {{"policyName", "p"}, {"validationActions", {"Deny"}}}}}) == 201);
  BOOST_TEST(send(maps, {{"metadata", {{"name", "a"}}}}) == 201);
}

BOOST_AUTO_TEST_SUITE_END()
