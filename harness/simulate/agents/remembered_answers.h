#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "harness/simulate/control_plane/load_balancer.h"

namespace nodebound::simulate {

/// The API servers' answers to agents. A repeated read gets the answer that it got before, until a write may have
/// changed it: agents with the same credentials read the same again and again.
class RememberedAnswers {
 public:
  struct Answer {
    std::size_t kind = 0;  ///< of the server
    Subject subject;
    std::shared_ptr<const HttpResponse> response;
  };

  explicit RememberedAnswers(LoadBalancer& balancer) : balancer_(balancer) {}

  Answer answer(std::size_t client, const Subject& subject, const HttpRequest& request);

 private:
  Answer ask(std::size_t client, const Subject& subject, const HttpRequest& request);

  LoadBalancer& balancer_;
  std::map<std::string, Answer> answers_;    ///< by kind of server, user and target
  std::optional<std::uint64_t> changes_at_;  ///< the balancer's count of changes when they were given
};

}  // namespace nodebound::simulate
