#include "harness/endpoint/observe.h"

#include <optional>

#include "harness/endpoint/json_access.h"

namespace nodebound {
namespace {

using nlohmann::json;

constexpr std::string_view gate_sample = "kubernetes_feature_enabled{";

json parse(const std::string& text) {
  return json::parse(text, nullptr, /*allow_exceptions=*/false);
}

HttpRequest get(std::string target) {
  return {"GET", std::move(target), {}, {}, false};
}

/// The value of `label="…"` within `{…}`; names of feature gates need no escapes.
std::string_view label(std::string_view labels, std::string_view name) {
  const std::string opening = std::string(name) + "=\"";
  const auto start = labels.find(opening);
  if (start == std::string_view::npos) return {};
  labels.remove_prefix(start + opening.size());
  return labels.substr(0, labels.find('"'));
}

std::optional<Subject> parse_user_info(const HttpResponse& answer) {
  const json review = parse(answer.body);
  const json info = object_at(object_at(review, "status"), "userInfo");
  Subject subject;
  subject.name = text_at(info, "username");
  subject.uid = text_at(info, "uid");
  for (const json& group : list_at(info, "groups")) {
    if (group.is_string()) subject.groups.push_back(group.get<std::string>());
  }
  const json extra = object_at(info, "extra");
  for (const auto& [key, values] : extra.items()) {
    for (const json& value : values) {
      if (value.is_string()) subject.extra[key].push_back(value.get<std::string>());
    }
  }
  if (subject.name.empty()) return std::nullopt;
  return subject;
}

}  // namespace

Result<std::string> parse_version(const HttpResponse& answer, const std::string& url) {
  if (answer.status == 401 || answer.status == 403) {
    return unreachable_error(url, "/version is refused with status " + std::to_string(answer.status),
                             "check that these credentials are those of the cluster's administrator");
  }
  std::string version = answer.status == 200 ? text_at(parse(answer.body), "gitVersion") : std::string();
  if (version.empty()) {
    return unreachable_error(url,
                             "does not answer like a Kubernetes API server: expected status 200 and JSON with a "
                             "gitVersion from /version, found status " +
                                 std::to_string(answer.status) + " and " +
                                 (answer.content_type.empty() ? "no content type" : answer.content_type),
                             "check the address and the port");
  }
  return version;
}

std::map<std::string, bool> parse_feature_gates(std::string_view metrics) {
  std::map<std::string, bool> gates;
  while (!metrics.empty()) {
    const auto end = metrics.find('\n');
    const std::string_view line = metrics.substr(0, end);
    metrics.remove_prefix(end == std::string_view::npos ? metrics.size() : end + 1);
    const auto closing = line.rfind('}');
    if (!line.starts_with(gate_sample) || closing == std::string_view::npos) continue;
    const std::string_view gate = label(line.substr(gate_sample.size(), closing - gate_sample.size()), "name");
    const auto value = line.find_first_not_of(' ', closing + 1);
    if (gate.empty() || value == std::string_view::npos) continue;
    gates[std::string(gate)] = line[value] == '1';
  }
  return gates;
}

void add_api_versions(const HttpResponse& answer, std::set<std::string>& api_versions) {
  if (answer.status != 200) return;
  const json document = parse(answer.body);
  for (const json& version : list_at(document, "versions")) {
    if (version.is_string()) api_versions.insert(version.get<std::string>());
  }
  for (const json& group : list_at(document, "groups")) {
    for (const json& version : list_at(group, "versions")) {
      if (std::string name = text_at(version, "groupVersion"); !name.empty()) api_versions.insert(std::move(name));
    }
  }
}

Result<Observation> observe(HttpClient& client, const std::string& url) {
  Observation seen;
  const auto version_answer = client.send(get("/version"));
  if (!version_answer) return tl::unexpected(version_answer.error());
  auto version = parse_version(*version_answer, url);
  if (!version) return tl::unexpected(version.error());
  seen.version = std::move(*version);
  for (const char* root : {"/api", "/apis"}) {
    const auto answer = client.send(get(root));
    if (!answer) return tl::unexpected(answer.error());
    add_api_versions(*answer, seen.api_versions);
  }
  // A busy server has many megabytes of metrics.
  const auto metrics = client.send_for_lines(get("/metrics"), gate_sample);
  if (!metrics) return tl::unexpected(metrics.error());
  if (metrics->status == 200) seen.feature_gates = parse_feature_gates(metrics->body);
  return seen;
}

Result<Subject> who_am_i(HttpClient& client, const Subject& otherwise) {
  const auto answer = client.send({"POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", "application/json",
                                   R"({"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"})", false});
  if (!answer) return tl::unexpected(answer.error());
  if (answer->status != 201 && answer->status != 200) return otherwise;
  return parse_user_info(*answer).value_or(otherwise);
}

}  // namespace nodebound
