#include <boost/test/unit_test.hpp>

#include "fakes/apiserver/resources/registry.h"
#include "fakes/validation/kinds.h"
#include "fakes/validation/object.h"
#include "fakes/validation/test/told.h"

BOOST_AUTO_TEST_SUITE(validation_of_nodes)

// The texts are those of real kube-apiservers of these releases, or of their sources.

using namespace nodebound;
using namespace nodebound::validation;
using nodebound::test::rules_of;
using nodebound::test::told;

namespace {

std::string told_of_new(const Object& node, const char* version = "1.36.3") {
  const RuleSet rules = rules_of(version);
  const ValidatedKind nodes{apiserver::strategy_of("", "nodes").checks, false, NameRule::subdomain, &rules.release()};
  return told(wrong_object(nodes, node), version);
}

Object node_with(const Object& status) {
  return {{"metadata", {{"name", "a"}}}, {"status", status}};
}

std::string told_of_features(const std::vector<std::string>& features) {
  return told_of_new(node_with({{"declaredFeatures", features}}));
}

std::string told_of_annotation(const char* name, const char* value) {
  const Object annotations = {{std::string("scheduler.alpha.kubernetes.io/") + name, value}};
  return told_of_new({{"metadata", {{"name", "a"}, {"annotations", annotations}}}});
}

}  // namespace

