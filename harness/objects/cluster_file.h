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

/// The objects of a file as `kubectl get … -o yaml` or `-o json` prints it: a list, a stream of documents or a single
/// object. Only the group of an apiVersion counts. Objects of kinds that no decision depends on are left out. A
/// namespaced object without a namespace is in `default`.
Result<std::vector<ClusterObject>> read_cluster_objects(std::string_view text, const std::string& file);

/// The same, object by object while the text is read. `keep` sees each object first, may remove fields that do not
/// matter, and returns false to drop it. If a list states its kind after its items, they are kept until then, because
/// any object may have a field named `items`.
using KeepObject = std::function<bool(ClusterObject& entry)>;
Result<std::vector<ClusterObject>> read_cluster_objects(const TextSource& source, const std::string& file,
                                                        const KeepObject& keep);

/// The single object of a file that is a request's body; name and kind may be missing.
Result<Object> read_body(std::string_view text, const std::string& file);

/// Adds the objects to the cluster as if it had just been loaded. Of two with the same key, the later one counts. The
/// cluster does not copy them: they must outlive it.
Result<void> load(const std::vector<ClusterObject>& objects, Cluster& cluster);

}  // namespace nodebound
