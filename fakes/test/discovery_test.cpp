#include "fakes/apiserver/discovery/discovery.h"

#include <boost/test/unit_test.hpp>
#include <string>

#include "reference/cluster/object.h"
#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(discovery)

using namespace nodebound;
using namespace nodebound::apiserver;

namespace {

Object asked(const std::string& path, const std::string& accept = {}, const char* release = "1.36.3") {
  const RuleSet rules = nodebound::test::rules_of(release);
  const ApiResources resources(rules.release());
  HttpRequest request{"GET", path, "", ""};
  request.accept = accept;
  const auto response = discovered(resources, rules.release(), request, path);
  return response ? Object::parse(response->body) : Object();
}

const Object& named(const Object& list, const char* key, const std::string& name) {
  for (const Object& item : list) {
    if (text(item, key) == name) return item;
  }
  static const Object none;
  return none;
}

}  // namespace

BOOST_AUTO_TEST_CASE(groups_and_their_versions_are_listed) {
  BOOST_TEST(asked("/api")["versions"] == Object::array({"v1"}));
  const Object policy = named(asked("/apis")["groups"], "name", "policy");
  BOOST_TEST(policy["preferredVersion"]["groupVersion"] == "policy/v1");
  BOOST_TEST(asked("/apis/policy")["kind"] == "APIGroup");
  BOOST_TEST(asked("/apis/nothing").is_null());
  BOOST_TEST(asked("/apis/policy/v9").is_null());
  BOOST_TEST(asked("/else").is_null());
}

BOOST_AUTO_TEST_CASE(a_version_lists_its_resources_and_subresources) {
  const Object list = asked("/api/v1");
  const Object pods = named(list["resources"], "name", "pods");
  BOOST_TEST(pods["shortNames"] == Object::array({"po"}));
  BOOST_TEST(pods["namespaced"] == true);
  const Object eviction = named(list["resources"], "name", "pods/eviction");
  BOOST_TEST(eviction["group"] == "policy");
  BOOST_TEST(eviction["version"] == "v1");
  BOOST_TEST(named(asked("/apis/coordination.k8s.io/v1")["resources"], "name", "leases")["kind"] == "Lease");
}

BOOST_AUTO_TEST_CASE(discovery_is_aggregated_for_who_asks_and_as_the_release_knows_it) {
  const std::string accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
  const Object list = asked("/apis", accept);
  BOOST_TEST(list["kind"] == "APIGroupDiscoveryList");
  const Object core = asked("/api", accept)["items"][0]["versions"][0];
  const Object pods = named(core["resources"], "resource", "pods");
  BOOST_TEST(pods["scope"] == "Namespaced");
  BOOST_TEST(pods["responseKind"]["kind"] == "Pod");
  BOOST_TEST(asked("/apis", accept, "1.20.0")["kind"] == "APIGroupList");
}

BOOST_AUTO_TEST_SUITE_END()
