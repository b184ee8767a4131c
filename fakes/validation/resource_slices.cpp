#include <set>

#include "fakes/validation/kinds.h"
#include "fakes/validation/object.h"
#include "reference/cluster/names.h"

// pkg/apis/resource/validation/validation.go, as of v1beta1 (1.32): the parts of a slice that concern nodes, not its
// devices.

namespace nodebound::validation {
namespace {

FieldMistakes wrong_pool(const Object& pool) {
  FieldMistakes out;
  const std::string name(text(pool, "name"));
  if (name.empty()) out.push_back(required_field("spec.pool.name", ""));
  if (name.size() > 253) out.push_back(too_long_field("spec.pool.name", 253));
  for (std::size_t begin = 0; !name.empty() && begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    const std::string part = name.substr(begin, end - begin);
    append(out, invalid_field_each("spec.pool.name", part, wrong_dns_subdomain(part)));
    begin = end + 1;
  }
  const Object& slices = member(pool, "resourceSliceCount");
  if (!slices.is_number() || slices <= 0) {
    const Shown shown = slices.is_number() ? Shown(slices) : Shown(0);
    out.push_back(invalid_field("spec.pool.resourceSliceCount", shown, "must be greater than zero"));
  }
  const Object& generation = member(pool, "generation");
  if (generation.is_number() && generation < 0) {
    out.push_back(invalid_field("spec.pool.generation", Shown(generation), "must be greater than or equal to zero"));
  }
  return out;
}

FieldMistakes wrong_places(const Object& spec) {
  FieldMistakes out;
  std::string set;
  const auto note = [&](const char* field) { set += (set.empty() ? "`" : ", `") + std::string(field) + "`"; };
  const Object& node = member(spec, "nodeName");
  if (is_empty_text(node)) {
    out.push_back(invalid_field("spec.nodeName", "", "must be either unset or set to a non-empty string"));
  } else if (node.is_string()) {
    note("nodeName");
    append(out, invalid_field_each("spec.nodeName", Shown(node), wrong_dns_subdomain(node.get<std::string>())));
  }
  if (!member(spec, "nodeSelector").is_null()) note("nodeSelector");
  for (const char* field : {"allNodes", "perDeviceNodeSelection"}) {
    const Object& value = member(spec, field);
    if (value == true) note(field);
    if (value == false) {
      out.push_back(invalid_field(std::string("spec.") + field, false, "must be either unset or set to true"));
    }
  }
  const std::string one = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";
  if (set.empty()) out.push_back(required_field("spec", one));
  if (set.find(',') != std::string::npos) {
    out.push_back(invalid_field("spec", "{" + set + "}", one + ", but multiple fields are set"));
  }
  return out;
}

bool has_spec(const Object& slice) {
  return text(slice, "apiVersion") != "resource.k8s.io/v1alpha2";
}

}  // namespace

FieldMistakes wrong_slice(const Object& slice, const Release& release) {
  return has_spec(slice) ? wrong_slice_change(slice, nullptr, release) : FieldMistakes();
}

FieldMistakes wrong_slice_change(const Object& slice, const Object& before, const Release& release) {
  if (!has_spec(slice)) return {};
  const Object& spec = member(slice, "spec");
  FieldMistakes out = wrong_driver_name("spec.driver", std::string(text(spec, "driver")), release);
  append(out, wrong_pool(member(spec, "pool")));
  const Object& old = member(before, "spec");
  const auto stays = [&](const char* field, const Object& now, const Object& was) {
    if (before.is_object() && !means_the_same(now, was)) {
      out.push_back(invalid_field(field, Shown(now), "field is immutable"));
    }
  };
  stays("spec.pool.name", text(spec, "pool", "name"), text(old, "pool", "name"));
  stays("spec.driver", text(spec, "driver"), text(old, "driver"));
  stays("spec.nodeName", member(spec, "nodeName"), member(old, "nodeName"));
  append(out, wrong_places(spec));
  return out;
}

}  // namespace nodebound::validation
