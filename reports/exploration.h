#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reports/terminal.h"

namespace nodebound {

/// What two targets answer differently among requests that were drawn by chance.
struct Exploration {
  struct Side {
    std::string name;
    std::string version;  ///< as observed
    std::string release;  ///< whose rules it is judged by
    std::size_t rules_in_force = 0;
  };

  /// Requests that are answered differently in the same way, with the smallest episode that shows it.
  struct Difference {
    enum class Explained {
      no,
      deviation,  ///< a known defect
      release,    ///< a rule that is in force on one side only, or what else the releases do
      defect,     ///< B answers as the reference does with one rule turned round
    };

    std::size_t count = 0;
    std::size_t episode = 0;
    bool steady = true;  ///< found again in a world of its own
    bool small = true;   ///< made small
    std::string rule;    ///< that decides
    Explained explained = Explained::no;
    std::string by;  ///< id of the deviation or rule; empty where the releases differ in no single rule
    std::string statement;
    std::vector<std::string> steps;  ///< the last one is answered differently
    std::string a;
    std::string b;
    std::string message_a;
    std::string message_b;
    std::string scenario;     ///< the file it was written to
    std::string no_scenario;  ///< why there is none
  };

  struct Run {
    std::string started;
    std::string host;
    std::string tool_version;
    double seconds = 0;
  };

  Side a;
  Side b;
  std::uint64_t seed = 0;
  std::size_t requests = 0;
  std::size_t episodes = 0;
  std::size_t reworded = 0;                        ///< requests with other messages alone
  std::map<std::string, std::size_t> rules_fired;  ///< by rule, requests that it decided
  std::vector<std::string> rules_not_fired;        ///< in force, could decide, and never did
  std::vector<Difference> differences;
  Run run;
};

inline constexpr const char* exploration_schema = "nodebound.dev/exploration/v1";

const char* to_string(Exploration::Difference::Explained explained);

/// Whether a difference was found again and a known deviation explains it; was found again and none does.
bool is_known(const Exploration::Difference& difference);
bool is_new(const Exploration::Difference& difference);

/// Requests of the differences that a known deviation explains, of those that nothing known does, and of those that
/// were not found again.
std::size_t known_differences(const Exploration& exploration);
std::size_t new_differences(const Exploration& exploration);
std::size_t unsteady_differences(const Exploration& exploration);

/// 0 alike, known deviations apart; 1 not; 3 could not tell: a difference was not found again; 4 nothing was asked.
int exit_code(const Exploration& exploration);

/// Apart from the section `run`, the same exploration gives the same bytes; `exploration.schema.json` describes it.
std::string to_json(const Exploration& exploration);
std::string to_terminal(const Exploration& exploration, const TerminalStyle& style);

}  // namespace nodebound
