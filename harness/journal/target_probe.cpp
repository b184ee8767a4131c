#include "harness/journal/target_probe.h"

#include "harness/journal/journaled_session.h"

namespace nodebound::journal {
namespace {

HttpRequest get(const std::string& path) {
  HttpRequest request{"GET", path, "", ""};
  request.accept = "application/json";
  return request;
}

DryRuns judged(Session& session, const Subject& administrator, const Result<HttpResponse>& response,
               const std::string& object) {
  if (!response) return DryRuns::unknown;
  // Before 1.13 such a request was refused or carried out.
  if (response->status == 400) return DryRuns::kept;
  if (response->status != 201) return DryRuns::unknown;
  const Result<HttpResponse> stored = session.send(administrator, get(object));
  if (!stored) return DryRuns::unknown;
  if (stored->status == 404) return DryRuns::kept;
  return stored->status == 200 ? DryRuns::stored : DryRuns::unknown;
}

}  // namespace

ClusterIdentity identify(Endpoint& endpoint) {
  const Endpoint::Address address = endpoint.address();
  ClusterIdentity out{"", address.authority, address.server};
  const std::unique_ptr<Session> session = endpoint.open_session();
  const auto response = session->send(endpoint.administrator(), get("/api/v1/namespaces/kube-system"));
  if (!response || response->status != 200) return out;
  const std::string uid(text(Object::parse(response->body, nullptr, false), "metadata", "uid"));
  if (is_uid(uid)) out.uid = uid;
  return out;
}

Result<DryRuns> try_dry_run(Endpoint& endpoint, Journal& journal, const std::string& run) {
  if (endpoint.disposable()) return DryRuns::kept;
  if (journal.dry_runs() != DryRuns::untried) return journal.dry_runs();
  const std::string collection = "/api/v1/namespaces";
  const std::string name = "nb-" + run + "-dry-run";
  const Object namespace_ = {{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", name}}}};
  HttpRequest request{"POST", collection + "?dryRun=All", "application/json", namespace_.dump()};
  request.accept = "application/json";
  const std::unique_ptr<Session> inner = endpoint.open_session();
  JournaledSession session(endpoint, *inner, journal, run);
  journal.set_dry_runs(DryRuns::unknown);
  const Result<HttpResponse> response = session.send(endpoint.administrator(), request);
  if (const auto failure = journal.failure()) return tl::unexpected<Error>(*failure);
  const DryRuns seen = judged(session, endpoint.administrator(), response, collection + "/" + name);
  if (const std::vector<Error> left = session.clean_up(); !left.empty()) return tl::unexpected<Error>(left.front());
  journal.set_dry_runs(seen);
  return seen;
}

bool keeps_dry_runs(Endpoint& endpoint, Journal& journal, const std::string& run) {
  const Result<DryRuns> seen = try_dry_run(endpoint, journal, run);
  return seen && *seen == DryRuns::kept;
}

}  // namespace nodebound::journal
