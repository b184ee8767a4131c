#pragma once

#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "fakes/authorization/access_review.h"
#include "fakes/webhook/webhook_connection.h"

namespace nodebound::authorization {

/// The answers of a webhook for as long as they may be used again, the last used ones. Thread-safe.
class AnswerCache {
 public:
  using Clock = std::chrono::steady_clock;

  explicit AnswerCache(std::size_t most = 8192) : most_(most) {}

  [[nodiscard]] std::optional<WebhookAnswer> find(const std::string& question, Clock::time_point now);
  void add(const std::string& question, WebhookAnswer answer, Clock::time_point until);

 private:
  struct Entry {
    std::string question;
    WebhookAnswer answer;
    Clock::time_point until;
  };
  const std::size_t most_;
  std::mutex mutex_;
  std::list<Entry> entries_;  ///< the last used first
  std::unordered_map<std::string_view, std::list<Entry>::iterator> by_question_;
};

/// An authorization webhook, as kube-apiserver asks it: answers are kept for a while, and failures that may pass are
/// tried again.
class AccessReviewWebhook {
 public:
  struct Options {
    ReviewVersion version = ReviewVersion::v1beta1;
    /// How long answers are kept; nothing: not at all.
    std::optional<std::chrono::nanoseconds> authorized_ttl = std::chrono::minutes(5);
    std::optional<std::chrono::nanoseconds> unauthorized_ttl = std::chrono::seconds(30);
    /// Waits before another try; null: sleeps.
    std::function<void(std::chrono::milliseconds)> wait = nullptr;
  };

  /// `post` sends a review and gives the answer. `release` must outlive the webhook.
  using Post = std::function<tl::expected<HttpResponse, webhook::WebhookFailure>(std::string_view body)>;
  AccessReviewWebhook(Post post, const Release& release, Options options)
      : post_(std::move(post)), release_(release), options_(std::move(options)) {}

  /// Waits for the answer, unless it is known. Thread-safe.
  WebhookAnswer ask(const Subject& subject, const Attributes& attributes);

 private:
  WebhookAnswer answer_to(const std::string& review);
  void keep(const std::string& key, const Attributes& attributes, const WebhookAnswer& answer);

  const Post post_;
  const Release& release_;
  const Options options_;
  AnswerCache cache_;
};

}  // namespace nodebound::authorization
