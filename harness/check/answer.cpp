#include "harness/check/answer.h"

#include <algorithm>

#include "reference/authorizer/policy.h"
#include "reference/cluster/object.h"
#include "reference/cluster/rbac_objects.h"

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
Answer review_that_says(const HttpResponse& response, const Object& body, const char* field, bool allowed,
                        const char* reason) {
  Answer answer;
  answer.status = response.status;
  answer.review = true;
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

// What a connection that was let past all checks is told if it came without an upgrade (UpgradeAwareHandler in
// apimachinery's pkg/util/proxy).
bool asks_for_upgrade(const Answer& answer) {
  return answer.status == 400 && answer.message == "Upgrade request required";
}

// The errors of authorizers, which Go lists in brackets if there are several, each on a line of its own.
std::string as_lines(std::string_view errors, std::string_view prefix) {
  if (errors.empty()) return {};
  std::string out(prefix);
  if (!errors.starts_with('[') || !errors.ends_with(']')) return out.append(errors);
  errors = errors.substr(1, errors.size() - 2);
  for (std::size_t at = 0; at < errors.size();) {
    const std::size_t end = std::min(errors.find(", ", at), errors.size());
    out += errors.substr(at, end - at);
    if (end < errors.size()) out.append("\n").append(prefix);
    at = end + 2;
  }
  return out;
}

}  // namespace

Answer read_answer(const HttpResponse& response) {
  Answer answer;
  answer.status = response.status;
  answer.message = message_of(response);
  if (response.status >= 200 && response.status < 300) {
    answer.kind = Answer::Kind::allowed;
  } else if (asks_for_upgrade(answer)) {
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
    // A policy may refuse with the status of validation, and does so unless it says otherwise.
    const bool policy = answer.message.find("is forbidden: ValidatingAdmissionPolicy '") != std::string::npos;
    answer.layer = policy ? Layer::admission : Layer::validation;
  }
  return answer;
}

Answer read_review(const HttpResponse& response) {
  const Object body = Object::parse(response.body, nullptr, false);
  Answer answer = review_that_says(response, body, "allowed", true, "reason");
  if (answer.kind == Answer::Kind::allowed) {
    answer.opinion = AccessOpinion::allow;
  } else if (answer.kind == Answer::Kind::refused) {
    answer.opinion = is_true(body, "status", "denied") ? AccessOpinion::deny : AccessOpinion::no_opinion;
  } else if (answer.status >= 500) {
    answer.opinion = AccessOpinion::error;
  }
  return answer;
}

Answer read_rules_review(const HttpResponse& response) {
  Answer answer =
      review_that_says(response, Object::parse(response.body, nullptr, false), "incomplete", false, "evaluationError");
  answer.of_rules = true;
  if (answer.kind != Answer::Kind::unclear) answer.message = as_lines(answer.message, "");
  return answer;
}

Answer read_listed_rules(const HttpResponse& response, const Attributes& wanted) {
  const Object body = Object::parse(response.body, nullptr, false);
  Answer answer;
  answer.status = response.status;
  answer.review = true;
  const Object& of_resources = member(body, "status", "resourceRules");
  const Object& of_urls = member(body, "status", "nonResourceRules");
  if (response.status != 201 || !of_resources.is_array() || !of_urls.is_array()) {
    answer.message = message_of(response);
    return answer;
  }
  Object all = of_resources;
  for (const Object& rule : of_urls) all.push_back(rule);
  const std::vector<PolicyRule> rules = rules_of_role({{"rules", std::move(all)}});
  const bool listed = std::ranges::any_of(rules, [&](const PolicyRule& rule) { return covers(rule, wanted); });
  answer.kind = listed ? Answer::Kind::allowed : Answer::Kind::refused;
  if (!listed) answer.layer = Layer::authorizer;
  // A refused request has RBAC's name before the same errors.
  answer.message = as_lines(text(body, "status", "evaluationError"), "RBAC: ");
  return answer;
}

std::string to_text(const Answer& answer) {
  const std::string status = answer.status == 0 ? "" : " (HTTP " + std::to_string(answer.status) + ")";
  if (answer.kind == Answer::Kind::allowed) return "allowed" + status;
  if (answer.opinion == AccessOpinion::error) return "an error" + status;
  if (answer.kind == Answer::Kind::unclear) return "no decision" + status;
  const std::string by = answer.layer ? " by " + std::string(to_string(*answer.layer)) : std::string();
  return "refused" + by + status;
}

}  // namespace nodebound
