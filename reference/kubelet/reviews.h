#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "reference/authorizer/attributes.h"
#include "reference/cluster/object.h"
#include "reference/identity/subject.h"
#include "reference/kubelet/settings.h"
#include "reference/release/rule_set.h"

namespace nodebound {

/// The verdict of a TokenReview: the token's user, or nothing, perhaps with an error.
struct TokenVerdict {
  std::optional<Subject> subject;
  std::string error;
};

/// The verdict of a SubjectAccessReview.
struct AccessVerdict {
  bool allowed = false;
  bool denied = false;
};

/// The verdict in a `status` from the API server.
TokenVerdict token_verdict(const Object& status);
AccessVerdict access_verdict(const Object& status);

/// The `spec` of the SubjectAccessReview that a kubelet sends.
Object access_review_spec(const Subject& subject, const Attributes& attributes, const RuleSet& rules);

/// A cache of values with a time to live; it drops the least recently used values first. Times are in milliseconds of a
/// single clock.
template <typename Value>
class ExpiringCache {
 public:
  explicit ExpiringCache(std::size_t capacity) : capacity_(capacity) {}

  std::optional<Value> find(const std::string& key, std::int64_t now) {
    const auto found = entries_.find(key);
    if (found == entries_.end()) return std::nullopt;
    if (now >= found->second->until) {
      order_.erase(found->second);
      entries_.erase(found);
      return std::nullopt;
    }
    order_.splice(order_.begin(), order_, found->second);
    return found->second->value;
  }

  void put(const std::string& key, Value value, std::int64_t until) {
    if (const auto found = entries_.find(key); found != entries_.end()) {
      order_.erase(found->second);
      entries_.erase(found);
    }
    order_.push_front({key, std::move(value), until});
    entries_[key] = order_.begin();
    if (order_.size() <= capacity_) return;
    entries_.erase(order_.back().key);
    order_.pop_back();
  }

 private:
  struct Entry {
    std::string key;
    Value value;
    std::int64_t until;
  };

  std::size_t capacity_;
  std::list<Entry> order_;  ///< most recently used first
  std::map<std::string, typename std::list<Entry>::iterator, std::less<>> entries_;
};

/// A kubelet's cache of reviews. Not thread-safe.
class ReviewCache {
 public:
  ReviewCache(const KubeletSettings& settings, const RuleSet& rules);

  std::optional<TokenVerdict> find_token(const std::string& token, std::int64_t now) {
    return tokens_.find(token, now);
  }
  void put_token(const std::string& token, const TokenVerdict& verdict, std::int64_t now);

  /// `spec` is the review's spec.
  std::optional<AccessVerdict> find_access(const std::string& spec, std::int64_t now) {
    return access_.find(spec, now);
  }
  void put_access(const std::string& spec, const Attributes& attributes, const AccessVerdict& verdict,
                  std::int64_t now);

 private:
  const RuleSet& rules_;
  std::int64_t token_ttl_;
  std::int64_t allowed_ttl_;
  std::int64_t denied_ttl_;
  ExpiringCache<TokenVerdict> tokens_;
  ExpiringCache<AccessVerdict> access_;
};

/// Why a review failed: an error answer of the API server, or no answer.
struct ReviewFailure {
  int status = 0;  ///< HTTP status; 0 without an answer
  bool retry_after = false;
  bool reset = false;  ///< the connection was reset
};

/// How often and when a review is retried (staging/src/k8s.io/apiserver/pkg/util/webhook/webhook.go). Each delay is
/// `factor` times the previous one, plus up to a fifth by chance.
struct ReviewRetries {
  static constexpr int attempts = 5;
  static constexpr std::int64_t first_delay = 500;  ///< milliseconds
  static constexpr double factor = 1.5;
  /// Within each attempt, client-go itself sends a request this often if the answer is 429 or 5xx with Retry-After.
  static constexpr int attempts_of_client = 11;

  static bool again(const ReviewFailure& failure, const RuleSet& rules);
};

}  // namespace nodebound
