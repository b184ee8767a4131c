#include "fakes/kubelet_api/hosted_pods.h"

#include <algorithm>

#include "fakes/wire/timestamp.h"

namespace nodebound::kubelet_api {
namespace {

const Object& status_of(const Object& pod, std::string_view container) {
  static const Object none;
  for (const Object& own : member(pod, "status", "containerStatuses")) {
    if (text(own, "name") == container) return own;
  }
  return none;
}

bool is_of(const Object& pod, std::string_view container) {
  const Object& containers = member(pod, "spec", "containers");
  return std::any_of(containers.begin(), containers.end(),
                     [&](const Object& own) { return text(own, "name") == container; });
}

struct LogLine {
  std::string time;
  std::string text;
};

std::optional<LogLine> end_line(const Object& pod, const std::string& container) {
  const Object& ended = member(status_of(pod, container), "state", "terminated");
  if (ended.is_null()) return std::nullopt;
  return LogLine{std::string(text(ended, "finishedAt")),
                 container + " has ended: " + std::string(text(ended, "reason"))};
}

std::vector<LogLine> lines_of(const Object& pod, const std::string& container) {
  const Object& state = member(status_of(pod, container), "state");
  const Object& now = member(state, state.contains("terminated") ? "terminated" : "running");
  std::vector<LogLine> out = {{std::string(text(now, "startedAt")), container + " has started"}};
  if (auto end = end_line(pod, container)) out.push_back(std::move(*end));
  return out;
}

std::string written(const LogLine& line, bool timestamps) {
  return (timestamps ? line.time + " " : std::string()) + line.text + "\n";
}

std::string log_of(const Object& pod, const std::string& container, const LogOptions& options) {
  if (options.errors_only) return {};
  std::vector<LogLine> lines = lines_of(pod, container);
  if (options.since) {
    std::erase_if(lines, [&](const LogLine& line) { return seconds_of(line.time).value_or(0) < *options.since; });
  }
  const auto all = static_cast<std::int64_t>(lines.size());
  const std::int64_t first = options.tail ? std::max<std::int64_t>(all - *options.tail, 0) : 0;
  std::string out;
  for (std::int64_t i = first; i < all; ++i) out += written(lines[static_cast<std::size_t>(i)], options.timestamps);
  if (options.limit) out.resize(std::min(out.size(), static_cast<std::size_t>(*options.limit)));
  return out;
}

}  // namespace

/// A log up to the end of its container.
class HostedPods::FollowedLog final : public BodyStream {
 public:
  FollowedLog(std::string container, std::string log, LogOptions options)
      : container_(std::move(container)), options_(options), log_(std::move(log)), written_(log_.size()) {}

  [[nodiscard]] const std::string& container() const { return container_; }

  void end(const std::optional<LogLine>& last) {
    std::function<void()> notify;
    {
      const std::lock_guard lock(mutex_);
      if (!open_) return;
      if (last && !options_.errors_only) log_ += written(*last, options_.timestamps).substr(0, room());
      open_ = false;
      notify = notify_;
    }
    if (notify) notify();
  }

  bool take(std::string& out) override {
    const std::lock_guard lock(mutex_);
    out += log_;
    log_.clear();
    return open_;
  }
  void on_ready(std::function<void()> notify) override {
    const std::lock_guard lock(mutex_);
    notify_ = std::move(notify);
  }

 private:
  [[nodiscard]] std::size_t room() const {
    return options_.limit ? static_cast<std::size_t>(*options_.limit) - written_ : std::string::npos;
  }

