#pragma once

#include <chrono>

#include "harness/journal/record.h"

namespace nodebound {

/// A request that was given up, or whose sender was killed, is not carried out later than this.
inline constexpr std::chrono::seconds longest_journey{5};

/// The steps of one request that may make an object, taken so that the journal names the object whatever happens
/// between two of them. Decides only: who drives it writes, sends and reads, and says what came of each step.
class Making {
 public:
  enum class Step {
    look_before,    ///< read the object as the administrator
    write_down,     ///< put it into the journal, on disk
    send,           ///< send the request, with the run's label if `marks()`
    look_after,     ///< read the object as the administrator
    note_made,      ///< put the UID into the journal
    note_not_made,  ///< put into the journal that nothing was made
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
    there,    ///< success of another kind: an upsert has changed the very object that was seen before
    exists,   ///< 409
    refused,  ///< any other refusal, after which nothing was made
    unclear   ///< none, or one after which the object may be there all the same
  };

  /// What is known of the object, as far as this request goes.
  enum class Standing { not_asked, unclear, made, not_made };

  /// `tried_before`: an earlier attempt had no clear answer, and the journal has the object already. Each attempt of an
  /// upsert is written down anew, as it depends on what is there whether it carries the label.
  Making(Manner manner, bool tried_before);

  [[nodiscard]] Step step() const { return step_; }
  [[nodiscard]] Standing standing() const { return standing_; }
  [[nodiscard]] bool marks() const { return marks_; }

  void looked(Found found);
  void wrote_down(bool on_disk);
  void answered(Answer answer);
  /// Whatever came of it: what the journal lacks is looked up when it is cleaned up after.
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

}  // namespace nodebound
