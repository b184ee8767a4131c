#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "fakes/apiserver/http.h"
#include "reference/kubelet/filter.h"
#include "reference/kubelet/reviews.h"

namespace nodebound {

/// What carries reviews to an API server. Thread-safe.
class ReviewTransport {
 public:
  struct Reply {
    HttpResponse response;  ///< status 0 without an answer
    bool reset = false;     ///< the connection was, before one came
  };

  virtual ~ReviewTransport() = default;
  virtual Reply post(const HttpRequest& request) = 0;
};

/// The reviews of a kubelet: TokenReviews and SubjectAccessReviews, sent as often as a kubelet of the release sends
/// them, and remembered as long. Thread-safe.
class ReviewClient final : public Reviewer {
 public:
  struct Options {
    std::string content_type = "application/vnd.kubernetes.protobuf";
    std::function<std::int64_t()> clock;      ///< milliseconds
    std::function<void(std::int64_t)> sleep;  ///< milliseconds
    std::function<double()> chance;           ///< from 0 to below 1: what is added to delays
  };

  /// The rules and the transport must outlive it.
  ReviewClient(const RuleSet& rules, const KubeletSettings& settings, ReviewTransport& transport, Options options);

  std::optional<TokenVerdict> review_token(const std::string& token) override;
  std::optional<AccessVerdict> review_access(const Subject& subject, const Attributes& attributes) override;

 private:
  using Flight = std::shared_future<std::optional<TokenVerdict>>;

  std::optional<TokenVerdict> ask_for_token(const std::string& token);
  /// `status` of the answer to a review; nothing where none came of it.
  std::optional<Object> send(const std::string& group, const std::string& kind, const Object& spec);
  /// One attempt, which client-go makes several requests of where it is told to come back.
  ReviewTransport::Reply attempt(const HttpRequest& request);

  const RuleSet& rules_;
  ReviewTransport& transport_;
  Options options_;
  std::mutex mutex_;
  ReviewCache cache_;
  std::map<std::string, Flight> flights_;  ///< by token
};

}  // namespace nodebound
