#include "harness/inspect/least_role.h"

#include <algorithm>
#include <set>

#include "fakes/wire/resources/api_catalogue.h"

namespace nodebound::inspect {
namespace {

constexpr const char* reader = "kubelet-reader";
constexpr const char* roles_group = "rbac.authorization.k8s.io";

// The first releases of all minors between the two, and the two themselves.
std::vector<Version> kubelets_between(const Catalogue& catalogue, const Version& oldest, const Version& newest) {
  const std::vector<Version> points = catalogue.turning_points();
  std::vector<Version> out = {oldest};
  for (auto version = std::upper_bound(points.begin(), points.end(), oldest);
       version != std::lower_bound(points.begin(), points.end(), newest); ++version) {
    if (version->short_text() == version->minor_text()) out.push_back(*version);
  }
  if (newest != oldest) out.push_back(newest);
  return out;
}

ClusterObject binding_of(const std::string& role) {
  const std::string name = "nodebound:" + role;
  Object binding = {{"apiVersion", "rbac.authorization.k8s.io/v1"},
                    {"kind", "ClusterRoleBinding"},
                    {"metadata", {{"name", name}}},
                    {"roleRef", {{"apiGroup", roles_group}, {"kind", "ClusterRole"}, {"name", role}}}};
  binding["subjects"] = Object::array({Object{{"kind", "ServiceAccount"}, {"name", role}, {"namespace", "default"}}});
  return {{roles_group, "clusterrolebindings", "", name}, std::move(binding), ""};
}

ClusterObject reader_role() {
  Object role = {
      {"apiVersion", "rbac.authorization.k8s.io/v1"}, {"kind", "ClusterRole"}, {"metadata", {{"name", reader}}}};
  role["rules"] = Object::array({Object{{"apiGroups", {""}}, {"resources", {"nodes/proxy"}}, {"verbs", {"get"}}}});
  return {{roles_group, "clusterroles", "", reader}, std::move(role), ""};
}

bool names_proxy(const Object& role) {
  const Object& rules = member(role, "rules");
  return rules.is_array() && std::any_of(rules.begin(), rules.end(), [](const Object& rule) {
           const std::vector<std::string> resources = strings_of(member(rule, "resources"));
           return std::find(resources.begin(), resources.end(), "nodes/proxy") != resources.end();
         });
}

}  // namespace

Result<explain::KubeletFleet> least_roles(const Catalogue& catalogue, const LeastRoleQuestion& question,
                                          const std::vector<InspectedObject>& objects) {
  explain::FleetQuestion fleet;
  fleet.kubelets = kubelets_between(catalogue, question.oldest, question.newest);
  fleet.gates = question.gates;
  fleet.server = question.newest;
  fleet.needs = question.needs.empty() ? explain::usual_needs() : question.needs;
  std::set<std::string> with_proxy;
  std::set<std::string> bound;
  for (const InspectedObject& one : objects) {
    const ApiResourceEntry* resource = ApiCatalogue::built_in().find_kind(one.group(), one.kind());
    if (one.group() != roles_group || resource == nullptr || one.name().empty()) continue;
    std::string in(resource->namespaced ? text(one.object, "metadata", "namespace") : "");
    if (resource->namespaced && in.empty()) in = "default";
    const Finding::Place place = one.place("");
    fleet.objects.push_back({{roles_group, std::string(resource->resource), std::move(in), std::string(one.name())},
                             one.object,
                             place.text()});
    if (one.kind() == "ClusterRole" && names_proxy(one.object)) with_proxy.emplace(one.name());
    if (one.kind() == "ClusterRoleBinding") bound.emplace(text(one.object, "roleRef", "name"));
  }
  if (with_proxy.empty()) {
    fleet.objects.push_back(reader_role());
    with_proxy.emplace(reader);
  }
  for (const std::string& role : with_proxy) {
    if (!bound.contains(role)) fleet.objects.push_back(binding_of(role));
  }
  return explain::look_at_fleet(catalogue, fleet);
}

}  // namespace nodebound::inspect
