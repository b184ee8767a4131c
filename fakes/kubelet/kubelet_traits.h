#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reference/cluster/references.h"
#include "reference/release/rule_set.h"

namespace nodebound::fake_kubelet {

/// How a kubelet of one release behaves toward the API. The fields are the traits of traits.toml, which explains them;
/// those that are a matter of yes or no are in reference/kubelet_traits.toml. Kubelets of one release share them.
struct KubeletTraits {
  enum class LabelsCheck { none, warning, exit };
  enum class PodsAfter { nothing, list, node };
  enum class Reads { get, cache, watch };
  enum class Collections { list, watch_list };
  enum class CsiAnnotation { none, update, patch_status };

  explicit KubeletTraits(Release own) : release(std::move(own)) {}

  Release release;

  [[nodiscard]] bool has(KubeletTrait trait) const { return release.has(trait); }

  std::vector<std::string> own_labels;
  std::vector<std::string> labels_dropped;
  LabelsCheck node_labels_check = LabelsCheck::none;
  std::vector<std::string> node_labels_allowed;
  std::vector<std::string> node_labels_domains;
  std::vector<std::string> conditions;
  std::chrono::seconds status_seconds{0};

  std::string lease_version;

  PodsAfter pods_after = PodsAfter::nothing;
  Reads secret_reads = Reads::cache;
  Reads configmap_reads = Reads::cache;

  std::string volumeattachments_version;
  std::string csidrivers_version;
  std::string csinodes_version;
  CsiAnnotation csi_annotation = CsiAnnotation::none;

  Collections collections = Collections::list;
  std::string services_selector;
  std::string runtimeclasses_version;
  std::string resource_claims_version;
  std::string trust_bundles_version;
  std::string pod_certificates_version;

  std::vector<std::string> signing_request_versions;

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

}  // namespace nodebound::fake_kubelet
