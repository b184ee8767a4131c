#pragma once

#include <string>

#include "harness/journal/record.h"

namespace nodebound::journal {

/// The steps of removing one object of a journal, such that only what the run made is removed. Decides only: the caller
/// asks the cluster, and reports the result of each step.
class Removing {
 public:
  enum class Step {
    look,     ///< read the object
    erase,    ///< delete it, on condition that it has the UID
    release,  ///< remove the finalizers that the run added, and no others
    wait,     ///< for a while
    done
  };

  enum class Outcome {
    gone,       ///< it no longer exists, or is being deleted
    not_ours,   ///< others made the present object
    unmarked,   ///< it has the UID but lost the label: left alone
    uncertain,  ///< the run may only have labelled an object of others: left alone
    held,       ///< it is being deleted, but finalizers of others hold it
    refused,    ///< the cluster does not delete it
    no_answer
  };

  /// Why the object is considered the run's own.
  struct Known {
    bool uid = false;   ///< the journal has its UID
    bool sure = false;  ///< this process received the 201, so the label need not be checked
    Manner manner = Manner::create;
    bool marked = true;  ///< the request carried the label
    bool is_namespace = false;

    bool operator==(const Known&) const = default;
  };

  /// What exists at the object's path.
  struct Seen {
    bool answered = true;  ///< the answer was intelligible
    bool silent = false;   ///< no answer came at all
    bool there = false;
    bool same_uid = false;  ///< the same as that of the object to delete
    bool labelled = false;  ///< with the run's id
    bool being_deleted = false;
    bool held_by_own = false;  ///< by finalizers that the run added
    bool held = false;         ///< any finalizers
    bool may_arrive = false;   ///< a request that makes one may still be under way
  };

  enum class Answer {
    gone,
    held,      ///< it is marked for deletion
    conflict,  ///< 409: the present object has another UID, or is being deleted already
    refused,
    unclear,  ///< 429 and 5xx
    none
  };

  explicit Removing(Known known);

  [[nodiscard]] Step step() const { return step_; }
  [[nodiscard]] Outcome outcome() const { return outcome_; }
  /// Whether the UID of the object to delete is known: from the journal, or from the last look.
  [[nodiscard]] bool knows_uid() const { return known_.uid; }

  void looked(const Seen& seen);
  void erased(Answer answer, bool may_arrive);
  void released() { look_at_once(); }
  void waited() { step_ = Step::look; }

  bool operator==(const Removing&) const = default;

 private:
  void end(Outcome outcome);
  /// Looks again after a while, but only a limited number of times.
  void again(Outcome otherwise, int cost = 1);
  void look_at_once();
  /// No object of ours exists now. Waits if a request may still make one.
  void nothing_here(Outcome outcome, bool may_arrive);
  [[nodiscard]] bool may_erase(const Seen& seen);

  Known known_;
  Step step_;
  Outcome outcome_ = Outcome::no_answer;
  int waits_ = 0;
};

/// Whether nothing of the run remains at the path, so that the journal can forget it.
bool is_settled(Removing::Outcome outcome);

}  // namespace nodebound::journal
