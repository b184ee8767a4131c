#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/run/report.h"

namespace nodebound {

/// The answer of one of two targets to a request.
struct ObservedAnswer {
  std::string decision;  ///< `allowed` or `refused`; empty if the answer says neither
  std::string layer;     ///< who refused
  int status = 0;        ///< HTTP status; 0 if there was no answer
  std::string message;
  std::string why;  ///< if nothing was asked, or the answer is inconclusive: the reason

  /// `refused by admission (HTTP 403)`
  [[nodiscard]] std::string text() const;
};

/// A request with the answers of two targets.
struct ComparedRequest {
  enum class Change {
    now_refused,
    now_allowed,
    answered_otherwise,  ///< the same decision by another layer, or with another status
    reworded,            ///< the same refusal in other words
    undecided,           ///< at least one answer says neither allowed nor refused, or never came
    only_a,              ///< asked of the first target only
    only_b,
  };

  Change change = Change::undecided;
  std::string id;        ///< of the check
  std::string scenario;  ///< the scenario's title
  std::string profile;
  std::string where;
  std::string layer;               ///< the layer that was asked: request, authorizer, admission
  std::string rule;                ///< the one that decides
  std::vector<std::string> rules;  ///< all rules that the check names
  std::string subject;
  std::string request;
  std::string body;
  std::string deviation;  ///< id of the known defect that explains one of the answers
  ObservedAnswer a;
  ObservedAnswer b;
};

/// `now_refused`, …
const char* to_string(ComparedRequest::Change change);

/// Whether the two answers differ in decision, layer or status.
bool decides_otherwise(ComparedRequest::Change change);

/// A rule that is in force on one side only, or words its refusal differently.
struct RuleChange {
  std::string id;
  std::string statement;
  std::string effect;            ///< grant or restriction
  std::string in_force;          ///< all of its history, in one line
  std::vector<std::string> why;  ///< `feature gate X: off in A, on in B`; empty if the version alone decides
  std::string text_a;            ///< the refusal's text
  std::string text_b;
  std::string hits;  ///< whom it affects: node, kubelet, pod, certificate or role
};

/// The differences between two targets or two releases. The first is before, the second after.
struct Comparison {
  struct Side {
    std::string name;     ///< the target, or `Kubernetes 1.32.5`
    std::string version;  ///< as observed
    std::string release;  ///< by whose rules it is judged
    std::vector<std::string> feature_gates;
    std::size_t rules_in_force = 0;
    std::vector<std::string> notes;  ///< notes for the reader
  };

  Side a;
  Side b;
  /// Compares two releases: differences are information. With two targets, differences mean that they do not behave
  /// alike.
  bool releases = false;

  std::vector<RuleChange> rules_in;
  std::vector<RuleChange> rules_out;
  std::vector<RuleChange> rules_reworded;

  std::size_t same = 0;           ///< requests that both answered alike
  std::size_t asked_nowhere = 0;  ///< checks that neither side was asked
  std::vector<ComparedRequest> changed;

  [[nodiscard]] std::size_t count(ComparedRequest::Change change) const;
  /// Requests whose answers differ in decision, layer or status.
  [[nodiscard]] std::size_t different() const;
  /// Requests that were sent to both sides.
  [[nodiscard]] std::size_t asked_of_both() const;
};

/// Compares the answers in two reports, check by check, ignoring expectations. A check in only one report counts as
/// asked there only.
Comparison compare_answers(const Report& a, const Report& b);

/// 0 alike, or two releases · 1 two targets differ in a decision, layer or status · 3 nothing is conclusive, or with
/// two targets not everything · 4 no request was sent to both.
int exit_code(const Comparison& comparison);

}  // namespace nodebound
