#include "fakes/apiserver/watch/watch_stream.h"

#include <algorithm>

#include "fakes/apiserver/read/table.h"
#include "fakes/apiserver/status.h"
#include "fakes/wire/protobuf/api_messages.h"
#include "fakes/wire/protobuf/message_object.h"
#include "fakes/wire/protobuf/protobuf.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::apiserver {
namespace {

// A client with this many unread events has to start anew, as with a real API server, whose watch buffers are about
// this large.
constexpr std::size_t most_unread = 1'000;

// How much text is made at once: events that the reader has not taken yet stay shared with all other watches.
constexpr std::size_t piece_bytes = 1U << 18U;

constexpr std::chrono::minutes between_bookmarks(1);

// An object of the kind with nothing in it, as Go writes it.
Object empty_object(const ApiResource& resource) {
  Object out;
  const std::string& version = resource.group_version;
  const auto* type =
      api_message_of({resource.group, version.substr(version.find('/') + 1), resource.kind}, resource.release);
  if (type != nullptr) out = empty_object_of(*type);
  if (resource.release->does(Behaviour::null_creation_timestamp)) out["metadata"]["creationTimestamp"] = nullptr;
  return out;
}

}  // namespace

void WatchStream::add(std::span<const Store::Listed> objects) {
  for (const Store::Listed& listed : objects) push({"ADDED", listed.object, nullptr, {}});
}

void WatchStream::add_bookmark(std::uint64_t version, bool ends_initial_events) {
  Object bookmark = empty_object(*watched_.resource);
  bookmark["metadata"]["resourceVersion"] = std::to_string(version);
  if (ends_initial_events) bookmark["metadata"]["annotations"] = {{"k8s.io/initial-events-end", "true"}};
  push({"BOOKMARK", std::make_shared<const Object>(std::move(bookmark)), nullptr, {}});
}

void WatchStream::fail(const std::string& status) {
  push({"ERROR", nullptr, nullptr, status});
  end();
}

void WatchStream::expire() {
  fail(failure(410, "Expired", "The resourceVersion for the provided watch is too old.").body);
}

void WatchStream::end() {
  Bell bell;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    bell = bell_;
  }
  if (bell) (*bell)();
}

void WatchStream::tick(Time now, std::uint64_t version) {
  if (watched_.ends && now >= *watched_.ends) return end();
  {
    const std::lock_guard lock(mutex_);
    if (!bookmark_at_ || now < *bookmark_at_) return;
    bookmark_at_ = now + between_bookmarks;
  }
  add_bookmark(version, false);
}

WatchStream::Time WatchStream::due() {
  const std::lock_guard lock(mutex_);
  if (ended_) return Time::max();
  return std::min(watched_.ends.value_or(Time::max()), bookmark_at_.value_or(Time::max()));
}

std::optional<WatchStream::Event> WatchStream::event_of(const std::shared_ptr<const Change>& change) const {
  if (!watched_.namespace_.empty() && change->namespace_ != watched_.namespace_) return std::nullopt;
  const ListOptions& options = watched_.options;
  const bool is = change->kind != Change::Kind::deleted && options.selects(change->object);
  const bool was = change->before && options.selects(change->before);
  if (!is && !was) return std::nullopt;
  if (is) return Event{was ? "MODIFIED" : "ADDED", change->object, change, {}};
  if (change->kind == Change::Kind::deleted) return Event{"DELETED", change->object, change, {}};
  // An object that leaves the selection is shown in its last selected state, at the version at which it left.
  Object last = *change->before.open();
  last["metadata"]["resourceVersion"] = member(*change->object.open(), "metadata", "resourceVersion");
  return Event{"DELETED", std::make_shared<const Object>(std::move(last)), nullptr, {}};
}

void WatchStream::changed(const std::shared_ptr<const Change>& change) {
  std::optional<Event> event = event_of(change);
  if (event) push(std::move(*event));
}

void WatchStream::push(Event event) {
  Bell bell;
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    // The initial objects do not count towards the limit of unread events.
    if (event.change && events_.size() >= most_unread) ended_ = true;
    events_.push_back(std::move(event));
    bell = bell_;
  }
  if (bell) (*bell)();
}

std::string WatchStream::text_of(const Event& event) {
  if (watched_.as.protobuf) return protobuf_of(event);
  std::string out = std::string(R"({"type":")") + event.type + R"(","object":)";
  const ApiResource& resource = *watched_.resource;
  if (!event.object) {
    out += event.json;
  } else if (watched_.as.form == Representation::Form::whole) {
    const auto add = [&](std::string_view json) { append_with_type(out, resource.kind, resource.group_version, json); };
    if (event.change) {
      add(event.change->json());
    } else {
      add(event.object.json());
    }
  } else {
    out += represented(resource, watched_.as, *event.object.open(), watched_.now);
  }
  return out += "}\n";
}

std::string WatchStream::protobuf_of(const Event& event) const {
  if (!event.object) {
    return write_watch_event(event.type, write_protobuf(Object::parse(event.json)).value_or(""));
  }
  const auto write = [&](const Object& object) {
    return represented_in_protobuf(*watched_.resource, watched_.as, object);
  };
  if (event.change && watched_.as.form == Representation::Form::whole) {
    const std::string kind = watched_.resource->group_version + "/" + watched_.resource->kind;
    return write_watch_event(event.type, event.change->protobuf(kind, write));
  }
  return write_watch_event(event.type, write(*event.object.open()));
}

bool WatchStream::is_spent(std::string& out) {
  const ServerFault& server_fault = watched_.server_fault;
  if (!server_fault.watch_events || taken_ < *server_fault.watch_events) return false;
  if (server_fault.watch_breaks) {
    if (events_.empty()) return false;
    const std::string next = text_of(events_.front());
    out.append(next, 0, next.size() / 2);
    broken_ = true;
  }
  ended_ = true;
  events_.clear();
  return true;
}

bool WatchStream::take(std::string& out) {
  const std::size_t begin = out.size();
  std::unique_lock lock(mutex_);
  while (!is_spent(out) && !events_.empty() && out.size() - begin < piece_bytes) {
    const Event event = std::move(events_.front());
    events_.pop_front();
    ++taken_;
    lock.unlock();
    out += text_of(event);
    lock.lock();
  }
  return !ended_ || !events_.empty();
}

void WatchStream::on_ready(std::function<void()> notify) {
  const std::lock_guard lock(mutex_);
  bell_ = notify ? std::make_shared<const std::function<void()>>(std::move(notify)) : nullptr;
}

}  // namespace nodebound::apiserver
