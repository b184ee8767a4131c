#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "fakes/wire/http.h"
#include "reference/kubelet/filter.h"
#include "reference/kubelet/reviews.h"

namespace nodebound::kubelet_api {

/// Sends reviews to an API server. Thread-safe.
class ReviewTransport {
 public:
  struct Reply {
    HttpResponse response;  ///< status 0: no answer
    bool reset = false;     ///< the connection was reset before an answer came
  };

  virtual ~ReviewTransport() = default;
  virtual Reply post(const HttpRequest& request) = 0;
};

/// A kubelet's TokenReviews and SubjectAccessReviews, retried and cached as by a kubelet of the release. Thread-safe.
class ReviewClient final : public Reviewer {
 public:
  struct Options {
    std::string content_type = "application/vnd.kubernetes.protobuf";
    std::function<std::int64_t()> clock;      ///< milliseconds
    std::function<void(std::int64_t)> sleep;  ///< milliseconds
    std::function<double()> chance;           ///< from 0 to below 1: adds jitter to delays
  };

  /// The rules and the transport must outlive it.
  ReviewClient(const RuleSet& rules, const KubeletSettings& settings, ReviewTransport& transport, Options options);

  std::optional<TokenVerdict> review_token(const std::string& token) override;
  std::optional<AccessVerdict> review_access(const Subject& subject, const Attributes& attributes) override;

 private:
  using Flight = std::shared_future<std::optional<TokenVerdict>>;

  std::optional<TokenVerdict> ask_for_token(const std::string& token);
  /// The `status` of a review; nothing if the review failed.
  std::optional<Object> send(const std::string& group, const std::string& kind, const Object& spec);
  /// One attempt; within it, client-go sends the request again if the server answers with Retry-After.
  ReviewTransport::Reply attempt(const HttpRequest& request);

  const RuleSet& rules_;
  ReviewTransport& transport_;
  Options options_;
  std::mutex mutex_;
  ReviewCache cache_;
  std::map<std::string, Flight> flights_;  ///< by token
};

}  // namespace nodebound::kubelet_api
