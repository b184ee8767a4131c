#include "harness/simulate/refusal_ledger.h"

#include <algorithm>

#include "fakes/kubelet/refusals.h"

namespace nodebound {
namespace {

// Behind neither server there is a kubelet to stream from: who comes as far as that has been let through. The fake one
// answers 400; a real one may find a Node without an address, or nothing that listens there.
bool is_let_through(const HttpRequest& request, const HttpResponse& response) {
  if (response.status != 400 && response.status < 500) return false;
  return is_connection(attributes_of(request.method, request.target));
}

}  // namespace

bool is_connection(const Attributes& attributes) {
  return attributes.subresource == "proxy" || attributes.subresource == "exec" || attributes.subresource == "attach" ||
         attributes.subresource == "portforward";
}

std::string request_in_short(const Attributes& attributes) {
  return attributes.verb + " " + (attributes.resource_request ? attributes.full_resource() : attributes.path);
}

std::size_t RefusalLedger::add_client(std::string who, std::string node, std::size_t weight) {
  clients_.push_back({std::move(who), std::move(node), weight, {}});
  return clients_.size() - 1;
}

void RefusalLedger::note(std::size_t number, const HttpRequest& request, const HttpResponse& response, Plan::Time now) {
  Client& client = clients_[number];
  requests_ += client.weight;
  if (is_unanswered(response)) return;
  if (is_refusal(response) && !is_let_through(request, response)) return add(client, request, response, now);
  const auto open = [](const Seen& seen) { return !seen.healed; };
  if (std::none_of(client.seen.begin(), client.seen.end(), open)) return;
  const std::string what = request_in_short(attributes_of(request.method, request.target));
  for (Seen& seen : client.seen) {
    if (!seen.healed && request_in_short(kinds_[seen.kind].attributes) == what) seen.healed = now;
  }
}

void RefusalLedger::add(Client& client, const HttpRequest& request, const HttpResponse& response, Plan::Time now) {
  const std::size_t kind = kind_of(client, request, response);
  const std::string& rule = kinds_[kind].rule;
  const auto slice = static_cast<std::size_t>(std::max(now, Plan::Time(0)) / slice_);
  slices_[{slice, rule.empty() ? std::to_string(response.status) : rule}] += client.weight;
  // Refused again of what goes on, or within the same step, is no news.
  const auto found = std::find_if(client.seen.begin(), client.seen.end(), [&](const Seen& seen) {
    return seen.kind == kind && (seen.step == step_ || !seen.healed);
  });
  if (found == client.seen.end()) {
    client.seen.push_back({kind, step_, client.weight, now, now, std::nullopt});
    return;
  }
  found->count += client.weight;
  found->last = now;
  found->healed.reset();
}

std::size_t RefusalLedger::kind_of(const Client& client, const HttpRequest& request, const HttpResponse& response) {
  Attributes attributes = attributes_of(request.method, request.target);
  std::string rule = rule_of(response);
  const std::string text = client.who + "\n" + request_in_short(attributes) + "\n" + attributes.api_group + "\n" +
                           std::to_string(response.status) + "\n" + rule;
  const auto [found, is_new] = by_text_.try_emplace(text, kinds_.size());
  if (is_new) {
    kinds_.push_back({client.who, std::move(attributes), request.method + " " + request.target, response.status,
                      reason_of(response), std::move(rule)});
  }
  return found->second;
}

}  // namespace nodebound
