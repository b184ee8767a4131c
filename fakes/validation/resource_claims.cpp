#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "fakes/validation/kinds.h"
#include "fakes/validation/object.h"

// pkg/apis/resource/validation/validation.go: the spec of a claim, which nobody changes, and who has reserved it.

namespace nodebound::validation {
namespace {

// The internal Go types have no JSON names and omit nothing, so errors show all their fields by their Go names.

Shown shown_items(const Object& list, Shown (*shown_item)(const Object& item)) {
  if (list.empty()) return nullptr;
  Shown out = Shown::array();
  for (const Object& item : list) out.push_back(shown_item(item));
  return out;
}

Shown shown_or_zero(const Object& value, Shown zero) {
  return value.is_null() ? std::move(zero) : Shown(value);
}

Shown shown_selector(const Object& selector) {
  const Object& cel = member(selector, "cel");
  if (cel.is_null()) return {{"CEL", nullptr}};
  return {{"CEL", {{"Expression", text(cel, "expression")}}}};
}

Shown shown_toleration(const Object& toleration) {
  return {{"Key", text(toleration, "key")},
          {"Operator", text(toleration, "operator")},
          {"Value", text(toleration, "value")},
          {"Effect", text(toleration, "effect")},
          {"TolerationSeconds", Shown(member(toleration, "tolerationSeconds"))}};
}

void show_devices(Shown& out, const Object& devices, bool admin) {
  out["DeviceClassName"] = text(devices, "deviceClassName");
  out["Selectors"] = shown_items(member(devices, "selectors"), shown_selector);
  out["AllocationMode"] = text(devices, "allocationMode");
  out["Count"] = shown_or_zero(member(devices, "count"), 0);
  if (admin) out["AdminAccess"] = Shown(member(devices, "adminAccess"));
  out["Tolerations"] = shown_items(member(devices, "tolerations"), shown_toleration);
  const Object& capacity = member(devices, "capacity");
  out["Capacity"] = capacity.is_null() ? Shown() : Shown{{"Requests", Shown(member(capacity, "requests"))}};
}

Shown shown_exact_request(const Object& devices) {
  Shown out = Shown::object();
  show_devices(out, devices, true);
  return out;
}

Shown shown_subrequest(const Object& devices) {
  Shown out = {{"Name", text(devices, "name")}};
  show_devices(out, devices, false);
  return out;
}

// A request of v1beta1 and before is what later ones have in `exactly`.
Shown shown_request(const Object& request) {
  const Object& exactly = text(request, "deviceClassName").empty() ? member(request, "exactly") : request;
  return {{"Name", text(request, "name")},
          {"Exactly", exactly.is_null() ? Shown() : shown_exact_request(exactly)},
          {"FirstAvailable", shown_items(member(request, "firstAvailable"), shown_subrequest)}};
}

Shown shown_names(const Object& names) {
  return names.empty() ? Shown() : Shown(names);
}

Shown shown_constraint(const Object& constraint) {
  return {{"Requests", shown_names(member(constraint, "requests"))},
          {"MatchAttribute", Shown(member(constraint, "matchAttribute"))},
          {"DistinctAttribute", Shown(member(constraint, "distinctAttribute"))}};
}

Shown shown_configuration(const Object& configuration) {
  const Object& opaque = member(configuration, "opaque");
  Shown out = {{"Requests", shown_names(member(configuration, "requests"))}, {"Opaque", nullptr}};
  if (!opaque.is_null()) {
    out["Opaque"] = {{"Driver", text(opaque, "driver")}, {"Parameters", Shown(member(opaque, "parameters"))}};
  }
  return out;
}

Shown shown_claim_spec(const Object& spec) {
  const Object& devices = member(spec, "devices");
  return {{"Devices",
           {{"Requests", shown_items(member(devices, "requests"), shown_request)},
            {"Constraints", shown_items(member(devices, "constraints"), shown_constraint)},
            {"Config", shown_items(member(devices, "config"), shown_configuration)}}}};
}

}  // namespace

FieldMistakes wrong_resource_claim_change(const Object& claim, const Object& before) {
  const Object& spec = member(claim, "spec");
  if (means_the_same(spec, member(before, "spec"))) return {};
  return {invalid_field("spec", shown_claim_spec(spec), "field is immutable")};
}

FieldMistakes wrong_resource_claim_template_change(const Object& claim_template, const Object& before) {
  const Object& spec = member(claim_template, "spec");
  if (means_the_same(spec, member(before, "spec"))) return {};
  Shown shown = shown_or_zero(member(spec, "metadata"), Shown::object());
  shown["Spec"] = shown_claim_spec(member(spec, "spec"));
  return {invalid_field("spec", shown, "field is immutable")};
}

FieldMistakes wrong_resource_claim_status(const Object& claim) {
  FieldMistakes out;
  const Object& users = member(claim, "status", "reservedFor");
  std::size_t at = 0;
  for (const Object& user : users) {
    const std::string field = "status.reservedFor[" + std::to_string(at++) + "].";
    for (const char* part : {"resource", "name", "uid"}) {
      if (text(user, part).empty()) out.push_back(required_field(field + part, ""));
    }
  }
  if (!users.empty() && member(claim, "status", "allocation").is_null()) {
    out.push_back(forbidden_field("status.reservedFor", "may not be specified when `allocated` is not set"));
  }
  std::set<std::string_view> uids;
  at = 0;
  for (const Object& user : users) {
    const std::string field = "status.reservedFor[" + std::to_string(at++) + "]";
    if (uids.insert(text(user, "uid")).second) continue;
    out.push_back(duplicate_field(
        field, {{"resource", text(user, "resource")}, {"name", text(user, "name")}, {"uid", text(user, "uid")}}));
  }
  return out;
}

}  // namespace nodebound::validation
