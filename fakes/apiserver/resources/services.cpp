#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string>

#include "fakes/apiserver/resources/registry.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/write/each_item.h"
#include "fakes/apiserver/write/write_context.h"
#include "fakes/validation/kinds.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::apiserver {
namespace {

using Column = TableColumns::Column;
using Now = const std::string&;

Object service_ports(const Object& service, Now) {
  std::string out;
  for (const Object& port : member(service, "spec", "ports")) {
    const Object& number = member(port, "port");
    const Object& node_port = member(port, "nodePort");
    const std::string_view protocol = text(port, "protocol");
    out += (out.empty() ? "" : ",") + (number.is_number() ? number.dump() : "") +
           (node_port.is_number_integer() && node_port != 0 ? ":" + node_port.dump() : "") + "/" +
           std::string(protocol.empty() ? "TCP" : protocol);
  }
  return out.empty() ? "<none>" : out;
}

std::string key_values(const Object& map) {
  std::string out;
  if (!map.is_object()) return "<none>";
  for (const auto& [key, value] : map.items()) {
    if (value.is_string()) out += (out.empty() ? "" : ",") + key + "=" + value.get<std::string>();
  }
  return out.empty() ? "<none>" : out;
}

Object external_address(const Object& service, Now) {
  if (text(service, "spec", "type") == "ExternalName")
    return text_cell(text(service, "spec", "externalName"), "<none>");
  std::string out;
  for (const Object& ingress : member(service, "status", "loadBalancer", "ingress")) {
    const std::string_view own = text(ingress, "ip").empty() ? text(ingress, "hostname") : text(ingress, "ip");
    out += (out.empty() ? "" : ",") + std::string(own);
  }
  for (const Object& address : member(service, "spec", "externalIPs")) {
    if (address.is_string()) out += (out.empty() ? "" : ",") + address.get<std::string>();
  }
  if (out.empty() && text(service, "spec", "type") == "LoadBalancer") return "<pending>";
  return text_cell(out, "<none>");
}

constexpr Column service_columns[] = {
    name_column,
    {"Type", [](const Object& o, Now) { return text_cell(text(o, "spec", "type"), "<none>"); }},
    {"Cluster-IP", [](const Object& o, Now) { return text_cell(text(o, "spec", "clusterIP"), "<none>"); }},
    {"External-IP", external_address},
    {"Port(s)", service_ports},
    age_column,
    {"Selector", [](const Object& o, Now) { return Object(key_values(member(o, "spec", "selector"))); }, 1}};

constexpr int first_node_port = 30000;
constexpr int last_node_port = 32767;

void decode_service(const WriteContext& write, Object& service) {
  if (!member(service, "spec").is_object()) return;
  Object& spec = service["spec"];
  each_item(spec, "ports", [](Object& port) {
    if (member(port, "targetPort").is_null()) port["targetPort"] = member(port, "port");
  });
  const bool external = text(spec, "type") == "ClusterIP" && !member(spec, "externalIPs").empty();
  if (external && text(spec, "externalTrafficPolicy").empty() &&
      write.defaults.does(Behaviour::policy_of_external_addresses)) {
    spec["externalTrafficPolicy"] = "Cluster";
  }
}

// pkg/api/service/warnings.go
std::vector<std::string> warnings_of_service(const WriteContext& write, const Object&, const Object& service) {
  std::vector<std::string> out;
  const auto warn_if = [&](bool so, Behaviour known_by, const char* text) {
    if (so && write.defaults.does(known_by)) out.emplace_back(text);
  };
  const auto warn = [&](std::vector<std::string> warnings) { std::ranges::move(warnings, std::back_inserter(out)); };
  const Release& release = *write.resource.release;
  const Object& spec = member(service, "spec");
  const bool named = text(spec, "type") == "ExternalName";
  const bool headless = text(spec, "type") == "ClusterIP" && text(spec, "clusterIP") == "None";
  const bool external = !member(spec, "externalIPs").empty();
  const std::string balancer(text(spec, "loadBalancerIP"));
  warn_if(!member(service, "metadata", "annotations", "service.kubernetes.io/topology-aware-hints").is_null(),
          Behaviour::topology_hints_warned_of,
          "annotation service.kubernetes.io/topology-aware-hints is deprecated, please use "
          "service.kubernetes.io/topology-mode instead");
  if (!named && !headless)
    warn(validation::warnings_of_addresses("spec.clusterIPs", member(spec, "clusterIPs"), release));
  warn_if(headless && !balancer.empty(), Behaviour::headless_services_warned_of,
          "spec.loadBalancerIP is ignored for headless services");
  warn_if(headless && external, Behaviour::headless_services_warned_of,
          "spec.externalIPs is ignored for headless services");
  warn_if(headless && text(spec, "sessionAffinity") != "None", Behaviour::headless_services_warned_of,
          "spec.SessionAffinity is ignored for headless services");
  warn(validation::warnings_of_addresses("spec.externalIPs", member(spec, "externalIPs"), release));
  warn_if(external && !headless && !named, Behaviour::external_addresses_warned_of,
          "spec.externalIPs is deprecated and may no longer be implemented in some clusters");
  if (!balancer.empty()) warn(validation::warnings_of_address("spec.loadBalancerIP", balancer, release));
  warn(validation::warnings_of_cidrs("spec.loadBalancerSourceRanges", member(spec, "loadBalancerSourceRanges"),
                                     release));
  warn_if(named && external, Behaviour::ignored_names_of_services_warned_of,
          "spec.externalIPs is ignored when spec.type is \"ExternalName\"");
  warn_if(!named && !text(spec, "externalName").empty(), Behaviour::ignored_names_of_services_warned_of,
          "spec.externalName is ignored when spec.type is not \"ExternalName\"");
  warn_if(text(spec, "trafficDistribution") == "PreferClose", Behaviour::close_traffic_warned_of,
          "spec.trafficDistribution: \"PreferClose\" is deprecated; use \"PreferSameZone\"");
  return out;
}

/// The addresses and node ports that services already have.
struct Taken {
  std::set<std::string> addresses;
  std::set<int> ports;
};

Taken taken_of(const Cluster& cluster) {
  Taken out;
  cluster.each("", "services", "", [&](const ObjectKey&, const Object& service) {
    out.addresses.emplace(text(service, "spec", "clusterIP"));
    for (const Object& port : member(service, "spec", "ports")) {
      const Object& number = member(port, "nodePort");
      if (number.is_number_integer()) out.ports.insert(number.get<int>());
    }
  });
  return out;
}

// The first address belongs to the API server's own Service.
std::string free_address(const Taken& taken) {
  for (int last = 2; last < 255; ++last) {
    std::string address = "10.0.0." + std::to_string(last);
    if (!taken.addresses.contains(address)) return address;
  }
  for (int third = 1;; ++third) {
    for (int last = 0; last < 256; ++last) {
      std::string address = "10.0." + std::to_string(third) + "." + std::to_string(last);
      if (!taken.addresses.contains(address)) return address;
    }
  }
}

// The cluster has IPv4 alone. A Service without address and pods of its own may have both families.
void add_families(Object& spec) {
  const bool of_both = text(spec, "clusterIP") == "None" && member(spec, "selector").empty();
  if (text(spec, "ipFamilyPolicy").empty()) spec["ipFamilyPolicy"] = of_both ? "RequireDualStack" : "SingleStack";
  if (!member(spec, "ipFamilies").empty()) return;
  spec["ipFamilies"] = {"IPv4"};
  if (of_both && text(spec, "ipFamilyPolicy") != "SingleStack") spec["ipFamilies"].push_back("IPv6");
}

// What releases with dual-stack addresses add.
void add_cluster_ips(const WriteContext& write, Object& spec) {
  if (!write.defaults.does(Behaviour::cluster_ips)) return;
  const std::string address(text(spec, "clusterIP"));
  if (!address.empty() && !spec.contains("clusterIPs")) spec["clusterIPs"] = Object::array({address});
  add_families(spec);
}

// Once, whoever created a Service had its clusterIPs completed; since then the storage does.
void prepare_service(const WriteContext& write, Object& service) {
  if (write.defaults.does(Behaviour::services_completed_by_storage) || !member(service, "spec").is_object()) return;
  if (text(service, "spec", "type") != "ExternalName") add_cluster_ips(write, service["spec"]);
}

void add_addresses(const WriteContext& write, Object& service) {
  if (!member(service, "spec").is_object()) return;
  Object& spec = service["spec"];
  const std::string_view type = text(spec, "type");
  if (type == "ExternalName") return;
  Taken taken = taken_of(write.cluster);
  if (text(spec, "clusterIP").empty()) spec["clusterIP"] = free_address(taken);
  add_cluster_ips(write, spec);
  if (type != "NodePort" && type != "LoadBalancer") return;
  each_item(spec, "ports", [&](Object& port) {
    if (member(port, "nodePort").is_number_integer()) return;
    int number = first_node_port;
    while (number < last_node_port && taken.ports.contains(number)) ++number;
    taken.ports.insert(number);
    port["nodePort"] = number;
  });
}

// What the server has allocated stays, unless the client says otherwise (patchAllocatedValues in
// pkg/registry/core/service/storage/storage.go).
void keep_allocated(const WriteContext&, const Object& before, Object& submitted) {
  if (!member(submitted, "spec").is_object() || text(submitted, "spec", "type") == "ExternalName") return;
  for (const char* field : {"clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"}) {
    const Object& own = member(before, "spec", field);
    if (!own.is_null() && !submitted["spec"].contains(field)) submitted["spec"][field] = own;
  }
}

void erase_endpoints(ServerState& server, const ObjectKey& key) {
  if (!server.defaults.does(Behaviour::endpoints_go_with_service)) return;
  const ObjectKey endpoints{"", "endpoints", key.namespace_, key.name};
  if (server.store.cluster().find(endpoints) != nullptr) server.store.erase(endpoints);
}

}  // namespace

std::span<const Strategy> strategies::services() {
  static constexpr std::array kinds = {
      Strategy{
          .resource = "services",
          .columns = TableColumns(service_columns),
          .decode = decode_service,
          .checks = {.in_release = validation::wrong_service, .metadata_checks = 3},
          .warnings = warnings_of_service,
          .begin_create = add_addresses,
          .prepare_for_create = prepare_service,
          .prepare_for_update = keep_allocated,
          .erased = erase_endpoints,
      },
      Strategy{.resource = "endpoints", .checks = {.in_release = validation::wrong_endpoints}}};
  return kinds;
}

}  // namespace nodebound::apiserver
