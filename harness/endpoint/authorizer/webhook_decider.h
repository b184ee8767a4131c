#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "fakes/authorization/access_review.h"
#include "fakes/webhook/webhook_connection.h"
#include "harness/endpoint/authorizer/access_decider.h"

namespace nodebound {

/// An authorization webhook, asked with the SubjectAccessReviews that an API server of a release sends. An answer that
/// is an HTTP error is one question's error. Whatever else is no review, and no answer in time, is a breach: then
/// nothing that the webhook said can be relied on, and nothing more is asked.
class WebhookDecider final : public AccessDecider {
 public:
  struct Options {
    authorization::ReviewVersion version = authorization::ReviewVersion::v1;
    /// For each answer.
    std::chrono::milliseconds patience{60'000};
  };

  /// Connects to nothing yet. `release` must outlive it.
  static Result<std::unique_ptr<WebhookDecider>> open(webhook::WebhookAddress address, const Release& release,
                                                      const Options& options);

  /// Waits until the webhook answers a review. An error if it does not within the time.
  Result<void> await_first_answer(std::chrono::milliseconds time);

  Result<AccessAnswer> decide(const std::string& spec) override;
  [[nodiscard]] std::optional<Error> broken() const override;
  Result<void> finish() override;

 private:
  WebhookDecider(std::unique_ptr<webhook::WebhookConnection> connection, const Release& release, const Options& options)
      : connection_(std::move(connection)), release_(release), options_(options) {}

  [[nodiscard]] std::string review_of(const std::string& spec) const;
  Result<AccessAnswer> break_off(const std::string& what, const std::string& hint = {});
  Result<AccessAnswer> failed(const std::string& spec, const std::string& why);

  const std::unique_ptr<webhook::WebhookConnection> connection_;
  const Release& release_;
  const Options options_;
  mutable std::mutex mutex_;
  std::optional<Error> broken_;
  std::string last_failed_;   ///< the spec
  std::size_t failures_ = 0;  ///< different questions in a row that got errors
};

}  // namespace nodebound
