#include "harness/replay/clients/client_table.h"

#include <algorithm>
#include <utility>

#include "fakes/wire/requests.h"
#include "harness/replay/finding_table.h"
#include "harness/replay/outcome.h"
#include "reference/identity/node_identity.h"

namespace nodebound::replay {
namespace {

bool is_kubelet(const LoggedRequest& request) {
  return request.user_agent.starts_with("kubelet/");
}

bool is_in(const Subject& subject, std::string_view group) {
  return std::find(subject.groups.begin(), subject.groups.end(), group) != subject.groups.end();
}

// A kubelet that joins asks with a bootstrap token, or without credentials, before it is a node.
bool is_joining(const LoggedRequest& request) {
  return request.subject.name.starts_with("system:bootstrap:") || request.subject.name == "system:anonymous" ||
         request.attributes.resource == "certificatesigningrequests";
}

AskedRight right_of(const Attributes& attributes) {
  if (!attributes.resource_request) return {attributes.verb, "", "", "", attributes.path};
  return {attributes.verb, attributes.api_group,
          attributes.resource + (attributes.subresource.empty() ? "" : "/" + attributes.subresource),
          attributes.namespace_, ""};
}

// `name`, or `{node}` if it is that of the node that asks.
std::string for_any_node(const std::string& name, std::string_view node) {
  return !node.empty() && name == node ? "{node}" : name;
}

// The path of an object, with `{node}` as plans have it: api_path encodes braces.
std::string path_for_any_node(const std::string& version, const Attributes& attributes, std::string_view node) {
  const std::string name = attributes.verb == "list" || attributes.verb == "watch" ? "" : attributes.name;
  const std::string of_all = api_path(version, attributes.resource, attributes.namespace_, "");
  if (!node.empty() && name == node) return of_all + "/{node}";
  return name.empty() ? of_all : api_path(version, attributes.resource, attributes.namespace_, name);
}

// The read as any node would send it; empty if it is no read of objects.
std::string read_of(const Attributes& attributes, std::string_view node) {
  const bool reads = attributes.verb == "get" || attributes.verb == "list" || attributes.verb == "watch";
  if (!attributes.resource_request || !reads) return {};
  const std::string version =
      attributes.api_group.empty() ? attributes.api_version : attributes.api_group + "/" + attributes.api_version;
  std::string out = "GET " + path_for_any_node(version, attributes, node);
  if (!attributes.subresource.empty()) out += "/" + attributes.subresource;
  std::string selector;
  for (const FieldRequirement& term : attributes.field_selector) {
    selector += (selector.empty() ? "" : ",") + term.field + term.op + for_any_node(term.value, node);
  }
  if (!selector.empty()) out += "?fieldSelector=" + selector;
  if (attributes.verb == "watch") out += std::string(selector.empty() ? "?" : "&") + "watch=1";
  return out;
}

// A patch of a Node's labels as any node would send it, with the keys alone: NodeRestriction looks at nothing else, and
// values are nobody's business. Empty if it is none.
std::string labelling_of(const LoggedRequest& request, std::string_view node) {
  constexpr std::size_t most_keys = 40;
  const Attributes& attributes = request.attributes;
  if (attributes.resource != "nodes" || !attributes.api_group.empty() || attributes.verb != "patch") return {};
  if (!request.request_object || !attributes.subresource.empty()) return {};
  const Object& labels = member(*request.request_object, "metadata", "labels");
  if (!labels.is_object() || labels.empty() || labels.size() > most_keys) return {};
  Object body;
  for (const auto& [key, value] : labels.items()) {
    body["metadata"]["labels"][key] = value.is_null() ? Object() : Object("");
  }
  return "PATCH " + path_for_any_node("v1", attributes, node) + " " +
         body.dump(-1, ' ', false, Object::error_handler_t::replace);
}

std::string listed(const std::set<std::string>& all) {
  std::string out;
  for (const std::string& one : all) out += (out.empty() ? "" : ", ") + one;
  return out;
}

}  // namespace

bool was_allowed(const LoggedRequest& request) {
  const Recorded what = recorded(request);
  return what == Recorded::allowed || what == Recorded::authorized;
}

bool is_kubelet_without_name(const RuleSet& rules, const LoggedRequest& request) {
  return is_kubelet(request) && !is_joining(request) && !node_identity(rules, request.subject);
}

bool is_agent_as_node(const RuleSet& rules, const LoggedRequest& request) {
  return !is_kubelet(request) && !request.user_agent.empty() && node_identity(rules, request.subject).has_value();
}

void ClientTable::add(const LoggedRequest& request, const Cluster& cluster) {
  const bool unnamed_kubelet = is_kubelet_without_name(rules_, request);
  if (is_in(request.subject, "system:masters") && !unnamed_kubelet) return;
  const bool node = node_identity(rules_, request.subject).has_value();
  if (is_agent_as_node(rules_, request)) {
    note(Sort::agent_as_node, pool_of(request, cluster, pool_label_), request);
    if (was_allowed(request)) note_rights(request);
  }
  if (!node && request.groups_known && request.subject.name.starts_with(node_user_prefix)) {
    note(Sort::node_outside_group, request.subject.name, request);
  } else if (unnamed_kubelet) {
    note(Sort::kubelet_no_node, request.subject.name, request);
  }
  const bool proxy = request.attributes.resource == "nodes" && request.attributes.subresource == "proxy";
  if (proxy) note(Sort::nodes_proxy, request.subject.name, request);
}

void ClientTable::note(Sort sort, const std::string& as, const LoggedRequest& request) {
  const Key key{sort, agent_of(request), as};
  auto found = clients_.find(key);
  if (found == clients_.end()) {
    if (clients_.size() >= most_clients) return;
    found = clients_.emplace(key, Client{{}, 0, request.received, request.received, request.where}).first;
  }
  Client& client = found->second;
  ++client.count;
  client.first = std::min(client.first, request.received);
  client.last = std::max(client.last, request.received);
  if (client.requests.size() < most_requests) client.requests.insert(request_text(request.attributes));
}

void ClientTable::note_rights(const LoggedRequest& request) {
  const std::string agent = agent_of(request);
  if (!agents_.contains(agent) && agents_.size() >= most_clients) return;
  AgentOfNodes& out = agents_[agent];
  out.user_agent = agent;
  if (out.requests.size() < most_asked) {
    const auto node = *node_identity(rules_, request.subject);
    for (const std::string& one : {read_of(request.attributes, node), labelling_of(request, node)}) {
      if (!one.empty()) out.requests.insert(one);
    }
  }
  AskedRight right = right_of(request.attributes);
  if (out.rights.size() < most_rights) {
    out.rights.insert(std::move(right));
  } else {
    out.more_rights = out.more_rights || !out.rights.contains(right);
  }
}

Finding ClientTable::described(const Key& key, const Client& client) {
  const auto& [sort, agent, as] = key;
  Finding out;
  out.who = agent.empty() ? "no user agent" : agent;
  const std::string asks = listed(client.requests);
  switch (sort) {
    case Sort::kubelet_no_node:
      out.id = "kubelet-without-identity";
      out.level = Finding::Level::warning;
      out.rules = {"node-identity-prefix", "node-identity-group"};
      out.statement =
          "A kubelet that does not ask as system:node:NAME in system:nodes gets nothing from the Node authorizer.";
      out.what = "asks as " + as + ": " + asks;
      out.advice =
          "Give it a client certificate for system:node:NAME of the organization system:nodes before what it has its "
          "rights from is taken away.";
      break;
    case Sort::node_outside_group:
      out.id = "node-outside-group";
      out.level = Finding::Level::warning;
      out.rules = {"node-identity-group"};
      out.statement = "Who is named like a node and is not in system:nodes is no node.";
      out.what = "asks as " + as + ", which is not in system:nodes: " + asks;
      out.advice = "Issue the certificate for the organization system:nodes.";
      break;
    case Sort::agent_as_node:
      out.id = "agent-with-node-credentials";
      out.level = Finding::Level::note;
      out.statement = "A program that is no kubelet asks as a node: each release lets a node do less.";
      out.what = "asks as nodes" + (as.empty() ? std::string() : " of pool " + as) + ": " + asks;
      out.advice = "Give it a ServiceAccount of its own; --propose-rbac prints the least roles, tried on this log.";
      break;
    case Sort::nodes_proxy:
      out.id = "nodes-proxy-user";
      out.level = Finding::Level::note;
      out.rules = {"kubelet-get-reaches-exec"};
      out.statement = "Who may get nodes/proxy may run commands in every pod.";
      out.what = "uses nodes/proxy as " + as + ": " + asks;
      out.advice =
          "See whether nodes/metrics, nodes/stats, nodes/log or nodes/pods are enough (`nodebound inspect "
          "--kubelet-min`).";
      break;
  }
  out.place.file = client.where.substr(0, client.where.rfind(':'));
  out.place.line =
      std::strtoull(client.where.c_str() + std::min(client.where.size(), client.where.rfind(':') + 1), nullptr, 10);
  out.count = client.count;
  out.first = time_text(client.first);
  out.last = time_text(client.last);
  return out;
}

std::vector<Finding> ClientTable::findings() const {
  std::vector<std::pair<Sort, Finding>> all;
  for (const auto& [key, client] : clients_) all.emplace_back(std::get<Sort>(key), described(key, client));
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second.count > b.second.count;
  });
  std::vector<Finding> out;
  for (auto& [sort, finding] : all) out.push_back(std::move(finding));
  return out;
}

std::vector<AgentOfNodes> ClientTable::agents() const {
  std::vector<AgentOfNodes> out;
  for (const auto& [name, agent] : agents_) out.push_back(agent);
  return out;
}

}  // namespace nodebound::replay
