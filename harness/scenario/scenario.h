#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/endpoint/server_settings.h"
#include "harness/scenario/request_text.h"
#include "harness/scenario/subject_text.h"
#include "reference/cluster/object.h"
#include "reference/release/catalogue.h"

namespace nodebound {

/// How a change of an object is written. A rule must hold for each way.
enum class Way { put, merge, strategic, json, apply };
inline constexpr std::array all_ways = {Way::put, Way::merge, Way::strategic, Way::json, Way::apply};

/// `put`, `merge`, `strategic`, `json` or `apply`.
std::string_view to_string(Way way);

/// A token that the administrator requests for a service account, at its first use, and that stays the same.
struct TokenText {
  std::string subject;                  ///< whose it is, in the scenario
  RequestText account;                  ///< its TokenRequest
  std::optional<RequestText> bound_to;  ///< the pod, node or secret without which it is no longer valid
};

/// An action of the administrator between checks.
struct Action {
  enum class Kind { create, remove, bind, change };

  Kind kind = Kind::create;
  RequestText target;
  Object body;       ///< of a create; of a change, the merge patch
  std::string node;  ///< of a bind
  int line = 0;
  std::optional<TokenText> token = {};  ///< of a create, which then requests it
};

/// The answer that the rules require in some releases.
struct Expected {
  ReleaseRange holds;
  bool allow = false;
  std::vector<Rule> rules;  ///< the deciding one first
};

/// A question to the target, and the answer that the rules require.
struct Check {
  std::string name;  ///< unique in its scenario
  SubjectText subject;
  RequestText request;
  Object body;                      ///< of a create; for a change, what to merge into the object
  std::vector<std::string> remove;  ///< JSON pointers to what a change removes
  std::vector<Way> ways;            ///< of a change
  std::map<Way, Rule> way_rules;    ///< if a way's rule is not in force, a change in that way has another result
  bool allow = false;
  std::vector<Rule> rules;          ///< the deciding one first
  std::vector<Expected> elsewhere;  ///< expectations for other releases; the first that holds counts
  bool review = false;              ///< asked by SubjectAccessReview alone
  Object attributes;                ///< for a review, merged into its spec: selectors, or what no request could express
  bool complete = false;            ///< asks by SelfSubjectRulesReview whether its list is complete
  std::optional<RequestText> lists;  ///< asks by SelfSubjectRulesReview whether its list has a rule for this request
  bool keep = false;                 ///< has its effect; otherwise a write is a dry run
  bool invalid = false;              ///< the API server itself would refuse it, so it is sent only if a rule refuses it
  std::string deviation;             ///< id of the known defect that inverts the answer
};

struct Step {
  std::string name;
  ReleaseRange holds;
  std::vector<Action> actions;
  std::optional<Check> check;
  int line = 0;
};

/// A subject other than a plain node: user name and groups, with placeholders, or who has a token.
struct NamedSubject {
  std::string user;
  std::vector<std::string> groups;
  bool widened = false;  ///< RBAC lets it past the authorizers, so that its requests test admission alone
  std::optional<TokenText> token = {};  ///< then it has neither user nor groups, and sends requests with this token
};

/// One scenario, or one case of it: a file with cases yields one scenario for each.
struct Scenario {
  std::string file;  ///< as named by the user
  std::string id;    ///< path below the scenarios' folder without its extension; the case follows in brackets
  std::string title;
  std::string profile;
  ReleaseRange holds;                        ///< the releases for which it is valid
  std::vector<std::string> gates;            ///< feature gates it needs
  std::vector<std::string> plugins;          ///< admission plugins that it tests
  std::vector<std::string> without_plugins;  ///< admission plugins that would hide what it tests
  std::optional<ServerSettings> server;      ///< how its API server is started; without: as the target is
  std::vector<std::string> nodes;
  std::map<std::string, NamedSubject> subjects;
  std::vector<Action> given;
  std::vector<Step> steps;
  std::optional<std::size_t> number;  ///< among all that a run selects; the names that it gives contain it

  /// The token by which the subject shows who it is; null if it has none.
  [[nodiscard]] const TokenText* token_of(const SubjectText& subject) const {
    if (subject.kind != SubjectText::Kind::named) return nullptr;
    const auto named = subjects.find(subject.name);
    return named != subjects.end() && named->second.token ? &*named->second.token : nullptr;
  }

  /// Whether the administrator lets the subject past the authorizers.
  [[nodiscard]] bool widens(const SubjectText& subject) const {
    if (subject.kind != SubjectText::Kind::named) return subject.kind == SubjectText::Kind::widened_node;
    const auto named = subjects.find(subject.name);
    return named != subjects.end() && named->second.widened;
  }
};

}  // namespace nodebound
