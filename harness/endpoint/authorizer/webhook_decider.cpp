#include "harness/endpoint/authorizer/webhook_decider.h"

#include <thread>
#include <utility>

#include "fakes/apiserver/review/access_question.h"
#include "fakes/wire/go/json.h"
#include "fakes/wire/go/response_error.h"
#include "harness/endpoint/signals.h"
#include "reference/cluster/object.h"

namespace nodebound {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using Opinion = AccessAnswer::Opinion;

/// Different questions in a row that may get an error each: who answers nothing else would take a run of hours.
constexpr std::size_t most_failures = 10;
/// No review is longer; client-go itself has no limit.
constexpr std::size_t longest_answer = std::size_t{64} * 1024;

bool is_success(int status) {
  return status >= 200 && status <= 206;
}

/// What is wrong with the body of an answer, beyond what read_access_review() finds.
std::string mistake_in(const std::string& body) {
  const auto review = read_json(body);
  if (!review || !review->is_object()) return "is not a JSON object";
  if (text(*review, "kind") != "SubjectAccessReview") return "is no SubjectAccessReview, by its kind";
  if (!text(*review, "apiVersion").starts_with("authorization.k8s.io/")) {
    return "is no SubjectAccessReview, by its apiVersion";
  }
  if (!member(*review, "status", "allowed").is_boolean()) return "says nothing of status.allowed";
  return {};
}

AccessAnswer answer_from(const WebhookAnswer& answer) {
  // staging/src/k8s.io/apiserver/plugin/pkg/authorizer/webhook/webhook.go
  if (answer.allowed && answer.denied) return {Opinion::error, "it answers both allowed and denied"};
  if (answer.denied) return {Opinion::deny, answer.reason};
  return {answer.allowed ? Opinion::allow : Opinion::no_opinion, answer.reason};
}

/// Whether a webhook that is starting may fail so.
bool may_be_starting(const webhook::WebhookFailure& failure) {
  using Kind = webhook::WebhookFailure::Kind;
  return failure.kind == Kind::not_reached || failure.kind == Kind::reset || failure.kind == Kind::closed ||
         failure.kind == Kind::timeout;
}

constexpr const char* first_question =
    R"({"user":"system:node:nodebound","groups":["system:nodes"],)"
    R"("resourceAttributes":{"verb":"get","resource":"secrets","namespace":"nodebound","name":"none"}})";

}  // namespace

Result<std::unique_ptr<WebhookDecider>> WebhookDecider::open(webhook::WebhookAddress address, const Release& release,
                                                             const Options& options) {
  webhook::WebhookConnection::Options limits;
  limits.time = options.patience;
  limits.most_body_bytes = longest_answer;
  auto connection = webhook::WebhookConnection::open(std::move(address), limits);
  if (!connection) return tl::unexpected<Error>(connection.error());
  return std::unique_ptr<WebhookDecider>(new WebhookDecider(std::move(*connection), release, options));
}

std::string WebhookDecider::review_of(const std::string& spec) const {
  const apiserver::AccessQuestion question = apiserver::access_question(Object::parse(spec, nullptr, false));
  return access_review(question.subject, question.attributes, options_.version, release_);
}

Result<void> WebhookDecider::await_first_answer(milliseconds time) {
  const std::string review = review_of(first_question);
  const auto until = steady_clock::now() + time;
  for (;;) {
    const auto response = connection_->post(review);
    // A wrong body is found, and said, when it matters.
    if (response && is_success(response->status)) return {};
    const bool again = response ? response->status >= 500 : may_be_starting(response.error());
    const std::string why = response ? error_words(*response) : response.error().text;
    if (interrupted()) return unreachable_error(connection_->url(), interruption());
    if (!again || steady_clock::now() >= until) {
      return unreachable_error(connection_->url(), "does not answer a SubjectAccessReview: " + why,
                               again ? "--webhook-wait allows more time" : "");
    }
    std::this_thread::sleep_for(milliseconds(100));
  }
}

Result<AccessAnswer> WebhookDecider::decide(const std::string& spec) {
  if (auto known = broken()) return tl::unexpected<Error>(std::move(*known));
  const auto response = connection_->post(review_of(spec));
  if (!response) {
    const bool late = response.error().kind == webhook::WebhookFailure::Kind::timeout;
    return break_off("has not answered: " + response.error().text, late ? "--request-timeout allows more" : "");
  }
  if (!is_success(response->status)) return failed(spec, error_words(*response));
  if (const std::string mistake = mistake_in(response->body); !mistake.empty()) {
    return break_off("has answered what " + mistake);
  }
  const auto answer = authorization::read_access_review(response->body);
  if (!answer) return break_off("has answered what is no SubjectAccessReview: " + answer.error());
  const std::lock_guard lock(mutex_);
  failures_ = 0;
  return answer_from(*answer);
}

Result<AccessAnswer> WebhookDecider::failed(const std::string& spec, const std::string& why) {
  {
    const std::lock_guard lock(mutex_);
    if (spec != last_failed_) ++failures_;
    last_failed_ = spec;
    if (failures_ < most_failures) return AccessAnswer{Opinion::error, why};
  }
  return break_off("has answered nothing but errors, " + std::to_string(most_failures) +
                   " times in a row; the last: " + why);
}

Result<AccessAnswer> WebhookDecider::break_off(const std::string& what, const std::string& hint) {
  const std::lock_guard lock(mutex_);
  if (!broken_) broken_ = Error{Error::Kind::unreachable, connection_->url(), what, hint};
  return tl::unexpected<Error>(*broken_);
}

std::optional<Error> WebhookDecider::broken() const {
  const std::lock_guard lock(mutex_);
  return broken_;
}

Result<void> WebhookDecider::finish() {
  if (auto known = broken()) return tl::unexpected<Error>(std::move(*known));
  return {};
}

}  // namespace nodebound
