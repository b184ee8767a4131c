#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "harness/endpoint/endpoint.h"
#include "reference/result.h"

namespace nodebound::certify {

/// A record, from which a run with any number of jobs takes all answers instead of from a target.
class RecordReplay {
 public:
  /// Errors name the record `where`. An error if it is not whole, or does not begin with a server that was reached.
  static Result<std::unique_ptr<RecordReplay>> of(std::string_view compressed, const std::string& where);

  virtual ~RecordReplay() = default;

  /// Belongs to the replay.
  virtual Endpoint& endpoint() = 0;

  /// Why the record is not that of the run, at the first place where it is not: what was asked is not what was
  /// recorded, something is missing, or something is left. Only without such an error do the verdicts mean anything.
  /// Call it when the run is over.
  [[nodiscard]] virtual Result<void> finish() = 0;
};

}  // namespace nodebound::certify
