#include "harness/reviewer/collection_follower.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>
#include <utility>

#include "fakes/wire/go/json.h"
#include "harness/endpoint/signals.h"
#include "reference/authorizer/attributes.h"

namespace nodebound::reviewer {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr int too_many_requests = 429;
constexpr std::size_t longest_list = std::size_t{64} << 20U;
constexpr std::size_t most_pages = 10'000;
constexpr seconds list_time{60};
constexpr seconds shortest_watch{300};  ///< client-go's, as is the longest: twice as long
constexpr seconds watch_grace{30};

/// A number that differs between the followers, so that not all of them come at the same time.
double jitter() {
  thread_local std::mt19937_64 random(std::random_device{}());
  return std::uniform_real_distribution<double>(0, 1)(random);
}

void wait_unless_interrupted(milliseconds time) {
  const auto until = steady_clock::now() + time;
  while (!interrupted() && steady_clock::now() < until) std::this_thread::sleep_for(milliseconds(20));
}

}  // namespace

Result<std::unique_ptr<HttpClient>> CollectionFollower::client(seconds time) const {
  // A token file is read anew each time.
  auto credentials = credentials_of(kubeconfig_);
  if (!credentials) return tl::unexpected<Error>(credentials.error());
  RequestLimits limits;
  limits.answer = time;
  limits.list = longest_list;
  return make_http_client(kubeconfig_.server, *credentials, limits);
}

Result<void> CollectionFollower::list() {
  auto connection = client(list_time);
  if (!connection) return tl::unexpected<Error>(connection.error());
  std::vector<Object> objects;
  std::string next;
  std::string version;
  for (std::size_t page = 0; page < most_pages; ++page) {
    const std::string target =
        collection_.path + "?limit=500" + (next.empty() ? "" : "&continue=" + percent_encoded(next));
    const Result<HttpResponse> response = (*connection)->send({"GET", target, "", "", false});
    if (!response) return tl::unexpected<Error>(response.error());
    if (response->status != 200) {
      return unreachable_error("GET " + collection_.path, "is answered with HTTP " + std::to_string(response->status));
    }
    auto body = read_json(response->body);
    if (!body || !member(*body, "items").is_array()) {
      return unreachable_error("GET " + collection_.path, "is answered with no list");
    }
    for (Object& item : (*body)["items"]) objects.push_back(std::move(item));
    version = text(*body, "metadata", "resourceVersion");
    next = text(*body, "metadata", "continue");
    if (next.empty()) break;
  }
  if (version.empty() || !next.empty()) {
    return unreachable_error("GET " + collection_.path, "is answered with a list without end or version");
  }
  cluster_.listed(collection_, std::move(objects));
  version_ = std::move(version);
  return {};
}

bool CollectionFollower::take(std::string_view line) {
  auto event = read_json(line);
  const std::string_view type = event ? text(*event, "type") : std::string_view();
  if (!event || type == "ERROR" || !member(*event, "object").is_object()) {
    version_.clear();
    return false;
  }
  Object& object = (*event)["object"];
  const std::string version(text(object, "metadata", "resourceVersion"));
  if (type == "ADDED" || type == "MODIFIED") {
    cluster_.put(collection_, std::move(object));
  } else if (type == "DELETED") {
    cluster_.erase(collection_, object);
  }
  if (!version.empty()) version_ = version;
  return true;
}

Result<void> CollectionFollower::watch() {
  const auto time = shortest_watch + seconds(static_cast<int>(jitter() * static_cast<double>(shortest_watch.count())));
  auto connection = client(time + watch_grace);
  if (!connection) return tl::unexpected<Error>(connection.error());
  const std::string target = collection_.path + "?watch=true&allowWatchBookmarks=true&resourceVersion=" + version_ +
                             "&timeoutSeconds=" + std::to_string(time.count());
  const auto begun = steady_clock::now();
  const Result<HttpResponse> response =
      (*connection)->send_for_each_line({"GET", target, "", "", false}, [this](std::string_view line) {
        failures_ = 0;
        return take(line);
      });
  if (!response) return tl::unexpected<Error>(response.error());
  if (response->status == 200 && version_.empty()) {
    return unreachable_error("watch " + collection_.path, "has ended with an error, so the list is read again");
  }
  // As client-go has it: who ends watches at once is not asked again at once.
  if (response->status == 200 && steady_clock::now() - begun < seconds(1)) wait_unless_interrupted(seconds(1));
  if (response->status == 200) return {};
  // As client-go has it: only who asks too often goes on from the same version.
  if (response->status != too_many_requests) version_.clear();
  return unreachable_error("watch " + collection_.path, "is answered with HTTP " + std::to_string(response->status));
}

void CollectionFollower::failed(const Error& error) {
  const std::string words = error.text();
  // A watch that breaks is no news unless the next attempt fails, too.
  if (failures_ > 0 && words != last_failure_) complain_(words);
  last_failure_ = words;
  failures_ = std::min(failures_ + 1, 6);
  // client-go waits 800 ms, then twice as long each time, up to 30 s.
  const milliseconds pause(400 << failures_);
  wait_unless_interrupted(pause + milliseconds(static_cast<int>(jitter() * 400)));
}

void CollectionFollower::run() {
  while (!interrupted()) {
    const bool lists = version_.empty();
    const Result<void> done = lists ? list() : watch();
    if (interrupted()) return;
    if (done && lists) {
      last_failure_.clear();
      failures_ = 0;
    }
    if (!done) failed(done.error());
  }
}

}  // namespace nodebound::reviewer
