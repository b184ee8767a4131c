#include <boost/test/unit_test.hpp>

#include "harness/guest/run_bounds.h"
#include "harness/guest/unrunnable.h"

BOOST_AUTO_TEST_SUITE(guest_bounds)

using namespace nodebound;
using namespace nodebound::guest;
using namespace nodebound::journal;

namespace {

HttpRequest request(const std::string& method, const std::string& target, const std::string& body = "") {
  return {method, target, "application/json", body, false};
}

HttpResponse answer(int status, const std::string& body) {
  HttpResponse out;
  out.status = status;
  out.body = body;
  return out;
}

RunBounds bounds(bool keeps_dry_runs = true) {
  return {"bcdfgh", keeps_dry_runs};
}

void allows(const HttpRequest& what) {
  const auto allowed = bounds().allow(what);
  BOOST_TEST(allowed.has_value(),
             what.method << ' ' << what.target << ' ' << what.body << ": " << (allowed ? "" : allowed.error().text()));
}

void refuses(const HttpRequest& what, const std::string& why) {
  const auto allowed = bounds().allow(what);
  BOOST_REQUIRE_MESSAGE(!allowed, what.method << ' ' << what.target << ' ' << what.body);
  BOOST_TEST(allowed.error().what.find(why) != std::string::npos, allowed.error().text());
}

constexpr const char* not_own = "the run did not make it";

}  // namespace

BOOST_AUTO_TEST_CASE(reads_reviews_and_dry_runs_are_sent) {
  for (const char* target : {"/version", "/api/v1/nodes", "/api/v1/namespaces/kube-system/secrets/theirs",
                             "/api/v1/pods?watch=true", "/apis/apps/v1/deployments"}) {
    allows(request("GET", target));
  }
  for (const char* target :
       {"/apis/authorization.k8s.io/v1/subjectaccessreviews", "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
        "/apis/authorization.k8s.io/v1/namespaces/shop/localsubjectaccessreviews",
        "/apis/authentication.k8s.io/v1/tokenreviews"}) {
    allows(request("POST", target, "{}"));
  }
  allows(request("DELETE", "/api/v1/nodes/theirs?dryRun=All"));
  allows(request("DELETE", "/api/v1/nodes/theirs", R"({"dryRun":["All"]})"));
  allows(request("PATCH", "/api/v1/nodes/theirs?dryRun=All", R"({"metadata":{"labels":{"a":"b"}}})"));
}

BOOST_AUTO_TEST_CASE(what_looks_like_a_dry_run_and_is_none_is_not_sent) {
  refuses(request("DELETE", "/api/v1/nodes/theirs?dryRun=All", R"({"gracePeriodSeconds":0})"), not_own);
  refuses(request("DELETE", "/api/v1/nodes/theirs?dryRun=None"), not_own);
  refuses(request("DELETE", "/api/v1/nodes/theirs?dryrun=All"), not_own);
  refuses(request("PUT", "/api/v1/nodes/theirs?dryRun=All&dryRun=None", "{}"), not_own);
  refuses(request("PUT", "/api/v1/nodes/theirs", R"({"dryRun":["All"]})"), not_own);
}

BOOST_AUTO_TEST_CASE(what_the_run_made_it_may_change) {
  for (const char* target :
       {"/api/v1/nodes/nb-bcdfgh-3-a", "/api/v1/namespaces/nb-bcdfgh-0-shop", "/api/v1/nodes/nb-bcdfgh-3-a/status",
        "/api/v1/namespaces/nb-bcdfgh-0-shop/pods/web", "/api/v1/namespaces/nb-bcdfgh-0-shop/pods",
        "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/nb-bcdfgh-3-a",
        "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease-nb-bcdfgh-3-alike/leases/a"}) {
    allows(request("DELETE", target, "{}"));
    allows(request("PUT", target, "{}"));
  }
}

BOOST_AUTO_TEST_CASE(what_it_did_not_make_it_may_not) {
  for (const char* target : {"/api/v1/nodes/theirs", "/api/v1/nodes/theirs/status", "/api/v1/namespaces/kube-system",
                             "/api/v1/namespaces/shop/pods/web", "/api/v1/namespaces/kube-system/secrets/theirs",
                             "/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode", "/api/v1/nodes/bcdfgh",
                             "/api/v1/nodes/xbcdfghx", "/api/v1/namespaces/shop/pods/web/eviction",
                             "/api/v1/namespaces/shop/pods/web/binding"}) {
    refuses(request("DELETE", target, "{}"), not_own);
    refuses(request("PATCH", target, "{}"), not_own);
    refuses(request("POST", target, "{}"), not_own);
  }
  for (const char* target : {"/api/v1/nodes", "/api/v1/namespaces/kube-system/configmaps", "/api/v1/pods",
                             "/api/v1/nodes?fieldSelector=metadata.name%3Dnb-bcdfgh-3-a"}) {
    refuses(request("DELETE", target, "{}"), "all objects of a kind");
  }
  refuses(request("POST", "/anything"), "no request for a resource");
  refuses(request("DELETE", "/api/v1"), "no request for a resource");
}

