#include "fakes/faults/faults.h"

#include <algorithm>

#include "fakes/apiserver/status.h"

namespace nodebound::faults {
namespace {

using Kind = Fault::Kind;

// The answer of kube-apiserver's priority and fairness (apiserver's server/filters/priority-and-fairness.go).
HttpResponse too_many_requests(std::uint64_t retry_after) {
  HttpResponse response;
  response.status = 429;
  response.content_type = "text/plain; charset=utf-8";
  response.headers["retry-after"] = std::to_string(retry_after);
  response.headers["x-content-type-options"] = "nosniff";
  response.body = "Too many requests, please try again later.\n";
  return response;
}

// The answer when etcd does not reply in time: an error that is not a Status.
HttpResponse storage_failure() {
  return apiserver::failure(500, "", "etcdserver: request timed out");
}

std::string_view path_of(std::string_view target) {
  return target.substr(0, target.find('?'));
}

/// The verbs that a kind of fault can hit; empty for all.
std::vector<std::string_view> verbs_of(Kind kind) {
  if (kind == Kind::drop_watch) return {"watch"};
  if (kind == Kind::expired) return {"list", "watch"};
  if (kind == Kind::stale) return {"get", "list"};
  return {};
}

}  // namespace

/// The parts of a request that faults look at.
struct Faults::Asked {
  std::string path;
  std::string user;
  std::string verb;
  std::string resource;
};

Faults::Faults(std::vector<Fault> faults) {
  set(std::move(faults));
}

std::optional<std::uint64_t> Faults::Active::draw() {
  const std::uint64_t n = matched++;
  if (!fault.hits(n)) return std::nullopt;
  const std::uint64_t before = hits++;
  if (!fault.times || before < *fault.times) return n;
  hits = *fault.times;
  return std::nullopt;
}

bool Faults::matches(const Fault& fault, const Asked& asked) {
  const std::vector<std::string_view> verbs = verbs_of(fault.kind);
  return fault.kind != Kind::lag &&
         (verbs.empty() || std::find(verbs.begin(), verbs.end(), asked.verb) != verbs.end()) &&
         fits_pattern(fault.path, asked.path) && fits_pattern(fault.user, asked.user) &&
         fits_pattern(fault.verb, asked.verb) && fits_pattern(fault.resource, asked.resource);
}

void Faults::set(std::vector<Fault> faults) {
  auto made = std::make_shared<Set>();
  for (Fault& fault : faults) {
    auto active = std::make_shared<Active>();
    active->fault = std::move(fault);
    made->push_back(std::move(active));
  }
  const std::lock_guard lock(mutex_);
  set_ = made;
  for (const OpenWatch& watch : watches_) {
    const std::shared_ptr<BodyStream> stream = watch.stream.lock();
    if (!stream) continue;
    for (const auto& active : *made) {
      if (active->fault.kind != Kind::expired) continue;
      const bool match = matches(active->fault, {watch.path, watch.user, "watch", watch.resource});
      if (match && active->draw()) stream->expire();
    }
  }
}

std::shared_ptr<const Faults::Set> Faults::in_force() const {
  const std::lock_guard lock(mutex_);
  return set_;
}

std::optional<HttpResponse> Faults::prepare(const Fault& fault, std::uint64_t n, HttpRequest& request,
                                            NetworkFault& network_fault) {
  ServerFault& server_fault = request.server_fault;
  switch (fault.kind) {
    case Kind::latency:
      network_fault.delay += std::chrono::milliseconds(fault.amount_of(n));
      break;
    case Kind::status:
      return fault.status == 429 ? too_many_requests(fault.retry_after) : storage_failure();
    case Kind::reset:
      network_fault.lost = network_fault.lost || fault.reset != Fault::Reset::body;
      if (fault.reset == Fault::Reset::before) return HttpResponse();
      if (fault.reset == Fault::Reset::after) break;
      network_fault.reset_after = fault.cut_of(n, 1U << 20U);
      // The length of a watch is unknown, so the watch breaks in one of its first events.
      server_fault.watch_events = fault.cut_of(n, 4);
      server_fault.watch_breaks = true;
      break;
    case Kind::drop_watch:
      if (fault.amount_is_time) {
        server_fault.watch_time = std::chrono::milliseconds(fault.amount_of(n));
      } else {
        server_fault.watch_events = fault.amount_of(n);
        server_fault.watch_breaks = false;
      }
      break;
    case Kind::expired:
      server_fault.forgetful = true;
      break;
    case Kind::stale:
      server_fault.behind = fault.amount_of(n);
      break;
    case Kind::lag:
      break;
  }
  return std::nullopt;
}

HttpResponse Faults::around(const Subject& subject, const Attributes& attributes, HttpRequest request,
                            const Next& next) {
  const std::shared_ptr<const Set> set = in_force();
  const bool is_watch = attributes.verb == "watch";
  if (set->empty() && !is_watch) return next(request);
  const Asked asked{
      std::string(path_of(request.target)), subject.name, attributes.verb,
      attributes.resource_request ? apiserver::qualified_resource(attributes.api_group, attributes.resource) : ""};
  NetworkFault network_fault;
  std::optional<HttpResponse> response;
  for (const auto& active : *set) {
    if (!matches(active->fault, asked)) continue;
    const std::optional<std::uint64_t> n = active->draw();
    if (n) response = prepare(active->fault, *n, request, network_fault);
    if (response) break;
  }
  if (!response) response = next(request);
  if (is_watch && response->stream) remember(asked, response->stream);
  // The cut was drawn before the length of the body was known.
  if (network_fault.reset_after) *network_fault.reset_after %= std::max<std::size_t>(response->body.size(), 1);
  response->network_fault = network_fault;
  return std::move(*response);
}

void Faults::remember(const Asked& asked, const std::shared_ptr<BodyStream>& stream) {
  const std::lock_guard lock(mutex_);
  if (watches_.size() == watches_.capacity()) {
    std::erase_if(watches_, [](const OpenWatch& watch) { return watch.stream.expired(); });
  }
  watches_.push_back({stream, asked.path, asked.user, asked.resource});
}

Faults::Lag Faults::lag() const {
  Set lags;
  for (const auto& active : *in_force()) {
    if (active->fault.kind == Kind::lag) lags.push_back(active);
  }
  if (lags.empty()) return nullptr;
  return [lags](const ObjectKey& key) {
    std::uint64_t longest = 0;
    for (const auto& active : lags) {
      if (!fits_pattern(active->fault.resource, apiserver::qualified_resource(key.group, key.resource))) continue;
      if (const std::optional<std::uint64_t> n = active->draw()) {
        longest = std::max(longest, active->fault.amount_of(*n));
      }
    }
    return std::chrono::milliseconds(longest);
  };
}

Object Faults::to_json() const {
  Object out = {{"faults", Object::array()}};
  for (const auto& active : *in_force()) {
    Object fault = active->fault.source;
    fault["matched"] = active->matched.load();
    fault["hits"] = active->hits.load();
    out["faults"].push_back(std::move(fault));
  }
  return out;
}

Result<std::vector<Fault>> Faults::from_json(const Object& object) {
  const Object& list = member(object, "faults");
  if (!list.is_array()) return input_error("", "expected {\"faults\": [...]}");
  if (object.size() != 1) return input_error("", "expected nothing besides \"faults\"");
  std::vector<Fault> out;
  for (const Object& each : list) {
    Result<Fault> fault = Fault::from_json(each);
    if (!fault) {
      Error error = std::move(fault.error());
      error.where = "faults[" + std::to_string(out.size()) + "]";
      return tl::unexpected<Error>(std::move(error));
    }
    out.push_back(std::move(*fault));
  }
  return out;
}

}  // namespace nodebound::faults
