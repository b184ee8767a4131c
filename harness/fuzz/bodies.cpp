// Bodies in each media type: what can be read must be the same when it is written and read again.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "fakes/apiserver/pipeline/request_body.h"
#include "fakes/wire/go/json.h"
#include "fakes/wire/protobuf/protobuf.h"
#include "fakes/wire/resources/api_resources.h"
#include "fakes/wire/yaml/yaml.h"
#include "harness/fuzz/structure.h"
#include "reference/test/support.h"

using namespace nodebound;
using namespace nodebound::apiserver;

namespace {

void must(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

void go_round(const Object& object) {
  const std::string json = object.dump(-1, ' ', false, Object::error_handler_t::strict);
  const auto again = read_json(json);
  must(again && *again == object, "JSON is read as it was written");
  const auto yaml = read_yaml(write_yaml(object));
  must(yaml && *yaml == object, "YAML is read as it was written");
}

std::string written(const GroupVersionKind& kind, const Object& object) {
  const auto bytes = write_protobuf(kind, object);
  must(bytes.has_value(), "what has been read has a message");
  return *bytes;
}

Object read_again(const GroupVersionKind& kind, const std::string& bytes) {
  const auto envelope = read_envelope(bytes);
  must(envelope && envelope->kind == kind.kind, "the envelope is read as it was written");
  auto object = read_message(kind, envelope->raw);
  must(object.has_value(), "protobuf is read as it was written");
  return *object;
}

// Protobuf cannot express all of JSON (a null time), but what it gives back must survive another round.
void go_round_in_protobuf(const GroupVersionKind& kind, const Object& object) {
  const std::string once = written(kind, read_again(kind, written(kind, object)));
  must(written(kind, read_again(kind, once)) == once, "protobuf is written as it was read");
}

const GroupVersionKind& kind_of(std::uint8_t choice) {
  static const std::array<GroupVersionKind, 10> kinds = {{{"", "v1", "Pod"},
                                                          {"authorization.k8s.io", "v1", "SubjectAccessReview"},
                                                          {"authentication.k8s.io", "v1", "TokenReview"},
                                                          {"authentication.k8s.io", "v1", "TokenRequest"},
                                                          {"", "v1", "Node"},
                                                          {"", "v1", "Secret"},
                                                          {"coordination.k8s.io", "v1", "Lease"},
                                                          {"resource.k8s.io", "v1", "ResourceSlice"},
                                                          {"apps", "v1", "Deployment"},
                                                          {"apps", "v1", "ControllerRevision"}}};
  return choice < 0x80 ? kinds[choice % 4] : kinds[choice % kinds.size()];
}

// Changes a message through the object that it encodes.
std::optional<std::string> changed_protobuf(const GroupVersionKind& kind, std::string_view bytes,
                                            fuzz::Chance& chance) {
  const auto envelope = read_envelope(bytes);
  if (!envelope) return std::nullopt;
  auto object = read_message(kind, envelope->raw);
  if (!object) return std::nullopt;
  fuzz::change(*object, chance);
  const auto out = write_protobuf(kind, *object);
  return out ? std::optional<std::string>(*out) : std::nullopt;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  const std::uint8_t choice = size == 0 ? 0 : data[0];
  return fuzz::mutated(data, size, most, seed, 1, [choice](std::string_view text, fuzz::Chance& chance) {
    const int type = choice / 4 % 3;
    return type == 0   ? fuzz::changed_json(text, chance)
           : type == 1 ? fuzz::changed_yaml(text, chance)
                       : changed_protobuf(kind_of(choice), text, chance);
  });
}

// The first byte chooses the media type and the kind.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const RuleSet rules = test::rules_of("1.36.3", {});
  static const ApiResources resources(rules.release());
  static const char* const types[] = {"application/json", "application/yaml", "application/vnd.kubernetes.protobuf"};
  if (size == 0) return 0;
  const HttpRequest request{"POST", "/", types[data[0] / 4 % 3],
                            std::string(reinterpret_cast<const char*>(data) + 1, size - 1)};
  const GroupVersionKind& kind = kind_of(data[0]);
  const FieldValidation validation = size % 2 == 0 ? FieldValidation::strict : FieldValidation::warn;
  const auto body = read_body(resources, kind, request, validation);
  if (body) {
    go_round(body->object);
    go_round_in_protobuf(kind, body->object);
  } else {
    must(body.error().status == 400 || body.error().status == 415, "what is refused is a bad request");
    must(read_json(body.error().body).has_value(), "a refusal is JSON");
  }
  static_cast<void>(read_delete_options(request, resources.release()));
  return 0;
}
