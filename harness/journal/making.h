#pragma once

#include <chrono>

#include "harness/journal/record.h"

namespace nodebound::journal {

/// The cluster carries out no request later than this after its sender gave it up or was killed.
inline constexpr std::chrono::seconds longest_time_on_the_way{5};

/// The steps of one request that may make an object, ordered so that the journal names the object even if the run is
/// killed between two steps. Decides only: the caller writes, sends and reads, and reports the result of each step.
class Making {
 public:
  enum class Step {
    look_before,    ///< read the object as the administrator
    write_down,     ///< record it in the journal, on disk
    send,           ///< send the request, with the run's label if `marks()`
    look_after,     ///< read the object as the administrator
    note_made,      ///< record the UID in the journal
    note_not_made,  ///< record in the journal that nothing was made
    done
  };

  enum class Found {
    absent,
    ours,    ///< carries the run's label
    others,  ///< does not
    unknown  ///< no clear answer
  };

  enum class Answer {
    made,     ///< 201, with the UID
    there,    ///< success without creation: an upsert changed the object that was seen before
    exists,   ///< 409
    refused,  ///< any other refusal that means nothing was made
    unclear   ///< no answer, or one after which the object may exist
  };

  /// What this request tells about the object.
  enum class Standing { not_asked, unclear, made, not_made };

  /// `tried_before`: an earlier attempt had no clear answer, and the journal already has the object. Each attempt of an
  /// upsert is recorded again, because it carries the label or not depending on what exists.
  Making(Manner manner, bool tried_before);

  [[nodiscard]] Step step() const { return step_; }
  [[nodiscard]] Standing standing() const { return standing_; }
  [[nodiscard]] bool marks() const { return marks_; }

  void looked(Found found);
  void wrote_down(bool on_disk);
  void answered(Answer answer);
  /// Called after every outcome. If the journal lacks a result, the clean-up looks at the cluster.
  void noted() { step_ = Step::done; }

  bool operator==(const Making&) const = default;

 private:
  void end(Standing standing);

  Manner manner_;
  bool tried_before_;
  bool marks_ = true;
  Step step_;
  Standing standing_ = Standing::not_asked;
};

}  // namespace nodebound::journal
