// Requests that few clients send. What kube-apiserver 1.36.3 answered to them, where no other release is named.
#include <boost/test/unit_test.hpp>

#include "fakes/test/whole_cluster.h"

BOOST_AUTO_TEST_SUITE(odd_requests)

using namespace nodebound;
using namespace nodebound::apiserver;

namespace {

struct Shop : WholeCluster {
  explicit Shop(const char* release = "1.36.3") : WholeCluster(release) {
    make_shop();
    post(maps, R"({"metadata":{"name":"a"}})");
  }

  HttpResponse read(const std::string& target, const std::string& accept, const char* method = "GET") {
    HttpRequest request{method, target, "", ""};
    request.accept = accept;
    return server.handle(admin, request);
  }

  Answer apply(const std::string& target, const std::string& body) {
    return call(admin, "PATCH", target + "?fieldManager=m", body, "application/apply-patch+yaml");
  }

  Answer merge(const std::string& target, const std::string& body) {
    return call(admin, "PATCH", target, body, "application/merge-patch+json");
  }

  const std::string maps = "/api/v1/namespaces/shop/configmaps";
};

const std::string other_namespace_text =
    "the namespace of the provided object does not match the namespace sent on the request";

}  // namespace

BOOST_FIXTURE_TEST_CASE(discovery_is_refused_in_media_types_that_it_has_not, Shop) {
  for (const char* accept : {"text/html", "application/*", "nonsense", "APPLICATION/JSON", ","}) {
    for (const char* path : {"/version", "/api", "/apis", "/apis/apps", "/api/v1", "/apis/apps/v1"}) {
      const bool of_aggregator = std::string(path) == "/apis" || std::string(path) == "/apis/apps";
      const bool is_wide = std::string(accept) == "application/*";
      BOOST_TEST(read(path, accept).status == (of_aggregator && is_wide ? 200 : 406), path << " as " << accept);
    }
  }
  BOOST_TEST(Object::parse(read("/version", "text/html").body)["message"] ==
             "406: Not Acceptable\n\nAvailable representations: application/json");
  const HttpResponse in_yaml = read("/version", "application/yaml");
  BOOST_TEST(in_yaml.status == 406);
  BOOST_TEST(in_yaml.content_type == "application/yaml");
  BOOST_TEST(read("/version", "application/yaml,application/json").content_type == "application/json");
  BOOST_TEST(read("/api", "application/yaml").content_type == "application/yaml");
  const std::string table = "application/json;as=Table;v=v1;g=meta.k8s.io";
  BOOST_TEST(Object::parse(read("/api", table).body)["message"] ==
             "only the following media types are accepted: application/json, application/yaml, "
             "application/vnd.kubernetes.protobuf");
  BOOST_TEST(read("/api", table + ",application/json").status == 200);
}

BOOST_FIXTURE_TEST_CASE(discovery_is_aggregated_if_that_is_preferred, Shop) {
  const std::string aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  const auto kind = [&](const char* path, const std::string& accept) {
    return std::string(text(Object::parse(read(path, accept).body), "kind"));
  };
  BOOST_TEST(kind("/api", aggregated + ",application/json") == "APIGroupDiscoveryList");
  BOOST_TEST(kind("/api", "application/json," + aggregated) == "APIVersions");
  BOOST_TEST(kind("/apis", aggregated) == "APIGroupDiscoveryList");
  BOOST_TEST(read("/apis/", aggregated).status == 406);
  BOOST_TEST(read("/api/v1", aggregated).status == 406);
}

BOOST_FIXTURE_TEST_CASE(discovery_takes_one_method, Shop) {
  for (const char* method : {"HEAD", "POST", "OPTIONS"}) {
    BOOST_TEST(read("/version", "", method).status == 405, method);
    BOOST_TEST(read("/api/v1", "", method).status == 405, method);
  }
  BOOST_TEST(read("/apis", "", "POST").status == 200);
  BOOST_TEST(Object::parse(read("/api/v2", "").body)["reason"] == "NotFound");
}

