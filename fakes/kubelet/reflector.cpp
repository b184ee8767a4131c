#include "fakes/kubelet/reflector.h"

#include <algorithm>

namespace nodebound::fake_kubelet {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

// As in client-go's tools/cache/reflector.go, a watch asks for five to ten minutes.
constexpr minutes least_watch{5};
constexpr BackOff list_tries{milliseconds(800), seconds(30)};

}  // namespace

std::string Reflector::target(const std::string& query) const {
  std::string out = collection_.path;
  if (!collection_.selector.empty()) out += "?fieldSelector=" + percent_encoded(collection_.selector);
  if (!query.empty()) out += (collection_.selector.empty() ? "?" : "&") + query;
  return out;
}

void Reflector::act(KubeletSelf& self, ObjectSink& sink) {
  if (self.rung) take(self, sink);
  if (due_ > self.now) return;
  // The watch's time is over, on the client's or the server's side.
  stream_.reset();
  const bool polls = polls_ && self.now < watch_end_;
  const bool begins = !listed_ && !polls && !collection_.always_list &&
                      self.traits->collections == KubeletTraits::Collections::watch_list;
  if (!begins || !watch_from_the_beginning(self)) {
    if (!listed_ || polls) list(self, sink);
    // If a list that replaces a watch is refused, that watch would soon have been refused, too.
    if (listed_ != polls) watch(self);
  }
  take(self, sink);
  if (!kept_) stream_.reset();
}

void Reflector::list(KubeletSelf& self, ObjectSink& sink) {
  const ApiAnswer answer = self.get(target(""));
  if (!answer.ok()) return fail(self);
  const Object list = answer.object();
  version_ = text(list, "metadata", "resourceVersion");
  listed_ = true;
  synced_ = true;
  if (polls_) due_ = self.now + self.options->lists_apart;
  sink.listed(member(list, "items"));
}

ApiAnswer Reflector::open_watch(KubeletSelf& self, const std::string& from) {
  const milliseconds time = self.jittered(least_watch);
  const auto whole = std::chrono::duration_cast<seconds>(time);
  ApiAnswer answer = self.watch(
      target("watch=true&allowWatchBookmarks=true&" + from + "&timeoutSeconds=" + std::to_string(whole.count())));
  if (!answer.ok()) return answer;
  due_ = self.now + whole;
  stream_ = answer.response.stream;
  if (stream_ && kept_) stream_->on_ready([bell = self.bell] { bell->ring(); });
  return answer;
}

// Whatever the refusal, a list is tried next.
bool Reflector::watch_from_the_beginning(KubeletSelf& self) {
  open_watch(self, "resourceVersionMatch=NotOlderThan&sendInitialEvents=true");
  initial_.reset();
  if (stream_) initial_ = Object::object();
  return stream_ != nullptr;
}

void Reflector::watch(KubeletSelf& self) {
  if (!open_watch(self, "resourceVersion=" + version_).ok()) return fail(self);
  failures_ = 0;
  if (stream_) return;
  polls_ = true;
  watch_end_ = due_;
  due_ = self.now + self.options->lists_apart;
}

void Reflector::fail(KubeletSelf& self) {
  drop();
  listed_ = !collection_.list_first;
  due_ = self.now + self.jittered(list_tries.after(failures_));
  failures_ = static_cast<std::uint8_t>(std::min(failures_ + 1, 20));
}

void Reflector::drop() {
  stream_.reset();
  unread_.clear();
  initial_.reset();
  polls_ = false;
  due_ = KubeletTime();
}

void Reflector::take(KubeletSelf& self, ObjectSink& sink) {
  if (!stream_) return;
  for (;;) {
    const std::size_t before = unread_.size();
    const bool goes_on = stream_->take(unread_);
    const bool news = unread_.size() != before;
    std::size_t begin = 0;
    for (std::size_t end = unread_.find('\n'); end != std::string::npos && stream_; end = unread_.find('\n', begin)) {
      tell(Object::parse(unread_.substr(begin, end - begin), nullptr, false), sink);
      begin = end + 1;
    }
    unread_.erase(0, std::min(begin, unread_.size()));
    if (!stream_) return;
    if (!goes_on) {
      drop();
      due_ = self.now;
      return;
    }
    if (!news) return;
  }
}

void Reflector::tell(const Object& event, ObjectSink& sink) {
  const std::string_view type = text(event, "type");
  const Object& object = member(event, "object");
  if (type == "ERROR") {
    // The version is too old, or the server is not healthy: list again.
    listed_ = false;
    drop();
    return;
  }
  version_ = text(object, "metadata", "resourceVersion");
  if (initial_) return tell_initial(type, object, sink);
  if (type == "ADDED" || type == "MODIFIED") sink.changed(object);
  if (type == "DELETED") sink.deleted(object);
}

// The objects that were there are complete with a bookmark that says so.
void Reflector::tell_initial(std::string_view type, const Object& object, ObjectSink& sink) {
  const std::string key =
      std::string(text(object, "metadata", "namespace")) + "/" + std::string(text(object, "metadata", "name"));
  if (type == "ADDED" || type == "MODIFIED") (*initial_)[key] = object;
  if (type == "DELETED") initial_->erase(key);
  if (type != "BOOKMARK" || text(object, "metadata", "annotations", "k8s.io/initial-events-end") != "true") return;
  Object items = Object::array();
  for (const auto& [name, item] : initial_->items()) items.push_back(item);
  initial_.reset();
  failures_ = 0;
  listed_ = true;
  synced_ = true;
  sink.listed(items);
}

ObjectSink& no_sink() {
  class None final : public ObjectSink {
    void listed(const Object& /*items*/) override {}
    void changed(const Object& /*object*/) override {}
    void deleted(const Object& /*object*/) override {}
  };
  static None none;
  return none;
}

}  // namespace nodebound::fake_kubelet
