#include "fakes/test/whole_cluster.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>

#include "fakes/apiserver/discovery/first_objects.h"
#include "fakes/store/memory_journal.h"
#include "fakes/test/signing_request.h"

BOOST_AUTO_TEST_SUITE(whole_cluster)

using namespace nodebound;
using namespace nodebound::apiserver;

namespace {

struct OldCluster : WholeCluster {
  OldCluster() : WholeCluster("1.16.0") {}
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(first_objects, WholeCluster)

BOOST_AUTO_TEST_CASE(namespaces_roles_and_classes_are_there_from_the_start) {
  const Object system = get("/api/v1/namespaces/kube-system");
  BOOST_TEST(text(system, "metadata", "labels", "kubernetes.io/metadata.name") == "kube-system");
  BOOST_TEST(text(system, "status", "phase") == "Active");
  BOOST_TEST(system["spec"]["finalizers"] == Object::parse(R"(["kubernetes"])"));
  const std::string rbac = "/apis/rbac.authorization.k8s.io/v1/";
  const Object node = get(rbac + "clusterroles/system:node");
  BOOST_TEST(text(node, "metadata", "annotations", "rbac.authorization.kubernetes.io/autoupdate") == "true");
  BOOST_TEST(node["rules"].size() > 10U);
  BOOST_TEST(get(rbac + "clusterrolebindings/system:kube-scheduler")["roleRef"]["name"] == "system:kube-scheduler");
  BOOST_TEST(get(rbac + "namespaces/kube-system/roles").at("items").size() >= 5U);
  BOOST_TEST(get("/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical")["value"] == 2000001000);
}

// A server with a journal stores the first objects one by one; the others take them over as they are.
BOOST_AUTO_TEST_CASE(every_server_begins_with_the_same_store) {
  const auto shown = [&](const ApiServer::Options& options) {
    ApiServer own(rules, options);
    const auto ask = [&](const char* method, const std::string& target, const std::string& body) {
      const HttpResponse response = own.handle(admin, {method, target, "application/json", body});
      BOOST_TEST(response.status < 300);
      return response.body;
    };
    return ask("GET", "/apis/rbac.authorization.k8s.io/v1/clusterroles", "") + ask("GET", "/api/v1/services", "") +
           ask("POST", "/api/v1/namespaces", R"({"metadata":{"name":"shop"}})");
  };
  ApiServer::Options journaled = options();
  journaled.journal = std::make_shared<MemoryJournal>();
  ApiServer::Options sharing = options();
  sharing.first_objects = std::make_shared<FirstObjects>();
  const std::string one_by_one = shown(journaled);
  BOOST_TEST(shown(options()) == one_by_one);
  BOOST_TEST(shown(sharing) == one_by_one);
  BOOST_TEST(shown(sharing) == one_by_one);
}

BOOST_AUTO_TEST_CASE(bootstrap_roles_are_what_rbac_decides_by) {
  const std::string rbac = "/apis/rbac.authorization.k8s.io/v1/";
  const Subject scheduler{"system:kube-scheduler", {}, "", {}};
  BOOST_TEST(call(scheduler, "GET", "/api/v1/nodes").status == 200);
  BOOST_TEST(call(admin, "DELETE", rbac + "clusterrolebindings/system:kube-scheduler").status == 200);
  BOOST_TEST(call(scheduler, "GET", "/api/v1/nodes").status == 403);
}

BOOST_AUTO_TEST_CASE(some_namespaces_stay_and_others_wait_for_their_finalizer) {
  const Answer refused = call(admin, "DELETE", "/api/v1/namespaces/default");
  BOOST_TEST(refused.status == 403);
  BOOST_TEST(message(refused) == "namespaces \"default\" is forbidden: this namespace may not be deleted");
  make_shop();
  const Answer ended = call(admin, "DELETE", "/api/v1/namespaces/shop");
  BOOST_TEST(ended.status == 200);
  BOOST_TEST(text(ended.body, "status", "phase") == "Terminating");
  const Answer late = post("/api/v1/namespaces/shop/configmaps", R"({"metadata":{"name":"c"}})");
  BOOST_TEST(late.status == 403);
  BOOST_TEST(message(late) ==
             "configmaps \"c\" is forbidden: unable to create new content in namespace shop because it "
             "is being terminated");
  Object gone = get("/api/v1/namespaces/shop");
  gone["spec"].erase("finalizers");
  BOOST_TEST(call(admin, "PUT", "/api/v1/namespaces/shop/finalize", gone.dump()).status == 200);
  BOOST_TEST(call(admin, "GET", "/api/v1/namespaces/shop").status == 404);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(pods_of_a_cluster, WholeCluster)

BOOST_AUTO_TEST_CASE(a_pod_needs_its_service_account) {
  post("/api/v1/namespaces", R"({"metadata":{"name":"shop"}})");
  const Answer refused = make_pod(R"({"containers":[]})");
  BOOST_TEST(refused.status == 403);
  BOOST_TEST(message(refused) ==
             "pods \"p\" is forbidden: error looking up service account shop/default: "
             "serviceaccount \"default\" not found");
  const Answer nameless = post("/api/v1/namespaces/shop/pods", R"({"metadata":{"name":""},"spec":{"containers":[]}})");
  BOOST_TEST(message(nameless).starts_with("pods \"Unknown\" is forbidden: error looking up service account"));
}

BOOST_AUTO_TEST_CASE(a_pod_gets_what_admission_and_its_strategy_add) {
  make_shop();
  const Object pod = make_pod(R"({"containers":[{"name":"c","image":"x"},{"name":"d","image":"x:1",
                                  "resources":{"limits":{"cpu":"1"}}}]})")
                         .body;
  BOOST_TEST(text(pod, "spec", "serviceAccountName") == "default");
  BOOST_TEST(text(pod, "spec", "serviceAccount") == "default");
  BOOST_TEST(pod["spec"]["containers"][0]["imagePullPolicy"] == "Always");
  BOOST_TEST(pod["spec"]["containers"][1]["imagePullPolicy"] == "IfNotPresent");
  BOOST_TEST(pod["spec"]["containers"][1]["resources"]["requests"]["cpu"] == "1");
  BOOST_TEST(pod["spec"]["tolerations"].size() == 2U);
  BOOST_TEST(pod["spec"]["priority"] == 0);
  BOOST_TEST(text(pod, "status", "qosClass") == "Burstable");
  BOOST_TEST(pod["metadata"]["generation"] == 1);
  const Object& volume = pod["spec"]["volumes"][0];
  BOOST_TEST(text(volume, "name").starts_with("kube-api-access-"));
  BOOST_TEST(pod["spec"]["containers"][0]["volumeMounts"][0]["name"] == volume["name"]);
}

