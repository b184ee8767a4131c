#include "fakes/kubelet/fake_kubelet.h"

#include <algorithm>

#include "reference/release/kubelet_trait_ids.h"

namespace nodebound::fake_kubelet {

FakeKubelet::FakeKubelet(Identity identity, std::unique_ptr<KubeletLine> line, std::function<void()> wake)
    : self_(std::move(identity.traits), std::move(identity.options), std::move(identity.node), std::move(line),
            std::move(wake), std::move(identity.machine)),
      labels_verdict_(check_node_labels(*self_.traits, *self_.options)),
      client_certificate_(self_, false, !self_.options->bootstrap, self_.options->certificate),
      informers_(self_),
      pods_(self_, informers_) {
  if (self_.options->bootstrap) self_.credential = KubeletCredential::bootstrap;
  if (self_.options->serving_csr) serving_certificate_.emplace(self_, true, false);
  const bool removes = self_.traits->has(KubeletTrait::resource_slices_removed) && self_.uses_claims();
  if (!removes) slices_due_ = KubeletTime::max();
}

FakeKubelet::~FakeKubelet() = default;

bool FakeKubelet::watches_pods() const {
  switch (self_.traits->pods_after) {
    case KubeletTraits::PodsAfter::nothing:
      return true;
    case KubeletTraits::PodsAfter::list:
      return self_.node.listed;
    case KubeletTraits::PodsAfter::node:
      return !self_.node.uid.empty();
  }
  return true;
}

KubeletTime FakeKubelet::next() const {
  if (!labels_verdict_.exit.empty()) return KubeletTime::max();
  if (self_.bell->rung()) return KubeletTime();
  KubeletTime out = client_certificate_.due();
  if (!client_certificate_.there()) return out;
  out = std::min({out, informers_.due(), registration_.due(), slices_due_});
  if (watches_pods()) out = std::min(out, pods_.due());
  if (!registered()) return out;
  out = std::min({out, status_.due(), lease_.due(), csi_node_.due()});
  if (pods_.synced() && !self_.options->static_pods.empty()) out = std::min(out, mirror_pods_.due());
  if (serving_certificate_) out = std::min(out, serving_certificate_->due());
  return out;
}

void FakeKubelet::act(KubeletTime now) {
  if (!labels_verdict_.exit.empty()) return;
  self_.now = now;
  self_.rung = self_.bell->answer();
  client_certificate_.act();
  if (!client_certificate_.there()) return;
  informers_.act(self_);
  if (slices_due_ <= now) remove_slices();
  if (!registered()) {
    registration_.act(self_);
    // The watch of the Node comes first, because other parts wait for its news.
    if (registered()) {
      self_.rung = true;
      informers_.act(self_);
      self_.tell({{"kind", "Node"}, {"name", self_.name}, {"uid", self_.name}}, "default", "Starting",
                 "Starting kubelet.");
    }
  }
  if (registered()) {
    status_.act(self_);
    lease_.act(self_);
    csi_node_.act(self_);
  }
  if (watches_pods()) pods_.act();
  if (!registered()) return;
  mirror_pods_.act(self_, pods_);
  if (serving_certificate_) serving_certificate_->act();
}

// Deletes the ResourceSlices that drivers left behind, before a driver starts.
void FakeKubelet::remove_slices() {
  const bool done = self_
                        .remove("/apis/resource.k8s.io/" + self_.traits->resource_claims_version +
                                "/resourceslices?fieldSelector=" + percent_encoded("spec.nodeName=" + self_.name))
                        .ok();
  slices_due_ = done ? KubeletTime::max() : self_.now + self_.jittered(std::chrono::seconds(5));
}

bool FakeKubelet::end_pod(const std::string& namespace_, const std::string& name, PodPhase phase) {
  return pods_.end(namespace_, name, phase);
}

void FakeKubelet::drop_watches() {
  client_certificate_.drop();
  if (serving_certificate_) serving_certificate_->drop();
  informers_.drop();
  pods_.drop();
}

}  // namespace nodebound::fake_kubelet
