#include <algorithm>

#include "reference/admission/node_restriction.h"

namespace nodebound {
namespace {

// Of the identifiers of in-tree volumes, CSI accepts all except EBS ids that are URLs of something else
// (KubernetesVolumeIDToEBSVolumeID in csi-translation-lib/plugins/aws_ebs.go).
bool names_an_ebs_volume(std::string_view id) {
  constexpr std::string_view scheme = "aws://";
  if (!id.starts_with(scheme)) return true;
  std::string_view rest = id.substr(scheme.size());
  rest.remove_prefix(std::min(rest.find('/'), rest.size()));
  rest = rest.substr(0, rest.find_first_of("?#"));
  while (rest.starts_with('/')) rest.remove_prefix(1);
  while (rest.ends_with('/')) rest.remove_suffix(1);
  return rest.starts_with("vol-") && rest.find('/') == std::string_view::npos;
}

// Finds the CSI drivers of the volumes that a pod mounts, and remembers which objects could not be found.
class DriverSearch {
 public:
  DriverSearch(const RuleSet& rules, const Cluster& cluster, const Object& pod)
      : rules_(rules), cluster_(cluster), pod_(pod), namespace_(text(pod, "metadata", "namespace")) {}

  bool gives(std::string_view audience) {
    for (const Object& volume : member(pod_, "spec", "volumes")) {
      if (projects(volume, audience)) return true;
      const std::string_view driver = driver_of(volume);
      if (!driver.empty() && driver_has(driver, audience)) return true;
    }
    return false;
  }

  [[nodiscard]] std::string errors() const { return go_aggregate(errors_); }

 private:
  bool projects(const Object& volume, std::string_view audience) const {
    if (!rules_.in_force(Rule::token_audience_projected)) return false;
    for (const Object& source : member(volume, "projected", "sources")) {
      const Object& token = member(source, "serviceAccountToken");
      if (token.is_object() && text(token, "audience") == audience) return true;
    }
    return false;
  }

  std::string_view driver_of(const Object& volume) {
    if (member(volume, "ephemeral", "volumeClaimTemplate").is_object()) {
      if (!rules_.in_force(Rule::token_audience_csi_ephemeral)) return {};
      return driver_of_claim(std::string(text(pod_, "metadata", "name")) + "-" + std::string(text(volume, "name")));
    }
    if (member(volume, "persistentVolumeClaim").is_object()) {
      return driver_of_claim(std::string(text(volume, "persistentVolumeClaim", "claimName")));
    }
    if (member(volume, "csi").is_object()) {
      return rules_.in_force(Rule::token_audience_csi_inline) ? text(volume, "csi", "driver") : std::string_view();
    }
    return in_tree_driver(volume);
  }

  std::string_view driver_of_claim(const std::string& claim_name) {
    const ObjectPtr claim = cluster_.find("", "persistentvolumeclaims", namespace_, claim_name);
    if (claim == nullptr) return missing("persistentvolumeclaim", claim_name);
    const std::string_view volume_name = text(*claim, "spec", "volumeName");
    volume_ = cluster_.find("", "persistentvolumes", "", volume_name);
    if (volume_ == nullptr) return missing("persistentvolume", volume_name);
    if (member(*volume_, "spec", "csi").is_object()) {
      return rules_.in_force(Rule::token_audience_csi_claim) ? text(*volume_, "spec", "csi", "driver")
                                                             : std::string_view();
    }
    return in_tree_driver(member(*volume_, "spec"));
  }

  std::string_view in_tree_driver(const Object& source) {
    if (!rules_.in_force(Rule::token_audience_in_tree)) return {};
    const std::string_view id = text(source, "awsElasticBlockStore", "volumeID");
    if (!names_an_ebs_volume(id)) {
      errors_.push_back("failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (" +
                        std::string(id) + ")");
      return {};
    }
    for (const auto& [in_tree, driver] : rules_.catalogue()[Rule::token_audience_in_tree].drivers) {
      if (member(source, in_tree).is_object()) return driver;
    }
    return {};
  }

  bool driver_has(std::string_view driver, std::string_view audience) {
    const ObjectPtr object = cluster_.find("storage.k8s.io", "csidrivers", "", driver);
    if (object == nullptr) {
      missing("csidriver.storage.k8s.io", driver);
      return false;
    }
    for (const Object& request : member(*object, "spec", "tokenRequests")) {
      if (text(request, "audience") == audience) return true;
    }
    return false;
  }

  std::string_view missing(std::string_view kind, std::string_view name) {
    errors_.push_back(std::string(kind) + " " + go_quoted(name) + " not found");
    return {};
  }

  const RuleSet& rules_;
  const Cluster& cluster_;
  const Object& pod_;
  std::string_view namespace_;
  ObjectPtr volume_;  ///< that a driver's name was read from last
  std::vector<std::string> errors_;
};

}  // namespace

Admission NodeRestriction::token(std::string_view self, const AdmissionRequest& request) const {
  if (request.operation != Operation::create || request.subresource != "token") return std::nullopt;
  const Object& bound = member(request.object, "spec", "boundObjectRef");
  if (text(bound, "apiVersion") != "v1" || text(bound, "kind") != "Pod" || text(bound, "name").empty()) {
    return refuse(rules_, Rule::token_bound_to_pod, {});
  }
  const std::string_view uid = text(bound, "uid");
  if (uid.empty()) {
    if (Admission refusal = refuse(rules_, Rule::token_pod_uid_given, {})) return refusal;
  }
  const ObjectPtr pod = cluster_.find("", "pods", request.namespace_, text(bound, "name"));
  if (pod == nullptr) {
    if (Admission refusal = refuse(rules_, Rule::token_pod_exists, {{"pod", text(bound, "name")}})) return refusal;
    return refuse(rules_, Rule::token_pod_on_node, {});
  }
  if (uid != text(*pod, "metadata", "uid")) {
    const std::string_view actual = text(*pod, "metadata", "uid");
    if (Admission refusal = refuse(rules_, Rule::token_pod_uid_matches, {{"uid", uid}, {"actual", actual}})) {
      return refusal;
    }
  }
  if (text(*pod, "spec", "nodeName") != self) {
    if (Admission refusal = refuse(rules_, Rule::token_pod_on_node, {})) return refusal;
  }
  return audience(request, *pod);
}

Admission NodeRestriction::audience(const AdmissionRequest& request, const Object& pod) const {
  const Object& audiences = member(request.object, "spec", "audiences");
  if (audiences.size() > 1) {
    if (Admission refusal = refuse(rules_, Rule::token_one_audience, {})) return refusal;
  }
  if (!rules_.in_force(Rule::token_audience_used)) return std::nullopt;
  const std::string requested =
      audiences.empty() || !audiences.front().is_string() ? std::string() : audiences.front().get<std::string>();
  DriverSearch drivers(rules_, cluster_, pod);
  if (drivers.gives(requested)) return std::nullopt;

  if (rules_.in_force(Rule::token_audience_granted)) {
    Attributes grant;
    grant.verb = "request-serviceaccounts-token-audience";
    grant.resource_request = true;
    grant.api_version = "v1";
    grant.resource = requested;
    grant.namespace_ = request.namespace_;
    grant.name = request.name;
    if (authorizer_.authorize(request.subject, grant).allowed()) return std::nullopt;
  }
  if (const std::string errors = drivers.errors(); !errors.empty()) {
    return refuse(rules_, Rule::token_audience_lookup, {{"audience", requested}, {"error", errors}});
  }
  return refuse(rules_, Rule::token_audience_used, {{"audience", requested}, {"user", request.subject.name}});
}

}  // namespace nodebound
