#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "fakes/http/server.h"
#include "fakes/wire/certificates/pki.h"
#include "fakes/wire/protobuf/protobuf.h"
#include "harness/kubelet/kubelet_scenario.h"
#include "reference/release/rule_set.h"
#include "reference/result.h"

namespace nodebound::kubelet_conformance {

/// Grants of access reviews: `get pods`; `*` stands for any verb or subresource.
using ReviewNames = std::set<std::string>;

bool covers(const ReviewNames& reviews, std::string_view verb, std::string_view subresource);

/// The API server of a kubelet under test, for reviews only. It answers as told, counts the reviews, and notes what a
/// kubelet of the release would not have sent.
class ReviewServer final : public HttpHandler {
 public:
  /// The answers about one user. Access that is not named is neither allowed nor denied.
  struct Says {
    Subject who;  ///< as a kubelet should name them
    Rule known_by = Rule::kubelet_authentication;
    ReviewNames grants;
    ReviewNames denies;
    std::map<std::string, std::vector<std::string>> group_grants;  ///< by group
    std::map<std::string, FailedReview> fails;
  };
  struct Mistake {
    Rule rule;  ///< the rule that the review breaks
    std::string what;
  };
  /// The reviews that were received.
  struct Asked {
    std::vector<std::string> access;  ///< `get pods`, in order of arrival
    std::vector<std::string> tokens;
    std::vector<Mistake> mistakes;
  };

  /// Listens on 127.0.0.1; port 0 picks one. Reviews must concern the Node of that name, or if it is empty, all the
  /// same Node.
  static Result<std::unique_ptr<ReviewServer>> start(const CertificateAuthority& authority, std::uint16_t port,
                                                     std::string node);

  [[nodiscard]] std::uint16_t port() const { return server_->port(); }

  /// Expects the reviews of a kubelet with these rules. They must outlive it, or the next such call.
  void expect(const RuleSet& rules);
  void say(Says says);
  void say_of_token(const std::string& token, ReviewedToken reviewed);
  /// A token with this prefix belongs to the user who is named like the token. Each of these users has all `grants`.
  void say_of_crowd(const std::string& prefix, ReviewNames grants);
  /// The reviews since the last call.
  Asked take();

  HttpResponse handle(const IncomingRequest& request) override;

 private:
  explicit ReviewServer(std::string node) : node_(std::move(node)) {}

  HttpResponse review_access(const Object& spec);
  HttpResponse review_token(const Object& spec, std::unique_lock<std::mutex>& lock);
  [[nodiscard]] ReviewedToken reviewed(const std::string& token) const;
  void check_version(const GroupVersionKind& kind, const Object& review);
  void check_attributes(const Object& asked);
  void check_subject(const Object& spec, const Says& says);
  void mistake(Rule rule, const std::string& what);
  [[nodiscard]] bool in_force(Rule rule) const { return rules_ != nullptr && rules_->in_force(rule); }
  [[nodiscard]] bool is_of_crowd(const std::string& name) const { return !crowd_.empty() && name.starts_with(crowd_); }

  std::string node_;
  std::mutex mutex_;
  std::condition_variable came_;
  const RuleSet* rules_ = nullptr;
  std::map<std::string, Says> says_;
  std::map<std::string, ReviewedToken> tokens_;
  std::string crowd_;
  ReviewNames crowd_grants_;
  Asked asked_;
  std::unique_ptr<HttpsServer> server_;
};

}  // namespace nodebound::kubelet_conformance