BOOST_FIXTURE_TEST_CASE(an_object_has_one_uid_and_one_namespace, Shop) {
  const std::string named = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","uid":"x"}})";
  const std::string immutable = R"(ConfigMap "a" is invalid: metadata.uid: Invalid value: "x": field is immutable)";
  BOOST_TEST(message(apply(maps + "/a", named)) == immutable);
  BOOST_TEST(message(merge(maps + "/a", named)) == immutable);
  BOOST_TEST(
      message(apply(maps + "/n", R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"n","uid":"x"}})")) ==
      "Operation cannot be fulfilled on configmaps \"n\": uid mismatch: the provided object specified uid x, and "
      "no existing object was found");
  const std::string elsewhere = R"({"metadata":{"name":"a","namespace":"other"}})";
  BOOST_TEST(message(call(admin, "PUT", maps + "/a", elsewhere)) == other_namespace_text);
  BOOST_TEST(message(call(admin, "PUT", maps + "/none", elsewhere)) == other_namespace_text);
  BOOST_TEST(message(merge(maps + "/a", R"({"metadata":{"namespace":"other"}})")) == other_namespace_text);
  const Answer node = call(admin, "POST", "/api/v1/nodes", R"({"metadata":{"name":"n","namespace":"default"}})");
  BOOST_TEST(node.status == 201);
  BOOST_TEST(!node.body["metadata"].contains("namespace"));
}

BOOST_FIXTURE_TEST_CASE(versions_are_numbers, Shop) {
  const auto put = [&](const std::string& version) {
    return call(admin, "PUT", maps + "/a", R"({"metadata":{"name":"a","resourceVersion":")" + version + "\"}}");
  };
  BOOST_TEST(put("0").status == 200);
  BOOST_TEST(put("1").status == 409);
  BOOST_TEST(put("x").status == 500);
  BOOST_TEST(message(put("x")) == "strconv.ParseUint: parsing \"x\": invalid syntax");
  BOOST_TEST(merge(maps + "/a", R"({"metadata":{"resourceVersion":"0"}})").status == 200);
  BOOST_TEST(merge(maps + "/a", R"({"metadata":{"resourceVersion":"x"}})").status == 500);
}

BOOST_FIXTURE_TEST_CASE(nobody_says_that_an_object_is_being_deleted, Shop) {
  const Answer made = call(admin, "POST", maps,
                           R"({"metadata":{"name":"b","deletionTimestamp":"2020-01-01T00:00:00Z",)"
                           R"("deletionGracePeriodSeconds":3}})");
  BOOST_TEST(made.status == 201);
  BOOST_TEST(!made.body["metadata"].contains("deletionTimestamp"));
  BOOST_TEST(!made.body["metadata"].contains("deletionGracePeriodSeconds"));
  BOOST_TEST(message(merge(maps + "/b", R"({"metadata":{"deletionGracePeriodSeconds":3}})")) ==
             "ConfigMap \"b\" is invalid: metadata.deletionGracePeriodSeconds: Invalid value: 3: field is immutable");
}

BOOST_FIXTURE_TEST_CASE(what_cannot_be_a_name_is_said_so, Shop) {
  BOOST_TEST(message(call(admin, "GET", maps + "/..")) == "Name parameter invalid: \"..\": may not be '..'");
  BOOST_TEST(message(call(admin, "DELETE", maps + "/a%25b")) == "Name parameter invalid: \"a%b\": may not contain '%'");
  BOOST_TEST(message(call(admin, "GET", maps + "/%ff")) == "configmaps \"\\xff\" not found");
  BOOST_TEST(message(call(admin, "GET", maps + "/a?export=1")) ==
             "the export parameter, deprecated since v1.14, is no longer supported");
  BOOST_TEST(call(admin, "GET", maps + "/a?export=false").status == 200);
}

BOOST_FIXTURE_TEST_CASE(selectors_escape_what_divides_them, Shop) {
  const std::string wrong = "invalid field selector: unescaped character in value: 61";
  BOOST_TEST(message(call(admin, "GET", maps + "?fieldSelector=metadata.name%3Da%3Db")) == wrong);
  BOOST_TEST(message(call(admin, "DELETE", maps + "?fieldSelector=metadata.name%3Da%3Db")) == wrong);
  BOOST_TEST(get(maps + "/a")["kind"] == "ConfigMap");
  BOOST_TEST(call(admin, "GET", maps + "?fieldSelector=metadata.name%3Da%5C%3Db").status == 200);
}

