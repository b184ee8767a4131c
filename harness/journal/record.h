#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "reference/result.h"

namespace nodebound::journal {

/// The label of everything that a run makes; its value is the run's id. Also the key of the taint on Nodes that the run
/// makes on clusters where others have workloads.
inline constexpr std::string_view run_label = "nodebound.dev/run";

/// What identifies a cluster.
struct ClusterIdentity {
  std::string uid;        ///< of the namespace kube-system; empty if it cannot be read
  std::string authority;  ///< SHA-256 of the authorities that its certificate is checked by; empty: the system's
  std::string server;     ///< URL; one cluster may have several

  bool operator==(const ClusterIdentity&) const = default;
};

/// Why these two may not be the same cluster; empty if they are.
std::string difference(const ClusterIdentity& journal, const ClusterIdentity& target);

/// The first line of a journal.
struct JournalHeader {
  std::string run;
  ClusterIdentity cluster;
};

/// How an object is requested.
enum class Manner {
  create,  ///< POST: makes an object, or changes nothing
  upsert,  ///< PUT and server-side apply: makes an object, or changes the existing one
};

/// Any other line of a journal.
struct JournalRecord {
  enum class Kind {
    asked,     ///< the request is about to be sent
    made,      ///< the answer was 201
    not_made,  ///< by its answer, the request made nothing
    gone,      ///< the object is gone, or is being deleted
    finalizer  ///< the run is about to add this finalizer to an object
  };

  Kind kind = Kind::asked;
  std::uint64_t number = 0;  ///< of the object, ascending; 0 for a finalizer
  std::string path;          ///< of the object, or of the collection while the server has not chosen a name
  Manner manner = Manner::create;
  bool marked = true;  ///< carries the run's label
  std::string uid;
  std::string finalizer;

  bool operator==(const JournalRecord&) const = default;
};

/// The record as a line, with its line break.
std::string to_line(const JournalHeader& header);
std::string to_line(const JournalRecord& record);

/// Reads a line without its line break. The line may come from a stranger: anything that `to_line` would not write is
/// an error. It says what is wrong; the caller adds the place.
Result<JournalHeader> parse_header(std::string_view line);
Result<JournalRecord> parse_record(std::string_view line);

/// Whether this can be the id of a run, which is the value of a label and part of file names.
bool is_run_id(std::string_view text);

/// Whether a journal can contain this as a UID or as the name of a finalizer.
bool is_uid(std::string_view text);
bool is_finalizer(std::string_view text);

}  // namespace nodebound::journal
