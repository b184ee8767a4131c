#include <atomic>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "fakes/test/whole_cluster.h"
#include "reference/encoding/base64.h"

// What kube-apiserver 1.36.3 asks and answers (ci/compare/admission).
BOOST_AUTO_TEST_SUITE(admission_webhooks)

using namespace nodebound;
using namespace nodebound::apiserver;

namespace {

// An API server whose webhooks are functions.
struct WithWebhooks {
  WithWebhooks() : rules(test::rules_of("1.36.3", {})), server(rules, options()) {
    post("/api/v1/namespaces", R"({"metadata":{"name":"shop"}})");
  }

  ApiServer::Options options() {
    ApiServer::Options out;
    out.namespaces_first = true;
    out.admission_webhooks.uid = [this] { return "uid-" + std::to_string(++uids); };
    out.admission_webhooks.ask = [this](const WebhookRequest& request) { return ask(request); };
    return out;
  }

  tl::expected<std::string, std::string> ask(const WebhookRequest& request) {
    const Object review = Object::parse(request.body);
    {
      const std::lock_guard lock(mutex);
      asked.push_back(review["request"]);
      urls.push_back(request.connect_host.empty() ? request.url : request.connect_host + " as " + request.url);
    }
    if (!failure.empty()) return tl::unexpected(failure);
    if (!raw.empty()) {
      std::string out = raw;
      return out.replace(out.find("UID"), 3, review["request"]["uid"].get<std::string>());
    }
    Object response = answer ? answer(review["request"]) : Object{{"allowed", true}};
    response["uid"] = review["request"]["uid"];
    return Object{{"kind", "AdmissionReview"}, {"apiVersion", review["apiVersion"]}, {"response", response}}.dump();
  }

  static Object entry(const std::string& name) {
    return {{"name", name + ".example.com"},
            {"clientConfig", {{"url", "https://webhook.example/" + name}}},
            {"rules", Object::array({{{"operations", {"*"}},
                                      {"apiGroups", {"*"}},
                                      {"apiVersions", {"*"}},
                                      {"resources", {"configmaps", "pods/*", "events"}}}})},
            {"sideEffects", "None"},
            {"admissionReviewVersions", {"v1"}}};
  }

  Answer configure(const char* kind, std::vector<Object> webhooks) {
    const Object configuration = {{"metadata", {{"name", "w"}}}, {"webhooks", std::move(webhooks)}};
    return post(std::string("/apis/admissionregistration.k8s.io/v1/") + kind + "webhookconfigurations",
                configuration.dump());
  }

  HttpResponse send(const char* method, const std::string& target, const std::string& body,
                    const std::string& type = "application/json") {
    return server.handle(admin, {method, target, type, body});
  }
  Answer post(const std::string& target, const std::string& body) {
    const HttpResponse response = send("POST", target, body);
    return {response.status, Object::parse(response.body, nullptr, false)};
  }
  Answer make_map(const std::string& name, const std::string& labels = "{}", const std::string& query = {}) {
    return post(maps + query, R"({"metadata":{"name":")" + name + R"(","labels":)" + labels + "}}");
  }
  static std::string message(const Answer& answer) { return std::string(text(answer.body, "message")); }

