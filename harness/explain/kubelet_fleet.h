#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/explain/kubelet_answer.h"
#include "harness/objects/cluster_file.h"

namespace nodebound {

/// Kubelets of one release in a cluster.
struct KubeletsOfRelease {
  Version version;
  std::size_t count = 0;
  std::string example;  ///< one of their Nodes; empty where they are only said to be there
};

/// Who may do with kubelets what nodes/proxy allows, and so run commands in their pods.
struct ProxyHolder {
  std::string binding;
  std::string role;
  std::vector<std::string> subjects;  ///< `ServiceAccount monitoring/prometheus`
  std::vector<Subject> as;            ///< the same, as they ask
  std::vector<std::string> verbs;     ///< of get, create, update, patch, delete
  bool by_wildcard = false;           ///< the role names nodes/proxy nowhere: it allows more than this
  bool is_given = false;              ///< the role is among the objects, and not one that the API server keeps up
};

/// What a request needs of kubelets of a release.
struct Need {
  std::string line;  ///< `GET /pods`
  Version version;
  std::string review;      ///< the narrowest that allows it: `get nodes/pods`
  bool is_proxy = false;   ///< that is nodes/proxy
  bool is_served = false;  ///< kubelets of the release have the path
};

/// ClusterRoles that grant what is needed, and of nodes/proxy no more than that.
struct Proposal {
  std::string role;
  Object object;
  std::vector<std::string> kept;   ///< why nodes/proxy stays: `GET /pods on kubelets 1.31.4 (2 nodes)`
  std::optional<Version> until;    ///< from this release on, of all kubelets, it need not; none if it always must
  std::vector<std::string> taken;  ///< what holders need and would lose: then it is not to be applied
  std::vector<std::string> still_possible;  ///< what holders may do nevertheless, and by which binding
};

struct KubeletFleet {
  std::vector<KubeletsOfRelease> kubelets;
  std::vector<ProxyHolder> holders;
  std::vector<Need> needs;
  std::vector<Proposal> proposals;
  std::vector<std::string> dangers;  ///< that were tried: `POST /run/…`
};

/// What an agent that monitors asks for, where it is not said.
const std::vector<std::string>& usual_needs();

struct FleetQuestion {
  std::vector<ClusterObject> objects;
  std::vector<Version> kubelets;  ///< beside those of the objects' Nodes
  GateSettings gates;             ///< of the kubelets, where their releases take them
  Version server;
  std::vector<std::string> needs;  ///< `GET /pods`
};

/// Looks who holds nodes/proxy, and proposes less. Each proposal is tried: whatever its holders need and had of any
/// kubelet is asked for again, and so is what is dangerous; `taken` and `still_possible` tell.
Result<KubeletFleet> look_at_fleet(const Catalogue& catalogue, const FleetQuestion& question);

}  // namespace nodebound
