#include "harness/check/judge.h"

#include <algorithm>

namespace nodebound {
namespace {

// The authorizers' reason: a review has it alone; a refusal has it after who may not do what, and where.
std::string_view reason_of(const Answer& answer) {
  std::string_view message = answer.message;
  if (answer.review) return message;
  const std::size_t verb = message.find("\" cannot ");
  if (verb == std::string_view::npos) return {};
  message.remove_prefix(verb);
  for (const std::string_view where : {" at the cluster scope", " in the namespace \"", " path \""}) {
    const std::size_t at = message.find(where);
    if (at == std::string_view::npos) continue;
    message.remove_prefix(at + where.size());
    const std::size_t quote = where.ends_with('"') ? message.find('"') + 1 : 0;
    return message.substr(std::min(message.size(), quote + std::string_view(": ").size()));
  }
  return {};
}

// Each authorizer with a reason has a line of its own.
bool authorizer_says(const Answer& answer, const Expectation& expectation) {
  for (std::string_view rest = reason_of(answer); !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (!line.starts_with(expectation.speaker)) continue;
    line.remove_prefix(expectation.speaker.size());
    if (expectation.text->is(line, expectation.known)) return true;
  }
  return false;
}

bool says(const Answer& answer, const Expectation& expectation) {
  if (answer.layer == Layer::authorizer && expectation.layer == Layer::authorizer) {
    return authorizer_says(answer, expectation);
  }
  if (expectation.text->ends(answer.message, expectation.known)) return true;
  // Validation lists everything that it finds, and closes a list of several with a bracket.
  if (answer.status != 422) return false;
  std::string_view rest = answer.message;
  while (!rest.empty()) {
    if (expectation.text->ends(rest, expectation.known)) return true;
    const std::size_t comma = rest.rfind(", ");
    if (rest.ends_with(']')) {
      rest.remove_suffix(1);
    } else if (comma == std::string_view::npos) {
      return false;
    } else {
      rest = rest.substr(0, comma);
    }
  }
  return false;
}

bool is_as_required(const Answer& answer, const Expectation& expectation) {
  if (answer.kind == Answer::Kind::allowed) return true;
  return answer.layer == expectation.layer && (answer.review || answer.status == expectation.status);
}

Reason reason_for(const Answer& answer, const Expectation& expectation) {
  if (answer.kind == Answer::Kind::unclear) return {Reason::Kind::undecided, {}};
  const bool allowed = answer.kind == Answer::Kind::allowed;
  const bool blames = answer.of_rules && !allowed && !answer.message.empty();
  if (expectation.allow && blames && expectation.text != nullptr && !authorizer_says(answer, expectation)) {
    return {Reason::Kind::another_authorizer, {answer.message}};
  }
  if (allowed != expectation.allow) {
    return {allowed ? Reason::Kind::allowed_unduly : Reason::Kind::refused_unduly, {}};
  }
  if (!is_as_required(answer, expectation)) {
    return {Reason::Kind::refused_by_another,
            {std::string(to_string(expectation.layer)), std::to_string(expectation.status)}};
  }
  return {Reason::Kind::met, {}};
}

// A rule may refuse with a status that otherwise decides nothing.
bool refuses_by_own_status(const Answer& answer, const Expectation& expectation) {
  const int status = expectation.status;
  const bool usual = status == 401 || status == 403 || status == 422;
  return !expectation.allow && !usual && answer.status == status;
}

}  // namespace

std::string Expectation::describe(const Catalogue& catalogue) const {
  const std::string& id = catalogue[rule].id;
  if (allow) return "allow: " + id;
  const std::string code =
      status == 403 || status == 422 || status == 401 ? "" : " with status " + std::to_string(status);
  return "deny by " + std::string(to_string(layer)) + code + ": " + id;
}

void judge_contents(ContentMistakes mistakes, Judgement& judgement) {
  if (mistakes.empty()) return;
  constexpr std::size_t most_named = 3;
  const std::vector<std::string>& all = mistakes.leaked.empty() ? mistakes.others : mistakes.leaked;
  std::string named;
  for (std::size_t i = 0; i < std::min(all.size(), most_named); ++i) named += (i == 0 ? "" : ", ") + all[i];
  if (all.size() > most_named) named += " and " + std::to_string(all.size() - most_named) + " more";
  const auto kind = mistakes.leaked.empty() ? Reason::Kind::wrong_content : Reason::Kind::shows_others;
  judgement.reason = {kind, {std::move(named)}};
  judgement.leaked = std::move(mistakes.leaked);
}

Judgement judge(const Answer& answer, const Expectation& expectation) {
  const bool compared = expectation.text != nullptr && !expectation.text->empty() && !expectation.allow;
  const bool text_matches = compared && says(answer, expectation);
  if (text_matches && refuses_by_own_status(answer, expectation)) {
    const std::string observed = "refused as the rule says (HTTP " + std::to_string(answer.status) + ")";
    return {{Reason::Kind::met, {}}, observed, Answer::Kind::refused, expectation.layer, true, {}};
  }
  Judgement judgement{reason_for(answer, expectation), to_text(answer), answer.kind, answer.layer, {}, {}};
  if (judgement.verdict() == Verdict::pass && compared) judgement.reason_match = text_matches;
  return judgement;
}

}  // namespace nodebound