  const std::string container_;
  const LogOptions options_;
  std::mutex mutex_;
  std::string log_;
  const std::size_t written_;  ///< the bytes of the log that it began with
  bool open_ = true;
  std::function<void()> notify_;
};

const HostedPods::Hosted* HostedPods::find(std::string_view name_space, std::string_view name) const {
  for (const auto& [uid, hosted] : pods_) {
    const Object& pod = hosted.object;
    if (text(pod, "metadata", "name") == name && text(pod, "metadata", "namespace") == name_space) return &hosted;
  }
  return nullptr;
}

void HostedPods::show(Object pod) {
  std::vector<std::pair<std::shared_ptr<FollowedLog>, LogLine>> ended;
  {
    const std::lock_guard lock(mutex_);
    Hosted& hosted = pods_[std::string(text(pod, "metadata", "uid"))];
    hosted.object = std::move(pod);
    for (const auto& held : hosted.followers) {
      auto follower = held.lock();
      if (!follower) continue;
      if (auto line = end_line(hosted.object, follower->container())) {
        ended.emplace_back(std::move(follower), std::move(*line));
      }
    }
  }
  for (const auto& [follower, line] : ended) follower->end(line);
}

void HostedPods::forget(const std::string& uid) {
  std::vector<std::weak_ptr<FollowedLog>> followers;
  {
    const std::lock_guard lock(mutex_);
    const auto found = pods_.find(uid);
    if (found == pods_.end()) return;
    followers = std::move(found->second.followers);
    pods_.erase(found);
  }
  for (const auto& held : followers) {
    if (const auto follower = held.lock()) follower->end(std::nullopt);
  }
}

std::optional<KubeletHost::Pod> HostedPods::pod(std::string_view name_space, std::string_view name) const {
  const std::lock_guard lock(mutex_);
  const Hosted* hosted = find(name_space, name);
  if (hosted == nullptr) return std::nullopt;
  Pod out{std::string(text(hosted->object, "metadata", "uid")), {}};
  for (const Object& container : member(hosted->object, "spec", "containers")) {
    const std::string own(text(container, "name"));
    out.containers[own] = member(status_of(hosted->object, own), "state").contains("running");
  }
  return out;
}

std::optional<std::string> HostedPods::log(std::string_view name_space, std::string_view pod,
                                           std::string_view container, const LogOptions& options) const {
  const std::lock_guard lock(mutex_);
  const Hosted* hosted = find(name_space, pod);
  if (hosted == nullptr || status_of(hosted->object, container).is_null()) return std::nullopt;
  return log_of(hosted->object, std::string(container), options);
}

std::shared_ptr<BodyStream> HostedPods::followed(std::string_view name_space, std::string_view pod,
                                                 std::string_view container, const LogOptions& options) const {
  const std::lock_guard lock(mutex_);
  const Hosted* hosted = find(name_space, pod);
  if (hosted == nullptr || !is_of(hosted->object, container)) return nullptr;
  if (!member(status_of(hosted->object, container), "state").contains("running")) return nullptr;
  const std::string name(container);
  auto out = std::make_shared<FollowedLog>(name, log_of(hosted->object, name, options), options);
  auto& followers = pods_.find(text(hosted->object, "metadata", "uid"))->second.followers;
  std::erase_if(followers, [](const auto& held) { return held.expired(); });
  followers.push_back(out);
  return out;
}

std::string HostedPods::listed(const std::function<std::optional<Object>(const Object&)>& shape) const {
  Object items = Object::array();
  const std::lock_guard lock(mutex_);
  for (const auto& [uid, hosted] : pods_) {
    if (auto shown = shape(hosted.object)) items.push_back(std::move(*shown));
  }
  const Object list = {
      {"kind", "PodList"}, {"apiVersion", "v1"}, {"metadata", Object::object()}, {"items", std::move(items)}};
  return list.dump() + "\n";
}

std::string HostedPods::pods() const {
  return listed([](const Object& pod) {
    Object out = pod;
    out.erase("kind");
    out.erase("apiVersion");
    return out;
  });
}

// The container runtime tells less than the API server: names, images, and which containers run.
std::string HostedPods::running_pods() const {
  return listed([](const Object& pod) -> std::optional<Object> {
    Object containers = Object::array();
    for (const Object& status : member(pod, "status", "containerStatuses")) {
      if (!member(status, "state").contains("running")) continue;
      containers.push_back(
          {{"name", member(status, "name")}, {"image", member(status, "image")}, {"resources", Object::object()}});
    }
    if (containers.empty()) return std::nullopt;
    Object out = {{"spec", {{"containers", std::move(containers)}}}, {"status", Object::object()}};
    for (const char* field : {"name", "namespace", "uid"}) out["metadata"][field] = member(pod, "metadata", field);
    return out;
  });
}

std::string HostedPods::allocated_pods() const {
  return listed([](const Object& pod) {
    Object out = pod;
    out.erase("kind");
    out.erase("apiVersion");
    out["status"] = Object::object();
    return out;
  });
}

std::string HostedPods::allocated_pod(std::string_view name_space, std::string_view name) const {
  const std::lock_guard lock(mutex_);
  const Hosted* hosted = find(name_space, name);
  if (hosted == nullptr) return "{}\n";
  Object out = hosted->object;
  out["kind"] = "Pod";
  out["apiVersion"] = "v1";
  out["status"] = Object::object();
  return out.dump() + "\n";
}

}  // namespace nodebound::kubelet_api
