// The schemas are compared with those of kube-apiserver 1.36.3.
#include <boost/test/unit_test.hpp>
#include <string>
#include <zlib.h>

#include "fakes/apiserver/openapi/documents.h"
#include "fakes/apiserver/openapi/openapi_v2.pb.h"
#include "reference/cluster/object.h"
#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(openapi)

using namespace nodebound;
using namespace nodebound::apiserver;

namespace {

OpenApiDocuments documents_of(const char* release) {
  const RuleSet rules = nodebound::test::rules_of(release);
  return OpenApiDocuments(std::make_shared<const ApiResources>(rules.release()));
}

HttpResponse answer(const std::string& target, const std::string& accept = {}, const std::string& etag = {}) {
  static OpenApiDocuments documents = documents_of("1.36.3");
  HttpRequest request{"GET", target, "", ""};
  request.accept = accept;
  if (!etag.empty()) request.headers["if-none-match"] = etag;
  return documents.answer(request, target.substr(0, target.find('?'))).value_or(HttpResponse());
}

Object document(const std::string& target) {
  return Object::parse(answer(target).body);
}

const Object& core_schema(const std::string& kind) {
  static const Object schemas = document("/openapi/v3/api/v1")["components"]["schemas"];
  return schemas.at("io.k8s.api.core.v1." + kind);
}

const openapi_v2::Schema* named(const google::protobuf::RepeatedPtrField<openapi_v2::NamedSchema>& schemas,
                                const std::string& name) {
  for (const openapi_v2::NamedSchema& own : schemas) {
    if (own.name() == name) return &own.value();
  }
  return nullptr;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_schema_has_the_fields_of_its_kind) {
  BOOST_TEST(core_schema("Pod")["x-kubernetes-group-version-kind"] ==
             Object::array({{{"group", ""}, {"version", "v1"}, {"kind", "Pod"}}}));
  BOOST_TEST(core_schema("Pod")["properties"]["kind"] == Object({{"type", "string"}}));
  BOOST_TEST(core_schema("Pod")["properties"]["spec"] ==
             Object({{"$ref", "#/components/schemas/io.k8s.api.core.v1.PodSpec"}}));
  const Object& port = core_schema("ContainerPort");
  BOOST_TEST(port["required"] == Object::array({"containerPort"}));
  BOOST_TEST(port["properties"]["containerPort"] == Object({{"type", "integer"}, {"format", "int32"}}));
  BOOST_TEST(port["properties"]["protocol"]["enum"] == Object::array({"SCTP", "TCP", "UDP"}));
  BOOST_TEST(port["properties"]["protocol"]["default"] == "TCP");
  const Object csr = document("/openapi/v3/apis/certificates.k8s.io/v1")["components"]["schemas"];
  const Object& usages =
      csr["io.k8s.api.certificates.v1.CertificateSigningRequestSpec"]["properties"]["usages"]["items"];
  BOOST_TEST(usages["enum"][1] == "cert sign");
}

BOOST_AUTO_TEST_CASE(a_schema_tells_how_lists_and_maps_are_merged) {
  const Object& ports = core_schema("Container")["properties"]["ports"];
  BOOST_TEST(ports["x-kubernetes-list-type"] == "map");
  BOOST_TEST(ports["x-kubernetes-list-map-keys"] == Object::array({"containerPort", "protocol"}));
  BOOST_TEST(ports["x-kubernetes-patch-strategy"] == "merge");
  BOOST_TEST(ports["x-kubernetes-patch-merge-key"] == "containerPort");
  BOOST_TEST(core_schema("EphemeralContainer")["properties"]["env"]["x-kubernetes-list-type"] == "map");
  BOOST_TEST(core_schema("NodeSelector")["x-kubernetes-map-type"] == "atomic");
  BOOST_TEST(core_schema("ResourceRequirements")["properties"]["limits"] ==
             Object({{"type", "object"},
                     {"additionalProperties",
                      {{"$ref", "#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity"}}}}));
}

BOOST_AUTO_TEST_CASE(every_reference_leads_to_a_schema) {
  const Object index = document("/openapi/v3");
  for (const auto& [path, entry] : index["paths"].items()) {
    const Object own = document("/openapi/v3/" + path);
    const Object flat = own.flatten();
    for (const auto& [pointer, value] : flat.items()) {
      if (!pointer.ends_with("/$ref")) continue;
      const std::string target = value.get<std::string>();
      BOOST_TEST(own.contains(Object::json_pointer(target.substr(1))), path << ": " << target);
    }
  }
}

BOOST_AUTO_TEST_CASE(v2_in_protobuf_says_what_it_says_in_json) {
  const Object json = document("/openapi/v2");
  const HttpResponse found =
      answer("/openapi/v2", "application/com.github.proto-openapi.spec.v2@v1.0+protobuf, application/json");
  BOOST_TEST(found.content_type == "application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
  openapi_v2::Document message;
  BOOST_REQUIRE(message.ParseFromString(found.body));
  BOOST_TEST(message.swagger() == "2.0");
  BOOST_TEST(static_cast<std::size_t>(message.definitions().additional_properties_size()) ==
             json["definitions"].size());
  BOOST_TEST(static_cast<std::size_t>(message.paths().path_size()) == json["paths"].size());
  const auto* const pod = named(message.definitions().additional_properties(), "io.k8s.api.core.v1.Pod");
  BOOST_REQUIRE(pod != nullptr);
  BOOST_TEST(Object::parse(pod->vendor_extension(0).value().yaml()) ==
             json["definitions"]["io.k8s.api.core.v1.Pod"]["x-kubernetes-group-version-kind"]);
  const auto* const spec = named(pod->properties().additional_properties(), "spec");
  BOOST_REQUIRE(spec != nullptr);
  BOOST_TEST(spec->ref() == "#/definitions/io.k8s.api.core.v1.PodSpec");
}

BOOST_AUTO_TEST_CASE(a_patch_says_that_it_takes_a_dry_run) {
  const Object patch = document("/openapi/v2")["paths"]["/api/v1/namespaces/{namespace}/pods/{name}"]["patch"];
  BOOST_TEST(patch["x-kubernetes-group-version-kind"]["kind"] == "Pod");
  BOOST_TEST(patch["operationId"] == "patchCoreV1NamespacedPod");
  bool takes_dry_run = false;
  for (const Object& parameter : patch["parameters"]) takes_dry_run |= parameter["name"] == "dryRun";
  BOOST_TEST(takes_dry_run);
}

BOOST_AUTO_TEST_CASE(a_document_is_sent_once) {
  const HttpResponse first = answer("/openapi/v2");
  BOOST_TEST(first.status == 200);
  const HttpResponse second = answer("/openapi/v2", "", first.headers.at("etag"));
  BOOST_TEST(second.status == 304);
  BOOST_TEST(second.body.empty());
  BOOST_TEST(answer("/openapi/v2", "text/html").status == 406);
}

BOOST_AUTO_TEST_CASE(v2_is_compressed_for_who_reads_that) {
  HttpRequest request{"GET", "/openapi/v2", "", ""};
  request.headers["accept-encoding"] = "deflate, gzip";
  OpenApiDocuments documents = documents_of("1.36.3");
  const auto found = documents.answer(request, "/openapi/v2");
  BOOST_REQUIRE(found);
  BOOST_TEST(found->headers.at("content-encoding") == "gzip");
  const std::string plain = answer("/openapi/v2").body;
  std::string read(plain.size() + 1, '\0');
  z_stream stream{};
  BOOST_REQUIRE(inflateInit2(&stream, 15 + 16) == Z_OK);
  std::string sent = found->body;
  stream.next_in = reinterpret_cast<Bytef*>(sent.data());
  stream.avail_in = static_cast<uInt>(sent.size());
  stream.next_out = reinterpret_cast<Bytef*>(read.data());
  stream.avail_out = static_cast<uInt>(read.size());
  BOOST_TEST(inflate(&stream, Z_FINISH) == Z_STREAM_END);
  read.resize(stream.total_out);
  inflateEnd(&stream);
  BOOST_TEST((read == plain));
}

BOOST_AUTO_TEST_CASE(the_hash_of_a_document_is_in_its_url) {
  const std::string url = document("/openapi/v3")["paths"]["apis/apps/v1"]["serverRelativeURL"];
  BOOST_TEST(url.starts_with("/openapi/v3/apis/apps/v1?hash="));
  BOOST_TEST(answer(url).headers.at("cache-control") == "public, immutable");
  const HttpResponse old = answer("/openapi/v3/apis/apps/v1?hash=old");
  BOOST_TEST(old.status == 301);
  BOOST_TEST(old.headers.at("location") == url);
  BOOST_TEST(answer("/openapi/v3/apis/none").status == 404);
}

BOOST_AUTO_TEST_SUITE_END()
