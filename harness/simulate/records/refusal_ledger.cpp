#include "harness/simulate/records/refusal_ledger.h"

#include <algorithm>
#include <iterator>

#include "fakes/kubelet/refusals.h"

namespace nodebound::simulate {
namespace {

// No kubelet runs behind either kind of server to stream from, so a request that gets that far was allowed. The fake
// server answers 400; a real one may find a Node without an address, or a closed port.
bool is_let_through(const HttpRequest& request, const HttpResponse& response) {
  if (response.status != 400 && response.status < 500) return false;
  return is_connection(attributes_of(request.method, request.target));
}

void see_whether_all_refuse(RefusalLedger::Seen& seen, Plan::Time now) {
  if (seen.allowed_by.empty() || seen.by_all || !seen.allowing.empty() || seen.refusing.empty()) return;
  seen.by_all = now;
}

}  // namespace

std::string KubeletKind::name() const {
  std::string flags;
  for (const auto& [gate, on] : gates) flags += (flags.empty() ? " with " : ", ") + gate + (on ? "=true" : "=false");
  return version.text() + flags;
}

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

void RefusalLedger::note(std::size_t number, const HttpRequest& request, const HttpResponse& response, Plan::Time now,
                         const Origin& from) {
  Client& client = clients_[number];
  requests_ += client.weight;
  if (fake_kubelet::is_unanswered(response)) return;
  if (fake_kubelet::is_refusal(response) && !is_let_through(request, response))
    return add(client, request, response, now, from);
  const auto open = [&](const Seen& seen) { return !seen.healed && seen.place == from.place; };
  if (std::none_of(client.seen.begin(), client.seen.end(), open)) return;
  const std::string what = request_in_short(attributes_of(request.method, request.target));
  for (Seen& seen : client.seen) {
    if (open(seen) && request_in_short(kinds_[seen.kind].attributes) == what) note_well(seen, now, from.servers);
  }
}

void RefusalLedger::note_well(Seen& seen, Plan::Time now, std::size_t servers) {
  seen.refusing.erase(servers);
  seen.allowing.insert(servers);
  seen.by_all.reset();
  if (seen.refusing.empty()) seen.healed = now;
}

void RefusalLedger::servers_are(const std::set<std::size_t>& kinds, Plan::Time now) {
  const auto gone = [&](std::size_t kind) { return !kinds.contains(kind); };
  for (Client& client : clients_) {
    for (Seen& seen : client.seen) {
      if (seen.healed || kinds_[seen.kind].kubelet) continue;
      std::erase_if(seen.refusing, gone);
      std::erase_if(seen.allowing, gone);
      // The last answers of the remaining servers count; clients need not ask again.
      if (seen.refusing.empty() && !seen.allowing.empty()) seen.healed = now;
      see_whether_all_refuse(seen, now);
    }
  }
}

void RefusalLedger::add(Client& client, const HttpRequest& request, const HttpResponse& response, Plan::Time now,
                        const Origin& from) {
  const std::size_t kind = kind_of(client, request, response, from.kubelet.has_value());
  const std::string& rule = kinds_[kind].rule;
  const auto slice = static_cast<std::size_t>(std::max(now, Plan::Time(0)) / slice_);
  slices_[{slice, rule.empty() ? std::to_string(response.status) : rule}] += client.weight;
  // A repeated refusal within a finding that goes on, or within the same step, is not new.
  auto found = std::find_if(client.seen.begin(), client.seen.end(), [&](const Seen& seen) {
    return seen.kind == kind && seen.place == from.place && (seen.step == step_ || !seen.healed);
  });
  if (found == client.seen.end()) {
    client.seen.emplace_back();
    found = std::prev(client.seen.end());
    found->kind = kind;
    found->place = from.place;
    found->step = step_;
    found->first = now;
  }
  found->count += client.weight;
  found->last = now;
  note_told(client, *found, request, response, from);
  note_refused(*found, now, from.servers);
  if (from.kubelet) found->kubelets.insert(*from.kubelet);
}

void RefusalLedger::note_told(const Client& client, const Seen& seen, const HttpRequest& request,
                              const HttpResponse& response, const Origin& from) {
  std::vector<Told>& told = told_[{seen.kind, seen.step}];
  const auto by_those = [&](const Told& one) { return one.servers == from.servers; };
  if (std::any_of(told.begin(), told.end(), by_those)) return;
  told.push_back({from.servers, request.method + " " + request.target, request.body, fake_kubelet::reason_of(response),
                  client.node, from.kubelet});
}

// Servers differ if one refuses after another has allowed since the last refusal. Before that, a refusal followed by an
// allowance may have healed at all of them.
void RefusalLedger::note_refused(Seen& seen, Plan::Time now, std::size_t servers) {
  if (seen.healed) {
    seen.allowing.clear();
    seen.refused_by.clear();
    seen.allowed_by.clear();
    seen.by_all.reset();
    seen.healed.reset();
  }
  seen.refusing.insert(servers);
  seen.refused_by.insert(servers);
  seen.allowing.erase(servers);
  seen.allowed_by.insert(seen.allowing.begin(), seen.allowing.end());
  see_whether_all_refuse(seen, now);
}

std::size_t RefusalLedger::kind_of(const Client& client, const HttpRequest& request, const HttpResponse& response,
                                   bool kubelet) {
  Attributes attributes = attributes_of(request.method, request.target);
  std::string rule = kubelet ? fake_kubelet::rule_of(response) : fake_kubelet::refusing_rule_of(response);
  const std::string text = client.who + "\n" + request_in_short(attributes) + "\n" + attributes.api_group + "\n" +
                           std::to_string(response.status) + "\n" + rule + (kubelet ? "\nkubelet" : "");
  const auto [found, is_new] = by_text_.try_emplace(text, kinds_.size());
  if (is_new) {
    kinds_.push_back({client.who, std::move(attributes), response.status, std::move(rule), kubelet});
  }
  return found->second;
}

}  // namespace nodebound::simulate
