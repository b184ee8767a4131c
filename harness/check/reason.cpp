#include "harness/check/reason.h"

#include <array>
#include <string_view>

namespace nodebound {
namespace {

using Kind = Reason::Kind;

struct Meaning {
  Kind kind;
  Verdict verdict;
  std::string_view words;  ///< each {} is a detail
};

constexpr std::array meanings = {
    Meaning{Kind::met, Verdict::pass, ""},
    Meaning{Kind::allowed_unduly, Verdict::fail, "allowed what the rule refuses"},
    Meaning{Kind::refused_unduly, Verdict::fail, "refused what the rule allows"},
    Meaning{Kind::refused_by_another, Verdict::fail, "refused, but not by {} with HTTP {}"},
    Meaning{Kind::shows_others, Verdict::fail, "the answer shows what was not asked for: {}"},
    Meaning{Kind::wrong_content, Verdict::fail, "wrong content: {}"},
    Meaning{Kind::reworded, Verdict::fail, "refused in other words than the release's: {}"},
    Meaning{Kind::differs, Verdict::fail, "{}"},
    Meaning{Kind::known_defect, Verdict::deviation, "{} See {}"},
    Meaning{Kind::not_asked, Verdict::skip, "{}"},
    Meaning{Kind::withheld, Verdict::skip, "{}: {}"},
    Meaning{Kind::nothing_to_review, Verdict::skip, "the review could not be made: {}"},
    Meaning{Kind::another_authorizer, Verdict::skip, "another authorizer's rules cannot be listed: {}"},
    Meaning{Kind::undecided, Verdict::inconclusive, "the answer is neither an allowed nor a refused request"},
    Meaning{Kind::unanswered, Verdict::inconclusive, "no answer: {}"},
    Meaning{Kind::no_request, Verdict::inconclusive, "the request could not be made: {}"},
    Meaning{Kind::no_review, Verdict::inconclusive, "the review could not be made: {}"},
    Meaning{Kind::unread_watch, Verdict::inconclusive, "the watch is allowed, but its events could not be read: {}"},
    Meaning{Kind::stopped, Verdict::inconclusive, "{}"},
};

constexpr bool in_the_order_of_kinds() {
  for (std::size_t i = 0; i < meanings.size(); ++i) {
    if (meanings[i].kind != static_cast<Kind>(i)) return false;
  }
  return meanings.back().kind == Kind::stopped;
}
static_assert(in_the_order_of_kinds());

const Meaning& meaning_of(const Reason& reason) {
  return meanings[static_cast<std::size_t>(reason.kind)];
}

}  // namespace

Verdict verdict_of(const Reason& reason) {
  return meaning_of(reason).verdict;
}

std::string words_of(const Reason& reason) {
  std::string out;
  std::string_view rest = meaning_of(reason).words;
  for (const std::string& detail : reason.details) {
    const std::size_t at = rest.find("{}");
    if (at == std::string_view::npos) break;
    out.append(rest.substr(0, at)).append(detail);
    rest.remove_prefix(at + 2);
  }
  return out.append(rest.substr(0, rest.find("{}")));
}

}  // namespace nodebound
