#include <boost/test/unit_test.hpp>
#include <string>

#include "fakes/wire/go/go_types.h"
#include "fakes/wire/go/go_values.h"
#include "fakes/wire/go/json.h"
#include "fakes/wire/go/json_syntax.h"
#include "fakes/wire/media_type.h"
#include "fakes/wire/protobuf/protobuf.h"
#include "fakes/wire/yaml/yaml.h"

BOOST_AUTO_TEST_SUITE(encoding)

using namespace nodebound;

namespace {

// The value as JSON, or the error.
std::string json_of(std::string_view text) {
  const auto value = read_json(text);
  return value ? value->dump() : value.error();
}

std::string yaml_of(std::string_view text) {
  const auto value = read_yaml(text);
  return value ? value->dump() : value.error();
}

std::string nested(std::size_t depth, char open, char close) {
  return std::string(depth, open) + std::string(depth, close);
}

std::size_t depth_of(const Object& value) {
  std::size_t depth = 0;
  for (const Object* at = &value; at->is_array() && !at->empty(); at = &at->front()) ++depth;
  return depth;
}

const GroupVersionKind review{"authorization.k8s.io", "v1", "SubjectAccessReview"};

Object some_review() {
  return Object::parse(R"({"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1",
    "spec":{"user":"u","groups":["a","b"],"uid":"7","extra":{"k":["v","w"]},
            "resourceAttributes":{"verb":"list","resource":"pods",
              "fieldSelector":{"requirements":[{"key":"spec.nodeName","operator":"In","values":["n"]}]}}}})");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(json_bodies)

BOOST_AUTO_TEST_CASE(what_is_no_json_is_said_in_the_words_of_go) {
  const std::string end = "unexpected end of JSON input";
  for (const char* text : {"", " \n", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "[", "[1,", "\"b", "nul", "-",
                           "1.", "1e", "\"\\", "\"\\u12"}) {
    BOOST_TEST(json_of(text) == end, text);
  }
  BOOST_TEST(json_of("{\"a\":1,}") == "invalid character '}' looking for beginning of object key string");
  BOOST_TEST(json_of("{}x") == "invalid character 'x' after top-level value");
  BOOST_TEST(json_of("hello") == "invalid character 'h' looking for beginning of value");
  BOOST_TEST(json_of("{\"a\":nul}") == "invalid character '}' in literal null (expecting 'l')");
  BOOST_TEST(json_of("{\"a\":01}") == "invalid character '1' after object key:value pair");
  BOOST_TEST(json_of("{\"a\":-}") == "invalid character '}' in numeric literal");
  BOOST_TEST(json_of("{\"a\":1.}") == "invalid character '}' after decimal point in numeric literal");
  BOOST_TEST(json_of("{\"a\":1e}") == "invalid character '}' in exponent of numeric literal");
  BOOST_TEST(json_of("{'a':1}") == "invalid character '\\'' looking for beginning of object key string");
  BOOST_TEST(json_of("{\"a\" 1}") == "invalid character '1' after object key");
  BOOST_TEST(json_of("{\"a\":\"\\x\"}") == "invalid character 'x' in string escape code");
  BOOST_TEST(json_of("{\"a\":\"\\u12g4\"}") == "invalid character 'g' in \\u hexadecimal character escape");
  BOOST_TEST(json_of("{\"a\":\"\n\"}") == "invalid character '\\n' in string literal");
  BOOST_TEST(json_of("{\"a\":1 \"b\":2}") == "invalid character '\"' after object key:value pair");
  BOOST_TEST(json_of("[1 2]") == "invalid character '2' after array element");
  BOOST_TEST(json_of("[1,]") == "invalid character ']' looking for beginning of value");
  BOOST_TEST(json_of("\xEF\xBB\xBF{}") == "invalid character 'ï' looking for beginning of value");
  BOOST_TEST(json_of(std::string_view("{}\0", 3)) == "invalid character '\\x00' after top-level value");
}

BOOST_AUTO_TEST_CASE(what_go_puts_up_with_is_read) {
  BOOST_TEST(json_of("[\"\xff\xc3\"]") == "[\"\xEF\xBF\xBD\xEF\xBF\xBD\"]");
  BOOST_TEST(json_of(R"(["\ud800", "\ud83d\ude00", "\udc00x", "\ud800A"])") ==
             "[\"\xEF\xBF\xBD\",\"😀\",\"\xEF\xBF\xBDx\",\"\xEF\xBF\xBD"
             "A\"]");
  BOOST_TEST(json_of("[1e999,-1e999]") == "[1e+308,-1e+308]");
  BOOST_TEST(json_of(R"({"a":1,"a":2})") == R"({"a":2})");
  BOOST_TEST(json_of(R"({"a\ud800":{"b":[1,2]}})") == "{\"a\xEF\xBF\xBD\":{\"b\":[1,2]}}");
}

BOOST_AUTO_TEST_CASE(what_is_deeper_than_any_object_is_dropped_and_what_go_does_not_read_is_refused) {
  BOOST_TEST(depth_of(*read_json(nested(deepest_kept, '[', ']'))) == deepest_kept - 1);
  const auto deep = read_json("[" + nested(deepest_json - 1, '[', ']') + "]");
  BOOST_REQUIRE(deep);
  BOOST_TEST(depth_of(*deep) <= deepest_kept);
  BOOST_TEST(json_of("{\"name\":\"x\",\"deep\":" + nested(300, '[', ']') + ",\"z\":1}").starts_with("{\"deep\":[["));
  BOOST_TEST(read_json("{\"deep\":" + nested(300, '[', ']') + ",\"z\":1}")->at("z") == 1);
  BOOST_TEST(json_of(nested(deepest_json + 1, '[', ']')) == "invalid character '[' exceeded max depth");
  BOOST_TEST(json_of(std::string(1000000, '[')) == "invalid character '[' exceeded max depth");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(yaml_bodies)

BOOST_AUTO_TEST_CASE(scalars_have_the_types_that_an_api_server_gives_them) {
  BOOST_TEST(yaml_of("a: [yes, No, on, y, true, ~, null, '', \"yes\", 2001-01-01, hello]") ==
             R"({"a":[true,false,true,true,true,null,null,"","yes","2001-01-01","hello"]})");
  BOOST_TEST(yaml_of("a: [1, -1, 010, 0x10, 0b11, 1_000, 1.5, 1.0, 1e3, +7, .5, 18446744073709551615, 0o7, 1.2.3]") ==
             R"({"a":[1,-1,8,16,3,1000,1.5,1,1000,7,0.5,18446744073709551615,7,"1.2.3"]})");
  BOOST_TEST(yaml_of("a: !!str 1\nb: !!binary aGk=\nc: !!int \"3\"") == R"({"a":"1","b":"hi","c":3})");
  BOOST_TEST(yaml_of("1: a\ntrue: b\n") == R"({"1":"a","true":"b"})");
  BOOST_TEST(yaml_of("a: .nan") == "json: unsupported value: NaN");
  BOOST_TEST(yaml_of("a: -.inf") == "json: unsupported value: -Inf");
}

BOOST_AUTO_TEST_CASE(the_first_document_counts_and_none_is_null) {
  BOOST_TEST(yaml_of("a: 1\n---\nb: 2\n") == R"({"a":1})");
  BOOST_TEST(yaml_of("") == "null");
  BOOST_TEST(yaml_of("# nothing\n") == "null");
}

BOOST_AUTO_TEST_CASE(aliases_and_merges_are_written_out) {
  BOOST_TEST(yaml_of("a: &x {b: 1}\nc: *x\n") == R"({"a":{"b":1},"c":{"b":1}})");
  BOOST_TEST(yaml_of("a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3\n") == R"({"a":{"b":1,"c":2},"d":{"b":1,"c":3}})");
  BOOST_TEST(yaml_of("a: *x\n") == "yaml: unknown anchor 'x' referenced");
  BOOST_TEST(yaml_of("a: &x [*x]\n") == "yaml: anchor value contains itself");
  BOOST_TEST(yaml_of("<<: 1\n") == "yaml: map merge requires map or sequence of maps as the value");
}

BOOST_AUTO_TEST_CASE(a_few_aliases_cannot_fill_the_memory) {
  std::string bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n";
  for (char name = 'b'; name < 'k'; ++name) {
    std::string items;
    for (int i = 0; i < 9; ++i) items += std::string(i == 0 ? "" : ",") + "*" + static_cast<char>(name - 1);
    bomb += std::string(1, name) + ": &" + name + " [" + items + "]\n";
  }
  BOOST_TEST(yaml_of(bomb) == "yaml: document contains excessive aliasing");
}

BOOST_AUTO_TEST_CASE(what_is_no_yaml_is_said_in_the_words_of_an_api_server) {
  BOOST_TEST(yaml_of("a:\n\tb: 1\n") == "yaml: line 2: found character that cannot start any token");
  BOOST_TEST(yaml_of("a: b: c\n") == "yaml: mapping values are not allowed in this context");
  BOOST_TEST(yaml_of("a: @b\n") == "yaml: found character that cannot start any token");
  BOOST_TEST(yaml_of("a: \"\x01\"\n") == "yaml: control characters are not allowed");
  BOOST_TEST(yaml_of("a: \"\xff\"\n") == "yaml: invalid leading UTF-8 octet");
  BOOST_TEST(yaml_of("~: b\n").starts_with("unsupported map key of type: %!s(<nil>)"));
  BOOST_TEST(yaml_of("[a]: b\n").starts_with("yaml: invalid map key"));
  BOOST_TEST(!read_yaml(std::string(20000, '[')));
  std::string deep;
  for (int i = 0; i < 5000; ++i) deep += "- ";
  BOOST_TEST(yaml_of(deep) == "yaml: exceeded max depth of 10000");
}

BOOST_AUTO_TEST_CASE(text_is_quoted_in_yaml_as_go_yaml_does) {
  const std::pair<const char*, const char*> written[] = {{"[]", "'[]'"},
                                                         {"*", "'*'"},
                                                         {"a: b", "'a: b'"},
                                                         {"- x", "'- x'"},
                                                         {"it's: so", "'it''s: so'"},
                                                         {"true", "\"true\""},
                                                         {"1:20", "\"1:20\""},
                                                         {"-1:20.5", "\"-1:20.5\""},
                                                         {"0:99", "0:99"},
                                                         {"'", "''''"},
                                                         {"::", "'::'"},
                                                         {"--- a", "'--- a'"},
                                                         {"+a", "+a"},
                                                         {"=", "="},
                                                         {"!x", "'!x'"},
                                                         {"&a", "'&a'"},
                                                         {"a #b", "'a #b'"},
                                                         {"#b", "'#b'"},
                                                         {" lead", "' lead'"},
                                                         {"trail ", "'trail '"},
                                                         {"{a}", "'{a}'"},
                                                         {"a,b", "a,b"},
                                                         {"a]", "a]"},
                                                         {"%x", "'%x'"},
                                                         {"@x", "'@x'"},
                                                         {"`x", "'`x'"},
                                                         {"|", "'|'"},
                                                         {"null", "\"null\""},
                                                         {"", "\"\""},
                                                         {"2020-01-01", "\"2020-01-01\""},
                                                         {"a:", "'a:'"},
                                                         {"?x", "?x"},
                                                         {"? x", "'? x'"},
                                                         {"-x", "-x"},
                                                         {"(x", "(x"},
                                                         {"'q'", "'''q'''"},
                                                         {"\"d\"", "'\"d\"'"},
                                                         {";x", ";x"},
                                                         {"a\tb", "\"a\\tb\""}};
  for (const auto& [text, yaml] : written) {
    BOOST_TEST(write_yaml({{"k", text}}) == "k: " + std::string(yaml) + "\n");
  }
}

BOOST_AUTO_TEST_CASE(long_text_is_folded_in_yaml_as_go_yaml_does) {
  const std::string words =
      "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen";
  BOOST_TEST(
      write_yaml({{"k", words}}) ==
      "k: one two three four five six seven eight nine ten eleven twelve thirteen fourteen\n  fifteen sixteen\n");
  BOOST_TEST(write_yaml({{"k", {{"l", {words + ":"}}}}}) ==
             "k:\n  l:\n  - 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen\n"
             "    fifteen sixteen:'\n");
  // Long enough to make it slow if every character searched for the beginning of its line.
  const std::string word(3'000'000, 'x');
  BOOST_TEST((write_yaml({{"k", word}}) == "k: " + word + "\n"));
  const Object both = {{"k", words}, {"l", {words + ":", "a  b " + words + "  c"}}};
  const auto again = read_yaml(write_yaml(both));
  BOOST_REQUIRE(again);
  BOOST_TEST(*again == both);
}

BOOST_AUTO_TEST_CASE(what_is_written_is_read_again) {
  const Object object = Object::parse(R"({"a":{"b":[{"c":1,"d":[]},["x",["y"]],{}],"e":"yes","f":"1","g":"","h":null},
      "i":"a: b","j":"line\nline","k":"2026-01-01T00:00:00Z","l":true,"m":1.5,"n":"- x","o":"it's","p":"#","q":"x # y",
      "r":"ümlaut","s":"true","t":" x ","yes":"no","u":"=", "v":"<<", "w":"a:", "x":"!x", "y":"*x","z":"{}",
      "aa":"\u007f\u009c\ufeff","<<":"<<","1":"a"})");
  const auto again = read_yaml(write_yaml(object));
  BOOST_REQUIRE(again);
  BOOST_TEST(*again == object, write_yaml(object));
  BOOST_TEST(write_yaml(Object::parse(R"({"kind":"Status","metadata":{},"l":[{"a":1,"b":"x y"}],"t":"1"})")) ==
             "kind: Status\nl:\n- a: 1\n  b: x y\nmetadata: {}\nt: \"1\"\n");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(protobuf_bodies)

BOOST_AUTO_TEST_CASE(a_review_goes_there_and_back) {
  const auto bytes = write_protobuf(some_review());
  BOOST_REQUIRE(bytes);
  BOOST_TEST(bytes->starts_with(std::string("k8s\0", 4)));
  const auto envelope = read_envelope(*bytes);
  BOOST_REQUIRE(envelope);
  BOOST_TEST(envelope->kind == "SubjectAccessReview");
  BOOST_TEST(envelope->group_version == "authorization.k8s.io/v1");
  const auto again = read_message(review, envelope->raw);
  BOOST_REQUIRE(again);
  BOOST_TEST((*again)["spec"] == some_review()["spec"]);
}

BOOST_AUTO_TEST_CASE(a_status_has_the_bytes_that_a_real_server_writes) {
  const Object status = Object::parse(R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",
      "message":"secrets \"none\" not found","reason":"NotFound","details":{"name":"none","kind":"secrets"},"code":404})");
  static constexpr char expected[] =
      "k8s\0\n\x0c\n\x02v1\x12\x06Status\x12O\n\x06\n\0\x12\0\x1a\0\x12\x07"
      "Failure\x1a\x18secrets \"none\" not found"
      "\"\x08NotFound*\x15\n\x04none\x12\0\x1a\x07secrets(\0"
      "2\0"
      "0\x94\x03\x1a\0\"\0";
  const auto bytes = write_protobuf(status);
  BOOST_REQUIRE(bytes);
  BOOST_TEST(*bytes == std::string(expected, sizeof expected - 1));
}

BOOST_AUTO_TEST_CASE(times_and_owned_fields_are_in_the_metadata) {
  const GroupVersionKind kind{"authentication.k8s.io", "v1", "SelfSubjectReview"};
  const Object object = Object::parse(R"({"kind":"SelfSubjectReview","apiVersion":"authentication.k8s.io/v1",
      "metadata":{"name":"x","creationTimestamp":"2026-11-21T10:04:52Z","labels":{"a":"b"},"generation":3,
        "deletionGracePeriodSeconds":0,
        "ownerReferences":[{"kind":"Pod","name":"p","uid":"u","apiVersion":"v1","controller":false}],
        "managedFields":[{"manager":"m","fieldsV1":{"f:spec":{}}}]}})");
  const auto envelope = read_envelope(*write_protobuf(object));
  BOOST_REQUIRE(envelope);
  const auto again = read_message(kind, envelope->raw);
  BOOST_REQUIRE(again);
  BOOST_TEST((*again)["metadata"] == object["metadata"], again->dump());
}

