#include "fakes/wire/go/go_values.h"

#include <boost/test/unit_test.hpp>
#include <initializer_list>
#include <utility>

#include "fakes/wire/go/go_text.h"
#include "fakes/wire/go/go_time.h"
#include "fakes/wire/go/go_types.h"
#include "reference/encoding/base64.h"
#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(go_values)

// The texts are those of a real kube-apiserver 1.36.3.

using namespace nodebound;

namespace {

std::string time_read(const char* text, TimeLayout layout = TimeLayout::seconds) {
  const auto time = parse_go_time(text, layout);
  return time ? go_time_text(*time, layout) : time.error();
}

const GroupVersionKind pod{"", "v1", "Pod"};
const GroupVersionKind secret{"", "v1", "Secret"};

std::string error_of(const GroupVersionKind& kind, const char* json) {
  return decode_json_as_go(kind, json).error.value_or("none");
}

std::string conversion_of(const GroupVersionKind& kind, const char* json) {
  Object object = Object::parse(json);
  return convert_as_go(kind, object).value_or("none");
}

std::string kept(const GroupVersionKind& kind, const char* json) {
  Object object = Object::parse(json);
  keep_as_go(kind, object);
  return object.dump();
}

using Texts = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_CASE(times_are_read_as_by_go) {
  BOOST_TEST(time_read("2020-01-01T00:00:00Z") == "2020-01-01T00:00:00Z");
  BOOST_TEST(time_read("2020-01-01T01:00:00.5+01:00") == "2020-01-01T00:00:00Z");
  BOOST_TEST(time_read("2020-01-01T1:00:00Z") == "2020-01-01T01:00:00Z");
  BOOST_TEST(time_read("2020-01-01T01:00:00,5Z") == "2020-01-01T01:00:00Z");
  BOOST_TEST(time_read("0001-01-01T00:00:00Z") == "");
  BOOST_TEST(time_read("2020-01-01T00:00:00,123456+02:00", TimeLayout::micros) == "2019-12-31T22:00:00.123456Z");
}

BOOST_AUTO_TEST_CASE(times_that_are_none_are_refused) {
  const auto parsing = [](const std::string& text) { return "parsing time \"" + text + "\""; };
  const std::string layout = " as \"2006-01-02T15:04:05Z07:00\": cannot parse ";
  for (const auto& [text, why] : std::vector<std::pair<std::string, std::string>>{
           {"2020-01-01", layout + R"("" as "T")"},
           {"2020-13-01T00:00:00Z", ": month out of range"},
           {"2020-02-30T00:00:00Z", ": day out of range"},
           {"2020-01-01T24:00:00Z", ": hour out of range"},
           {"2020-01-01T00:60:00Z", ": minute out of range"},
           {"2020-01-01T00:00:60Z", ": second out of range"},
           {"2020-01-01T00:00:00", layout + R"("" as "Z07:00")"},
           {"2020-01-01T00:00:00+25:00", ": time zone offset hour out of range"},
           {"2020-01-01T00:00:00Zx", R"(: extra text: "x")"},
           {"2020-1-1T00:00:00Z", layout + R"("1-1T00:00:00Z" as "01")"}}) {
    BOOST_TEST(time_read(text.c_str()) == parsing(text) + why, text);
  }
  const std::string micros = " as \"2006-01-02T15:04:05.000000Z07:00\": cannot parse ";
  for (const auto& [text, why] :
       std::vector<std::pair<std::string, std::string>>{{"2020-01-01T00:00:00Z", R"("Z" as ".000000")"},
                                                        {"2020-01-01T00:00:00.5Z", R"(".5Z" as ".000000")"},
                                                        {"2020-01-01T00:00:00.0000001Z", R"("1Z" as "Z07:00")"}}) {
    BOOST_TEST(time_read(text.c_str(), TimeLayout::micros) == parsing(text) + micros + why, text);
  }
}

BOOST_AUTO_TEST_CASE(mistakes_in_base64_are_found_where_go_finds_them) {
  for (const char* good : {"", "YQ==", "YWI=", "YQ\n==", "YWJj"}) BOOST_TEST(!base64_mistake(good), good);
  for (const auto& [text, at] : std::vector<std::pair<const char*, std::size_t>>{
           {"*", 0}, {"YQ", 0}, {"YQ=a", 2}, {"YQ====", 4}, {"Y Q==", 1}, {"aaaa*", 4}, {"aaaaa", 4}, {"=", 0}}) {
    BOOST_TEST(base64_mistake(text).value_or(99) == at, text);
  }
}

BOOST_AUTO_TEST_CASE(a_value_is_refused_in_the_order_of_the_text) {
  BOOST_TEST(error_of(secret, R"({"data":{"a":"*"},"type":3})") == "illegal base64 data at input byte 0");
  BOOST_TEST(error_of(secret, R"({"type":3,"data":{"a":"*"}})") ==
             "json: cannot unmarshal number into Go struct field Secret.type of type v1.SecretType");
  // What decodes itself stops the decoder, whatever came before.
  BOOST_TEST(error_of(pod, R"({"spec":{"nodeName":3,"overhead":{"cpu":"x"}}})").starts_with("quantities must match"));
}

BOOST_AUTO_TEST_CASE(embedded_structs_are_told_from_1_35_on) {
  const Object port = Object::parse(R"({"spec":{"containers":[{"livenessProbe":{"httpGet":{"port":true}}}]}})");
  const auto said_at = [&](const char* version) {
    const RuleSet rules = test::rules_of(version, {});
    return decode_as_go(pod, port, &rules.release()).error.value_or("");
  };
  const std::string before =
      "json: cannot unmarshal bool into Go struct field HTTPGetAction.spec.containers.livenessProbe.";
  BOOST_TEST(said_at("1.34.0") == before + "httpGet.port of type int32");
  BOOST_TEST(said_at("1.35.0") == before + "ProbeHandler.httpGet.port of type int32");
}

BOOST_AUTO_TEST_CASE(go_names_the_type_of_each_field) {
  const auto says = [](const GroupVersionKind& kind, const char* json, const std::string& what) {
    BOOST_TEST(error_of(kind, json) == "json: cannot unmarshal " + what);
  };
  says(pod, R"({"spec":{"restartPolicy":3}})",
       "number into Go struct field PodSpec.spec.restartPolicy of type v1.RestartPolicy");
  says(pod, R"({"spec":{"overhead":[]}})", "array into Go struct field PodSpec.spec.overhead of type v1.ResourceList");
  says(pod, R"({"spec":{"containers":[{"livenessProbe":{"httpGet":{"port":99999999999}}}]}})",
       "number 99999999999 into Go struct field HTTPGetAction.spec.containers.livenessProbe.ProbeHandler.httpGet.port "
       "of type int32");
  says(pod, R"({"spec":{"containers":[{"securityContext":{"capabilities":{"add":[3]}}}]}})",
       "number into Go struct field Capabilities.spec.containers.securityContext.capabilities.add of type "
       "v1.Capability");
  says(secret, R"({"data":{"a":3}})", "number into Go struct field Secret.data of type []uint8");
  says(secret, R"({"data":{"a":["x"]}})", "string into Go struct field Secret.data of type uint8");
  says(secret, R"({"data":"x"})", "string into Go struct field Secret.data of type map[string][]uint8");
  says(secret, R"({"metadata":{"ownerReferences":[{"uid":3}]}})",
       "number into Go struct field OwnerReference.metadata.ownerReferences.uid of type types.UID");
  says({"", "v1", "Node"}, R"({"status":{"phase":1.0}})",
       "number into Go struct field NodeStatus.status.phase of type v1.NodePhase");
  says({"coordination.k8s.io", "v1", "Lease"}, R"({"spec":{"leaseTransitions":1e2}})",
       "number 1e2 into Go struct field LeaseSpec.spec.leaseTransitions of type int32");
}

BOOST_AUTO_TEST_CASE(unknown_and_repeated_fields_are_found) {
  const GroupVersionKind map{"", "v1", "ConfigMap"};
  BOOST_TEST(decode_json_as_go(map, R"({"metadata":{"name":"z","x":1,"labels":{"a":"1","a":"2"}},"foo":{"b":1,"b":2},
                                   "data":{"a":"b"},"data":{}})")
                 .strict == Texts({R"(unknown field "metadata.x")", R"(duplicate field "metadata.labels.a")",
                                   R"(unknown field "foo")", R"(duplicate field "data")"}));
  BOOST_TEST(decode_json_as_go(map, R"({"kind":"ConfigMap","apiVersion":"v1","Kind":"x"})").strict ==
             Texts({R"(unknown field "Kind")"}));
  BOOST_TEST(
      decode_json_as_go(pod, R"({"spec":{"containers":[{"name":"a"},{"name":"b","ports":[{"x":1}]}]}})").strict ==
      Texts({R"(unknown field "spec.containers[1].ports[0].x")"}));
  // The template of a pod has metadata, and is no object with a kind.
  BOOST_TEST(decode_json_as_go({"apps", "v1", "Deployment"}, R"({"spec":{"template":{"kind":"Pod"}}})").strict ==
             Texts({R"(unknown field "spec.template.kind")"}));
  BOOST_TEST(repeated_fields(R"({"a":{"b":1,"b":[{"c":1,"c":2}]}})") ==
             Texts({R"(duplicate field "a.b")", R"(duplicate field "a.b[0].c")"}));
  BOOST_TEST(strict_patch_errors(R"([{"op":"add","path":"/a","path":"/b","value":{"c":1,"c":2},"x":3}])") ==
             Texts({R"(duplicate field "[0].path")", R"(duplicate field "[0].value.c")", R"(unknown field "[0].x")"}));
}

