#include "harness/endpoint/subject_session.h"

#include <algorithm>

#include "harness/endpoint/identity.h"

namespace nodebound {
namespace {

// With several sessions and one descriptor each, this stays well below the usual limit of 1024 open files.
constexpr std::size_t kMostConnections = 64;

}  // namespace

void SubjectSession::drop_least_recent() {
  connections_.erase(std::min_element(connections_.begin(), connections_.end(), [](const auto& a, const auto& b) {
    return a.second.last_used < b.second.last_used;
  }));
}

Result<HttpResponse> SubjectSession::send(const Subject& subject, const HttpRequest& request) {
  const std::string key = key_of(subject);
  auto found = connections_.find(key);
  if (found == connections_.end()) {
    auto client = connect_(subject);
    if (!client) return tl::unexpected(client.error());
    if (connections_.size() >= kMostConnections) drop_least_recent();
    found = connections_.emplace(key, Connection{std::move(*client), 0}).first;
  }
  found->second.last_used = ++requests_;
  auto answer = found->second.client->send(request);
  if (!answer && answer.error().kind == Error::Kind::unreachable) return tl::unexpected(explain_(answer.error()));
  return answer;
}

}  // namespace nodebound