BOOST_FIXTURE_TEST_CASE(a_collection_is_deleted_as_it_was_at_a_version, Shop) {
  // The version is a precondition, too, which no object of that time meets.
  BOOST_TEST(call(admin, "DELETE", maps + "?resourceVersion=1").body["items"].empty());
  BOOST_TEST(call(admin, "DELETE", maps + "?gracePeriodSeconds=").status == 400);
  BOOST_TEST(call(admin, "DELETE", maps + "?resourceVersion=x").status == 400);
  BOOST_TEST(get(maps + "/a")["kind"] == "ConfigMap");
}

BOOST_FIXTURE_TEST_CASE(a_path_that_breaks_off_is_an_error_of_the_server, Shop) {
  const HttpResponse answer = server.handle({"nobody", {}, "", {}}, {"GET", "/api/v1/watch?x=1", "", ""});
  for (const char* path : {"/api/v1/watch/", "//api/v1/proxy", "/apis/apps/v1/watch"}) {
    BOOST_TEST(server.handle(admin, {"GET", path, "", ""}).status == 500, path);
  }
  for (const char* path : {"/api/v1/watch/pods", "/api/watch", "/api/v1//x", "/apis/apps/watch", "/watch"}) {
    BOOST_TEST(server.handle(admin, {"GET", path, "", ""}).status != 500, path);
  }
  BOOST_TEST(answer.status == 500);
  BOOST_TEST(answer.content_type == "text/plain; charset=utf-8");
  BOOST_TEST(answer.body ==
             "Internal Server Error: \"/api/v1/watch?x=1\": failed to create RequestInfo: unable to determine kind and "
             "namespace from url, /api/v1/watch?x=1\n");
}

BOOST_FIXTURE_TEST_CASE(the_status_of_a_missing_service_creates_it, Shop) {
  const std::string services = "/api/v1/namespaces/shop/services";
  const std::string headless =
      R"("spec":{"clusterIP":"None","clusterIPs":["None"]},"status":{"loadBalancer":{"ingress":[{"ip":"1.2.3.4"}]}}})";
  const Answer made = call(admin, "PUT", services + "/s/status", R"({"metadata":{"name":"s"},)" + headless);
  BOOST_TEST(made.status == 201);
  BOOST_TEST(get(services + "/s")["status"] == (Object{{"loadBalancer", Object::object()}}));
  const std::string named = R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"t"},)" + headless;
  BOOST_TEST(apply(services + "/t/status", named).status == 201);
  BOOST_TEST(merge(services + "/u/status", R"({"status":{}})").status == 404);
  BOOST_TEST(call(admin, "PUT", "/api/v1/nodes/n/status", R"({"metadata":{"name":"n"}})").status == 404);
  const Answer refused = call({"till", {}, "", {}}, "PUT", services + "/v/status", R"({"metadata":{"name":"v"}})");
  BOOST_TEST(refused.status == 403);
}

BOOST_AUTO_TEST_CASE(a_service_that_its_status_creates_is_not_completed) {
  const std::string target = "/api/v1/namespaces/shop/services/s/status";
  const std::string headless = R"({"metadata":{"name":"s"},"spec":{"clusterIP":"None"}})";
  const std::string usual = R"({"metadata":{"name":"s"},"spec":{"ports":[{"port":80}]}})";
  for (const char* version : {"1.23.0", "1.36.3"}) {
    WholeCluster late(version);
    late.make_shop();
    BOOST_TEST(late.message(late.call(admin, "PUT", target, headless)) ==
               "Service \"s\" is invalid: [spec.ports: Required value, spec.clusterIPs: Required value]");
    const Answer made = late.call(admin, "PUT", target, usual);
    BOOST_TEST(made.status == 201);
    for (const char* field : {"clusterIP", "ipFamilies", "ipFamilyPolicy"}) {
      BOOST_TEST(!made.body["spec"].contains(field), field);
    }
  }
  WholeCluster early("1.22.0");
  early.make_shop();
  const Answer made = early.call(admin, "PUT", target, headless);
  BOOST_TEST(made.status == 201);
  BOOST_TEST(made.body["spec"]["clusterIPs"] == Object::array({"None"}));
}

