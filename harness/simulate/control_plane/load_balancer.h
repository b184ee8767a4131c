#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/simulate/control_plane/planned_servers.h"

namespace nodebound::simulate {

/// The single address of a plan's API servers. A client's connection stays with one server for a while, and in time
/// every client meets all of them; the seed determines when it meets which.
class LoadBalancer {
 public:
  static constexpr std::chrono::minutes connection_lasts{10};

  LoadBalancer(PlannedServers& servers, const SimulatedClock& clock, std::uint64_t seed)
      : servers_(servers), clock_(clock), seed_(seed) {}

  /// See PlannedServers.
  Result<void> start(std::size_t number, const Plan::ControlPlane& as);

  struct Answer {
    HttpResponse response;
    std::size_t kind = 0;  ///< the kind of the server that gave it
  };
  Answer handle(std::size_t client, const Subject& subject, const HttpRequest& request);
  /// The administrator asks the server of the oldest release, so that every server serves what it applies.
  HttpResponse handle_administrator(const Subject& subject, const HttpRequest& request);
  /// The kind of the server that a client meets now, and of the administrator's server.
  [[nodiscard]] std::size_t kind_for(std::size_t client) const { return kind_of_[server_of(client)]; }
  [[nodiscard]] std::size_t kind_for_administrator() const { return kind_of_[oldest()]; }

  /// Counts changes that may affect answers: writes other than heartbeats and reviews, and started servers. Nothing if
  /// servers learn of writes with a delay.
  [[nodiscard]] std::optional<std::uint64_t> changes() const {
    return servers_.settles_at_once() ? std::optional(changes_) : std::nullopt;
  }

  [[nodiscard]] std::size_t size() const { return kind_of_.size(); }
  /// The server to which a client is connected now.
  [[nodiscard]] std::size_t server_of(std::size_t client) const;
  [[nodiscard]] std::map<Version, std::size_t> members() const;

  /// Servers that are started alike are of one kind, because they answer alike. The kinds of the running servers.
  [[nodiscard]] std::set<std::size_t> kinds() const { return {kind_of_.begin(), kind_of_.end()}; }
  /// `1.32.0`, plus its flags if another kind had that version too.
  [[nodiscard]] std::string name_of(std::size_t kind) const;
  [[nodiscard]] const Plan::ControlPlane& settings_of(std::size_t kind) const { return kinds_[kind]; }

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

}  // namespace nodebound::simulate