BOOST_AUTO_TEST_CASE(pod_cidrs_of_a_node_are_checked_by_release) {
  const auto told_of_node = [](const std::string& spec, const char* version = "1.36.3") {
    const RuleSet rules = rules_of(version);
    return told(wrong_pod_cidrs(Object::parse(R"({"spec":{)" + spec + "}}"), rules.release()), version);
  };
  const std::string wrong = R"("podCIDRs":["10.0.0.0/33"])";
  BOOST_TEST(told_of_node(wrong) ==
             "spec.podCIDRs[0]: Invalid value: \"10.0.0.0/33\": must be a valid CIDR value, (e.g. 10.9.8.0/24 or "
             "2001:db8::/64)");
  BOOST_TEST(told_of_node(wrong, "1.29.0") ==
             "spec.podCIDRs[0]: Invalid value: []string{\"10.0.0.0/33\"}: must be valid CIDR");
  BOOST_TEST(told_of_node(R"("podCIDR":"10.0.0.0")", "1.15.0") ==
             "spec.podCIDR: Invalid value: \"10.0.0.0\": not a valid CIDR");
  BOOST_TEST(told_of_node(R"("podCIDR":"10.0.0.0")", "1.8.0") == "");
  for (const char* text : {"10.0.0.0/", "/8", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/9", "10.0.0.0/8 ", "::/129",
                           "10.0.0.0/99999999999999999999", "::1%lo/128"}) {
    BOOST_TEST(told_of_node(R"("podCIDRs":[")" + std::string(text) + "\"]").find("must be a valid CIDR value") !=
                   std::string::npos,
               text);
  }
  const auto strictly = [&](const std::string& text, const std::string& why) {
    BOOST_TEST(told_of_node(R"("podCIDRs":[")" + text + "\"]") ==
               "spec.podCIDRs[0]: Invalid value: \"" + text + "\": " + why);
    BOOST_TEST(told_of_node(R"("podCIDRs":[")" + text + "\"]", "1.35.0") == "");
  };
  strictly("10.0.0.0/08", "must not have leading 0s in IP or prefix length");
  strictly("10.0.00.0/8", "must not have leading 0s in IP or prefix length");
  strictly("::ffff:10.0.0.0/104", "must not have an IPv4-mapped IPv6 address");
  strictly("10.0.0.1/8", "must not have bits set beyond the prefix length");
  strictly("fd00::1/64", "must not have bits set beyond the prefix length");
  BOOST_TEST(told_of_node(R"("podCIDRs":["10.0.0.0/8","fd00::/64"])") == "");
  const std::string twice = R"("podCIDRs":["10.0.0.0/8","10.0.0.0/8"])";
  const std::string families =
      R"(spec.podCIDRs: Invalid value: ["10.0.0.0/8","10.0.0.0/8"]: may specify no more than one CIDR for each IP family)";
  BOOST_TEST(told_of_node(twice) == families);
  BOOST_TEST(told_of_node(twice, "1.32.0").ends_with(", spec.podCIDRs[1]: Duplicate value: \"10.0.0.0/8\""));
  const std::string unread =
      "spec.podCIDRs: Internal error: invalid PodCIDRs. failed to check with dual stack with error:";
  const std::string second = R"("podCIDRs":["fd00::/64","x"])";
  BOOST_TEST(told_of_node(second).find(unread + "invalid CIDR[1]: <nil> (invalid CIDR address: x), ") !=
             std::string::npos);
  BOOST_TEST(told_of_node(second, "1.26.0")
                 .find(unread + "failed to parse cidr value:\"x\" with error:invalid CIDR address: x, ") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(pod_cidrs_of_a_node_stay) {
  const auto told_of_change = [](const std::string& before, const std::string& after, const char* version = "1.36.3") {
    const auto node = [](const std::string& spec) { return Object::parse(R"({"spec":{)" + spec + "}}"); };
    return told(wrong_node_change(node(after), node(before), rules_of(version).release()), version);
  };
  const std::string one = R"("podCIDR":"10.0.0.0/8","podCIDRs":["10.0.0.0/8"])";
  const std::string two = R"("podCIDR":"10.0.0.0/8","podCIDRs":["10.0.0.0/8","fd00::/64"])";
  const std::string kept = "s: Forbidden: node updates may not change podCIDR except from \"\" to valid";
  BOOST_TEST(told_of_change("", two) == "");
  BOOST_TEST(told_of_change(two, two) == "");
  BOOST_TEST(told_of_change(one, two) == "spec.podCIDR" + kept);
  BOOST_TEST(told_of_change(two, "") == "spec.podCIDR" + kept);
  BOOST_TEST(told_of_change(R"("podCIDR":"10.0.0.0/8")", R"("podCIDR":"11.0.0.0/8")", "1.15.0") ==
             "spec.podCIDR" + kept.substr(1));
}

BOOST_AUTO_TEST_CASE(the_external_id_of_a_node_stays) {
  const auto told_of_change = [](const char* version) {
    const Object before = Object::parse(R"({"spec":{"externalID":"a"}})");
    const Object after = Object::parse(R"({"spec":{"externalID":"b"}})");
    return told(wrong_node_change(after, before, rules_of(version).release()), version);
  };
  BOOST_TEST(told_of_change("1.18.0") == "spec.externalID: Forbidden: may not be updated");
  BOOST_TEST(told_of_change("1.17.0") ==
             ": Forbidden: node updates may only change labels, taints, or capacity (or configSource, if the "
             "DynamicKubeletConfig feature gate is enabled)");
  BOOST_TEST(told_of_change("1.7.0") == ": Forbidden: node updates may only change labels, taints or capacity");
}

BOOST_AUTO_TEST_CASE(a_node_keeps_its_provider_id) {
  const auto told_of_change = [](const char* after, const char* version) {
    const Object before = Object::parse(R"({"spec":{"providerID":"a"}})");
    return told(wrong_node_change({{"spec", {{"providerID", after}}}}, before, rules_of(version).release()), version);
  };
  for (const char* version : {"1.8.0", "1.36.3", "1.37.1"}) BOOST_TEST(told_of_change("a", version) == "");
  for (const char* other : {"b", ""}) {
    BOOST_TEST(told_of_change(other, "1.36.3") ==
               "spec.providerID: Forbidden: node updates may not change providerID except from \"\" to valid");
  }
  BOOST_TEST(told_of_change("b", "1.37.1") ==
             "spec.providerID: Invalid value: null: field cannot be modified once set");
  BOOST_TEST(told_of_change("", "1.37.1") == "spec.providerID: Invalid value: null: field cannot be cleared once set");
}

BOOST_AUTO_TEST_CASE(a_config_map_that_configures_a_kubelet_is_named_whole) {
  const auto told_of_change = [](const Object& node, const char* version = "1.21.0") {
    return told(wrong_node_change(node, nullptr, rules_of(version).release()), version);
  };
  const Object named = {{"namespace", "kube-system"}, {"name", "c"}, {"kubeletConfigKey", "kubelet"}};
  const auto in_spec = [](const Object& map) { return Object{{"spec", {{"configSource", {{"configMap", map}}}}}}; };
  const auto in_status = [](const Object& map) {
    return Object{{"status", {{"config", {{"active", {{"configMap", map}}}}}}}};
  };
  Object used = named;
  used["uid"] = "u";
  used["resourceVersion"] = "1";
  BOOST_TEST(told_of_change(in_spec(named)) == "");
  BOOST_TEST(told_of_change(in_status(used)) == "");
  BOOST_TEST(told_of_change(in_spec(used)) ==
             "spec.configSource.configMap.uid: Forbidden: uid must not be set in spec, "
             "spec.configSource.configMap.resourceVersion: Forbidden: resourceVersion must not be set in spec");
  BOOST_TEST(told_of_change(in_status(named)) ==
             "status.config.active.configMap.uid: Required value: uid must be set in status, "
             "status.config.active.configMap.resourceVersion: Required value: resourceVersion must be set in status");
  BOOST_TEST(told_of_change(in_spec({{"name", "c"}, {"namespace", "n"}, {"kubeletConfigKey", "a/b"}}))
                 .starts_with("spec.configSource.configMap.kubeletConfigKey: Invalid value: \"a/b\": "));
  BOOST_TEST(told_of_change(in_spec({{"namespace", "n"}})) ==
             "spec.configSource.configMap.name: Required value: name must be set, "
             "spec.configSource.configMap.kubeletConfigKey: Required value: kubeletConfigKey must be set");
  const Object none = {{"spec", {{"configSource", Object::object()}}}};
  BOOST_TEST(told_of_change(none).ends_with("exactly one reference subfield must be non-nil"));
  BOOST_TEST(told_of_change(none, "1.10.0") == "");
}

BOOST_AUTO_TEST_CASE(a_repeated_address_is_shown_as_the_release_shows_it) {
  const Object address = {{"type", "InternalIP"}, {"address", "y"}};
  const Object node = {{"status", {{"addresses", {address, address}}}}};
  const auto told_at = [&](const char* version) {
    return told(wrong_node_change(node, nullptr, rules_of(version).release()), version);
  };
  BOOST_TEST(told_at("1.36.3") == R"(status.addresses[1]: Duplicate value: {"Type":"InternalIP","Address":"y"})");
  BOOST_TEST(told_at("1.28.9") ==
             R"(status.addresses[1]: Duplicate value: core.NodeAddress{Type:"InternalIP", Address:"y"})");
}

BOOST_AUTO_TEST_CASE(what_is_too_long_is_told_in_the_words_of_the_release) {
  const FieldMistakes mistakes = {too_long_field("data", 10)};
  BOOST_TEST(told(mistakes, "1.32.0") == "data: Too long: may not be more than 10 bytes");
  BOOST_TEST(told(mistakes, "1.31.0") == "data: Too long: must have at most 10 bytes");
}

BOOST_AUTO_TEST_CASE(a_node_once_had_huge_pages_of_one_size) {
  const Object one = {{"status", {{"capacity", {{"hugepages-1Gi", "1Gi"}, {"hugepages-2Mi", "0"}}}}}};
  const Object two = {{"status", {{"capacity", {{"hugepages-1Gi", "1Gi"}, {"hugepages-2Mi", "2Mi"}}}}}};
  const auto told_of_change = [](const Object& after, const Object& before, const char* version) {
    return told(wrong_node_change(after, before, rules_of(version).release()), version);
  };
  for (const char* version : {"1.8.0", "1.17.0", "1.18.0"}) {
    BOOST_TEST(told_of_change(one, nullptr, version) == "", version);
    BOOST_TEST(
        told_of_change(two, one, version).ends_with("may not have pre-allocated hugepages for multiple page sizes"),
        version);
    BOOST_TEST(told(wrong_new_node(two, rules_of(version).release()), version) != "", version);
  }
  BOOST_TEST(told_of_change(two, two, "1.17.0") != "");
  BOOST_TEST(told_of_change(two, two, "1.18.0") == "");
  BOOST_TEST(told_of_change(two, one, "1.19.0") == "");
  BOOST_TEST(told_of_change(two, one, "1.7.0") == "");
}

BOOST_AUTO_TEST_CASE(declared_features_have_names_in_order) {
  const std::string longest(253, 'A');
  for (const std::string& right : {std::string("A"), std::string("A/b"), std::string("A1/b2C"), longest}) {
    BOOST_TEST(told_of_features({right}) == "", right);
  }
  for (const char* wrong : {"", "a", "/A", "A/", "A//b", "A/1", "A.b", "A b", "\xc3\xa9"}) {
    BOOST_TEST(told_of_features({wrong}).find("must start with an UpperCamelCase segment") != std::string::npos, wrong);
  }
  BOOST_TEST(told_of_features({longest + "A"}).ends_with(": must be no more than 253 characters"));
  BOOST_TEST(told_of_features({"A", "B", "B"}) == "status.declaredFeatures[2]: Duplicate value: \"B\"");
  BOOST_TEST(told_of_features({"B", "A"}) ==
             "status.declaredFeatures[1]: Invalid value: \"A\": list must be sorted alphabetically");
}

BOOST_AUTO_TEST_CASE(swap_is_more_than_nothing) {
  const auto told_of_swap = [](int capacity) {
    return told_of_new(node_with({{"nodeInfo", {{"swap", {{"capacity", capacity}}}}}}));
  };
  BOOST_TEST(told_of_swap(1) == "");
  BOOST_TEST(told_of_swap(0) == "metadata.nodeSwapStatus.capacity: Invalid value: 0: must be greater than zero");
}

BOOST_AUTO_TEST_CASE(a_taint_has_a_value_of_a_label_and_a_known_effect) {
  const auto told_of_taint = [](const char* value, const char* effect) {
    return told_of_new({{"metadata", {{"name", "a"}}},
                        {"spec", {{"taints", {{{"key", "k"}, {"value", value}, {"effect", effect}}}}}}});
  };
  BOOST_TEST(told_of_taint("v.1", "NoExecute") == "");
  BOOST_TEST(told_of_taint("?", "NoExecute")
                 .starts_with("metadata.taints[0].value: Invalid value: \"?\": a valid label must be an empty string"));
  BOOST_TEST(told_of_taint("", "x") ==
             "metadata.taints[0].effect: Unsupported value: \"x\": supported values: \"NoSchedule\", "
             "\"PreferNoSchedule\", \"NoExecute\"");
}

BOOST_AUTO_TEST_CASE(taints_in_an_annotation_are_taints) {
  const std::string field = "metadata.annotations.scheduler.alpha.kubernetes.io/taints";
  for (const char* right : {"", "[]", "null", R"([{"key":"a","effect":"NoSchedule"}])",
                            R"([{"key":"a","effect":"NoSchedule","x":"\ud800"}])"}) {
    BOOST_TEST(told_of_annotation("taints", right) == "", right);
  }
  const std::string deep = std::string(9999, '[') + std::string(9999, ']');
  BOOST_TEST(
      told_of_annotation("taints", deep.c_str()).ends_with("cannot unmarshal array into Go value of type core.Taint"));
  BOOST_TEST(told_of_annotation("taints", R"([{"KEY":"a"}])") == field + "[0].effect: Required value");
  const std::string unread = "metadata.annotations: Invalid value: \"scheduler.alpha.kubernetes.io/taints\": ";
  BOOST_TEST(told_of_annotation("taints", "x") == unread + "invalid character 'x' looking for beginning of value");
  BOOST_TEST(told_of_annotation("taints", "{}") ==
             unread + "json: cannot unmarshal object into Go value of type []core.Taint");
  BOOST_TEST(told_of_annotation("taints", R"([{"key":1}])") ==
             unread + "json: cannot unmarshal number into Go struct field Taint.Key of type string");
  BOOST_TEST(told_of_annotation("taints", "[true]") ==
             unread + "json: cannot unmarshal bool into Go value of type core.Taint");
}

BOOST_AUTO_TEST_CASE(pods_to_avoid_have_a_controller) {
  const std::string field = "metadata.annotations.scheduler.alpha.kubernetes.io/preferAvoidPods[0].PodSignature";
  for (const char* right :
       {"", "{}", "null", R"({"preferAvoidPods":[{"podSignature":{"podController":{"controller":true}}}]})"}) {
    BOOST_TEST(told_of_annotation("preferAvoidPods", right) == "", right);
  }
  BOOST_TEST(told_of_annotation("preferAvoidPods", R"({"preferAvoidPods":[{}]})") == field + ": Required value");
  BOOST_TEST(told_of_annotation("preferAvoidPods",
                                R"({"preferAvoidPods":[{"podSignature":{"podController":{"controller":false}}}]})") ==
             field + ".PodController.Controller: Invalid value: false: must point to a controller");
  BOOST_TEST(told_of_annotation("preferAvoidPods", "1") ==
             "metadata.annotations.AvoidPods: Invalid value: \"scheduler.alpha.kubernetes.io/preferAvoidPods\": json: "
             "cannot unmarshal number into Go value of type v1.AvoidPods");
}

BOOST_AUTO_TEST_SUITE_END()
