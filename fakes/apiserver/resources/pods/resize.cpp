#include "fakes/apiserver/resources/pods/resize.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

#include "fakes/apiserver/pipeline/admission.h"
#include "fakes/apiserver/status.h"
#include "reference/release/behaviour_ids.h"
#include "reference/release/refusal_text.h"

namespace nodebound::apiserver {
namespace {

constexpr std::array<std::pair<std::string_view, double>, 16> suffixes = {{{"n", 1e-9},
                                                                           {"u", 1e-6},
                                                                           {"m", 1e-3},
                                                                           {"", 1},
                                                                           {"k", 1e3},
                                                                           {"M", 1e6},
                                                                           {"G", 1e9},
                                                                           {"T", 1e12},
                                                                           {"P", 1e15},
                                                                           {"E", 1e18},
                                                                           {"Ki", 0x1p10},
                                                                           {"Mi", 0x1p20},
                                                                           {"Gi", 0x1p30},
                                                                           {"Ti", 0x1p40},
                                                                           {"Pi", 0x1p50},
                                                                           {"Ei", 0x1p60}}};

// The amount of `100m`, `1.5Gi`, `2e3`, 4; a malformed quantity was refused when it was read.
double amount_of(const Object& quantity) {
  if (quantity.is_number()) return quantity.get<double>();
  if (!quantity.is_string()) return 0;
  const auto& said = quantity.get_ref<const std::string&>();
  double number = 0;
  const auto [end, failure] = std::from_chars(said.data(), said.data() + said.size(), number);
  if (failure != std::errc() || !std::isfinite(number)) return 0;
  const std::string_view suffix(end, static_cast<std::size_t>(said.data() + said.size() - end));
  const auto* const found =
      std::find_if(suffixes.begin(), suffixes.end(), [&](const auto& pair) { return pair.first == suffix; });
  return found == suffixes.end() ? 0 : number * found->second;
}

// Containers and sidecars run at the same time; other init containers run one after the other, before the containers.
double requested(const Object& pod, const char* resource) {
  const Object& spec = member(pod, "spec");
  const double overhead = amount_of(member(spec, "overhead", resource));
  const Object& of_pod = member(spec, "resources", "requests", resource);
  if (!of_pod.is_null()) return amount_of(of_pod) + overhead;
  double sidecars = 0;
  double most_at_start = 0;
  for (const Object& container : member(spec, "initContainers")) {
    const double own = amount_of(member(container, "resources", "requests", resource));
    most_at_start = std::max(most_at_start, sidecars + own);
    if (text(container, "restartPolicy") == "Always") sidecars += own;
  }
  double together = sidecars;
  for (const Object& container : member(spec, "containers")) {
    together += amount_of(member(container, "resources", "requests", resource));
  }
  return std::max(together, most_at_start) + overhead;
}

std::int64_t whole(double amount) {
  constexpr double most = 9e18;
  return static_cast<std::int64_t>(std::ceil(std::clamp(amount, -most, most)));
}

// CPUs are shown in thousandths.
std::string lacking(const Object& pod, const Object& node) {
  std::string out;
  for (const auto& [resource, unit] : {std::pair("cpu", 1000.0), std::pair("memory", 1.0)}) {
    const std::int64_t wanted = whole(requested(pod, resource) * unit);
    const std::int64_t there = whole(amount_of(member(node, "status", "allocatable", resource)) * unit);
    if (wanted <= there) continue;
    out += (out.empty() ? "" : "; ") + std::string(resource) + ", requested: " + std::to_string(wanted) +
           ", allocatable: " + std::to_string(there);
  }
  return out;
}

}  // namespace

std::optional<HttpResponse> refused_by_resize_validator(const WriteContext& write, const Object& pod) {
  const std::string name(text(pod, "spec", "nodeName"));
  if (name.empty() || !write.defaults.does(Behaviour::resize_within_node)) return std::nullopt;
  const std::string_view pod_name = text(pod, "metadata", "name");
  const auto refuse = [&](const std::string& why, const char* reason) {
    Object details = status_details(write.resource.group, write.resource.resource, pod_name);
    details["causes"] = Object::array({{{"reason", reason}}});
    return forbidden_by_admission(write.resource, pod_name, why, std::move(details));
  };
  const ObjectPtr node = write.cluster.find("", "nodes", "", name);
  if (node == nullptr) {
    return forbidden_by_admission(write.resource, pod_name, "node " + go_quoted(name) + " not found");
  }
  const std::string system(text(*node, "metadata", "labels", "kubernetes.io/os"));
  if (!system.empty() && system != "linux") {
    return refuse("pod resize is only supported on linux nodes, node " + go_quoted(name) + " is " + go_quoted(system),
                  "UnsupportedPlatform");
  }
  const std::string lacks = lacking(pod, *node);
  if (lacks.empty()) return std::nullopt;
  return refuse("node didn't have enough allocatable resources: " + lacks, "NodeCapacity");
}

}  // namespace nodebound::apiserver