BOOST_AUTO_TEST_CASE(what_has_no_message_is_not_written) {
  BOOST_TEST(!write_protobuf(Object::parse(R"({"kind":"Pod","apiVersion":"v2"})")));
  BOOST_TEST(!write_protobuf(Object::parse(R"({"kind":"Widget","apiVersion":"example.com/v1"})")));
  BOOST_TEST(!write_protobuf(Object::parse(R"({"kind":"SubjectAccessReview","apiVersion":"v1"})")));
  BOOST_TEST(!has_protobuf({"", "v1", ""}));
  BOOST_TEST(has_protobuf({"authentication.k8s.io", "v1", "TokenRequest"}));
  BOOST_TEST(has_protobuf({"apps", "v1", "DeleteOptions"}));
}

BOOST_AUTO_TEST_CASE(what_is_no_envelope_is_said_in_the_words_of_an_api_server) {
  const auto error = [](std::string_view bytes) {
    const auto read = read_envelope(bytes);
    return read ? std::string("none") : read.error();
  };
  const std::string prefix("k8s\0", 4);
  BOOST_TEST(error("") == "empty data");
  BOOST_TEST(error(prefix) == "empty body");
  const std::string other = "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]";
  BOOST_TEST(error("hello") == other);
  BOOST_TEST(error("k8") == other);
  BOOST_TEST(error(prefix + "\x0a") == "unexpected EOF");
  BOOST_TEST(error(prefix + "\x0a\x05"
                            "a") == "unexpected EOF");
  BOOST_TEST(error(prefix + "\x0f") == "proto: wrong wireType = 7 for field TypeMeta");
  BOOST_TEST(error(prefix + std::string(1, '\0')) == "proto: Unknown: illegal tag 0 (wire type 0)");
  BOOST_TEST(error(prefix + std::string(11, '\xff')) == "proto: integer overflow");
  BOOST_TEST(error(prefix + "\x0c") == "proto: Unknown: wiretype end group for non-group");
  BOOST_TEST(error(prefix + "\x0a" + std::string(9, '\xff') + "\x01") ==
             "proto: negative length found during unmarshaling");
}

