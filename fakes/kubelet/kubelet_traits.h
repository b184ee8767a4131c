#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reference/cluster/references.h"
#include "reference/release/rule_set.h"

namespace nodebound {

/// How a kubelet of one release behaves toward the API. The fields are the traits of traits.toml, which explains them;
/// kubelets of one release share them.
struct KubeletTraits {
  enum class LabelsCheck { none, warning, exit };
  enum class PodsAfter { nothing, list, node };
  enum class Reads { get, cache, watch };
  enum class CsiAnnotation { none, update, patch_status };

  Version version;

  bool external_id = false;
  bool get_after_forbidden = false;
  std::vector<std::string> own_labels;
  bool labels_reconciled = false;
  std::vector<std::string> labels_dropped;
  bool os_labels_repaired = false;
  LabelsCheck node_labels_check = LabelsCheck::none;
  bool node_labels_syntax = false;
  std::vector<std::string> node_labels_allowed;
  std::vector<std::string> node_labels_domains;
  std::vector<std::string> conditions;
  bool status_gets_node = false;
  std::chrono::seconds status_seconds{0};

  std::string lease_version;
  bool lease_kept = false;
  bool lease_needs_owner = false;

  PodsAfter pods_after = PodsAfter::nothing;
  bool pod_status_patch = false;
  bool pod_status_uid = false;
  bool mirror_pod_owner = false;
  bool mirror_pod_delete_uid = false;
  Reads secret_reads = Reads::cache;
  Reads configmap_reads = Reads::cache;
  bool immutable_unwatched = false;
  bool token_requests = false;
  bool csi_driver_tokens = false;

  bool claim_status = false;
  std::string volumeattachments_version;
  bool volumeattachments_watch = false;
  std::string csidrivers_version;
  std::string csinodes_version;
  bool csinode_remade = false;
  CsiAnnotation csi_annotation = CsiAnnotation::none;
  bool csi_topology_labels = false;

  std::string services_selector;
  std::string runtimeclasses_version;
  bool dynamic_config = false;
  std::string resource_claims_version;
  bool resource_claims = false;
  bool resource_slices_removed = false;
  std::string trust_bundles_version;
  std::string pod_certificates_version;

  std::vector<std::string> signing_request_versions;
  bool signing_request_signer = false;
  bool signing_request_key_encipherment = false;
  bool signing_request_name = false;
  bool signing_request_list = false;
  bool healthz_probe = false;

  /// Finds what pods and volumes reference, along the paths that the release knows.
  std::shared_ptr<const ReferenceFinder> references;
};

/// The traits of all releases: read once, never changed.
class KubeletTraitsTable {
 public:
  /// The table this binary was built with.
  static const KubeletTraitsTable& built_in();

  /// Reads the data file, which must have exactly the known traits, each once. Errors carry `name:line:column`.
  static Result<KubeletTraitsTable> parse(std::string_view traits);

  /// The traits of a release, which must be in the catalogue.
  [[nodiscard]] Result<std::shared_ptr<const KubeletTraits>> at(const Version& version) const;

 private:
  using Setter = std::function<void(KubeletTraits&)>;
  std::vector<ByRelease<Setter>> traits_;  ///< the values of each trait, beginning with the first release
};

}  // namespace nodebound
