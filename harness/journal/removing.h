#pragma once

#include <string>

#include "harness/journal/record.h"

namespace nodebound {

/// The steps of removing one object of a journal, such that nothing is removed that the run did not make. Decides only:
/// who drives it asks the cluster, and says what came of each step.
class Removing {
 public:
  enum class Step {
    look,     ///< read the object
    erase,    ///< delete it, on condition that it has the UID
    release,  ///< take away the finalizers that the run put on it, and no others
    wait,     ///< for a while
    done
  };

  enum class Outcome {
    gone,       ///< it is not there any more, or on its way out
    not_ours,   ///< what is there was made by others
    unmarked,   ///< it has the UID, but no longer the label: left alone
    uncertain,  ///< the label may be all that the run has put on an object of others: left alone
    held,       ///< on its way out, but finalizers of others hold it
    refused,    ///< the cluster does not delete it
    no_answer
  };

  /// Why the object is taken for the run's own.
  struct Known {
    bool uid = false;   ///< the journal has its UID
    bool sure = false;  ///< this very process was answered 201: the label need not be looked at
    Manner manner = Manner::create;
    bool marked = true;  ///< was sent with the label
    bool is_namespace = false;

    bool operator==(const Known&) const = default;
  };

  /// What is at the object's path.
  struct Seen {
    bool answered = true;  ///< with what can be understood
    bool silent = false;   ///< no answer came at all
    bool there = false;
    bool same_uid = false;  ///< as what is to be deleted
    bool labelled = false;  ///< with the run's id
    bool being_deleted = false;
    bool held_by_own = false;  ///< finalizers that the run put on it
    bool held = false;         ///< any finalizers
    bool may_arrive = false;   ///< a request that makes one may still be on its way
  };

  enum class Answer {
    gone,
    held,      ///< it is marked for deletion
    conflict,  ///< 409: what is there has another UID, or is being deleted already
    refused,
    unclear,  ///< 429 and 5xx
    none
  };

  explicit Removing(Known known);

  [[nodiscard]] Step step() const { return step_; }
  [[nodiscard]] Outcome outcome() const { return outcome_; }
  /// Whether the UID of what is to be deleted is known: from the journal, or from the last look.
  [[nodiscard]] bool knows_uid() const { return known_.uid; }

  void looked(const Seen& seen);
  void erased(Answer answer, bool may_arrive);
  void released() { look_at_once(); }
  void waited() { step_ = Step::look; }

  bool operator==(const Removing&) const = default;

 private:
  void end(Outcome outcome);
  /// Looks again after a while, but not for ever.
  void again(Outcome otherwise, int cost = 1);
  void look_at_once();
  /// There is nothing of ours. What is still on its way is waited for.
  void nothing_here(Outcome outcome, bool may_arrive);
  [[nodiscard]] bool may_erase(const Seen& seen);

  Known known_;
  Step step_;
  Outcome outcome_ = Outcome::no_answer;
  int waits_ = 0;
};

/// Whether nothing of the run is at the path any more, so that the journal need not keep it.
bool is_settled(Removing::Outcome outcome);

}  // namespace nodebound
