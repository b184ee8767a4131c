#include <algorithm>
#include <map>
#include <set>

#include "harness/inspect/inspections.h"
#include "harness/inspect/pod_spec.h"
#include "reports/text.h"

namespace nodebound::inspect {
namespace {

constexpr std::string_view grant_verb = "request-serviceaccounts-token-audience";

std::vector<std::string> audiences_of(const Object& driver) {
  std::vector<std::string> out;
  const Object& requests = member(driver, "spec", "tokenRequests");
  for (const Object& one : requests.is_array() ? requests : Object::array()) out.emplace_back(text(one, "audience"));
  for (std::string& audience : out) audience = audience.empty() ? "of the API server" : audience;
  return out;
}

/// CSI drivers whose tokens have audiences, by name.
std::map<std::string, std::vector<std::string>> drivers_with_tokens(const Inspected& inspected) {
  std::map<std::string, std::vector<std::string>> out;
  for (const InspectedObject& object : inspected.objects) {
    if (object.kind() != "CSIDriver") continue;
    std::vector<std::string> audiences = audiences_of(object.object);
    if (!audiences.empty()) out[std::string(object.name())] = std::move(audiences);
  }
  return out;
}

// Volumes of pods, or the one of a PersistentVolume, that an in-tree plugin had before a driver took them over.
void look_for_in_tree(const InspectionRun& run, const InspectedObject& object, const Object& volume,
                      const std::string& pointer, const std::map<std::string, std::vector<std::string>>& drivers) {
  for (const auto& [source, driver] : run.rules.catalogue()[Rule::token_audience_in_tree].drivers) {
    const auto with_tokens = drivers.find(driver);
    if (with_tokens == drivers.end() || member(volume, source).is_null()) continue;
    run.found.add({.inspection = "in-tree-token-audience",
                   .object = &object,
                   .field = pointer + "/" + source,
                   .what = "has an in-tree " + source + " volume, for which " + driver +
                           " wants tokens with audience " + comma_separated(with_tokens->second)});
  }
}

bool grants_audience(const Inspected& inspected, const std::string& audience) {
  return std::any_of(inspected.objects.begin(), inspected.objects.end(), [&](const InspectedObject& object) {
    if (object.kind() != "Role" && object.kind() != "ClusterRole") return false;
    const Object& rules = member(object.object, "rules");
    return rules.is_array() && std::any_of(rules.begin(), rules.end(), [&](const Object& rule) {
             const std::vector<std::string> verbs = strings_of(member(rule, "verbs"));
             const std::vector<std::string> resources = strings_of(member(rule, "resources"));
             const bool verb =
                 std::any_of(verbs.begin(), verbs.end(), [](const auto& one) { return one == grant_verb; });
             return verb && std::any_of(resources.begin(), resources.end(),
                                        [&](const auto& one) { return one == audience || one == "*"; });
           });
  });
}

void look_for_providers(const InspectionRun& run, const InspectedObject& object) {
  const Object& providers = member(object.object, "providers");
  for (std::size_t i = 0; providers.is_array() && i < providers.size(); ++i) {
    const std::string audience(text(providers[i], "tokenAttributes", "serviceAccountTokenAudience"));
    if (audience.empty() || grants_audience(run.inspected, audience)) continue;
    run.found.add({.inspection = "provider-token-audience",
                   .object = &object,
                   .field = "/providers/" + std::to_string(i) + "/tokenAttributes",
                   .what = "credential provider " + std::string(text(providers[i], "name")) +
                           " wants tokens with audience " + audience + ", and no role that was read grants it"});
  }
}

}  // namespace

void inspect_tokens(const InspectionRun& run) {
  const auto drivers = drivers_with_tokens(run.inspected);
  for (const InspectedObject& object : run.inspected.objects) {
    if (object.kind() == "CredentialProviderConfig") look_for_providers(run, object);
    if (object.kind() == "CSIDriver" && drivers.contains(std::string(object.name()))) {
      run.found.add({.inspection = "driver-token-audience",
                     .object = &object,
                     .field = "/spec/tokenRequests",
                     .what = "kubelets create tokens with audience " +
                             comma_separated(drivers.at(std::string(object.name()))) + " for its volumes"});
    }
    if (object.kind() == "PersistentVolume")
      look_for_in_tree(run, object, member(object.object, "spec"), "/spec", drivers);
    with_pod_spec(object, [&](const PodSpec& pod) {
      const Object& volumes = member(pod.spec, "volumes");
      for (std::size_t i = 0; volumes.is_array() && i < volumes.size(); ++i) {
        look_for_in_tree(run, object, volumes[i], pod.pointer + "/volumes/" + std::to_string(i), drivers);
      }
    });
  }
}

}  // namespace nodebound::inspect
