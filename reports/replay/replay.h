#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "reference/result.h"
#include "reports/findings/finding.h"
#include "reports/share.h"
#include "reports/terminal.h"

namespace nodebound {

/// The requests of audit logs, decided anew at another release.
struct Replay {
  /// A release at which requests are decided.
  struct Side {
    std::string release;
    std::vector<std::string> gates;  ///< that differ from its defaults: `Name=true`
    std::size_t rules_in_force = 0;
    std::vector<std::string> without;  ///< `the Node authorizer`: what its servers lack
  };

  /// Similar requests of one group of clients, with the same outcome by the same rule.
  struct Finding {
    enum class Outcome { newly_refused, newly_allowed, disagrees };

    Outcome outcome = Outcome::newly_refused;
    std::string rule;
    std::string statement;
    std::string layer;       ///< that decides at the release one is going to; of a disagreement, at that of the log
    std::string by;          ///< `node`, `rbac` or an admission plugin; empty if no authorizer allows it
    std::string recorded;    ///< `allowed (HTTP 200)`
    std::string request;     ///< `list nodes`
    std::string user_agent;  ///< its first word: `kubelet/v1.31.4`
    std::string who;         ///< `nodes`, or the user
    std::string pool;        ///< of the nodes; empty if it is not known
    std::size_t subjects = 0;
    bool more_subjects = false;  ///< there are more of them than were counted
    std::size_t count = 0;
    std::string first;  ///< when such a request was received first: a timestamp
    std::string last;
    std::string example;                  ///< `GET /api/v1/nodes as system:node:a`
    std::string where;                    ///< of the example: `audit.log:17`
    std::string since;                    ///< the first release with the new answer
    std::vector<std::string> put_off_by;  ///< gates that bring the old answer back: `Name=false`
    std::string advice;
    std::string accepted;   ///< why somebody accepts it; empty: nobody does
    std::size_t order = 0;  ///< number of its first request among all that are about nodes
  };

  /// Requests for which there is no answer, and why.
  struct Unknown {
    std::string reason;  ///< an id: `no-body`
    std::string statement;
    std::size_t count = 0;
    std::string where;      ///< the first of them
    std::size_t order = 0;  ///< number of that one among all requests that are about nodes
  };

  /// What was left out of the logs.
  struct Trouble {
    std::string what;  ///< an id: `torn`
    std::size_t count = 0;
    std::vector<std::string> places;
  };

  struct Run {
    std::string started;
    std::string host;
    std::string tool_version;
    double seconds = 0;
  };

  Share share;  ///< of the subjects, if several processes divide the requests among them
  Side from;
  Side to;
  std::vector<std::string> logs;
  std::vector<std::string> cluster;
  std::string first;  ///< when the first request that is about nodes was received
  std::string last;

  std::size_t bytes = 0;
  std::size_t events = 0;
  std::size_t not_final = 0;       ///< events before there is an answer
  std::size_t repeated = 0;        ///< further events of a request
  std::size_t about_others = 0;    ///< requests that are not about nodes
  std::size_t administrators = 0;  ///< of members of system:masters
  std::size_t outside = 0;         ///< of the window

  std::size_t requests = 0;  ///< about nodes
  std::size_t newly_refused = 0;
  std::size_t newly_allowed = 0;
  std::size_t unchanged = 0;
  std::size_t unchanged_by_record = 0;  ///< of these: nothing they can depend on differs between the releases
  std::size_t disagreeing = 0;
  std::size_t unknown = 0;
  std::size_t compared = 0;  ///< decided at the release of the log, and compared with the recorded answer

  std::vector<Finding> findings;
  std::size_t findings_left_out = 0;        ///< requests of findings beyond as many as are kept
  std::vector<nodebound::Finding> clients;  ///< whom the upgrade concerns, whether or not it refuses something
  std::vector<Unknown> unknowns;
  std::vector<Trouble> troubles;
  std::vector<std::string> notes;
  Run run;

  /// Requests of findings with that outcome that nobody accepts, and of those that were left out.
  [[nodiscard]] std::size_t not_accepted(Finding::Outcome outcome) const;
  [[nodiscard]] std::size_t decided() const { return requests - unknown - disagreeing; }
};

inline constexpr const char* replay_schema = "nodebound.dev/replay/v1";

inline constexpr std::size_t most_counted_subjects = 1000;  ///< of a finding

const char* to_string(Replay::Finding::Outcome outcome);

/// Rules with many requests first, and of a rule the most frequent findings.
void sort_findings(std::vector<Replay::Finding>& findings);
/// The most frequent reasons first.
void sort_unknowns(std::vector<Replay::Unknown>& unknowns);

/// `99.8 %`: rounded down, so that only all of them are 100 %. `–` of none.
std::string share_text(std::size_t part, std::size_t whole);

std::string to_terminal(const Replay& replay, const TerminalStyle& style);
/// Apart from the section `run`, the same input gives the same bytes; `replay.schema.json` describes it.
std::string to_json(const Replay& replay);
/// For a change request.
std::string to_markdown(const Replay& replay);
/// A page.
std::string to_html(const Replay& replay);

/// What `to_json` has written. Errors name the key.
Result<Replay> replay_from_json(std::string_view text, const std::string& where);

/// The replay of the whole, of all its shares.
Result<Replay> merged(std::vector<ReportInFile<Replay>> shares);

/// One of its findings as findings of all sources are.
Finding common_finding(const Replay::Finding& finding);
/// All of them, and the clients.
std::vector<Finding> findings_of(const Replay& replay);

}  // namespace nodebound
