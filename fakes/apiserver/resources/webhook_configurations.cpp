#include <array>
#include <cstdint>

#include "fakes/apiserver/resources/registry.h"
#include "fakes/apiserver/write/write_context.h"
#include "fakes/validation/kinds.h"

namespace nodebound::apiserver {
namespace {

constexpr TableColumns::Column webhook_columns[] = {
    name_column,
    {"Webhooks", [](const Object& o, const std::string&) { return Object(member(o, "webhooks").size()); }, 0,
     "integer"},
    age_column};

// pkg/apis/admissionregistration/v1/defaults.go and v1beta1/defaults.go: each version has its own.
void complete_webhook(Object& webhook, bool v1, bool mutating) {
  const auto fill = [&](const char* field, Object value) { webhook.emplace(field, std::move(value)); };
  fill("failurePolicy", v1 ? "Fail" : "Ignore");
  fill("matchPolicy", v1 ? "Equivalent" : "Exact");
  fill("namespaceSelector", Object::object());
  fill("objectSelector", Object::object());
  fill("timeoutSeconds", v1 ? 10 : 30);
  if (mutating) fill("reinvocationPolicy", "Never");
  if (!v1) {
    fill("sideEffects", "Unknown");
    if (member(webhook, "admissionReviewVersions").empty()) webhook["admissionReviewVersions"] = {"v1beta1"};
  }
  for (Object& rule : webhook["rules"]) {
    if (rule.is_object()) rule.emplace("scope", "*");
  }
  if (webhook["rules"].empty()) webhook.erase("rules");
  if (member(webhook, "clientConfig", "service").is_object()) {
    webhook["clientConfig"]["service"].emplace("port", 443);
  }
}

void complete_webhooks(const WriteContext& write, Object& configuration) {
  if (!member(configuration, "webhooks").is_array()) return;
  const bool mutating = write.resource.resource == "mutatingwebhookconfigurations";
  for (Object& webhook : configuration["webhooks"]) {
    if (webhook.is_object()) complete_webhook(webhook, write.resource.version == "v1", mutating);
  }
}

bool changed_webhooks(const Object& before, const Object& after) {
  return member(before, "webhooks") != member(after, "webhooks");
}

constexpr Strategy webhook_strategy(std::string_view resource) {
  return {
      .group = "admissionregistration.k8s.io",
      .resource = resource,
      .columns = TableColumns(webhook_columns),
      .decode = complete_webhooks,
      .checks = {.in_release = validation::wrong_webhook_configuration, .metadata_checks = 3, .any_finalizers = true},
      .new_generation = changed_webhooks};
}

}  // namespace

std::span<const Strategy> strategies::webhook_configurations() {
  static constexpr std::array kinds = {webhook_strategy("validatingwebhookconfigurations"),
                                       webhook_strategy("mutatingwebhookconfigurations")};
  return kinds;
}

}  // namespace nodebound::apiserver