  const std::string maps = "/api/v1/namespaces/shop/configmaps";
  std::mutex mutex;
  std::atomic<int> uids = 0;
  std::function<Object(const Object& request)> answer;
  std::string failure;
  std::string raw;  ///< the answer, where `UID` stands for the review's
  std::vector<Object> asked;
  std::vector<std::string> urls;
  RuleSet rules;
  ApiServer server;
};

Object patch_answer(const Object& operations) {
  return {{"allowed", true}, {"patchType", "JSONPatch"}, {"patch", base64_encode(operations.dump())}};
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_webhook_sees_a_new_object_as_it_will_be_stored, WithWebhooks) {
  BOOST_REQUIRE(configure("validating", {entry("see")}).status == 201);
  const HttpResponse made =
      send("POST", maps + "?fieldManager=me", R"({"metadata":{"generateName":"g-"},"data":{"k":"v"}})");
  BOOST_REQUIRE(made.status == 201);
  BOOST_REQUIRE(asked.size() == 1U);
  const Object& request = asked[0];
  const Object stored = Object::parse(made.body);
  BOOST_TEST(request["operation"] == "CREATE");
  BOOST_TEST(request["object"]["metadata"]["name"] == stored["metadata"]["name"]);
  BOOST_TEST(request["object"]["metadata"]["uid"] == stored["metadata"]["uid"]);
  BOOST_TEST(request["object"]["data"] == stored["data"]);
  BOOST_TEST(request["oldObject"].is_null());
  BOOST_TEST(request["options"]["kind"] == "CreateOptions");
  BOOST_TEST(request["options"]["fieldManager"] == "me");
  BOOST_TEST(request["userInfo"]["username"] == "admin");
  BOOST_TEST(urls[0] == "https://webhook.example/see");
}

BOOST_FIXTURE_TEST_CASE(changed_webhooks_make_a_generation_of_their_configuration, WithWebhooks) {
  BOOST_TEST(configure("validating", {entry("a")}).body["metadata"]["generation"] == 1);
  const auto generation_after = [&](const char* type, const char* patch) {
    const std::string path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/w";
    return Object::parse(send("PATCH", path, patch, type).body)["metadata"]["generation"];
  };
  BOOST_TEST(generation_after("application/merge-patch+json", R"({"metadata":{"labels":{"a":"b"}}})") == 1);
  BOOST_TEST(generation_after("application/json-patch+json",
                              R"([{"op":"replace","path":"/webhooks/0/timeoutSeconds","value":5}])") == 2);
}

BOOST_FIXTURE_TEST_CASE(a_denial_has_the_status_of_the_webhook, WithWebhooks) {
  configure("validating", {entry("no")});
  answer = [](const Object&) {
    return Object{{"allowed", false}, {"status", {{"message", "not here"}, {"code", 403}}}};
  };
  const Answer refused = make_map("a");
  BOOST_TEST(refused.status == 403);
  BOOST_TEST(message(refused) == "admission webhook \"no.example.com\" denied the request: not here");
  answer = [](const Object&) { return Object{{"allowed", false}, {"status", {{"code", 200}}}}; };
  const Answer unexplained = make_map("a");
  BOOST_TEST(unexplained.status == 400);
  BOOST_TEST(message(unexplained) == "admission webhook \"no.example.com\" denied the request without explanation");
  answer = nullptr;
  BOOST_TEST(make_map("a").status == 201);
}

BOOST_FIXTURE_TEST_CASE(what_a_mutating_webhook_changes_is_checked_again, WithWebhooks) {
  Object again = entry("again");
  again["reinvocationPolicy"] = "IfNeeded";
  configure("mutating", {again, entry("change")});
  answer = [](const Object& request) {
    const bool done = request["object"].contains("data");
    return done ? Object{{"allowed", true}}
                : patch_answer(Object::array({{{"op", "add"}, {"path", "/data"}, {"value", {{"a", "b"}}}}}));
  };
  const Answer made = make_map("a");
  BOOST_REQUIRE(made.status == 201);
  BOOST_TEST(made.body["data"]["a"] == "b");
  BOOST_TEST(asked.size() == 2U);
  // The last webhook changes the object, so the first is asked again.
  asked.clear();
  answer = [](const Object& request) {
    const bool last = request["object"]["metadata"].contains("annotations");
    return last
               ? Object{{"allowed", true}}
               : patch_answer(Object::array({{{"op", "add"},
                                              {"path", "/metadata/annotations"},
                                              {"value", {{"seen", request["object"].contains("data") ? "y" : "n"}}}}}));
  };
  BOOST_TEST(make_map("b").status == 201);
  BOOST_TEST(asked.size() == 2U);
  answer = [](const Object&) {
    return patch_answer(Object::array({{{"op", "add"}, {"path", "/data"}, {"value", {{"bad key", "b"}}}}}));
  };
  BOOST_TEST(make_map("c").status == 422);
  answer = [](const Object&) {
    return patch_answer(Object::array({{{"op", "add"}, {"path", "/data"}, {"value", {{"a", 1}}}}}));
  };
  BOOST_TEST(make_map("c").status == 500);
}

BOOST_FIXTURE_TEST_CASE(a_failure_counts_as_the_policy_says, WithWebhooks) {
  Object ignored = entry("ignored");
  ignored["failurePolicy"] = "Ignore";
  ignored["objectSelector"] = {{"matchLabels", {{"a", "b"}}}};
  Object strict = entry("strict");
  strict["objectSelector"] = {{"matchExpressions", Object::array({{{"key", "a"}, {"operator", "DoesNotExist"}}})}};
  configure("validating", {ignored, strict});
  failure = "Post \"https://webhook.example/\": EOF";
  const Answer refused = make_map("a");
  BOOST_TEST(refused.status == 500);
  BOOST_TEST(message(refused) ==
             "Internal error occurred: failed calling webhook \"strict.example.com\": failed to call webhook: Post "
             "\"https://webhook.example/\": EOF");
  BOOST_TEST(make_map("a", R"({"a":"b"})").status == 201);
  BOOST_TEST(asked.size() == 2U);
}

BOOST_FIXTURE_TEST_CASE(a_dry_run_reaches_only_webhooks_without_side_effects, WithWebhooks) {
  Object none = entry("none");
  none["sideEffects"] = "NoneOnDryRun";
  configure("validating", {none});
  BOOST_TEST(make_map("a", "{}", "?dryRun=All").status == 201);
  BOOST_REQUIRE(asked.size() == 1U);
  BOOST_TEST(asked[0]["dryRun"] == true);
}

BOOST_FIXTURE_TEST_CASE(namespaces_are_selected_by_their_labels, WithWebhooks) {
  Object selecting = entry("selecting");
  selecting["namespaceSelector"] = {{"matchLabels", {{"watched", "yes"}}}};
  configure("validating", {selecting});
  make_map("a");
  BOOST_TEST(asked.empty());
  send("PATCH", "/api/v1/namespaces/shop", R"({"metadata":{"labels":{"watched":"yes"}}})",
       "application/merge-patch+json");
  make_map("b");
  BOOST_TEST(asked.size() == 1U);
}

BOOST_FIXTURE_TEST_CASE(what_is_deleted_and_connected_to_is_asked_about, WithWebhooks) {
  make_map("a");
  make_map("b");
  configure("validating", {entry("see")});
  BOOST_TEST(send("DELETE", maps, "").status == 200);
  BOOST_REQUIRE(asked.size() == 2U);
  BOOST_TEST(asked[0]["operation"] == "DELETE");
  BOOST_TEST(asked[0]["object"].is_null());
  // They are asked side by side.
  const std::set<std::string> names = {asked[0]["oldObject"]["metadata"]["name"],
                                       asked[1]["oldObject"]["metadata"]["name"]};
  const std::set<std::string> both = {"a", "b"};
  BOOST_TEST(names == both);
  BOOST_TEST(!asked[0].contains("name"));
  asked.clear();
  send("POST", "/api/v1/namespaces/shop/pods/p/exec?command=ls&command=-l&stdin=true&stdout=false", "");
  BOOST_REQUIRE(asked.size() == 1U);
  const Object options = {{"kind", "PodExecOptions"}, {"apiVersion", "v1"}, {"stdin", true}, {"command", {"ls", "-l"}}};
  BOOST_TEST(asked[0]["object"] == options);
  BOOST_TEST(asked[0]["operation"] == "CONNECT");
  BOOST_TEST(asked[0]["options"].is_null());
}

BOOST_FIXTURE_TEST_CASE(a_thousand_deletions_are_asked_about_in_turn, WithWebhooks) {
  constexpr int all = 1000;
  for (int i = 0; i < all; ++i) make_map("m" + std::to_string(i));
  configure("validating", {entry("see")});
  answer = [](const Object& request) {
    return Object{{"allowed", text(request, "oldObject", "metadata", "name") != "m999"}};
  };
  BOOST_TEST(send("DELETE", maps, "").status == 400);
  BOOST_TEST(asked.size() == all);
  // Lists are sorted by name, so m999 is the last.
  BOOST_TEST(Object::parse(send("GET", maps, "").body)["items"].size() == 1U);
}

// A webhook that reads from the same server must not find it locked.
BOOST_FIXTURE_TEST_CASE(others_read_and_write_while_a_webhook_thinks, WithWebhooks) {
  Object slow = entry("slow");
  slow["objectSelector"] = {{"matchLabels", {{"a", "b"}}}};
  configure("validating", {slow});
  int written = 0;
  answer = [&](const Object& request) {
    // Each of these writes changes what the first one would have overwritten.
    if (written < 3) written += make_map("other-" + std::to_string(written)).status == 201 ? 1 : 0;
    BOOST_TEST(send("GET", maps + "/" + std::string(text(request, "name")), "").status == 404);
    return Object{{"allowed", true}};
  };
  BOOST_TEST(make_map("a", R"({"a":"b"})").status == 201);
  BOOST_TEST(written == 1);
}

BOOST_FIXTURE_TEST_CASE(an_update_is_asked_about_again_if_the_object_has_changed_meanwhile, WithWebhooks) {
  make_map("a", R"({"a":"b"})");
  Object slow = entry("slow");
  slow["objectSelector"] = {{"matchLabels", {{"a", "b"}}}};
  configure("validating", {slow});
  const std::string merge = "application/merge-patch+json";
  bool changed = false;
  answer = [&](const Object&) {
    if (!changed) {
      changed = true;
      send("PATCH", maps + "/a", R"({"data":{"other":"1"}})", merge);
    }
    return Object{{"allowed", true}};
  };
  BOOST_TEST(send("PATCH", maps + "/a", R"({"data":{"mine":"1"}})", merge).status == 200);
  BOOST_REQUIRE(!asked.empty());
  const Object both = {{"mine", "1"}, {"other", "1"}};
  BOOST_TEST(asked.back()["object"]["data"] == both);
  BOOST_TEST(Object::parse(send("GET", maps + "/a", "").body)["data"] == both);
}

BOOST_FIXTURE_TEST_CASE(rubbish_is_no_answer, WithWebhooks) {
  configure("mutating", {entry("bad")});
  const auto answered = [&](const Object& response) {
    answer = [response](const Object&) { return response; };
    return message(make_map("a"));
  };
  const std::string failed = "Internal error occurred: failed calling webhook \"bad.example.com\": ";
  BOOST_TEST(answered({{"allowed", true}, {"patch", "W10="}}) ==
             failed + "received invalid webhook response: webhook returned response.patch but not response.patchType");
  BOOST_TEST(answered({{"allowed", true}, {"patchType", "JSONPatch"}}) ==
             failed + "received invalid webhook response: webhook returned response.patchType but not response.patch");
  BOOST_TEST(answered({{"allowed", true}, {"patch", "W10="}, {"patchType", "Other"}}) ==
             failed + "unsupported patch type \"Other\"");
  BOOST_TEST(answered({{"allowed", true}, {"patch", "W"}, {"patchType", "JSONPatch"}}).starts_with(failed));
  BOOST_TEST(answered({{"allowed", "yes"}}) ==
             "admission webhook \"bad.example.com\" denied the request without explanation");
}

BOOST_FIXTURE_TEST_CASE(an_answer_that_is_nested_deep_does_no_harm, WithWebhooks) {
  configure("validating", {entry("deep")});
  const auto answered = [&](std::size_t depth) {
    raw =
        R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"UID","status":{"details":)" +
        std::string(depth, '[') + std::string(depth, ']') + "}}}";
    return make_map("a");
  };
  const Answer kept = answered(5000);
  BOOST_TEST(kept.status == 400);
  BOOST_TEST(message(kept) == "admission webhook \"deep.example.com\" denied the request without explanation");
  const Answer unread = answered(1000000);
  BOOST_TEST(unread.status == 500);
  BOOST_TEST(
      message(unread) ==
      "Internal error occurred: failed calling webhook \"deep.example.com\": failed to call webhook: couldn't get "
      "version/kind; json parse error: invalid character '[' exceeded max depth");
}

BOOST_FIXTURE_TEST_CASE(a_service_is_asked_at_its_cluster_ip, WithWebhooks) {
  post("/api/v1/namespaces/shop/services",
       R"({"metadata":{"name":"hook"},"spec":{"clusterIP":"10.0.0.9","ports":[{"port":8443}]}})");
  Object own = entry("service");
  own["clientConfig"] = {{"service", {{"namespace", "shop"}, {"name", "hook"}, {"path", "check"}, {"port", 8443}}}};
  const Answer wrong = configure("validating", {own});
  BOOST_TEST(wrong.status == 422);
  own["clientConfig"]["service"]["path"] = "/check";
  configure("validating", {own});
  BOOST_TEST(make_map("a").status == 201);
  BOOST_TEST(urls.back() == "10.0.0.9 as https://hook.shop.svc:8443/check");
}

BOOST_FIXTURE_TEST_CASE(a_wrong_configuration_is_refused, WithWebhooks) {
  const auto refused = [&](const char* field, Object value) {
    Object wrong = entry("wrong");
    wrong[field] = std::move(value);
    return message(configure("validating", {wrong}));
  };
  const std::string invalid =
      "ValidatingWebhookConfiguration.admissionregistration.k8s.io \"w\" is invalid: webhooks[0].";
  BOOST_TEST(refused("name", "short") ==
             invalid +
                 "name: Invalid value: \"short\": should be a domain with at least three segments separated by dots");
  BOOST_TEST(refused("sideEffects", "Some") ==
             invalid + "sideEffects: Unsupported value: \"Some\": supported values: \"None\", \"NoneOnDryRun\"");
  BOOST_TEST(refused("timeoutSeconds", 31) ==
             invalid + "timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds");
  BOOST_TEST(refused("clientConfig", Object::object()) ==
             invalid + "clientConfig: Required value: exactly one of url or service is required");
  BOOST_TEST(refused("clientConfig", {{"url", "http://x/"}}) ==
             invalid +
                 "clientConfig.url: Invalid value: \"http\": 'https' is the only allowed URL scheme; desired format: "
                 "https://host[/path]");
  const auto condition = [&](const char* expression) {
    return refused("matchConditions", Object::array({{{"name", "c"}, {"expression", expression}}}));
  };
  BOOST_TEST(condition("1") ==
             invalid + "matchConditions[0].expression: Invalid value: \"1\": must evaluate to bool but got int");
  BOOST_TEST(condition("") == invalid + "matchConditions[0].expression: Required value");
  BOOST_TEST(condition("params.x == 1").find("undeclared reference to 'params'") != std::string::npos);
  BOOST_TEST(condition("request.usr == ''").find("undefined field 'usr'") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_webhook_is_asked_only_where_its_conditions_match, WithWebhooks) {
  Object conditional = entry("conditional");
  conditional["matchConditions"] =
      Object::array({{{"name", "new"}, {"expression", "oldObject == null && request.operation == 'CREATE'"}},
                     {{"name", "name"}, {"expression", "object.metadata.name.startsWith('a')"}},
                     {{"name", "allowed"}, {"expression", "authorizer.requestResource.check('update').allowed()"}}});
  for (const char* kind : {"validating", "mutating"}) {
    BOOST_REQUIRE(configure(kind, {conditional}).status == 201);
  }
  BOOST_TEST(make_map("a").status == 201);
  BOOST_TEST(asked.size() == 2U);
  BOOST_TEST(make_map("b").status == 201);
  BOOST_TEST(send("DELETE", maps + "/a", "").status == 200);
  BOOST_TEST(asked.size() == 2U);
}

BOOST_FIXTURE_TEST_CASE(a_condition_that_fails_goes_by_the_failure_policy, WithWebhooks) {
  Object fails = entry("fails");
  fails["objectSelector"] = {{"matchLabels", {{"case", "fails"}}}};
  fails["matchConditions"] = Object::array({{{"name", "c"}, {"expression", "object.data.missing == 'x'"}}});
  Object ignored = fails;
  ignored["name"] = "ignored.example.com";
  ignored["failurePolicy"] = "Ignore";
  ignored["objectSelector"] = {{"matchLabels", {{"case", "ignored"}}}};
  // A condition that is false decides, whatever others are.
  Object decided = fails;
  decided["name"] = "decided.example.com";
  decided["objectSelector"] = {{"matchLabels", {{"case", "decided"}}}};
  decided["matchConditions"].push_back({{"name", "d"}, {"expression", "false"}});
  BOOST_REQUIRE(configure("validating", {fails, ignored, decided}).status == 201);
  const Answer refused = make_map("a", R"({"case":"fails"})");
  BOOST_TEST(refused.status == 403);
  BOOST_TEST(message(refused) ==
             "configmaps \"a\" is forbidden: expression 'object.data.missing == 'x'' resulted in error: no such key: "
             "data");
  BOOST_TEST(make_map("b", R"({"case":"ignored"})").status == 201);
  BOOST_TEST(make_map("c", R"({"case":"decided"})").status == 201);
  BOOST_TEST(asked.empty());
}

BOOST_AUTO_TEST_SUITE_END()
