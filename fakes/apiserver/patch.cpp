#include "fakes/apiserver/patch.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fakes/apiserver/json_body.h"

namespace nodebound {
namespace {

// Lists whose items are merged by a key, by the name of the field; every other list is replaced whole
// (patchMergeKey in staging/src/k8s.io/api/core/v1/types.go and apimachinery's ObjectMeta).
constexpr std::array<std::pair<std::string_view, std::string_view>, 16> merge_keys = {{
    {"ownerReferences", "uid"},
    {"containers", "name"},
    {"initContainers", "name"},
    {"ephemeralContainers", "name"},
    {"volumes", "name"},
    {"env", "name"},
    {"volumeMounts", "mountPath"},
    {"volumeDevices", "devicePath"},
    {"imagePullSecrets", "name"},
    {"resourceClaims", "name"},
    {"resourceClaimStatuses", "name"},
    {"hostAliases", "ip"},
    {"podIPs", "ip"},
    {"conditions", "type"},
    {"addresses", "type"},
    {"secrets", "name"},
}};

std::string_view merge_key_of(std::string_view field) {
  const auto found =
      std::find_if(merge_keys.begin(), merge_keys.end(), [&](auto& pair) { return pair.first == field; });
  return found == merge_keys.end() ? std::string_view() : found->second;
}

void merge_strategically(Object& target, const Object& patch);

void merge_list(Object& target, const Object& patch, std::string_view key) {
  if (!target.is_array()) target = Object::array();
  for (const Object& item : patch) {
    if (text(item, "$patch") == "replace") {
      target = Object::array();
      for (const Object& other : patch) {
        if (!other.contains("$patch")) target.push_back(other);
      }
      return;
    }
    const auto same = std::find_if(target.begin(), target.end(),
                                   [&](const Object& own) { return member(own, key) == member(item, key); });
    if (text(item, "$patch") == "delete") {
      if (same != target.end()) target.erase(same);
    } else if (same == target.end()) {
      target.push_back(item);
    } else {
      merge_strategically(*same, item);
    }
  }
}

void merge_strategically(Object& target, const Object& patch) {
  if (!target.is_object()) target = Object::object();
  if (text(patch, "$patch") == "replace") {
    target = patch;
    target.erase("$patch");
    return;
  }
  if (text(patch, "$patch") == "delete") {
    target = Object::object();
    return;
  }
  for (auto field = patch.begin(); field != patch.end(); ++field) {
    const std::string& name = field.key();
    if (name.starts_with('$')) continue;
    if (field->is_null()) {
      target.erase(name);
    } else if (field->is_object()) {
      merge_strategically(target[name], *field);
    } else if (const std::string_view key = merge_key_of(name); field->is_array() && !key.empty()) {
      merge_list(target[name], *field, key);
    } else {
      target[name] = *field;
    }
  }
}

}  // namespace

bool is_patch_type(std::string_view content_type) {
  static constexpr std::array<std::string_view, 4> types = {
      "application/json-patch+json", "application/merge-patch+json", "application/strategic-merge-patch+json",
      "application/apply-patch+yaml"};
  return std::find(types.begin(), types.end(), content_type) != types.end();
}

Result<Object> patched(const Object& object, std::string_view content_type, std::string_view body) try {
  if (!is_patch_type(content_type)) return input_error("", "unsupported patch type " + std::string(content_type));
  const Object patch = parsed_json(body);
  if (patch.is_discarded()) return input_error("", "the patch is not JSON");
  Object out = object;
  if (content_type == "application/json-patch+json") return out.patch(patch);
  if (!patch.is_object()) return input_error("", "expected a patch that is an object");
  if (content_type == "application/merge-patch+json") {
    out.merge_patch(patch);
  } else {
    merge_strategically(out, patch);
  }
  return out;
} catch (const Object::exception& error) {
  return input_error("", error.what());
}

}  // namespace nodebound
