#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "reference/result.h"

namespace nodebound {

/// Marks what a run makes; the value is the run's id. The key, too, of the taint on Nodes that it makes where others
/// have workloads.
inline constexpr std::string_view run_label = "nodebound.dev/run";

/// By which one cluster is told from another.
struct ClusterIdentity {
  std::string uid;  ///< of the namespace kube-system; empty where it cannot be read
  std::string
      authority;       ///< SHA-256 of the authorities that the server's certificate is checked by; empty: the system's
  std::string server;  ///< URL; may be another for the same cluster

  bool operator==(const ClusterIdentity&) const = default;
};

/// Why these are not known to be one cluster; empty if they are.
std::string difference(const ClusterIdentity& journal, const ClusterIdentity& target);

/// The first line of a journal.
struct JournalHeader {
  std::string run;
  ClusterIdentity cluster;
};

/// How an object is asked for.
enum class Manner {
  create,  ///< POST: makes an object, or changes nothing
  upsert,  ///< PUT and server-side apply: makes an object, or changes the one that is there
};

/// Any other line of a journal.
struct JournalRecord {
  enum class Kind {
    asked,     ///< is about to be asked for
    made,      ///< the answer was 201
    not_made,  ///< the answer says that the request made nothing
    gone,      ///< what was made is no more, or is being deleted
    finalizer  ///< the run is about to put this finalizer on something
  };

  Kind kind = Kind::asked;
  std::uint64_t number = 0;  ///< of the object, ascending; none for a finalizer
  std::string path;          ///< of the object; where the server chooses its name, of the collection until it is made
  Manner manner = Manner::create;
  bool marked = true;  ///< carries the run's label
  std::string uid;
  std::string finalizer;

  bool operator==(const JournalRecord&) const = default;
};

/// A line, with its end.
std::string to_line(const JournalHeader& header);
std::string to_line(const JournalRecord& record);

/// Reads a line without its end. The line may be of a stranger: what is not exactly as `to_line` writes it is an error,
/// which says what is wrong and leaves the place empty.
Result<JournalHeader> parse_header(std::string_view line);
Result<JournalRecord> parse_record(std::string_view line);

/// Whether this can be the id of a run, which is the value of a label and part of file names.
bool is_run_id(std::string_view text);

/// Whether a journal can hold it as a UID, or as the name of a finalizer.
bool is_uid(std::string_view text);
bool is_finalizer(std::string_view text);

}  // namespace nodebound
