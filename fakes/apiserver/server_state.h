#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "fakes/apiserver/api_server.h"
#include "fakes/apiserver/openapi/documents.h"
#include "fakes/apiserver/policies/compilations.h"
#include "fakes/apiserver/policies/match_conditions.h"
#include "fakes/apiserver/watch/watches_due.h"
#include "fakes/apiserver/write/defaults.h"
#include "fakes/apiserver/write/write_context.h"
#include "fakes/store/store.h"
#include "reference/admission/admission.h"
#include "reference/authorizer/authorizer_chain.h"
#include "reference/cel/admission/policy_expressions.h"

namespace nodebound::apiserver {

struct Call;

/// What the handlers of requests share. The ApiServer's lock guards it.
struct ServerState {
  ServerState(const RuleSet& rules, const ApiServer::Options& options);

  const RuleSet& rules;
  const ApiServer::Options options;
  const Defaults defaults;
  mutable Compilations<CompiledConditions> conditions;
  mutable Compilations<cel::PolicyExpressions> policies;
  Store store;
  /// When the store is compacted next, and up to which version.
  std::optional<std::chrono::system_clock::time_point> compacts_at;
  std::uint64_t compacts_to = 0;
  WatchesDue watches_due;
  const std::shared_ptr<AccessControl> access_control;
  // Plugins refer to the chain and the chain to its authorizers, so they are destroyed in the reverse order.
  std::vector<std::unique_ptr<Authorizer>> authorizers;
  std::unique_ptr<AuthorizerChain> chain;
  std::vector<std::unique_ptr<AdmissionPlugin>> plugins;

  [[nodiscard]] std::string now() const;

  /// What is served now; custom resources come and go with their definitions. Needs no lock.
  struct Served {
    std::shared_ptr<const ApiResources> resources;
    std::shared_ptr<OpenApiDocuments> openapi;
  };
  [[nodiscard]] Served served() const;
  /// Serves what the definitions in the store define; to be called after each change of the store.
  void serve_custom_resources();

  /// The authorizers in their order, which may change while the server runs, and the webhooks among them.
  std::vector<AuthorizationMode> authorization_modes;
  std::vector<std::shared_ptr<const AuthorizationWebhook>> authorization_webhooks;
  /// Makes authorizers and admission use this cluster from now on.
  void decide_on(const Cluster& cluster);

  [[nodiscard]] WriteContext write_context(const Call& call) const;

  /// The version that a read is answered from: a fault may set it back, but not before `oldest`.
  [[nodiscard]] std::uint64_t read_version(const Call& call, std::uint64_t oldest) const;

 private:
  const std::shared_ptr<const ApiResources> own_resources_;
  std::vector<std::string> definitions_;
  mutable std::mutex serving_;  ///< guards `served_`
  Served served_;
};

/// An object in the form that the client accepts.
HttpResponse answer_object(const ServerState& server, const Call& call, int status, const Object& object);
HttpResponse answer_object(const ServerState& server, const Call& call, int status, const KeptObject& object);

}  // namespace nodebound::apiserver
