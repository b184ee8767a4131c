#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reports/terminal.h"

namespace nodebound {

/// The differences between two targets among random requests.
struct Exploration {
  struct Side {
    std::string name;
    std::string version;  ///< as observed
    std::string release;  ///< by whose rules it is judged
    std::size_t rules_in_force = 0;
  };

  /// A group of requests with the same kind of difference, and the smallest episode that shows it.
  struct Difference {
    enum class Explained {
      no,
      deviation,  ///< a known defect
      release,    ///< a rule that is in force on one side only, or another difference between the releases
      defect,     ///< B answers as the reference does with one rule inverted
    };

    std::size_t count = 0;
    std::size_t episode = 0;
    bool steady = true;  ///< reproduced in a new world
    bool small = true;   ///< reduced
    std::string rule;    ///< that decides
    Explained explained = Explained::no;
    std::string by;                     ///< id of the deviation or rule; empty if no single rule explains it
    std::vector<std::string> together;  ///< ids of the rules that explain it only together
    std::string statement;
    std::vector<std::string> steps;  ///< the last one has the different answers
    std::string a;
    std::string b;
    std::string message_a;
    std::string message_b;
    std::string scenario;     ///< the file with it as a scenario
    std::string no_scenario;  ///< why no scenario was written
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
  std::size_t reworded = 0;                        ///< requests that differ only in the message
  std::map<std::string, std::size_t> rules_fired;  ///< by rule, the number of requests that it decided
  std::vector<std::string> rules_not_fired;        ///< rules in force that could decide, but never did
  std::vector<Difference> differences;
  Run run;
};

inline constexpr const char* exploration_schema = "nodebound.dev/exploration/v1";

const char* to_string(Exploration::Difference::Explained explained);

/// Whether a difference was reproduced and a known deviation explains it; was reproduced and none does.
bool is_known(const Exploration::Difference& difference);
bool is_new(const Exploration::Difference& difference);

/// The number of requests by difference: explained by a known deviation, unexplained, not reproduced.
std::size_t known_differences(const Exploration& exploration);
std::size_t new_differences(const Exploration& exploration);
std::size_t unsteady_differences(const Exploration& exploration);

/// 0 alike except for known deviations · 1 different · 3 a difference could not be reproduced · 4 nothing was asked.
int exit_code(const Exploration& exploration);

/// Apart from the section `run`, the same exploration gives the same bytes; `exploration.schema.json` describes it.
std::string to_json(const Exploration& exploration);
std::string to_terminal(const Exploration& exploration, const TerminalStyle& style);

}  // namespace nodebound
