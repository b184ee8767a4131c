#include "harness/simulate/control_plane/load_balancer.h"

#include <algorithm>
#include <array>
#include <random>

#include "reference/authorizer/attributes.h"

namespace nodebound::simulate {
namespace {

// A hash that is the same on every machine.
std::uint32_t drawn(std::uint64_t seed, std::size_t client, std::int64_t round) {
  std::seed_seq mixed{seed & UINT32_MAX, seed >> 32U, static_cast<std::uint64_t>(client),
                      static_cast<std::uint64_t>(round)};
  std::array<std::uint32_t, 1> out{};
  mixed.generate(out.begin(), out.end());
  return out[0];
}

// The differences from the defaults.
std::string flags_of(const Plan::ControlPlane& server) {
  std::string out;
  const auto add = [&](const std::string& flag) { out += (out.empty() ? "" : ", ") + flag; };
  for (const auto& [gate, on] : server.gates) add(gate + (on ? "=true" : "=false"));
  if (server.authorization != Plan::ControlPlane().authorization) {
    add("authorization " + to_text(server.authorization));
  }
  if (!server.node_restriction) add("NodeRestriction off");
  return out.empty() ? "its defaults" : out;
}

// Leases, events and the status of a Node connect no other object with a node, and a review is not stored.
bool decides_nothing(const Attributes& written) {
  return written.resource == "leases" || written.resource == "events" ||
         (written.resource == "nodes" && written.subresource == "status") || written.resource.ends_with("reviews") ||
         written.subresource == "token";
}

}  // namespace

void LoadBalancer::count(const HttpRequest& request, const HttpResponse& response) {
  const bool reads = request.method == "GET" || request.method == "HEAD";
  if (reads || response.status >= 300) return;
  if (!decides_nothing(attributes_of(request.method, request.target))) ++changes_;
}

Result<void> LoadBalancer::start(std::size_t number, const Plan::ControlPlane& as) {
  if (Result<void> started = servers_.start(number, as); !started) return started;
  ++changes_;
  const auto found = std::find(kinds_.begin(), kinds_.end(), as);
  const auto kind = static_cast<std::size_t>(found - kinds_.begin());
  if (found == kinds_.end()) kinds_.push_back(as);
  if (number == kind_of_.size()) kind_of_.push_back(kind);
  kind_of_[number] = kind;
  return {};
}

std::size_t LoadBalancer::server_of(std::size_t client) const {
  if (size() == 1) return 0;
  constexpr Plan::Time lasts = connection_lasts;
  // Connections of different clients begin at different times, and in each round a client meets every server once.
  const Plan::Time begun(drawn(seed_, client, -1) % lasts.count());
  const std::int64_t number = (clock_.now.time_since_epoch() + begun) / lasts;
  const auto all = static_cast<std::int64_t>(size());
  return (drawn(seed_, client, number / all) + static_cast<std::size_t>(number % all)) % size();
}

LoadBalancer::Answer LoadBalancer::handle(std::size_t client, const Subject& subject, const HttpRequest& request) {
  const std::size_t server = server_of(client);
  Answer out{servers_.handle(server, subject, request), kind_of_[server]};
  count(request, out.response);
  return out;
}

std::size_t LoadBalancer::oldest() const {
  const auto found = std::min_element(kind_of_.begin(), kind_of_.end(), [this](std::size_t a, std::size_t b) {
    return kinds_[a].version < kinds_[b].version;
  });
  return static_cast<std::size_t>(found - kind_of_.begin());
}

HttpResponse LoadBalancer::handle_administrator(const Subject& subject, const HttpRequest& request) {
  HttpResponse out = servers_.handle(oldest(), subject, request);
  count(request, out);
  return out;
}

std::map<Version, std::size_t> LoadBalancer::members() const {
  std::map<Version, std::size_t> out;
  for (const std::size_t kind : kind_of_) ++out[kinds_[kind].version];
  return out;
}

std::string LoadBalancer::name_of(std::size_t kind) const {
  const Plan::ControlPlane& own = kinds_[kind];
  const auto alike = std::count_if(kinds_.begin(), kinds_.end(),
                                   [&](const Plan::ControlPlane& other) { return other.version == own.version; });
  return own.version.text() + (alike == 1 ? "" : " with " + flags_of(own));
}

}  // namespace nodebound::simulate
