#include "fakes/kubelet_api/kubelet_host.h"

#include "reference/cluster/object.h"

namespace nodebound::kubelet_api {
namespace {

constexpr const char* start_time = "2026-01-01T00:00:00Z";
constexpr std::string_view start_milliseconds = "1767225600000";

using Ordered = nlohmann::ordered_json;

// Go writes the fields of an object in declaration order.
Ordered container(const std::string& name) {
  return {{"name", name}, {"image", "example.com/" + name + ":1"}, {"resources", {{"requests", {{"cpu", "100m"}}}}}};
}

Ordered metadata() {
  return {{"name", "web"}, {"namespace", "default"}, {"uid", SampleHost::pod_uid}};
}

Ordered described(const std::string& node, const Ordered& status) {
  Ordered out;
  out["metadata"] = metadata();
  out["metadata"]["creationTimestamp"] = start_time;
  out["spec"] = {{"containers", {container("web"), container("idle")}}, {"nodeName", node}};
  out["status"] = status;
  return out;
}

std::string list_of(const Ordered& one) {
  const Ordered list = {{"kind", "PodList"}, {"apiVersion", "v1"}, {"metadata", Ordered::object()}, {"items", {one}}};
  return list.dump() + "\n";
}

}  // namespace

std::optional<KubeletHost::Pod> SampleHost::pod(std::string_view name_space, std::string_view name) const {
  if (name_space != "default" || name != "web") return std::nullopt;
  return Pod{std::string(pod_uid), {{"web", true}, {"idle", false}}};
}

// The real host that it is compared with pays no attention to how much of its log is wanted.
std::optional<std::string> SampleHost::log(std::string_view /*name_space*/, std::string_view /*pod*/,
                                           std::string_view container, const LogOptions& options) const {
  if (container != "web") return std::nullopt;
  return options.errors_only ? "" : "started\n";
}

std::string SampleHost::pods() const {
  return list_of(described(node_, {{"phase", "Running"}}));
}

std::string SampleHost::allocated_pods() const {
  return list_of(described(node_, Ordered::object()));
}

std::string SampleHost::allocated_pod(std::string_view /*name_space*/, std::string_view /*name*/) const {
  Ordered out = {{"kind", "Pod"}, {"apiVersion", "v1"}};
  out.update(described(node_, Ordered::object()));
  return out.dump() + "\n";
}

std::string SampleHost::running_pods() const {
  Ordered one;
  one["metadata"] = metadata();
  if (shapes_.null_creation_timestamps) one["metadata"]["creationTimestamp"] = nullptr;
  one["spec"] = {{"containers", Ordered::array({container("web")})}};
  one["status"] = Ordered::object();
  return list_of(one);
}

std::string KubeletHost::summary(const std::string& node) {
  const Ordered out = {
      {"node",
       {{"nodeName", node},
        {"startTime", start_time},
        {"cpu", {{"time", start_time}, {"usageNanoCores", 250'000'000}, {"usageCoreNanoSeconds", 90'000'000'000}}},
        {"memory", {{"time", start_time}, {"workingSetBytes", 1U << 30U}}}}},
      {"pods", Ordered::array()}};
  return out.dump(1);
}

std::string KubeletHost::resource_metrics() {
  std::string out;
  const auto metric = [&](std::string_view name, std::string_view help, std::string_view type, std::string_view value) {
    out.append("# HELP ").append(name).append(" [STABLE] ").append(help).append("\n# TYPE ").append(name);
    out.append(" ").append(type).append("\n").append(name).append(" ").append(value).append("\n");
  };
  const std::string at = " " + std::string(start_milliseconds);
  metric("node_cpu_usage_seconds_total", "Cumulative cpu time consumed by the node in core-seconds", "counter",
         "90" + at);
  metric("node_memory_working_set_bytes", "Current working set of the node in bytes", "gauge", "1.073741824e+09" + at);
  metric("resource_scrape_error", "1 if there was an error while getting container metrics, 0 otherwise", "gauge", "0");
  return out;
}

}  // namespace nodebound::kubelet_api
