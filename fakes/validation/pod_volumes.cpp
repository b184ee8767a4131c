#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "fakes/validation/kinds.h"
#include "reference/cluster/names.h"

// validateVolumeSource in pkg/apis/core/validation/validation.go. Addresses, numbers and disk identifiers only have to
// be present; other rules about them are not checked.

namespace nodebound::validation {
namespace {

/// In the order in which kube-apiserver checks them.
constexpr std::array<std::string_view, 29> sources = {"emptyDir",
                                                      "hostPath",
                                                      "gitRepo",
                                                      "gcePersistentDisk",
                                                      "awsElasticBlockStore",
                                                      "secret",
                                                      "nfs",
                                                      "iscsi",
                                                      "glusterfs",
                                                      "flocker",
                                                      "persistentVolumeClaim",
                                                      "rbd",
                                                      "cinder",
                                                      "cephfs",
                                                      "quobyte",
                                                      "downwardAPI",
                                                      "fc",
                                                      "flexVolume",
                                                      "configMap",
                                                      "azureFile",
                                                      "vsphereVolume",
                                                      "photonPersistentDisk",
                                                      "portworxVolume",
                                                      "azureDisk",
                                                      "storageos",
                                                      "projected",
                                                      "scaleIO",
                                                      "csi",
                                                      "ephemeral"};

/// What a volume source requires.
struct Demand {
  std::string_view source;
  const char* field;
  const char* why = "";
};

constexpr Demand demands[] = {
    {"hostPath", "path"},
    {"gitRepo", "repository"},
    {"gcePersistentDisk", "pdName"},
    {"awsElasticBlockStore", "volumeID"},
    {"secret", "secretName"},
    {"nfs", "server"},
    {"nfs", "path"},
    {"iscsi", "targetPortal"},
    {"iscsi", "iqn"},
    {"glusterfs", "endpoints"},
    {"glusterfs", "path"},
    {"persistentVolumeClaim", "claimName"},
    {"rbd", "monitors"},
    {"rbd", "image"},
    {"cinder", "volumeID"},
    {"cephfs", "monitors"},
    {"configMap", "name"},
    {"azureFile", "secretName"},
    {"azureFile", "shareName"},
    {"flexVolume", "driver"},
    {"vsphereVolume", "volumePath"},
    {"quobyte", "registry", "must be a host:port pair or multiple pairs separated by commas"},
    {"quobyte", "volume"},
    {"azureDisk", "diskName"},
    {"azureDisk", "diskURI"},
    {"storageos", "volumeName"},
    {"portworxVolume", "volumeID"},
    {"scaleIO", "gateway"},
    {"scaleIO", "system"},
    {"scaleIO", "volumeName"},
    {"photonPersistentDisk", "pdID"},
    {"csi", "driver"},
};

bool says(const Object& source, const char* field) {
  const Object& value = member(source, field);
  return value.is_string() ? !value.get_ref<const std::string&>().empty() : !value.empty();
}

FieldMistakes wrong_ephemeral_volume(const Object& volume, const std::string& field) {
  const Object& claim = member(volume, "volumeClaimTemplate");
  if (claim.is_null()) return {required_field(field + ".volumeClaimTemplate", "")};
  return wrong_claim_spec(field + ".volumeClaimTemplate.spec", member(claim, "spec"));
}

FieldMistakes wrong_host_path(const Object& source, const std::string& path, const std::string& field) {
  static const std::vector<std::string> types = {"",     "BlockDevice",  "CharDevice", "Directory", "DirectoryOrCreate",
                                                 "File", "FileOrCreate", "Socket"};
  FieldMistakes out;
  // One error is enough, however often it leads back.
  if (("/" + path + "/").find("/../") != std::string::npos)
    out.push_back(invalid_field(field + ".path", path, "must not contain '..'"));
  const std::string type(text(source, "type"));
  if (std::find(types.begin(), types.end(), type) == types.end())
    out.push_back(unsupported_field(field + ".type", type, types));
  return out;
}

FieldMistakes wrong_source(std::string_view name, const Object& source, const std::string& volume) {
  // The one source that errors call by another name.
  const std::string field = volume + "." + (name == "gcePersistentDisk" ? "persistentDisk" : std::string(name));
  if (name == "projected") return wrong_projected_volume(source, field);
  if (name == "ephemeral") return wrong_ephemeral_volume(source, field);
  FieldMistakes out;
  for (const Demand& demand : demands) {
    if (demand.source != name || says(source, demand.field)) continue;
    out.push_back(required_field(field + "." + demand.field, demand.why));
  }
  const std::string path(text(source, "path"));
  if (name == "nfs" && !path.starts_with('/')) {
    out.push_back(invalid_field(field + ".path", path, "must be an absolute path"));
  }
  if (name == "hostPath" && !path.empty()) append(out, wrong_host_path(source, path, field));
  if (name == "flocker" && !says(source, "datasetName") && !says(source, "datasetUUID")) {
    out.push_back(required_field(field, "one of datasetName and datasetUUID is required"));
  }
  if (name == "fc" && !says(source, "targetWWNs") && !says(source, "wwids")) {
    out.push_back(required_field(field + ".targetWWNs", "must specify either targetWWNs or wwids, but not both"));
  }
  return out;
}

// The first of several sources counts.
FieldMistakes wrong_pod_volume(const Object& volume, const std::string& field) {
  FieldMistakes out;
  bool has_one = false;
  for (const std::string_view name : sources) {
    const Object& source = member(volume, name);
    if (source.is_null()) continue;
    if (has_one) {
      out.push_back(forbidden_field(field + "." + std::string(name), "may not specify more than 1 volume type"));
    } else {
      append(out, wrong_source(name, source, field));
    }
    has_one = true;
  }
  return out;
}

}  // namespace

FieldMistakes wrong_pod_volumes(const Object& spec) {
  FieldMistakes out;
  std::set<std::string> names;
  std::size_t at = 0;
  for (const Object& volume : member(spec, "volumes")) {
    const std::string field = "spec.volumes[" + std::to_string(at++) + "]";
    const std::string name(text(volume, "name"));
    append(out, wrong_part_name(field + ".name", name));
    if (!names.insert(name).second) out.push_back(duplicate_field(field + ".name", name));
    append(out, wrong_pod_volume(volume, field));
  }
  return out;
}

}  // namespace nodebound::validation
