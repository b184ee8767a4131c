#pragma once

#include <optional>
#include <vector>

#include "fakes/apiserver/read/list_options.h"
#include "fakes/store/change.h"
#include "fakes/wire/http.h"

namespace nodebound {

struct Call;
struct ServerState;

HttpResponse answer_get(ServerState& server, const Call& call);

/// A list, or a watch.
HttpResponse answer_list(ServerState& server, const Call& call);

/// The objects that a list may contain, before its selectors apply; nothing if the version is too old.
std::optional<std::vector<ObjectPtr>> objects_of(const ServerState& server, const Call& call,
                                                 const ListOptions& options, std::uint64_t version);

/// The objects that the selectors of a list choose.
std::vector<ObjectPtr> selected(const ListOptions& options, const std::vector<ObjectPtr>& objects);

/// The answer to a read of a version that does not exist yet.
HttpResponse too_new(const ServerState& server, std::uint64_t version);

/// The answer to a read of a version that is no longer known: a `Status` in JSON.
HttpResponse expired(const std::string& message);

}  // namespace nodebound
