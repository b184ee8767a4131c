#include "fakes/kubelet/informers.h"

#include <algorithm>

#include "reference/release/kubelet_trait_ids.h"

namespace nodebound::fake_kubelet {
namespace {

bool keeps(const KubeletSelf& self) {
  return self.options->keeps == KubeletOptions::Keeps::all;
}

std::optional<Reflector> of_group(const KubeletSelf& self, const char* group, const std::string& version,
                                  const char* resource, const std::string& selector = {}) {
  if (version.empty()) return std::nullopt;
  return Reflector({std::string("/apis/") + group + "/" + version + "/" + resource, selector}, keeps(self));
}

}  // namespace

const CsiDriverSink::Known* CsiDriverSink::find(const std::string& driver) const {
  const auto found = known_.find(driver);
  return found == known_.end() ? nullptr : &found->second;
}

void CsiDriverSink::listed(const Object& items) {
  known_.clear();
  for (const Object& item : items) changed(item);
}

void CsiDriverSink::changed(const Object& object) {
  Known& known = known_[std::string(text(object, "metadata", "name"))];
  known = {};
  const Object& attach = member(object, "spec", "attachRequired");
  known.attached = attach.is_null() || attach == true;
  for (const Object& request : member(object, "spec", "tokenRequests")) {
    known.audiences.emplace_back(text(request, "audience"));
  }
}

void CsiDriverSink::deleted(const Object& object) {
  known_.erase(std::string(text(object, "metadata", "name")));
}

Informers::Informers(KubeletSelf& self)
    : node_sink_(self),
      services_({"/api/v1/services", self.traits->services_selector}, keeps(self)),
      node_({"/api/v1/nodes", "metadata.name=" + self.name}, true),
      runtime_classes_(of_group(self, "node.k8s.io", self.traits->runtimeclasses_version, "runtimeclasses")),
      drivers_(of_group(self, "storage.k8s.io", self.traits->csidrivers_version, "csidrivers")),
      pod_certificates_(of_group(self, "certificates.k8s.io", self.traits->pod_certificates_version,
                                 "podcertificaterequests", "spec.nodeName=" + self.name)) {}

KubeletTime Informers::due() const {
  KubeletTime out = std::min(services_.due(), node_.due());
  for (const auto* reflector : {&runtime_classes_, &drivers_, &pod_certificates_, &trust_bundles_, &config_}) {
    if (*reflector) out = std::min(out, (*reflector)->due());
  }
  return out;
}

void Informers::act(KubeletSelf& self) {
  services_.act(self, no_sink());
  node_.act(self, node_sink_);
  if (runtime_classes_) runtime_classes_->act(self, no_sink());
  if (drivers_) drivers_->act(self, csi_drivers_);
  if (pod_certificates_) pod_certificates_->act(self, no_sink());
  if (trust_bundles_) trust_bundles_->act(self, no_sink());
  follow_config(self);
}

void Informers::follow_config(KubeletSelf& self) {
  const OwnNode& node = self.node;
  if (!self.traits->has(KubeletTrait::dynamic_config) || node.config_name.empty()) {
    config_.reset();
    return;
  }
  if (!config_) {
    config_.emplace(Reflector::Collection{"/api/v1/namespaces/" + node.config_namespace + "/configmaps",
                                          "metadata.name=" + node.config_name},
                    keeps(self));
  }
  config_->act(self, no_sink());
}

void Informers::need_trust_bundles(const KubeletSelf& self) {
  if (trust_bundles_) return;
  trust_bundles_ = of_group(self, "certificates.k8s.io", self.traits->trust_bundles_version, "clustertrustbundles");
}

void Informers::drop() {
  services_.drop();
  node_.drop();
  for (auto* reflector : {&runtime_classes_, &drivers_, &pod_certificates_, &trust_bundles_, &config_}) {
    if (*reflector) (*reflector)->drop();
  }
}

}  // namespace nodebound::fake_kubelet
