#include "reference/kubelet/settings.h"

namespace nodebound {

KubeletSettings KubeletSettings::of_flags(const RuleSet& rules) {
  KubeletSettings out;
  out.cadvisor_json = rules.in_force(Rule::kubelet_cadvisor_json_default);
  if (rules.in_force(Rule::kubelet_insecure_flag_defaults)) return out;
  return of_file(rules);
}

KubeletSettings KubeletSettings::of_file(const RuleSet& rules) {
  KubeletSettings out;
  out.cadvisor_json = rules.in_force(Rule::kubelet_cadvisor_json_default);
  if (!rules.in_force(Rule::kubelet_secure_file_defaults)) return out;
  out.anonymous = false;
  out.token_webhook = true;
  out.authorization_mode = "Webhook";
  out.read_only_port = 0;
  return out;
}

std::optional<std::string> start_error(const KubeletSettings& settings, bool has_client, const RuleSet& rules) {
  const bool client_missing = !has_client && rules.in_force(Rule::kubelet_client_required);
  const auto no_client = [&](const char* what) {
    return rules.refusal(Rule::kubelet_client_required).render({{"what", what}});
  };
  if (settings.token_webhook && client_missing) return no_client("authentication");
  const bool nobody = !settings.anonymous && !settings.token_webhook && !settings.client_ca;
  if (nobody && rules.in_force(Rule::kubelet_authentication_required_at_start)) {
    return rules.refusal(Rule::kubelet_authentication_required_at_start).render({});
  }
  if (settings.authorization_mode == "AlwaysAllow") return std::nullopt;
  if (settings.authorization_mode == "Webhook")
    return client_missing ? std::optional(no_client("authorization")) : std::nullopt;
  if (settings.authorization_mode.empty() && rules.in_force(Rule::kubelet_authorization_mode_named)) {
    return rules.refusal(Rule::kubelet_authorization_mode_named).render({});
  }
  if (!rules.in_force(Rule::kubelet_authorization_mode_known)) return std::nullopt;
  return rules.refusal(Rule::kubelet_authorization_mode_known).render({{"mode", settings.authorization_mode}});
}

}  // namespace nodebound
