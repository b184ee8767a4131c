#include "harness/cli/kubelet_connection.h"

#include <filesystem>
#include <iostream>

#include "harness/cli/target_run.h"
#include "harness/endpoint/cluster_csr.h"
#include "harness/endpoint/kubeconfig.h"
#include "harness/kubelet/suite_cluster.h"
#include "harness/objects/input_file.h"

namespace nodebound {
namespace {

bool is_url(const std::string& text) {
  return text.starts_with("https://") || text.starts_with("http://");
}

std::string named(const KubeletRunFlags& flags) {
  return flags.target.target.substr(kubelet_target.size());
}

std::filesystem::path folder_of(const KubeletRunFlags& flags) {
  if (!flags.running.files.empty()) return flags.running.files;
  return std::filesystem::path(flags.out) / "kubelet";
}

Result<KubeletConnection> own_cluster(const KubeletRunFlags& flags) {
  const std::string& node = flags.running.node;
  const bool running = is_url(named(flags));
  const std::filesystem::path folder = folder_of(flags);
  // A kubelet that is started reads where its API server is; one that runs looks for it where it was.
  if (!running) std::filesystem::remove(folder / "kubeconfig");
  const bool is_new = !std::filesystem::exists(folder / "kubeconfig");
  auto cluster = SuiteCluster::open(folder, running ? make_run_id() + "-" : "", running ? node : kubelet_node);
  if (!cluster) return tl::unexpected(cluster.error());
  if (running && is_new) {
    std::cerr << "nodebound: start the kubelet with --kubeconfig=" << (folder / "kubeconfig").string()
              << " and authentication.x509.clientCAFile=" << (folder / "client-ca.crt").string() << '\n';
  }
  KubeletConnection out;
  out.cluster = std::move(*cluster);
  return out;
}

Result<std::unique_ptr<HttpClient>> administrator_of(const std::string& target) {
  constexpr std::string_view kind = "kubeconfig";
  if (!target.starts_with(kind)) return input_error("--kubelet-cluster", "expected kubeconfig[:FILE][#CONTEXT]");
  std::string_view spec = std::string_view(target).substr(kind.size());
  if (spec.starts_with(':')) spec.remove_prefix(1);
  const auto kubeconfig = load_kubeconfig(spec);
  if (!kubeconfig) return tl::unexpected(kubeconfig.error());
  const auto credentials = credentials_of(*kubeconfig);
  if (!credentials) return tl::unexpected(credentials.error());
  return make_http_client(kubeconfig->server, *credentials, {});
}

/// How the cluster's certificates are come by, as --identity says.
Result<void> add_certificates(const KubeletRunFlags& flags, RbacClusterOptions& options) {
  if (flags.target.identity == "ca") {
    auto authority = CertificateAuthority::load(flags.target.ca_certificate, flags.target.ca_key);
    if (!authority) return tl::unexpected(authority.error());
    options.authority.emplace(std::move(*authority));
  } else if (flags.target.identity == "csr") {
    auto connection = administrator_of(flags.running.cluster);
    if (!connection) return tl::unexpected(connection.error());
    options.issue = [client = std::shared_ptr<HttpClient>(std::move(*connection))](const Subject& subject) {
      return request_certificate(*client, subject);
    };
  }
  return {};
}

Result<KubeletConnection> real_cluster(const KubeletRunFlags& flags, const RuleSet& kubelet_rules) {
  if (flags.running.node.empty()) {
    return input_error("--node", "expected the name of the kubelet's Node: what is granted is about it");
  }
  TargetFlags target = flags.target;
  target.target = flags.running.cluster;
  target.release.clear();
  target.feature_gates.clear();
  auto opened = open_target(target, Catalogue::built_in());
  if (!opened) return tl::unexpected(opened.error());
  KubeletConnection out;
  out.target = std::move(*opened);
  auto journal = journal_for(*out.target.endpoint, flags.out);
  if (!journal) return tl::unexpected(journal.error());
  out.journal = std::move(*journal);
  RbacClusterOptions options;
  options.run_id = make_run_id(*out.target.endpoint, flags.seed);
  options.node = flags.running.node;
  if (auto added = add_certificates(flags, options); !added) return tl::unexpected(added.error());
  auto cluster =
      RbacCluster::open(*out.target.endpoint, *out.target.rules, kubelet_rules, *out.journal, std::move(options));
  if (!cluster) return tl::unexpected(cluster.error());
  out.with_rbac = cluster->get();
  out.cluster = std::move(*cluster);
  return out;
}

Result<std::unique_ptr<KubeletSource>> kubelets_of(const KubeletRunFlags& flags, KubeletCluster& cluster,
                                                   const RuleSet& rules) {
  const std::string name = named(flags);
  if (!is_url(name)) {
    return std::make_unique<StartedKubelets>(name, folder_of(flags));
  }
  std::optional<KubeletConfigurationFile> configuration;
  if (!flags.running.configuration.empty()) {
    const auto text = read_input(flags.running.configuration);
    if (!text) return tl::unexpected(text.error());
    auto read = read_kubelet_configuration(*text, flags.running.configuration, rules.release().version);
    if (!read) return tl::unexpected(read.error());
    configuration = std::move(*read);
  }
  return RunningKubelet::connect(name, cluster, configuration, rules);
}

}  // namespace

Result<KubeletConnection> connect_kubelet(const KubeletRunFlags& flags, const RuleSet& rules) {
  auto out = flags.running.cluster.empty() ? own_cluster(flags) : real_cluster(flags, rules);
  if (!out) return out;
  auto kubelets = kubelets_of(flags, *out->cluster, rules);
  if (!kubelets) {
    out->clean_up(flags);
    return tl::unexpected(kubelets.error());
  }
  out->kubelets = std::move(*kubelets);
  return out;
}

int KubeletConnection::clean_up(const KubeletRunFlags& flags) {
  if (with_rbac == nullptr) return conforms;
  return report_clean_up(with_rbac->clean_up(), *journal, flags.running.cluster, flags.out);
}

}  // namespace nodebound
