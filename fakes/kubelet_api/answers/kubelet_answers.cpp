#include "fakes/kubelet_api/answers/kubelet_answers.h"

#include <set>

#include "fakes/kubelet_api/answers/answer.h"
#include "fakes/kubelet_api/answers/form.h"
#include "reference/authorizer/attributes.h"
#include "reference/release/kubelet_trait_ids.h"
#include "reference/release/refusal_text.h"

namespace nodebound::kubelet_api {

KubeletAnswers::KubeletAnswers(const RuleSet& rules, const KubeletConfiguration& configuration, const std::string& node,
                               Flags flags, std::function<std::int64_t()> clock, const KubeletHost* host)
    : rules_(rules),
      configuration_(configuration),
      node_(node),
      sample_(node, {rules.release().has(KubeletTrait::null_creation_timestamp)}),
      host_(host == nullptr ? sample_ : *host),
      flags_(std::move(flags)),
      clock_(std::move(clock)),
      started_(clock_()),
      port_(configuration.settings.port) {}

std::string KubeletAnswers::Call::query(std::string_view name) const {
  return query_parameter(request.target, name);
}

const std::map<std::string, KubeletAnswers::Handler, std::less<>>& KubeletAnswers::handlers() {
  using A = KubeletAnswers;
  static const std::map<std::string, Handler, std::less<>> all = {
      {"healthz", &A::healthz},
      {"pods", &A::pods},
      {"running-pods", &A::running_pods},
      {"allocated-pods", &A::allocated_pods},
      {"stats-summary", &A::summary},
      {"stats", &A::cadvisor_json},
      {"spec", &A::cadvisor_json},
      {"run", &A::run},
      {"exec", &A::exec},
      {"attach", &A::attach},
      {"port-forward", &A::port_forward},
      {"container-logs", &A::container_logs},
      {"checkpoint", &A::checkpoint},
      {"logs", &A::logs},
      {"pprof", &A::pprof},
      {"debug-flags", &A::debug_flags},
      {"configz", &A::configz},
      {"flagz", &A::flagz},
      {"statusz", &A::statusz},
      {"cri", &A::cri},
      {"metrics", &A::metrics},
      {"metrics-cadvisor", &A::metrics_cadvisor},
      {"metrics-resource", &A::metrics_resource},
      {"metrics-probes", &A::metrics_probes},
      {"metrics-slis", &A::metrics_slis},
  };
  return all;
}

HttpResponse KubeletAnswers::answer(const KubeletRoute& route, const IncomingRequest& request) {
  return (this->*handlers().at(route.handler))({route, request});
}

HttpResponse KubeletAnswers::health(const IncomingRequest& request) {
  const std::string path = request.target.substr(0, request.target.find('?'));
  KubeletRoute route;
  route.path = path;
  if (path == "/healthz" || path == "/healthz/ping") return healthz({route, request});
  constexpr std::string_view prefix = "/debug/pprof/";
  if (path.starts_with(prefix) && !rules_.in_force(Rule::kubelet_healthz_port)) {
    route.parameters.push_back(path.substr(prefix.size()));
    return pprof({route, request});
  }
  return error_answer(404, "404 page not found");
}

std::vector<std::string> KubeletAnswers::checks() const {
  std::vector<std::string> out = {"ping"};
  if (rules_.in_force(Rule::kubelet_route_healthz_log)) out.emplace_back("log");
  out.emplace_back("syncloop");
  if (rules_.in_force(Rule::kubelet_route_healthz_device_plugin)) out.emplace_back("device-plugin");
  return out;
}

HttpResponse KubeletAnswers::healthz(const Call& call) {
  if (call.route.path != "/healthz") return text_answer(200, "ok");
  ++health_checks_;
  const bool verbose =
      call.request.target.find("verbose") != std::string::npos && has_query_parameter(call.request.target, "verbose");
  std::set<std::string> excluded;
  for (const std::string& check : query_parameters(call.request.target, "exclude")) excluded.insert(check);
  if (excluded.empty() && has_query_parameter(call.request.target, "exclude")) excluded.insert("");
  std::string body;
  for (const std::string& check : checks()) {
    body += "[+]" + check + (excluded.erase(check) > 0 ? " excluded: ok\n" : " ok\n");
  }
  std::string unknown;
  for (const std::string& check : excluded) unknown += (unknown.empty() ? "" : ", ") + go_quoted(check);
  if (!excluded.empty()) body += "warn: some health checks cannot be excluded: no matches for " + unknown + "\n";
  HttpResponse out = text_answer(200, verbose ? body + "healthz check passed\n" : "ok");
  out.headers["x-content-type-options"] = "nosniff";
  return out;
}

HttpResponse KubeletAnswers::pods(const Call& /*call*/) {
  return json_answer(host_.pods());
}

HttpResponse KubeletAnswers::running_pods(const Call& /*call*/) {
  return json_answer(host_.running_pods());
}

HttpResponse KubeletAnswers::allocated_pods(const Call& call) {
  if (call.route.parameters.empty()) return json_answer(host_.allocated_pods());
  const auto pod = host_.pod(call.parameter(0), call.parameter(1));
  const std::string uid = call.parameter(2);
  if (!pod || (!uid.empty() && uid != pod->uid)) return text_answer(404, "pod not found");
  return json_answer(host_.allocated_pod(call.parameter(0), call.parameter(1)));
}

HttpResponse KubeletAnswers::summary(const Call& call) {
  if (const auto mistake = form_mistake(call.request)) {
    return text_answer(500, "Internal Error: parse form failed: " + *mistake);
  }
  return json_answer(KubeletHost::summary(node_));
}

HttpResponse KubeletAnswers::cadvisor_json(const Call& /*call*/) {
  return json_answer("{}");
}

HttpResponse KubeletAnswers::cri(const Call& /*call*/) {
  return error_answer(404, "404 page not found");
}

}  // namespace nodebound::kubelet_api
