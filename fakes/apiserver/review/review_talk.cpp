#include "fakes/apiserver/review/review_talk.h"

#include <algorithm>
#include <utility>

namespace nodebound::apiserver {
namespace {

thread_local ReviewTalk* talk_of_thread = nullptr;

}  // namespace

ReviewTalk::Turn::Turn(ReviewTalk& talk) : before_(std::exchange(talk_of_thread, &talk)) {}

ReviewTalk::Turn::~Turn() {
  talk_of_thread = before_;
}

ReviewTalk* ReviewTalk::current() {
  return talk_of_thread;
}

WebhookAnswer ReviewTalk::answer(const SharedWebhook& webhook, const Subject& subject, const Attributes& attributes) {
  const auto found = std::find_if(answered_.begin(), answered_.end(), [&](const Question& one) {
    return one.webhook == webhook && one.subject == subject && one.attributes == attributes;
  });
  if (found != answered_.end()) return found->answer;
  open_.push_back({webhook, subject, attributes, {}});
  WebhookAnswer out;
  out.denied = true;
  return out;
}

void ReviewTalk::ask() {
  for (Question& question : open_) {
    question.answer = question.webhook->ask(question.subject, question.attributes);
    answered_.push_back(std::move(question));
  }
  open_.clear();
}

}  // namespace nodebound::apiserver
