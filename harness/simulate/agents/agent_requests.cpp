#include "harness/simulate/agents/agent_requests.h"

#include "harness/scenario/substitute.h"
#include "harness/simulate/plan/planned_subject.h"

namespace nodebound::simulate {

// `{uid shop/pods/web}`: only a read of the object tells its UID.
std::string AgentRequests::with_uids(const std::string& text) {
  constexpr std::string_view prefix = "uid ";
  return substitute(text, [&](std::string_view name) -> std::optional<std::string> {
    if (!name.starts_with(prefix)) return std::nullopt;
    return administrator_.uid_of(split_path(name.substr(prefix.size())));
  });
}

const std::vector<HttpRequest>& AgentRequests::for_node(const std::string& node, std::optional<std::uint64_t> changes) {
  if (node_ == node && (!has_uids_ || (changes && changes_ == changes))) return requests_;
  node_ = node;
  changes_ = changes;
  requests_ = agent_.requests;
  has_uids_ = false;
  for (HttpRequest& request : requests_) {
    for (std::string* text : {&request.target, &request.body}) {
      has_uids_ = has_uids_ || text->find("{uid ") != std::string::npos;
      *text = with_uids(filled_in(*text, node));
    }
  }
  return requests_;
}

}  // namespace nodebound::simulate