BOOST_AUTO_TEST_CASE(the_token_volume_leads_a_node_to_the_authorities) {
  make_shop();
  post("/api/v1/namespaces/shop/configmaps", R"({"metadata":{"name":"kube-root-ca.crt"}})");
  const std::string target = "/api/v1/namespaces/shop/configmaps/kube-root-ca.crt";
  BOOST_TEST(call(node_a, "GET", target).status == 403);
  make_pod(R"({"nodeName":"a","containers":[{"name":"c","image":"x"}]})");
  BOOST_TEST(call(node_a, "GET", target).status == 200);
}

BOOST_AUTO_TEST_CASE(a_pod_may_go_without_a_token) {
  make_shop();
  const Object pod = make_pod(R"({"automountServiceAccountToken":false,"containers":[{"name":"c","image":"x"}]})").body;
  BOOST_TEST(!pod["spec"].contains("volumes"));
}

BOOST_AUTO_TEST_CASE(a_priority_class_must_be_there) {
  make_shop();
  const Answer refused = make_pod(R"({"priorityClassName":"none","containers":[]})");
  BOOST_TEST(refused.status == 403);
  BOOST_TEST(message(refused) == "pods \"p\" is forbidden: no PriorityClass with name none was found");
  const Object pod = make_pod(R"({"priorityClassName":"system-node-critical","containers":[]})").body;
  BOOST_TEST(pod["spec"]["priority"] == 2000001000);
}

BOOST_AUTO_TEST_CASE(binding_notes_that_the_pod_is_scheduled) {
  make_shop();
  make_pod(R"({"containers":[{"name":"c","image":"x"}]})");
  BOOST_TEST(post(pods + "/p/binding", R"({"metadata":{"name":"p"},"target":{"kind":"Node","name":"a"}})").status ==
             201);
  const Object conditions = get(pods + "/p")["status"]["conditions"];
  BOOST_REQUIRE(conditions.size() == 1U);
  BOOST_TEST(text(conditions[0], "type") == "PodScheduled");
  BOOST_TEST(text(conditions[0], "status") == "True");
}

