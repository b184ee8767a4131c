#include "harness/contents/watch_events.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "fakes/wire/media_type.h"
#include "fakes/wire/requests.h"

namespace nodebound {

Result<HttpResponse> first_events(const HttpRequest& watch, HttpResponse answered, const SendRequest& send,
                                  Waiting waiting) {
  if (answered.stream != nullptr) answered.stream->take(answered.body);
  if (answered.stream != nullptr || !watch.watch || !answered.body.empty()) return answered;
  HttpRequest again = watch;
  again.watch = false;
  again.target = with_parameter(without_parameter(again.target, "timeoutSeconds"),
                                "timeoutSeconds=" + std::to_string(static_cast<int>(waiting)));
  Result<HttpResponse> whole = send(again);
  if (whole && whole->status != 200) return unreachable_error(again.target, "HTTP " + std::to_string(whole->status));
  return whole;
}

HttpRequest with_initial_events(HttpRequest watch) {
  watch.target = with_parameter(without_parameter(watch.target, "allowWatchBookmarks"),
                                "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true");
  return watch;
}

std::vector<Object> events_in(const std::string& body) {
  std::vector<Object> out;
  std::istringstream lines(body);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) out.push_back(Object::parse(line, nullptr, false));
  }
  return out;
}

bool cut_after_initial_events(HttpResponse& events) {
  std::size_t begin = 0;
  while (begin < events.body.size()) {
    const std::size_t end = std::min(events.body.find('\n', begin), events.body.size());
    const Object event = Object::parse(events.body.substr(begin, end - begin), nullptr, false);
    if (text(event, "type") == "BOOKMARK" &&
        text(event, "object", "metadata", "annotations", "k8s.io/initial-events-end") == "true") {
      events.body.resize(end);
      return true;
    }
    begin = end + 1;
  }
  return false;
}

bool tells_error(const HttpResponse& events) {
  return events.body.find("\"type\":\"ERROR\"") != std::string::npos;
}

bool has_other_lines(const HttpResponse& events) {
  if (media_type_of(events.content_type) == MediaType::protobuf) return false;
  const std::vector<Object> all = events_in(events.body);
  return std::any_of(all.begin(), all.end(), [](const Object& event) { return text(event, "type").empty(); });
}

bool is_watch_by_path(const HttpRequest& watch, const Attributes& attributes) {
  const std::string path = watch.target.substr(0, watch.target.find('?'));
  return !attributes.name.empty() && path.find("/watch/") < path.find("/namespaces/") &&
         path.ends_with("/" + attributes.name) && query_parameter(watch.target, "fieldSelector").empty();
}

HttpRequest list_of_watch(HttpRequest watch) {
  watch.watch = false;
  for (const char* name : {"watch", "timeoutSeconds", "allowWatchBookmarks", "resourceVersion"}) {
    watch.target = without_parameter(std::move(watch.target), name);
  }
  // /api/v1/watch/… and /apis/GROUP/VERSION/watch/…
  const std::string old = "/watch/";
  const std::size_t at = watch.target.find(old);
  if (at != std::string::npos && at < watch.target.find("/namespaces/")) watch.target.erase(at, old.size() - 1);
  return watch;
}

}  // namespace nodebound
