#pragma once

#include <string>
#include <vector>

#include "reports/run/report.h"

namespace nodebound {

/// Why a check has its verdict: each kind has one verdict and one sentence (reason.cpp). Code asks for the kind; the
/// words are made when a check is reported.
struct Reason {
  enum class Kind {
    met,

    allowed_unduly,
    refused_unduly,
    refused_by_another,  ///< details: the layer that must refuse, its HTTP status
    shows_others,        ///< details: what the answer shows
    wrong_content,       ///< details: the mistakes
    reworded,            ///< details: the required words
    differs,             ///< details: expected and found

    known_defect,  ///< details: statement, issue

    not_asked,           ///< details: why
    withheld,            ///< details: what a guest may not touch, why
    nothing_to_review,   ///< details: what is missing
    another_authorizer,  ///< details: what it says

    undecided,
    unanswered,    ///< details: the error
    no_request,    ///< details: the error
    no_review,     ///< details: the error
    unread_watch,  ///< details: the error
    stopped,       ///< details: the error
  };

  Kind kind = Kind::stopped;
  std::vector<std::string> details;

  /// The target decided the opposite of what the rule requires, which may be a known defect.
  [[nodiscard]] bool is_opposite() const { return kind == Kind::allowed_unduly || kind == Kind::refused_unduly; }
};

Verdict verdict_of(const Reason& reason);

/// The sentence, with the details in it; empty for a pass.
std::string words_of(const Reason& reason);

}  // namespace nodebound