BOOST_AUTO_TEST_CASE(a_status_loses_claims_of_devices_only_in_releases_that_look) {
  const std::string patch = R"({"status":{"resourceClaimStatuses":[{"name":"claim"}]}})";
  const auto answer_at = [&](const char* version) {
    WholeCluster cluster(version);
    cluster.make_shop();
    cluster.make_pod(R"({"containers":[{"name":"c","image":"i"}]})");
    return cluster.message(
        cluster.call(admin, "PATCH", cluster.pods + "/p/status", patch, "application/merge-patch+json"));
  };
  BOOST_TEST(answer_at("1.33.0") == "");
  BOOST_TEST(
      answer_at("1.32.0") ==
      "Pod \"p\" is invalid: status.resourceClaimStatuses[0].name: Invalid value: \"claim\": must match the name "
      "of an entry in `spec.resourceClaims`");
}

BOOST_AUTO_TEST_CASE(a_slice_without_devices_once_said_so) {
  const auto spec_at = [](const char* version, const std::string& api) {
    WholeCluster cluster(version);
    const std::string slices = "/apis/resource.k8s.io/" + api + "/resourceslices";
    const Answer made = cluster.post(slices, R"({"metadata":{"name":"s"},"spec":{"driver":"d.example.com",)"
                                             R"("nodeName":"a","pool":{"name":"a","resourceSliceCount":1}}})");
    BOOST_TEST(made.status == 201);
    return made.body["spec"];
  };
  BOOST_TEST(spec_at("1.34.0", "v1").contains("devices"));
  BOOST_TEST(!spec_at("1.36.0", "v1").contains("devices"));
}

BOOST_AUTO_TEST_CASE(a_mistake_is_told_once_in_releases_with_declarations) {
  const auto causes_at = [](const char* version) {
    WholeCluster cluster(version);
    cluster.post("/api/v1/nodes", R"({"metadata":{"name":"a"}})");
    const Answer refused =
        cluster.call(admin, "PUT", "/api/v1/nodes/a", R"({"metadata":{"name":"a","labels":{"?":""}}})");
    BOOST_TEST(refused.status == 422);
    return refused.body["details"]["causes"].size();
  };
  BOOST_TEST(causes_at("1.36.0") > 1U);
  BOOST_TEST(causes_at("1.37.0") == 1U);
}

BOOST_AUTO_TEST_CASE(an_attacher_is_checked_where_the_release_does) {
  const auto fields_at = [](const char* version) {
    WholeCluster cluster(version);
    const Answer refused = cluster.post("/apis/storage.k8s.io/v1/volumeattachments", R"({"metadata":{"name":"v"}})");
    std::string out;
    for (const Object& cause : refused.body["details"]["causes"]) out += std::string(text(cause, "field")) + " ";
    return out;
  };
  BOOST_TEST(fields_at("1.36.0") == "spec.attacher spec.source spec.nodeName ");
  BOOST_TEST(fields_at("1.37.0") == "spec.source spec.nodeName spec.attacher ");
}

BOOST_AUTO_TEST_CASE(amounts_and_names_of_resources_are_shown_as_the_release_does) {
  const auto shown_at = [](const char* version) {
    WholeCluster cluster(version);
    cluster.post("/api/v1/namespaces/default/serviceaccounts", R"({"metadata":{"name":"default"}})");
    const auto refused = [&](const std::string& target, const char* object) {
      const std::string message = cluster.message(cluster.post(target, object));
      const std::string before = "Invalid value: ";
      const std::size_t begin = message.find(before) + before.size();
      return message.substr(begin, message.find(": must be", begin) - begin);
    };
    return refused("/api/v1/nodes", R"({"metadata":{"name":"a"},"status":{"allocatable":{"pods":"1500m"}}})") + " " +
           refused("/api/v1/namespaces/default/pods", R"({"metadata":{"name":"p"},"spec":{"containers":[)"
                                                      R"({"name":"c","image":"i","resources":{"limits":{"x":1}}}]}})");
  };
  const std::string amount =
      "resource.Quantity{i:resource.int64Amount{value:1500, scale:-3}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, "
      "s:\"1500m\", Format:\"DecimalSI\"}";
  BOOST_TEST(shown_at("1.28.0") == amount + " \"x\"");
  BOOST_TEST(shown_at("1.33.0") == amount + " x");
  BOOST_TEST(shown_at("1.34.0") == "\"1500m\" \"x\"");
}

