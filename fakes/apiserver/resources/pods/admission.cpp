#include "fakes/apiserver/resources/pods/admission.h"

#include <algorithm>

#include "fakes/apiserver/pipeline/admission.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::apiserver {
namespace {

constexpr const char* token_directory = "/var/run/secrets/kubernetes.io/serviceaccount";

// ServiceAccount (plugin/pkg/admission/serviceaccount) ---------------------------------------------------------------

// A lifetime slightly above the usual hour marks the tokens of this volume.
Object token_volume(const std::string& name) {
  const Object token = {{"serviceAccountToken", {{"expirationSeconds", 3607}, {"path", "token"}}}};
  const Object authorities = {
      {"configMap",
       {{"name", "kube-root-ca.crt"}, {"items", Object::array({{{"key", "ca.crt"}, {"path", "ca.crt"}}})}}}};
  const Object field = {{"apiVersion", "v1"}, {"fieldPath", "metadata.namespace"}};
  const Object namespace_ = {
      {"downwardAPI", {{"items", Object::array({{{"path", "namespace"}, {"fieldRef", field}}})}}}};
  return {{"name", name},
          {"projected", {{"sources", Object::array({token, authorities, namespace_})}, {"defaultMode", 420}}}};
}

bool has_token_volume(const Object& spec) {
  const Object& volumes = member(spec, "volumes");
  return std::any_of(volumes.begin(), volumes.end(),
                     [](const Object& volume) { return text(volume, "name").starts_with("kube-api-access-"); });
}

bool wants_token(const Object& account, const Object& spec) {
  const Object& own = member(spec, "automountServiceAccountToken");
  const Object& general = member(account, "automountServiceAccountToken");
  return own.is_boolean() ? own.get<bool>() : !general.is_boolean() || general.get<bool>();
}

void mount_token(Object& spec, const std::string& volume) {
  const Object mount = {{"name", volume}, {"readOnly", true}, {"mountPath", token_directory}};
  bool mounted = false;
  for (const char* list : {"initContainers", "containers"}) {
    if (!member(spec, list).is_array()) continue;
    for (Object& container : spec[list]) {
      const Object& mounts = member(container, "volumeMounts");
      const bool own = std::any_of(mounts.begin(), mounts.end(),
                                   [](const Object& m) { return text(m, "mountPath") == token_directory; });
      if (own || !container.is_object()) continue;
      container["volumeMounts"].push_back(mount);
      mounted = true;
    }
  }
  if (mounted) spec["volumes"].push_back(token_volume(volume));
}

HttpResponse no_service_account(const WriteContext& write, const Object& pod) {
  const std::string in(text(pod, "metadata", "namespace"));
  const std::string name(text(pod, "spec", "serviceAccountName"));
  return forbidden_by_admission(
      write.resource, name_in_refusal(pod),
      "error looking up service account " + in + "/" + name + ": serviceaccount " + go_quoted(name) + " not found");
}

// DefaultTolerationSeconds -------------------------------------------------------------------------------------------

bool tolerates(const Object& spec, std::string_view key) {
  const Object& tolerations = member(spec, "tolerations");
  return std::any_of(tolerations.begin(), tolerations.end(), [&](const Object& toleration) {
    const std::string_view of = text(toleration, "key");
    const std::string_view effect = text(toleration, "effect");
    return (of.empty() || of == key) && (effect.empty() || effect == "NoExecute");
  });
}

void tolerate_for_a_while(Object& spec) {
  for (const char* key : {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"}) {
    if (tolerates(spec, key)) continue;
    spec["tolerations"].push_back(
        {{"key", key}, {"operator", "Exists"}, {"effect", "NoExecute"}, {"tolerationSeconds", 300}});
  }
}

// Priority -----------------------------------------------------------------------------------------------------------

/// The PriorityClass of a pod that names none; null if there is no default class.
ObjectPtr default_class(const Cluster& cluster) {
  ObjectPtr found;
  cluster.each_shared("scheduling.k8s.io", "priorityclasses", "",
                      [&](const std::string&, const std::string&, const ObjectPtr& own) {
                        const bool lower = found == nullptr || member(*own, "value") < member(*found, "value");
                        if (is_true(*own, "globalDefault") && lower) found = own;
                      });
  return found;
}

std::optional<HttpResponse> give_priority(const WriteContext& write, Object& pod) {
  Object& spec = pod["spec"];
  const std::string name(text(spec, "priorityClassName"));
  const ObjectPtr of = name.empty() ? default_class(write.cluster)
                                    : write.cluster.find("scheduling.k8s.io", "priorityclasses", "", name);
  if (of == nullptr && !name.empty()) {
    if (!write.whole_cluster) return std::nullopt;
    return forbidden_by_admission(write.resource, name_in_refusal(pod),
                                  "no PriorityClass with name " + name + " was found");
  }
  const Object value = of == nullptr ? Object() : member(*of, "value");
  if (of != nullptr && name.empty()) spec["priorityClassName"] = text(*of, "metadata", "name");
  spec["priority"] = value.is_number_integer() ? value : Object(0);
  if (!write.defaults.does(Behaviour::preemption_policy) || !member(spec, "preemptionPolicy").is_null())
    return std::nullopt;
  const std::string_view policy = of == nullptr ? std::string_view() : text(*of, "preemptionPolicy");
  spec["preemptionPolicy"] = policy.empty() ? "PreemptLowerPriority" : policy;
  return std::nullopt;
}

// RuntimeClass -------------------------------------------------------------------------------------------------------

std::optional<HttpResponse> give_overhead(const WriteContext& write, Object& pod) {
  if (!write.whole_cluster) return std::nullopt;
  const auto rejected = [&](const std::string& why) {
    return forbidden_by_admission(write.resource, name_in_refusal(pod), "pod rejected: " + why);
  };
  const std::string name(text(pod, "spec", "runtimeClassName"));
  const ObjectPtr of = name.empty() ? nullptr : write.cluster.find("node.k8s.io", "runtimeclasses", "", name);
  if (of == nullptr && !name.empty()) return rejected("RuntimeClass " + go_quoted(name) + " not found");
  const Object fixed = of == nullptr ? Object() : member(*of, "overhead", "podFixed");
  const Object& own = member(pod, "spec", "overhead");
  if (of == nullptr || member(*of, "overhead").is_null()) {
    if (own.is_null()) return std::nullopt;
    return rejected("Pod Overhead set without corresponding RuntimeClass defined Overhead");
  }
  if (!own.is_null() && own != fixed) return rejected("Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  pod["spec"]["overhead"] = fixed;
  return std::nullopt;
}

}  // namespace

std::optional<HttpResponse> give_service_account(const WriteContext& write, const std::string& suffix, Object& pod) {
  if (!write.defaults.does(Behaviour::service_account) || is_mirror_pod(pod) || !member(pod, "spec").is_object()) {
    return std::nullopt;
  }
  Object& spec = pod["spec"];
  if (text(spec, "serviceAccountName").empty()) spec["serviceAccountName"] = "default";
  const std::string in(text(pod, "metadata", "namespace"));
  const std::string name(text(spec, "serviceAccountName"));
  spec["serviceAccount"] = name;
  const ObjectPtr account = write.cluster.find("", "serviceaccounts", in, name);
  if (account == nullptr) return write.whole_cluster ? std::optional(no_service_account(write, pod)) : std::nullopt;
  if (write.defaults.does(Behaviour::token_volume) && wants_token(*account, spec) && !has_token_volume(spec)) {
    mount_token(spec, "kube-api-access-" + suffix);
  }
  const Object& secrets = member(*account, "imagePullSecrets");
  if (!secrets.empty() && member(spec, "imagePullSecrets").empty()) spec["imagePullSecrets"] = secrets;
  return std::nullopt;
}

std::optional<HttpResponse> refused_by_service_account(const WriteContext& write, const Object& pod) {
  if (!write.defaults.does(Behaviour::ephemeral_service_account) || is_mirror_pod(pod)) return std::nullopt;
  const std::string in(text(pod, "metadata", "namespace"));
  const std::string_view account = text(pod, "spec", "serviceAccountName");
  if (account.empty()) {
    return forbidden_by_admission(
        write.resource, name_in_refusal(pod),
        "no service account specified for pod " + in + "/" + std::string(text(pod, "metadata", "name")));
  }
  const bool known = write.cluster.find("", "serviceaccounts", in, account) != nullptr;
  return known ? std::nullopt : std::optional(no_service_account(write, pod));
}

std::optional<HttpResponse> admit_pod(const WriteContext& write, Object& pod) {
  if (!member(pod, "spec").is_object()) return std::nullopt;
  if (write.defaults.does(Behaviour::priority)) {
    if (auto refusal = give_priority(write, pod)) return refusal;
  }
  if (write.defaults.does(Behaviour::toleration_seconds)) tolerate_for_a_while(pod["spec"]);
  return std::nullopt;
}

std::optional<HttpResponse> admit_pod_last(const WriteContext& write, Object& pod) {
  if (!member(pod, "spec").is_object()) return std::nullopt;
  if (write.defaults.does(Behaviour::topology_labels)) copy_topology_labels(write.cluster, pod);
  return write.defaults.does(Behaviour::pod_overhead) ? give_overhead(write, pod) : std::nullopt;
}

void admit_pod_change(const WriteContext& write, const Object& before, Object& pod) {
  if (!member(pod, "spec").is_object()) return;
  if (write.defaults.does(Behaviour::priority)) {
    for (const char* field : {"priority", "preemptionPolicy"}) {
      const Object& was = member(before, "spec", field);
      if (member(pod, "spec", field).is_null() && !was.is_null()) pod["spec"][field] = was;
    }
  }
  if (write.defaults.does(Behaviour::toleration_seconds)) tolerate_for_a_while(pod["spec"]);
}

void copy_topology_labels(const Cluster& cluster, Object& pod) {
  const std::string_view name = text(pod, "spec", "nodeName");
  const ObjectPtr node = name.empty() ? nullptr : cluster.find("", "nodes", "", name);
  if (node == nullptr) return;
  for (const char* label : {"topology.kubernetes.io/region", "topology.kubernetes.io/zone"}) {
    const Object& value = member(*node, "metadata", "labels", label);
    if (value.is_string()) pod["metadata"]["labels"][label] = value;
  }
}

}  // namespace nodebound::apiserver
