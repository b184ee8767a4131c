#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/run/report.h"

namespace nodebound {

/// What became of a check from one run to the next.
struct CheckChange {
  enum class Kind {
    newly_failing,
    newly_passing,  ///< failed, or could not be told, and passes
    undecided,      ///< was judged, and cannot be told any more
    no_longer_asked,
    gone,       ///< the second run does not know it
    added,      ///< the first run did not know it
    otherwise,  ///< another change of verdict, such as to a known deviation
    still_failing,
  };

  Kind kind = Kind::otherwise;
  std::string id;
  std::string rule;  ///< the one that decides
  std::string where;
  std::string before;  ///< its verdict; empty if it had none
  std::string after;
  std::string why;  ///< what the second run says of it
};

inline constexpr CheckChange::Kind all_check_changes[] = {
    CheckChange::Kind::newly_failing,   CheckChange::Kind::newly_passing, CheckChange::Kind::undecided,
    CheckChange::Kind::no_longer_asked, CheckChange::Kind::gone,          CheckChange::Kind::added,
    CheckChange::Kind::otherwise,       CheckChange::Kind::still_failing};

/// `newly_failing`, …
const char* to_string(CheckChange::Kind kind);

/// Two runs, the earlier first.
struct RunChanges {
  struct Side {
    std::string target;
    std::string version;
    std::string release;
    std::size_t requests = 0;
    double request_seconds = 0;

    [[nodiscard]] double seconds_each() const;
  };

  Side before;
  Side after;
  std::size_t same = 0;  ///< checks whose verdict is the same, failures not counted
  std::vector<CheckChange> changes;

  [[nodiscard]] std::size_t count(CheckChange::Kind kind) const;
  [[nodiscard]] std::vector<const CheckChange*> of(CheckChange::Kind kind) const;
};

RunChanges compare_runs(const Report& before, const Report& after);

/// 1 a check fails that did not · 3 a check was judged and cannot be told any more · 4 no check is in both · otherwise
/// 0.
int exit_code(const RunChanges& changes);

}  // namespace nodebound
