#include <boost/test/unit_test.hpp>
#include <string>

#include "fakes/apiserver/api_server.h"
#include "fakes/apiserver/read/negotiation.h"
#include "fakes/wire/protobuf/protobuf.h"
#include "fakes/wire/yaml/yaml.h"
#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(bodies)

using namespace nodebound;
using namespace nodebound::apiserver;
using nodebound::test::rules_of;

namespace {

const Subject admin{"admin", {"system:masters"}, "", {}};
const std::string json = "application/json";
const std::string yaml = "application/yaml";
const std::string protobuf = "application/vnd.kubernetes.protobuf";
const std::string config_maps = "/api/v1/namespaces/ns/configmaps";
const std::string reviews = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

struct World {
  HttpResponse call(const char* method, const std::string& target, const std::string& body, const std::string& type,
                    const std::string& accept = json) {
    return server.handle(admin, {method, target, type, body, false, accept, {}});
  }
  HttpResponse create(const std::string& body, const std::string& type = json) {
    return call("POST", config_maps, body, type);
  }
  std::string refusal(const std::string& body, const std::string& type = json) {
    const HttpResponse response = create(body, type);
    const Object status = object_in(response);
    return response.status == 400 ? std::string(text(status, "message")) : std::to_string(response.status);
  }

  RuleSet rules = rules_of("1.36.3", {});
  ApiServer server{rules};
};

const std::string unrecognized = "the object provided is unrecognized (must be of type ConfigMap): ";

std::string in_protobuf(const char* object) {
  return write_protobuf(Object::parse(object)).value();
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(bodies, World)

BOOST_AUTO_TEST_CASE(an_object_may_be_yaml) {
  BOOST_TEST(create("metadata:\n  name: c\ndata:\n  a: \"1\"\n", yaml).status == 201);
  BOOST_TEST(call("PUT", config_maps + "/c", "metadata: {name: c}\ndata: {a: '2'}\n", yaml).status == 200);
  const HttpResponse read = call("GET", config_maps + "/c", "", "", yaml);
  BOOST_TEST(read.content_type == yaml);
  BOOST_TEST(text(read_yaml(read.body).value(), "data", "a") == "2");
  BOOST_TEST(call("PATCH", config_maps + "/c?fieldManager=x", "kind: ConfigMap\napiVersion: v1\ndata:\n  b: \"3\"\n",
                  "application/apply-patch+yaml")
                 .status == 200);
  BOOST_TEST(text(object_in(call("GET", config_maps + "/c", "", "")), "data", "b") == "3");
}

BOOST_AUTO_TEST_CASE(a_review_may_be_protobuf_and_is_answered_so) {
  const std::string review =
      in_protobuf(R"({"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1","spec":{"user":"root",
                      "groups":["system:masters"],"resourceAttributes":{"verb":"get","resource":"pods"}}})");
  const HttpResponse answer = call("POST", reviews, review, protobuf, protobuf);
  BOOST_TEST(answer.status == 201);
  BOOST_TEST(answer.content_type == protobuf);
  const Object object = object_in(answer);
  BOOST_TEST(is_true(object, "status", "allowed"), object.dump());
  BOOST_TEST(text(object, "kind") == "SubjectAccessReview");
  BOOST_TEST(call("POST", reviews, review, protobuf, json).content_type == json);
}

BOOST_AUTO_TEST_CASE(an_object_may_be_protobuf_and_is_answered_so) {
  const std::string sent =
      in_protobuf(R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"c"},"data":{"a":"1"}})");
  const std::string both = protobuf + "," + json;
  const HttpResponse created = call("POST", config_maps, sent, protobuf, both);
  BOOST_TEST(created.status == 201);
  BOOST_TEST(created.content_type == protobuf);
  BOOST_TEST(!text(object_in(created), "metadata", "uid").empty());
  const HttpResponse read = call("GET", config_maps + "/c", "", "", both);
  BOOST_TEST(read.content_type == protobuf);
  BOOST_TEST(text(object_in(read), "data", "a") == "1");
  BOOST_TEST(call("GET", config_maps + "/c", "", "").content_type == json);
  const HttpResponse list = call("GET", config_maps, "", "", both);
  BOOST_TEST(list.content_type == protobuf);
  BOOST_TEST(text(object_in(list)["items"][0], "data", "a") == "1");
  const HttpResponse missing = call("GET", config_maps + "/none", "", "", both);
  BOOST_TEST(missing.status == 404);
  BOOST_TEST(missing.content_type == protobuf);
  BOOST_TEST(text(object_in(missing), "message") == "configmaps \"none\" not found");
  BOOST_TEST(call("PUT", config_maps + "/c", sent, protobuf).status == 200);
  BOOST_TEST(refusal("k8s", protobuf).starts_with(unrecognized + "provided data does not appear to be a protobuf"));
  BOOST_TEST(refusal(sent.substr(0, 10), protobuf) == unrecognized + "unexpected EOF (6b3873000a0f0a027631)");
}

