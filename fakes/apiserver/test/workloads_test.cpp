#include <boost/test/unit_test.hpp>

#include "fakes/test/whole_cluster.h"

// What kube-apiservers 1.28.9, 1.31.4 and 1.36.3 answered to the same requests.
BOOST_AUTO_TEST_SUITE(workloads)

using namespace nodebound;
using namespace nodebound::apiserver;

namespace {

struct Workloads : WholeCluster {
  explicit Workloads(std::string_view version = "1.36.3") : WholeCluster(version) { make_shop(); }

  Answer create(const std::string& resource, const std::string& more = {}) {
    return post(apps + resource, R"({"metadata":{"name":"w"},"spec":{"selector":{"matchLabels":{"app":"w"}},
        "template":{"metadata":{"labels":{"app":"w"}},"spec":{"containers":[{"name":"c","image":"i"}]}})" +
                                     more + "}}");
  }
  Answer merge(const std::string& path, const std::string& patch) {
    return call(admin, "PATCH", apps + path, patch, "application/merge-patch+json");
  }

  const std::string apps = "/apis/apps/v1/namespaces/shop/";
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_deployment_gets_its_defaults, Workloads) {
  const Object made = create("deployments").body;
  BOOST_TEST(made["metadata"]["generation"] == 1);
  BOOST_TEST(made["status"] == Object::object());
  const Object& spec = made["spec"];
  BOOST_TEST(spec["replicas"] == 1);
  BOOST_TEST(spec["strategy"] ==
             Object::parse(R"({"type":"RollingUpdate","rollingUpdate":{"maxSurge":"25%","maxUnavailable":"25%"}})"));
  BOOST_TEST(spec["template"]["spec"]["containers"][0]["imagePullPolicy"] == "Always");
  BOOST_TEST(!spec["template"]["spec"].contains("enableServiceLinks"));
}

BOOST_FIXTURE_TEST_CASE(a_daemon_set_counts_its_templates, Workloads) {
  create("daemonsets");
  const auto generation = [&] {
    return get(apps + "daemonsets/w")["metadata"]["annotations"]["deprecated.daemonset.template.generation"];
  };
  BOOST_TEST(generation() == "1");
  merge("daemonsets/w", R"({"spec":{"minReadySeconds":3}})");
  BOOST_TEST(generation() == "1");
  merge("daemonsets/w", R"({"spec":{"template":{"spec":{"hostname":"h"}}}})");
  BOOST_TEST(generation() == "2");
}

// Without them kube-controller-manager ends.
BOOST_FIXTURE_TEST_CASE(a_job_gets_its_defaults_and_selects_its_pods, Workloads) {
  const std::string jobs = "/apis/batch/v1/namespaces/shop/jobs";
  const std::string template_of_pods = R"("template":{"metadata":{"labels":{"app":"j"}},"spec":{"restartPolicy":"Never",
      "containers":[{"name":"c","image":"i"}]}})";
  const Object made = post(jobs, R"({"metadata":{"name":"j"},"spec":{)" + template_of_pods + "}}").body;
  const std::string uid(text(made, "metadata", "uid"));
  BOOST_TEST(!uid.empty());
  BOOST_TEST(made["metadata"]["labels"] == Object({{"app", "j"}}));
  Object spec = made["spec"];
  BOOST_TEST(spec["selector"] ==
             Object::parse(R"({"matchLabels":{"batch.kubernetes.io/controller-uid":")" + uid + R"("}})"));
  const Object labels = spec["template"]["metadata"]["labels"];
  for (const std::string prefix : {"", "batch.kubernetes.io/"}) {
    BOOST_TEST(labels[prefix + "controller-uid"] == uid);
    BOOST_TEST(labels[prefix + "job-name"] == "j");
  }
  spec.erase("selector");
  spec.erase("template");
  BOOST_TEST(spec == Object::parse(R"({"completions":1,"parallelism":1,"backoffLimit":6,"completionMode":"NonIndexed",
      "suspend":false,"podReplacementPolicy":"TerminatingOrFailed","manualSelector":false})"));
  const Object parallel = post(jobs, R"({"metadata":{"name":"p"},"spec":{"parallelism":2,"backoffLimitPerIndex":1,)" +
                                         template_of_pods + "}}")
                              .body;
  BOOST_TEST(!parallel["spec"].contains("completions"));
  BOOST_TEST(parallel["spec"]["parallelism"] == 2);
  BOOST_TEST(parallel["spec"]["backoffLimit"] == 2147483647);
}

