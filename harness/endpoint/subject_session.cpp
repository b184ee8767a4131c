#include "harness/endpoint/subject_session.h"

#include <algorithm>
#include <chrono>

#include "harness/endpoint/credentials/identity.h"
#include "harness/endpoint/signals.h"

namespace nodebound {
namespace {

// With several sessions and one descriptor for each connection, this stays well below the usual limit of 1024 open
// files.
constexpr std::size_t kMostConnections = 64;
// A refused connection takes less time than this, and trying again costs nothing.
constexpr std::chrono::milliseconds kWaited{1000};

}  // namespace

void SubjectSession::drop_least_recent() {
  connections_.erase(std::min_element(connections_.begin(), connections_.end(), [](const auto& a, const auto& b) {
    return a.second.last_used < b.second.last_used;
  }));
}

bool SubjectSession::gave_up() const {
  return unanswered_ >= (interrupted() ? 1 : 2);
}

Result<HttpResponse> SubjectSession::send(const Subject& subject, const HttpRequest& request) {
  if (gave_up()) {
    return unreachable_error(request.method + " " + request.target,
                             "not sent: the server left what was sent before unanswered");
  }
  const std::string key = key_of(subject);
  auto found = connections_.find(key);
  if (found == connections_.end()) {
    auto client = connect_(subject);
    if (!client) return tl::unexpected(client.error());
    if (connections_.size() >= kMostConnections) drop_least_recent();
    found = connections_.emplace(key, Connection{std::move(*client), 0}).first;
  }
  found->second.last_used = ++requests_;
  const bool signalled_before = interrupted();
  const auto start = std::chrono::steady_clock::now();
  auto answer = found->second.client->send(request);
  // What the signal itself cut off, such as a watch, says nothing of the server.
  const bool cut_off = !signalled_before && interrupted();
  const bool in_vain = !answer && !cut_off && std::chrono::steady_clock::now() - start >= kWaited;
  unanswered_ = in_vain ? unanswered_ + 1 : 0;
  if (!answer && answer.error().kind == Error::Kind::unreachable) return tl::unexpected(explain_(answer.error()));
  return answer;
}

}  // namespace nodebound
