#include "fakes/apiserver/write/computed_fields.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include "fakes/validation/kinds.h"
#include "reference/admission/certificate_signing_request.h"
#include "reference/encoding/base64.h"

namespace nodebound {
namespace {

/// Calls `visit` for each item of a list in an object, so that it can change it; does nothing without the list.
void each_item(Object& object, const char* list, const std::function<void(Object&)>& visit) {
  if (!member(object, list).is_array()) return;
  for (Object& item : object[list]) {
    if (item.is_object()) visit(item);
  }
}

// pods ---------------------------------------------------------------------------------------------------------------

// An image without a tag or with the tag `latest` may change; an image with a digest may not.
const char* pull_policy_of(std::string_view image) {
  if (image.find('@') != std::string_view::npos) return "IfNotPresent";
  const std::string_view name = image.substr(image.rfind('/') == std::string_view::npos ? 0 : image.rfind('/') + 1);
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos || name.substr(colon + 1) == "latest" ? "Always" : "IfNotPresent";
}

void decode_container(Object& container, bool host_network) {
  if (text(container, "imagePullPolicy").empty()) {
    container["imagePullPolicy"] = pull_policy_of(text(container, "image"));
  }
  if (member(container, "resources", "limits").is_object()) {
    Object& resources = container["resources"];
    for (const auto& [name, quantity] : resources["limits"].items()) {
      if (member(resources, "requests", name).is_null()) resources["requests"][name] = quantity;
    }
  }
  if (!host_network) return;
  each_item(container, "ports", [](Object& port) {
    if (member(port, "hostPort").is_null()) port["hostPort"] = member(port, "containerPort");
  });
}

void decode_pod(Object& pod) {
  if (!member(pod, "spec").is_object()) return;
  Object& spec = pod["spec"];
  const bool host_network = is_true(spec, "hostNetwork");
  for (const char* list : {"containers", "initContainers", "ephemeralContainers"}) {
    each_item(spec, list, [&](Object& container) { decode_container(container, host_network); });
  }
  // The field's old name; conversion still reads and writes it.
  if (text(spec, "serviceAccountName").empty() && !text(spec, "serviceAccount").empty()) {
    spec["serviceAccountName"] = spec["serviceAccount"];
  }
  if (!text(spec, "serviceAccountName").empty()) spec["serviceAccount"] = spec["serviceAccountName"];
  if (text(spec, "nodeName").empty()) spec.erase("nodeName");
  each_item(spec, "volumes", [](Object& volume) {
    const Object& projected = member(volume, "projected");
    if (projected.is_object() && member(projected, "sources").empty()) volume["projected"]["sources"] = nullptr;
  });
}

void prepare_pod(Object& pod) {
  if (text(pod, "status", "qosClass").empty()) pod["status"]["qosClass"] = quality_of_service(member(pod, "spec"));
}

// services -----------------------------------------------------------------------------------------------------------

constexpr int first_node_port = 30000;
constexpr int last_node_port = 32767;

void decode_service(Object& service) {
  if (!member(service, "spec").is_object()) return;
  each_item(service["spec"], "ports", [](Object& port) {
    if (member(port, "targetPort").is_null()) port["targetPort"] = member(port, "port");
  });
}

/// The addresses and node ports that services already have.
struct Taken {
  std::set<std::string> addresses;
  std::set<int> ports;
};

Taken taken_of(const Cluster& cluster) {
  Taken out;
  cluster.each("", "services", "", [&](const ObjectKey&, const Object& service) {
    out.addresses.emplace(text(service, "spec", "clusterIP"));
    for (const Object& port : member(service, "spec", "ports")) {
      const Object& number = member(port, "nodePort");
      if (number.is_number_integer()) out.ports.insert(number.get<int>());
    }
  });
  return out;
}

// The first address belongs to the API server's own Service.
std::string free_address(const Taken& taken) {
  for (int last = 2; last < 255; ++last) {
    std::string address = "10.0.0." + std::to_string(last);
    if (!taken.addresses.contains(address)) return address;
  }
  for (int third = 1;; ++third) {
    for (int last = 0; last < 256; ++last) {
      std::string address = "10.0." + std::to_string(third) + "." + std::to_string(last);
      if (!taken.addresses.contains(address)) return address;
    }
  }
}

void prepare_service(const WriteContext& write, Object& service) {
  Object& spec = service["spec"];
  const std::string_view type = text(spec, "type");
  if (type == "ExternalName") return;
  Taken taken = taken_of(write.cluster);
  if (text(spec, "clusterIP").empty()) spec["clusterIP"] = free_address(taken);
  if (write.defaults.has("cluster-ips") && !spec.contains("clusterIPs")) {
    spec["clusterIPs"] = Object::array({spec["clusterIP"]});
  }
  if (type != "NodePort" && type != "LoadBalancer") return;
  each_item(spec, "ports", [&](Object& port) {
    if (member(port, "nodePort").is_number_integer()) return;
    int number = first_node_port;
    while (number < last_node_port && taken.ports.contains(number)) ++number;
    taken.ports.insert(number);
    port["nodePort"] = number;
  });
}

// others -------------------------------------------------------------------------------------------------------------

void decode_secret(Object& secret) {
  const Object strings = member(secret, "stringData");
  if (!strings.is_object()) return;
  for (const auto& [key, value] : strings.items()) {
    if (value.is_string()) secret["data"][key] = base64_encode(value.get<std::string>());
  }
  secret.erase("stringData");
}

void decode_node(const WriteContext& write, Object& node) {
  const std::string cidr(text(node, "spec", "podCIDR"));
  if (write.defaults.has("pod-cidrs") && !cidr.empty() && !node["spec"].contains("podCIDRs")) {
    node["spec"]["podCIDRs"] = {cidr};
  }
  const Object& capacity = member(node, "status", "capacity");
  if (capacity.is_object() && !node["status"].contains("allocatable")) {
    node["status"]["allocatable"] = Object(capacity);
  }
}

void drop_unknown_fields(const WriteContext& write, Object& object) {
  if (!member(object, "status").is_object()) return;
  for (const std::string& name : unknown_status_fields(write)) object["status"].erase(name);
}

void label_namespace(const WriteContext& write, Object& object) {
  if (!write.defaults.has("namespace-label")) return;
  object["metadata"]["labels"]["kubernetes.io/metadata.name"] = text(object, "metadata", "name");
}

void decode_binding(Object& binding) {
  each_item(binding, "subjects", [](Object& subject) {
    const std::string_view kind = text(subject, "kind");
    if ((kind == "User" || kind == "Group") && text(subject, "apiGroup").empty()) {
      subject["apiGroup"] = "rbac.authorization.k8s.io";
    }
  });
}

// The signer of a request that names none: a kubelet's, judged by its name and usages, or else the legacy-unknown
// signer (DefaultSignerNameFromSpec in pkg/apis/certificates/v1beta1/defaults.go).
const char* signer_by_content(const Object& spec) {
  const Object& usages = member(spec, "usages");
  const auto is_for = [&](const char* usage) { return std::find(usages.begin(), usages.end(), usage) != usages.end(); };
  const auto pem = base64_decode(text(spec, "request"));
  const bool of_node = pem && common_name_of(*pem).value_or("").starts_with("system:node:");
  if (!of_node || is_for("client auth") == is_for("server auth")) return "kubernetes.io/legacy-unknown";
  return is_for("server auth") ? "kubernetes.io/kubelet-serving" : "kubernetes.io/kube-apiserver-client-kubelet";
}

// Sets the times of conditions that a client has left for the server to set.
void decode_signing_request(const WriteContext& write, Object& request) {
  const bool says = !text(request, "spec", "signerName").empty() || !member(request, "spec").is_object();
  if (!says && write.resource.version == "v1beta1" && write.defaults.has("signing-request-signer")) {
    request["spec"]["signerName"] = signer_by_content(request["spec"]);
  }
  if (!member(request, "status").is_object()) return;
  each_item(request["status"], "conditions", [&](Object& condition) {
    for (const char* field : {"lastUpdateTime", "lastTransitionTime"}) {
      if (member(condition, field).is_null()) condition[field] = write.now;
    }
  });
}

// Removes owner references that occur twice (dedupOwnerReferences in apiserver's endpoints/handlers/rest.go).
void say_owners_once(Object& object) {
  if (!member(object, "metadata", "ownerReferences").is_array()) return;
  Object once = Object::array();
  std::set<Object> seen;
  for (const Object& owner : object["metadata"]["ownerReferences"]) {
    if (seen.insert(owner).second) once.push_back(owner);
  }
  object["metadata"]["ownerReferences"] = std::move(once);
}

// The server overwrites what the request says of its requester.
void prepare_signing_request(const WriteContext& write, Object& request) {
  Object& spec = request["spec"];
  for (const char* field : {"username", "uid", "groups", "extra"}) spec.erase(field);
  spec["username"] = write.subject.name;
  if (!write.subject.uid.empty()) spec["uid"] = write.subject.uid;
  if (!write.subject.groups.empty()) spec["groups"] = write.subject.groups;
  if (!write.subject.extra.empty()) spec["extra"] = write.subject.extra;
  request["status"] = Object::object();
}

void drop_resource_claims(const WriteContext& write, const Object& before, Object& spec) {
  if (write.defaults.has("pod-resource-claims") || !member(before, "spec", "resourceClaims").empty()) return;
  spec.erase("resourceClaims");
  for (const char* list : {"containers", "initContainers"}) {
    each_item(spec, list, [](Object& container) {
      if (member(container, "resources").is_object()) container["resources"].erase("claims");
    });
  }
}

bool projects(const Object& pod, const char* kind) {
  for (const Object& volume : member(pod, "spec", "volumes")) {
    for (const Object& source : member(volume, "projected", "sources")) {
      if (!member(source, kind).is_null()) return true;
    }
  }
  return false;
}

void drop_projections(const WriteContext& write, const Object& before, Object& spec) {
  for (const auto& [kind, feature] : {std::pair("clusterTrustBundle", "projected-trust-bundles"),
                                      std::pair("podCertificate", "projected-pod-certificates")}) {
    if (write.defaults.has(feature) || projects(before, kind)) continue;
    each_item(spec, "volumes", [kind = kind](Object& volume) {
      if (!member(volume, "projected").is_object()) return;
      each_item(volume["projected"], "sources", [kind](Object& source) { source.erase(kind); });
    });
  }
}

// The store does not tell an empty list from a missing one, and JSON must contain a required list.
void decode_csi_node(Object& node) {
  if (member(node, "spec").is_object() && member(node, "spec", "drivers").empty()) node["spec"]["drivers"] = nullptr;
}

}  // namespace

std::vector<std::string> unknown_status_fields(const WriteContext& write) {
  struct Field {
    const char* resource;
    const char* name;
    const char* known;  ///< id in defaults.toml of the releases that know the field
  };
  static constexpr std::array<Field, 3> fields = {
      {{"pods", "extendedResourceClaimStatus", "pod-extended-claim-status"},
       {"persistentvolumeclaims", "resizeStatus", "claim-resize-status"},
       {"persistentvolumeclaims", "allocatedResourceStatuses", "claim-resize-statuses"}}};
  std::vector<std::string> out;
  for (const Field& field : fields) {
    if (write.resource.resource == field.resource && !write.defaults.has(field.known)) out.emplace_back(field.name);
  }
  return out;
}

void decode(const WriteContext& write, Object& object) {
  const ApiResource& resource = write.resource;
  write.defaults.apply(resource.group, resource.resource, Defaults::By::decoder, object);
  if (write.defaults.has("owners-said-once")) say_owners_once(object);
  if (resource.group == "rbac.authorization.k8s.io") decode_binding(object);
  if (resource.resource == "csinodes") decode_csi_node(object);
  if (resource.resource == "certificatesigningrequests") decode_signing_request(write, object);
  if (!resource.group.empty()) return;
  drop_unknown_fields(write, object);
  if (resource.resource == "pods") decode_pod(object);
  if (resource.resource == "secrets") decode_secret(object);
  if (resource.resource == "services") decode_service(object);
  if (resource.resource == "nodes") decode_node(write, object);
  if (resource.resource == "namespaces") label_namespace(write, object);
}

void prepare_for_create(const WriteContext& write, Object& object) {
  const std::string& resource = write.resource.resource;
  // From here on the status is the server's; the submitted one is gone.
  for (const Defaults::By by : {Defaults::By::strategy, Defaults::By::decoder}) {
    write.defaults.apply(write.resource.group, resource, by, object);
  }
  if (write.resource.group == "certificates.k8s.io" && resource == "certificatesigningrequests") {
    prepare_signing_request(write, object);
  }
  if (!write.resource.group.empty()) return;
  if (resource == "pods") prepare_pod(object);
  if (resource == "services") prepare_service(write, object);
  if (resource == "namespaces") label_namespace(write, object);
  if (resource == "nodes" && !write.defaults.has("config-source")) object["spec"].erase("configSource");
  if (resource == "persistentvolumes" && write.defaults.has("phase-transition-time")) {
    object["status"]["lastPhaseTransitionTime"] = write.now;
  }
}

// A pod that already uses a disabled feature keeps it, here and below.
void drop_disabled(const WriteContext& write, const Object& before, Object& object) {
  if (!write.resource.group.empty() || write.resource.resource != "pods") return;
  if (!member(object, "spec").is_object()) return;
  drop_resource_claims(write, before, object["spec"]);
  drop_projections(write, before, object["spec"]);
}

void count_generation(const Object& before, Object& after) {
  const Object& was = member(before, "metadata", "generation");
  if (!was.is_number_integer()) return;
  const bool changed = member(before, "spec") != member(after, "spec");
  after["metadata"]["generation"] = was.get<std::int64_t>() + (changed ? 1 : 0);
}

}  // namespace nodebound