BOOST_AUTO_TEST_CASE(every_truncation_of_a_message_is_an_error_or_a_message) {
  const auto envelope = read_envelope(*write_protobuf(some_review()));
  BOOST_REQUIRE(envelope);
  std::size_t errors = 0;
  for (std::size_t size = 0; size < envelope->raw.size(); ++size) {
    if (!read_message(review, std::string_view(envelope->raw).substr(0, size))) ++errors;
  }
  BOOST_TEST(errors > envelope->raw.size() / 2);
  BOOST_TEST(read_message(review, "\x10\x01").error() == "proto: wrong wireType = 0 for field Spec");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(types)

BOOST_AUTO_TEST_CASE(specs_and_statuses_are_looked_at_too) {
  const auto error = [](const char* json) {
    return decode_as_go({"", "v1", "Pod"}, Object::parse(json)).error.value_or("none");
  };
  const std::string beginning = "json: cannot unmarshal ";
  BOOST_TEST(error(R"({"spec":3})") == beginning + "number into Go struct field Pod.spec of type v1.PodSpec");
  BOOST_TEST(error(R"({"spec":{"hostPID":"true"}})") ==
             beginning + "string into Go struct field PodSpec.spec.hostPID of type bool");
  BOOST_TEST(error(R"({"spec":{"containers":["x"]}})") ==
             beginning + "string into Go struct field PodSpec.spec.containers of type v1.Container");
  BOOST_TEST(error(R"({"spec":{"volumes":[{"name":"v","emptyDir":{"sizeLimit":[]}}]}})") ==
             "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  BOOST_TEST(
      error(R"({"spec":{"containers":[{"livenessProbe":{"tcpSocket":{"port":true}}}]}})").ends_with("of type int32"));
  BOOST_TEST(error(R"({"status":{"startTime":"x"}})") ==
             R"(parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006")");
  BOOST_TEST(error(R"({"spec":{"containers":[null,{"resources":{"limits":{"cpu":1}}}],"unknown":3},"status":null})") ==
             "none");
}

BOOST_AUTO_TEST_CASE(nulls_are_what_go_makes_of_them) {
  const auto read = [](const GroupVersionKind& kind, const char* json) {
    Object object = Object::parse(json);
    keep_as_go(kind, object);
    return object.dump();
  };
  const auto as_written = [](const char* json) { return Object::parse(json).dump(); };
  BOOST_TEST(
      read({"", "v1", "ConfigMap"}, R"({"metadata":{"name":null,"labels":{"a":null,"b":"c"}},"data":{"k":null}})") ==
      as_written(R"({"metadata":{"labels":{"a":"","b":"c"}},"data":{"k":""}})"));
  BOOST_TEST(read({"", "v1", "Pod"}, R"({"spec":{"nodeName":null,"containers":[null,{"command":[null],"image":null,
                                          "resources":{"limits":{"cpu":null}}}],"volumes":null}})") ==
             as_written(R"({"spec":{"containers":[{},{"command":[""],"resources":{"limits":{"cpu":"0"}}}]}})"));
  BOOST_TEST(read({"example.com", "v1", "Thing"}, R"({"metadata":{"labels":{"a":null}},"spec":{"x":null}})") ==
             as_written(R"({"metadata":{"labels":{"a":""}},"spec":{"x":null}})"));
  BOOST_TEST(read({"", "v1", "Pod"}, R"({"metadata":{"managedFields":[{"fieldsV1":{"f:a":null}}]}})") ==
             as_written(R"({"metadata":{"managedFields":[{"fieldsV1":{"f:a":null}}]}})"));
  for (const char* other : {R"({"metadata":3,"spec":[null]})", R"({"metadata":null})", "{}"}) {
    BOOST_CHECK_NO_THROW(read({"", "v1", "Pod"}, other));
  }
}

