#include "harness/run/judge.h"

#include <algorithm>

#include "reference/cluster/object.h"

namespace nodebound {
namespace {

std::string message_of(const HttpResponse& response) {
  const Object body = Object::parse(response.body, nullptr, false);
  if (!body.is_discarded() && body.is_object()) {
    const std::string_view message = text(body, "message");
    if (!message.empty()) return std::string(message);
  }
  return response.status >= 400 ? response.body.substr(0, 500) : std::string();
}

// A successful review answers yes or no in `field` of its status, and why in `reason`. Any other answer is
// inconclusive.
Answer review_that_says(const HttpResponse& response, const char* field, bool allowed, const char* reason) {
  Answer answer;
  answer.status = response.status;
  answer.review = true;
  const Object body = Object::parse(response.body, nullptr, false);
  const Object& said = member(body, "status", field);
  if (response.status != 201 || !said.is_boolean()) {
    answer.message = message_of(response);
    return answer;
  }
  answer.kind = said.get<bool>() == allowed ? Answer::Kind::allowed : Answer::Kind::refused;
  if (answer.kind == Answer::Kind::refused) answer.layer = Layer::authorizer;
  answer.message = text(body, "status", reason);
  return answer;
}

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

}  // namespace

std::string Expectation::describe(const Catalogue& catalogue) const {
  const std::string& id = catalogue[rule].id;
  if (allow) return "allow: " + id;
  const std::string code =
      status == 403 || status == 422 || status == 401 ? "" : " with status " + std::to_string(status);
  return "deny by " + std::string(to_string(layer)) + code + ": " + id;
}

Answer read_answer(const HttpResponse& response) {
  Answer answer;
  answer.status = response.status;
  answer.message = message_of(response);
  if (response.status >= 200 && response.status < 300) {
    answer.kind = Answer::Kind::allowed;
  } else if (response.status == 401) {
    answer.kind = Answer::Kind::refused;
    answer.layer = Layer::authentication;
  } else if (response.status == 403) {
    answer.kind = Answer::Kind::refused;
    const bool authorizer = answer.message.find("forbidden: User \"") != std::string::npos &&
                            answer.message.find("\" cannot ") != std::string::npos;
    answer.layer = authorizer ? Layer::authorizer : Layer::admission;
  } else if (response.status == 422) {
    answer.kind = Answer::Kind::refused;
    answer.layer = Layer::validation;
  }
  return answer;
}

Answer read_review(const HttpResponse& response) {
  return review_that_says(response, "allowed", true, "reason");
}

Answer read_rules_review(const HttpResponse& response) {
  Answer answer = review_that_says(response, "incomplete", false, "evaluationError");
  answer.of_rules = true;
  std::string& message = answer.message;
  if (answer.kind == Answer::Kind::unclear || !message.starts_with('[') || !message.ends_with(']')) return answer;
  message = message.substr(1, message.size() - 2);
  for (std::size_t at = 0; (at = message.find(", ", at)) != std::string::npos;) message.replace(at, 2, "\n");
  return answer;
}

void judge_contents(ContentMistakes mistakes, Judgement& judgement) {
  if (mistakes.empty()) return;
  constexpr std::size_t most_named = 3;
  const std::vector<std::string>& named = mistakes.leaked.empty() ? mistakes.others : mistakes.leaked;
  judgement.verdict = Verdict::fail;
  judgement.why = mistakes.leaked.empty() ? "wrong content: " : "the answer shows what was not asked for: ";
  for (std::size_t i = 0; i < std::min(named.size(), most_named); ++i) {
    judgement.why += (i == 0 ? "" : ", ") + named[i];
  }
  if (named.size() > most_named) judgement.why += " and " + std::to_string(named.size() - most_named) + " more";
  judgement.leaked = std::move(mistakes.leaked);
}

Judgement judge(const Answer& answer, const Expectation& expectation) {
  Judgement judgement;
  const bool compared = expectation.text != nullptr && !expectation.text->empty() && !expectation.allow;
  const bool text_matches = compared && says(answer, expectation);
  const std::string status = " (HTTP " + std::to_string(answer.status) + ")";
  if (answer.kind == Answer::Kind::allowed) {
    judgement.decision = "allowed";
    judgement.observed = "allowed" + status;
  } else if (answer.kind == Answer::Kind::refused) {
    judgement.decision = "refused";
    judgement.layer = to_string(*answer.layer);
    judgement.observed = "refused by " + judgement.layer + status;
  } else {
    judgement.observed = "no decision" + status;
  }
  const bool own_status = expectation.status != 401 && expectation.status != 403 && expectation.status != 422;
  if (!expectation.allow && own_status && answer.status == expectation.status && text_matches) {
    judgement.verdict = Verdict::pass;
    judgement.decision = "refused";
    judgement.layer = to_string(expectation.layer);
    judgement.observed = "refused as the rule says" + status;
    judgement.reason_match = true;
    return judgement;
  }
  if (answer.kind == Answer::Kind::unclear) {
    judgement.why = "the answer is neither an allowed nor a refused request";
    return judgement;
  }
  const bool allowed = answer.kind == Answer::Kind::allowed;
  const bool blames = answer.of_rules && !allowed && !answer.message.empty();
  if (expectation.allow && blames && expectation.text != nullptr && !authorizer_says(answer, expectation)) {
    judgement.verdict = Verdict::skip;
    judgement.why = "another authorizer's rules cannot be listed: " + answer.message;
    return judgement;
  }
  if (allowed != expectation.allow) {
    judgement.verdict = Verdict::fail;
    judgement.why = allowed ? "allowed what the rule refuses" : "refused what the rule allows";
    return judgement;
  }
  const bool own_refusal = answer.layer == expectation.layer && (answer.review || answer.status == expectation.status);
  if (!allowed && !own_refusal) {
    judgement.verdict = Verdict::fail;
    judgement.why = "refused, but not by " + std::string(to_string(expectation.layer)) + " with HTTP " +
                    std::to_string(expectation.status);
    return judgement;
  }
  judgement.verdict = Verdict::pass;
  if (compared) judgement.reason_match = text_matches;
  return judgement;
}

}  // namespace nodebound
