#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/objects/document.h"
#include "reference/cluster/cluster.h"
#include "reference/result.h"

namespace nodebound {

/// An object of a cluster, and its place in a file.
struct ClusterObject {
  ObjectKey key;
  Object object;
  std::string where;  ///< `file:line`
};

/// The objects of a file, which is what `kubectl get … -o yaml` or `-o json` prints: a list, a stream of documents or a
/// single object. Only the group of an apiVersion counts. Objects of kinds that no decision depends on are left out;
/// one that should have a namespace and has none is in `default`.
Result<std::vector<ClusterObject>> read_cluster_objects(std::string_view text, const std::string& file);

/// The same, object by object as the text comes. Those of a list whose kind stands behind its items wait for it, for
/// any object may have a field of that name: `keep` sees each before that, may take away what does not matter of it,
/// and leaves out those for which it gives false.
using KeepObject = std::function<bool(ClusterObject& entry)>;
Result<std::vector<ClusterObject>> read_cluster_objects(const TextSource& source, const std::string& file,
                                                        const KeepObject& keep);

/// The one object of a file that is a request's body: without name or kind, if need be.
Result<Object> read_body(std::string_view text, const std::string& file);

/// Puts the objects into the cluster, as one that has just been loaded: of two with the same key the later one counts.
/// The cluster shares them: they must outlive it.
Result<void> load(const std::vector<ClusterObject>& objects, Cluster& cluster);

}  // namespace nodebound
