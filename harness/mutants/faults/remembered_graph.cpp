#include "harness/mutants/faults/remembered_graph.h"

namespace nodebound::mutants {
namespace {

bool is_owned(const ObjectKey& key) {
  return key.resource == "volumeattachments" || key.resource == "resourceslices" ||
         key.resource == "podcertificaterequests";
}

std::string path_of(const ObjectKey& key) {
  return key.group + "/" + key.resource + "/" + key.namespace_ + "/" + key.name;
}

}  // namespace

bool RememberedGraph::forgets(const ObjectKey& key) const {
  switch (what_) {
    case GraphFault::What::after_pod_deletion:
      return key.resource != "pods";
    case GraphFault::What::after_volume_deletion:
      return key.resource != "persistentvolumes";
    case GraphFault::What::after_object_deletion:
      return !is_owned(key);
    default:
      return true;
  }
}

void RememberedGraph::changed(const ObjectKey& key, const Change& change) {
  const std::string path = path_of(key);
  if (change.kind == Change::Kind::deleted) {
    if (!forgets(key)) return;
    cluster_.erase(key);
    outdated_.erase(path);
    if (what_ == GraphFault::What::after_replacement) deleted_[path] = change.object;
    return;
  }
  if (const auto former = deleted_.find(path); former != deleted_.end()) {
    cluster_.put_shared(key, former->second);
    outdated_.insert(path);
    deleted_.erase(former);
  } else if (what_ == GraphFault::What::after_change && change.kind == Change::Kind::modified) {
    cluster_.put_shared(key, change.before);
  } else if (!outdated_.contains(path)) {
    cluster_.put_shared(key, change.object);
  }
}

}  // namespace nodebound::mutants