BOOST_AUTO_TEST_CASE(metadata_may_be_protobuf_and_tables_may_not) {
  create(R"({"metadata":{"name":"c"},"data":{"a":"1"}})");
  const std::string metadata = ";as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
  const HttpResponse read = call("GET", config_maps + "/c", "", "", protobuf + metadata);
  BOOST_TEST(read.content_type == protobuf);
  BOOST_TEST(text(object_in(read), "kind") == "PartialObjectMetadata");
  BOOST_TEST(text(object_in(read), "metadata", "name") == "c");
  BOOST_TEST(!object_in(read).contains("data"));
  const std::string table = ";as=Table;g=meta.k8s.io;v=v1";
  const HttpResponse refused = call("GET", config_maps + "/c", "", "", protobuf + table);
  BOOST_TEST(refused.status == 406);
  BOOST_TEST(refused.content_type == json);
  BOOST_TEST(call("GET", config_maps, "", "", protobuf + table + "," + json + table).content_type == json);
  BOOST_TEST(call("GET", config_maps, "", "", protobuf + table + "," + json).content_type == json);
}

BOOST_AUTO_TEST_CASE(a_watch_may_be_protobuf) {
  create(R"({"metadata":{"name":"c"},"data":{"a":"1"}})");
  const HttpResponse watch = call("GET", config_maps + "?watch=1", "", "", protobuf + ";stream=watch," + json);
  BOOST_TEST(watch.content_type == protobuf + ";stream=watch");
  BOOST_REQUIRE(watch.stream);
  std::string bytes;
  watch.stream->take(bytes);
  BOOST_REQUIRE(bytes.size() > 4);
  BOOST_TEST(static_cast<unsigned char>(bytes[3]) == bytes.size() - 4);
  BOOST_TEST(bytes.substr(4, 7) ==
             "\x0a\x05"
             "ADDED");
  const Object object = sent_object(protobuf, std::string_view(bytes).substr(bytes.find("k8s")));
  BOOST_TEST(text(object, "data", "a") == "1", object.dump());
}

BOOST_AUTO_TEST_CASE(media_types_are_chosen_as_clients_rank_them) {
  const auto type_for = [&](const std::string& accept) {
    return call("GET", config_maps + "/none", "", "", accept).content_type;
  };
  BOOST_TEST(type_for("application/json;q=0.1,application/yaml") == yaml);
  BOOST_TEST(type_for("*/*") == json);
  BOOST_TEST(type_for("text/html, application/json;q=0.5") == json);
  BOOST_TEST(type_for("application/*, application/yaml") == yaml);
  for (const char* accept : {"text/html", "application/*", "foo", "application/cbor", "application/json;sv=2"}) {
    BOOST_TEST(call("GET", config_maps + "/none", "", "", accept).status == 406, accept);
  }
}

