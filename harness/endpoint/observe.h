#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "harness/endpoint/endpoint.h"
#include "harness/endpoint/https_client.h"
#include "reference/identity/subject.h"
#include "reference/result.h"

namespace nodebound {

/// Observes the server behind `client`: version, API versions, feature gates. What the server does not show to this
/// caller (metrics) stays empty. A server that does not answer like Kubernetes is an error.
Result<Observation> observe(HttpClient& client, const std::string& url);

/// The user that the server sees in `client`, by its SelfSubjectReview; `otherwise` if the server does not serve that.
Result<Subject> who_am_i(HttpClient& client, const Subject& otherwise);

/// `gitVersion` of an answer to `/version`.
Result<std::string> parse_version(const HttpResponse& answer, const std::string& url);

/// The samples of `kubernetes_feature_enabled` in a Prometheus text; other metrics are skipped.
std::map<std::string, bool> parse_feature_gates(std::string_view metrics);

/// Adds the API versions that an answer to `/api` (an APIVersions) or `/apis` (an APIGroupList) lists.
void add_api_versions(const HttpResponse& answer, std::set<std::string>& api_versions);

}  // namespace nodebound
