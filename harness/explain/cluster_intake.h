#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "harness/explain/question.h"

namespace nodebound::explain {

/// Takes in a cluster's objects one by one as they are read, and keeps those that may matter to a question. In a large
/// cluster most objects are pods of other namespaces, and everything that is kept is judged at every release.
class ClusterIntake {
 public:
  explicit ClusterIntake(Question& question);

  /// Whether the object may matter, as far as is known so far; fields that cannot matter are removed from it. A pod
  /// whose relevance depends on objects that may come later is set aside.
  bool keep(ClusterObject& entry);

  /// Adds the kept objects to the question, and those of the set-aside pods that matter.
  void finish(std::vector<ClusterObject> kept);

 private:
  /// A pod of another namespace to which a volume may lead: its claims and its node, as CBOR.
  struct Aside {
    ObjectKey key;
    std::string pod;
    std::string where;
  };

  bool keep_pod(ClusterObject& entry);

  Question& question_;
  std::string node_;  ///< the node that asks; empty if the caller is none
  std::string asked_name_;
  std::set<std::string> namespaces_;  ///< of pods that matter
  std::set<std::string> used_claims_;
  std::set<std::string> bound_claims_;
  std::vector<Aside> aside_;
};

}  // namespace nodebound::explain
