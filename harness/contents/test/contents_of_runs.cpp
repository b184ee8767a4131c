// What runs find in the answers of servers with wrong content.
#include <boost/test/unit_test.hpp>

#include "harness/contents/contents.h"
#include "harness/run/runner.h"
#include "harness/run/selection.h"
#include "harness/test/late_endpoint.h"
#include "harness/test/project.h"
#include "reference/authorizer/attributes.h"
#include "reports/run/json.h"

BOOST_AUTO_TEST_SUITE(contents_of_runs)

using namespace nodebound;
using namespace nodebound::apiserver;
using namespace nodebound::journal;

namespace {

RuleSet reference_rules() {
  return {catalogue(), *Release::make(catalogue(), *Version::parse("1.36.3"), {})};
}

std::vector<std::string> shown(const std::string& target, const Object& body) {
  static const RuleSet rules = reference_rules();
  static const ApiResources resources(rules.release());
  const bool watch = attributes_of("GET", target).verb == "watch";
  std::string text;
  if (watch) {
    for (const Object& event : body) text += event.dump() + "\n";
  } else {
    text = body.dump();
  }
  const auto nothing = [](const HttpRequest&) -> Result<HttpResponse> { return HttpResponse{404, "", "", {}}; };
  ReadJudge judge(resources, false, {});
  return judge.mistakes({"GET", target, "", "", watch}, {200, "application/json", text, {}}, nothing)->leaked;
}

Object secret(const std::string& name, const std::string& in = "shop", const std::string& app = "") {
  Object out = {{"kind", "Secret"}, {"metadata", {{"name", name}, {"namespace", in}}}};
  if (!app.empty()) out["metadata"]["labels"] = {{"app", app}};
  return out;
}

Object list_of(std::vector<Object> items) {
  for (Object& item : items) item.erase("kind");
  return {{"kind", "SecretList"}, {"items", items}};
}

/// A server that authorizes as it should, and then answers another request.
Report run_against(const std::function<std::string(const std::string&)>& asks_instead, const std::string& focus) {
  const RuleSet rules = reference_rules();
  const Subject administrator{"admin", {"system:masters"}, "", {}};
  const auto endpoint =
      make_prompt_shared_endpoint(rules, [&](ApiServer& server, const Subject& subject, const HttpRequest& request) {
        HttpResponse response = server.handle(subject, request);
        const std::string other = asks_instead(request.target);
        const bool changed = request.method == "GET" && response.status == 200 && other != request.target;
        if (!changed || subject.name == "admin") return response;
        HttpRequest wrong = request;
        wrong.target = other;
        return server.handle(administrator, wrong);
      });
  Journal journal;
  std::vector<Error> errors;
  Selection selection;
  selection.focus = focus;
  return run_scenarios(*select(project_scenarios(), selection), *endpoint, rules, journal, {.run_id = "test"}, errors);
}

std::size_t leaks_in(const Report& report) {
  return static_cast<std::size_t>(
      std::ranges::count_if(report.checks, [](const CheckResult& check) { return !check.leaked.empty(); }));
}

std::string without(std::string target, const std::string& parameter) {
  const std::size_t at = target.find(parameter + "=");
  if (at == std::string::npos) return target;
  return target.erase(at, target.find('&', at) - at);
}

}  // namespace

