// What the strategies of resources keep, add and end, as observed on kube-apiserver 1.36.3.

#include <boost/test/unit_test.hpp>

#include "fakes/test/signing_request.h"
#include "fakes/test/whole_cluster.h"
#include "fakes/wire/timestamp.h"

BOOST_AUTO_TEST_SUITE(strategies)

using namespace nodebound;

namespace {

struct Strategies : WholeCluster {
  Strategies() {
    make_shop();
    post("/api/v1/nodes", R"({"metadata":{"name":"b","labels":{"topology.kubernetes.io/zone":"z1"}}})");
  }

  Answer merged(const std::string& target, const std::string& patch) {
    return call(admin, "PATCH", target, patch, "application/merge-patch+json");
  }

  Object make_bound_pod() {
    make_pod(R"({"nodeName":"b"})");
    return get(pods + "/p");
  }
};

const std::string no_uid = R"({"preconditions":{"uid":"00000000-0000-0000-0000-000000000000"}})";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(resizes, Strategies)

// Texts of kube-apiserver 1.36.3 and 1.37.1.
BOOST_AUTO_TEST_CASE(a_bound_pod_grows_as_far_as_its_node_goes) {
  make_pod(R"({"nodeName":"b","containers":[{"name":"c","image":"x","resources":{"requests":{"cpu":"100m"}}}]})");
  const auto resized = [&](const char* cpu) {
    const Object request = {{"name", "c"}, {"resources", {{"requests", {{"cpu", cpu}}}}}};
    const Object patch = {{"spec", {{"containers", Object::array({request})}}}};
    return merged(pods + "/p/resize", patch.dump());
  };
  BOOST_TEST(resized("100m").status == 200);
  const auto refused = resized("1.5");
  BOOST_TEST(refused.status == 403);
  BOOST_TEST(text(refused.body, "message") ==
             "pods \"p\" is forbidden: node didn't have enough allocatable resources: cpu, requested: 1500, "
             "allocatable: 0");
  BOOST_TEST(member(refused.body, "details", "causes").dump() == R"([{"reason":"NodeCapacity"}])");
  merged("/api/v1/nodes/b/status", R"({"status":{"allocatable":{"cpu":"2"}}})");
  BOOST_TEST(resized("1.5").status == 200);
  merged("/api/v1/nodes/b", R"({"metadata":{"labels":{"kubernetes.io/os":"windows"}}})");
  BOOST_TEST(text(resized("1").body, "message").ends_with("only supported on linux nodes, node \"b\" is \"windows\""));
  call(admin, "DELETE", "/api/v1/nodes/b");
  BOOST_TEST(text(resized("1").body, "message") == "pods \"p\" is forbidden: node \"b\" not found");
}

BOOST_AUTO_TEST_CASE(what_is_wrong_with_a_resize_is_told_before_the_node_is_asked) {
  make_pod(R"({"nodeName":"b","containers":[{"name":"c","image":"x","resources":
               {"requests":{"cpu":"100m","example.com/gpu":"1"},"limits":{"cpu":"200m","example.com/gpu":"1"}}}]})");
  const auto refusal = [&](const std::string& resources) {
    const std::string patch = R"({"spec":{"containers":[{"name":"c","image":"x","resources":)" + resources + "}]}}";
    const auto answer = call(admin, "PATCH", pods + "/p/resize", patch, "application/merge-patch+json");
    return std::to_string(answer.status) + " " + std::string(text(answer.body, "message"));
  };
  const std::string gpu = R"("example.com/gpu":"1")";
  BOOST_TEST(
      refusal(R"({"requests":{"cpu":"1",)" + gpu + R"(},"limits":{"cpu":"200m",)" + gpu + "}}") ==
      "422 Pod \"p\" is invalid: spec.containers[0].resources.requests: Invalid value: \"1\": must be less than or "
      "equal to cpu limit of 200m");
  BOOST_TEST(
      refusal("{\"requests\":{\"cpu\":\"100m\"," + gpu + "},\"limits\":{" + gpu + "}}") ==
      "422 Pod \"p\" is invalid: spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed");
  const std::string two = R"("example.com/gpu":"2")";
  BOOST_TEST(refusal(R"({"requests":{"cpu":"100m",)" + two + R"(},"limits":{"cpu":"200m",)" + two + "}}") ==
             "422 Pod \"p\" is invalid: spec: Forbidden: only cpu and memory resources are mutable");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(deletions, Strategies)

