#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "harness/endpoint/endpoint.h"
#include "reference/result.h"

namespace nodebound::certify {

/// A record, from which a run takes all answers instead of from a target. It must be run with one job.
class RecordReplay {
 public:
  /// `compressed` must outlive the replay; errors name it `where`. An error if the record does not begin with a server
  /// that was reached.
  static Result<std::unique_ptr<RecordReplay>> of(std::string_view compressed, const std::string& where);

  virtual ~RecordReplay() = default;

  /// Belongs to the replay.
  virtual Endpoint& endpoint() = 0;

  /// Why the record is not that of the run: what was asked is not what was recorded, something is missing, or, once
  /// the run is over, something is left. Only without such an error do the verdicts mean anything.
  [[nodiscard]] virtual Result<void> finish() = 0;
};

}  // namespace nodebound::certify