BOOST_AUTO_TEST_CASE(two_controllers_are_shown_as_go_before_1_34) {
  const auto said_at = [](const char* version) {
    WholeCluster cluster(version);
    const std::string owners = R"([{"apiVersion":"v1","kind":"Node","name":"a","uid":"1","controller":true},)"
                               R"({"apiVersion":"v1","kind":"Pod","name":"b","uid":"2","controller":true}])";
    return cluster.message(
        cluster.post("/api/v1/namespaces", R"({"metadata":{"name":"n","ownerReferences":)" + owners + "}}"));
  };
  const std::string go =
      "Invalid value: []v1.OwnerReference{v1.OwnerReference{APIVersion:\"v1\", Kind:\"Node\", "
      "Name:\"a\", UID:\"1\", Controller:(*bool)(0xc000000000), BlockOwnerDeletion:(*bool)(nil)}, "
      "v1.OwnerReference{APIVersion:\"v1\", Kind:\"Pod\", Name:\"b\", UID:\"2\", "
      "Controller:(*bool)(0xc000000000), BlockOwnerDeletion:(*bool)(nil)}}: Only one reference";
  BOOST_TEST(said_at("1.33.0").find(go) != std::string::npos);
  BOOST_TEST(said_at("1.34.0").find(R"(Invalid value: [{"apiVersion":"v1","kind":"Node",)") != std::string::npos);
}

// As kube-apiserver 1.31.4 and 1.33.5 reported it.
BOOST_AUTO_TEST_CASE(an_event_as_owner_is_shown_as_go_before_1_34) {
  WholeCluster cluster("1.33.0");
  BOOST_TEST(cluster.message(cluster.post("/api/v1/namespaces", R"({"metadata":{"name":"n","ownerReferences":)"
                                                                R"([{"apiVersion":"v1","kind":"Event","name":"e",)"
                                                                R"("uid":"1","blockOwnerDeletion":true}]}})")) ==
             "Namespace \"n\" is invalid: metadata.ownerReferences: Invalid value: "
             "v1.OwnerReference{APIVersion:\"v1\", Kind:\"Event\", Name:\"e\", UID:\"1\", Controller:(*bool)(nil), "
             "BlockOwnerDeletion:(*bool)(0xc000000000)}: /v1, Kind=Event is disallowed from being an owner");
}

BOOST_AUTO_TEST_CASE(of_a_wrong_token_and_a_wrong_version_the_release_tells_one) {
  const auto said_at = [](const char* version) {
    WholeCluster cluster(version);
    return cluster.message(
        cluster.call(admin, "GET",
                     "/apis/node.k8s.io/v1/runtimeclasses?continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEifQ&resourceVersion=-1"));
  };
  BOOST_TEST(said_at("1.28.0").starts_with("invalid resource version: "));
  BOOST_TEST(said_at("1.29.0").starts_with("invalid continue token: "));
}

BOOST_AUTO_TEST_CASE(an_empty_patch_of_an_unknown_type_is_refused_as_the_release_does) {
  const auto status_at = [](const char* version, const char* body) {
    WholeCluster cluster(version);
    return cluster.call(admin, "PATCH", "/api/v1/namespaces/default", body, "x/y").status;
  };
  BOOST_TEST(status_at("1.33.0", "") == 406);
  BOOST_TEST(status_at("1.33.0", "{}") == 415);
  BOOST_TEST(status_at("1.34.0", "") == 415);
}

