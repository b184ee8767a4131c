#pragma once

#include <memory>
#include <string>

#include "fakes/apiserver/api_server.h"
#include "harness/endpoint/authorizer/access_decider.h"
#include "harness/endpoint/endpoint.h"
#include "reference/release/rule_set.h"

namespace nodebound {

/// How an authorizer learns of the objects that it decides on.
enum class ObjectsReach {
  at_once,      ///< in order with the questions
  by_watching,  ///< it watches the cluster (watched_cluster.h), and is told nothing
  never,
};

/// The cluster of an authorizer under test: an API server of the reference, which its administrator writes to.
class AuthorizerCluster {
 public:
  /// `rules` must outlive the cluster; `options` must say what is served.
  AuthorizerCluster(const RuleSet& rules, apiserver::ApiServer::Options options);
  ~AuthorizerCluster();
  AuthorizerCluster(const AuthorizerCluster&) = delete;
  AuthorizerCluster& operator=(const AuthorizerCluster&) = delete;

  [[nodiscard]] apiserver::ApiServer& server() { return *server_; }
  [[nodiscard]] const RuleSet& rules() const { return rules_; }

  /// Shows `decider` every change so far and from now on; null: nobody. Until then they are kept.
  void tell(std::shared_ptr<AccessDecider> decider);

 private:
  class Follower;
  const RuleSet& rules_;
  std::shared_ptr<Follower> follower_;
  std::unique_ptr<apiserver::ApiServer> server_;
};

/// The options of the API server of such a cluster.
apiserver::ApiServer::Options options_of_authorizer_cluster(const RuleSet& rules);

/// An authorizer that answers SubjectAccessReviews and nothing else. Its objects are those of `cluster`, where the
/// administrator's requests go.
std::unique_ptr<Endpoint> make_authorizer_endpoint(std::string name, std::shared_ptr<AuthorizerCluster> cluster,
                                                   std::shared_ptr<AccessDecider> decider, ObjectsReach reach);

}  // namespace nodebound
