#include <algorithm>
#include <array>
#include <set>

#include "fakes/validation/kinds.h"
#include "fakes/validation/object.h"
#include "fakes/validation/quantity.h"
#include "reference/cluster/names.h"
#include "reference/encoding/ascii.h"
#include "reference/release/behaviour_ids.h"

// pkg/apis/core/validation/validation.go (volumes and claims), pkg/apis/storage/validation/validation.go

namespace nodebound::validation {
namespace {

const std::vector<std::string> access_modes = {"ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"};

/// Members of a PersistentVolume's spec that are not its source.
constexpr std::array<std::string_view, 9> not_sources{"accessModes",      "capacity",
                                                      "claimRef",         "mountOptions",
                                                      "nodeAffinity",     "persistentVolumeReclaimPolicy",
                                                      "storageClassName", "volumeAttributesClassName",
                                                      "volumeMode"};

FieldMistakes wrong_secret(const std::string& field, const Object& reference, const Release& release) {
  if (reference.is_null()) return {};
  const std::string name(text(reference, "name"));
  const bool any_name = !name.empty() && release.does(Behaviour::volume_secrets_of_any_name);
  FieldMistakes out = any_name ? invalid_field_each(field + ".name", name, wrong_dns_subdomain(name))
                               : wrong_part_name(field + ".name", name);
  append(out, wrong_part_name(field + ".namespace", std::string(text(reference, "namespace"))));
  return out;
}

FieldMistakes wrong_csi_source(const Object& source, const Release& release) {
  FieldMistakes out = wrong_driver_name("spec.csi.driver", std::string(text(source, "driver")), release);
  if (text(source, "volumeHandle").empty()) out.push_back(required_field("spec.csi.volumeHandle", ""));
  // kube-apiserver does not check nodeStageSecretRef.
  for (const char* secret :
       {"controllerPublishSecretRef", "controllerExpandSecretRef", "nodePublishSecretRef", "nodeExpandSecretRef"}) {
    append(out, wrong_secret(std::string("spec.csi.") + secret, member(source, secret), release));
  }
  return out;
}

/// The types of volume sources, in kube-apiserver's order; one has another name in an error, and one is checked here.
struct VolumeType {
  const char* field;
  const char* called = field;
  FieldMistakes (*wrong)(const Object& source, const Release& release) = nullptr;
};
constexpr std::array<VolumeType, 21> volume_types{{{"hostPath"},
                                                   {"gcePersistentDisk"},
                                                   {"awsElasticBlockStore"},
                                                   {"glusterfs"},
                                                   {"flocker"},
                                                   {"nfs"},
                                                   {"rbd"},
                                                   {"quobyte"},
                                                   {"cephfs", "cephFS"},
                                                   {"iscsi"},
                                                   {"cinder"},
                                                   {"fc"},
                                                   {"azureFile"},
                                                   {"vsphereVolume"},
                                                   {"photonPersistentDisk"},
                                                   {"portworxVolume"},
                                                   {"azureDisk"},
                                                   {"scaleIO"},
                                                   {"local"},
                                                   {"storageos"},
                                                   {"csi", "csi", wrong_csi_source}}};

FieldMistakes wrong_volume_types(const Object& volume, const Release& release) {
  FieldMistakes out;
  bool has_one = false;
  for (const VolumeType& type : volume_types) {
    const Object& source = member(volume, "spec", type.field);
    if (source.is_null()) continue;
    if (has_one) {
      out.push_back(forbidden_field(std::string("spec.") + type.called, "may not specify more than 1 volume type"));
    } else if (type.wrong != nullptr) {
      append(out, type.wrong(source, release));
    }
    has_one = true;
  }
  return out;
}

FieldMistakes wrong_access_modes(const std::string& field, const Object& modes, const char* why) {
  FieldMistakes out;
  if (modes.empty()) out.push_back(required_field(field, why));
  for (const Object& mode : modes) {
    const bool known = mode.is_string() && std::find(access_modes.begin(), access_modes.end(),
                                                     mode.get_ref<const std::string&>()) != access_modes.end();
    if (!known) out.push_back(unsupported_field(field, mode, access_modes));
  }
  return out;
}

Object source_of(const Object& volume) {
  Object out = member(volume, "spec");
  if (!out.is_object()) return Object::object();
  for (const std::string_view name : not_sources) out.erase(std::string(name));
  // A secret for expanding may be added later.
  return out;
}

std::string driver_field(std::size_t at, const char* name) {
  return "spec.drivers[" + std::to_string(at) + "]" + name;
}

}  // namespace

FieldMistakes wrong_driver_name(const std::string& field, const std::string& name, const Release& release) {
  FieldMistakes out;
  if (name.empty()) {
    out.push_back(required_field(field, ""));
    if (!release.does(Behaviour::empty_driver_names_invalid)) return out;
  }
  if (name.size() > 63) {
    out.push_back(too_long_field(field, 63));
  }
  append(out, invalid_field_each(field, name, wrong_dns_subdomain(in_lower_case(name))));
  return out;
}

FieldMistakes wrong_claim_spec(const std::string& field, const Object& spec) {
  FieldMistakes out =
      wrong_access_modes(field + ".accessModes", member(spec, "accessModes"), "at least 1 access mode is required");
  if (member(member(spec, "resources"), "requests", "storage").is_null()) {
    out.push_back(required_field(field + ".resources[storage]", ""));
  } else if (const Quantity size = Quantity::of(member(spec, "resources", "requests", "storage"));
             size.is_zero() || size.is_negative()) {
    out.push_back(invalid_field(field + ".resources[storage]", size.text(), "must be greater than zero"));
  }
  return out;
}

FieldMistakes wrong_claim(const Object& claim) {
  return wrong_claim_spec("spec", member(claim, "spec"));
}

FieldMistakes wrong_claim_change(const Object& claim, const Object& before) {
  Object spec = member(claim, "spec");
  Object old = member(before, "spec");
  if (!spec.is_object() || !old.is_object()) return {};
  // The component that binds the claim sets the volume's name once; the requested size may grow later.
  if (text(old, "volumeName").empty() && spec.contains("volumeName")) old["volumeName"] = spec["volumeName"];
  if (text(claim, "status", "phase") == "Bound") old["resources"] = spec["resources"];
  if (means_the_same(spec, old)) return {};
  return {
      forbidden_field("spec",
                      "spec is immutable after creation except resources.requests and volumeAttributesClassName for "
                      "bound claims")};
}

FieldMistakes wrong_volume(const Object& volume, const Release& release) {
  FieldMistakes out = wrong_access_modes("spec.accessModes", member(volume, "spec", "accessModes"), "");
  const Object& capacity = member(volume, "spec", "capacity");
  if (capacity.empty()) out.push_back(required_field("spec.capacity", ""));
  if (!capacity.contains("storage") || capacity.size() > 1) {
    out.push_back(unsupported_field("spec.capacity", capacity, {"storage"}));
  }
  append(out, wrong_volume_types(volume, release));
  if (source_of(volume).empty()) out.push_back(required_field("spec", "must specify a volume type"));
  return out;
}

// The whole object is checked twice.
FieldMistakes wrong_volume_change(const Object& volume, const Object& before, const Release& release) {
  FieldMistakes out = wrong_volume(volume, release);
  Object source = source_of(volume);
  const Object old = source_of(before);
  const bool added = member(old, "csi").is_object() && member(old, "csi", "controllerExpandSecretRef").is_null();
  if (added && member(source, "csi").is_object()) source["csi"].erase("controllerExpandSecretRef");
  if (means_the_same(source, old)) return out;
  out.push_back(
      forbidden_field("spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation"));
  return out;
}

FieldMistakes wrong_attachment(const Object& attachment, const Release& release) {
  const Object& spec = member(attachment, "spec");
  const std::string node(text(spec, "nodeName"));
  const std::string attacher(text(spec, "attacher"));
  const bool attacher_first = release.does(Behaviour::attachers_with_the_spec);
  const bool attacher_last = release.does(Behaviour::attachers_by_declarations);
  const bool attacher_between = !attacher_first && !attacher_last;
  FieldMistakes out;
  if (attacher_between && attacher.empty()) out.push_back(required_field("spec.attacher", ""));
  if (attacher_first) out = wrong_driver_name("spec.attacher", attacher, release);
  const Object& name = member(spec, "source", "persistentVolumeName");
  if (name.is_null() && member(spec, "source", "inlineVolumeSpec").is_null()) {
    out.push_back(
        required_field("spec.source", "must specify exactly one of inlineVolumeSpec and persistentVolumeName"));
  }
  append(out, invalid_field_each("spec.nodeName", node, wrong_dns_subdomain(node)));
  if (attacher_between) {
    append(out, wrong_driver_name("spec.attacher", attacher, release));
  }
  if (name.is_string()) {
    append(out, invalid_field_each("spec.source.persistentVolumeName", name,
                                   wrong_dns_subdomain(name.get_ref<const std::string&>())));
  }
  if (attacher_last) append(out, wrong_driver_name("spec.attacher", attacher, release));
  return out;
}

FieldMistakes wrong_attachment_change(const Object& attachment, const Object& before, const Release& release) {
  const Object& spec = member(attachment, "spec");
  if (means_the_same(spec, member(before, "spec"))) return {};
  if (release.does(Behaviour::attachers_by_declarations)) {
    return {invalid_field("spec", nullptr, "field is immutable")};
  }
  // The internal Go type has no JSON names, so errors show its Go names.
  Shown source = {{"PersistentVolumeName", nullptr}, {"InlineVolumeSpec", nullptr}};
  const Object& volume = member(spec, "source", "persistentVolumeName");
  if (volume.is_string()) source["PersistentVolumeName"] = volume.get<std::string>();
  const Shown shown = {{"Attacher", text(spec, "attacher")}, {"Source", source}, {"NodeName", text(spec, "nodeName")}};
  return {invalid_field("spec", shown, "field is immutable")};
}

namespace {

std::size_t longest_node_id(const Release& release) {
  if (release.does(Behaviour::node_ids_of_256_characters)) return 256;
  return release.does(Behaviour::node_ids_of_192_characters) ? 192 : 128;
}

FieldMistakes wrong_topology_keys(const std::string& driver_field, const Object& keys) {
  FieldMistakes out;
  std::set<std::string> seen;
  for (const Object& item : keys) {
    const std::string key = item.get<std::string>();
    if (key.empty()) out.push_back(required_field(driver_field, ""));
    if (!seen.insert(key).second) out.push_back(duplicate_field(driver_field, key));
    append(out, invalid_field_each(driver_field, key, wrong_label_key(key)));
  }
  return out;
}

}  // namespace

FieldMistakes wrong_csi_node(const Object& node, const Release& release) {
  FieldMistakes out;
  const Object& drivers = member(node, "spec", "drivers");
  std::size_t at = 0;
  std::vector<std::string> seen;
  for (const Object& driver : drivers) {
    const std::string name(text(driver, "name"));
    append(out, wrong_driver_name(driver_field(at, ".name"), name, release));
    const std::string node_id(text(driver, "nodeID"));
    if (node_id.empty()) out.push_back(required_field(driver_field(at, ".nodeID"), ""));
    if (const std::size_t longest = longest_node_id(release); node_id.size() > longest) {
      out.push_back(invalid_field(driver_field(at, ".nodeID"), node_id,
                                  "must be " + std::to_string(longest) + " characters or less"));
    }
    const Object& volumes = member(driver, "allocatable", "count");
    if (volumes.is_number() && volumes < 0) {
      out.push_back(
          invalid_field(driver_field(at, ".allocatable.count"), volumes, "must be greater than or equal to 0"));
    }
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) {
      out.push_back(duplicate_field(driver_field(at, ".name"), name));
    }
    seen.push_back(name);
    append(out, wrong_topology_keys(driver_field(at, ""), member(driver, "topologyKeys")));
    ++at;
  }
  return out;
}

namespace {

// The internal Go type has no JSON names, so errors show its Go names.
Shown shown_driver(const Object& driver) {
  Shown out = {{"Name", text(driver, "name")},
               {"NodeID", text(driver, "nodeID")},
               {"TopologyKeys", Shown(member(driver, "topologyKeys"))},
               {"Allocatable", nullptr}};
  const Object& allocatable = member(driver, "allocatable");
  if (!allocatable.is_null()) out["Allocatable"] = {{"Count", Shown(member(allocatable, "count"))}};
  return out;
}

}  // namespace

FieldMistakes wrong_csi_node_change(const Object& node, const Object& before, const Release& release) {
  FieldMistakes out;
  const bool allocatable_changes = release.does(Behaviour::allocatable_changes);
  for (Object old : member(before, "spec", "drivers")) {
    for (Object driver : member(node, "spec", "drivers")) {
      if (text(driver, "name") != text(old, "name")) continue;
      if (allocatable_changes) {
        old.erase("allocatable");
        driver.erase("allocatable");
      }
      if (means_the_same(driver, old)) continue;
      out.push_back(invalid_field("spec.drivers", shown_driver(driver), "field is immutable"));
    }
  }
  return out;
}

}  // namespace nodebound::validation
