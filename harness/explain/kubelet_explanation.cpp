#include "harness/explain/kubelet_explanation.h"

#include <algorithm>

#include "harness/explain/question.h"

namespace nodebound::explain {
namespace {

using Kind = KubeletRoute::Kind;

bool same(const KubeletAnswer& a, const KubeletAnswer& b) {
  const auto same_review = [](const KubeletReview& x, const KubeletReview& y) {
    return x.text() == y.text() && x.decision.allowed() == y.decision.allowed();
  };
  return a.route.kind == b.route.kind && a.decision.status == b.decision.status &&
         std::equal(a.reviews.begin(), a.reviews.end(), b.reviews.begin(), b.reviews.end(), same_review);
}

Result<RuleSet> rules_at(const Catalogue& catalogue, const Version& version, const GateSettings& gates) {
  const Result<Release> release = Release::make(catalogue, version, gates);
  if (!release) return tl::unexpected<Error>(release.error());
  return RuleSet(catalogue, *release);
}

std::vector<Version> versions_of(const Catalogue& catalogue, const Version& asked) {
  std::vector<Version> out = catalogue.turning_points();
  out.push_back(asked);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

Result<AskedKubelet> find_kubelet(const std::string& kubelet, const std::vector<ClusterObject>& objects) {
  for (const ClusterObject& entry : objects) {
    if (entry.key.resource != "nodes" || !entry.key.group.empty() || entry.key.name != kubelet) continue;
    const std::string_view said = text(entry.object, "status", "nodeInfo", "kubeletVersion");
    const auto version = Version::parse(said);
    if (version) return AskedKubelet{kubelet, *version};
    return input_error(entry.where, "status.nodeInfo.kubeletVersion is \"" + std::string(said) + "\", no version",
                       "say the kubelet's release: --kubelet 1.36.3");
  }
  if (const auto version = Version::parse(kubelet)) return AskedKubelet{"", *version};
  return input_error("--kubelet", "\"" + kubelet + "\" is neither a Kubernetes version nor a Node of the cluster",
                     "give a version like 1.36.3, or the Node with --cluster");
}

Result<KubeletRequest> read_kubelet_request(const std::string& as, const std::vector<std::string>& words,
                                            const std::string& node) {
  auto subject = parse_subject(as);
  if (!subject) return tl::unexpected(subject.error());
  if (words.size() != 2 || !words[1].starts_with('/')) {
    return input_error("request", "expected a method and a path of the kubelet", "give them as in: GET /pods");
  }
  KubeletRequest out{std::move(*subject), words[0], words[1], node};
  std::transform(out.method.begin(), out.method.end(), out.method.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return out;
}

Result<KubeletExplanation> explain(const Catalogue& catalogue, const Version& kubelet, const Version& server,
                                   const KubeletQuestion& question) {
  auto own = rules_at(catalogue, kubelet, question.gates);
  if (!own) return tl::unexpected(own.error());
  auto servers = rules_at(catalogue, server, {});
  if (!servers) return tl::unexpected(servers.error());
  Cluster cluster(*servers);
  if (Result<void> loaded = load(question.objects, cluster); !loaded) return tl::unexpected<Error>(loaded.error());
  const auto settings_at = [&](const RuleSet& rules) {
    return question.settings ? *question.settings : usual_settings(rules);
  };
  const KubeletSettings settings = settings_at(*own);
  KubeletExplanation out{
      *own, *servers, settings, kubelet_answer(*own, settings, *servers, cluster, question.request), {}};
  for (const Version& version : versions_of(catalogue, kubelet)) {
    // Gates are set in the releases that accept them.
    const auto rules = rules_at(catalogue, version, Release::taken(catalogue, version, question.gates));
    if (!rules) return tl::unexpected(rules.error());
    KubeletAnswer found = kubelet_answer(*rules, settings_at(*rules), *servers, cluster, question.request);
    if (out.releases.empty() || !same(out.releases.back().answer, found)) {
      if (!out.releases.empty()) out.releases.back().until = version;
      out.releases.push_back({{version, version, std::nullopt, false}, std::move(found)});
    }
    out.releases.back().last = version;
    if (version == kubelet) out.releases.back().asked = true;
  }
  return out;
}

std::string headline(const KubeletAnswer& answer) {
  switch (answer.route.kind) {
    case Kind::not_found:
      return "404 before authentication: the kubelet has no such path";
    case Kind::redirect:
      return "redirected to " + answer.route.location + " before authentication";
    default:
      break;
  }
  if (answer.decision.status == 401) return "refused: nobody that the kubelet knows asks";
  if (!answer.decision.passes()) return "refused: no review allows it";
  std::string allowed = answer.reviews.empty()
                            ? "allowed without a review"
                            : "allowed by " + answer.reviews.back().by + ", for " + answer.reviews.back().text();
  switch (answer.route.kind) {
    case Kind::no_route:
      return allowed + ", but there is nothing at the path";
    case Kind::method_not_allowed:
      return allowed + ", but not with this method";
    case Kind::disabled:
      return allowed + ", but switched off";
    default:
      return allowed;
  }
}

}  // namespace nodebound::explain
