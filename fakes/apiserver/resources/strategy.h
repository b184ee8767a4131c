#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/apiserver/read/table.h"
#include "fakes/apiserver/write/fields/owned_fields.h"
#include "fakes/validation/object.h"
#include "fakes/wire/http.h"
#include "reference/cluster/cluster.h"
#include "reference/release/catalogue.h"

namespace nodebound::apiserver {

struct Call;
struct ServerState;
struct WriteContext;

/// What is special about a subresource. What is not set is as for any subresource.
struct SubresourceStrategy {
  std::string_view name = {};

  /// The object that an update makes: the submitted fields that the subresource accepts, the old values of all others.
  Object (*prepared)(const WriteContext& write, const Object& before, Object submitted) = nullptr;
  /// The fields that an update does not change, whatever it says; null: what a subresource of this name usually has.
  FieldSet (*out_of_reach)() = nullptr;
  validation::SubresourceChecks checks = {};
  /// What the subject may not change, though the authorizers let it update the subresource.
  struct Unauthorized {
    Rule rule;
    validation::FieldMistakes mistakes;
  };
  Unauthorized (*unauthorized_change)(const ServerState& server, const Call& call, const Object& before,
                                      const Object& after) = nullptr;
  /// Why a plugin refuses the submitted object of an update, in a whole cluster.
  std::optional<HttpResponse> (*refused_submitted)(const WriteContext& write, const Object& submitted) = nullptr;
  /// Why a plugin refuses the change that an update makes, in a whole cluster.
  std::optional<HttpResponse> (*refused_change)(const WriteContext& write, const Object& before,
                                                const Object& after) = nullptr;

  /// What is read and written through the subresource, where that is another kind, such as Scale.
  Object (*view)(const WriteContext& write, const Object& object) = nullptr;
  /// The object that a changed view makes of `before`, and what is wrong with the view.
  Object (*from_view)(const Object& before, const Object& view) = nullptr;
  validation::FieldMistakes (*wrong_view)(const Object& view) = nullptr;
  /// The group in which a read of a missing object names the subresource, too (`deployments/scale`), in releases that
  /// tell scales apart; empty: the object alone is named.
  std::string_view group_of_missing = {};

  /// Why the body of a create is wrong, whatever object it is for.
  std::optional<HttpResponse> (*wrong_body)(const ServerState& server, const Call& call) = nullptr;
  /// Answers a create for the object `owner`.
  HttpResponse (*create)(ServerState& server, const Call& call, const Object& owner) = nullptr;

  /// The answer to a connection to `owner`, or whom it is passed on to.
  std::optional<HttpResponse> (*connect)(const ServerState& server, const Call& call, const Object& owner) = nullptr;
  /// Whether a connection needs the permission to create, whatever its verb, in releases with that check (issue
  /// 133515).
  bool connects_as_create = false;
  /// Whether the name of a connection can be `scheme:name:port`.
  bool named_with_port = false;
  bool takes_dry_run = false;  ///< a connection that is a read, which ignores dryRun; the others refuse it
};

/// A field of the status that not all releases have.
struct LateField {
  const char* name;
  Behaviour known_by;  ///< what the releases that know the field do
};

/// How a deletion ends an object (BeforeDelete in apiserver's registry/rest/delete.go).
struct Ending {
  bool pending = false;  ///< a deletion is already under way, and this one does not make it sooner
  std::optional<std::int64_t> grace = std::nullopt;  ///< the grace period; nothing if it has none and goes at once
  std::int64_t at = 0;                               ///< when the object ends, in Unix seconds
};

/// What is special about a kind, as the strategies in upstream's pkg/registry and the plugins that know the kind have
/// it. What is not set is as for any kind.
struct Strategy {
  std::string_view group = {};
  std::string_view resource = {};
  std::string_view stored_under = {};  ///< its name in the keys of etcd, if it is another one
  TableColumns columns = TableColumns::plain();
  bool on_nodes = false;  ///< its objects are on the Node that spec.nodeName names, and are watched by it
  std::span<const SubresourceStrategy> subresources = {};

