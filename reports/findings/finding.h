#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace nodebound {

/// Something to act on before an upgrade, whatever shows it: a manifest, a cluster, a log or a plan.
struct Finding {
  enum class Level {
    error,    ///< requests will be refused, or something does not work
    warning,  ///< requests may be refused, or somebody may do more than it should
    note,     ///< worth a look
  };

  /// Where it was found: in a file, in an object, or both.
  struct Place {
    std::string file;
    std::size_t line = 0;  ///< 0 if it is not known
    std::string object;    ///< `DaemonSet kube-system/agent`
    std::string field;     ///< a JSON pointer within the object

    /// `file:line`, or the object without a file.
    [[nodiscard]] std::string text() const;
  };

  /// A change that loses nothing: it was tried, and the changed text is the changed object.
  struct Fix {
    std::string what;        ///< `add the verb create`
    std::string json_patch;  ///< of the object: a JSON patch
    std::string command;     ///< `kubectl patch …`
    /// Of the file: lines that take the place of one line, or stand before it.
    struct Edit {
      std::size_t line = 0;
      bool replaces = true;
      std::vector<std::string> lines;
    };
    std::vector<Edit> edits;  ///< none if the file cannot be edited so
  };

  Level level = Level::warning;
  std::string id;                  ///< permanent name of what is looked for; of a request, the rule that decides
  std::vector<std::string> rules;  ///< of the catalogue
  std::string statement;           ///< what the rule says, or why it is looked for
  std::string who;                 ///< whom it concerns: a workload, a role, a user agent
  std::string what;                ///< what was found: one sentence without a full stop
  Place place;
  std::string since;                    ///< the first release in which it matters; empty: in all of them
  std::vector<std::string> put_off_by;  ///< gates that make it matter no more: `Name=false`
  std::string advice;
  std::vector<std::string> seen_at;  ///< issues of people who were hit by it: `k3s-io/k3s#11551`
  std::size_t count = 0;             ///< of requests; 0: none was counted
  std::string first;
  std::string last;
  std::vector<Fix> fixes;  ///< at most one
  std::string accepted;    ///< why somebody accepts it; empty: nobody does
};

const char* to_string(Finding::Level level);

/// `https://github.com/k3s-io/k3s/issues/11551`; empty if the text is no issue.
std::string issue_url(const std::string& issue);

/// A name for the finding that stays the same when lines move and counts grow.
std::string fingerprint_of(const Finding& finding);

}  // namespace nodebound