BOOST_AUTO_TEST_CASE(what_a_body_cannot_be_is_said_in_the_words_of_an_api_server) {
  const std::string no_kind = unrecognized + "couldn't get version/kind; json parse error: ";
  BOOST_TEST(refusal("") == no_kind + "unexpected end of JSON input (<empty>)");
  BOOST_TEST(refusal("{\"a\"") == no_kind + "unexpected end of JSON input ({\"a\")");
  BOOST_TEST(refusal("{\"kind\":1}") ==
             no_kind + "json: cannot unmarshal number into Go struct field .kind of type string ({\"kind\":1})");
  BOOST_TEST(refusal("[]").starts_with(no_kind + "json: cannot unmarshal array into Go value of type struct {"));
  BOOST_TEST(refusal("[]").ends_with("(5b5d)"));
  BOOST_TEST(refusal(R"({"apiVersion":"a/b/c","kind":"ConfigMap"})") ==
             unrecognized + "unexpected GroupVersion string: a/b/c ({\"apiVersion\":\"a/b/c\",\"kind\":\" ...)");
  BOOST_TEST(refusal("a: [1", yaml) == unrecognized + "yaml: line 1: did not find expected ',' or ']' (613a205b31)");
  BOOST_TEST(refusal("null") == "422");
  BOOST_TEST(refusal("", yaml) == "422");
  BOOST_TEST(refusal("{}", "text/plain") == "415");
  BOOST_TEST(refusal("{}", "application/json; charset") == "415");
}

BOOST_AUTO_TEST_CASE(an_object_of_another_kind_is_refused) {
  BOOST_TEST(refusal(R"({"apiVersion":"v1","kind":"Secret"})") ==
             "Secret in version \"v1\" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): "
             "unknown conversion");
  BOOST_TEST(refusal(R"({"apiVersion":"v1","kind":"Foo"})") ==
             "Foo in version \"v1\" cannot be handled as a ConfigMap: no kind \"Foo\" is registered for version \"v1\" "
             "in scheme \"pkg/runtime/scheme.go:111\"");
  BOOST_TEST(refusal(R"({"apiVersion":"apps/v1","kind":"ConfigMap"})") ==
             "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: no kind \"ConfigMap\" is registered for "
             "version \"apps/v1\" in scheme \"pkg/runtime/scheme.go:111\"");
  BOOST_TEST(
      refusal(R"({"metadata":{"name":1}})") ==
      "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct "
      "field ObjectMeta.metadata.name of type string");
  BOOST_TEST(create(R"({"KIND":"ConfigMap","APIVERSION":"v1","metadata":{"name":"x"}})").status == 201);
}

BOOST_AUTO_TEST_CASE(options_of_a_delete_may_be_in_any_media_type) {
  const auto status_of = [&](const std::string& body, const std::string& type) {
    create(R"({"metadata":{"name":"c"}})");
    return call("DELETE", config_maps + "/c", body, type).status;
  };
  const std::string options = R"({"kind":"DeleteOptions","apiVersion":"v1","dryRun":["All"]})";
  BOOST_TEST(status_of(in_protobuf(options.c_str()), protobuf) == 200);
  BOOST_TEST(call("GET", config_maps + "/c", "", "").status == 200);
  BOOST_TEST(status_of("dryRun: [All]\n", yaml) == 200);
  BOOST_TEST(call("GET", config_maps + "/c", "", "").status == 200);
  BOOST_TEST(status_of("{}", json) == 200);
  BOOST_TEST(call("GET", config_maps + "/c", "", "").status == 404);
  BOOST_TEST(status_of("{", json) == 400);
  BOOST_TEST(status_of("{}", "text/plain") == 415);
  BOOST_TEST(status_of(R"({"kind":"Foo","apiVersion":"v1"})", json) == 400);
}

BOOST_AUTO_TEST_CASE(unread_options_of_a_delete_were_once_an_internal_error) {
  const auto status_at = [](const char* version) {
    const RuleSet of_version = rules_of(version, {});
    ApiServer asked(of_version);
    const Subject root{"root", {"system:masters"}, "", {}};
    return asked.handle(root, {"DELETE", "/api/v1/namespaces/x/configmaps/c", "application/json", "{"}).status;
  };
  BOOST_TEST(status_at("1.34.0") == 500);
  BOOST_TEST(status_at("1.35.0") == 400);
}

BOOST_AUTO_TEST_CASE(what_is_nested_deeper_than_any_object_does_no_harm) {
  const std::string deep = std::string(5000, '[') + std::string(5000, ']');
  BOOST_TEST(create(R"({"metadata":{"name":"deep"},"more":)" + deep + "}").status == 201);
  BOOST_TEST(call("PATCH", config_maps + "/deep", R"({"even":)" + deep + "}", "application/merge-patch+json").status ==
             200);
  BOOST_TEST(call("GET", config_maps + "/deep", "", "").status == 200);
  BOOST_TEST(refusal(std::string(100000, '[')).find("exceeded max depth") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