BOOST_AUTO_TEST_CASE(what_is_wanted_of_a_pod_is_counted) {
  make_shop();
  make_pod(R"({"containers":[{"name":"c","image":"x"}]})");
  const auto patched = [&](const char* patch, const std::string& target) {
    return call(admin, "PATCH", target, patch, "application/merge-patch+json").body["metadata"]["generation"];
  };
  BOOST_TEST(patched(R"({"metadata":{"labels":{"a":"b"}}})", pods + "/p") == 1);
  BOOST_TEST(patched(R"({"spec":{"activeDeadlineSeconds":5}})", pods + "/p") == 2);
  BOOST_TEST(patched(R"({"status":{"phase":"Running"}})", pods + "/p/status") == 2);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(other_objects_of_a_cluster, WholeCluster)

BOOST_AUTO_TEST_CASE(a_node_begins_as_not_ready) {
  const Object node = post("/api/v1/nodes", R"({"metadata":{"name":"a"},"spec":{"podCIDR":"10.1.0.0/24"}})").body;
  BOOST_TEST(node["spec"]["taints"] ==
             Object::parse(R"([{"key":"node.kubernetes.io/not-ready","effect":"NoSchedule"}])"));
  BOOST_TEST(node["spec"]["podCIDRs"] == Object::parse(R"(["10.1.0.0/24"])"));
}

BOOST_AUTO_TEST_CASE(services_get_addresses_and_ports_of_their_own) {
  make_shop();
  const auto made = [&](const std::string& name) {
    return post("/api/v1/namespaces/shop/services",
                R"({"metadata":{"name":")" + name + R"("},"spec":{"type":"NodePort","ports":[{"port":80}]}})")
        .body["spec"];
  };
  const Object one = made("one");
  const Object two = made("two");
  BOOST_TEST(one["clusterIP"] != two["clusterIP"]);
  BOOST_TEST(one["ports"][0]["nodePort"] != two["ports"][0]["nodePort"]);
  BOOST_TEST(one["ports"][0]["targetPort"] == 80);
  BOOST_TEST(one["clusterIPs"] == Object::array({one["clusterIP"]}));
}

BOOST_AUTO_TEST_CASE(endpoints_go_with_their_service) {
  make_shop();
  post("/api/v1/namespaces/shop/services", R"({"metadata":{"name":"one"},"spec":{"ports":[{"port":80}]}})");
  for (const char* name : {"one", "two"}) {
    post("/api/v1/namespaces/shop/endpoints", R"({"metadata":{"name":")" + std::string(name) + R"("}})");
  }
  call(admin, "DELETE", "/api/v1/namespaces/shop/services/one");
  BOOST_TEST(call(admin, "GET", "/api/v1/namespaces/shop/endpoints/one").status == 404);
  BOOST_TEST(call(admin, "GET", "/api/v1/namespaces/shop/endpoints/two").status == 200);
}

BOOST_AUTO_TEST_CASE(endpoints_stay_since_nobody_reads_them) {
  WholeCluster newest("1.37.1");
  newest.make_shop();
  newest.post("/api/v1/namespaces/shop/services", R"({"metadata":{"name":"one"},"spec":{"ports":[{"port":80}]}})");
  newest.post("/api/v1/namespaces/shop/endpoints", R"({"metadata":{"name":"one"}})");
  newest.call(admin, "DELETE", "/api/v1/namespaces/shop/services/one");
  BOOST_TEST(newest.call(admin, "GET", "/api/v1/namespaces/shop/endpoints/one").status == 200);
}

BOOST_AUTO_TEST_CASE(strings_of_a_secret_become_its_data) {
  make_shop();
  const Object secret =
      post("/api/v1/namespaces/shop/secrets", R"({"metadata":{"name":"s"},"stringData":{"a":"b"}})").body;
  BOOST_TEST(secret["data"]["a"] == "Yg==");
  BOOST_TEST(!secret.contains("stringData"));
  BOOST_TEST(text(secret, "type") == "Opaque");
}

BOOST_AUTO_TEST_CASE(a_signing_request_speaks_for_who_makes_it) {
  const Object submitted = {{"metadata", {{"name", "r"}}},
                            {"spec",
                             {{"signerName", "example.com/s"},
                              {"request", signing_request},
                              {"username", "admin"},
                              {"usages", Object::array({"client auth"})}}}};
  const Object request =
      call(node_a, "POST", "/apis/certificates.k8s.io/v1/certificatesigningrequests", submitted.dump()).body;
  BOOST_TEST(text(request, "spec", "username") == "system:node:a");
}

BOOST_AUTO_TEST_CASE(a_rules_review_lists_what_rbac_permits) {
  const std::string reviews = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";
  const std::string body = R"({"spec":{"namespace":"default"}})";
  const Object own = call(admin, "POST", reviews, body).body["status"];
  BOOST_TEST(own["incomplete"] == false);
  const Object all = Object::parse(R"({"verbs":["*"],"apiGroups":["*"],"resources":["*"]})");
  BOOST_TEST((std::find(own["resourceRules"].begin(), own["resourceRules"].end(), all) != own["resourceRules"].end()));
  const Object of_node = call(node_a, "POST", reviews, body).body["status"];
  BOOST_TEST(of_node["incomplete"] == true);
  BOOST_TEST(text(of_node, "evaluationError") == "node authorizer does not support user rule resolution");
  BOOST_TEST((std::find(of_node["resourceRules"].begin(), of_node["resourceRules"].end(), all) ==
              of_node["resourceRules"].end()));
}

BOOST_AUTO_TEST_CASE(a_binding_that_leads_nowhere_is_told_and_leaves_the_rules_complete) {
  const std::string bindings = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings";
  call(admin, "POST", bindings,
       R"({"metadata":{"name":"b"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"gone"},
           "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"system:node:a"},
                       {"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"eve"}]})");
  const std::string reviews = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";
  const Object eves =
      call({"eve", {"system:authenticated"}, "", {}}, "POST", reviews, R"({"spec":{"namespace":"default"}})").body;
  BOOST_TEST(eves["status"]["incomplete"] == false);
  BOOST_TEST(text(eves, "status", "evaluationError").find("gone") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(admission_is_asked_about_reviews) {
  const Subject unnamed{"system:node:", {"system:nodes", "system:authenticated"}, "", {}};
  for (const char* review : {"selfsubjectaccessreviews", "selfsubjectrulesreviews"}) {
    const auto answer = call(unnamed, "POST", std::string("/apis/authorization.k8s.io/v1/") + review,
                             R"({"spec":{"namespace":"default"}})");
    BOOST_TEST(answer.status == 403);
    BOOST_TEST(text(answer.body, "message").ends_with(R"(could not determine node from user "system:node:")"));
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(an_old_release, OldCluster)

BOOST_AUTO_TEST_CASE(what_came_later_is_not_added) {
  make_shop();
  const Object pod = make_pod(R"({"containers":[{"name":"c","image":"x"}]})").body;
  BOOST_TEST(!pod["spec"].contains("volumes"));
  BOOST_TEST(!pod["spec"].contains("preemptionPolicy"));
  BOOST_TEST(!pod["metadata"].contains("generation"));
  BOOST_TEST(!get("/api/v1/namespaces/shop")["metadata"].contains("labels"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(metrics_of_health_come_with_a_gate_and_outlive_it) {
  const auto status = [](const char* version) {
    WholeCluster cluster(version);
    return cluster.call(admin, "GET", "/metrics/slis").status;
  };
  BOOST_TEST(status("1.26.0") == 404);
  BOOST_TEST(status("1.28.0") == 200);
  BOOST_TEST(status("1.36.3") == 200);
}

BOOST_AUTO_TEST_CASE(pages_for_people_are_plain_text_behind_gates) {
  const auto asked = [](const char* version, const char* path, const char* accept) {
    WholeCluster cluster(version);
    HttpRequest request{"GET", path, "", ""};
    request.accept = accept;
    return cluster.server.handle(admin, request).status;
  };
  BOOST_TEST(asked("1.35.4", "/statusz", "") == 404);
  for (const char* path : {"/statusz", "/flagz"}) {
    BOOST_TEST(asked("1.36.3", path, "") == 200);
    BOOST_TEST(asked("1.36.3", path, "application/json, */*") == 200);
    BOOST_TEST(asked("1.36.3", path, "application/json") == 406);
  }
}

BOOST_AUTO_TEST_SUITE_END()
