#pragma once

#include <string>
#include <vector>

#include "harness/endpoint/endpoint.h"
#include "harness/journal/journal_file.h"
#include "harness/journal/remover.h"

namespace nodebound {

/// What came of cleaning up after one run.
struct Cleaned {
  std::size_t removed = 0;
  std::vector<std::string> not_ours;  ///< paths at which others have something
  std::vector<Error> left;            ///< why each of these objects is still there
};

/// Removes what the journal names from the cluster that it names: another is an input error. The journal is removed if
/// nothing is left.
Result<Cleaned> clean_up_after(JournalFile& journal, Endpoint& endpoint);

/// What runs have left on a cluster, seen by their label alone.
struct Leavings {
  std::vector<Labelled> objects;     ///< namespaces last
  std::vector<Error> not_looked_at;  ///< kinds that could not be listed
};

/// `run`: of that run only; empty for all.
Leavings find_leavings(Endpoint& endpoint, const std::string& run);

/// Removes these objects, each if it still is the one that was found.
Cleaned remove_leavings(const std::vector<Labelled>& objects, Endpoint& endpoint, const std::string& run);

}  // namespace nodebound