BOOST_FIXTURE_TEST_CASE(a_scale_is_read_and_written, Workloads) {
  create("deployments");
  const Object scale = get(apps + "deployments/w/scale");
  BOOST_TEST(text(scale, "kind") == "Scale");
  BOOST_TEST(text(scale, "apiVersion") == "autoscaling/v1");
  BOOST_TEST(scale["spec"]["replicas"] == 1);
  BOOST_TEST(scale["status"] == Object::parse(R"({"replicas":0,"selector":"app=w"})"));
  BOOST_TEST(!scale["metadata"].contains("generation"));
  const Answer patched = merge("deployments/w/scale", R"({"spec":{"replicas":3}})");
  BOOST_TEST(text(patched.body, "kind") == "Scale");
  BOOST_TEST(patched.body["spec"]["replicas"] == 3);
  const Object whole = get(apps + "deployments/w");
  BOOST_TEST(whole["spec"]["replicas"] == 3);
  BOOST_TEST(whole["metadata"]["generation"] == 2);
  const auto put = [&](const char* body) { return call(admin, "PUT", apps + "deployments/w/scale", body); };
  BOOST_TEST(put(R"({"metadata":{"name":"w"},"spec":{"replicas":5}})").body["spec"]["replicas"] == 5);
  const Answer negative = put(R"({"metadata":{"name":"w"},"spec":{"replicas":-5}})");
  BOOST_TEST(negative.status == 422);
  BOOST_TEST(
      message(negative) ==
      "Scale.autoscaling \"w\" is invalid: spec.replicas: Invalid value: -5: must be greater than or equal to 0");
  BOOST_TEST(put(R"({"metadata":{"name":"w","resourceVersion":"1"},"spec":{"replicas":1}})").status == 409);
  const auto nothing = [](Workloads& in) {
    return in.message(in.call(admin, "GET", in.apps + "deployments/none/scale"));
  };
  BOOST_TEST(nothing(*this) == "deployments.apps \"none\" not found");
  Workloads before("1.31.4");
  BOOST_TEST(nothing(before) == "deployments/scale.apps \"none\" not found");
  BOOST_TEST(before.message(before.call(admin, "GET", before.apps + "statefulsets/none/scale")) ==
             "statefulsets.apps \"none\" not found");
}

BOOST_AUTO_TEST_CASE(a_template_says_that_nobody_created_it_until_1_34) {
  const auto metadata_of_template = [](const char* version) {
    return Workloads(version).create("deployments").body["spec"]["template"]["metadata"];
  };
  const Object labels = {{"app", "w"}};
  BOOST_TEST(metadata_of_template("1.31.4") == Object({{"creationTimestamp", nullptr}, {"labels", labels}}));
  BOOST_TEST(metadata_of_template("1.36.3") == Object({{"labels", labels}}));
}

BOOST_FIXTURE_TEST_CASE(a_stateful_set_implies_the_kind_of_its_claims, Workloads) {
  const Object made = create("statefulsets", R"(,"volumeClaimTemplates":[{"metadata":{"name":"c"}}])").body;
  BOOST_TEST(made["spec"]["volumeClaimTemplates"][0] ==
             Object::parse(R"({"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"c"},
                 "spec":{"resources":{},"volumeMode":"Filesystem"},"status":{"phase":"Pending"}})"));
}

BOOST_AUTO_TEST_CASE(what_may_change_of_a_stateful_set_goes_by_release) {
  const auto told_at = [](const char* version, const char* spec) {
    Workloads in(version);
    in.create("statefulsets");
    return in.message(in.merge("statefulsets/w", std::string(R"({"spec":)") + spec + "}"));
  };
  const std::string begin =
      "StatefulSet.apps \"w\" is invalid: spec: Forbidden: updates to statefulset spec for fields other than "
      "'replicas', ";
  const std::string end = "'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
  const char* const history = R"({"revisionHistoryLimit":3})";
  BOOST_TEST(told_at("1.31.4", history) == begin + "'ordinals', 'template', 'updateStrategy', " + end);
  BOOST_TEST(told_at("1.36.3", history) == "");
  const char* const service = R"({"serviceName":"x"})";
  BOOST_TEST(told_at("1.36.3", service) ==
             begin + "'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', " + end);
  BOOST_TEST(told_at("1.25.16", service) == begin + "'template', 'updateStrategy', " + end);
  BOOST_TEST(told_at("1.18.20", service) == begin + "'template', and 'updateStrategy' are forbidden");
}

