#include "harness/simulate/control_plane/reference_servers.h"

#include <vector>

#include "fakes/apiserver/api_server.h"
#include "fakes/store/memory_journal.h"
#include "harness/simulate/control_plane/planned_tokens.h"

namespace nodebound::simulate {
namespace {

// Each server has a store of its own, like kube-apiserver's watch cache. A journal stands in for etcd: what one server
// appends is sent to the others.
class ReferenceServers final : public PlannedServers {
 public:
  ReferenceServers(const Catalogue& catalogue, const SimulatedClock& clock) : catalogue_(catalogue), clock_(clock) {}

  Result<void> start(std::size_t number, const Plan::ControlPlane& control_plane) override {
    const Result<Release> release = Release::make(catalogue_, control_plane.version, control_plane.gates);
    if (!release) return tl::unexpected<Error>(release.error());
    if (number == servers_.size()) servers_.emplace_back();
    Server& server = servers_[number];
    if (server.api) server.api->end_watches();
    server.api.reset();
    server.rules = std::make_unique<const RuleSet>(catalogue_, *release);
    apiserver::ApiServer::Options options;
    options.namespaces_first = true;
    options.resources = std::make_shared<const ApiResources>(*release, RuntimeConfig::defaults);
    options.clock = [this] { return std::chrono::system_clock::time_point(clock_.now); };
    options.token_reviewer = [this](const Object& spec, const apiserver::FindObject& /*find*/) {
      return review_planned_token(spec, clock_.now);
    };
    options.authorization_modes = control_plane.authorization;
    if (!control_plane.node_restriction) options.disabled_plugins = {"NodeRestriction"};
    options.history = 16;
    options.journal = std::make_shared<SharedJournal>(*this, number);
    server.api = std::make_unique<apiserver::ApiServer>(*server.rules, options);
    return {};
  }

  HttpResponse handle(std::size_t number, const Subject& subject, const HttpRequest& request) override {
    return servers_[number].api->handle(subject, request);
  }

  void tick() override {
    for (const Server& server : servers_) server.api->tick();
  }
  [[nodiscard]] bool streams() const override { return true; }
  [[nodiscard]] bool settles_at_once() const override { return true; }
  [[nodiscard]] bool knows_tokens() const override { return true; }

 private:
  struct Server {
    std::unique_ptr<const RuleSet> rules;
    std::unique_ptr<apiserver::ApiServer> api;
  };

  class SharedJournal final : public StoreJournal {
   public:
    SharedJournal(ReferenceServers& all, std::size_t own) : all_(all), own_(own) {}

    StoreState recovered() override { return all_.journal_.recovered(); }
    Result<void> append(const JournalEntry& entry) override {
      if (Result<void> done = all_.journal_.append(entry); !done) return done;
      for (std::size_t i = 0; i < all_.servers_.size(); ++i) {
        if (i != own_ && all_.servers_[i].api) all_.servers_[i].api->learn(entry);
      }
      return {};
    }

   private:
    ReferenceServers& all_;
    std::size_t own_;
  };

  const Catalogue& catalogue_;
  const SimulatedClock& clock_;
  MemoryJournal journal_;
  std::vector<Server> servers_;
};

}  // namespace

std::unique_ptr<PlannedServers> make_reference_servers(const Catalogue& catalogue, const SimulatedClock& clock) {
  return std::make_unique<ReferenceServers>(catalogue, clock);
}

}  // namespace nodebound::simulate
