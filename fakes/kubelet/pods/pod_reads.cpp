#include "fakes/kubelet/pods/pod_reads.h"

#include <algorithm>
#include <set>

#include "fakes/wire/certificates/digest.h"
#include "reference/release/kubelet_trait_ids.h"

namespace nodebound::fake_kubelet {
namespace {

using Key = ReferencedObjects::Key;
using Kind = ReferencedObjects::Kind;

template <typename T>
void add(std::vector<T>& list, T item) {
  if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(std::move(item));
}

// Collects the names of all references marked as optional. Image pull Secrets are optional, too: if one is missing, the
// image is pulled without it.
void collect_optional(const Object& value, std::set<std::string>& names) {
  if (is_true(value, "optional")) {
    for (const char* key : {"name", "secretName"}) names.emplace(text(value, key));
  }
  for (const Object& item : member(value, "imagePullSecrets")) names.emplace(text(item, "name"));
  if (!value.is_structured()) return;
  for (const Object& item : value) collect_optional(item, names);
}

std::chrono::seconds lifetime_of(const Object& source) {
  const Object& lifetime = member(source, "expirationSeconds");
  return std::chrono::seconds(lifetime.is_number() ? lifetime.get<std::int64_t>() : 3600);
}

void add_projected(const KubeletSelf& self, const Object& volume, PodNeeds& out) {
  for (const Object& source : member(volume, "projected", "sources")) {
    if (member(source, "clusterTrustBundle").is_object()) out.trust_bundles = true;
    const Object& token = member(source, "serviceAccountToken");
    if (!token.is_object() || !self.traits->has(KubeletTrait::token_requests)) continue;
    add(out.tokens, PodToken{out.account, std::string(text(token, "audience")), lifetime_of(token)});
  }
}

void add_csi_tokens(const KubeletSelf& self, const CsiDriverSink::Known* driver, PodNeeds& out) {
  if (driver == nullptr || !self.traits->has(KubeletTrait::csi_driver_tokens)) return;
  for (const std::string& audience : driver->audiences) add(out.tokens, PodToken{out.account, audience});
}

}  // namespace

PodNeeds needs_of(const KubeletSelf& self, const Object& pod) {
  PodNeeds out;
  std::set<std::string> optional;
  collect_optional(member(pod, "spec"), optional);
  const References named = self.traits->references->named_by(pod);
  for (const NodeGraph::Reference& reference : named.items) {
    const std::string name(reference.name);
    if (reference.kind == ObjectKind::secret || reference.kind == ObjectKind::configmap) {
      const Kind kind = reference.kind == ObjectKind::secret ? Kind::secret : Kind::configmap;
      const Key key{kind, std::string(reference.namespace_), name};
      add(out.objects, key);
      if (optional.contains(name)) add(out.optional, key);
    } else if (reference.kind == ObjectKind::persistentvolumeclaim) {
      add(out.claims, name);
    } else if (reference.kind == ObjectKind::resourceclaim && self.uses_claims()) {
      add(out.resource_claims, name);
    }
  }
  out.account = text(pod, "spec", "serviceAccountName");
  for (const Object& volume : member(pod, "spec", "volumes")) add_projected(self, volume, out);
  return out;
}

bool PodReader::read_objects(const PodNeeds& needs) {
  bool all = true;
  for (const Key& key : needs.objects) {
    const ReferencedObjects::Found found = objects_.read(self_, key);
    const bool optional = std::find(needs.optional.begin(), needs.optional.end(), key) != needs.optional.end();
    all = (found == ReferencedObjects::Found::there || (optional && found == ReferencedObjects::Found::missing)) && all;
  }
  return all;
}

bool PodReader::read(const PodId& pod, PodNeeds& needs) {
  if (needs.trust_bundles) informers_.need_trust_bundles(self_);
  bool all = read_objects(needs);
  for (const std::string& claim : needs.resource_claims) {
    all = self_
              .get("/apis/resource.k8s.io/" + self_.traits->resource_claims_version + "/namespaces/" + pod.namespace_ +
                   "/resourceclaims/" + claim)
              .ok() &&
          all;
  }
  for (const std::string& claim : needs.claims) all = read_claim(pod, claim, needs) && all;
  return request_tokens(pod, needs.tokens) && all;
}

bool PodReader::read_claim(const PodId& pod, const std::string& name, PodNeeds& needs) {
  const ApiAnswer found = self_.get("/api/v1/namespaces/" + pod.namespace_ + "/persistentvolumeclaims/" + name);
  if (!found.ok()) return false;
  const Object claim = found.object();
  const std::string volume_name(text(claim, "spec", "volumeName"));
  if (volume_name.empty()) return false;
  const ApiAnswer bound = self_.get("/api/v1/persistentvolumes/" + volume_name);
  if (!bound.ok()) return false;
  const Object volume = bound.object();
  if (!read_csi_volume(volume, needs)) return false;
  grow(pod, claim, volume);
  return true;
}

// Volume plugins read a volume's Secrets, always with a get.
bool PodReader::read_csi_volume(const Object& volume, PodNeeds& needs) {
  const Object& csi = member(volume, "spec", "csi");
  if (!csi.is_object() || self_.traits->volumeattachments_version.empty()) return true;
  const std::string driver(text(csi, "driver"));
  const CsiDriverSink::Known* const known = informers_.csi_drivers().find(driver);
  if ((known == nullptr || known->attached) && !is_attached(driver, std::string(text(csi, "volumeHandle")))) {
    return false;
  }
  add_csi_tokens(self_, known, needs);
  for (const char* which : {"nodeStageSecretRef", "nodePublishSecretRef"}) {
    const Object& secret = member(csi, which);
    if (!secret.is_object()) continue;
    const Key key{Kind::secret, std::string(text(secret, "namespace")), std::string(text(secret, "name"))};
    if (!self_.get(target_of(key)).ok()) return false;
  }
  return true;
}

bool PodReader::is_attached(const std::string& driver, const std::string& handle) {
  const std::string attachments =
      "/apis/storage.k8s.io/" + self_.traits->volumeattachments_version + "/volumeattachments";
  const std::string name = attachment_name(handle, driver, self_.name);
  const ApiAnswer found = self_.get(attachments + "/" + name);
  if (!found.ok()) return false;
  if (is_true(found.object(), "status", "attached")) return true;
  if (self_.traits->has(KubeletTrait::volumeattachments_watch)) {
    self_.watch(attachments + "?watch=true&fieldSelector=" + percent_encoded("metadata.name=" + name) +
                "&resourceVersion=" + std::string(text(found.object(), "metadata", "resourceVersion")));
  }
  return false;
}

void PodReader::grow(const PodId& pod, const Object& claim, const Object& volume) {
  if (!self_.traits->has(KubeletTrait::claim_status)) return;
  const Object& conditions = member(claim, "status", "conditions");
  const bool pending = std::any_of(conditions.begin(), conditions.end(), [](const Object& condition) {
    return text(condition, "type") == "FileSystemResizePending" && text(condition, "status") == "True";
  });
  if (!pending) return;
  const Object& storage = member(volume, "spec", "capacity", "storage");
  const Object done = {{"$patch", "delete"}, {"type", "FileSystemResizePending"}};
  self_.patch("/api/v1/namespaces/" + pod.namespace_ + "/persistentvolumeclaims/" +
                  std::string(text(claim, "metadata", "name")) + "/status",
              {{"status", {{"capacity", {{"storage", storage}}}, {"conditions", Object::array({done})}}}});
}

bool PodReader::request_tokens(const PodId& pod, const std::vector<PodToken>& tokens) {
  bool all = true;
  const Object bound = {{"apiVersion", "v1"}, {"kind", "Pod"}, {"name", pod.name}, {"uid", pod.uid}};
  for (const PodToken& token : tokens) {
    Object spec = {{"expirationSeconds", token.lasts.count()}, {"boundObjectRef", bound}};
    spec["audiences"] = token.audience.empty() ? Object::array() : Object::array({token.audience});
    all = self_
              .post("/api/v1/namespaces/" + pod.namespace_ + "/serviceaccounts/" + token.account + "/token",
                    {{"apiVersion", "authentication.k8s.io/v1"}, {"kind", "TokenRequest"}, {"spec", spec}})
              .ok() &&
          all;
  }
  return all;
}

// The name that pkg/volume/csi/csi_attacher.go makes.
std::string attachment_name(const std::string& handle, const std::string& driver, const std::string& node) {
  return "csi-" + sha256_hex(handle + driver + node);
}

}  // namespace nodebound::fake_kubelet