BOOST_FIXTURE_TEST_CASE(a_pod_template_has_the_defaults_of_its_pods_and_generations, Workloads) {
  const std::string templates = "/api/v1/namespaces/shop/podtemplates";
  const Object made =
      post(templates, R"({"metadata":{"name":"t"},"template":{"spec":{"containers":[{"name":"c","image":"i:1"}]}}})")
          .body;
  BOOST_TEST(made["metadata"]["generation"] == 1);
  BOOST_TEST(made["template"]["metadata"] == Object::object());
  BOOST_TEST(made["template"]["spec"]["restartPolicy"] == "Always");
  BOOST_TEST(made["template"]["spec"]["containers"][0]["imagePullPolicy"] == "IfNotPresent");
  const auto generation_after = [&](const char* patch) {
    const Answer answer = call(admin, "PATCH", templates + "/t", patch, "application/merge-patch+json");
    return answer.body["metadata"]["generation"];
  };
  BOOST_TEST(generation_after(R"({"metadata":{"labels":{"a":"b"}}})") == 1);
  BOOST_TEST(generation_after(R"({"template":{"metadata":{"labels":{"a":"b"}}}})") == 2);
}

BOOST_FIXTURE_TEST_CASE(a_job_without_labels_has_those_of_its_pods, Workloads) {
  const Object made = post("/apis/batch/v1/namespaces/shop/jobs", R"({"metadata":{"name":"j"},"spec":{"template":{
      "spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}})")
                          .body;
  BOOST_TEST(made["metadata"]["labels"] == made["spec"]["template"]["metadata"]["labels"]);
  BOOST_TEST(made["metadata"]["labels"]["job-name"] == "j");
}

BOOST_FIXTURE_TEST_CASE(a_selector_stays_as_it_is, Workloads) {
  const std::string other =
      R"({"spec":{"selector":{"matchLabels":{"app":"x"}},"template":{"metadata":{"labels":{"app":"x"}}}}})";
  for (const char* resource : {"deployments", "replicasets", "daemonsets"}) {
    BOOST_TEST(create(resource).status == 201, resource);
    const Answer refused = merge(std::string(resource) + "/w", other);
    BOOST_TEST(refused.status == 422, resource);
    BOOST_TEST(text(refused.body["details"]["causes"][0], "message") ==
               "Invalid value: {\"matchLabels\":{\"app\":\"x\"}}: field is immutable");
  }
  create("statefulsets");
  BOOST_TEST(text(merge("statefulsets/w", other).body["details"]["causes"][0], "field") == "spec");
  BOOST_TEST(merge("statefulsets/w", R"({"spec":{"replicas":2}})").status == 200);
}

BOOST_FIXTURE_TEST_CASE(a_selector_selects_the_pods_of_the_template, Workloads) {
  const Answer refused = post(apps + "deployments", R"({"metadata":{"name":"m"},"spec":{"selector":{"matchLabels":
      {"a":"b"}},"template":{"metadata":{"labels":{"app":"w"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})");
  BOOST_TEST(message(refused) ==
             "Deployment.apps \"m\" is invalid: spec.template.metadata.labels: Invalid value: "
             "{\"app\":\"w\"}: `selector` does not match template `labels`");
  BOOST_TEST(create("deployments", R"(,"replicas":-1)").status == 422);
}

BOOST_FIXTURE_TEST_CASE(a_replication_controller_selects_its_pods, Workloads) {
  const Object made = post("/api/v1/namespaces/shop/replicationcontrollers",
                           R"({"metadata":{"name":"w"},"spec":{"template":{"metadata":{"labels":{"app":"w"}},
                               "spec":{"containers":[{"name":"c","image":"i"}]}}}})")
                          .body;
  BOOST_TEST(made["spec"]["selector"] == Object::parse(R"({"app":"w"})"));
  BOOST_TEST(made["metadata"]["labels"] == Object::parse(R"({"app":"w"})"));
  BOOST_TEST(get("/api/v1/namespaces/shop/replicationcontrollers/w/scale")["status"]["selector"] == "app=w");
}

BOOST_AUTO_TEST_SUITE_END()
