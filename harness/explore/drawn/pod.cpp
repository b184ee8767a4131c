#include "harness/explore/drawn/pod.h"

#include "harness/explore/drawn/names.h"

namespace nodebound::explore {
namespace {

Object container(Chance& chance, const std::string& name) {
  Object out = {{"name", name}, {"image", "registry.invalid/none"}};
  if (chance.one_in(5)) {
    const char* const from = chance.pick({"secretKeyRef", "configMapKeyRef"});
    out["env"] = {{{"name", "VALUE"}, {"valueFrom", {{from, {{"name", drawn_name(chance)}, {"key", "key"}}}}}}};
  }
  if (chance.one_in(6)) {
    out["envFrom"] = {{{chance.pick({"secretRef", "configMapRef"}), {{"name", drawn_name(chance)}}}}};
  }
  return out;
}

void draw_resources(Chance& chance, Object& container) {
  Object& resources = container["resources"];
  if (!chance.one_in(3)) resources["requests"] = {{"cpu", chance.pick({"100m", "0.5", "1"})}};
  if (chance.one_in(2)) resources["limits"] = {{"cpu", chance.pick({"100m", "500m", "2"})}, {"memory", "1Gi"}};
  if (resources.is_null()) resources = Object::object();
}

void draw_settings(Chance& chance, Object& spec) {
  if (chance.one_in(12)) spec["hostNetwork"] = true;
  if (chance.one_in(12)) spec["activeDeadlineSeconds"] = chance.one_in(4) ? 0 : 60;
  if (chance.one_in(12)) spec["nodeSelector"] = {{"kubernetes.io/os", chance.pick({"linux", "not ok"})}};
  if (chance.one_in(12)) spec["terminationGracePeriodSeconds"] = chance.one_in(3) ? 0 : 5;
  if (chance.one_in(12)) spec["priorityClassName"] = chance.pick({"system-node-critical", "none"});
  if (chance.one_in(12)) {
    spec["tolerations"] = {{{"key", "dedicated"}, {"operator", chance.pick({"Exists", "Equal", "Like"})}}};
  }
  if (chance.one_in(8)) draw_resources(chance, spec["containers"][0]);
}

Object projected(Chance& chance) {
  Object sources = Object::array();
  if (chance.one_in(2)) sources.push_back({{"secret", {{"name", drawn_name(chance)}}}});
  if (chance.one_in(2)) sources.push_back({{"configMap", {{"name", drawn_name(chance)}}}});
  if (chance.one_in(3)) {
    const char* const path = chance.pick({"token", "token", "token", "dir/token", "../token", "/token"});
    sources.push_back({{"serviceAccountToken", {{"path", path}, {"audience", chance.pick({"vault", "ledger"})}}}});
  }
  return {{"sources", sources}};
}

Object volume(Chance& chance, const std::string& name) {
  Object out = {{"name", name}};
  switch (chance.below(7)) {
    case 0:
    case 1:
      out["secret"] = {{"secretName", drawn_name(chance)}};
      break;
    case 2:
      out["configMap"] = {{"name", drawn_name(chance)}};
      break;
    case 3:
      out["persistentVolumeClaim"] = {{"claimName", drawn_name(chance)}};
      break;
    case 4:
      out["projected"] = projected(chance);
      break;
    case 5:
      out["csi"] = {{"driver", "csi.example.com"}, {"nodePublishSecretRef", {{"name", drawn_name(chance)}}}};
      break;
    default:
      out["emptyDir"] = Object::object();
  }
  return out;
}

void spoil_pod(Chance& chance, Object& spec) {
  switch (chance.below(8)) {
    case 0:
      spec.erase("containers");
      break;
    case 1:
      spec["restartPolicy"] = "Sometimes";
      break;
    case 2:
      spec["containers"][0]["name"] = drawn_bad_name(chance);
      break;
    case 3:
      spec["containers"][0].erase("image");
      break;
    case 4:
      spec["containers"].push_back(spec["containers"][0]);
      break;
    case 5:
      spec["nodeName"] = drawn_bad_name(chance);
      break;
    case 6:
      spec["ephemeralContainers"] = {{{"name", "debug"}, {"image", "registry.invalid/none"}}};
      break;
    default:
      spec["containers"][0]["volumeMounts"] = {{{"name", "missing"}, {"mountPath", "/x"}}};
  }
}

}  // namespace

Object drawn_pod(Chance& chance, const std::string& node) {
  Object spec = {{"containers", {container(chance, "main")}}};
  if (!chance.one_in(4)) spec["nodeName"] = chance.one_in(4) || node.empty() ? drawn_node(chance) : node;
  if (chance.one_in(8)) spec["initContainers"] = {container(chance, "first")};
  const std::size_t volumes = chance.below(3);
  for (std::size_t at = 0; at < volumes; ++at) spec["volumes"].push_back(volume(chance, "v" + std::to_string(at)));
  if (chance.one_in(6)) spec["imagePullSecrets"] = {{{"name", drawn_name(chance)}}};
  Object pod;
  const bool mirror = !node.empty() && chance.one_in(3);
  if (mirror) {
    pod["metadata"]["annotations"]["kubernetes.io/config.mirror"] = "hash";
    const std::string owner = chance.one_in(8) ? drawn_node(chance) : node;
    Object reference = {
        {"apiVersion", "v1"}, {"kind", "Node"}, {"name", owner}, {"uid", "{uid /api/v1/nodes/" + owner + "}"}};
    if (!chance.one_in(5)) reference["controller"] = true;
    if (!chance.one_in(10)) pod["metadata"]["ownerReferences"] = {reference};
    // Mostly one that is otherwise valid.
    if (!chance.one_in(4)) spec.erase("volumes");
    if (!chance.one_in(4)) spec.erase("imagePullSecrets");
    if (!chance.one_in(4)) spec["containers"] = {{{"name", "main"}, {"image", "registry.invalid/none"}}};
    if (!chance.one_in(4)) spec.erase("initContainers");
  } else {
    if (chance.one_in(2)) spec["serviceAccountName"] = drawn_service_account(chance);
    if (!chance.one_in(4)) spec["automountServiceAccountToken"] = false;
  }
  draw_settings(chance, spec);
  if (chance.one_in(20)) spoil_pod(chance, spec);
  pod["spec"] = std::move(spec);
  return pod;
}

Object drawn_pod_status(Chance& chance) {
  Object out = {{"phase", chance.pick({"Running", "Failed", "Succeeded", "Pending"})}};
  if (chance.one_in(3)) out["conditions"] = {{{"type", "Ready"}, {"status", "True"}}};
  if (chance.one_in(4)) out["message"] = "seen";
  if (chance.one_in(8)) {
    out["resourceClaimStatuses"] = {{{"name", "claim"}, {"resourceClaimName", drawn_name(chance)}}};
  }
  return out;
}

}  // namespace nodebound::explore
