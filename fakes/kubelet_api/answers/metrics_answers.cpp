#include <algorithm>
#include <array>
#include <charconv>

#include "fakes/apiserver/read/negotiation.h"
#include "fakes/kubelet_api/answers/answer.h"
#include "fakes/kubelet_api/answers/kubelet_answers.h"
#include "reference/release/kubelet_trait_ids.h"

namespace nodebound::kubelet_api {
namespace {

/// A number as Go's %g writes it.
std::string float_text(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

std::string described(std::string_view name, std::string_view help, std::string_view type) {
  std::string out = "# HELP ";
  out.append(name).append(" ").append(help).append("\n# TYPE ").append(name).append(" ").append(type).append("\n");
  return out;
}

bool is_escaping(std::string_view name) {
  return name == "allow-utf-8" || name == "underscores" || name == "dots" || name == "values";
}

/// Whether the clause asks for a protobuf form (prometheus/common, expfmt.Negotiate).
bool is_metric_family(const apiserver::AcceptClause& clause) {
  const std::string_view encoding = clause.parameter("encoding");
  return clause.type == "application" && clause.subtype == "vnd.google.protobuf" &&
         clause.parameter("proto") == "io.prometheus.client.MetricFamily" &&
         (encoding == "delimited" || encoding == "text" || encoding == "compact-text");
}

}  // namespace

std::string KubeletAnswers::metrics_type(std::string_view accept) const {
  std::string_view escaping = has(KubeletTrait::metrics_escaping_values)        ? "values"
                              : has(KubeletTrait::metrics_escaping_underscores) ? "underscores"
                                                                                : "";
  const bool escapes = !escaping.empty();
  std::string out = "text/plain; version=0.0.4; charset=utf-8";
  for (const apiserver::AcceptClause& clause : apiserver::accepted(accept)) {
    if (is_escaping(clause.parameter("escaping"))) escaping = clause.parameter("escaping");
    if (is_metric_family(clause)) {
      out = "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=";
      out += clause.parameter("encoding");
      break;
    }
    const std::string_view version = clause.parameter("version");
    if (clause.type == "text" && clause.subtype == "plain" && (version.empty() || version == "0.0.4")) break;
  }
  return escapes ? out.append("; escaping=").append(escaping) : out;
}

HttpResponse KubeletAnswers::metrics_answer(const Call& call, std::string body, bool chunked) {
  HttpResponse out = chunked ? chunked_answer(200, "", std::move(body)) : text_answer(200, std::move(body));
  out.content_type = metrics_type(call.request.header("accept"));
  out.headers["process-start-time-unix"] = std::to_string(started_);
  return out;
}

std::string KubeletAnswers::start_time_metric() const {
  constexpr const char* name = "process_start_time_seconds";
  return described(name, "[ALPHA] Start time of the process since unix epoch in seconds.", "gauge") + name + " " +
         float_text(static_cast<double>(started_)) + "\n";
}

HttpResponse KubeletAnswers::metrics(const Call& call) {
  const std::string version = "v" + rules_.release().version.text();
  std::string body =
      described("kubelet_node_name", "[ALPHA] The node's name. The count is always 1.", "gauge") +
      "kubelet_node_name{node=\"" + node_ + "\"} 1\n" +
      described("kubelet_running_pods", "[ALPHA] Number of pods that have a running pod sandbox", "gauge") +
      "kubelet_running_pods 1\n" +
      described(
          "kubernetes_build_info",
          "[ALPHA] A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree "
          "state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is "
          "running.",
          "gauge") +
      "kubernetes_build_info{git_version=\"" + version + "\"} 1\n" + start_time_metric();
  return metrics_answer(call, std::move(body), true);
}

HttpResponse KubeletAnswers::metrics_cadvisor(const Call& call) {
  return metrics_answer(
      call,
      described("cadvisor_version_info",
                "A metric with a constant '1' value labeled by kernel version, OS version, docker version, cadvisor "
                "version & cadvisor revision.",
                "gauge") +
          "cadvisor_version_info{cadvisorRevision=\"\",cadvisorVersion=\"none\",dockerVersion=\"\",kernelVersion=\"6.1."
          "0\","
          "osVersion=\"\"} 1\n",
      true);
}

HttpResponse KubeletAnswers::metrics_resource(const Call& call) {
  return metrics_answer(call, KubeletHost::resource_metrics(), false);
}

HttpResponse KubeletAnswers::metrics_probes(const Call& call) {
  return metrics_answer(call, start_time_metric(), false);
}

HttpResponse KubeletAnswers::metrics_slis(const Call& call) {
  if (call.request.method == "DELETE") {
    health_checks_ = 0;
    return text_answer(200, "metrics reset\n");
  }
  std::vector<std::string> names = checks();
  std::sort(names.begin(), names.end());
  std::string body;
  const std::uint64_t count = health_checks_;
  if (count > 0) {
    body += described("kubernetes_healthcheck", "[STABLE] This metric records the result of a single healthcheck.",
                      "gauge");
    for (const std::string& name : names) body += "kubernetes_healthcheck{name=\"" + name + "\",type=\"healthz\"} 1\n";
    body += described("kubernetes_healthchecks_total", "[STABLE] This metric records the results of all healthcheck.",
                      "counter");
    for (const std::string& name : names) {
      body += "kubernetes_healthchecks_total{name=\"" + name + R"(",status="success",type="healthz"} )" +
              std::to_string(count) + "\n";
    }
  }
  return metrics_answer(call, body + start_time_metric(), false);
}

}  // namespace nodebound::kubelet_api