BOOST_AUTO_TEST_CASE(what_is_kept_has_one_form) {
  const auto as_written = [](const char* json) { return Object::parse(json).dump(); };
  BOOST_TEST(
      kept(pod, R"({"kind":"Pod","spec":{"containers":[{"name":"a","x":1,"resources":{"limits":{"cpu":0.0001}}}]},
                           "y":{}})") ==
      as_written(R"({"kind":"Pod","spec":{"containers":[{"name":"a","resources":{"limits":{"cpu":"1m"}}}]}})"));
  BOOST_TEST(kept(secret, R"({"data":{"a":"YR==","b":[97,98],"c":"YQ\n=="}})") ==
             as_written(R"({"data":{"a":"YQ==","b":"YWI=","c":"YQ=="}})"));
  BOOST_TEST(
      kept({"coordination.k8s.io", "v1", "Lease"},
           R"({"spec":{"acquireTime":"0001-01-01T00:00:00.000000Z","renewTime":"2020-01-01T00:00:00,000001Z"}})") ==
      as_written(R"({"spec":{"acquireTime":null,"renewTime":"2020-01-01T00:00:00.000001Z"}})"));
  // Only the core group's lists of resources are rounded.
  BOOST_TEST(kept({"node.k8s.io", "v1", "RuntimeClass"}, R"({"overhead":{"podFixed":{"cpu":"0.0001"}}})") ==
             as_written(R"({"overhead":{"podFixed":{"cpu":"100u"}}})"));
}

