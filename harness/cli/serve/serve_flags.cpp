#include "harness/cli/serve/serve_flags.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <set>

#include "harness/cli/serve/admission_file.h"
#include "harness/cli/serve/serve_authorizers.h"
#include "harness/cli/target.h"
#include "reference/admission/default_plugins.h"

namespace nodebound::cli {
namespace {

constexpr std::array<const char*, 6> kPlugins{
    "CertificateApproval", "CertificateSigning", "CertificateSubjectRestriction",
    "NodeRestriction",     "ServiceAccount",     "ValidatingAdmissionPolicy"};

/// Other admission plugins of kube-apiserver (1.25 to 1.37). Their names are accepted, so that its flags work
/// unchanged.
constexpr std::array<const char*, 31> kPluginsElsewhere{"AlwaysAdmit",
                                                        "AlwaysDeny",
                                                        "AlwaysPullImages",
                                                        "ClusterTrustBundleAttest",
                                                        "DefaultIngressClass",
                                                        "DefaultStorageClass",
                                                        "DefaultTolerationSeconds",
                                                        "DenyServiceExternalIPs",
                                                        "EventRateLimit",
                                                        "ExtendedResourceToleration",
                                                        "ImagePolicyWebhook",
                                                        "JobValidation",
                                                        "LimitPodHardAntiAffinityTopology",
                                                        "LimitRanger",
                                                        "MutatingAdmissionPolicy",
                                                        "MutatingAdmissionWebhook",
                                                        "NamespaceAutoProvision",
                                                        "NamespaceExists",
                                                        "NamespaceLifecycle",
                                                        "NodeDeclaredFeatureValidator",
                                                        "PersistentVolumeClaimResize",
                                                        "PersistentVolumeLabel",
                                                        "PodGroupWorkloadExists",
                                                        "PodSecurity",
                                                        "PodTopologyLabels",
                                                        "Priority",
                                                        "ResourceQuota",
                                                        "RuntimeClass",
                                                        "StorageObjectInUseProtection",
                                                        "TaintNodesByCondition",
                                                        "ValidatingAdmissionWebhook"};

template <typename Names>
bool among(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Result<void> check_plugins(const std::string& flag, const std::vector<std::string>& plugins) {
  for (const std::string& plugin : plugins) {
    if (among(kPlugins, plugin) || among(optional_plugins(), plugin)) continue;
    if (!among(kPluginsElsewhere, plugin)) {
      return input_error(flag, "admission plugin \"" + plugin + "\" is unknown");
    }
    if (flag == "--enable-admission-plugins") {
      std::cerr << "nodebound: " << flag << ": " << plugin << " is not implemented here and admits everything\n";
    }
  }
  return {};
}

}  // namespace

void ServeFlags::add_to(CLI::App& command) {
  release = reference_release;
  command.add_option("--release", release, "Kubernetes release to be, like 1.36.3")->capture_default_str();
  command.add_option("--feature-gates", feature_gates, "Gates set apart from the release's defaults: A=true,B=false");
  command.add_option("--secure-port", secure_port, "Port to listen on; 0 picks one")->capture_default_str();
  command.add_option("--bind-address", bind_address, "IP address to listen on")->capture_default_str();
  command.add_option("--client-ca-file", client_ca_file, "Authorities of client certificates, PEM");
  command.add_option("--tls-cert-file", tls_cert_file, "The server's certificate, PEM (default: one is made)");
  command.add_option("--tls-private-key-file", tls_private_key_file, "Its key, PEM");
  const CLI::Option* const modes =
      command
          .add_option("--authorization-mode", authorization_mode,
                      "Authorizers in order: Node, RBAC, ABAC, Webhook, AlwaysAllow, AlwaysDeny")
          ->delimiter(',')
          ->capture_default_str();
  command.add_option("--authorization-policy-file", authorization_policy_file,
                     "Policies of the mode ABAC, one JSON object a line");
  replaced_by_config_ = authorization_webhook.add_to(command);
  replaced_by_config_.push_back(modes);
  command.add_option("--authorization-config", authorization_config,
                     "An AuthorizationConfiguration in place of --authorization-mode and the flags of its webhook; it "
                     "is read again when it changes");
  command
      .add_option("--enable-admission-plugins", enable_admission_plugins,
                  "Admission plugins (NodeRestriction, ServiceAccount, CertificateApproval, CertificateSigning, "
                  "CertificateSubjectRestriction and ValidatingAdmissionPolicy are on by default, "
                  "OwnerReferencesPermissionEnforcement, PodNodeSelector and PodTolerationRestriction are not)")
      ->delimiter(',');
  command.add_option("--disable-admission-plugins", disable_admission_plugins, "Go without these")->delimiter(',');
  command.add_option("--admission-control-config-file", admission_control_config_file,
                     "An AdmissionConfiguration, of which PodNodeSelector and PodTolerationRestriction read theirs");
  command.add_option("--token-auth-file", token_auth_file, "Bearer tokens, as token,user,uid,\"group1,group2\" a line");
  command.add_flag("--enable-bootstrap-token-auth", enable_bootstrap_token_auth,
                   "Take bootstrap tokens of secrets in kube-system (default: true)");
  command.add_flag("--anonymous-auth", anonymous_auth, "Take who shows nothing for system:anonymous (default: true)");
  command
      .add_option("--service-account-key-file", service_account_key_files,
                  "Keys that tokens of service accounts are verified with, PEM; can be repeated")
      ->take_all();
  command.add_option("--service-account-signing-key-file", service_account_signing_key_file,
                     "Key that they are signed with, PEM (default: one is made)");
  command.add_option("--service-account-issuer", service_account_issuer, "Their issuer")->capture_default_str();
  command.add_option("--api-audiences", api_audiences, "Audiences of the API server (default: the issuer)")
      ->delimiter(',');
  command.add_option("--kubelet-certificate-authority", kubelet_certificate_authority,
                     "Authority of kubelets' serving certificates, PEM (default: they are not verified)");
  command.add_option(
      "--kubelet-client-certificate", kubelet_client_certificate,
      "Certificate that kubelets are shown, PEM (default: one is made, of kube-apiserver-kubelet-client)");
  command.add_option("--kubelet-client-key", kubelet_client_key, "Its key, PEM");
  command
      .add_option("--kubelet-preferred-address-types", kubelet_preferred_address_types,
                  "Which address of a Node its kubelet is reached at, the preferred first (default: "
                  "Hostname,InternalDNS,InternalIP,ExternalDNS,ExternalIP; with --kubelets InternalIP first)")
      ->delimiter(',');
  command.add_flag(
      "--proxy-to-any-address", proxy_to_any_address,
      "Let nodes/proxy and pods/proxy reach loopback and link-local addresses, which kube-apiserver refuses "
      "(those of --kubelets are always reached)");
  command.add_option("--audit-log-path", audit_log_path, "File for audit events; - is standard output");
  command.add_option("--data-dir", data_dir, "Folder to keep what is stored in, durably (default: in memory alone)");
  command
      .add_option("--fault", faults,
                  "What goes wrong, like 'latency=200ms;path=/api/v1/secrets*;p=0.1;seed=7'; can be repeated")
      ->take_all();
  command.add_option(
      "--kubeconfig-out", kubeconfig_out,
      "Folder to put an authority and kubeconfigs in: admin.kubeconfig, and node-NAME.kubeconfig for --node");
  command.add_option("--node", nodes, "Node that gets a kubeconfig; can be repeated")->take_all();
  command
      .add_option("--controllers", controllers,
                  "Controllers of kube-controller-manager to run: csrapproving, csrsigning; * for both (default: none)")
      ->delimiter(',');
  command.add_option("--cluster-signing-cert-file", cluster_signing_cert_file,
                     "Authority that csrsigning signs with, PEM (default: the server's own of client certificates)");
  command.add_option("--cluster-signing-key-file", cluster_signing_key_file, "Its key, PEM");
  command
      .add_option("--cluster-signing-duration", cluster_signing_duration,
                  "How long certificates last, unless their requests want less")
      ->capture_default_str();
  command.add_option("--kubelets", kubelets, "Fake kubelets to run beside it, as nodes node-0001, node-0002, ...")
      ->check(CLI::Range(std::size_t{0}, std::size_t{50'000}));
  command.add_flag("--verbose", verbose,
                   "Log each request with its answer and the rule that decided on standard error");
  command.add_option("--kubelet-release", kubelet_release, "Kubernetes release of theirs (default: --release)");
  command.footer(
      "Example: nodebound serve --secure-port 0 --kubeconfig-out /tmp/nb --node a\n"
      "Serves until it is interrupted. With --data-dir, what it has acknowledged outlives it, even a kill -9.");
}

std::vector<std::string> ServeFlags::address_types() const {
  if (!kubelet_preferred_address_types.empty()) return kubelet_preferred_address_types;
  std::vector<std::string> out = proxy::KubeletProxy::Options().address_types;
  if (kubelets > 0) std::rotate(out.begin(), std::find(out.begin(), out.end(), "InternalIP"), out.end());
  return out;
}

Result<std::vector<faults::Fault>> ServeFlags::parsed_faults() const {
  std::vector<faults::Fault> out;
  for (const std::string& text : faults) {
    Result<faults::Fault> fault = faults::Fault::parse(text);
    if (!fault) return input_error("--fault '" + text + "'", fault.error().what, fault.error().hint);
    out.push_back(std::move(*fault));
  }
  return out;
}

Result<apiserver::ApiServer::Options> ServeFlags::server_options() const {
  apiserver::ApiServer::Options options;
  const std::initializer_list<std::pair<const char*, const std::vector<std::string>&>> plugin_flags = {
      {"--enable-admission-plugins", enable_admission_plugins},
      {"--disable-admission-plugins", disable_admission_plugins}};
  for (const auto& [flag, plugins] : plugin_flags) {
    if (Result<void> known = check_plugins(flag, plugins); !known) return tl::unexpected<Error>(known.error());
  }
  for (const std::string& plugin : disable_admission_plugins) {
    if (among(enable_admission_plugins, plugin)) {
      return input_error("--disable-admission-plugins", plugin + " is in --enable-admission-plugins, too");
    }
    options.disabled_plugins.insert(plugin);
  }
  options.enabled_plugins.insert(enable_admission_plugins.begin(), enable_admission_plugins.end());
  Result<PlacementSettings> placement = placement_of_file(admission_control_config_file);
  if (!placement) return tl::unexpected<Error>(placement.error());
  options.placement = std::move(*placement);
  if (!nodes.empty() && kubeconfig_out.empty()) {
    return input_error("--node", "there is no folder to put a kubeconfig in", "name one with --kubeconfig-out");
  }
  if (kubelet_client_certificate.empty() != kubelet_client_key.empty()) {
    return input_error("--kubelet-client-certificate", "a certificate needs its key, and a key its certificate",
                       "give both --kubelet-client-certificate and --kubelet-client-key");
  }
  if (tls_cert_file.empty() != tls_private_key_file.empty()) {
    return input_error("--tls-cert-file", "a certificate needs its key, and a key its certificate",
                       "give both --tls-cert-file and --tls-private-key-file");
  }
  return options;
}

Result<void> ServeFlags::add_authorizers(AuthorizationFile* file, const Release& own_release,
                                         apiserver::ApiServer::Options& options) const {
  const bool replaced = std::any_of(replaced_by_config_.begin(), replaced_by_config_.end(),
                                    [](const CLI::Option* flag) { return flag->count() > 0; });
  if (file != nullptr && replaced) {
    return input_error("--authorization-config",
                       "--authorization-config can not be specified when --authorization-mode or "
                       "--authorization-webhook-* flags are defined");
  }
  if (file != nullptr) {
    Result<AuthorizationFile::Authorizers> read = file->load();
    if (!read) return tl::unexpected<Error>(read.error());
    options.authorization_modes = std::move(read->modes);
    options.authorization_webhooks = std::move(read->webhooks);
  } else {
    Result<std::vector<AuthorizationMode>> modes = read_authorization_modes(authorization_mode);
    if (!modes) return tl::unexpected<Error>(modes.error());
    auto webhook = nodebound::cli::authorization_webhook(*modes, authorization_webhook, own_release);
    if (!webhook) return tl::unexpected<Error>(webhook.error());
    options.authorization_modes = std::move(*modes);
    if (*webhook != nullptr) options.authorization_webhooks = {std::move(*webhook)};
  }
  // A file may name webhooks later.
  options.webhook_waits = file != nullptr || !options.authorization_webhooks.empty();
  Result<std::shared_ptr<const AbacPolicies>> policies =
      read_abac_policies(options.authorization_modes, authorization_policy_file, own_release);
  if (!policies) return tl::unexpected<Error>(policies.error());
  options.abac_policies = std::move(*policies);
  return {};
}

}  // namespace nodebound::cli
