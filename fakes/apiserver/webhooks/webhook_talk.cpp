#include "fakes/apiserver/webhooks/webhook_talk.h"

#include <functional>
#include <future>
#include <utility>

namespace nodebound::apiserver {
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

std::string key_of(const WebhookTalk::Question& question) {
  return question.webhook + "\n" + question.review.dump(-1, ' ', false, Object::error_handler_t::replace);
}

}  // namespace

void WebhookTalk::begin() {
  open_.clear();
}

const WebhookTalk::Answer* WebhookTalk::answer_to(Question question) {
  const auto found = answered_.find(key_of(question));
  if (found != answered_.end()) return &found->second;
  open_.push_back(std::move(question));
  return nullptr;
}

void WebhookTalk::ask(const AdmissionWebhooks& webhooks) {
  // The rest follows in the next round.
  constexpr std::size_t most_at_a_time = 32;
  if (open_.size() > most_at_a_time) open_.erase(open_.begin() + most_at_a_time, open_.end());
  std::vector<std::future<Answer>> coming;
  for (std::size_t i = 1; i < open_.size(); ++i) {
    coming.push_back(
        std::async(std::launch::async, asked, std::cref(webhooks.ask), std::cref(open_[i]), webhooks.uid()));
  }
  answered_.emplace(key_of(open_.front()), asked(webhooks.ask, open_.front(), webhooks.uid()));
  for (std::size_t i = 1; i < open_.size(); ++i) answered_.emplace(key_of(open_[i]), coming[i - 1].get());
  open_.clear();
}

}  // namespace nodebound::apiserver
