#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/apiserver/pipeline/write_queue.h"
#include "fakes/apiserver/review/access_control.h"
#include "fakes/apiserver/review/token_issuer.h"
#include "fakes/apiserver/review/token_reviewer.h"
#include "fakes/apiserver/webhooks/ask_webhook.h"
#include "fakes/store/delayed_cluster.h"
#include "fakes/store/journal.h"
#include "fakes/wire/http.h"
#include "fakes/wire/resources/api_resources.h"
#include "reference/authorizer/attributes.h"
#include "reference/authorizer/authorizer.h"
#include "reference/release/rule_set.h"

namespace nodebound::apiserver {

struct Call;
class FirstObjects;
struct ServerState;

/// The reference as an API server, in process: a request goes through authorization, admission and validation to the
/// store, as in kube-apiserver, and gets the same status codes and messages.
///
/// Thread-safe: reads run side by side, writes one after the other.
class ApiServer {
 public:
  struct Options {
    std::set<std::string> disabled_plugins;      ///< of the plugins that AccessControl makes
    std::set<std::string> enabled_plugins = {};  ///< of those that are off by default
    PlacementSettings placement = {};            ///< for two of them
    /// What it serves; null: all that the release can serve. Servers of one release may share it.
    std::shared_ptr<const ApiResources> resources = nullptr;
    /// The current time. Without a clock no time passes: every object dates from 2026, and watches stay open until
    /// dropped.
    std::function<std::chrono::system_clock::time_point()> clock = nullptr;
    /// Makes service account tokens; without it, issued tokens are a placeholder that nobody accepts.
    TokenIssuer token_issuer = nullptr;
    /// Authenticates tokens for TokenReviews; without it no token is valid.
    TokenReviewer token_reviewer = nullptr;
    /// Answers an allowed GET of a path that the server does not know itself; nothing if it is not known there, either.
    std::function<std::optional<HttpResponse>(std::string_view path)> other_documents = nullptr;
    /// The authorizers, in the order in which they are asked.
    std::vector<AuthorizationMode> authorization_modes = {AuthorizationMode::node, AuthorizationMode::rbac};
    std::shared_ptr<const AbacPolicies> abac_policies = nullptr;  ///< of mode ABAC
    /// Of the modes Webhook, in their order; called from several threads.
    std::vector<std::shared_ptr<const AuthorizationWebhook>> authorization_webhooks = {};
    bool webhook_waits = false;  ///< they may take their time, so they are asked without the server's lock
    AdmissionWebhooks admission_webhooks = {};
    /// Whether it is the API server of a whole cluster. Then it starts with the objects that every API server makes
    /// first (namespaces, bootstrap roles), objects need an existing namespace, and pods an existing service account.
    bool namespaces_first = false;
    /// Made by the first of the servers that share it: those of one release, with the same options. Null: each makes
    /// its own.
    std::shared_ptr<FirstObjects> first_objects = nullptr;
    /// Whether managedFields name who updates fields, and not only who applies them.
    bool tracks_updates = false;
    std::size_t history = 1024;  ///< how many changes of each resource are kept for watches
    /// Keeps changes by their age instead: as often as that, forgets those that were there the last time. Needs a
    /// clock.
    std::optional<std::chrono::seconds> compaction = std::nullopt;
    /// Whether the kinds of which clusters have many objects are kept as text, which takes a fifth of the memory.
    bool keeps_text = false;
    /// Where writes are recorded before they are acknowledged; null: only in memory.
    std::shared_ptr<StoreJournal> journal = nullptr;
    /// Makes authorizers and admission plugins; null: those of the reference.
    std::shared_ptr<AccessControl> access_control = nullptr;
  };

  explicit ApiServer(const RuleSet& rules) : ApiServer(rules, Options()) {}
  ApiServer(const RuleSet& rules, const Options& options);
  ~ApiServer();

  ApiServer(const ApiServer&) = delete;
  ApiServer& operator=(const ApiServer&) = delete;

  /// Answers a request of an authenticated subject. The header `x-nodebound-rule` of the answer names the rule that
  /// decided; it is missing if no rule is about the decision.
  HttpResponse handle(const Subject& authenticated, const HttpRequest& request);

  /// The same for a request whose attributes are already known.
  HttpResponse handle(const Subject& authenticated, const HttpRequest& request, Attributes attributes);

  /// Has other authorizers decide from now on: as the options of the same names.
  void authorize_by(std::vector<AuthorizationMode> modes,
                    std::vector<std::shared_ptr<const AuthorizationWebhook>> webhooks);

  /// What the authorizers decide, for callers that must ask before there is a request.
  [[nodiscard]] Decision authorize(const Subject& subject, const Attributes& attributes);

  /// Whether its release does that, with its gates and plugins.
  [[nodiscard]] bool does(Behaviour what) const;

  /// The answer to a request that the authorizers do not allow.
  [[nodiscard]] HttpResponse forbidden(const Subject& subject, const Attributes& attributes,
                                       const Decision& decision) const;

  /// Ends the watches whose time is over and sends the bookmarks that are due. Whoever provides the clock calls it
  /// several times a second; it costs nothing as long as nothing is due.
  void tick();

  /// Learns what another server has appended to the journal that both share, as from etcd. Calls to servers that share
  /// a journal must not overlap.
  void learn(const JournalEntry& entry);

  /// Ends all watches, as a server does when it shuts down.
  void end_watches();

  /// How much later than the store authorizers and admission learn of a change, as through informers; null: at once.
  /// Needs a clock. It is called for each change, one after the other.
  using Lag = std::function<std::chrono::milliseconds(const ObjectKey& key)>;
  void set_lag(Lag lag);

 private:
  // pipeline/request.cpp
  HttpResponse handle_resource(Call& call);
  HttpResponse serve(Call& call);
  HttpResponse dispatch(const Call& call);
  HttpResponse with_webhooks(Call& call, const std::function<HttpResponse()>& answer) const;
  Decision authorized_once(const Subject& subject, const Attributes& attributes);

  // upkeep.cpp
  void run_writes(std::deque<WriteQueue::Job*>& jobs);
  void follow_at_once();
  void compact(std::chrono::system_clock::time_point now);
  /// Shows authorizers and admission the changes whose lag has passed.
  void catch_up();

  std::unique_ptr<DelayedCluster> delayed_;  ///< null if there is no lag
  std::unique_ptr<ServerState> state_;
  mutable std::shared_mutex mutex_;  ///< guards the state
  WriteQueue writes_;
  Lag lag_;
  std::atomic<bool> lags_ = false;
};

}  // namespace nodebound::apiserver
