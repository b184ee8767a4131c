#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "fakes/test/whole_cluster.h"
#include "reference/encoding/base64.h"

// What Helm, kwok, controller-runtime and the Java clients rely on, as kube-apiserver 1.36.3 answered to the same
// requests.
BOOST_AUTO_TEST_SUITE(of_other_clients)

using namespace nodebound;
using namespace nodebound::apiserver;

namespace {

struct Shop : WholeCluster {
  Shop() { make_shop(); }

  Object table(const std::string& target) {
    HttpRequest request{"GET", target, "", ""};
    request.accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    return Object::parse(server.handle(admin, request).body);
  }
  std::string columns(const Object& table) {
    std::string out;
    for (const Object& column : table["columnDefinitions"]) {
      out += (out.empty() ? "" : ",") + std::string(text(column, "name"));
    }
    return out;
  }
  std::string wrong_service(const std::string& spec) {
    return message(post(namespace_ + "services", R"({"metadata":{"name":"s"},"spec":)" + spec + "}"));
  }

  const std::string namespace_ = "/api/v1/namespaces/shop/";
  const std::string apps = "/apis/apps/v1/namespaces/shop/";
};

std::vector<std::string> names_in(const Object& entries, const char* name) {
  std::vector<std::string> out;
  for (const Object& entry : entries) out.emplace_back(text(entry, name));
  return out;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(discovery_is_in_alphabetical_order, Shop) {
  for (const char* target : {"/api/v1", "/apis/apps/v1"}) {
    const std::vector<std::string> names = names_in(get(target)["resources"], "name");
    BOOST_TEST_CONTEXT(target) {
      BOOST_TEST(names.size() > 3U);
      BOOST_TEST(std::is_sorted(names.begin(), names.end()));
    }
  }
}

BOOST_FIXTURE_TEST_CASE(a_continue_token_begins_with_its_kind, Shop) {
  for (const char* name : {"a", "b"}) {
    post(namespace_ + "configmaps", R"({"metadata":{"name":")" + std::string(name) + R"("}})");
  }
  const Object list = get(namespace_ + "configmaps?limit=1");
  const std::optional<std::string> token = base64url_decode(text(list, "metadata", "continue"));
  BOOST_REQUIRE(token);
  BOOST_TEST(token->starts_with(R"({"v":"meta.k8s.io/v1","rv":)"));
  BOOST_TEST(token->ends_with(R"(a\u0000"})"));
}

BOOST_FIXTURE_TEST_CASE(workloads_have_columns_of_their_own, Shop) {
  const std::string body = R"({"metadata":{"name":"w"},"spec":{"replicas":2,"selector":{"matchLabels":{"app":"w"}},
      "template":{"metadata":{"labels":{"app":"w"}},"spec":{"nodeSelector":{"disk":"ssd"},
      "containers":[{"name":"c","image":"i"},{"name":"d","image":"j"}]}}}})";
  for (const char* resource : {"deployments", "replicasets", "statefulsets"}) post(apps + resource, body);
  post(apps + "daemonsets", R"({"metadata":{"name":"w"},"spec":{"selector":{"matchLabels":{"app":"w"}},
      "template":{"metadata":{"labels":{"app":"w"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})");
  const Object deployments = table(apps + "deployments");
  BOOST_TEST(columns(deployments) == "Name,Ready,Up-to-date,Available,Age,Containers,Images,Selector");
  const Object cells = deployments["rows"][0]["cells"];
  BOOST_TEST(cells[1] == "0/2");
  BOOST_TEST(cells[5] == "c,d");
  BOOST_TEST(cells[6] == "i,j");
  BOOST_TEST(cells[7] == "app=w");
  BOOST_TEST(columns(table(apps + "replicasets")) == "Name,Desired,Current,Ready,Age,Containers,Images,Selector");
  BOOST_TEST(columns(table(apps + "statefulsets")) == "Name,Ready,Age,Containers,Images");
  const Object daemons = table(apps + "daemonsets");
  BOOST_TEST(columns(daemons) ==
             "Name,Desired,Current,Ready,Up-to-date,Available,Node Selector,Age,Containers,Images,Selector");
  BOOST_TEST(daemons["rows"][0]["cells"][6] == "<none>");
}

BOOST_FIXTURE_TEST_CASE(kinds_of_networking_get_their_defaults, Shop) {
  const std::string of_shop = "/namespaces/shop/";
  const std::string networking = "/apis/networking.k8s.io/v1";
  const Object policy =
      post(networking + of_shop + "networkpolicies",
           R"({"metadata":{"name":"p"},"spec":{"podSelector":{},"egress":[{"ports":[{"port":80}]}]}})")
          .body;
  BOOST_TEST(policy["metadata"]["generation"] == 1);
  BOOST_TEST(policy["spec"]["policyTypes"] == Object({"Ingress", "Egress"}));
  BOOST_TEST(policy["spec"]["egress"][0]["ports"][0]["protocol"] == "TCP");
  const Object ingress =
      post(networking + of_shop + "ingresses",
           R"({"metadata":{"name":"i"},"spec":{"defaultBackend":{"service":{"name":"s","port":{"number":80}}}}})")
          .body;
  BOOST_TEST(ingress["metadata"]["generation"] == 1);
  BOOST_TEST(ingress["status"] == Object::parse(R"({"loadBalancer":{}})"));
  const Object ingress_class =
      post(networking + "/ingressclasses",
           R"({"metadata":{"name":"c"},"spec":{"controller":"x.y/z","parameters":{"kind":"K","name":"n"}}})")
          .body;
  BOOST_TEST(ingress_class["spec"]["parameters"]["scope"] == "Cluster");
}

BOOST_FIXTURE_TEST_CASE(labels_of_an_endpoint_slice_make_a_generation, Shop) {
  const std::string slices = "/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices";
  const Object made = post(slices, R"({"metadata":{"name":"e"},"addressType":"IPv4","endpoints":[],
      "ports":[{"port":80}]})")
                          .body;
  BOOST_TEST(made["metadata"]["generation"] == 1);
  BOOST_TEST(made["ports"][0] == Object::parse(R"({"name":"","port":80,"protocol":"TCP"})"));
  const auto generation_after = [&](const char* patch) {
    return call(admin, "PATCH", slices + "/e", patch, "application/merge-patch+json").body["metadata"]["generation"];
  };
  BOOST_TEST(generation_after(R"({"metadata":{"annotations":{"a":"b"}}})") == 1);
  BOOST_TEST(generation_after(R"({"metadata":{"labels":{"a":"b"}}})") == 2);
  BOOST_TEST(generation_after(R"({"ports":[]})") == 3);
}

