#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/explain/explanation.h"
#include "harness/explain/kubelet_answer.h"
#include "harness/objects/cluster_file.h"
#include "reports/terminal.h"

namespace nodebound::explain {

/// `nodebound explain --kubelet`: a request to a kubelet, and everything that its answer depends on.
struct KubeletQuestion {
  KubeletRequest request;
  std::optional<KubeletSettings> settings;  ///< from a file; otherwise usual_settings()
  GateSettings gates;                       ///< of the kubelet
  std::vector<ClusterObject> objects;
};

/// Consecutive kubelet releases that send the same reviews and give the same answer.
struct KubeletRange : ReleaseSpan {
  KubeletAnswer answer;
};

struct KubeletExplanation {
  RuleSet kubelet;
  RuleSet server;
  KubeletSettings settings;
  KubeletAnswer answer;
  std::vector<KubeletRange> releases;
};

/// Understands `GET` and `/pods`. If the node is one of the given objects, the release is that of its kubelet.
/// `kubelet` is a release or the name of such a node.
struct AskedKubelet {
  std::string node;
  Version version;
};
Result<AskedKubelet> find_kubelet(const std::string& kubelet, const std::vector<ClusterObject>& objects);
Result<KubeletRequest> read_kubelet_request(const std::string& as, const std::vector<std::string>& words,
                                            const std::string& node);

Result<KubeletExplanation> explain(const Catalogue& catalogue, const Version& kubelet, const Version& server,
                                   const KubeletQuestion& question);

std::string to_text(const KubeletExplanation& explanation, const KubeletQuestion& question, const std::string& cluster,
                    const TerminalStyle& style);
std::string to_json(const KubeletExplanation& explanation, const KubeletQuestion& question);

/// `allowed by RBAC: get nodes/pods`
std::string headline(const KubeletAnswer& answer);

}  // namespace nodebound::explain
