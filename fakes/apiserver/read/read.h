#pragma once

#include <optional>
#include <span>
#include <vector>

#include "fakes/apiserver/read/list_options.h"
#include "fakes/store/store.h"
#include "fakes/wire/http.h"

namespace nodebound::apiserver {

struct Call;
struct ServerState;
struct Strategy;

HttpResponse answer_get(ServerState& server, const Call& call);

/// A list, or a watch.
HttpResponse answer_list(ServerState& server, const Call& call);

/// The objects that a list or a watch with that selector has to look at.
Store::Scope scope_of(const Strategy& strategy, const FieldSelector& fields);

/// The objects that a list may contain, before its selectors apply. The error is the answer to a list of a version that
/// is no longer known, or does not exist yet.
tl::expected<std::vector<Store::Listed>, HttpResponse> objects_of(const ServerState& server, const Call& call,
                                                                  const ListOptions& options, std::uint64_t version);

/// The objects that the selectors of a list choose.
std::vector<Store::Listed> selected(const ListOptions& options, std::span<const Store::Listed> objects);

/// What a list answers with, one page after the other if it has a limit.
struct ListPage {
  std::vector<Store::Listed> items;
  Object metadata;
};

/// The page of a list over these objects, as they are at a version. `namespaces`: they are of several namespaces.
ListPage listed_page(const std::vector<Store::Listed>& objects, const ListOptions& options, std::uint64_t version,
                     bool namespaces);

/// The version at which a list must be answered; nothing for the current one.
std::optional<std::uint64_t> version_of(const ListOptions& options);

/// The answer to a list whose version, or that of its continue token, is no longer known.
HttpResponse expired_list(const ListOptions& options, bool namespaces);

/// The answer to a read of a version that does not exist yet. A watch cache may come to it: then the client is to try
/// again.
HttpResponse too_new(const ServerState& server, bool cached, std::uint64_t version);

/// The answer to a read of a version that is no longer known: a `Status` in JSON.
HttpResponse expired(const std::string& message);

}  // namespace nodebound::apiserver
