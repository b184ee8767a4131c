#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "fakes/http/server.h"
#include "harness/endpoint/pki.h"
#include "harness/kubelet/kubelet_scenario.h"
#include "reference/result.h"

namespace nodebound {

/// Access reviews: `get pods`; `*` stands for any verb or subresource.
using ReviewNames = std::set<std::string>;

bool covers(const ReviewNames& reviews, std::string_view verb, std::string_view subresource);

/// The API server of a kubelet under test, as far as reviews go: it says what it is told to, and counts.
class ReviewServer final : public HttpHandler {
 public:
  /// What it says of one user: all that is not named here is neither allowed nor denied.
  struct Says {
    ReviewNames grants;
    ReviewNames denies;
    std::map<std::string, int> fails;  ///< HTTP status
  };
  /// What it was asked.
  struct Asked {
    std::vector<std::string> access;  ///< `get pods`, in the order in which they came
    std::vector<std::string> tokens;
    std::vector<std::string> mistakes;  ///< reviews that are not as a kubelet's should be
  };

  /// Listens on 127.0.0.1; a port of 0 picks one. Reviews are to be about the Node of that name, or where it is empty
  /// all about one.
  static Result<std::unique_ptr<ReviewServer>> start(const CertificateAuthority& authority, std::uint16_t port,
                                                     std::string node);

  [[nodiscard]] std::uint16_t port() const { return server_->port(); }

  void say(const std::string& user, Says says);
  void say_of_token(const std::string& token, ReviewedToken reviewed);
  /// What was asked since the last time.
  Asked take();

  HttpResponse handle(const IncomingRequest& request) override;

 private:
  explicit ReviewServer(std::string node) : node_(std::move(node)) {}

  HttpResponse review_access(const Object& spec);
  HttpResponse review_token(const Object& spec);

  std::string node_;
  std::mutex mutex_;
  std::map<std::string, Says> says_;
  std::map<std::string, ReviewedToken> tokens_;
  Asked asked_;
  std::unique_ptr<HttpsServer> server_;
};

}  // namespace nodebound
