#include "fakes/apiserver/api_server.h"

#include "fakes/apiserver/discovery/first_objects.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/store/delayed_cluster.h"

namespace nodebound::apiserver {

ApiServer::ApiServer(const RuleSet& rules, const Options& options)
    : state_(std::make_unique<ServerState>(rules, options)),
      writes_([this](std::deque<WriteQueue::Job*>& jobs) { run_writes(jobs); }) {
  follow_at_once();
  state_->decide_on(state_->store.cluster());
  if (options.namespaces_first) make_first_objects(*state_);
}

ApiServer::~ApiServer() = default;

}  // namespace nodebound::apiserver