BOOST_AUTO_TEST_CASE(a_patched_object_is_converted_as_by_go) {
  BOOST_TEST(conversion_of(pod, R"({"spec":{"overhead":{"cpu":"1"},"priority":2.0,"tolerations":[{}]}})") == "none");
  BOOST_TEST(conversion_of(pod, R"({"spec":{"nodeName":3}})") == "cannot convert int64 to string");
  BOOST_TEST(conversion_of(pod, R"({"spec":{"restartPolicy":3}})") == "cannot convert int64 to v1.RestartPolicy");
  BOOST_TEST(conversion_of(pod, R"({"spec":{"nodeName":true}})") == "unrecognized type: string");
  BOOST_TEST(conversion_of(pod, R"({"spec":{"hostPID":"x"}})") == "unrecognized type: bool");
  BOOST_TEST(conversion_of(pod, R"({"spec":{"priority":1.5}})") == "cannot convert float64 to int32");
  BOOST_TEST(conversion_of(pod, R"({"spec":{"tolerations":3}})") == "cannot restore slice from int64");
  BOOST_TEST(conversion_of(pod, R"({"spec":{"nodeSelector":"x"}})") == "cannot restore map from string");
  BOOST_TEST(conversion_of(pod, R"({"spec":[]})") == "cannot restore struct from: slice");
  BOOST_TEST(conversion_of(pod, R"({"status":{"startTime":3}})") ==
             "json: cannot unmarshal number into Go value of type string");
  BOOST_TEST(conversion_of(secret, R"({"data":{"a":"*"}})") ==
             "error decoding from json: illegal base64 data at input byte 0");
  Object wide = {{"spec", {{"priority", 4294967297}}}};
  BOOST_TEST(!convert_as_go(pod, wide));
  BOOST_TEST(wide["spec"]["priority"] == 1);
}

