#include "fakes/apiserver/write/patch.h"

#include <algorithm>
#include <array>

#include "fakes/apiserver/write/json_patch.h"
#include "fakes/apiserver/write/strategic_merge.h"
#include "fakes/wire/go/go_types.h"
#include "fakes/wire/go/json.h"
#include "fakes/wire/yaml/yaml.h"

namespace nodebound::apiserver {
namespace {

tl::unexpected<PatchFailure> failed(int status, std::string message) {
  return tl::unexpected(PatchFailure{status, std::move(message)});
}

// What is wrong with a list of operations; empty if nothing is.
std::string unusable_operations(const Object& patch) {
  if (!patch.is_array()) return cannot_unmarshal(patch, "value of type []handlers.jsonPatchOp");
  for (const Object& operation : patch) {
    if (operation.is_null()) continue;
    if (!operation.is_object()) return cannot_unmarshal(operation, "value of type handlers.jsonPatchOp");
    for (const char* field : {"from", "op", "path"}) {
      const Object& value = member(operation, field);
      if (value.is_null() || value.is_string()) continue;
      return cannot_unmarshal(value, std::string("struct field jsonPatchOp.") + field + " of type string");
    }
  }
  return {};
}

tl::expected<Object, PatchFailure> read_patch(std::string_view type, std::string_view body) {
  tl::expected<Object, std::string> patch = read_json(body);
  const std::string prefix = type == strategic_patch ? "" : "error decoding patch: ";
  if (!patch) return failed(400, prefix + patch.error());
  if (patch->is_null()) {
    if (type == merge_patch) return failed(400, "Invalid JSON Patch");
    return type == json_patch ? Object::array() : Object::object();
  }
  if (type != json_patch) {
    if (patch->is_object()) return std::move(*patch);
    return failed(400, prefix + cannot_unmarshal(*patch, "value of type map[string]interface {}"));
  }
  if (const std::string why = unusable_operations(*patch); !why.empty()) return failed(400, prefix + why);
  if (patch->size() <= most_patch_operations) return std::move(*patch);
  return failed(413, "Request entity too large: The allowed maximum operations in a JSON patch is " +
                         std::to_string(most_patch_operations) + ", got " + std::to_string(patch->size()));
}

}  // namespace

std::string_view patch_type(std::string_view content_type) {
  const std::string_view type = content_type.substr(0, content_type.find(';'));
  static constexpr std::array<std::string_view, 4> types = {json_patch, merge_patch, strategic_patch, apply_patch};
  return std::find(types.begin(), types.end(), type) == types.end() ? std::string_view() : type;
}

tl::expected<Object, PatchFailure> read_configuration(std::string_view body) {
  tl::expected<Object, std::string> patch = read_yaml(body);
  const std::string prefix = "error decoding YAML: ";
  if (!patch) return failed(400, prefix + "error converting YAML to JSON: " + patch.error());
  if (patch->is_null()) *patch = Object::object();
  if (patch->is_object()) return std::move(*patch);
  return failed(400, prefix + "error unmarshaling JSON: while decoding JSON: " +
                         cannot_unmarshal(*patch, "value of type map[string]interface {}"));
}

bool is_patch_type(std::string_view content_type) {
  return !patch_type(content_type).empty();
}

tl::expected<Object, PatchFailure> patched(const Object& object, std::string_view content_type,
                                           std::string_view body) try {
  const std::string_view type = patch_type(content_type);
  if (type.empty() || type == apply_patch) return failed(415, "415: Unsupported Media Type");
  const tl::expected<Object, PatchFailure> patch = read_patch(type, body);
  if (!patch) return tl::unexpected(patch.error());
  Object out = object;
  if (type == json_patch) {
    if (!patch_in_turn(out, *patch))
      return failed(422, "the server rejected our request due to an error in our request");
  } else if (type == merge_patch) {
    out.merge_patch(*patch);
  } else {
    merge_strategically(out, *patch);
  }
  return out;
} catch (const StrategicMergeError& error) {
  return failed(500, error.what);
}

}  // namespace nodebound::apiserver
