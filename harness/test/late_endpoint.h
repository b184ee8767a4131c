#pragma once

#include <functional>
#include <memory>

#include "fakes/apiserver/api_server.h"
#include "harness/endpoint/endpoint.h"
#include "reference/release/rule_set.h"

namespace nodebound {

/// A server that many share, and that learns of every write later: what a real one is to who explores it. `rules` must
/// outlive it.
std::unique_ptr<Endpoint> make_late_endpoint(const RuleSet& rules);

/// The same with other users on it, so that what was made must be removed. Every request is shown to `answers` first;
/// one that it says no to gets no answer.
std::unique_ptr<Endpoint> make_shared_endpoint(const RuleSet& rules,
                                               std::function<bool(const Subject&, const HttpRequest&)> answers);

/// The same again, of which every decision is on the latest state. `answer` has the server answer, or does so itself.
std::unique_ptr<Endpoint> make_prompt_shared_endpoint(
    const RuleSet& rules, std::function<HttpResponse(ApiServer&, const Subject&, const HttpRequest&)> answer);

}  // namespace nodebound
