#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "harness/endpoint/circumstances.h"
#include "harness/endpoint/endpoint.h"
#include "harness/journal/ledger.h"
#include "harness/journal/removing.h"
#include "reference/cluster/object.h"

namespace nodebound::journal {

/// An object that carries the label of a run.
struct Labelled {
  LedgerEntry entry;
  std::string run;
  std::string created;  ///< creation time by the cluster
  bool being_deleted = false;
};

/// Removes objects that a run has made, and nothing else, from a cluster (harness/journal/removing.h).
class Remover {
 public:
  struct Options {
    std::string run;  ///< the id in the label of its objects
    /// Whether the run itself added the finalizer to objects.
    std::function<bool(const std::string&)> is_own_finalizer;
    /// The cluster belongs to the run alone, so everything on it is the run's.
    bool exclusive = false;
    /// Lets time pass before the next look.
    std::function<void(std::chrono::milliseconds)> pause = [](std::chrono::milliseconds time) {
      real_circumstances().pause(time);
    };
  };

  /// All must outlive it.
  Remover(Session& session, const Subject& administrator, Options options)
      : session_(session), administrator_(administrator), options_(std::move(options)) {}

  /// `sure`: this process received the 201. `may_arrive` says whether a request that makes the object may still be
  /// under way.
  Removing::Outcome remove(const LedgerEntry& entry, bool sure, const std::function<bool()>& may_arrive);

  /// Why the last object was not removed, for the person who cleans up.
  [[nodiscard]] Error why_left(const LedgerEntry& entry, Removing::Outcome outcome) const;

  /// The objects of the collection that carry the run's label, or any run's label if `run` is empty.
  Result<std::vector<Labelled>> labelled(const std::string& collection);

 private:
  Removing::Seen look(const std::string& path, bool may_arrive);
  Removing::Answer erase(const std::string& path);
  void release(const std::string& path);
  [[nodiscard]] bool is_own(const std::string& path, const std::string& finalizer) const;

  Session& session_;
  const Subject& administrator_;
  Options options_;
  std::string uid_;      ///< to delete
  Object object_;        ///< as last read
  std::string problem_;  ///< the cluster's answer
};

/// Whether the answer to a deletion means that the object is gone, or is a namespace that is being emptied.
bool says_gone(const HttpResponse& response);

/// The run id in the object's label; empty if it has none.
std::string run_of(const Object& object);

}  // namespace nodebound::journal
