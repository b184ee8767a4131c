#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "harness/explain/question.h"

namespace nodebound {

/// Takes in the objects of a cluster for a question, one by one as they are read, and keeps what may matter to it: in a
/// large cluster most objects are pods of other namespaces, and what is kept is judged at every release.
class ClusterIntake {
 public:
  explicit ClusterIntake(Question& question);

  /// Whether it may matter as far as is known; what cannot is taken out of it. Pods of which it depends on objects that
  /// may be still to come are put aside, and left out.
  bool keep(ClusterObject& entry);

  /// Gives the question what was kept, and of what was put aside what matters.
  void finish(std::vector<ClusterObject> kept);

 private:
  /// A pod of another namespace, which a volume may lead to: its claims and its node, as CBOR.
  struct Aside {
    ObjectKey key;
    std::vector<std::uint8_t> pod;
    std::string where;
  };

  bool keep_pod(ClusterObject& entry);

  Question& question_;
  std::string node_;  ///< that asks; empty if it is none
  std::string asked_name_;
  std::set<std::string> namespaces_;  ///< of pods that matter
  std::set<std::string> used_claims_;
  std::set<std::string> bound_claims_;
  std::vector<Aside> aside_;
};

}  // namespace nodebound
