#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fakes/apiserver/read/field_selector.h"
#include "fakes/wire/http.h"
#include "reference/cluster/kept_object.h"
#include "reference/cluster/label_selector.h"

namespace nodebound::apiserver {

/// Where a list continues that its limit cut off.
struct Continuation {
  std::int64_t version = 0;  ///< negative: the list goes on at the current version
  std::string namespace_;    ///< of the last listed object
  std::string name;

  /// The token that clients send back; opaque to them.
  [[nodiscard]] std::string token(bool namespaces) const;
  /// `namespaces`: the list is over all namespaces. The error is the API server's text.
  static Result<Continuation> parse(std::string_view token, bool namespaces);
};

/// What a list, watch or deletecollection asks for (ListOptions of meta.k8s.io).
struct ListOptions {
  enum class Match { unset, exact, not_older_than };

  LabelSelector labels;
  FieldSelector fields;
  std::int64_t limit = 0;
  std::optional<Continuation> continuation;
  /// The resourceVersion that the client names: nothing if none, 0 for any version.
  std::optional<std::uint64_t> version;
  Match match = Match::unset;
  bool bookmarks = false;
  bool in_pages = false;  ///< even without a limit, as a deletecollection reads
  bool cached = true;     ///< the resource has a watch cache
  std::optional<bool> initial_events;
  std::optional<std::int64_t> timeout_seconds;

  [[nodiscard]] bool selects_all() const { return fields.empty() && labels.empty(); }
  [[nodiscard]] bool selects(const Object& object) const { return fields.matches(object) && labels.matches(object); }
  /// The same; what is kept as text is opened only if the selectors may choose it.
  [[nodiscard]] bool selects(const KeptObject& object) const {
    if (selects_all()) return true;
    const std::string* const text = object.own_text();
    return (text == nullptr || fields.may_match(*text)) && selects(*object.open());
  }
};

/// Which list request it is.
struct ListForm {
  bool watch = false;  ///< by its query or, in the old way, by its path
  bool all_namespaces = false;
  bool in_pages = false;
};

/// Reads the query of a request for `resource`; the error is the answer that refuses it.
tl::expected<ListOptions, HttpResponse> read_list_options(const ApiResource& resource, std::string_view target,
                                                          const ListForm& form);

/// What refuses the options of a deletecollection before its body is read; nothing if they can be used.
std::optional<HttpResponse> wrong_list_options(const ApiResource& resource, std::string_view target);

/// The resourceVersion of a query. The error is the API server's text.
Result<std::optional<std::uint64_t>> read_resource_version(std::string_view target);

}  // namespace nodebound::apiserver