BOOST_AUTO_TEST_CASE(values_of_other_types_are_said_in_the_words_of_go) {
  const auto error = [](const GroupVersionKind& kind, const char* json) {
    return decode_as_go(kind, Object::parse(json)).error.value_or("none");
  };
  const GroupVersionKind config{"", "v1", "ConfigMap"};
  const std::string beginning = "json: cannot unmarshal ";
  BOOST_TEST(error(config, R"({"metadata":"x"})") ==
             beginning + "string into Go struct field ConfigMap.metadata of type v1.ObjectMeta");
  BOOST_TEST(error(config, R"({"metadata":{"name":1}})") ==
             beginning + "number into Go struct field ObjectMeta.metadata.name of type string");
  BOOST_TEST(error(config, R"({"metadata":{"labels":[]}})") ==
             beginning + "array into Go struct field ObjectMeta.metadata.labels of type map[string]string");
  BOOST_TEST(error(config, R"({"metadata":{"labels":{"a":true}}})") ==
             beginning + "bool into Go struct field ObjectMeta.metadata.labels of type string");
  BOOST_TEST(error(config, R"({"metadata":{"finalizers":"a"}})") ==
             beginning + "string into Go struct field ObjectMeta.metadata.finalizers of type []string");
  BOOST_TEST(error(config, R"({"metadata":{"ownerReferences":["a"]}})") ==
             beginning + "string into Go struct field ObjectMeta.metadata.ownerReferences of type v1.OwnerReference");
  BOOST_TEST(error(config, R"({"metadata":{"generation":1.5}})") ==
             beginning + "number 1.5 into Go struct field ObjectMeta.metadata.generation of type int64");
  BOOST_TEST(error(config, R"({"metadata":{"generation":"1"}})") ==
             beginning + "string into Go struct field ObjectMeta.metadata.generation of type int64");
  BOOST_TEST(error(config, R"({"metadata":{"creationTimestamp":1}})") ==
             beginning + "number into Go struct field ObjectMeta.metadata.creationTimestamp of type string");
  BOOST_TEST(error(config, R"({"metadata":{"creationTimestamp":"yesterday"}})") ==
             R"(parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006")");
  BOOST_TEST(error(config, R"({"metadata":{"labels":null,"name":null,"generation":7}})") == "none");
  BOOST_TEST(error(review, R"({"spec":{"user":1}})") ==
             beginning + "number into Go struct field SubjectAccessReviewSpec.spec.user of type string");
  BOOST_TEST(error(review, R"({"spec":{"extra":{"k":"v"}}})") ==
             beginning + "string into Go struct field SubjectAccessReviewSpec.spec.extra of type v1.ExtraValue");
  BOOST_TEST(error(review, R"({"spec":{"resourceAttributes":{"fieldSelector":{"requirements":"x"}}}})") ==
             beginning +
                 "string into Go struct field FieldSelectorAttributes.spec.resourceAttributes.fieldSelector."
                 "requirements of type []v1.FieldSelectorRequirement");
  BOOST_TEST(error({"", "v1", "DeleteOptions"}, R"({"gracePeriodSeconds":"x"})") ==
             beginning + "string into Go struct field DeleteOptions.gracePeriodSeconds of type int64");
}

BOOST_AUTO_TEST_CASE(content_types_are_read_as_by_go) {
  BOOST_TEST((media_type_of("") == MediaType::json));
  BOOST_TEST((media_type_of("Application/JSON; charset=utf-8") == MediaType::json));
  BOOST_TEST((media_type_of("application/yaml") == MediaType::yaml));
  BOOST_TEST((media_type_of("application/vnd.kubernetes.protobuf") == MediaType::protobuf));
  for (const char* type : {"text/plain", "application", "application/json; charset", "*/*", "application/x-yaml"}) {
    BOOST_TEST(!media_type_of(type), type);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