  /// Answers a create of a kind that is not stored.
  HttpResponse (*review)(const ServerState& server, const Call& call, Object review) = nullptr;

  // A submitted object, in the order in which it passes them.
  std::span<const LateField> late_status_fields = {};
  void (*decode)(const WriteContext& write, Object& object) = nullptr;
  /// The mutating plugins before NodeRestriction. `suffix` ends a generated name.
  std::optional<HttpResponse> (*admit_first)(const WriteContext& write, const std::string& suffix,
                                             Object& object) = nullptr;
  /// The mutating plugins after NodeRestriction, up to DefaultTolerationSeconds.
  std::optional<HttpResponse> (*admit)(const WriteContext& write, Object& object) = nullptr;
  /// The mutating plugins after PodTolerationRestriction.
  std::optional<HttpResponse> (*admit_last)(const WriteContext& write, Object& object) = nullptr;
  /// The same for an update through the main resource.
  void (*admit_change)(const WriteContext& write, const Object& before, Object& object) = nullptr;
  /// Why the subject may not write it, though the authorizers and the mutating plugins let the request pass; `before`
  /// is null for a create.
  std::optional<HttpResponse> (*unauthorized)(const ServerState& server, const Call& call, const Object& before,
                                              const Object& object) = nullptr;
  /// Removes the fields that the release's feature gates disable, before validation: admission still sees them, the
  /// store does not. `before` is null for a create.
  void (*drop_disabled)(const WriteContext& write, const Object& before, Object& object) = nullptr;
  validation::KindChecks checks = {};
  /// What the client is warned of, though the object is valid; `before` is null for a create.
  std::vector<std::string> (*warnings)(const WriteContext& write, const Object& before, const Object& object) = nullptr;
  /// What the storage of the resource adds to a new object before its validation (BeginCreate in apiserver's
  /// registry/generic/registry/store.go); an object that a subresource creates goes without.
  void (*begin_create)(const WriteContext& write, Object& object) = nullptr;
  void (*prepare_for_create)(const WriteContext& write, Object& object) = nullptr;
  /// Restores fields that an update through the main resource does not change.
  void (*prepare_for_update)(const WriteContext& write, const Object& before, Object& submitted) = nullptr;
  /// Whether a change makes a new generation of the object; if null, one of its spec does.
  bool (*new_generation)(const Object& before, const Object& after) = nullptr;
  /// The fields that an update through the main resource does not change, whatever it says; null: the status.
  FieldSet (*out_of_reach)() = nullptr;
  /// The fields of an object that no client has written, if the server has made them.
  FieldSet (*unwritten)(const Object& object) = nullptr;

  /// Why an object may not be deleted, in a whole cluster.
  std::optional<HttpResponse> (*undeletable)(const WriteContext& write, const std::string& name) = nullptr;
  Ending (*ending)(const Object& object, const Object& options, std::int64_t now) = nullptr;
  /// The API versions, divided by blanks, through which a deletion that does not say what becomes of an object's
  /// dependents makes orphans of them (DefaultGarbageCollectionPolicy in upstream's strategies).
  std::string_view orphaning = {};
  bool no_dependents = false;  ///< nothing depends on its objects: what a deletion says of dependents is ignored
  /// Marks an object as deleted, in a whole cluster; whether it waits for finalizers that only this kind has.
  bool (*terminate)(const WriteContext& write, Object& object) = nullptr;
  /// Removes what goes with an object that is gone.
  void (*erased)(ServerState& server, const ObjectKey& key) = nullptr;

  /// The strategy of a subresource that the kind has; an empty name means the resource itself.
  [[nodiscard]] const SubresourceStrategy& subresource(std::string_view name) const;
};

}  // namespace nodebound::apiserver