BOOST_FIXTURE_TEST_CASE(limits_of_containers_follow_from_each_other, Shop) {
  const Object made = post("/api/v1/namespaces/shop/limitranges", R"({"metadata":{"name":"l"},"spec":{"limits":[
      {"type":"Container","max":{"cpu":"2"},"default":{"memory":"1Gi"},"min":{"cpu":"1","storage":"1"}},
      {"type":"Pod","max":{"cpu":"2"}}]}})")
                          .body;
  const Object& limits = made["spec"]["limits"];
  BOOST_TEST(limits[0]["default"] == Object({{"cpu", "2"}, {"memory", "1Gi"}}));
  BOOST_TEST(limits[0]["defaultRequest"] == Object({{"cpu", "2"}, {"memory", "1Gi"}, {"storage", "1"}}));
  BOOST_TEST(!limits[1].contains("default"));
}

BOOST_AUTO_TEST_CASE(the_name_of_a_service_may_begin_with_a_digit_once_that_is_allowed) {
  const auto told_of = [](const char* name, const char* version) {
    WholeCluster cluster(version);
    cluster.make_shop();
    const Object service = {{"metadata", {{"name", name}}}, {"spec", {{"ports", Object::array({{{"port", 80}}})}}}};
    return cluster.message(cluster.post("/api/v1/namespaces/shop/services", service.dump()));
  };
  BOOST_TEST(told_of("1a", "1.36.3") == "");
  BOOST_TEST(told_of("x.y", "1.36.3") ==
             "Service \"x.y\" is invalid: metadata.name: Invalid value: \"x.y\": must not contain dots");
  BOOST_TEST(told_of("1a", "1.35.0").find("a DNS-1035 label must consist of") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(clients_are_warned_of_what_a_service_ignores) {
  using Warnings = std::vector<std::string>;
  const auto told_of = [](const Object& spec, const char* version, const Object& annotations = {}) {
    WholeCluster cluster(version);
    cluster.make_shop();
    const Object service = {{"metadata", {{"name", "s"}, {"annotations", annotations}}}, {"spec", spec}};
    const HttpResponse made =
        cluster.server.handle(admin, {"POST", "/api/v1/namespaces/shop/services", "application/json", service.dump()});
    BOOST_TEST(made.status == 201, made.body);
    Warnings out;
    for (const std::string& warning : made.warnings) out.push_back(warning.substr(std::string("299 - ").size()));
    return out;
  };
  const Object ports = Object::array({{{"port", 80}}});
  const Object headless = {
      {"clusterIP", "None"}, {"externalIPs", {"1.2.3.4"}}, {"sessionAffinity", "ClientIP"}, {"ports", ports}};
  BOOST_TEST(told_of(headless, "1.33.0") == Warnings());
  BOOST_TEST(told_of(headless, "1.34.0") == Warnings({R"("spec.externalIPs is ignored for headless services")",
                                                      R"("spec.SessionAffinity is ignored for headless services")"}));
  const Object external = {{"externalIPs", {"1.2.3.4"}}, {"externalName", "x.example.com"}, {"ports", ports}};
  const std::string name_ignored = R"("spec.externalName is ignored when spec.type is not \"ExternalName\"")";
  BOOST_TEST(told_of(external, "1.27.0") == Warnings());
  BOOST_TEST(told_of(external, "1.28.0") == Warnings({name_ignored}));
  BOOST_TEST(told_of(external, "1.36.0") ==
             Warnings({R"("spec.externalIPs is deprecated and may no longer be implemented in some clusters")",
                       name_ignored}));
  const Object close = {{"trafficDistribution", "PreferClose"}, {"ports", ports}};
  BOOST_TEST(told_of(close, "1.34.0") == Warnings());
  BOOST_TEST(told_of(close, "1.35.0") ==
             Warnings({R"("spec.trafficDistribution: \"PreferClose\" is deprecated; use \"PreferSameZone\"")"}));
  const Object hints = {{"service.kubernetes.io/topology-aware-hints", "auto"}};
  BOOST_TEST(told_of({{"ports", ports}}, "1.26.0", hints).empty());
  BOOST_TEST(told_of({{"ports", ports}}, "1.27.0", hints).size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_service_without_address_and_pods_has_both_families) {
  const auto families_of = [](const Object& more) {
    WholeCluster cluster;
    cluster.make_shop();
    Object spec = {{"ports", Object::array({{{"port", 80}}})}};
    spec.update(more);
    const Object service = {{"metadata", {{"name", "s"}}}, {"spec", spec}};
    const Object made = cluster.post("/api/v1/namespaces/shop/services", service.dump()).body["spec"];
    return std::string(text(made, "ipFamilyPolicy")) + " " + made["ipFamilies"].dump();
  };
  BOOST_TEST(families_of({{"clusterIP", "None"}}) == R"(RequireDualStack ["IPv4","IPv6"])");
  BOOST_TEST(families_of({{"clusterIP", "None"}, {"selector", {{"app", "web"}}}}) == R"(SingleStack ["IPv4"])");
  BOOST_TEST(families_of({{"clusterIP", "None"}, {"ipFamilyPolicy", "SingleStack"}}) == R"(SingleStack ["IPv4"])");
  BOOST_TEST(families_of(Object::object()) == R"(SingleStack ["IPv4"])");
}

BOOST_AUTO_TEST_CASE(traffic_from_outside_has_a_policy) {
  const auto policy_of = [](const Object& addresses, const char* version) {
    WholeCluster cluster(version);
    cluster.make_shop();
    const Object service = {{"metadata", {{"name", "s"}}},
                            {"spec", {{"externalIPs", addresses}, {"ports", Object::array({{{"port", 80}}})}}}};
    const Answer made = cluster.post("/api/v1/namespaces/shop/services", service.dump());
    return std::string(text(made.body, "spec", "externalTrafficPolicy"));
  };
  BOOST_TEST(policy_of({"1.2.3.4"}, "1.28.0") == "");
  BOOST_TEST(policy_of({"1.2.3.4"}, "1.29.0") == "Cluster");
  BOOST_TEST(policy_of(nullptr, "1.29.0") == "");
}

BOOST_FIXTURE_TEST_CASE(ports_of_services_are_validated, Shop) {
  BOOST_TEST(
      wrong_service(R"({"ports":[{"port":100000}]})") ==
      "Service \"s\" is invalid: [spec.ports[0].port: Invalid value: 100000: must be between 1 and 65535, inclusive, "
      "spec.ports[0].targetPort: Invalid value: 100000: must be between 1 and 65535, inclusive]");
  BOOST_TEST(wrong_service("{}") == "Service \"s\" is invalid: spec.ports: Required value");
  BOOST_TEST(wrong_service(R"({"ports":[{"port":1},{"name":"b","port":2}]})") ==
             "Service \"s\" is invalid: spec.ports[0].name: Required value");
  BOOST_TEST(wrong_service(R"({"ports":[{"name":"b","port":1},{"name":"b","port":2}]})") ==
             "Service \"s\" is invalid: spec.ports[1].name: Duplicate value: \"b\"");
  BOOST_TEST(wrong_service(R"({"clusterIP":"None"})") == "");
}

BOOST_FIXTURE_TEST_CASE(the_overhead_of_a_pod_is_that_of_its_runtime_class, Shop) {
  post("/apis/node.k8s.io/v1/runtimeclasses",
       R"({"metadata":{"name":"heavy"},"handler":"h","overhead":{"podFixed":{"cpu":"1"}}})");
  const std::string refused = "pods \"p\" is forbidden: pod rejected: ";
  BOOST_TEST(message(make_pod(R"({"runtimeClassName":"none"})")) == refused + "RuntimeClass \"none\" not found");
  BOOST_TEST(message(make_pod(R"({"overhead":{"cpu":"1"}})")) ==
             refused + "Pod Overhead set without corresponding RuntimeClass defined Overhead");
  BOOST_TEST(message(make_pod(R"({"runtimeClassName":"heavy","overhead":{"cpu":"2"}})")) ==
             refused + "Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  const Answer made = make_pod(R"({"runtimeClassName":"heavy"})");
  BOOST_TEST(made.status == 201);
  BOOST_TEST(made.body["spec"]["overhead"] == Object({{"cpu", "1"}}));
}

BOOST_FIXTURE_TEST_CASE(the_log_of_a_pod_whose_node_is_gone_is_not_found, Shop) {
  make_pod(R"({"nodeName":"gone"})");
  const Answer log = call(admin, "GET", pods + "/p/log");
  BOOST_TEST(log.status == 404);
  BOOST_TEST(message(log) == "pods \"gone\" not found");
}

BOOST_FIXTURE_TEST_CASE(a_version_is_refused_before_a_name_that_is_taken, Shop) {
  const std::string body = R"({"metadata":{"name":"m","resourceVersion":"5"}})";
  post(namespace_ + "configmaps", R"({"metadata":{"name":"m"}})");
  BOOST_TEST(message(post(namespace_ + "configmaps", body)) ==
             "resourceVersion should not be set on objects to be created");
  BOOST_TEST(post(namespace_ + "configmaps?dryRun=All", body).status == 409);
}

BOOST_FIXTURE_TEST_CASE(nothing_meets_an_empty_precondition, Shop) {
  post(namespace_ + "configmaps", R"({"metadata":{"name":"m"}})");
  for (const char* wanted : {"uid", "resourceVersion"}) {
    const std::string body = R"({"preconditions":{")" + std::string(wanted) + R"(":""}})";
    BOOST_TEST(call(admin, "DELETE", namespace_ + "configmaps/m", body).status == 409);
  }
  BOOST_TEST(call(admin, "DELETE", namespace_ + "configmaps/m").status == 200);
}

BOOST_FIXTURE_TEST_CASE(statuses_of_init_containers_get_their_defaults, Shop) {
  make_pod(R"({"initContainers":[{"name":"first","image":"i"}]})");
  const std::string status = R"({"status":{"initContainerStatuses":[{"name":"first"}]}})";
  const Object pod = call(admin, "PATCH", pods + "/p/status", status, "application/merge-patch+json").body;
  BOOST_TEST(pod["status"]["initContainerStatuses"][0] ==
             Object::parse(R"({"name":"first","state":{},"lastState":{},"ready":false,"restartCount":0,"image":"",
                 "imageID":""})"));
}

BOOST_AUTO_TEST_CASE(what_is_older_than_the_first_look_is_kept_as_long) {
  auto now = std::chrono::system_clock::time_point(std::chrono::hours(1));
  const RuleSet rules = test::rules_of("1.36.3", {});
  ApiServer::Options options;
  options.history = 1;
  options.compaction = std::chrono::minutes(5);
  options.clock = [&] { return now; };
  ApiServer server(rules, options);
  const std::string maps = "/api/v1/namespaces/ns/configmaps";
  std::string first;
  for (const char* name : {"a", "b", "c"}) {
    const std::string body = R"({"metadata":{"name":")" + std::string(name) + R"("}})";
    const Object made = Object::parse(server.handle(admin, {"POST", maps, "application/json", body}).body);
    if (first.empty()) first = text(made, "metadata", "resourceVersion");
  }
  const auto items = [&] {
    const std::string target = maps + "?resourceVersionMatch=Exact&resourceVersion=" + first;
    return Object::parse(server.handle(admin, {"GET", target, "", ""}).body).value("items", Object::array()).size();
  };
  server.tick();
  for (const std::size_t expected : {1U, 0U}) {
    now += std::chrono::minutes(5);
    server.tick();
    BOOST_TEST(items() == expected);
  }
}

BOOST_AUTO_TEST_SUITE_END()