BOOST_AUTO_TEST_CASE(no_path_leads_around_a_name) {
  for (const char* target :
       {"/api/v1/nodes/nb-bcdfgh-0-a/../theirs", "/api/v1/namespaces/nb-bcdfgh-0-a/../shop/pods/web",
        "/api/v1/nodes/nb-bcdfgh-0-a%2F..%2Ftheirs", "/api/v1//nodes/nb-bcdfgh-0-a", "/api/v1/nodes/nb-bcdfgh-0-a/.",
        "/api/v1/namespaces/nb-bcdfgh-0-a/%2e%2e/shop/pods/web"}) {
    refuses(request("DELETE", target), "in different ways");
  }
}

BOOST_AUTO_TEST_CASE(what_leads_into_workloads_is_not_even_read) {
  for (const char* target :
       {"/api/v1/namespaces/shop/pods/web/exec?command=id", "/api/v1/namespaces/shop/pods/web/proxy/admin",
        "/api/v1/nodes/theirs/proxy/run/shop/web/main", "/api/v1/namespaces/shop/services/web/proxy",
        "/api/v1/namespaces/shop/pods/web/attach", "/api/v1/namespaces/shop/pods/web/portforward"}) {
    refuses(request("GET", target), "what others run");
    refuses(request("POST", target), not_own);
    refuses(request("POST", std::string(target) + (std::string(target).find('?') == std::string::npos ? "?" : "&") +
                                "dryRun=All"),
            not_own);
  }
  refuses(request("POST", "/api/v1/namespaces/kube-system/serviceaccounts/theirs/token?dryRun=All", "{}"), not_own);
  allows(request("POST", "/api/v1/namespaces/nb-bcdfgh-0-shop/serviceaccounts/own/token", "{}"));
}

BOOST_AUTO_TEST_CASE(new_objects_act_on_nobody_else) {
  allows(request("POST", "/api/v1/nodes", R"({"metadata":{"name":"nb-bcdfgh-0-a"}})"));
  allows(request("POST", "/api/v1/namespaces/nb-bcdfgh-0-shop/secrets", R"({"metadata":{"name":"db"}})"));
  allows(request("POST", "/api/v1/namespaces/kube-system/configmaps", R"({"metadata":{"name":"nb-bcdfgh-0-a"}})"));
  refuses(
      request("POST", "/api/v1/namespaces/kube-system/secrets", R"({"metadata":{"name":"bootstrap-token-abcdef"}})"),
      "name of the run's own");
  for (const char* resource :
       {"admissionregistration.k8s.io/v1/validatingwebhookconfigurations", "apiregistration.k8s.io/v1/apiservices",
        "apiextensions.k8s.io/v1/customresourcedefinitions", "scheduling.k8s.io/v1/priorityclasses"}) {
    refuses(request("POST", std::string("/apis/") + resource, R"({"metadata":{"name":"nb-bcdfgh-0-a"}})"),
            "of the whole cluster");
  }
}

BOOST_AUTO_TEST_CASE(rights_are_given_to_users_of_the_run_alone) {
  const auto binding = [](const std::string& subject) {
    return request("POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
                   R"({"metadata":{"name":"nb-bcdfgh-0-x"},"subjects":[)" + subject + "]}");
  };
  allows(binding(R"({"kind":"Group","name":"nodebound:bcdfgh:widened"})"));
  allows(binding(R"({"kind":"User","name":"system:node:nb-bcdfgh-0-a"})"));
  allows(binding(R"({"kind":"ServiceAccount","namespace":"nb-bcdfgh-0-shop","name":"default"})"));
  for (const char* subject :
       {R"({"kind":"Group","name":"system:unauthenticated"})", R"({"kind":"User","name":"mallory"})",
        R"({"kind":"ServiceAccount","namespace":"kube-system","name":"default"})"}) {
    refuses(binding(subject), "which is not of the run");
  }
  allows(request("POST", "/apis/rbac.authorization.k8s.io/v1/namespaces/nb-bcdfgh-0-shop/rolebindings",
                 R"({"metadata":{"name":"x"},"subjects":[{"kind":"Group","name":"system:nodes"}]})"));
  refuses(request("POST", "/apis/rbac.authorization.k8s.io/v1/namespaces/kube-system/rolebindings",
                  R"({"metadata":{"name":"nb-bcdfgh-0-x"},"subjects":[{"kind":"Group","name":"system:nodes"}]})"),
          "which is not of the run");
  refuses(request("PATCH", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/nb-bcdfgh-0-x",
                  R"([{"op":"add","path":"/subjects/-","value":{"kind":"User","name":"mallory"}}])"),
          "which is not of the run");
}

