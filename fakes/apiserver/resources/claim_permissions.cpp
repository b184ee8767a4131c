#include "fakes/apiserver/resources/claim_permissions.h"

#include <map>
#include <set>
#include <tuple>

#include "fakes/apiserver/call.h"
#include "fakes/apiserver/pipeline/forbidden.h"
#include "fakes/apiserver/server_state.h"
#include "reference/cluster/names.h"

// pkg/registry/resource/utils.go and resourceclaim/strategy.go

namespace nodebound::apiserver {
namespace {

using Devices = std::map<std::tuple<std::string, std::string, std::string, std::string>, Object>;

Devices devices_of(const Object& claim) {
  Devices out;
  for (const Object& each : member(claim, "status", "devices")) {
    const auto field = [&](const char* name) { return std::string(text(each, name)); };
    out[{field("driver"), field("pool"), field("device"), field("shareID")}] = each;
  }
  return out;
}

/// In the order of their names.
std::set<std::string> drivers_of_changes(const Object& before, const Object& after) {
  const Devices old_devices = devices_of(before);
  const Devices devices = devices_of(after);
  std::set<std::string> out;
  for (const auto& [key, device] : devices) {
    const auto old = old_devices.find(key);
    if (old == old_devices.end() || old->second != device) out.insert(std::get<0>(key));
  }
  for (const auto& [key, device] : old_devices) {
    if (!devices.contains(key)) out.insert(std::get<0>(key));
  }
  return out;
}

/// The one node that a claim is allocated to; empty if its selector says anything else.
std::string_view allocated_node(const Object& claim) {
  const Object& terms = member(claim, "status", "allocation", "nodeSelector", "nodeSelectorTerms");
  if (!terms.is_array() || terms.size() != 1 || !member(terms[0], "matchExpressions").empty()) return {};
  const Object& fields = member(terms[0], "matchFields");
  if (!fields.is_array() || fields.size() != 1) return {};
  const Object& values = member(fields[0], "values");
  const bool names = text(fields[0], "key") == "metadata.name" && text(fields[0], "operator") == "In";
  if (!names || !values.is_array() || values.size() != 1 || !values[0].is_string()) return {};
  return values[0].get_ref<const std::string&>();
}

bool is_service_account(std::string_view user) {
  constexpr std::string_view prefix = "system:serviceaccount:";
  if (!user.starts_with(prefix)) return false;
  user.remove_prefix(prefix.size());
  const std::size_t colon = user.find(':');
  if (colon == std::string_view::npos) return false;
  return wrong_dns_label(user.substr(0, colon)).empty() && wrong_dns_subdomain(user.substr(colon + 1)).empty();
}

bool is_on_node(const Subject& subject, std::string_view node) {
  if (node.empty() || !is_service_account(subject.name)) return false;
  const auto named = subject.extra.find("authentication.kubernetes.io/node-name");
  if (named == subject.extra.end() || named->second.size() != 1) return false;
  return named->second.front() == node && wrong_dns_subdomain(node).empty();
}

/// Asks the authorizers about a subresource that nobody serves.
class ClaimPermissions {
 public:
  ClaimPermissions(const ServerState& server, const Call& call) : server_(server), call_(call) {}

  [[nodiscard]] const std::string& verb() const { return call_.attributes.verb; }

  /// Why none of the verbs is allowed, as the first of them is refused; empty if one is.
  [[nodiscard]] std::string missing(const std::vector<std::string>& verbs, Attributes attributes) const {
    std::string first;
    for (const std::string& each : verbs) {
      attributes.verb = each;
      const Decision decision = server_.chain->authorize(call_.subject, attributes);
      if (decision.allowed()) return {};
      std::string why = decision.error;
      if (!why.empty() && !decision.reason.empty()) why += ": ";
      why += decision.reason;
      if (first.empty()) first = forbidden_message(call_.subject, attributes, why);
    }
    return first;
  }

  [[nodiscard]] Attributes binding() const {
    Attributes out = call_.attributes;
    out.subresource = "binding";
    out.namespace_.clear();
    out.name.clear();
    return out;
  }

  [[nodiscard]] Attributes driver(const std::string& name) const {
    Attributes out = call_.attributes;
    out.subresource = "driver";
    out.name = name;
    return out;
  }

 private:
  const ServerState& server_;
  const Call& call_;
};

std::string permission_text(const char* fields, const char* resource, const std::string& verb, const std::string& why) {
  std::string out = "changing ";
  return out.append(fields)
      .append(" requires resource=\"")
      .append(resource)
      .append("\", verb=\"")
      .append(verb)
      .append("\" permission: ")
      .append(why);
}

void check_binding(const ClaimPermissions& permissions, const Object& before, const Object& after,
                   SubresourceStrategy::Unauthorized& out) {
  const auto unchanged = [&](const char* field) {
    return same_entries(member(after, "status", field), member(before, "status", field));
  };
  if (unchanged("allocation") && unchanged("reservedFor")) return;
  const std::string why = permissions.missing({permissions.verb()}, permissions.binding());
  if (why.empty()) return;
  out.rule = Rule::claim_binding_permission;
  out.mistakes.push_back(validation::forbidden_field(
      "status.allocation",
      permission_text("status.allocation or status.reservedFor", "resourceclaims/binding", permissions.verb(), why)));
}

void check_devices(const ClaimPermissions& permissions, bool on_its_node, const Object& before, const Object& after,
                   SubresourceStrategy::Unauthorized& out) {
  std::vector<std::string> verbs;
  if (on_its_node) verbs.push_back("associated-node:" + permissions.verb());
  verbs.push_back("arbitrary-node:" + permissions.verb());
  std::string shown;
  for (const std::string& each : verbs) shown += (shown.empty() ? "[" : " ") + each;
  shown += "]";
  for (const std::string& driver : drivers_of_changes(before, after)) {
    const std::string why = permissions.missing(verbs, permissions.driver(driver));
    if (why.empty()) continue;
    if (out.mistakes.empty()) out.rule = Rule::claim_driver_permission;
    out.mistakes.push_back(validation::forbidden_field(
        "status.devices", permission_text("status.devices", "resourceclaims/driver", shown, why)));
  }
}

}  // namespace

SubresourceStrategy::Unauthorized unauthorized_claim_change(const ServerState& server, const Call& call,
                                                            const Object& before, const Object& after) {
  SubresourceStrategy::Unauthorized out{};
  const ClaimPermissions permissions(server, call);
  if (server.rules.in_force(Rule::claim_binding_permission)) check_binding(permissions, before, after, out);
  const bool allocated = !member(after, "status", "allocation").is_null();
  if (allocated && server.rules.in_force(Rule::claim_driver_permission)) {
    const bool on_its_node =
        server.rules.in_force(Rule::claim_driver_associated_node) && is_on_node(call.subject, allocated_node(after));
    check_devices(permissions, on_its_node, before, after, out);
  }
  return out;
}

}  // namespace nodebound::apiserver