BOOST_AUTO_TEST_CASE(only_what_is_asked_for_is_shown) {
  using Names = std::vector<std::string>;
  const std::string secrets = "/api/v1/namespaces/shop/secrets";
  const std::string other = R"(secrets "other" in namespace "shop")";
  BOOST_TEST(shown(secrets + "/db", secret("db")).empty());
  BOOST_TEST(shown(secrets + "/db", secret("other")) == Names{other});
  BOOST_TEST(shown(secrets + "/db", secret("db", "vault")) == Names{R"(secrets "db" in namespace "vault")"});
  BOOST_TEST(shown(secrets + "/db", {{"kind", "Status"}}).empty());
  const Object configmap = {{"kind", "ConfigMap"}, {"metadata", {{"name", "db"}, {"namespace", "shop"}}}};
  BOOST_TEST(shown(secrets + "/db", configmap) == Names{R"(ConfigMap "db" in namespace "shop")"});

  BOOST_TEST(shown(secrets, list_of({secret("db"), secret("other")})).empty());
  BOOST_TEST(shown(secrets, list_of({secret("other"), secret("db", "vault")})).size() == 1U);
  BOOST_TEST(shown(secrets + "?fieldSelector=metadata.name%3Ddb", list_of({secret("db"), secret("other")})) ==
             Names{other});
  BOOST_TEST(shown(secrets + "?labelSelector=app%3Dweb", list_of({secret("db", "shop", "web"), secret("other")})) ==
             Names{other});
  BOOST_TEST(shown("/api/v1/secrets", list_of({secret("db"), secret("db", "vault")})).empty());

  const Object events = {{{"type", "ADDED"}, {"object", secret("db")}},
                         {{"type", "DELETED"}, {"object", secret("other")}},
                         {{"type", "BOOKMARK"}, {"object", {{"metadata", {{"resourceVersion", "7"}}}}}}};
  BOOST_TEST(shown("/api/v1/watch/namespaces/shop/secrets/db", events) == Names{other});
  BOOST_TEST(shown(secrets + "?watch=true", events).empty());

  const Object row = {{"object", {{"kind", "PartialObjectMetadata"}, {"metadata", secret("other")["metadata"]}}}};
  BOOST_TEST(shown(secrets + "/db", {{"kind", "Table"}, {"rows", {row}}}) == Names{other});
}

BOOST_AUTO_TEST_CASE(nonsense_shows_nothing) {
  const std::string secrets = "/api/v1/namespaces/shop/secrets";
  for (const Object& body : {Object(), Object("text"), Object::array({1, 2}), Object{{"kind", "SecretList"}},
                             Object{{"kind", "SecretList"}, {"items", "none"}}, Object{{"kind", 7}}}) {
    BOOST_TEST(shown("/api/v1/nodes", body).size() <= 1U);
    BOOST_TEST(shown("/livez", body).empty());
    BOOST_TEST(shown(secrets + "?watch=true", Object::array({body})).empty());
  }
}

BOOST_AUTO_TEST_CASE(a_server_that_drops_a_selector_or_a_name_leaks) {
  BOOST_TEST(leaks_in(run_against([](const std::string& target) { return target; }, "configmap|pod-selectors")) == 0U);
  const auto no_fields = [](const std::string& target) { return without(target, "fieldSelector"); };
  const Report report = run_against(no_fields, "configmap-through-pod|pod-selectors");
  BOOST_TEST(leaks_in(report) > 10U);
  BOOST_TEST(exit_code(report) == 1);
  const auto no_labels = [](const std::string& target) { return without(target, "labelSelector"); };
  BOOST_TEST(leaks_in(run_against(no_labels, "pod-selectors")) == 2U);
  const auto no_name = [](std::string target) {
    const std::size_t at = target.find("/settings?watch=true");
    return target.starts_with("/api/v1/watch/") && at != std::string::npos ? target.erase(at, 9) : target;
  };
  BOOST_TEST(leaks_in(run_against(no_name, "watching-one-object")) == 2U,
             "where a selector names the object, too, nothing leaks");
  const auto all_namespaces = [](const std::string& target) {
    const std::string prefix = "/api/v1/namespaces/";
    const std::size_t at = target.find("/pods?");
    return target.starts_with(prefix) && at != std::string::npos ? "/api/v1" + target.substr(at) : target;
  };
  BOOST_TEST(leaks_in(run_against(all_namespaces, "pod-selectors")) == 0U, "no other namespace has a pod of that node");
}

BOOST_AUTO_TEST_CASE(leaks_come_first) {
  const auto no_fields = [](const std::string& target) { return without(target, "fieldSelector"); };
  const Report report = run_against(no_fields, "configmap-through-pod");
  const std::string json = to_json(report);
  BOOST_TEST(json.find(R"("leaked":[)") != std::string::npos);
  const auto leak = std::ranges::find_if(report.checks, [](const CheckResult& check) { return !check.leaked.empty(); });
  BOOST_REQUIRE((leak != report.checks.end()));
  BOOST_TEST((leak->verdict == Verdict::fail));
  BOOST_TEST(leak->why ==
             "the answer shows what was not asked for: configmaps \"other\" in namespace \"nb-RUN-0-shop\"");
}

BOOST_AUTO_TEST_SUITE_END()
