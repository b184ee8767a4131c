#include "fakes/apiserver/webhooks/admission_webhook.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "fakes/apiserver/status.h"
#include "reference/encoding/base64.h"

// staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook: generic/webhook.go and predicates/

namespace nodebound::apiserver {
namespace {

constexpr std::string_view admission_group = "admissionregistration.k8s.io";

const char* resource_of(WebhookKind kind) {
  return kind == WebhookKind::mutating ? "mutatingwebhookconfigurations" : "validatingwebhookconfigurations";
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
  const ObjectPtr found = cluster.find("", "services", in, name);
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

const Object& AdmissionWebhook::entry() const {
  return member(*of, "webhooks")[position];
}

std::string AdmissionWebhook::id() const {
  return configuration + "/" + name() + "/" + std::to_string(index);
}

bool AdmissionWebhook::takes_dry_runs() const {
  const std::string_view effects = text(entry(), "sideEffects");
  return effects == "None" || effects == "NoneOnDryRun";
}

std::string AdmissionWebhook::review_version() const {
  for (const Object& version : member(entry(), "admissionReviewVersions")) {
    if (version == "v1" || version == "v1beta1") return version.get<std::string>();
  }
  return {};
}

std::chrono::seconds AdmissionWebhook::time() const {
  const Object& seconds = member(entry(), "timeoutSeconds");
  return std::chrono::seconds(seconds.is_number_integer() ? seconds.get<std::int64_t>() : 10);
}

std::vector<AdmissionWebhook> configured_webhooks(const Cluster& cluster, WebhookKind kind) {
  std::vector<AdmissionWebhook> out;
  // In the order of their names.
  cluster.each_shared(admission_group, resource_of(kind), "",
                      [&](const std::string& /*in*/, const std::string& name, const ObjectPtr& configuration) {
                        const Object& entries = member(*configuration, "webhooks");
                        for (std::size_t i = 0; i < entries.size(); ++i)
                          out.push_back({name, out.size(), configuration, i});
                      });
  return out;
}

tl::expected<const ApiResource*, HttpResponse> matched_by(const AdmissionWebhook& webhook, const MatchedWrite& write,
                                                          const Cluster& cluster, const ApiResources& resources) {
  const Selected in = namespace_selected(member(webhook.entry(), "namespaceSelector"), write, cluster);
  if (in == Selected::no || !object_selected(member(webhook.entry(), "objectSelector"), write)) return nullptr;
  const ApiResource* const as =
      matched_by_rules(member(webhook.entry(), "rules"), text(webhook.entry(), "matchPolicy"), write, resources);
  if (as != nullptr && in == Selected::no_namespace) {
    return tl::unexpected(not_found("", "namespaces", write.namespace_));
  }
  return as;
}

tl::expected<WebhookRequest, std::string> request_to(const AdmissionWebhook& webhook, const Cluster& cluster) {
  const Object& config = member(webhook.entry(), "clientConfig");
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

}  // namespace nodebound::apiserver
