#include "harness/journal/making.h"

namespace nodebound::journal {

// An upsert may carry the label only if no object of others exists: on such an object, the label would make it look
// like one of ours.
Making::Making(Manner manner, bool tried_before)
    : manner_(manner),
      tried_before_(tried_before),
      step_(manner == Manner::upsert ? Step::look_before
            : tried_before           ? Step::send
                                     : Step::write_down) {
  if (tried_before_) standing_ = Standing::unclear;
}

void Making::end(Standing standing) {
  standing_ = standing;
  step_ = standing == Standing::made       ? Step::note_made
          : standing == Standing::not_made ? Step::note_not_made
                                           : Step::done;
}

void Making::looked(Found found) {
  if (step_ == Step::look_before) {
    marks_ = found != Found::others;
    step_ = found == Found::unknown ? Step::done : Step::write_down;
    return;
  }
  if (found == Found::ours) return end(Standing::made);
  // If there was an earlier attempt, its request may still arrive.
  const bool settled = found != Found::unknown && !tried_before_;
  end(settled ? Standing::not_made : Standing::unclear);
}

void Making::wrote_down(bool on_disk) {
  step_ = on_disk ? Step::send : Step::done;
}

void Making::answered(Answer answer) {
  if (answer == Answer::made) return end(Standing::made);
  if (answer == Answer::unclear) return end(Standing::unclear);
  // An upsert leaves its label on an object that it changes, so the label does not prove who made the object.
  if (manner_ == Manner::upsert) return end(Standing::not_made);
  // Either somebody else was first, or this very request has arrived before: it is repeated if a connection breaks.
  const bool look = answer != Answer::refused || tried_before_;
  if (look) {
    step_ = Step::look_after;
  } else {
    end(Standing::not_made);
  }
}

}  // namespace nodebound::journal
