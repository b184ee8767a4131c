#include "fakes/apiserver/webhooks/admission_webhook.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "fakes/apiserver/status.h"
#include "reference/cluster/label_selector.h"
#include "reference/encoding/base64.h"

// staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook: generic/webhook.go and predicates/

namespace nodebound {
namespace {

constexpr std::string_view admission_group = "admissionregistration.k8s.io";

const char* resource_of(WebhookKind kind) {
  return kind == WebhookKind::mutating ? "mutatingwebhookconfigurations" : "validatingwebhookconfigurations";
}

bool lists(const Object& list, std::string_view wanted) {
  return std::any_of(list.begin(), list.end(), [&](const Object& item) { return item == "*" || item == wanted; });
}

bool is_namespace(const ApiResource& resource) {
  return resource.group.empty() && resource.resource == "namespaces";
}

bool in_scope(const Object& rule, const MatchedWrite& write) {
  const std::string_view scope = text(rule, "scope");
  if (scope.empty() || scope == "*") return true;
  const bool namespaced = !is_namespace(write.resource) && !write.namespace_.empty();
  return (scope == "Namespaced") == namespaced;
}

bool names_resource(const Object& rule, std::string_view resource, std::string_view subresource) {
  const Object& all = member(rule, "resources");
  return std::any_of(all.begin(), all.end(), [&](const Object& item) {
    if (!item.is_string()) return false;
    const std::string_view entry = item.get_ref<const std::string&>();
    const std::size_t slash = entry.find('/');
    const std::string_view first = entry.substr(0, slash);
    const std::string_view second = slash == std::string_view::npos ? std::string_view() : entry.substr(slash + 1);
    return (first == "*" || first == resource) && (second == "*" || second == subresource);
  });
}

bool rule_matches(const Object& rule, const MatchedWrite& write, const ApiResource& resource) {
  return in_scope(rule, write) && lists(member(rule, "operations"), to_string(write.operation)) &&
         lists(member(rule, "apiGroups"), resource.group) && lists(member(rule, "apiVersions"), resource.version) &&
         names_resource(rule, resource.resource, write.subresource);
}

// With the policy Equivalent, a rule for another version of the resource matches, too.
const ApiResource* matched_resource(const AdmissionWebhook& webhook, const MatchedWrite& write,
                                    const ApiResources& resources) {
  const Object& rules = member(webhook.entry, "rules");
  for (const Object& rule : rules) {
    if (rule_matches(rule, write, write.resource)) return &write.resource;
  }
  if (text(webhook.entry, "matchPolicy") == "Exact") return nullptr;
  for (const Object& rule : rules) {
    for (const ApiResource& other : resources.all()) {
      const bool same = other.group == write.resource.group && other.resource == write.resource.resource;
      if (same && rule_matches(rule, write, other)) return &other;
    }
  }
  return nullptr;
}

enum class Selected { yes, no, no_namespace };

bool selects(const Object& selector, const Object& object) {
  const std::optional<LabelSelector> parsed = LabelSelector::of(selector);
  return parsed && parsed->matches(object);
}

bool is_everything(const Object& selector) {
  return member(selector, "matchLabels").empty() && member(selector, "matchExpressions").empty();
}

Selected namespace_selected(const Object& selector, const MatchedWrite& write, const Cluster& cluster) {
  if (write.namespace_.empty() && !is_namespace(write.resource)) return Selected::yes;
  if (is_everything(selector)) return Selected::yes;
  const bool written = is_namespace(write.resource) && write.subresource.empty() &&
                       (write.operation == Operation::create || write.operation == Operation::update);
  const Object* found = written ? &write.object : cluster.find("", "namespaces", "", write.namespace_);
  if (found == nullptr) return Selected::no_namespace;
  return selects(selector, *found) ? Selected::yes : Selected::no;
}

bool object_selected(const Object& selector, const MatchedWrite& write) {
  if (is_everything(selector)) return true;
  const auto selected = [&](const Object& object) {
    return member(object, "metadata").is_object() && selects(selector, object);
  };
  return selected(write.object) || selected(write.old_object);
}

// A Service's webhook is asked by the Service's name, at its cluster IP (apiserver's
// pkg/util/webhook/serviceresolver.go and kube-aggregator's pkg/apiserver/resolvers.go).
tl::expected<WebhookRequest, std::string> request_to_service(const Object& service, const Cluster& cluster,
                                                             std::chrono::seconds time) {
  const std::string in(text(service, "namespace"));
  const std::string name(text(service, "name"));
  const Object& asked = member(service, "port");
  const std::int64_t port = asked.is_number_integer() ? asked.get<std::int64_t>() : 443;
  WebhookRequest out;
  out.url = "https://" + name + "." + in + ".svc:" + std::to_string(port);
  std::string path(text(service, "path"));
  out.url += path.starts_with('/') ? path : "/" + path;
  const auto unresolved = [&](const std::string& why) {
    return tl::unexpected("Post " + go_quoted(out.url + "?timeout=" + std::to_string(time.count()) + "s") + ": " + why);
  };
  const Object* found = cluster.find("", "services", in, name);
  if (found == nullptr) return unresolved("service " + go_quoted(name) + " not found");
  const std::string_view type = text(*found, "spec", "type");
  const Object& ports = member(*found, "spec", "ports");
  const bool offered = std::any_of(ports.begin(), ports.end(), [&](const Object& own) { return own["port"] == port; });
  const std::string host(text(*found, "spec", type == "ExternalName" ? "externalName" : "clusterIP"));
  if (type != "ExternalName" && !offered) {
    return unresolved("no service port " + std::to_string(port) + " found for service " + go_quoted(name));
  }
  if (host.empty() || host == "None") return unresolved("no clusterIP found for service " + go_quoted(name));
  out.connect_host = host;
  out.connect_port = std::to_string(port);
  return out;
}

}  // namespace

std::string AdmissionWebhook::id() const {
  return configuration + "/" + name() + "/" + std::to_string(index);
}

bool AdmissionWebhook::takes_dry_runs() const {
  const std::string_view effects = text(entry, "sideEffects");
  return effects == "None" || effects == "NoneOnDryRun";
}

std::string AdmissionWebhook::review_version() const {
  for (const Object& version : member(entry, "admissionReviewVersions")) {
    if (version == "v1" || version == "v1beta1") return version.get<std::string>();
  }
  return {};
}

std::chrono::seconds AdmissionWebhook::time() const {
  const Object& seconds = member(entry, "timeoutSeconds");
  return std::chrono::seconds(seconds.is_number_integer() ? seconds.get<std::int64_t>() : 10);
}

std::vector<AdmissionWebhook> configured_webhooks(const Cluster& cluster, WebhookKind kind) {
  std::vector<std::pair<std::string, const Object*>> configurations;
  cluster.each(admission_group, resource_of(kind), "",
               [&](const ObjectKey& key, const Object& object) { configurations.emplace_back(key.name, &object); });
  std::sort(configurations.begin(), configurations.end());
  std::vector<AdmissionWebhook> out;
  for (const auto& [name, configuration] : configurations) {
    for (const Object& entry : member(*configuration, "webhooks")) out.push_back({name, out.size(), entry});
  }
  return out;
}

tl::expected<const ApiResource*, HttpResponse> matched_by(const AdmissionWebhook& webhook, const MatchedWrite& write,
                                                          const Cluster& cluster, const ApiResources& resources) {
  const Selected in = namespace_selected(member(webhook.entry, "namespaceSelector"), write, cluster);
  if (in == Selected::no || !object_selected(member(webhook.entry, "objectSelector"), write)) return nullptr;
  const ApiResource* const as = matched_resource(webhook, write, resources);
  if (as != nullptr && in == Selected::no_namespace) {
    return tl::unexpected(not_found("", "namespaces", write.namespace_));
  }
  return as;
}

tl::expected<WebhookRequest, std::string> request_to(const AdmissionWebhook& webhook, const Cluster& cluster) {
  const Object& config = member(webhook.entry, "clientConfig");
  tl::expected<WebhookRequest, std::string> out;
  if (member(config, "service").is_object()) {
    out = request_to_service(member(config, "service"), cluster, webhook.time());
  } else {
    out->url = text(config, "url");
  }
  if (!out) return out;
  const std::optional<std::string> authorities = base64_decode(text(config, "caBundle"));
  if (!authorities) return tl::unexpected<std::string>("illegal base64 data in caBundle");
  out->ca_pem = *authorities;
  out->time = webhook.time();
  return out;
}

}  // namespace nodebound