BOOST_AUTO_TEST_CASE(a_release_knows_the_fields_that_it_has) {
  const char* text = R"({"metadata":{"clusterName":"c"},"spec":{"hostname":"h","hostnameOverride":"o"}})";
  const auto kept = [&](const char* version) {
    Object object = Object::parse(text);
    keep_as_go(pod, object, &test::rules_of(version, {}).release());
    return object.dump();
  };
  BOOST_TEST(kept("1.24.0") == R"({"metadata":{"clusterName":"c"},"spec":{"hostname":"h"}})");
  BOOST_TEST(kept("1.25.0") == R"({"metadata":{},"spec":{"hostname":"h"}})");
  BOOST_TEST(kept("1.34.0") == R"({"metadata":{},"spec":{"hostname":"h","hostnameOverride":"o"}})");
  const auto unknown = [&](const char* version) {
    return decode_json_as_go(pod, text, &test::rules_of(version, {}).release()).strict;
  };
  BOOST_TEST(unknown("1.24.0") == Texts{R"(unknown field "spec.hostnameOverride")"});
  BOOST_TEST(unknown("1.33.0") ==
             (Texts{R"(unknown field "metadata.clusterName")", R"(unknown field "spec.hostnameOverride")"}));
  BOOST_TEST(unknown("1.34.0") == Texts{R"(unknown field "metadata.clusterName")"});
}

BOOST_AUTO_TEST_CASE(a_format_without_values_says_what_is_missing) {
  for (const auto& [format, printed] :
       std::initializer_list<std::pair<const char*, const char*>>{{"", ""},
                                                                  {"a 100%% b", "a 100% b"},
                                                                  {"%61%70%69/v1", "%70%!/(MISSING)v1"},
                                                                  {"a%", "a%!(NOVERB)"},
                                                                  {"%5.3d", "%!d(MISSING)"},
                                                                  {"%[1]d", "%!d(BADINDEX)"},
                                                                  {"%[", "%!(NOVERB)"},
                                                                  {"%*d", "%!(BADWIDTH)%!d(MISSING)"},
                                                                  {"%.*f", "%!(BADPREC)%!f(MISSING)"},
                                                                  {"%.d", "%!d(MISSING)"},
                                                                  {"%1234567d", "%!d(MISSING)"},
                                                                  {"%12345678d", "%!(NOVERB)"},
                                                                  {"%0001234d", "%!d(MISSING)"},
                                                                  {"%x%\xc3\xa9", "%!x(MISSING)%!\xc3\xa9(MISSING)"},
                                                                  {"%!", "%!!(MISSING)"},
                                                                  {"%-+ #0q", "%!q(MISSING)"},
                                                                  {"%1[2]x", "%!x(BADINDEX)"},
                                                                  {"%.[x]d", "%!d(BADINDEX)"}}) {
    BOOST_TEST(go_formatted(format) == printed, format);
  }
}

BOOST_AUTO_TEST_SUITE_END()
