#include "fakes/apiserver/discovery/health.h"

#include <algorithm>

#include "fakes/apiserver/read/negotiation.h"
#include "fakes/apiserver/status.h"
#include "reference/authorizer/attributes.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::apiserver {
namespace {

HttpResponse plain(int status, std::string body) {
  HttpResponse response;
  response.status = status;
  response.content_type = "text/plain; charset=utf-8";
  response.headers["x-content-type-options"] = "nosniff";
  response.body = std::move(body);
  return response;
}

bool has_parameter(const std::string& target, std::string_view name) {
  const std::size_t question = target.find('?');
  if (question == std::string::npos) return false;
  for (std::size_t at = target.find(name, question); at != std::string::npos; at = target.find(name, at + 1)) {
    const char before = target[at - 1];
    const std::size_t end = at + name.size();
    if ((before == '?' || before == '&') && (end == target.size() || target[end] == '=' || target[end] == '&')) {
      return true;
    }
  }
  return false;
}

/// Those of kube-apiserver's health checks that make sense here; a server that answers at all passes them.
std::optional<HttpResponse> health(const HttpRequest& request, const std::string& path) {
  for (const std::string name : {"healthz", "livez", "readyz"}) {
    const std::string root = "/" + name;
    const std::string below = root + "/";
    if (path != root && !path.starts_with(below)) continue;
    const std::string asked = path.substr(std::min(path.size(), below.size()));
    std::string verbose;
    for (const std::string check : {"ping", "log", "etcd", "poststarthook/rbac/bootstrap-roles"}) {
      if (asked == check) return plain(200, "ok");
      verbose.append("[+]").append(check).append(" ok\n");
    }
    if (path != root) return std::nullopt;
    verbose.append(name).append(" check passed\n");
    return plain(200, has_parameter(request.target, "verbose") ? verbose : "ok");
  }
  return std::nullopt;
}

bool takes(const HttpRequest& request, std::initializer_list<const char*> types) {
  const auto named = [&](const char* type) { return request.accept.find(type) != std::string::npos; };
  return request.accept.empty() || std::any_of(types.begin(), types.end(), named);
}

/// /logs: there are no log files here.
HttpResponse logs(const HttpRequest& request, const std::string& path) {
  if (request.method != "GET") {
    return failure(405, "MethodNotAllowed", "the server does not allow this method on the requested resource",
                   Object::object());
  }
  // The handlers declare no media type, so go-restful answers only clients that accept anything.
  if (!takes(request, {"*/*"})) return not_acceptable(std::span<const std::string_view>());
  if (path != "/logs" && path != "/logs/") return plain(404, "404 page not found\n");
  HttpResponse listing = plain(200, "<pre>\n</pre>\n");
  listing.headers.clear();
  listing.content_type = "text/html; charset=utf-8";
  return listing;
}

HttpResponse metrics_of(std::string text) {
  HttpResponse response = plain(200, std::move(text));
  response.headers.clear();
  response.content_type = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";
  return response;
}

HttpResponse slis() {
  return metrics_of(
      "# HELP kubernetes_healthcheck [STABLE] This metric records the result of a single healthcheck.\n"
      "# TYPE kubernetes_healthcheck gauge\nkubernetes_healthcheck{name=\"ping\",type=\"healthz\"} 1\n");
}

HttpResponse metrics(const RuleSet& rules) {
  const Release& release = rules.release();
  std::string out =
      "# HELP kubernetes_build_info [ALPHA] A metric with a constant '1' value labeled by major, minor, git version, "
      "git "
      "commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on "
      "which it is running.\n# TYPE kubernetes_build_info gauge\n";
  out += "kubernetes_build_info{git_version=\"v" + release.version.text() + "\",major=\"" +
         std::to_string(release.version.major) + "\",minor=\"" + std::to_string(release.version.minor) + "\"} 1\n";
  out +=
      "# HELP kubernetes_feature_enabled [BETA] This metric records the data about the stage and enablement of a k8s "
      "feature.\n# TYPE kubernetes_feature_enabled gauge\n";
  for (const auto& [gate, on] : release.gates) {
    out += "kubernetes_feature_enabled{name=\"" + gate + "\",stage=\"\"} " + (on ? "1" : "0") + "\n";
  }
  return metrics_of(std::move(out));
}

/// Pages for people, each behind a gate (KEP-4827, KEP-4828). Their machine-readable forms are not served.
std::optional<HttpResponse> page(const Release& release, const HttpRequest& request, const std::string& path) {
  const bool served = (path == "/statusz" && release.does(Behaviour::statusz_page)) ||
                      (path == "/flagz" && release.does(Behaviour::flagz_page));
  if (!served) return std::nullopt;
  if (!takes(request, {"text/plain", "text/*", "*/*"})) {
    return failure(406, "NotAcceptable",
                   "only the following media types are accepted: application/json, application/yaml, text/plain");
  }
  return plain(200, "\nkube-apiserver " + path.substr(1) + "\n\nBinary version: " + release.version.text() + "\n");
}

/// /debug/pprof: there are no profiles here.
HttpResponse profiles() {
  HttpResponse listing = plain(200, "<html><head><title>/debug/pprof/</title></head><body></body></html>\n");
  listing.content_type = "text/html; charset=utf-8";
  return listing;
}

}  // namespace

std::optional<HttpResponse> about_itself(const RuleSet& rules, bool has_logs, const HttpRequest& request,
                                         const std::string& path) {
  if (path == "/debug/pprof/") return profiles();
  if (path == "/metrics") return metrics(rules);
  if (path == "/metrics/slis" && rules.release().does(Behaviour::healthcheck_metrics)) return slis();
  if (std::optional<HttpResponse> own = page(rules.release(), request, path)) return own;
  if (has_logs && (path == "/logs" || path.starts_with("/logs/"))) return logs(request, path);
  return health(request, path);
}

}  // namespace nodebound::apiserver
