#include <boost/test/unit_test.hpp>
#include <fstream>
#include <string>
#include <vector>

#include "fakes/wire/protobuf/protobuf.h"
#include "reference/test/project_paths.h"

BOOST_AUTO_TEST_SUITE(protobuf_objects)

using namespace nodebound;

namespace {

struct Captured {
  Object object;
  std::string bytes;
};

std::string bytes_of(const std::string& hex) {
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    out += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return out;
}

const std::vector<Captured>& captured() {
  static const std::vector<Captured> all = [] {
    std::vector<Captured> out;
    std::ifstream file(project::file("fakes/test/protobuf_objects.txt"));
    for (std::string json, hex; std::getline(file, json);) {
      if (json.starts_with('#') || !std::getline(file, hex)) continue;
      out.push_back({Object::parse(json), bytes_of(hex)});
    }
    return out;
  }();
  return all;
}

GroupVersionKind kind_of(const Object& object) {
  GroupVersionKind kind = parse_group_version(text(object, "apiVersion")).value();
  kind.kind = text(object, "kind");
  return kind;
}

// The object in an envelope, or the error.
Object read_whole(const std::string& bytes) {
  const auto envelope = read_envelope(bytes);
  if (!envelope) return envelope.error();
  GroupVersionKind kind = parse_group_version(envelope->group_version).value();
  kind.kind = envelope->kind;
  auto object = read_message(kind, envelope->raw);
  if (!object) return object.error();
  (*object)["kind"] = kind.kind;
  (*object)["apiVersion"] = envelope->group_version;
  return *object;
}

Object there_and_back(const char* json) {
  return read_whole(write_protobuf(Object::parse(json)).value());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(protobuf_objects)

BOOST_AUTO_TEST_CASE(what_real_programs_write_is_read_as_the_json_that_they_write) {
  BOOST_REQUIRE(captured().size() > 50);
  for (const auto& [object, bytes] : captured()) BOOST_TEST(read_whole(bytes) == object, object.dump());
}

BOOST_AUTO_TEST_CASE(what_is_written_has_the_bytes_that_real_programs_write) {
  for (const auto& [object, bytes] : captured()) {
    const auto written = write_protobuf(object);
    BOOST_TEST((written && *written == bytes), object.dump());
  }
}

BOOST_AUTO_TEST_CASE(json_in_a_field_stays_json) {
  const char* const claim = R"({"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1","metadata":{"name":"c"},
      "spec":{"devices":{"config":[{"opaque":{"driver":"d","parameters":{"b":[1,2.5,null,"s",{}],"a":true}}}]}}})";
  const Object read = there_and_back(claim);
  const auto parameters = Object::json_pointer("/spec/devices/config/0/opaque/parameters");
  BOOST_TEST(read[parameters] == Object::parse(claim)[parameters], read.dump());
  const Object revision = there_and_back(R"({"kind":"ControllerRevision","apiVersion":"apps/v1","revision":0})");
  BOOST_TEST(revision.dump() == R"({"apiVersion":"apps/v1","data":null,"kind":"ControllerRevision","revision":0})");
}

BOOST_AUTO_TEST_CASE(values_have_the_forms_that_they_have_in_json) {
  const Object lease = there_and_back(R"({"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{},
      "spec":{"renewTime":"2026-01-01T00:00:00.9876549Z","leaseTransitions":0}})");
  BOOST_TEST(lease["spec"].dump() == R"({"leaseTransitions":0,"renewTime":"2026-01-01T00:00:00.987654Z"})");
  const Object quota =
      there_and_back(R"({"kind":"ResourceQuota","apiVersion":"v1","spec":{"hard":{"pods":2,"cpu":"1500m"}}})");
  BOOST_TEST(quota["spec"].dump() == R"({"hard":{"cpu":"1500m","pods":"2"}})");
  const Object budget = there_and_back(R"({"kind":"PodDisruptionBudget","apiVersion":"policy/v1",
      "spec":{"minAvailable":0,"maxUnavailable":"50%"}})");
  BOOST_TEST(budget["spec"].dump() == R"({"maxUnavailable":"50%","minAvailable":0})");
  const Object secret = there_and_back(R"({"kind":"Secret","apiVersion":"v1","data":{"a":"AAH/gA==","b":""}})");
  BOOST_TEST(secret["data"].dump() == R"({"a":"AAH/gA==","b":""})");
}

