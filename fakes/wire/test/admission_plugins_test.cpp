#include <boost/test/unit_test.hpp>

#include "fakes/wire/admission_configuration.h"
#include "fakes/wire/resources/kind_mapping.h"

// What the plugins that are off by default read: kinds of owners, and the files of administrators.
BOOST_AUTO_TEST_SUITE(admission_plugins)

using namespace nodebound;

namespace {

std::string mapped(const ApiResources& resources, const char* group, const char* version, const char* kind) {
  const std::optional<KindMapping> found = mapping_of(resources, group, version, kind);
  return found ? found->resource + (found->namespaced ? "" : " of the cluster") : "unknown";
}

Result<std::string> no_file(const std::string& path) {
  return input_error("f", "there is no file " + path);
}

std::string mistake_in(const std::string& text) {
  const Result<PlacementSettings> read = read_pod_placement(text, "f", no_file);
  return read ? "no mistake" : read.error().text();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_kind_is_found_in_its_version_alone) {
  const ApiResources resources({*Version::parse("1.36.3"), {}, &Catalogue::built_in()});
  BOOST_TEST(mapped(resources, "", "v1", "ConfigMap") == "configmaps");
  BOOST_TEST(mapped(resources, "", "v1", "Node") == "nodes of the cluster");
  BOOST_TEST(mapped(resources, "apps", "v1", "Deployment") == "deployments");
  BOOST_TEST(mapped(resources, "", "v1", "configmap") == "configmaps");
  BOOST_TEST(mapped(resources, "", "v1", "ConfigMapList") == "configmaplists");
  BOOST_TEST(mapped(resources, "", "v1", "List") == "lists of the cluster");
  for (const char* kind : {"Deployment", "configMap", "configmaps", "Scale", ""}) {
    BOOST_TEST(mapped(resources, "", "v1", kind) == "unknown", kind);
  }
  BOOST_TEST(mapped(resources, "apps", "v1beta1", "Deployment") == "unknown");
  BOOST_TEST(mapped(resources, "example.com", "v1", "List") == "unknown");
}

BOOST_AUTO_TEST_CASE(a_plugin_is_configured_in_its_place_or_by_a_file) {
  const Result<PlacementSettings> read = read_pod_placement(
      "kind: AdmissionConfiguration\nplugins:\n- name: PodNodeSelector\n  path: selectors.yaml\n- name: Other\n  path: "
      "x\n"
      "- name: PodTolerationRestriction\n  configuration: {default: [{key: a}], whitelist: [{key: b}]}\n",
      "f", [](const std::string& path) -> Result<std::string> {
        BOOST_TEST(path == "selectors.yaml");
        return std::string("podNodeSelectorPluginConfig: {clusterDefaultNodeSelector: env=prod, shop: zone=x}");
      });
  BOOST_REQUIRE(read);
  BOOST_TEST(read->node_selectors.at("clusterDefaultNodeSelector") == "env=prod");
  BOOST_TEST(read->node_selectors.at("shop") == "zone=x");
  BOOST_TEST(read->default_tolerations.dump() == R"([{"key":"a"}])");
  BOOST_TEST(read->tolerations_whitelist.dump() == R"([{"key":"b"}])");
  BOOST_TEST(read_pod_placement("", "f", no_file)->node_selectors.empty());
}

BOOST_AUTO_TEST_CASE(what_is_no_configuration_is_told) {
  const std::string plugins = "plugins:\n- name: PodNodeSelector\n";
  BOOST_TEST(mistake_in(plugins + "  path: none.yaml").find("there is no file none.yaml") != std::string::npos);
  BOOST_TEST(mistake_in(plugins + "  configuration: {podNodeSelectorPluginConfig: {shop: 7}}")
                 .find("podNodeSelectorPluginConfig.shop is no text") != std::string::npos);
  BOOST_TEST(mistake_in(plugins + "  configuration: {podNodeSelectorPluginConfig: [a]}")
                 .find("podNodeSelectorPluginConfig is no map") != std::string::npos);
  BOOST_TEST(mistake_in("plugins:\n- name: PodTolerationRestriction\n  configuration: {whitelist: a}")
                 .find("whitelist of PodTolerationRestriction is no list") != std::string::npos);
  BOOST_TEST(mistake_in("a: [").starts_with("f: "));
}

BOOST_AUTO_TEST_SUITE_END()