BOOST_AUTO_TEST_CASE(an_object_without_a_name_is_told_all_that_is_wrong_with_it) {
  WholeCluster cluster;
  BOOST_TEST(cluster.message(cluster.post("/apis/certificates.k8s.io/v1/certificatesigningrequests", "null")) ==
             "CertificateSigningRequest.certificates.k8s.io \"\" is invalid: [metadata.name: Required value: name or "
             "generateName is required, spec.request: Invalid value: null: PEM block type must be CERTIFICATE REQUEST, "
             "spec.usages: Required value, spec.signerName: Required value]");
}

BOOST_FIXTURE_TEST_CASE(an_empty_number_is_none, Shop) {
  for (const char* query : {"?limit=", "?timeoutSeconds="}) {
    BOOST_TEST(message(call(admin, "GET", maps + query)) == "strconv.ParseInt: parsing \"\": invalid syntax");
  }
  BOOST_TEST(call(admin, "GET", maps + "?limit=1").status == 200);
}

BOOST_FIXTURE_TEST_CASE(metadata_that_the_server_does_not_take, Shop) {
  const auto made = [&](const std::string& metadata) {
    return post(maps + "?dryRun=All", R"({"metadata":{"name":"b",)" + metadata + "}}");
  };
  BOOST_TEST(!made(R"("selfLink":"/x")").body["metadata"].contains("selfLink"));
  BOOST_TEST(message(made(R"("generation":-1)")) ==
             "ConfigMap \"b\" is invalid: metadata.generation: Invalid value: -1: must be greater than or equal to 0");
  BOOST_TEST(message(made(R"("ownerReferences":[{"uid":"1","name":"p","kind":"Event","apiVersion":"v1"}])")) ==
             R"(ConfigMap "b" is invalid: metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event",)"
             R"("name":"p","uid":"1"}: /v1, Kind=Event is disallowed from being an owner)");
}

BOOST_FIXTURE_TEST_CASE(who_applies_under_another_name_is_told_of_repeated_keys_first, Shop) {
  const std::string twice = "kind: ConfigMap\napiVersion: v1\nmetadata: {name: other}\ndata: {a: b, a: c}\n";
  const std::string other = "the name of the object (other) does not match the name on the URL (a)";
  BOOST_TEST(message(apply(maps + "/a", twice)) == other);
  const Answer strict =
      call(admin, "PATCH", maps + "/a?fieldManager=m&fieldValidation=Strict", twice, "application/apply-patch+yaml");
  BOOST_TEST(message(strict).starts_with("error strict decoding YAML: "));
}

BOOST_FIXTURE_TEST_CASE(what_admission_misses_is_in_the_details, Shop) {
  const Answer refused = call(node_a, "POST", "/api/v1/namespaces/shop/pods/none/eviction",
                              R"({"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"none"}})");
  BOOST_TEST(refused.status == 404);
  BOOST_TEST(refused.body["details"] == (Object{{"name", "none"}, {"kind", "pod"}}));
}

BOOST_FIXTURE_TEST_CASE(claims_of_devices_are_completed, Shop) {
  const std::string claims = "/apis/resource.k8s.io/v1/namespaces/shop/resourceclaims";
  const auto made = [&](const std::string& request) {
    return post(claims + "?dryRun=All",
                R"({"metadata":{"name":"c"},"spec":{"devices":{"requests":[{"name":"r",)" + request + "}]}}}");
  };
  const Object exact = made(R"("exactly":{"deviceClassName":"c.d"})").body;
  BOOST_TEST(exact["spec"]["devices"]["requests"][0]["exactly"] ==
             (Object{{"deviceClassName", "c.d"}, {"allocationMode", "ExactCount"}, {"count", 1}}));
  BOOST_TEST(exact["status"] == Object::object());
  BOOST_TEST(!made(R"("exactly":{"deviceClassName":"c.d","allocationMode":"All"})")
                  .body["spec"]["devices"]["requests"][0]["exactly"]
                  .contains("count"));
  BOOST_TEST(message(made(R"("deviceClassName":"c.d")")) ==
             "ResourceClaim.resource.k8s.io \"c\" is invalid: spec.devices.requests[0]: Required value: exactly one of "
             "`exactly` or `firstAvailable` is required");
  const Answer slice = post("/apis/resource.k8s.io/v1/resourceslices?dryRun=All",
                            R"({"metadata":{"name":"s"},"spec":{"driver":"Gpu.example.com","nodeName":"a",)"
                            R"("pool":{"name":"p","resourceSliceCount":1,"generation":1}}})");
  BOOST_TEST(slice.status == 201);
  BOOST_TEST(slice.body["metadata"]["generation"] == 1);
}

