#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/explain/kubelet_answer.h"
#include "harness/objects/cluster_file.h"

namespace nodebound::explain {

/// Kubelets of one release in a cluster.
struct KubeletsOfRelease {
  Version version;
  std::size_t count = 0;
  std::string example;  ///< one of their Nodes; empty if the user only named the release
};

/// Who may use nodes/proxy, and can therefore run commands in pods through kubelets.
struct ProxyHolder {
  std::string binding;
  std::string role;
  std::vector<std::string> subjects;  ///< `ServiceAccount monitoring/prometheus`
  std::vector<Subject> as;            ///< the same, as subjects that ask
  std::vector<std::string> verbs;     ///< of get, create, update, patch, delete
  bool by_wildcard = false;           ///< the role does not name nodes/proxy, so it allows more than this
  bool is_given = false;              ///< the role is among the objects, and nothing reconciles it
};

/// What a request needs at kubelets of a release.
struct Need {
  std::string line;  ///< `GET /pods`
  Version version;
  std::string review;      ///< the narrowest one that allows it: `get nodes/pods`
  bool is_proxy = false;   ///< that review is nodes/proxy
  bool is_served = false;  ///< kubelets of the release serve the path
};

/// ClusterRoles that grant what is needed, and nodes/proxy only as far as it is needed.
struct Proposal {
  std::string role;
  Object object;
  std::vector<std::string> kept;            ///< why nodes/proxy stays: `GET /pods on kubelets 1.31.4 (2 nodes)`
  std::optional<Version> until;             ///< once all kubelets have this release, nodes/proxy can go; none if never
  std::vector<std::string> taken;           ///< what holders need and would lose; if not empty, do not apply it
  std::vector<std::string> still_possible;  ///< what holders can still do, and by which binding
};

struct KubeletFleet {
  std::vector<KubeletsOfRelease> kubelets;
  std::vector<ProxyHolder> holders;
  std::vector<Need> needs;
  std::vector<Proposal> proposals;
  std::vector<std::string> dangers;  ///< dangerous requests that were tried: `POST /run/…`
};

/// The usual requests of a monitoring agent, if the user names none.
const std::vector<std::string>& usual_needs();

struct FleetQuestion {
  std::vector<ClusterObject> objects;
  std::vector<Version> kubelets;  ///< besides those of the given Nodes
  GateSettings gates;             ///< of the kubelets, in the releases that accept them
  Version server;
  std::vector<std::string> needs;  ///< `GET /pods`
};

/// Finds who holds nodes/proxy and proposes roles that grant less. Each proposal is tried: every needed request that
/// its holders could make before, and every dangerous request, is asked again. `taken` and `still_possible` have the
/// results.
Result<KubeletFleet> look_at_fleet(const Catalogue& catalogue, const FleetQuestion& question);

}  // namespace nodebound::explain
