#pragma once

#include <string>
#include <vector>

#include "harness/endpoint/endpoint.h"
#include "harness/journal/journal_file.h"
#include "harness/journal/remover.h"

namespace nodebound::journal {

/// The result of cleaning up after one run.
struct Cleaned {
  std::size_t removed = 0;
  std::vector<std::string> not_ours;  ///< paths at which others now have an object
  std::vector<Error> left;            ///< why each of these objects is still there
};

/// Removes what the journal names from the cluster that it names. Any other cluster is an input error. Removes the
/// journal too if nothing is left.
Result<Cleaned> clean_up_after(JournalFile& journal, Endpoint& endpoint);

/// Objects that carry the label of a run, whether or not a journal names them.
struct Leavings {
  std::vector<Labelled> objects;     ///< namespaces last
  std::vector<Error> not_looked_at;  ///< kinds that could not be listed
};

/// `run`: only that run's objects; empty: all runs.
Leavings find_leavings(Endpoint& endpoint, const std::string& run);

/// Deletes these objects, each only if it is still the one that was found.
Cleaned remove_leavings(const std::vector<Labelled>& objects, Endpoint& endpoint, const std::string& run);

}  // namespace nodebound::journal