BOOST_AUTO_TEST_CASE(nothing_that_is_made_can_run) {
  const std::string pods = "/api/v1/namespaces/nb-bcdfgh-0-shop/pods";
  const auto pod = [](const std::string& spec) { return R"({"metadata":{"name":"web"},"spec":{)" + spec + "}}"; };
  const std::string none = R"("containers":[{"name":"main","image":"registry.invalid/none"}])";
  allows(request("POST", pods, pod(none)));
  allows(request("POST", pods, pod(R"("nodeName":"nb-bcdfgh-0-a",)" + none)));
  refuses(request("POST", pods, pod(R"("nodeName":"worker-1",)" + none)), "would run the pod");
  refuses(request("POST", pods + "/web/binding", R"({"target":{"kind":"Node","name":"worker-1"}})"),
          "would run the pod");
  refuses(request("POST", "/api/v1/namespaces/nb-bcdfgh-0-shop/bindings",
                  R"({"metadata":{"name":"web"},"target":{"kind":"Node","name":"worker-1"}})"),
          "would run the pod");
  for (const char* image : {"nginx", "registry.invalid", "docker.io/library/nginx", "invalid/none"}) {
    const std::string fault = std::string("the image ") + image;
    for (const char* kind : {"containers", "initContainers", "ephemeralContainers"}) {
      refuses(request("POST", pods, pod('"' + std::string(kind) + R"(":[{"image":")" + image + R"("}])")), fault);
    }
    refuses(request("POST", "/apis/apps/v1/namespaces/nb-bcdfgh-0-shop/deployments",
                    R"({"spec":{"template":{"spec":{"containers":[{"image":")" + std::string(image) + R"("}]}}}})"),
            fault);
    refuses(request("PATCH", pods + "/web",
                    R"([{"op":"replace","path":"/spec/containers/0/image","value":")" + std::string(image) + R"("}])"),
            fault);
    refuses(request("PATCH", pods + "/web",
                    R"([{"op":"add","path":"/spec/ephemeralContainers/-","value":{"image":")" + std::string(image) +
                        R"("}}])"),
            fault);
  }
  refuses(request("POST", pods, "kind: Pod"), "cannot be read");
}

BOOST_AUTO_TEST_CASE(a_name_that_others_may_use_is_the_runs_while_its_object_is_there) {
  RunBounds own = bounds();
  const HttpRequest made = request("POST", "/api/v1/nodes", R"({"metadata":{"name":"any-name"}})");
  const HttpRequest deleted = request("DELETE", "/api/v1/nodes/any-name", "{}");
  BOOST_TEST(!own.allow(deleted));
  own.note(request("POST", "/api/v1/nodes?dryRun=All", made.body), answer(201, made.body));
  BOOST_TEST(!own.allow(deleted), "a dry run makes nothing");
  own.note(made, answer(409, R"({"kind":"Status"})"));
  BOOST_TEST(!own.allow(deleted), "it was there before");
  own.note(made, answer(201, made.body));
  BOOST_TEST(own.allow(deleted).has_value());
  BOOST_TEST(
      own.allow(request("POST", "/api/v1/namespaces/nb-bcdfgh-0-shop/pods", R"({"spec":{"nodeName":"any-name"}})"))
          .has_value());
  own.note(deleted, answer(200, R"({"metadata":{"name":"any-name","finalizers":["example.com/x"]}})"));
  BOOST_TEST(own.allow(deleted).has_value(), "a finalizer holds it");
  own.note(deleted, answer(200, "{}"));
  BOOST_TEST(!own.allow(deleted), "somebody else may make one now");
}

BOOST_AUTO_TEST_CASE(where_dry_runs_have_an_effect_they_are_writes) {
  const HttpRequest dry_run = request("DELETE", "/api/v1/nodes/theirs?dryRun=All");
  const auto allowed = bounds(false).allow(dry_run);
  BOOST_REQUIRE(!allowed);
  BOOST_TEST(allowed.error().what.find("lets dry runs have an effect") != std::string::npos);
  BOOST_TEST(bounds(false).allow(request("DELETE", "/api/v1/nodes/nb-bcdfgh-0-a?dryRun=All")).has_value());
}

BOOST_AUTO_TEST_CASE(nodes_are_closed_and_pods_wait_for_nobody) {
  Object node = Object::object();
  make_unrunnable("nodes", node);
  BOOST_TEST(node == Object::parse(R"({"spec":{"unschedulable":true,"taints":[{"key":"nodebound.dev/run",)"
                                   R"("effect":"NoSchedule"}]}})"));
  Object tainted = {{"spec", {{"taints", {{{"key", "own"}, {"effect", "NoSchedule"}}}}}}};
  make_unrunnable("nodes", tainted);
  BOOST_TEST(tainted["spec"]["taints"].size() == 1U);
  BOOST_TEST(tainted["spec"]["unschedulable"] == true);
  Object pod = Object::object();
  make_unrunnable("pods", pod);
  BOOST_TEST(pod["spec"]["schedulerName"] == "nodebound.invalid");
  Object bound = {{"spec", {{"nodeName", "nb-bcdfgh-0-a"}}}};
  make_unrunnable("pods", bound);
  BOOST_TEST(!bound["spec"].contains("schedulerName"));
  Object wrong = {{"spec", "text"}};
  make_unrunnable("nodes", wrong);
  BOOST_TEST(wrong["spec"] == "text");
}

BOOST_AUTO_TEST_SUITE_END()