BOOST_AUTO_TEST_CASE(statuses_of_claims_go_where_pods_have_none) {
  const auto put = [](const char* release) {
    Shop shop(release);
    shop.make_pod(R"({"automountServiceAccountToken":false,"containers":[{"name":"m","image":"i.invalid/i"}]})");
    return shop.merge(
        shop.pods + "/p/status",
        R"({"status":{"phase":"Running","resourceClaimStatuses":[{"name":"c","resourceClaimName":"x"}]}})");
  };
  const Answer dropped = put("1.33.13");
  BOOST_TEST(dropped.status == 200);
  BOOST_TEST(dropped.body["status"]["phase"] == "Running");
  BOOST_TEST(!dropped.body["status"].contains("resourceClaimStatuses"));
  BOOST_TEST(put("1.36.3").status == 422);
}

BOOST_FIXTURE_TEST_CASE(what_is_found_several_times_is_told_once_and_listed_as_often, Shop) {
  const auto fields = [&](const std::string& object) {
    const Answer refused = merge(object, R"({"metadata":{"labels":{"a/b/c":"x"},"finalizers":["nodomain"]}})");
    BOOST_TEST(refused.status == 422);
    const std::string said = message(refused);
    BOOST_TEST(said.find("metadata.labels") == said.rfind("metadata.labels"));
    std::string out;
    for (const Object& cause : refused.body["details"]["causes"]) {
      const std::string field(text(cause, "field"));
      out += field == "metadata.labels" ? 'l' : field == "metadata.finalizers[0]" ? 'f' : '?';
    }
    return out;
  };
  post("/api/v1/namespaces/shop/services", R"({"metadata":{"name":"s"},"spec":{"clusterIP":"None"}})");
  post("/apis/coordination.k8s.io/v1/namespaces/shop/leases", R"({"metadata":{"name":"l"}})");
  post("/api/v1/namespaces/shop/events",
       R"({"metadata":{"name":"e"},"involvedObject":{"kind":"Pod","namespace":"shop","name":"p"}})");
  BOOST_TEST(fields(maps + "/a") == "lllflf");
  BOOST_TEST(fields("/api/v1/namespaces/shop") == "lllflf");
  BOOST_TEST(fields("/api/v1/namespaces/shop/status") == "lllf");
  BOOST_TEST(fields("/api/v1/namespaces/shop/services/s") == "lllf");
  BOOST_TEST(fields("/apis/coordination.k8s.io/v1/namespaces/shop/leases/l") == "lll");
  BOOST_TEST(fields("/api/v1/namespaces/shop/events/e") == "ll");
}

BOOST_AUTO_TEST_CASE(below_watch_there_is_only_get) {
  Shop shop("1.36.3");
  for (const char* method : {"DELETE", "POST", "PUT", "PATCH"}) {
    BOOST_TEST(shop.call(admin, method, "/api/v1/watch/namespaces/shop/configmaps").status == 405);
    BOOST_TEST(shop.call(admin, method, "/api/v1/watch/nodes/a").status == 405);
  }
  BOOST_TEST(shop.call(node_a, "DELETE", "/api/v1/watch/namespaces/shop/secrets").status == 403);
  BOOST_TEST(shop.call(admin, "GET", "/apis/authorization.k8s.io/v1/watch/subjectaccessreviews").status == 404);
  BOOST_TEST(shop.call(admin, "GET", "/apis/authorization.k8s.io/v1/subjectaccessreviews?watch=1").status == 405);
  BOOST_TEST(shop.call(admin, "GET", "/api/v1/watch/namespaces/shop/configmaps").status == 200);
}

