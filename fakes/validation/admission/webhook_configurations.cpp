#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "fakes/validation/admission/match_conditions.h"
#include "fakes/validation/admission/operation_rules.h"
#include "fakes/validation/kinds.h"
#include "reference/cluster/names.h"
#include "reference/encoding/joined.h"

// pkg/apis/admissionregistration/validation/validation.go, and pkg/util/webhook/validation.go of k8s.io/apiserver

namespace nodebound::validation {
namespace {

std::string webhook_item(const std::string& field, std::size_t at) {
  return field + "[" + std::to_string(at) + "]";
}

FieldMistakes wrong_qualified_name(const std::string& field, const std::string& name) {
  if (name.empty()) return {required_field(field, "")};
  if (const auto wrong = wrong_dns_subdomain(name); !wrong.empty()) {
    return {invalid_field(field, name, joined(wrong, ","))};
  }
  if (std::count(name.begin(), name.end(), '.') >= 2) return {};
  return {invalid_field(field, name, "should be a domain with at least three segments separated by dots")};
}

FieldMistakes wrong_webhook_url(const std::string& field, const std::string& url) {
  constexpr std::string_view form = "; desired format: https://host[/path]";
  FieldMistakes out;
  const std::size_t colon = url.find("://");
  const std::string scheme = colon == std::string::npos ? "" : url.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : url.substr(colon + 3);
  const std::string authority = rest.substr(0, rest.find_first_of("/?#"));
  const std::size_t at = authority.rfind('@');
  if (scheme != "https") {
    out.push_back(invalid_field(field, scheme, "'https' is the only allowed URL scheme" + std::string(form)));
  }
  if (authority.substr(at == std::string::npos ? 0 : at + 1).empty()) {
    out.push_back(invalid_field(field, "", "host must be specified" + std::string(form)));
  }
  if (at != std::string::npos) {
    out.push_back(invalid_field(field, authority.substr(0, at), "user information is not permitted in the URL"));
  }
  const std::size_t hash = url.find('#');
  if (hash != std::string::npos && hash + 1 < url.size()) {
    out.push_back(invalid_field(field, url.substr(hash + 1), "fragments are not permitted in the URL"));
  }
  const std::size_t query = url.substr(0, hash).find('?');
  if (query != std::string::npos && query + 1 < url.substr(0, hash).size()) {
    out.push_back(
        invalid_field(field, url.substr(query + 1, hash - query - 1), "query parameters are not permitted in the URL"));
  }
  return out;
}

FieldMistakes wrong_service_path(const std::string& field, const std::string& path) {
  if (path.empty() || path == "/") return {};
  if (path == "//") return {invalid_field(field, path, "segment[0] may not be empty")};
  FieldMistakes out;
  if (!path.starts_with('/')) out.push_back(invalid_field(field, path, "must start with a '/'"));
  std::string rest = path.substr(1);
  if (rest.ends_with('/')) rest.pop_back();
  std::size_t at = 0;
  for (std::size_t from = 0; from <= rest.size(); ++at) {
    const std::size_t end = std::min(rest.find('/', from), rest.size());
    const std::string step = rest.substr(from, end - from);
    const std::string segment = "segment[" + std::to_string(at) + "]";
    from = end + 1;
    if (step.empty()) {
      out.push_back(invalid_field(field, path, segment + " may not be empty"));
      continue;
    }
    for (const std::string& wrong : wrong_dns_subdomain(step)) {
      out.push_back(invalid_field(field, path, segment + ": " + wrong));
    }
  }
  return out;
}

FieldMistakes wrong_webhook_service(const std::string& field, const Object& service) {
  FieldMistakes out;
  if (text(service, "name").empty()) out.push_back(required_field(field + ".name", ""));
  if (text(service, "namespace").empty()) out.push_back(required_field(field + ".namespace", ""));
  const Object& port = member(service, "port");
  if (port.is_number_integer() && (port < 1 || port > 65535)) {
    out.push_back(invalid_field(field + ".port", port, "port is not valid: must be between 1 and 65535, inclusive"));
  }
  append(out, wrong_service_path(field + ".path", std::string(text(service, "path"))));
  return out;
}

FieldMistakes wrong_client_config(const std::string& field, const Object& config) {
  const bool has_url = member(config, "url").is_string();
  const bool has_service = member(config, "service").is_object();
  if (has_url == has_service) return {required_field(field, "exactly one of url or service is required")};
  if (has_url) return wrong_webhook_url(field + ".url", std::string(text(config, "url")));
  return wrong_webhook_service(field + ".service", member(config, "service"));
}

FieldMistakes wrong_side_effects(const std::string& field, const Object& effects, bool strictly_none) {
  const std::vector<std::string> known = strictly_none
                                             ? std::vector<std::string>{"None", "NoneOnDryRun"}
                                             : std::vector<std::string>{"None", "NoneOnDryRun", "Some", "Unknown"};
  if (!effects.is_null()) return wrong_choice(field, effects, known);
  std::string all;
  for (const std::string& one : known) all += (all.empty() ? "" : ", ") + one;
  return {required_field(field, "must specify one of " + all)};
}

FieldMistakes wrong_review_versions(const std::string& field, const Object& versions) {
  if (versions.empty()) return {required_field(field, "must specify one of v1, v1beta1")};
  FieldMistakes out;
  std::set<std::string> seen;
  std::size_t at = 0;
  for (const std::string& version : strings_of(versions)) {
    const std::string here = webhook_item(field, at++);
    if (!seen.insert(version).second) {
      out.push_back(invalid_field(here, version, "duplicate version"));
      continue;
    }
    append(out, invalid_field_each(here, version, wrong_dns_1035_label(version)));
  }
  if (!seen.contains("v1") && !seen.contains("v1beta1")) {
    out.push_back(invalid_field(field, versions, "must include at least one of v1, v1beta1"));
  }
  return out;
}

FieldMistakes wrong_conditions_of_webhook(const std::string& field, const Object& conditions, const Release& release) {
  if (conditions.empty() || release.is_on("AdmissionWebhookMatchConditions")) {
    return wrong_match_conditions(field, conditions, {}, release);
  }
  return {forbidden_field(
      field, "this server evaluates match conditions only with the feature gate AdmissionWebhookMatchConditions")};
}

FieldMistakes wrong_webhook(const std::string& field, const Object& webhook, bool v1, const Release& release) {
  FieldMistakes out = wrong_qualified_name(field + ".name", std::string(text(webhook, "name")));
  std::size_t at = 0;
  for (const Object& rule : member(webhook, "rules")) {
    append(out, wrong_operation_rule(webhook_item(field + ".rules", at++), rule));
  }
  append(out, wrong_choice(field + ".failurePolicy", member(webhook, "failurePolicy"), {"Fail", "Ignore"}));
  append(out, wrong_choice(field + ".matchPolicy", member(webhook, "matchPolicy"), {"Equivalent", "Exact"}));
  append(out, wrong_side_effects(field + ".sideEffects", member(webhook, "sideEffects"), v1));
  const Object& seconds = member(webhook, "timeoutSeconds");
  if (seconds.is_number_integer() && (seconds < 1 || seconds > 30)) {
    out.push_back(
        invalid_field(field + ".timeoutSeconds", seconds, "the timeout value must be between 1 and 30 seconds"));
  }
  append(out,
         wrong_choice(field + ".reinvocationPolicy", member(webhook, "reinvocationPolicy"), {"IfNeeded", "Never"}));
  append(out, wrong_client_config(field + ".clientConfig", member(webhook, "clientConfig")));
  append(out, wrong_conditions_of_webhook(field + ".matchConditions", member(webhook, "matchConditions"), release));
  append(out, wrong_review_versions(field + ".admissionReviewVersions", member(webhook, "admissionReviewVersions")));
  return out;
}

}  // namespace

FieldMistakes wrong_webhook_configuration(const Object& configuration, const Release& release) {
  FieldMistakes out;
  const bool v1 = text(configuration, "apiVersion") == "admissionregistration.k8s.io/v1";
  std::set<std::string> names;
  std::size_t at = 0;
  for (const Object& webhook : member(configuration, "webhooks")) {
    const std::string field = webhook_item("webhooks", at++);
    append(out, wrong_webhook(field, webhook, v1, release));
    const std::string name(text(webhook, "name"));
    if (v1 && !name.empty() && !names.insert(name).second) out.push_back(duplicate_field(field + ".name", name));
  }
  return out;
}

}  // namespace nodebound::validation