BOOST_AUTO_TEST_CASE(a_list_holds_its_items) {
  const Object list = there_and_back(R"({"kind":"ConfigMapList","apiVersion":"v1",
      "metadata":{"resourceVersion":"7","remainingItemCount":2},"items":[{"metadata":{"name":"a"},"data":{"x":"1"}},
      {"metadata":{"name":"b"}}]})");
  BOOST_TEST(list["metadata"].dump() == R"({"remainingItemCount":2,"resourceVersion":"7"})");
  BOOST_TEST(list["items"].dump() == R"([{"data":{"x":"1"},"metadata":{"name":"a"}},{"metadata":{"name":"b"}}])");
  const Object none = there_and_back(R"({"kind":"PodList","apiVersion":"v1","metadata":{},"items":[]})");
  BOOST_TEST(none.dump() == R"({"apiVersion":"v1","items":null,"kind":"PodList","metadata":{}})");
}

BOOST_AUTO_TEST_CASE(every_truncation_of_an_object_is_an_error_or_an_object) {
  std::size_t errors = 0;
  std::size_t all = 0;
  for (const auto& [object, bytes] : captured()) {
    const std::string raw = read_envelope(bytes).value().raw;
    for (std::size_t size = 0; size < raw.size(); size += 7, ++all) {
      if (!read_message(kind_of(object), std::string_view(raw).substr(0, size))) ++errors;
    }
  }
  BOOST_TEST(errors > all / 2);
  BOOST_TEST(read_message({"", "v1", "Pod"}, "\x10\x01").error() == "proto: wrong wireType = 0 for field Spec");
  BOOST_TEST(read_message({"", "v1", "Pod"}, std::string_view("\0", 1)).error() ==
             "proto: Pod: illegal tag 0 (wire type 0)");
}

BOOST_AUTO_TEST_CASE(a_few_bytes_cannot_fill_the_memory) {
  // A PodSpec with containers of two bytes each.
  const auto pod = [](unsigned containers) {
    std::string spec;
    for (unsigned i = 0; i < containers; ++i) spec += std::string("\x12\0", 2);
    std::string raw = "\x12";
    std::size_t size = spec.size();
    for (; size >= 128; size >>= 7U) raw += static_cast<char>((size & 0x7fU) | 0x80U);
    return raw + static_cast<char>(size) + spec;
  };
  const GroupVersionKind kind{"", "v1", "Pod"};
  BOOST_TEST(read_message(kind, pod(1'500'000)).error() == "proto: more than 250000 messages in one");
  const auto some = read_message(kind, pod(1'000));
  BOOST_REQUIRE(some);
  BOOST_TEST((*some)["spec"]["containers"].size() == 1'000);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(maps_are_written_in_the_order_of_their_keys) {
  Object labels;
  for (const char* key : {"verb", "name", "namespace", "resource", "a", "zone", "b"}) labels[key] = "x";
  for (const Object& object :
       {Object{{"kind", "ConfigMap"}, {"apiVersion", "v1"}, {"metadata", {{"labels", labels}}}},
        Object{{"kind", "ConfigMapList"}, {"apiVersion", "v1"}, {"items", {{{"metadata", {{"labels", labels}}}}}}}}) {
    const std::string bytes = write_protobuf(object).value();
    std::size_t last = 0;
    for (const char* key : {"\x01"
                            "a\x12",
                            "\x01"
                            "b\x12",
                            "name\x12", "namespace", "resource", "verb", "zone"}) {
      const std::size_t at = bytes.find(key);
      BOOST_TEST_CONTEXT(key) BOOST_TEST((at != std::string::npos && at > last));
      last = at;
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
