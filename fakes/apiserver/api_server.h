#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <shared_mutex>
#include <string>
#include <vector>

#include "fakes/apiserver/read/list_options.h"
#include "fakes/apiserver/read/representation.h"
#include "fakes/apiserver/review/judges.h"
#include "fakes/apiserver/review/token_issuer.h"
#include "fakes/apiserver/review/token_reviewer.h"
#include "fakes/apiserver/write/defaults.h"
#include "fakes/apiserver/pipeline/write_queue.h"
#include "fakes/store/delayed_cluster.h"
#include "fakes/store/store.h"
#include "fakes/wire/http.h"
#include "fakes/wire/media_type.h"
#include "fakes/wire/resources/api_resources.h"
#include "fakes/wire/resources/routes.h"
#include "reference/admission/admission.h"
#include "reference/authorizer/attributes.h"
#include "reference/authorizer/authorizer_chain.h"
#include "reference/release/rule_set.h"

namespace nodebound {

struct Applier;
struct WriteContext;

/// The reference as an API server, in process: a request goes through authorization, admission and validation to the
/// store, as in kube-apiserver, and gets the same status codes and messages.
///
/// Thread-safe: reads run side by side, writes one after the other.
class ApiServer {
 public:
  struct Options {
    std::set<std::string> disabled_plugins;  ///< of the plugins that Judges makes
    /// What it serves; null: all that the release can serve. Servers of one release may share it.
    std::shared_ptr<const ApiResources> resources = nullptr;
    /// The current time. Without a clock no time passes: every object dates from 2026, and watches stay open until
    /// dropped.
    std::function<std::chrono::system_clock::time_point()> clock = nullptr;
    /// Makes service account tokens; without it, issued tokens are a placeholder that nobody accepts.
    TokenIssuer token_issuer = nullptr;
    /// Authenticates tokens for TokenReviews; without it no token is valid.
    TokenReviewer token_reviewer = nullptr;
    /// The authorizers, in the order in which they are asked: Node, RBAC, AlwaysAllow, AlwaysDeny.
    std::vector<std::string> authorization_modes = {"Node", "RBAC"};
    /// Whether it is the API server of a whole cluster. Then it starts with the objects that every API server makes
    /// first (namespaces, bootstrap roles), objects need an existing namespace, and pods an existing service account.
    bool namespaces_first = false;
    std::size_t history = 1024;  ///< how many changes of each resource are kept for watches
    /// Where writes are recorded before they are acknowledged; null: only in memory.
    std::shared_ptr<StoreJournal> journal = nullptr;
    /// Makes authorizers and admission plugins; null: those of the reference.
    std::shared_ptr<Judges> judges = nullptr;
  };

  explicit ApiServer(const RuleSet& rules) : ApiServer(rules, Options()) {}
  ApiServer(const RuleSet& rules, const Options& options);
  ~ApiServer();

  ApiServer(const ApiServer&) = delete;
  ApiServer& operator=(const ApiServer&) = delete;

  /// Answers a request of an authenticated subject. The header `x-nodebound-rule` of the answer names the rule that
  /// decided.
  HttpResponse handle(const Subject& authenticated, const HttpRequest& request);

  /// The same for a request whose attributes are already known.
  HttpResponse handle(const Subject& authenticated, const HttpRequest& request, Attributes attributes);

  /// What the authorizers decide, for callers that must ask before there is a request.
  [[nodiscard]] Decision authorize(const Subject& subject, const Attributes& attributes);

  /// The answer to a request that the authorizers do not allow.
  [[nodiscard]] HttpResponse forbidden(const Subject& subject, const Attributes& attributes,
                                       const Decision& decision) const;

  /// Ends the watches whose time is over and sends the bookmarks that are due. Whoever provides the clock calls it
  /// about once a second.
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
  /// A request on its way through the server.
  struct Call {
    const Subject& subject;
    const HttpRequest& request;
    Attributes attributes;
    bool dry_run = false;
    const ApiResource* resource = nullptr;
    const ApiSubresource* subresource = nullptr;
    Representation as = {};
    Object body = {};  ///< of a create or update; the options of a delete

    [[nodiscard]] ObjectKey key() const;
    [[nodiscard]] ObjectKey key(std::string_view name) const;
  };

  HttpResponse handle_non_resource(const Call& call);
  HttpResponse handle_resource(Call& call);
  HttpResponse serve(Call& call);
  HttpResponse write(const Call& call);
  void run_writes(std::deque<WriteQueue::Job*>& jobs);
  HttpResponse connect(const Call& call);

