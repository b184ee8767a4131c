#include "harness/journal/removing.h"

namespace nodebound::journal {
namespace {

constexpr int most_waits = 8;
// A cluster that does not answer at all is asked once more only.
constexpr int cost_of_silence = most_waits;

}  // namespace

Removing::Removing(Known known) : known_(known), step_(known.uid && known.sure ? Step::erase : Step::look) {}

void Removing::end(Outcome outcome) {
  outcome_ = outcome;
  step_ = Step::done;
}

void Removing::again(Outcome otherwise, int cost) {
  waits_ += cost;
  if (waits_ > most_waits) return end(otherwise);
  step_ = Step::wait;
}

void Removing::look_at_once() {
  if (++waits_ > most_waits) return end(Outcome::held);
  step_ = Step::look;
}

void Removing::nothing_here(Outcome outcome, bool may_arrive) {
  if (!may_arrive) return end(outcome);
  known_.uid = false;
  step_ = Step::wait;
}

// False if the object must not be deleted, or not yet.
bool Removing::may_erase(const Seen& seen) {
  if (known_.uid && seen.same_uid) {
    if (known_.sure || seen.labelled) return true;
    end(Outcome::unmarked);
    return false;
  }
  // The object with that UID is gone. The present one is ours only if its label says so: another request for it made
  // it.
  if (!known_.marked || (seen.labelled && known_.manner == Manner::upsert)) {
    end(Outcome::uncertain);
    return false;
  }
  if (!seen.labelled) {
    nothing_here(known_.uid ? Outcome::gone : Outcome::not_ours, seen.may_arrive);
    return false;
  }
  known_.uid = true;
  return true;
}

void Removing::looked(const Seen& seen) {
  if (seen.silent) return again(Outcome::no_answer, cost_of_silence);
  if (!seen.answered) return again(Outcome::no_answer);
  if (!seen.there) return nothing_here(Outcome::gone, seen.may_arrive);
  if (!may_erase(seen)) return;
  // A controller takes its time to empty a namespace.
  if (seen.being_deleted && known_.is_namespace) return nothing_here(Outcome::gone, seen.may_arrive);
  if (seen.being_deleted && seen.held_by_own) {
    step_ = Step::release;
  } else if (seen.being_deleted && seen.held) {
    again(Outcome::held);
  } else {
    step_ = Step::erase;
  }
}

void Removing::erased(Answer answer, bool may_arrive) {
  switch (answer) {
    case Answer::gone:
      return nothing_here(Outcome::gone, may_arrive);
    case Answer::refused:
      return end(Outcome::refused);
    case Answer::held:
      return look_at_once();
    case Answer::conflict:
      return again(Outcome::refused);
    case Answer::unclear:
      return again(Outcome::no_answer);
    case Answer::none:
      return again(Outcome::no_answer, cost_of_silence);
  }
}

bool is_settled(Removing::Outcome outcome) {
  return outcome == Removing::Outcome::gone || outcome == Removing::Outcome::not_ours;
}

}  // namespace nodebound::journal
