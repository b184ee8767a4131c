#include <boost/test/unit_test.hpp>

#include "fakes/test/whole_cluster.h"

// What kube-apiserver 1.36.3 answered to the same requests.
BOOST_AUTO_TEST_SUITE(workloads)

using namespace nodebound;
using namespace nodebound::apiserver;

namespace {

struct Workloads : WholeCluster {
  Workloads() { make_shop(); }

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
  BOOST_TEST(call(admin, "GET", apps + "deployments/none/scale").status == 404);
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
