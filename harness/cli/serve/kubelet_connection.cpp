#include "harness/cli/serve/kubelet_connection.h"

#include <filesystem>
#include <iostream>

#include "harness/cli/commands/commands.h"
#include "harness/cli/console.h"
#include "harness/cli/guest_run.h"
#include "harness/cli/target_run.h"
#include "harness/endpoint/credentials/authority_file.h"
#include "harness/endpoint/credentials/cluster_csr.h"
#include "harness/endpoint/credentials/kubeconfig.h"
#include "harness/endpoint/loopback.h"
#include "harness/endpoint/subject_session.h"
#include "harness/journal/journaled_session.h"
#include "harness/kubelet/cluster/suite_cluster.h"
#include "harness/objects/input_file.h"

namespace nodebound::cli {
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
  // A kubelet that we start reads its API server's address from the kubeconfig. A running one expects it where it was.
  if (!running) std::filesystem::remove(folder / "kubeconfig");
  const bool is_new = !std::filesystem::exists(folder / "kubeconfig");
  auto cluster = kubelet_conformance::SuiteCluster::open(folder, running ? make_run_id() + "-" : "",
                                                         running ? node : kubelet_conformance::kubelet_node);
  if (!cluster) return tl::unexpected(cluster.error());
  if (running && is_new) {
    std::cerr << "nodebound: start the kubelet with --kubeconfig=" << (folder / "kubeconfig").string()
              << " and authentication.x509.clientCAFile=" << (folder / "client-ca.crt").string() << '\n';
  }
  KubeletConnection out;
  out.cluster = std::move(*cluster);
  return out;
}

/// How callers get certificates, by --identity: we sign them, or the cluster does; or they get none.
Result<void> add_certificates(const KubeletRunFlags& flags, Endpoint& endpoint, journal::Journal& journal,
                              kubelet_conformance::RbacClusterOptions& options) {
  if (flags.target.identity == "ca") {
    auto authority = read_authority(flags.target.ca_certificate, flags.target.ca_key);
    if (!authority) return tl::unexpected(authority.error());
    options.authority.emplace(std::move(*authority));
    return {};
  }
  const auto request = [&endpoint, &journal, run = options.run_id](const Subject& subject,
                                                                   std::chrono::seconds patience) {
    const std::unique_ptr<Session> session = journal::journaled_by(endpoint, journal, run)(endpoint.open_session());
    SubjectClient client(*session, endpoint.administrator());
    return request_certificate(client, subject, patience);
  };
  if (flags.target.identity == "impersonate") {
    // A kubelet supports no impersonation. Showing a certificate gives away no secret, so certificates are tried before
    // tokens.
    const Subject nobody{"nodebound-" + options.run_id + "-nobody", {"nodebound"}, "", {}};
    if (const auto tried = request(nobody, std::chrono::seconds(5)); !tried) {
      complain("the kubelet is shown tokens, which are good at the API server, too, instead of certificates: " +
               tried.error().text());
      return {};
    }
  }
  options.issue = [request](const Subject& subject) { return request(subject, std::chrono::seconds(30)); };
  return {};
}

tl::unexpected<Error> nobody_vouches(const ServerAddress& server) {
  const auto shown = shown_fingerprint(server);
  return input_error("--target",
                     "nobody vouches for the kubelet at " + url_of(server) +
                         ": whoever answers there would be shown credentials, and could use them",
                     "say --kubelet-ca FILE, the authority of its serving certificate, or --kubelet-fingerprint "
                     "SHA256, which the node "
                     "has: openssl x509 -in /var/lib/kubelet/pki/kubelet.crt -noout -fingerprint -sha256" +
                         (shown ? "\n  who answers there now shows one with " + *shown : ""));
}

/// How the kubelet at a URL proves to be the right one.
Result<kubelet_conformance::KubeletTrust> trust_of(const KubeletRunFlags& flags) {
  kubelet_conformance::KubeletTrust out;
  if (!is_url(named(flags))) return out;
  const auto server = parse_server(named(flags), "--target");
  if (!server) return tl::unexpected(server.error());
  const RunningKubeletFlags& running = flags.running;
  const bool of_others = !running.cluster.empty();
  if (!server->tls && of_others) {
    return input_error("--target", "a kubelet without TLS cannot be known for the right one", "expected https://");
  }
  if (!running.authority.empty() && !running.fingerprint.empty()) {
    return input_error("--kubelet-fingerprint", "is another way to say what --kubelet-ca says", "give one of them");
  }
  if (!running.fingerprint.empty()) {
    auto read = parse_fingerprint(running.fingerprint, "--kubelet-fingerprint");
    if (!read) return tl::unexpected(read.error());
    out.fingerprint = std::move(*read);
  } else if (!running.authority.empty()) {
    auto read = read_input(running.authority);
    if (!read) return tl::unexpected(read.error());
    out.authority = std::move(*read);
  } else if (of_others || !is_loopback(server->host)) {
    return nobody_vouches(*server);
  }
  return out;
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
  const auto may = ask_to_write(out.target, flags.target,
                                "a namespace with service accounts and their tokens, and ClusterRoles on the Node " +
                                    flags.running.node + " with their bindings, all removed at the end");
  if (!may) return tl::unexpected(may.error());
  const std::string run_id = make_run_id(*out.target.endpoint, flags.seed);
  auto journal = journal_for(*out.target.endpoint, flags.out, run_id, flags.running.cluster);
  if (!journal) return tl::unexpected(journal.error());
  out.journal = std::move(*journal);
  kubelet_conformance::RbacClusterOptions options;
  options.run_id = run_id;
  options.node = flags.running.node;
  if (auto added = add_certificates(flags, *out.target.endpoint, *out.journal, options); !added)
    return tl::unexpected(added.error());
  auto cluster = kubelet_conformance::RbacCluster::open(*out.target.endpoint, *out.target.rules, kubelet_rules,
                                                        *out.journal, std::move(options));
  if (!cluster) return tl::unexpected(cluster.error());
  out.with_rbac = cluster->get();
  out.cluster = std::move(*cluster);
  return out;
}

Result<std::unique_ptr<kubelet_conformance::KubeletSource>> kubelets_of(const KubeletRunFlags& flags,
                                                                        const kubelet_conformance::KubeletTrust& trust,
                                                                        kubelet_conformance::KubeletCluster& cluster,
                                                                        const RuleSet& rules) {
  const std::string name = named(flags);
  if (!is_url(name)) {
    return std::make_unique<kubelet_conformance::StartedKubelets>(name, folder_of(flags));
  }
  std::optional<kubelet_api::KubeletConfigurationFile> configuration;
  if (!flags.running.configuration.empty()) {
    const auto text = read_input(flags.running.configuration, input_limit::configuration);
    if (!text) return tl::unexpected(text.error());
    auto read = kubelet_api::read_kubelet_configuration(*text, flags.running.configuration, rules.release().version);
    if (!read) return tl::unexpected(read.error());
    configuration = std::move(*read);
  }
  return kubelet_conformance::RunningKubelet::connect(name, trust, cluster, configuration, rules,
                                                      flags.target.requests.limits);
}

}  // namespace

Result<KubeletConnection> connect_kubelet(const KubeletRunFlags& flags, const RuleSet& rules) {
  const auto trust = trust_of(flags);
  if (!trust) return tl::unexpected(trust.error());
  auto out = flags.running.cluster.empty() ? own_cluster(flags) : real_cluster(flags, rules);
  if (!out) return out;
  auto kubelets = kubelets_of(flags, *trust, *out->cluster, rules);
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

}  // namespace nodebound::cli
