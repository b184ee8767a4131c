#include "harness/kubelet/cluster/suite_cluster.h"

#include "harness/endpoint/credentials/authority_file.h"
#include "harness/endpoint/credentials/kubeconfig.h"
#include "harness/kubelet/target/kubelet_under_test.h"
#include "reports/files.h"

namespace nodebound::kubelet_conformance {
namespace {

// The files let their reader ask the kubelet, so a new folder is readable only by its owner.
void make_private(const std::filesystem::path& folder) {
  std::error_code ignored;
  if (std::filesystem::create_directories(folder, ignored)) {
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all, ignored);
  }
}

Result<CertificateAuthority> authority_in(const std::filesystem::path& folder) {
  const std::filesystem::path certificate = folder / "client-ca.crt";
  const std::filesystem::path key = folder / "client-ca.key";
  if (std::filesystem::exists(certificate) && std::filesystem::exists(key)) {
    return read_authority(certificate, key);
  }
  auto made = CertificateAuthority::create("nodebound-clients");
  if (!made) return made;
  for (const auto& [path, text] : {std::pair{certificate, made->certificate_pem()}, {key, made->key_pem()}}) {
    if (Result<void> written = write_file(path, text); !written) return tl::unexpected(written.error());
  }
  std::error_code ignored;
  std::filesystem::permissions(key, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write, ignored);
  return made;
}

// The port at which a kubelet already expects the cluster; 0 if no kubeconfig exists yet.
Result<std::uint16_t> port_in(const std::filesystem::path& kubeconfig) {
  if (!std::filesystem::exists(kubeconfig)) return std::uint16_t{0};
  const auto known = load_kubeconfig(kubeconfig.string());
  if (!known) return tl::unexpected(known.error());
  return known->server.port;
}

Result<void> write_kubeconfig(const std::filesystem::path& file, const CertificateAuthority& authority,
                              std::uint16_t port) {
  const std::string node = kubelet_node;
  const auto client = authority.issue_client({"system:node:" + node, {"system:nodes"}, "", {}});
  if (!client) return tl::unexpected(client.error());
  return write_file(file, to_kubeconfig("https://127.0.0.1:" + std::to_string(port), authority.certificate_pem(),
                                        "kubelet", *client));
}

}  // namespace

Result<std::unique_ptr<SuiteCluster>> SuiteCluster::open(const std::filesystem::path& folder, const std::string& names,
                                                         const std::string& node) {
  make_private(folder);
  auto authority = authority_in(folder);
  if (!authority) return tl::unexpected(authority.error());
  const std::filesystem::path kubeconfig = folder / "kubeconfig";
  const auto port = port_in(kubeconfig);
  if (!port) return tl::unexpected(port.error());
  std::unique_ptr<SuiteCluster> out(new SuiteCluster(std::move(*authority)));
  auto reviews = ReviewServer::start(out->authority_, *port, node);
  if (!reviews) return tl::unexpected(reviews.error());
  out->reviews_ = std::move(*reviews);
  auto callers = KubeletCallers::create(out->authority_, names);
  if (!callers) return tl::unexpected(callers.error());
  out->callers_.emplace(std::move(*callers));
  // The kubelet's credential in the old kubeconfig may have expired.
  if (auto done = write_kubeconfig(kubeconfig, out->authority_, out->reviews_->port()); !done) {
    return tl::unexpected(done.error());
  }
  return out;
}

void SuiteCluster::begin(const KubeletScenario& scenario, const RuleSet& rules) {
  rules_ = &rules;
  crowd_ = callers_->token(scenario, kubelet_crowd);
  reviews_->expect(rules);
  for (const auto& [name, reviewed] : scenario.tokens) {
    ReviewedToken own = reviewed;
    if (own.verdict.subject) own.verdict.subject->name = callers_->user(scenario, own.verdict.subject->name);
    reviews_->say_of_token(callers_->token(scenario, name), own);
  }
}

std::string SuiteCluster::cannot(const KubeletScenario& /*scenario*/, const KubeletStep& /*step*/) const {
  return {};
}

Result<KubeletCallers::Caller> SuiteCluster::caller(const KubeletScenario& scenario, const CallerText& who) {
  return callers_->caller(scenario, who, *rules_);
}

Result<void> SuiteCluster::say(const KubeletCallers::Caller& caller, const KubeletStep& step) {
  const ReviewNames grants(step.grants.begin(), step.grants.end());
  reviews_->say({caller.subject,
                 caller.known_by,
                 grants,
                 {step.denies.begin(), step.denies.end()},
                 {step.group_grants.begin(), step.group_grants.end()},
                 step.fails});
  if (step.crowd > 0) reviews_->say_of_crowd(crowd_, grants);
  return {};
}

std::optional<ReviewServer::Asked> SuiteCluster::take() {
  return reviews_->take();
}

}  // namespace nodebound::kubelet_conformance
