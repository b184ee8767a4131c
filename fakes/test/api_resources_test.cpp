#include "fakes/wire/resources/api_resources.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <set>
#include <string>

#include "fakes/wire/resources/routes.h"

namespace boost::test_tools::tt_detail {
template <>
struct print_log_value<nodebound::Route::Outcome> {
  void operator()(std::ostream& out, nodebound::Route::Outcome outcome) { out << static_cast<int>(outcome); }
};
}  // namespace boost::test_tools::tt_detail

BOOST_AUTO_TEST_SUITE(api_resources)

using namespace nodebound;

namespace {

using Outcome = Route::Outcome;

constexpr int first_minor = 6;
constexpr int last_minor = 37;

Release release_of(std::string_view version, const GateSettings& gates = {}) {
  return {*Version::parse(version), gates, &Catalogue::built_in()};
}

// All gates on: everything that the version can serve.
Release release_of(int minor) {
  Release release{{1, minor, 0}, {}, &Catalogue::built_in()};
  for (const std::string& gate : ApiCatalogue::built_in().gates()) release.gates[gate] = true;
  return release;
}

std::string newest(const ApiResources& resources, std::string_view group, std::string_view resource) {
  const auto versions = resources.versions_of(group, resource);
  return versions.empty() ? "" : versions.front().version;
}

// The minor releases in which a resource gets a newer version: `1.12 v1beta1, 1.14 v1`; `-` if it is gone.
std::string history(std::string_view group, std::string_view resource, RuntimeConfig config = RuntimeConfig::api_all) {
  std::string out;
  std::string last = "-";
  for (int minor = first_minor; minor <= last_minor; ++minor) {
    std::string now = newest(ApiResources(release_of(minor), config), group, resource);
    if (now.empty()) now = "-";
    if (now == last) continue;
    out += (out.empty() ? "1." : ", 1.") + std::to_string(minor) + " " + now;
    last = now;
  }
  return out;
}

Outcome routed(const ApiResources& resources, const char* method, const std::string& target) {
  return route_of(resources, attributes_of(method, target)).outcome;
}

bool serves(const Release& release, const std::string& target, const char* method = "GET") {
  return routed(ApiResources(release), method, target) == Outcome::found;
}

std::string mistake_in(const std::string& text) {
  const Result<ApiCatalogue> parsed = ApiCatalogue::parse(text);
  return parsed ? "" : parsed.error().where + ": " + parsed.error().what;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(by_release)

BOOST_AUTO_TEST_CASE(every_release_has_the_newest_version_of_a_resource) {
  const std::map<std::pair<std::string, std::string>, std::string> expected = {
      {{"", "pods"}, "1.6 v1"},
      {{"apps", "deployments"}, "1.6 v1beta1, 1.8 v1beta2, 1.9 v1"},
      {{"apps", "daemonsets"}, "1.8 v1beta2, 1.9 v1"},
      {{"events.k8s.io", "events"}, "1.9 v1beta1, 1.19 v1"},
      {{"authentication.k8s.io", "tokenreviews"}, "1.6 v1"},
      {{"authentication.k8s.io", "selfsubjectreviews"}, "1.26 v1alpha1, 1.27 v1beta1, 1.28 v1"},
      {{"authorization.k8s.io", "subjectaccessreviews"}, "1.6 v1"},
      {{"authorization.k8s.io", "selfsubjectrulesreviews"}, "1.8 v1"},
      {{"batch", "cronjobs"}, "1.6 v2alpha1, 1.8 v1beta1, 1.21 v1"},
      {{"certificates.k8s.io", "certificatesigningrequests"}, "1.6 v1beta1, 1.19 v1"},
      {{"certificates.k8s.io", "podcertificaterequests"}, "1.34 v1alpha1, 1.35 v1beta1, 1.37 v1"},
      {{"certificates.k8s.io", "clustertrustbundles"}, "1.27 v1alpha1, 1.33 v1beta1, 1.37 v1"},
      {{"networking.k8s.io", "servicecidrs"}, "1.29 v1alpha1, 1.31 v1beta1, 1.33 v1"},
      {{"networking.k8s.io", "ipaddresses"}, "1.27 v1alpha1, 1.31 v1beta1, 1.33 v1"},
      {{"policy", "poddisruptionbudgets"}, "1.6 v1beta1, 1.21 v1"},
      {{"policy", "podsecuritypolicies"}, "1.10 v1beta1, 1.25 -"},
      {{"rbac.authorization.k8s.io", "clusterroles"}, "1.6 v1beta1, 1.8 v1"},
      {{"storage.k8s.io", "storageclasses"}, "1.6 v1"},
      {{"storage.k8s.io", "volumeattachments"}, "1.9 v1alpha1, 1.10 v1beta1, 1.13 v1"},
      {{"storage.k8s.io", "csidrivers"}, "1.14 v1beta1, 1.18 v1"},
      {{"storage.k8s.io", "csinodes"}, "1.14 v1beta1, 1.17 v1"},
      {{"csi.storage.k8s.io", "csinodeinfos"}, "1.12 v1alpha1, 1.14 -"},
      {{"csi.storage.k8s.io", "csidrivers"}, "1.12 v1alpha1, 1.14 -"},
      {{"scheduling.k8s.io", "priorityclasses"}, "1.8 v1alpha1, 1.11 v1beta1, 1.14 v1"},
      {{"coordination.k8s.io", "leases"}, "1.12 v1beta1, 1.14 v1"},
      {{"node.k8s.io", "runtimeclasses"}, "1.12 v1alpha1, 1.14 v1beta1, 1.20 v1"},
      {{"discovery.k8s.io", "endpointslices"}, "1.16 v1alpha1, 1.17 v1beta1, 1.21 v1"},
      {{"resource.k8s.io", "resourceclaims"},
       "1.26 v1alpha1, 1.27 v1alpha2, 1.31 v1alpha3, 1.32 v1beta1, 1.33 v1beta2, 1.34 v1"},
      {{"resource.k8s.io", "resourceslices"}, "1.30 v1alpha2, 1.31 v1alpha3, 1.32 v1beta1, 1.33 v1beta2, 1.34 v1"},
      {{"resource.k8s.io", "deviceclasses"}, "1.31 v1alpha3, 1.32 v1beta1, 1.33 v1beta2, 1.34 v1"},
      {{"resource.k8s.io", "devicetaintrules"}, "1.33 v1alpha3, 1.36 v1beta2, 1.37 v1"},
      {{"resource.k8s.io", "resourceclasses"}, "1.26 v1alpha1, 1.27 v1alpha2, 1.31 -"},
      {{"resource.k8s.io", "podschedulingcontexts"}, "1.27 v1alpha2, 1.31 v1alpha3, 1.32 -"},
  };
  for (const auto& [key, when] : expected) BOOST_TEST(history(key.first, key.second) == when, key.second);
}

BOOST_AUTO_TEST_CASE(alpha_and_later_beta_versions_are_served_on_request_only) {
  const auto by_default = [](const char* group, const char* resource) {
    return history(group, resource, RuntimeConfig::defaults);
  };
  BOOST_TEST(by_default("storage.k8s.io", "volumeattachments") == "1.10 v1beta1, 1.13 v1");
  BOOST_TEST(by_default("batch", "cronjobs") == "1.8 v1beta1, 1.21 v1");
  BOOST_TEST(by_default("node.k8s.io", "runtimeclasses") == "1.12 v1alpha1, 1.14 v1beta1, 1.20 v1");
  BOOST_TEST(by_default("discovery.k8s.io", "endpointslices") == "1.17 v1beta1, 1.21 v1");
  BOOST_TEST(by_default("resource.k8s.io", "resourceclaims") == "1.34 v1");
  BOOST_TEST(by_default("networking.k8s.io", "servicecidrs") == "1.33 v1");
  BOOST_TEST(by_default("certificates.k8s.io", "podcertificaterequests") == "1.37 v1");
  BOOST_TEST(by_default("authentication.k8s.io", "selfsubjectreviews") == "1.28 v1");
  BOOST_TEST(by_default("coordination.k8s.io", "leasecandidates") == "");
  // Still served by default up to 1.7 for clusters that already used it.
  BOOST_TEST(
      ApiResources(release_of(7), RuntimeConfig::defaults).find("rbac.authorization.k8s.io", "v1alpha1", "roles") !=
      nullptr);
  BOOST_TEST(
      ApiResources(release_of(8), RuntimeConfig::defaults).find("rbac.authorization.k8s.io", "v1alpha1", "roles") ==
      nullptr);
}

BOOST_AUTO_TEST_CASE(old_versions_are_served_until_they_are_removed) {
  const auto last = [](const char* group, const char* version, const char* resource) {
    int minor = 0;
    for (int i = first_minor; i <= last_minor; ++i) {
      if (ApiResources(release_of(i)).find(group, version, resource) != nullptr) minor = i;
    }
    return minor;
  };
  BOOST_TEST(last("apps", "v1beta1", "deployments") == 17);
  BOOST_TEST(last("batch", "v2alpha1", "cronjobs") == 20);
  BOOST_TEST(last("coordination.k8s.io", "v1beta1", "leases") == 21);
  BOOST_TEST(last("storage.k8s.io", "v1beta1", "csinodes") == 21);
  BOOST_TEST(last("certificates.k8s.io", "v1beta1", "certificatesigningrequests") == 21);
  BOOST_TEST(last("authorization.k8s.io", "v1beta1", "subjectaccessreviews") == 21);
  BOOST_TEST(last("rbac.authorization.k8s.io", "v1beta1", "roles") == 21);
  BOOST_TEST(last("storage.k8s.io", "v1alpha1", "volumeattachments") == 22);
  BOOST_TEST(last("rbac.authorization.k8s.io", "v1alpha1", "roles") == 22);
  BOOST_TEST(last("node.k8s.io", "v1alpha1", "runtimeclasses") == 23);
  BOOST_TEST(last("node.k8s.io", "v1beta1", "runtimeclasses") == 24);
  BOOST_TEST(last("policy", "v1beta1", "poddisruptionbudgets") == 24);
  BOOST_TEST(last("resource.k8s.io", "v1alpha2", "resourceslices") == 30);
  BOOST_TEST(last("authentication.k8s.io", "v1beta1", "selfsubjectreviews") == 32);
  BOOST_TEST(last("resource.k8s.io", "v1alpha3", "resourceclaims") == 33);
  BOOST_TEST(last("certificates.k8s.io", "v1alpha1", "podcertificaterequests") == 34);
  BOOST_TEST(last("certificates.k8s.io", "v1alpha1", "clustertrustbundles") == 36);
}

BOOST_AUTO_TEST_CASE(no_release_serves_anything_twice) {
  for (int minor = first_minor; minor <= last_minor; ++minor) {
    const ApiResources resources(release_of(minor));
    std::set<std::string> seen;
    for (const ApiResource& resource : resources.all()) {
      BOOST_TEST(seen.insert(resource.group_version + "/" + resource.resource).second,
                 "1." << minor << " " << resource.group_version << " " << resource.resource);
      std::set<std::string> subresources;
      for (const ApiSubresource& sub : resource.subresources) {
        BOOST_TEST(subresources.insert(sub.name).second, "1." << minor << " " << resource.resource << "/" << sub.name);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(verbs_and_kinds_of_subresources_change_with_the_release) {
  const auto subresource = [](int minor, const char* resource, const char* name) {
    const ApiResources resources(release_of(minor));
    const std::string_view group = resource == std::string_view("pods") ? "" : "certificates.k8s.io";
    const ApiSubresource* found = resources.versions_of(group, resource).front().subresource(name);
    return found == nullptr ? ApiSubresource() : *found;
  };
  BOOST_TEST(subresource(21, "pods", "eviction").group_version == "policy/v1beta1");
  BOOST_TEST(subresource(22, "pods", "eviction").group_version == "policy/v1");
  BOOST_TEST(subresource(21, "pods", "ephemeralcontainers").kind == "EphemeralContainers");
  BOOST_TEST(subresource(22, "pods", "ephemeralcontainers").kind == "Pod");
  BOOST_TEST(!subresource(18, "certificatesigningrequests", "approval").serves("get"));
  BOOST_TEST(subresource(19, "certificatesigningrequests", "approval").serves("get"));
  BOOST_TEST(!subresource(10, "certificatesigningrequests", "status").serves("patch"));
  BOOST_TEST(subresource(11, "certificatesigningrequests", "status").serves("patch"));
  BOOST_TEST(subresource(36, "pods", "exec").connect);
  BOOST_TEST(!subresource(36, "pods", "status").connect);

  const auto services = [](int minor) { return ApiResources(release_of(minor)).versions_of("", "services").front(); };
  BOOST_TEST(!services(22).serves("deletecollection"));
  BOOST_TEST(services(23).serves("deletecollection"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(gates)

BOOST_AUTO_TEST_CASE(a_gate_that_is_off_takes_its_resource_away) {
  struct Case {
    const char* version;
    const char* gate;
    const char* target;
    const char* method = "GET";
  };
  for (const Case& c : {
           Case{"1.12", "CSINodeInfo", "/apis/csi.storage.k8s.io/v1alpha1/csinodeinfos"},
           Case{"1.13", "CSIDriverRegistry", "/apis/csi.storage.k8s.io/v1alpha1/csidrivers"},
           Case{"1.13", "RuntimeClass", "/apis/node.k8s.io/v1alpha1/runtimeclasses"},
           Case{"1.14", "CSIDriverRegistry", "/apis/storage.k8s.io/v1beta1/csidrivers"},
           Case{"1.20", "CSINodeInfo", "/apis/storage.k8s.io/v1/csinodes"},
           Case{"1.10", "TokenRequest", "/api/v1/namespaces/ns/serviceaccounts/sa/token", "POST"},
           Case{"1.19", "TokenRequest", "/api/v1/namespaces/ns/serviceaccounts/sa/token", "POST"},
           Case{"1.16", "EphemeralContainers", "/api/v1/namespaces/ns/pods/p/ephemeralcontainers"},
           Case{"1.24", "EphemeralContainers", "/api/v1/namespaces/ns/pods/p/ephemeralcontainers"},
           Case{"1.32", "InPlacePodVerticalScaling", "/api/v1/namespaces/ns/pods/p/resize"},
           Case{"1.27", "APISelfSubjectReview", "/apis/authentication.k8s.io/v1beta1/selfsubjectreviews", "POST"},
           Case{"1.27", "ClusterTrustBundle", "/apis/certificates.k8s.io/v1alpha1/clustertrustbundles"},
           Case{"1.37", "ClusterTrustBundle", "/apis/certificates.k8s.io/v1/clustertrustbundles"},
           Case{"1.34", "PodCertificateRequest", "/apis/certificates.k8s.io/v1alpha1/podcertificaterequests"},
           Case{"1.37", "PodCertificateRequest", "/apis/certificates.k8s.io/v1/podcertificaterequests"},
       }) {
    BOOST_TEST(serves(release_of(c.version, {{c.gate, true}}), c.target, c.method), c.version << " " << c.target);
    BOOST_TEST(!serves(release_of(c.version, {{c.gate, false}}), c.target, c.method), c.version << " " << c.target);
    BOOST_TEST(!serves(release_of(c.version), c.target, c.method), c.version << " " << c.target);
  }
}

BOOST_AUTO_TEST_CASE(what_has_become_stable_needs_no_gate) {
  BOOST_TEST(serves(release_of("1.18"), "/apis/storage.k8s.io/v1/csidrivers"));
  BOOST_TEST(serves(release_of("1.21"), "/apis/storage.k8s.io/v1/csinodes"));
  BOOST_TEST(serves(release_of("1.20"), "/api/v1/namespaces/ns/serviceaccounts/sa/token", "POST"));
  BOOST_TEST(serves(release_of("1.25"), "/api/v1/namespaces/ns/pods/p/ephemeralcontainers"));
  BOOST_TEST(serves(release_of("1.35"), "/api/v1/namespaces/ns/pods/p/resize"));
  BOOST_TEST(serves(release_of("1.28"), "/apis/authentication.k8s.io/v1/selfsubjectreviews", "POST"));
  BOOST_TEST(!serves(release_of("1.36.3"), "/apis/storage.k8s.io/v1/csinodes/n/status"));
  BOOST_TEST(serves(release_of("1.37"), "/apis/storage.k8s.io/v1/csinodes/n/status"));
}

// Disabled until reference/gates.toml has all of them: a gate that it lacks is never on.
BOOST_AUTO_TEST_CASE(the_catalogue_knows_every_gate, *boost::unit_test::disabled()) {
  for (const std::string& gate : ApiCatalogue::built_in().gates()) {
    BOOST_TEST(Catalogue::built_in().find_gate(gate) != nullptr, gate);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(lookups)

BOOST_AUTO_TEST_CASE(a_kind_is_found_in_its_newest_version) {
  const ApiResources old(release_of("1.20"));
  BOOST_TEST(old.find_kind("policy", "PodDisruptionBudget")->group_version == "policy/v1beta1");
  BOOST_TEST((old.find_kind("resource.k8s.io", "ResourceClaim") == nullptr));
  const ApiResources resources(release_of("1.36.3"));
  BOOST_TEST(resources.find_kind("", "Pod")->resource == "pods");
  BOOST_TEST(resources.find_kind("", "Pod")->singular == "pod");
  BOOST_TEST(resources.find_kind("", "Pod")->short_names.front() == "po");
  BOOST_TEST(resources.find_kind("resource.k8s.io", "ResourceClaim")->version == "v1");
  BOOST_TEST((resources.find_kind("apps", "Pod") == nullptr));
}

BOOST_AUTO_TEST_CASE(a_group_prefers_what_it_serves_by_default) {
  BOOST_TEST(ApiResources(release_of(33)).find_group("resource.k8s.io")->preferred == "v1beta2");
  BOOST_TEST(ApiResources(release_of(34)).find_group("resource.k8s.io")->preferred == "v1");
  BOOST_TEST(ApiResources(release_of(16)).find_group("apps")->preferred == "v1");
  BOOST_TEST(ApiResources(release_of(8)).find_group("batch")->preferred == "v1");
  BOOST_TEST(ApiResources(release_of(6)).find_group("apps")->preferred == "v1beta1");
  const ApiResources resources(release_of(36), RuntimeConfig::defaults);
  BOOST_TEST((resources.find_group("node.k8s.io.example") == nullptr));
  for (const ApiResources::Group& group : resources.groups()) BOOST_TEST(group.preferred == "v1", group.name);
  BOOST_TEST(resources.group_versions().front() == "v1");
}

BOOST_AUTO_TEST_CASE(versions_are_ordered_as_kubernetes_does) {
  const std::vector<std::string> newest_first = {"v2", "v1", "v2beta1", "v1beta10", "v1beta2", "v1alpha3", "v1alpha1"};
  for (std::size_t i = 0; i < newest_first.size(); ++i) {
    for (std::size_t j = 0; j < newest_first.size(); ++j) {
      BOOST_TEST(is_newer_version(newest_first[i], newest_first[j]) == (i < j),
                 newest_first[i] << " " << newest_first[j]);
    }
  }
}

BOOST_AUTO_TEST_CASE(paths_are_those_of_the_api) {
  const ApiResources resources(release_of("1.36.3"));
  const auto is = [&](const char* method, const std::string& target) { return routed(resources, method, target); };
  BOOST_TEST(is("GET", "/apis/example.com/v1/things") == Outcome::no_such_group);
  for (const char* target : {"/api/v2/pods", "/api/v1/unicorns", "/apis/storage.k8s.io/v1beta9/csinodes",
                             "/apis/apps/v1/pods", "/api/v1/namespaces/ns/nodes", "/api/v1/namespaces/ns/nodes/n",
                             "/api/v1/pods/p", "/api/v1/namespaces/ns/pods/p/unicorn", "/api/v1/nodes/n//status",
                             "/apis/authorization.k8s.io/v1/subjectaccessreviews/x",
                             "/apis/authorization.k8s.io/v1/localsubjectaccessreviews"}) {
    BOOST_TEST(is("GET", target) == Outcome::no_such_path, target);
  }
  for (const auto& [method, target] : {std::pair{"POST", "/api/v1/pods"},
                                       {"PUT", "/api/v1/pods"},
                                       {"DELETE", "/api/v1/pods"},
                                       {"PUT", "/api/v1/namespaces/ns/pods"},
                                       {"POST", "/api/v1/namespaces/ns/pods/p"},
                                       {"POST", "/api/v1/namespaces/ns/pods/p/status"},
                                       {"DELETE", "/api/v1/namespaces/ns/pods/p/status"},
                                       {"GET", "/api/v1/namespaces/ns/pods/p/eviction"},
                                       {"DELETE", "/api/v1/namespaces"},
                                       {"GET", "/apis/authorization.k8s.io/v1/subjectaccessreviews"}}) {
    BOOST_TEST(is(method, target) == Outcome::method_not_allowed, method << " " << target);
  }
  for (const auto& [method, target] : {std::pair{"GET", "/api/v1/pods?fieldSelector=metadata.name=p"},
                                       {"GET", "/api/v1/namespaces"},
                                       {"PUT", "/api/v1/namespaces/ns"},
                                       {"PUT", "/api/v1/namespaces/ns/finalize"},
                                       {"DELETE", "/api/v1/namespaces/ns/services"},
                                       {"PATCH", "/api/v1/nodes/n/status"}}) {
    BOOST_TEST(is(method, target) == Outcome::found, method << " " << target);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(data_file)

BOOST_AUTO_TEST_CASE(mistakes_are_told_with_their_place) {
  const std::string head = "[[group]]\nname = \"g\"\n[[group.resource]]\nresource = \"things\"\nkind = \"Thing\"\n";
  const std::string versions = "versions = [{ version = \"v1\", since = \"1.6\" }]\n";
  BOOST_TEST(mistake_in(head + versions) == "");
  const std::string file = "fakes/wire/resources/resources.toml:";
  BOOST_TEST(mistake_in(head) == file + "3:1: expected at least one version");
  BOOST_TEST(
      mistake_in(head + "versions = [{ version = \"v1\" }]").starts_with(file + "6:13: expected a key \"since\""));
  BOOST_TEST(
      mistake_in(head + "versions = [{ version = \"v1\", since = \"old\" }]").starts_with(file + "6:39: expected a"));
  BOOST_TEST(mistake_in(head + "versions = [{ version = \"v1\", since = \"1.9\", until = \"1.8\" }]")
                 .ends_with("expected a later release than that of \"since\""));
  BOOST_TEST(
      mistake_in(head + versions + "verbs = \"lits\"").ends_with("unknown verb \"lits\"; did you mean \"list\"?"));
  BOOST_TEST(mistake_in(head + versions + "namespace = true").ends_with("did you mean \"namespaced\"?"));
  BOOST_TEST(mistake_in("[[group]]\nname = \"g\"\nnamespace = true").find("unknown key") != std::string::npos);
  BOOST_TEST(mistake_in(head + versions + head.substr(20) + versions).ends_with("the group has things twice"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
