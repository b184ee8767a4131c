#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/simulate/planned_servers.h"

namespace nodebound {

/// The one address of a plan's API servers. A client's connection stays with one of them for a while, and in time every
/// client meets all of them; which one when follows from the seed.
class LoadBalancer {
 public:
  static constexpr std::chrono::minutes connection_lasts{10};

  LoadBalancer(PlannedServers& servers, const SimulatedClock& clock, std::uint64_t seed)
      : servers_(servers), clock_(clock), seed_(seed) {}

  /// As of PlannedServers.
  Result<void> start(std::size_t number, const Plan::ControlPlane& as);

  struct Answer {
    HttpResponse response;
    std::size_t kind = 0;  ///< of the server that gave it
  };
  Answer handle(std::size_t client, const Subject& subject, const HttpRequest& request);
  /// Whoever runs the cluster asks the oldest of them: what that one does not serve is not there for everybody.
  HttpResponse handle_administrator(const Subject& subject, const HttpRequest& request);
  /// Of the server that a client meets now, and of the one that whoever runs the cluster does.
  [[nodiscard]] std::size_t kind_for(std::size_t client) const { return kind_of_[server_of(client)]; }
  [[nodiscard]] std::size_t kind_for_administrator() const { return kind_of_[oldest()]; }

  /// Counts what may change what somebody is answered: writes other than heartbeats and reviews, and servers that are
  /// started. Nothing where servers need time to see what was written.
  [[nodiscard]] std::optional<std::uint64_t> changes() const {
    return servers_.settles_at_once() ? std::optional(changes_) : std::nullopt;
  }

  [[nodiscard]] std::size_t size() const { return kind_of_.size(); }
  /// The server to which a client is connected now.
  [[nodiscard]] std::size_t server_of(std::size_t client) const;
  [[nodiscard]] std::map<Version, std::size_t> members() const;

  /// Servers that are started alike are of one kind: they answer alike. Those of the servers that run.
  [[nodiscard]] std::set<std::size_t> kinds() const { return {kind_of_.begin(), kind_of_.end()}; }
  /// `1.32.0`; with what it is started with where others of that version have been, too.
  [[nodiscard]] std::string name_of(std::size_t kind) const;

 private:
  [[nodiscard]] std::size_t oldest() const;
  void count(const HttpRequest& request, const HttpResponse& response);

  PlannedServers& servers_;
  const SimulatedClock& clock_;
  std::uint64_t seed_;
  std::uint64_t changes_ = 0;
  std::vector<Plan::ControlPlane> kinds_;
  std::vector<std::size_t> kind_of_;  ///< by number of the server
};

}  // namespace nodebound
