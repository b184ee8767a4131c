#pragma once

#include <string>
#include <vector>

#include "fakes/kubelet/informers.h"
#include "fakes/kubelet/pods/referenced_objects.h"

namespace nodebound::fake_kubelet {

/// A token that a pod is given.
struct PodToken {
  std::string account;
  std::string audience;  ///< empty: the API server's own
  std::chrono::seconds lasts{3600};

  bool operator==(const PodToken&) const = default;
};

/// The identity of a pod.
struct PodId {
  std::string namespace_;
  std::string name;
  std::string uid;

  [[nodiscard]] std::string target(const char* subresource = "") const {
    return "/api/v1/namespaces/" + namespace_ + "/pods/" + name + subresource;
  }
};

/// What a kubelet reads for a pod, and keeps up to date while the pod runs.
struct PodNeeds {
  std::string account;  ///< the pod's service account
  std::vector<ReferencedObjects::Key> objects;
  std::vector<ReferencedObjects::Key> optional;  ///< objects that the pod can do without
  std::vector<std::string> claims;
  std::vector<std::string> resource_claims;
  std::vector<PodToken> tokens;
  bool trust_bundles = false;
};
PodNeeds needs_of(const KubeletSelf& self, const Object& pod);

/// Reads the objects that pods need.
class PodReader {
 public:
  PodReader(KubeletSelf& self, ReferencedObjects& objects, Informers& informers)
      : self_(self), objects_(objects), informers_(informers) {}

  /// Reads all objects, even if one is not available. Returns whether the pod can run.
  bool read(const PodId& pod, PodNeeds& needs);
  /// Requests the pod's tokens.
  bool request_tokens(const PodId& pod, const std::vector<PodToken>& tokens);

 private:
  bool read_objects(const PodNeeds& needs);
  bool read_claim(const PodId& pod, const std::string& name, PodNeeds& needs);
  bool read_csi_volume(const Object& volume, PodNeeds& needs);
  bool is_attached(const std::string& driver, const std::string& handle);
  void grow(const PodId& pod, const Object& claim, const Object& volume);

  KubeletSelf& self_;
  ReferencedObjects& objects_;
  Informers& informers_;
};

/// The name of the VolumeAttachment that ties a CSI volume to a node.
std::string attachment_name(const std::string& handle, const std::string& driver, const std::string& node);

}  // namespace nodebound::fake_kubelet
