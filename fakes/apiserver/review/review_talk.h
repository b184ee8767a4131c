#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "reference/authorizer/webhook_authorizer.h"

namespace nodebound::apiserver {

using SharedWebhook = std::shared_ptr<const AuthorizationWebhook>;

/// What authorization webhooks are asked on behalf of one request, and what they have answered.
///
/// Authorizers decide while the server's lock is held, and must not wait then. An answer that is not there yet counts
/// as a denial, nothing comes of it, the webhook is asked without the lock, and the work begins again.
class ReviewTalk {
 public:
  /// Makes this the talk of the current thread, as long as it lives.
  class Turn {
   public:
    explicit Turn(ReviewTalk& talk);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    ReviewTalk* const before_;
  };

  /// The talk of the current thread; null if it may wait.
  static ReviewTalk* current();

  /// The answer, or a denial that stands for one that is missing.
  WebhookAnswer answer(const SharedWebhook& webhook, const Subject& subject, const Attributes& attributes);
  [[nodiscard]] bool waits() const { return !open_.empty(); }
  /// Asks what is missing.
  void ask();

 private:
  struct Question {
    SharedWebhook webhook;
    Subject subject;
    Attributes attributes;
    WebhookAnswer answer;
  };
  std::deque<Question> answered_;
  std::vector<Question> open_;
};

}  // namespace nodebound::apiserver
