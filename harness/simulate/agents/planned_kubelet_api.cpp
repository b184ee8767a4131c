#include "harness/simulate/agents/planned_kubelet_api.h"

#include <algorithm>

namespace nodebound::simulate {
namespace {

constexpr const char* rule_header = "x-nodebound-rule";

// The settings of kubeadm, overridden by the plan.
KubeletSettings settings_of(const Plan::KubeletApi& api, const RuleSet& rules) {
  KubeletSettings out = KubeletSettings::of_file(rules);
  out.client_ca = true;
  out.anonymous = api.anonymous;
  out.token_webhook = api.token_webhook;
  out.authorization_mode = api.authorization;
  return out;
}

RuleSet rules_of(const Catalogue& catalogue, const Plan::Kubelet& kubelet) {
  // The gates were validated when the plan was read.
  return {catalogue, Release::make(catalogue, kubelet.version, kubelet.gates).value()};
}

std::vector<std::string> asked_about(const KubeletRoute& route, const HttpRequest& request, const RuleSet& rules) {
  std::vector<std::string> out;
  for (const Attributes& one : kubelet_attributes(request.method, route.path, "", rules))
    out.push_back(one.subresource);
  return out;
}

HttpResponse answer_of(int status, std::string body) {
  HttpResponse out;
  out.status = status;
  out.content_type = "text/plain";
  if (body.ends_with('\n')) body.pop_back();
  out.body = std::move(body);
  return out;
}

HttpResponse ruled(HttpResponse answer, Rule rule, const RuleSet& rules) {
  answer.headers[rule_header] = rules.catalogue()[rule].id;
  return answer;
}

HttpResponse without_handler(const KubeletRoute& route, const RuleSet& rules) {
  switch (route.kind) {
    case KubeletRoute::Kind::method_not_allowed:
      return answer_of(405, "405: Method Not Allowed");
    case KubeletRoute::Kind::disabled:
      return ruled(answer_of(405, route.message), Rule::kubelet_debugging_handlers_refuse, rules);
    case KubeletRoute::Kind::not_acceptable:
      return answer_of(406, "406: Not Acceptable");
    case KubeletRoute::Kind::no_route:
      return answer_of(404, "404: Page Not Found");
    default:
      return ruled(answer_of(404, "404 page not found"), Rule::kubelet_paths_before_authentication, rules);
  }
}

// Clients follow redirects of GET requests.
KubeletRoute route_of(const KubeletRoutes& routes, const HttpRequest& request) {
  KubeletRoute route = routes.find(request.method, request.target);
  if (route.kind != KubeletRoute::Kind::redirect || request.method != "GET") return route;
  return routes.find(request.method, route.location);
}

}  // namespace

KubeletApiRules::Way::Way(RuleSet rules_in_force, const Plan::KubeletApi& api, std::optional<Rule> turned_round)
    : rules(std::move(rules_in_force)),
      settings(settings_of(api, rules)),
      routes(rules, settings),
      turned(turned_round) {}

KubeletApiRules::KubeletApiRules(const Catalogue& catalogue, const Plan::Kubelet& kubelet)
    : api_(kubelet.api), own_(rules_of(catalogue, kubelet), api_, std::nullopt) {}

const std::vector<std::unique_ptr<const KubeletApiRules::Way>>& KubeletApiRules::others(const HttpRequest& request) {
  const auto [found, is_new] = others_.try_emplace(request.method + " " + request.target);
  if (!is_new) return found->second;
  const KubeletRoute here = route_of(own_.routes, request);
  for (std::size_t i = 0; i < rule_count; ++i) {
    const Rule rule = static_cast<Rule>(i);
    if (own_.rules.catalogue()[rule].layer != Layer::kubelet) continue;
    auto way = std::make_unique<const Way>(own_.rules.with_flipped(rule), api_, rule);
    const KubeletRoute there = route_of(way->routes, request);
    const bool alike =
        there.kind == here.kind && asked_about(there, request, way->rules) == asked_about(here, request, own_.rules);
    if (!alike) found->second.push_back(std::move(way));
  }
  // A missing grant explains more than a possible restriction, so grants come first.
  std::stable_partition(found->second.begin(), found->second.end(),
                        [&](const auto& way) { return !own_.rules.in_force(*way->turned); });
  return found->second;
}

kubelet_api::ReviewTransport::Reply PlannedKubeletApi::Transport::post(const HttpRequest& request) {
  Reply out{reviewing_(request), false};
  unanswered = unanswered || out.response.status == 0;
  return out;
}

PlannedKubeletApi::PlannedKubeletApi(std::shared_ptr<KubeletApiRules> rules, std::string node, Reviewing reviewing,
                                     const SimulatedClock& clock)
    : rules_(std::move(rules)),
      node_(std::move(node)),
      transport_(std::move(reviewing)),
      // A review is repeated at the same moment of the plan: nothing else happens in between.
      reviews_(rules_->own().rules, rules_->own().settings, transport_,
               {"application/json", [&clock] { return clock.now.time_since_epoch().count(); },
                [](std::int64_t /*delay*/) {}, [] { return 0.0; }}) {}

HttpResponse PlannedKubeletApi::decide(const KubeletApiRules::Way& by, const HttpRequest& request,
                                       const KubeletCredentials& caller) {
  const KubeletRoute route = route_of(by.routes, request);
  if (!route.is_guarded()) return without_handler(route, by.rules);
  const KubeletFilter filter(by.rules, by.settings, node_);
  const KubeletDecision decision = filter.decide(request.method, route.path, caller, reviews_);
  if (!decision.passes()) return ruled(answer_of(decision.status, decision.body), decision.rule, by.rules);
  if (route.kind != KubeletRoute::Kind::handler) return without_handler(route, by.rules);
  return answer_of(200, "");
}

HttpResponse PlannedKubeletApi::handle(const HttpRequest& request, const KubeletCredentials& caller) {
  transport_.unanswered = false;
  HttpResponse out = decide(rules_->own(), request, caller);
  if (transport_.unanswered) return {};
  // A caller who is not authenticated, or whose review failed, gets that answer for every path.
  if (out.status != 403 && out.status != 404) return out;
  for (const auto& way : rules_->others(request)) {
    if (decide(*way, request, caller).status != 200) continue;
    out.headers[rule_header] = way->rules.catalogue()[*way->turned].id;
    return out;
  }
  return out;
}

}  // namespace nodebound::simulate
