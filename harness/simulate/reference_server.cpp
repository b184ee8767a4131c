#include "fakes/apiserver/api_server.h"
#include "fakes/store/memory_journal.h"
#include "harness/simulate/planned_server.h"

namespace nodebound {
namespace {

class ReferenceServer final : public PlannedServer {
 public:
  ReferenceServer(const Catalogue& catalogue, const SimulatedClock& clock) : catalogue_(catalogue), clock_(clock) {}

  Result<void> start(const Plan::ControlPlane& control_plane) override {
    const Result<Release> release = Release::make(catalogue_, control_plane.version, control_plane.gates);
    if (!release) return tl::unexpected<Error>(release.error());
    server_.reset();
    rules_ = std::make_unique<const RuleSet>(catalogue_, *release);
    ApiServer::Options options;
    options.namespaces_first = true;
    options.resources = std::make_shared<const ApiResources>(*release, RuntimeConfig::defaults);
    options.clock = [this] { return std::chrono::system_clock::time_point(clock_.now); };
    options.authorization_modes = control_plane.authorization;
    if (!control_plane.node_restriction) options.disabled_plugins = {"NodeRestriction"};
    options.history = 16;
    options.journal = journal_;
    server_ = std::make_unique<ApiServer>(*rules_, options);
    return {};
  }

  HttpResponse handle(const Subject& subject, const HttpRequest& request) override {
    return server_->handle(subject, request);
  }

  void tick() override { server_->tick(); }
  [[nodiscard]] bool streams() const override { return true; }

 private:
  const Catalogue& catalogue_;
  const SimulatedClock& clock_;
  std::shared_ptr<MemoryJournal> journal_ = std::make_shared<MemoryJournal>();
  std::unique_ptr<const RuleSet> rules_;
  std::unique_ptr<ApiServer> server_;
};

}  // namespace

std::unique_ptr<PlannedServer> make_reference_server(const Catalogue& catalogue, const SimulatedClock& clock) {
  return std::make_unique<ReferenceServer>(catalogue, clock);
}

}  // namespace nodebound