BOOST_AUTO_TEST_CASE(another_nodes_pod_is_refused_until_it_is_being_deleted) {
  make_bound_pod();
  BOOST_TEST(call(node_a, "DELETE", pods + "/p").status == 403);
  BOOST_TEST(call(admin, "DELETE", pods + "/p").status == 200);
  // Nothing changes then, and admission is not asked.
  BOOST_TEST(call(node_a, "DELETE", pods + "/p").status == 200);
  BOOST_TEST(call(node_a, "DELETE", pods + "/p", R"({"gracePeriodSeconds":0})").status == 403);
}

BOOST_AUTO_TEST_CASE(preconditions_come_before_admission) {
  make_bound_pod();
  BOOST_TEST(call(node_a, "DELETE", pods + "/p", no_uid).status == 409);
}

BOOST_AUTO_TEST_CASE(grace_is_only_ever_shortened) {
  make_bound_pod();
  call(admin, "DELETE", pods + "/p", R"({"gracePeriodSeconds":20})");
  BOOST_TEST(get(pods + "/p")["metadata"]["deletionGracePeriodSeconds"] == 20);
  call(admin, "DELETE", pods + "/p", R"({"gracePeriodSeconds":40})");
  BOOST_TEST(get(pods + "/p")["metadata"]["deletionGracePeriodSeconds"] == 20);
  call(admin, "DELETE", pods + "/p", R"({"gracePeriodSeconds":5})");
  BOOST_TEST(get(pods + "/p")["metadata"]["deletionGracePeriodSeconds"] == 5);
  call(admin, "DELETE", pods + "/p", R"({"gracePeriodSeconds":0})");
  BOOST_TEST(call(admin, "GET", pods + "/p").status == 404);
}

BOOST_AUTO_TEST_CASE(grace_counts_from_the_first_deletion) {
  make_bound_pod();
  call(admin, "DELETE", pods + "/p", R"({"gracePeriodSeconds":300})");
  const auto ends = [&] { return seconds_of(text(get(pods + "/p"), "metadata", "deletionTimestamp")).value(); };
  const std::int64_t first = ends();
  call(admin, "DELETE", pods + "/p", R"({"gracePeriodSeconds":290})");
  BOOST_TEST(first - ends() == 10);
}

BOOST_AUTO_TEST_CASE(an_eviction_may_say_that_it_expects_nothing) {
  make_bound_pod();
  BOOST_TEST(post(pods + "/p/eviction", R"({"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"p"},
                                           "deleteOptions":{"preconditions":null}})")
                 .status == 201);
}

BOOST_AUTO_TEST_CASE(what_ends_at_once_is_answered_as_it_ends) {
  make_pod("{}");
  for (const char* const query : {"?dryRun=All", ""}) {
    const Answer ended = call(admin, "DELETE", pods + "/p" + query);
    BOOST_TEST(ended.status == 200);
    BOOST_TEST(ended.body["metadata"]["deletionGracePeriodSeconds"] == 0);
    BOOST_TEST(ended.body["metadata"]["generation"] == 2);
  }
  BOOST_TEST(call(admin, "GET", pods + "/p").status == 404);
}

BOOST_AUTO_TEST_CASE(an_evicted_pod_says_so) {
  make_bound_pod();
  const std::string eviction = R"({"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"p"}})";
  BOOST_TEST(post(pods + "/p/eviction", eviction).status == 201);
  const Object pod = get(pods + "/p");
  BOOST_REQUIRE(pod["status"]["conditions"].size() == 1U);
  BOOST_TEST(text(pod["status"]["conditions"][0], "reason") == "EvictionByEvictionAPI");
  BOOST_TEST(pod["metadata"].contains("deletionTimestamp"));
}

