#include "fakes/apiserver/watch/watch.h"

#include <algorithm>

#include "fakes/apiserver/call.h"
#include "fakes/apiserver/read/read.h"
#include "fakes/apiserver/resources/strategy.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/status.h"
#include "fakes/apiserver/watch/watch_stream.h"
#include "fakes/wire/media_type.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::apiserver {
namespace {

// A watch ends by itself, so that clients spread over the servers again (--min-request-timeout).
constexpr std::chrono::seconds longest_watch(3600);

bool begins_empty(const ServerState& server, const Call& call, const ListOptions& options) {
  return options.cached && call.resource->namespaced && call.key().namespace_.empty() &&
         options.fields.wanted("metadata.name") && server.defaults.does(Behaviour::watch_of_name_begins_empty);
}

}  // namespace

HttpResponse answer_watch(ServerState& server, const Call& call, ListOptions options) {
  const Attributes& attributes = call.attributes;
  const bool from_now = !options.version || *options.version == 0;
  // A client that names no version and accepts bookmarks gets one after the initial objects.
  const bool initial = options.initial_events.value_or(from_now);
  const bool marked = options.bookmarks && initial && (options.initial_events || !options.version);
  std::optional<WatchStream::Time> ends;
  std::optional<WatchStream::Time> bookmark_at;
  if (server.options.clock) {
    const std::int64_t asked = options.timeout_seconds.value_or(0);
    const std::chrono::seconds timeout = asked == 0 ? longest_watch : std::chrono::seconds(asked);
    ends = server.options.clock() + std::min(timeout, std::chrono::seconds(86400 * 365));
    // A bookmark is sent shortly before the end, so that the client's next watch begins where this one ended. A watch
    // that is too short for that gets none.
    const auto early = *ends - std::chrono::seconds(2);
    const auto now = server.options.clock();
    if (options.bookmarks && early >= now) bookmark_at = std::min(now + std::chrono::minutes(1), early);
    if (call.request.server_fault.watch_time)
      ends = std::min(*ends, server.options.clock() + *call.request.server_fault.watch_time);
  }
  const std::string in = call.key().namespace_;
  const std::uint64_t since = options.version.value_or(0);
  const auto stream = std::make_shared<WatchStream>(WatchStream::Watched{
      call.resource, call.resources, in, call.as, options, ends, bookmark_at, server.now(), call.request.server_fault});
  const Store::Scope scope = scope_of(*call.strategy, options.fields);
  if (initial) {
    const auto objects =
        server.store.objects_at(attributes.api_group, attributes.resource, in, server.store.version(), scope);
    if (!begins_empty(server, call, options)) stream->add(selected(options, *objects));
    if (marked) stream->add_bookmark(server.store.version(), true);
  } else if (!from_now) {
    const bool forgetful = call.request.server_fault.forgetful;
    const auto changes = server.store.changes_since(attributes.api_group, attributes.resource, since);
    if (changes && !forgetful) {
      for (const auto& change : *changes) stream->changed(change);
    } else {
      const std::uint64_t oldest =
          forgetful ? server.store.version() : server.store.oldest_version(attributes.api_group, attributes.resource);
      stream->fail(
          expired("too old resource version: " + std::to_string(since) + " (" + std::to_string(oldest) + ")").body);
    }
  }
  if (options.timeout_seconds.value_or(0) < 0) stream->end();
  server.store.listen(attributes.api_group, attributes.resource, stream, scope);
  server.watches_due.add(stream->due());
  HttpResponse response = json_response(200, "");
  if (call.as.protobuf) response.content_type = std::string(name_of(MediaType::protobuf)) + ";stream=watch";
  response.headers["cache-control"] = "no-cache, private";
  response.stream = stream;
  return response;
}

}  // namespace nodebound::apiserver