  /// An object in the form that the client accepts.
  HttpResponse answer(const Call& call, int status, const Object& object) const;
  [[nodiscard]] std::string now() const;
  void make_first_objects();
  [[nodiscard]] WriteContext write_context(const Call& call) const;

  /// Makes authorizers and admission use this cluster from now on.
  void judge_by(const Cluster& cluster);
  void follow_at_once();
  /// Shows authorizers and admission the changes whose lag has passed.
  void catch_up();

  /// The version that a read is answered from: a fault may set it back, but not before `oldest`.
  [[nodiscard]] std::uint64_t read_version(const Call& call, std::uint64_t oldest) const;

  // rest.cpp
  std::optional<HttpResponse> read_body_of(Call& call, const GroupVersionKind& kind) const;
  HttpResponse get(const Call& call);
  HttpResponse create(const Call& call);
  HttpResponse update(const Call& call);
  HttpResponse create_object(const Call& call, Object object);
  HttpResponse create_by_update(const Call& call, Object object);
  HttpResponse replace_object(const Call& call, const Object& before, Object submitted);

  // patch_request.cpp
  HttpResponse patch(const Call& call);
  HttpResponse apply(const Call& call, const Object* found);
  [[nodiscard]] Applier applier_of(const Call& call) const;

  // list.cpp
  HttpResponse list(const Call& call);
  /// The objects that a list may contain, before its selectors apply; nothing if the version is too old.
  [[nodiscard]] std::optional<std::vector<ObjectPtr>> objects_of(const Call& call, const ListOptions& options,
                                                                 std::uint64_t version) const;
  HttpResponse watch(const Call& call, ListOptions options);
  HttpResponse too_new(std::uint64_t version) const;
  [[nodiscard]] std::vector<ObjectPtr> selected(const Call& call, const ListOptions& options,
                                                const std::vector<ObjectPtr>& objects) const;

  // remove.cpp
  HttpResponse remove(const Call& call);
  HttpResponse remove_collection(const Call& call);
  struct Removed;
  /// `admitted`: admission has already let the deletion through.
  Removed remove_object(const Call& call, const ObjectKey& key, const Object& options, bool admitted = false);
  [[nodiscard]] std::optional<Removed> not_removable(const Call& call, const ObjectKey& key,
                                                     const Object& before) const;
  std::optional<HttpResponse> end_pod(const Call& call, Object options);
  void erase(const ObjectKey& key);

  // subresources.cpp
  [[nodiscard]] std::optional<HttpResponse> without_host(const Object& pod) const;
  [[nodiscard]] HttpResponse log_of(const Object& pod) const;
  HttpResponse create_subresource(const Call& call);
  HttpResponse bind(const Call& call, const Object& pod, const Object& binding);
  HttpResponse evict(const Call& call, const Object& eviction);
  HttpResponse issue_token(const Call& call, const Object& account, const Object& token_request);
  std::optional<HttpResponse> bind_token(const Object& bound, TokenOrder& order) const;

  // reviews.cpp
  HttpResponse review(const Call& call, Object review);
  HttpResponse review_rules(const Call& call, Object review) const;
  HttpResponse review_token(Object review);
  HttpResponse review_access(const Call& call, Object review);

  /// Mutating plugins run before the object is prepared and validated, validating plugins afterwards.
  enum class Phase { mutation, validation };

  /// The first refusal by the plugins of that phase; nothing if all admit the write.
  [[nodiscard]] Admission refused(const AdmissionRequest& request, Phase phase = Phase::mutation) const;
  AdmissionRequest admission_request(const Call& call, Operation operation, const Object& object,
                                     const Object& old_object) const;
  static HttpResponse refusal_response(const AdmissionRequest& request, const Refusal& refusal, const RuleSet& rules);

  const RuleSet& rules_;
  const Options options_;
  mutable std::shared_mutex mutex_;  ///< guards the store and everything derived from it
  std::shared_ptr<const ApiResources> resources_;
  const Defaults defaults_;
  const bool watch_lists_;  ///< feature gate WatchList
  Store store_;
  WriteQueue writes_;
  Lag lag_;
  std::unique_ptr<DelayedCluster> delayed_;  ///< null if there is no lag
  std::atomic<bool> lags_ = false;
  std::shared_ptr<Judges> judges_;
  std::vector<std::unique_ptr<Authorizer>> authorizers_;
  std::unique_ptr<AuthorizerChain> chain_;
  std::vector<std::unique_ptr<AdmissionPlugin>> plugins_;
};

}  // namespace nodebound