BOOST_AUTO_TEST_CASE(a_pod_that_ends_takes_no_node) {
  post(pods, R"({"metadata":{"name":"p","finalizers":["example.com/hold"]},"spec":{}})");
  call(admin, "DELETE", pods + "/p");
  const std::string binding = R"({"metadata":{"name":"p"},"target":{"kind":"Node","name":"b"}})";
  const Answer bound = post(pods + "/p/binding", binding);
  BOOST_TEST(bound.status == 409);
  BOOST_TEST(message(bound).ends_with("pod p is being deleted, cannot be assigned to a host"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(updates, Strategies)

BOOST_AUTO_TEST_CASE(the_status_of_an_attachment_leaves_its_metadata_alone) {
  const std::string attachments = "/apis/storage.k8s.io/v1/volumeattachments";
  post(attachments, R"({"metadata":{"name":"x","labels":{"kept":"yes"}},
                        "spec":{"attacher":"csi.example.com","nodeName":"b","source":{"persistentVolumeName":"v"}}})");
  Object attachment = get(attachments + "/x");
  attachment["metadata"]["labels"] = {{"new", "yes"}};
  attachment["metadata"]["annotations"] = {{"new", "yes"}};
  attachment["status"] = {{"attached", true}};
  const Answer changed = call(admin, "PUT", attachments + "/x/status", attachment.dump());
  BOOST_TEST(changed.status == 200);
  BOOST_TEST(changed.body["metadata"]["labels"] == Object({{"kept", "yes"}}));
  BOOST_TEST(!changed.body["metadata"].contains("annotations"));
  BOOST_TEST(changed.body["status"]["attached"] == true);
}

BOOST_AUTO_TEST_CASE(the_owners_of_a_node_change_through_its_status_and_those_of_a_pod_do_not) {
  const Object owners = {{{"apiVersion", "v1"}, {"kind", "Node"}, {"name", "b"}, {"uid", "1"}}};
  Object node = get("/api/v1/nodes/b");
  node["metadata"]["ownerReferences"] = Object::array({owners[0]});
  call(admin, "PUT", "/api/v1/nodes/b/status", node.dump());
  BOOST_TEST(get("/api/v1/nodes/b")["metadata"]["ownerReferences"].size() == 1U);
  Object pod = make_bound_pod();
  pod["metadata"]["ownerReferences"] = Object::array({owners[0]});
  call(admin, "PUT", pods + "/p/status", pod.dump());
  BOOST_TEST(!get(pods + "/p")["metadata"].contains("ownerReferences"));
}

BOOST_AUTO_TEST_CASE(a_pods_quality_of_service_outlives_a_status_that_is_silent_of_it) {
  Object pod = make_bound_pod();
  pod["status"] = {{"phase", "Running"}};
  const Answer changed = call(admin, "PUT", pods + "/p/status", pod.dump());
  BOOST_TEST(text(changed.body, "status", "qosClass") == "BestEffort");
  BOOST_TEST(text(changed.body, "status", "phase") == "Running");
}

BOOST_AUTO_TEST_CASE(tolerations_are_filled_in_of_an_update_too_and_topology_is_not) {
  Object pod = make_bound_pod();
  BOOST_TEST(text(pod, "metadata", "labels", "topology.kubernetes.io/zone") == "z1");
  pod["spec"].erase("tolerations");
  pod["metadata"].erase("labels");
  const Answer changed = call(admin, "PUT", pods + "/p", pod.dump());
  BOOST_TEST(changed.status == 200);
  BOOST_TEST(changed.body["spec"]["tolerations"].size() == 2U);
  BOOST_TEST(!changed.body["metadata"].contains("labels"));
}

BOOST_AUTO_TEST_CASE(a_namespace_keeps_its_finalizers_and_is_labelled_with_the_name_it_gets) {
  const Answer changed = call(admin, "PUT", "/api/v1/namespaces/shop", R"({"metadata":{"name":"shop"}})");
  BOOST_TEST(changed.body["spec"]["finalizers"] == Object({"kubernetes"}));
  const Answer made = post("/api/v1/namespaces", R"({"metadata":{"generateName":"team-"}})");
  BOOST_TEST(text(made.body, "metadata", "labels", "kubernetes.io/metadata.name") ==
             text(made.body, "metadata", "name"));
}

BOOST_AUTO_TEST_CASE(a_new_object_may_say_a_version_that_is_none) {
  const std::string configmaps = "/api/v1/namespaces/shop/configmaps";
  BOOST_TEST(post(configmaps, R"({"metadata":{"name":"c","resourceVersion":"x"}})").status == 201);
  BOOST_TEST(post(configmaps, R"({"metadata":{"name":"d","resourceVersion":"7"}})").status == 500);
}

BOOST_AUTO_TEST_CASE(a_resize_changes_what_containers_may_use_and_nothing_else) {
  make_bound_pod();
  const auto resize = [&](const std::string& patch) {
    return call(admin, "PATCH", pods + "/p/resize", patch, "application/merge-patch+json");
  };
  BOOST_TEST(resize(R"({"metadata":{"labels":{"x":"y"}},"spec":{"nodeName":"other"}})").status == 200);
  BOOST_TEST(text(get(pods + "/p"), "spec", "nodeName") == "b");
  const Answer more = resize(R"({"spec":{"nodeName":"other","containers":[{"name":"c"},{"name":"d","image":"i"}]}})");
  BOOST_TEST(more.status == 422);
  BOOST_TEST(message(more).find("spec.containers: Forbidden: containers may not be added or removed on resize") !=
             std::string::npos);
  const Answer other = resize(R"({"spec":{"containers":[{"name":"d","image":"i"}]}})");
  BOOST_TEST(message(other).find("spec.containers[0].name: Forbidden: containers may not be renamed or reordered on "
                                 "resize") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(ephemeral_containers_stay_as_they_are) {
  make_bound_pod();
  const auto patch = [&](const std::string& containers) {
    return call(admin, "PATCH", pods + "/p/ephemeralcontainers",
                R"({"spec":{"ephemeralContainers":)" + containers + "}}", "application/merge-patch+json");
  };
  BOOST_TEST(patch(R"([{"name":"e","image":"i"}])").status == 200);
  const std::string version(text(get(pods + "/p"), "metadata", "resourceVersion"));
  BOOST_TEST(message(patch("[]")).ends_with("existing ephemeral containers \"e\" may not be removed\n"));
  BOOST_TEST(patch(R"([{"name":"e","image":"j"}])").status == 422);
  BOOST_TEST(call(admin, "PATCH", pods + "/p/ephemeralcontainers", "{}", "application/merge-patch+json").status == 200);
  BOOST_TEST(text(get(pods + "/p"), "metadata", "resourceVersion") == version);
  BOOST_TEST(patch(R"([{"name":"e","image":"i"},{"name":"f","image":"i"}])").status == 200);
}

BOOST_AUTO_TEST_CASE(an_approval_issues_no_certificate_and_is_not_taken_back) {
  const std::string requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
  const std::string spec =
      R"({"signerName":"example.com/x","usages":["client auth"],"request":")" + std::string(signing_request) + "\"}";
  BOOST_REQUIRE(post(requests, R"({"metadata":{"name":"x"},"spec":)" + spec + "}").status == 201);
  Object request = get(requests + "/x");
  request["status"] = {{"certificate", "eA=="},
                       {"conditions", {{{"type", "Approved"}, {"status", "True"}, {"reason", "r"}, {"message", "m"}}}}};
  const Answer approved = call(admin, "PUT", requests + "/x/approval", request.dump());
  BOOST_TEST(approved.status == 200);
  BOOST_TEST(!approved.body["status"].contains("certificate"));
  BOOST_TEST(approved.body["status"]["conditions"].size() == 1U);
  request = get(requests + "/x");
  request["status"] = Object::object();
  for (const char* subresource : {"/approval", "/status"}) {
    const Answer taken_back = call(admin, "PUT", requests + "/x" + subresource, request.dump());
    BOOST_TEST(message(taken_back).ends_with("updates may not remove a condition of type \"Approved\""));
  }
}

BOOST_AUTO_TEST_CASE(a_signing_request_stays_as_it_was_requested) {
  const std::string requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
  const std::string spec =
      R"({"signerName":"example.com/x","usages":["client auth"],"request":")" + std::string(signing_request) + "\"}";
  const Object made = post(requests, R"({"metadata":{"name":"x"},"spec":)" + spec + "}").body;
  BOOST_TEST(!made["spec"]["groups"].empty());
  const Answer changed = call(admin, "PUT", requests + "/x",
                              R"({"metadata":{"name":"x","labels":{"a":"b"}},"spec":)" + spec +
                                  R"(,"status":{"conditions":[{"type":"Approved","status":"True"}]}})");
  BOOST_TEST(changed.status == 200);
  BOOST_TEST(changed.body["metadata"]["labels"]["a"] == "b");
  BOOST_TEST(changed.body["spec"] == made["spec"]);
  BOOST_TEST(changed.body["status"] == made["status"]);
}

BOOST_AUTO_TEST_CASE(conditions_of_signing_requests_are_checked) {
  const std::string requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
  const std::string spec =
      R"({"signerName":"example.com/x","usages":["client auth"],"request":")" + std::string(signing_request) + "\"}";
  BOOST_REQUIRE(post(requests, R"({"metadata":{"name":"x"},"spec":)" + spec + "}").status == 201);
  const auto put = [&](const char* through, const std::string& conditions) {
    Object request = get(requests + "/x");
    request["status"]["conditions"] = Object::parse(conditions);
    return call(admin, "PUT", requests + "/x/" + through, request.dump());
  };
  const std::string begin = "CertificateSigningRequest.certificates.k8s.io \"x\" is invalid: ";
  BOOST_TEST(message(put("approval", R"([{"type":"Approved"}])")) ==
             begin + "status.conditions[0].status: Required value");
  BOOST_TEST(message(put("approval", R"([{"type":"Approved","status":"False"}])")) ==
             begin + "status.conditions[0].status: Unsupported value: \"False\": supported values: \"True\"");
  BOOST_TEST(message(put("approval", R"([{"type":"Approved","status":"True"},{"type":"Denied","status":"True"}])")) ==
             begin +
                 "status.conditions: Invalid value: \"Denied\": Approved and Denied conditions are mutually exclusive");
  BOOST_TEST(message(put("approval", R"([{"type":"A","status":"False"},{"type":"A","status":"True"}])")) ==
             begin + "status.conditions[1].type: Duplicate value: \"A\"");
  BOOST_TEST(message(put("status", R"([{"type":"","status":"True"}])")) ==
             begin + "status.conditions[0].type: Required value");
  const Answer approved = put("approval", R"([{"type":"Approved","status":"True","reason":"r"}])");
  BOOST_TEST(approved.status == 200);
  // A status says nothing of approvals: they stay as they were.
  const Answer same = put("status", R"([{"type":"Approved","status":"True","reason":"other"}])");
  BOOST_TEST(same.status == 200);
  BOOST_TEST(same.body["status"]["conditions"] == approved.body["status"]["conditions"]);
}

BOOST_AUTO_TEST_CASE(ephemeral_containers_need_the_pods_service_account) {
  make_bound_pod();
  call(admin, "DELETE", "/api/v1/namespaces/shop/serviceaccounts/default");
  const std::string patch = R"({"spec":{"ephemeralContainers":[{"name":"debug","image":"registry.invalid/none"}]}})";
  const Answer refused =
      call(admin, "PATCH", pods + "/p/ephemeralcontainers", patch, "application/strategic-merge-patch+json");
  BOOST_TEST(refused.status == 403);
  BOOST_TEST(
      message(refused) ==
      "pods \"p\" is forbidden: error looking up service account shop/default: serviceaccount \"default\" not found");
}

BOOST_AUTO_TEST_CASE(the_aggregator_takes_any_method_for_a_question) {
  BOOST_TEST(call(admin, "DELETE", "/apis").status == 200);
  BOOST_TEST(call(admin, "POST", "/apis/apps").status == 200);
  BOOST_TEST(call(admin, "DELETE", "/api").status == 405);
  BOOST_TEST(call(admin, "DELETE", "/apis/apps/v1").status == 405);
}

// As kube-apiserver 1.36.3 and 1.37.1: if its gate is off, a source is dropped before anything checks it.
BOOST_AUTO_TEST_CASE(what_is_projected_behind_a_gate_that_is_off_is_dropped) {
  const std::string spec = R"({"volumes":[{"name":"v","projected":{"sources":[{"podCertificate":{}},
                                           {"clusterTrustBundle":{}}]}}]})";
  const Answer made = make_pod(spec);
  BOOST_TEST(made.status == 201);
  BOOST_TEST(made.body["spec"]["volumes"][0]["projected"]["sources"] == Object::parse("[{},{}]"));
  WholeCluster newer("1.37.1");
  newer.make_shop();
  BOOST_TEST(newer.make_pod(spec).status == 422);
}

BOOST_AUTO_TEST_CASE(a_claim_has_no_field_that_the_release_has_not) {
  const std::string claims = "/api/v1/namespaces/shop/persistentvolumeclaims";
  post(claims, R"({"metadata":{"name":"c"},"spec":{"accessModes":["ReadWriteOnce"],
                   "resources":{"requests":{"storage":"1Gi"}}}})");
  const Answer changed =
      call(admin, "PATCH", claims + "/c/status", R"({"status":{"resizeStatus":"NodeExpansionInProgress",
                              "phase":"Bound"}})",
           "application/merge-patch+json");
  BOOST_TEST(changed.status == 200);
  BOOST_TEST(text(changed.body, "status", "phase") == "Bound");
  BOOST_TEST(member(changed.body, "status", "resizeStatus").is_null());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
