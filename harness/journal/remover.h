#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/endpoint/endpoint.h"
#include "harness/journal/ledger.h"
#include "harness/journal/removing.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// An object that carries the label of a run.
struct Labelled {
  LedgerEntry entry;
  std::string run;
  std::string created;  ///< as the cluster says it
  bool being_deleted = false;
};

/// Removes objects that a run has made from a cluster, and nothing else (harness/journal/removing.h).
class Remover {
 public:
  struct Options {
    std::string run;  ///< the id that its objects are labelled with
    /// Whether the run has put the finalizer on objects itself.
    std::function<bool(const std::string&)> is_own_finalizer;
    /// The cluster is the run's alone, so that everything on it is its own.
    bool exclusive = false;
  };

  /// All must outlive it.
  Remover(Session& session, const Subject& administrator, Options options)
      : session_(session), administrator_(administrator), options_(std::move(options)) {}

  /// `sure`: this process was answered 201. `may_arrive` tells whether a request that makes the object may still be on
  /// its way.
  Removing::Outcome remove(const LedgerEntry& entry, bool sure, const std::function<bool()>& may_arrive);

  /// Why the last one was not removed, for the person who cleans up.
  [[nodiscard]] Error why_left(const LedgerEntry& entry, Removing::Outcome outcome) const;

  /// Objects of the collection that carry the run's label; that of any run, if `run` is empty.
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
  Object object_;        ///< as it was seen
  std::string problem_;  ///< what the cluster said
};

/// Whether an answer to a deletion means that the object is gone, or is being emptied as a namespace is.
bool says_gone(const HttpResponse& response);

/// `run` of the object's label; empty if it has none.
std::string run_of(const Object& object);

}  // namespace nodebound
