#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/scenario/request_text.h"
#include "reference/cluster/object.h"
#include "reference/release/catalogue.h"

namespace nodebound {

/// How a change of an object is written. Each is a way in of its own, and a rule must hold in all of them.
enum class Way { put, merge, strategic, json, apply };
inline constexpr std::array all_ways = {Way::put, Way::merge, Way::strategic, Way::json, Way::apply};

/// `put`, `merge`, `strategic`, `json` or `apply`.
std::string_view to_string(Way way);

/// What the administrator does between checks.
struct Action {
  enum class Kind { create, remove, bind, change };

  Kind kind = Kind::create;
  RequestText target;
  Object body;       ///< of a create; of a change, the merge patch
  std::string node;  ///< of a bind
  int line = 0;
};

/// What the rules require of the answer, in some releases.
struct Expected {
  VersionRange holds;
  bool allow = false;
  std::vector<Rule> rules;  ///< the deciding one first
};

/// A question to the target and what the rules require it to answer.
struct Check {
  std::string name;     ///< unique in its scenario
  std::string subject;  ///< `node a`, `widened a`, `admin`, `anonymous`, or a name of the scenario's subjects
  RequestText request;
  Object body;                      ///< of a create; of a change, what to merge into the object
  std::vector<std::string> remove;  ///< JSON pointers of what a change takes away
  std::vector<Way> ways;            ///< of a change
  std::map<Way, Rule> way_rules;    ///< without which a change in that way meets another answer
  bool allow = false;
  std::vector<Rule> rules;          ///< the deciding one first
  std::vector<Expected> elsewhere;  ///< what is expected instead, in the releases of the first that holds
  bool review = false;              ///< asked by SubjectAccessReview alone
  Object attributes;                ///< of a review, what to merge into its spec: selectors, what no request could say
  bool complete = false;            ///< of a SelfSubjectRulesReview: whether it says it lists all
  bool keep = false;                ///< has its effect; otherwise a write is a dry run
  bool invalid = false;   ///< the API server itself would refuse it, so it is not sent where no rule refuses it
  std::string deviation;  ///< id of the known defect that turns the answer round
};

struct Step {
  std::string name;
  VersionRange holds;
  std::vector<Action> actions;
  std::optional<Check> check;
  int line = 0;
};

/// A subject that is no plain node: user name and groups, with placeholders.
struct NamedSubject {
  std::string user;
  std::vector<std::string> groups;
  bool widened = false;  ///< let past the authorizers by RBAC, so that admission is met alone
};

/// One scenario, or one case of it: a file with cases gives a scenario for each.
struct Scenario {
  std::string file;  ///< as it was named
  std::string id;    ///< path below the scenarios' folder without its ending, and the case in brackets
  std::string title;
  std::string profile;
  VersionRange holds;                        ///< releases that it says something about
  std::vector<std::string> gates;            ///< feature gates it needs
  std::vector<std::string> plugins;          ///< admission plugins that it looks at
  std::vector<std::string> without_plugins;  ///< admission plugins that would hide what it looks at
  std::vector<std::string> nodes;
  std::map<std::string, NamedSubject> subjects;
  std::vector<Action> given;
  std::vector<Step> steps;
};

}  // namespace nodebound
