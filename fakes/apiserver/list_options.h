#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fakes/apiserver/field_selector.h"
#include "fakes/apiserver/http.h"
#include "reference/cluster/label_selector.h"

namespace nodebound {

/// Where a list goes on that was cut off by its limit.
struct Continuation {
  std::int64_t version = 0;  ///< negative: at whatever version is current
  std::string namespace_;    ///< of the last object that was listed
  std::string name;

  /// As the token that clients send back; opaque to them.
  [[nodiscard]] std::string token(bool namespaces) const;
  /// `namespaces` says whether the list is one of all namespaces. The error is what an API server says.
  static Result<Continuation> parse(std::string_view token, bool namespaces);
};

/// What a list, watch or deletion of a collection asks for (ListOptions of meta.k8s.io).
struct ListOptions {
  enum class Match { unset, exact, not_older_than };

  LabelSelector labels;
  FieldSelector fields;
  std::int64_t limit = 0;
  std::optional<Continuation> continuation;
  /// What clients know: nothing if they do not say, 0 for any.
  std::optional<std::uint64_t> version;
  Match match = Match::unset;
  bool bookmarks = false;
  std::optional<bool> initial_events;
  std::optional<std::int64_t> timeout_seconds;

  [[nodiscard]] bool selects(const Object& object) const { return fields.matches(object) && labels.matches(object); }
};

/// What sort of list a request is.
struct ListForm {
  bool watch = false;
  bool all_namespaces = false;
  bool watch_lists = false;    ///< feature gate WatchList: watches from now on begin with what is there
  bool version_first = false;  ///< that it is a number is seen by who lists, not by the cache that would answer
};

/// Reads the query of a request for `resource`, or says why it is refused.
tl::expected<ListOptions, HttpResponse> read_list_options(const ApiResource& resource, std::string_view target,
                                                          const ListForm& form);

/// The resourceVersion of a query. The error is what an API server says.
Result<std::optional<std::uint64_t>> read_resource_version(std::string_view target);

}  // namespace nodebound
