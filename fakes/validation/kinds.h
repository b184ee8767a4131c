#pragma once

#include "fakes/validation/field_mistake.h"

namespace nodebound::validation {

// The errors of an object of a kind, or of its change, apart from its metadata. `wrong_…` applies to new and to changed
// objects.

FieldMistakes wrong_pod(const Object& pod, const Release& release);
FieldMistakes wrong_ports_of_host(const Object& spec, const Release& release);
FieldMistakes wrong_dns_policy(const Object& spec);
FieldMistakes wrong_dns_config(const Object& spec, const Release& release);
FieldMistakes wrong_host_aliases(const Object& spec, const Release& release);
FieldMistakes wrong_gates(const Object& spec);
FieldMistakes wrong_host_names(const Object& spec);
FieldMistakes wrong_operating_system(const Object& spec);
FieldMistakes wrong_pod_change(const Object& pod, const Object& before, const Release& release);
FieldMistakes wrong_pod_status_change(const Object& pod, const Object& before, const Release& release);
FieldMistakes wrong_pod_resize(const Object& pod, const Object& before, const Release& release);
FieldMistakes wrong_ephemeral_containers_change(const Object& pod, const Object& before, const Release& release);

/// The errors of the projected volume at `field`.
FieldMistakes wrong_projected_volume(const Object& projected, const std::string& field);

/// The errors of a new pod's tokens whose files would leave their volume. A pod that has such tokens already keeps
/// them.
FieldMistakes wrong_token_paths(const Object& pod, const Release& release);

/// The errors of an IPv4 or IPv6 address in a field that is older than strict validation.
FieldMistakes wrong_address(const std::string& field, const std::string& address, const Release& release);
/// The errors of a Node's podCIDRs, or of its podCIDR in releases that have no list.
FieldMistakes wrong_pod_cidrs(const Object& node, const Release& release);
/// The errors of an address as one that others connect to.
FieldMistakes wrong_endpoint_address(const std::string& field, const std::string& address);
FieldMistakes wrong_source_ranges(const Object& service, const Release& release);
/// What a client is warned of that writes an address, or a CIDR value, in an unusual form.
std::vector<std::string> warnings_of_address(const std::string& field, const std::string& address,
                                             const Release& release);
std::vector<std::string> warnings_of_cidr(const std::string& field, const std::string& text, const Release& release);
/// The same for all texts in the list at `field`.
std::vector<std::string> warnings_of_addresses(const std::string& field, const Object& addresses,
                                               const Release& release);
std::vector<std::string> warnings_of_cidrs(const std::string& field, const Object& texts, const Release& release);
bool is_address(const std::string& address);
bool is_ip6_address(const std::string& address);

/// `BestEffort`, `Burstable` or `Guaranteed`, as `status.qosClass` says it.
const char* quality_of_service(const Object& pod_spec);

/// Of a ValidatingWebhookConfiguration or MutatingWebhookConfiguration.
FieldMistakes wrong_webhook_configuration(const Object& configuration, const Release& release);

/// Of a ValidatingAdmissionPolicy, and of a binding.
FieldMistakes wrong_admission_policy(const Object& policy, const Release& release);
FieldMistakes wrong_admission_policy_binding(const Object& binding, const Release& release);

/// `list` is the field that the taints are in.
FieldMistakes wrong_taints(const std::string& list, const Object& taints);
FieldMistakes wrong_node(const Object& node);
FieldMistakes wrong_new_node(const Object& node, const Release& release);
FieldMistakes wrong_node_change(const Object& node, const Object& before, const Release& release);

FieldMistakes wrong_secret(const Object& secret);
FieldMistakes wrong_secret_change(const Object& secret, const Object& before);
FieldMistakes wrong_config_map(const Object& map);
FieldMistakes wrong_config_map_change(const Object& map, const Object& before);
FieldMistakes wrong_new_namespace(const Object& made);
/// Of a change through the subresource `finalize`, and through `status`.
FieldMistakes wrong_namespace_finalizers_change(const Object& changed, const Object& before);
FieldMistakes wrong_namespace_status_change(const Object& changed, const Object& before);
/// Of an Event of either group. What is stricter in events.k8s.io/v1 is in the other two.
FieldMistakes wrong_event(const Object& event);
FieldMistakes wrong_new_event(const Object& event);
FieldMistakes wrong_event_change(const Object& event, const Object& before);
FieldMistakes wrong_lease(const Object& lease);

// The parts of containers, at `field`.
FieldMistakes wrong_container_ports(const std::string& field, const Object& ports);
FieldMistakes wrong_environment(const std::string& field, const Object& variables);
FieldMistakes wrong_container_resources(const std::string& field, const Object& resources);
FieldMistakes wrong_probes(const std::string& field, const Object& container);
/// Ports of the host that several of a pod's containers want.
FieldMistakes repeated_host_ports(const Object& containers);
FieldMistakes wrong_node_affinity(const std::string& field, const Object& affinity);

bool is_huge_pages(std::string_view resource);
/// An amount of that resource.
FieldMistakes wrong_amount(const std::string& field, std::string_view resource, const Object& value);

/// The name of a part of a pod: a DNS label.
FieldMistakes wrong_part_name(const std::string& field, const std::string& name);
/// The volumes of a pod's spec.
FieldMistakes wrong_pod_volumes(const Object& spec);

/// The protocol of a port, which must be set.
FieldMistakes wrong_protocol(const std::string& field, const std::string& protocol);
/// A port as a number, or as a number or a name.
FieldMistakes wrong_port_number(const std::string& field, const Object& number);
FieldMistakes wrong_port_or_name(const std::string& field, const Object& port);
FieldMistakes wrong_service(const Object& service, const Release& release);
FieldMistakes wrong_endpoints(const Object& endpoints, const Release& release);

FieldMistakes wrong_claim(const Object& claim);
/// The spec of a claim, which is at that field.
FieldMistakes wrong_claim_spec(const std::string& field, const Object& spec);
FieldMistakes wrong_claim_change(const Object& claim, const Object& before);
FieldMistakes wrong_volume(const Object& volume, const Release& release);
FieldMistakes wrong_volume_change(const Object& volume, const Object& before, const Release& release);
FieldMistakes wrong_attachment(const Object& attachment, const Release& release);
FieldMistakes wrong_attachment_change(const Object& attachment, const Object& before, const Release& release);
/// Driver names of storage and of devices follow the same rule.
FieldMistakes wrong_driver_name(const std::string& field, const std::string& name, const Release& release);
FieldMistakes wrong_csi_node(const Object& node, const Release& release);
FieldMistakes wrong_csi_node_change(const Object& node, const Object& before, const Release& release);

FieldMistakes wrong_resource_claim_change(const Object& claim, const Object& before);
FieldMistakes wrong_resource_claim_template_change(const Object& claim_template, const Object& before);
FieldMistakes wrong_resource_claim_status(const Object& claim);
FieldMistakes wrong_slice(const Object& slice, const Release& release);
FieldMistakes wrong_slice_change(const Object& slice, const Object& before, const Release& release);

/// `example.com/signer-name`
FieldMistakes wrong_signer_name(const std::string& field, const std::string& name);
FieldMistakes wrong_signing_request(const Object& request);
/// Everything except its public key and proof of possession.
FieldMistakes wrong_pod_certificate_request(const Object& request);
/// Checks a change of the status, or of the approval.
FieldMistakes wrong_signing_request_conditions(const Object& request, const Object& before, bool approval);

FieldMistakes wrong_role(const Object& role);
FieldMistakes wrong_cluster_role(const Object& role);
FieldMistakes wrong_role_binding(const Object& binding);
FieldMistakes wrong_cluster_role_binding(const Object& binding);
FieldMistakes wrong_binding_change(const Object& binding, const Object& before);

}  // namespace nodebound::validation
