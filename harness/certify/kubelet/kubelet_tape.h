#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "harness/certify/record.h"
#include "harness/kubelet/cluster/kubelet_cluster.h"
#include "harness/kubelet/target/kubelet_source.h"

namespace nodebound::certify {

/// What a run of kubelet scenarios takes from outside, line by line: `{WORD: question, "answer": …}`. It either records
/// the answers or replays recorded ones. Thread-safe; threads that ask at a time must ask the same.
class KubeletTape {
 public:
  virtual ~KubeletTape() = default;

  /// The lines that follow belong to this scenario.
  virtual void begin(const std::string& scenario) = 0;

  /// The answer to a question: that of `live`, or the recorded one. Null if there is none.
  virtual RecordLine answer(const char* word, RecordLine question, const std::function<RecordLine()>& live) = 0;

  /// An answer has another shape than it was recorded in.
  virtual void reject(const std::string& what) = 0;
};

/// The kubelets and the cluster of a run whose answers go through a tape.
struct RecordedKubelets {
  std::unique_ptr<kubelet_conformance::KubeletSource> kubelets;
  std::unique_ptr<kubelet_conformance::KubeletCluster> cluster;
};

/// Kubelets that are asked; what they answer goes into the record, where the run's part is complete when they are gone.
/// All must outlive them.
RecordedKubelets record_kubelets(kubelet_conformance::KubeletSource& kubelets,
                                 kubelet_conformance::KubeletCluster& cluster, RecordWriter& record);

/// A record from which a run takes all answers instead of from kubelets.
class KubeletReplay {
 public:
  /// Errors name the record `where`.
  static Result<std::unique_ptr<KubeletReplay>> of(std::string_view compressed, const std::string& where);

  virtual ~KubeletReplay() = default;

  /// Belong to the replay.
  virtual RecordedKubelets& kubelets() = 0;

  /// Why the record is not that of the run, at the first place where it is not. Only without such an error do the
  /// verdicts mean anything. Call it when the run is over.
  [[nodiscard]] virtual Result<void> finish() = 0;
};

}  // namespace nodebound::certify
