#include "fakes/kubelet/refusals.h"

#include <algorithm>
#include <utility>

#include "reference/cluster/object.h"
#include "reference/release/catalogue.h"

namespace nodebound::fake_kubelet {
namespace {

bool alike(const Attributes& a, const Attributes& b) {
  return a.verb == b.verb && a.api_group == b.api_group && a.api_version == b.api_version && a.resource == b.resource &&
         a.subresource == b.subresource && (a.resource_request || a.path == b.path);
}

}  // namespace

std::string rule_of(const HttpResponse& response) {
  const auto found = response.headers.find("x-nodebound-rule");
  return found == response.headers.end() ? std::string() : found->second;
}

std::string refusing_rule_of(const HttpResponse& response) {
  std::string rule = rule_of(response);
  const Catalogue& catalogue = Catalogue::built_in();
  const std::optional<Rule> known = catalogue.find(rule);
  return known && catalogue[*known].status != response.status ? std::string() : rule;
}

std::string reason_of(const HttpResponse& response) {
  const Object status = Object::parse(response.body, nullptr, false);
  return status.is_object() ? std::string(text(status, "message")) : response.body;
}

bool is_unanswered(const HttpResponse& response) {
  return response.status == 0;
}

bool is_refusal(const HttpResponse& response) {
  if (response.status < 400 || response.status == 409 || response.status == 410) return false;
  if (response.status != 404) return true;
  // A 404 for a path that is not served names no object.
  const Object status = Object::parse(response.body, nullptr, false);
  return text(status, "details", "name").empty();
}

void KubeletRefusals::note(const HttpRequest& request, const HttpResponse& response, KubeletTime now) {
  if (is_unanswered(response)) return;
  if (is_refusal(response)) return add(request, response, now);
  if (refusals_.empty()) return;
  const Attributes attributes = attributes_of(request.method, request.target);
  for (KubeletRefusal& refusal : refusals_) {
    if (!refusal.healed && alike(refusal.attributes, attributes)) refusal.healed = now;
  }
}

void KubeletRefusals::add(const HttpRequest& request, const HttpResponse& response, KubeletTime now) {
  Attributes attributes = attributes_of(request.method, request.target);
  std::string rule = refusing_rule_of(response);
  auto found = std::find_if(refusals_.begin(), refusals_.end(), [&](const KubeletRefusal& refusal) {
    return refusal.status == response.status && refusal.rule == rule && alike(refusal.attributes, attributes);
  });
  if (found == refusals_.end()) {
    refusals_.push_back({std::move(attributes), response.status, reason_of(response), std::move(rule), 0, now, now});
    found = refusals_.end() - 1;
  }
  ++found->count;
  found->last = now;
  found->healed.reset();
}

}  // namespace nodebound::fake_kubelet
