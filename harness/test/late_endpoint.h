#pragma once

#include <functional>
#include <memory>

#include "fakes/apiserver/api_server.h"
#include "harness/endpoint/endpoint.h"
#include "reference/release/rule_set.h"

namespace nodebound {

/// A shared server that learns of every write with a delay, like a real one. `rules` must outlive it.
std::unique_ptr<Endpoint> make_late_endpoint(const RuleSet& rules);

/// The same with other users, so that the run must remove what it makes. `answers` sees every request first; a request
/// for which it returns false gets no answer.
std::unique_ptr<Endpoint> make_shared_endpoint(const RuleSet& rules,
                                               std::function<bool(const Subject&, const HttpRequest&)> answers);

/// The same, but every decision uses the latest state. `answer` lets the server answer, or answers itself.
std::unique_ptr<Endpoint> make_prompt_shared_endpoint(
    const RuleSet& rules,
    std::function<HttpResponse(apiserver::ApiServer&, const Subject&, const HttpRequest&)> answer);

/// The same, but a run does not know that it is prompt: after each change it waits for a canary, as with a real server.
std::unique_ptr<Endpoint> make_awaited_shared_endpoint(
    const RuleSet& rules,
    std::function<HttpResponse(apiserver::ApiServer&, const Subject&, const HttpRequest&)> answer);

}  // namespace nodebound
