#include "fakes/apiserver/webhooks/webhook_talk.h"

#include <algorithm>
#include <functional>
#include <future>
#include <utility>

namespace nodebound {
namespace {

WebhookTalk::Answer asked(const AskAdmissionWebhook& ask, const WebhookTalk::Question& question,
                          const std::string& uid) {
  Object review = question.review;
  review["request"]["uid"] = uid;
  WebhookRequest request = question.request;
  request.body = review.dump(-1, ' ', false, Object::error_handler_t::replace);
  const auto body = ask(request);
  if (!body) return tl::unexpected("failed to call webhook: " + body.error());
  return read_admission_answer(*body, question.version, uid, question.kind);
}

}  // namespace

void WebhookTalk::begin() {
  open_.clear();
  warnings_.clear();
  annotations_.clear();
}

const WebhookTalk::Answer* WebhookTalk::answer_to(Question question) {
  const auto same = [&](const Asked& one) {
    return one.question.webhook == question.webhook && one.question.review == question.review;
  };
  const auto found = std::find_if(answered_.begin(), answered_.end(), same);
  if (found != answered_.end()) return &found->answer;
  open_.push_back(std::move(question));
  return nullptr;
}

void WebhookTalk::ask(const AdmissionWebhooks& webhooks) {
  std::vector<std::future<Answer>> coming;
  for (std::size_t i = 1; i < open_.size(); ++i) {
    coming.push_back(
        std::async(std::launch::async, asked, std::cref(webhooks.ask), std::cref(open_[i]), webhooks.uid()));
  }
  std::vector<Answer> answers = {asked(webhooks.ask, open_.front(), webhooks.uid())};
  for (std::future<Answer>& answer : coming) answers.push_back(answer.get());
  for (std::size_t i = 0; i < open_.size(); ++i) answered_.push_back({std::move(open_[i]), std::move(answers[i])});
  open_.clear();
}

void WebhookTalk::note(const AdmissionWebhook& webhook, const AdmissionAnswer& answer) {
  warnings_.insert(warnings_.end(), answer.warnings.begin(), answer.warnings.end());
  for (const auto& [key, value] : answer.annotations) annotate(webhook.name() + "/" + key, value);
}

void WebhookTalk::add_to(HttpResponse& response) const {
  response.warnings.insert(response.warnings.end(), warnings_.begin(), warnings_.end());
  response.annotations.insert(annotations_.begin(), annotations_.end());
}

}  // namespace nodebound
