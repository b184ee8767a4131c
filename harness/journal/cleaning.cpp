#include "harness/journal/cleaning.h"

#include <algorithm>
#include <chrono>
#include <map>

#include "fakes/wire/resources/api_catalogue.h"
#include "harness/endpoint/signals.h"
#include "harness/journal/making.h"
#include "harness/journal/stored_path.h"
#include "harness/journal/target_probe.h"

namespace nodebound::journal {
namespace {

void count(Cleaned& out, const Remover& remover, const LedgerEntry& entry, Removing::Outcome outcome) {
  if (outcome == Removing::Outcome::gone) {
    ++out.removed;
  } else if (outcome == Removing::Outcome::not_ours) {
    out.not_ours.push_back(entry.path);
  } else {
    out.left.push_back(remover.why_left(entry, outcome));
  }
}

// Cleans up after a request that let the server choose the name: finds its objects by the label.
void clean_unnamed(Cleaned& out, Remover& remover, const LedgerEntry& entry) {
  if (!entry.marked) {
    out.left.push_back(remover.why_left(entry, Removing::Outcome::uncertain));
    return;
  }
  const auto found = remover.labelled(entry.path);
  if (!found) {
    out.left.push_back(found.error());
    return;
  }
  for (const Labelled& each : *found) {
    count(out, remover, each.entry, remover.remove(each.entry, false, [] { return false; }));
  }
}

/// A kind of object that can be listed and deleted.
struct ServedKind {
  std::string version;     ///< `v1`
  std::string collection;  ///< the path of the list over all namespaces
};

/// The newest served version of each kind, by group and resource.
using ServedKinds = std::map<std::pair<std::string, std::string>, ServedKind>;

bool has_verb(const Object& resource, const char* verb) {
  const Object& verbs = member(resource, "verbs");
  return verbs.is_array() && std::find(verbs.begin(), verbs.end(), verb) != verbs.end();
}

void add_kinds(const std::string& group_version, const Object& list, ServedKinds& kinds) {
  const std::size_t slash = group_version.find('/');
  const bool core = slash == std::string::npos;
  const std::string group = core ? "" : group_version.substr(0, slash);
  const std::string version = core ? group_version : group_version.substr(slash + 1);
  for (const Object& resource : member(list, "resources")) {
    const std::string name(text(resource, "name"));
    const std::string collection = (core ? "/api/" : "/apis/") + group_version + "/" + name;
    // This also skips subresources, whose names contain a slash.
    if (!is_collection_path(collection) || !has_verb(resource, "list") || !has_verb(resource, "delete")) continue;
    ServedKind& kind = kinds[{group, name}];
    if (kind.version.empty() || is_newer_version(version, kind.version)) kind = {version, collection};
  }
}

}  // namespace

Result<Cleaned> clean_up_after(JournalFile& journal, Endpoint& endpoint) {
  Cleaned out;
  if (journal.is_blank()) {
    journal.remove();
    return out;
  }
  const JournalHeader& header = journal.header();
  if (const std::string other = difference(header.cluster, identify(endpoint)); !other.empty()) {
    return input_error(endpoint.name(), "is not the cluster that run " + header.run + " was on: " + other,
                       "name that cluster with --target; nothing was removed, and the journal is kept");
  }
  const auto age = std::chrono::system_clock::now() - journal.last_write();
  const auto arrived = std::chrono::steady_clock::now() +
                       std::clamp<std::chrono::nanoseconds>(longest_time_on_the_way - age, {}, longest_time_on_the_way);
  const std::unique_ptr<Session> session = endpoint.open_session();
  const std::set<std::string>& finalizers = journal.ledger().finalizers();
  Remover remover(*session, endpoint.administrator(),
                  {header.run, [&](const std::string& name) { return finalizers.contains(name); }, false});
  for (const LedgerEntry& entry : journal.ledger().open()) {
    if (interrupted()) {
      out.left.push_back({Error::Kind::unreachable, entry.path, "not looked at: the clean-up was interrupted", ""});
    } else if (is_object_path(entry.path)) {
      const auto may_arrive = [&] { return std::chrono::steady_clock::now() < arrived; };
      count(out, remover, entry, remover.remove(entry, false, may_arrive));
    } else {
      clean_unnamed(out, remover, entry);
    }
  }
  if (out.left.empty()) journal.remove();
  return out;
}

Leavings find_leavings(Endpoint& endpoint, const std::string& run) {
  Leavings out;
  const std::unique_ptr<Session> session = endpoint.open_session();
  ServedKinds kinds;
  for (const std::string& group_version : endpoint.observed().api_versions) {
    const bool core = group_version.find('/') == std::string::npos;
    if (!is_collection_path((core ? "/api/" : "/apis/") + group_version + "/all")) continue;
    HttpRequest request{"GET", (core ? "/api/" : "/apis/") + group_version, "", ""};
    request.accept = "application/json";
    const Result<HttpResponse> response = session->send(endpoint.administrator(), request);
    if (response && response->status == 200) {
      add_kinds(group_version, Object::parse(response->body, nullptr, false), kinds);
    } else {
      const std::string why = response ? "HTTP " + std::to_string(response->status) : response.error().text();
      out.not_looked_at.push_back({Error::Kind::unreachable, group_version, "its kinds cannot be listed: " + why, ""});
    }
  }
  Remover remover(*session, endpoint.administrator(), {run, [](const std::string&) { return false; }, false});
  for (const auto& [name, kind] : kinds) {
    if (interrupted()) return out;
    Result<std::vector<Labelled>> found = remover.labelled(kind.collection);
    if (found) {
      std::move(found->begin(), found->end(), std::back_inserter(out.objects));
    } else {
      out.not_looked_at.push_back(found.error());
    }
  }
  // A controller empties the namespace; it has begun to.
  std::erase_if(out.objects,
                [](const Labelled& each) { return each.being_deleted && is_namespace_path(each.entry.path); });
  std::stable_partition(out.objects.begin(), out.objects.end(),
                        [](const Labelled& each) { return !is_namespace_path(each.entry.path); });
  return out;
}

Cleaned remove_leavings(const std::vector<Labelled>& objects, Endpoint& endpoint, const std::string& run) {
  Cleaned out;
  const std::unique_ptr<Session> session = endpoint.open_session();
  Remover remover(*session, endpoint.administrator(), {run, [](const std::string&) { return false; }, false});
  for (const Labelled& each : objects) {
    if (interrupted()) {
      out.left.push_back({Error::Kind::unreachable, each.entry.path, "not looked at: interrupted", ""});
    } else {
      count(out, remover, each.entry, remover.remove(each.entry, false, [] { return false; }));
    }
  }
  return out;
}

}  // namespace nodebound::journal