BOOST_AUTO_TEST_CASE(initial_events_are_asked_for_by_the_query_and_where_the_gate_is_on) {
  const auto asked = [](const char* release, const std::string& path, const std::string& query) {
    Shop shop(release);
    return shop.message(shop.call(admin, "GET", path + query));
  };
  const std::string begin = "ListOptions.meta.k8s.io \"\" is invalid: ";
  const std::string events = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
  const std::string maps = "/api/v1/namespaces/shop/configmaps";
  const std::string by_path = "/api/v1/watch/namespaces/shop/configmaps";
  BOOST_TEST(asked("1.36.3", maps, "?watch=1&" + events).empty());
  // 1.28.15 and 1.30.14
  BOOST_TEST(asked("1.30.14", maps, "?watch=1&" + events) ==
             begin +
                 "sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature "
                 "gate is enabled");
  for (const char* release : {"1.30.14", "1.36.3"}) {
    BOOST_TEST(asked(release, by_path, "?resourceVersion=0&" + events) ==
               begin + "sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list");
    BOOST_TEST(asked(release, by_path, "?resourceVersionMatch=NotOlderThan") ==
               begin +
                   "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is "
                   "provided");
  }
  // The sources of 1.25.16
  BOOST_TEST(asked("1.25.16", maps, "?watch=1&resourceVersion=0&" + events) ==
             begin + "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch");
}

namespace {

std::string of_pod(const char* release, const std::string& spec) {
  Shop shop(release);
  const std::string body = R"({"metadata":{"name":"p"},"spec":{"automountServiceAccountToken":false,)" + spec +
                           R"(,"containers":[{"name":"m","image":"i.invalid/i"}]}})";
  const std::string said = shop.message(shop.call(admin, "POST", "/api/v1/namespaces/shop/pods?dryRun=All", body));
  const std::string begin = "Pod \"p\" is invalid: ";
  return said.starts_with(begin) ? said.substr(begin.size()) : said;
}

}  // namespace

BOOST_AUTO_TEST_CASE(pods_of_old_and_new_releases_are_refused_for_the_same) {
  for (const char* release : {"1.28.15", "1.30.14", "1.36.3"}) {
    BOOST_TEST(of_pod(release, R"("activeDeadlineSeconds":0)") ==
               "spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive");
    BOOST_TEST(of_pod(release, R"("tolerations":[{"key":"k","operator":"Like"}])") ==
               "spec.tolerations[0].operator: Unsupported value: \"Like\": supported values: \"Equal\", \"Exists\"");
    BOOST_TEST(of_pod(release, R"("nodeSelector":{"a":"not ok"})")
                   .starts_with("spec.nodeSelector: Invalid value: \"not ok\": a valid label must be"));
    BOOST_TEST(of_pod(release, R"("activeDeadlineSeconds":1)").empty());
  }
  BOOST_TEST(of_pod("1.36.3", R"("tolerations":[{"key":"k","operator":"Lt","value":"5"}])")
                 .ends_with("supported values: \"Equal\", \"Exists\", \"Lt\", \"Gt\""));
}

BOOST_FIXTURE_TEST_CASE(a_deadline_comes_nearer_and_gates_go, Shop) {
  const std::string of_shop = "/api/v1/namespaces/shop/pods";
  call(admin, "POST", of_shop,
       R"({"metadata":{"name":"p"},"spec":{"automountServiceAccountToken":false,)"
       R"("containers":[{"name":"m","image":"i.invalid/i"}]}})");
  const auto patched = [&](const std::string& spec) { return merge(of_shop + "/p", R"({"spec":)" + spec + "}"); };
  BOOST_TEST(patched(R"({"activeDeadlineSeconds":50})").status == 200);
  BOOST_TEST(message(patched(R"({"activeDeadlineSeconds":60})")) ==
             "Pod \"p\" is invalid: spec.activeDeadlineSeconds: Invalid value: 60: must be less than or equal to "
             "previous value");
  BOOST_TEST(message(patched(R"({"activeDeadlineSeconds":null})")) ==
             "Pod \"p\" is invalid: spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive "
             "integer to nil value");
  BOOST_TEST(patched(R"({"activeDeadlineSeconds":40})").status == 200);
  BOOST_TEST(message(patched(R"({"schedulingGates":[{"name":"a/b"}]})")) ==
             "Pod \"p\" is invalid: spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new "
             "scheduling gate 'a/b'");
}

BOOST_AUTO_TEST_SUITE_END()
