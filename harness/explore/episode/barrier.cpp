#include "harness/explore/episode/barrier.h"

#include <algorithm>
#include <array>
#include <thread>

namespace nodebound {
namespace {

using std::chrono::milliseconds;

// Kinds that admission reads from informers of its own, or that no canary can show.
constexpr std::array<std::string_view, 8> without_canary = {"nodes",      "persistentvolumeclaims", "persistentvolumes",
                                                            "csidrivers", "serviceaccounts",        "namespaces",
                                                            "pods",       "resourceclaims"};

constexpr milliseconds pause_quick{15};
constexpr milliseconds pause_careful{400};
constexpr milliseconds stale_for{2000};

Object binding_to(const char* kind, const std::string& role, const std::string& user) {
  return {{"roleRef", {{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", kind}, {"name", role}}},
          {"subjects", {{{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", "User"}, {"name", user}}}}};
}

}  // namespace

Barrier::Barrier(Endpoint& endpoint, Session& session, const Names& names, Journal& journal, const Release& release)
    : names_(names), administrator_(endpoint, session, names, journal), settler_(administrator_, names, release) {}

void Barrier::wrote(const RequestText& target) {
  settler_.wrote(target);
  const std::string& resource = target.resource;
  grants_ |= resource == "roles" || resource == "rolebindings";
  cluster_grants_ |= resource.starts_with("clusterrole");
  if (std::find(without_canary.begin(), without_canary.end(), resource) != without_canary.end()) {
    others_ = true;
    last_unseen_ = Clock::now();
  }
}

bool Barrier::may_be_stale() const {
  return Clock::now() - last_unseen_ < stale_for;
}

Result<void> Barrier::await_grant(bool of_cluster) {
  const std::string name = "canary-" + std::to_string(++canaries_);
  const std::string user = "nodebound:" + names_.cluster_scoped(name);
  const std::string prefix = of_cluster ? "create cluster" : "create ";
  const std::string role = of_cluster ? names_.cluster_scoped(name) : name;
  const Object rules = {
      {"rules", {{{"verbs", {"get"}}, {"apiGroups", {"canary.invalid"}}, {"resources", {"canaries"}}}}}};
  if (auto made = administrator_.create(*parse_request(prefix + "roles/" + name), rules); !made) return made;
  const Object binding = binding_to(of_cluster ? "ClusterRole" : "Role", role, user);
  if (auto made = administrator_.create(*parse_request(prefix + "rolebindings/" + name), binding); !made) return made;
  Object attributes = {{"verb", "get"}, {"group", "canary.invalid"}, {"resource", "canaries"}};
  if (!of_cluster) attributes["namespace"] = names_.namespace_name(default_namespace);
  const Object review = {{"apiVersion", "authorization.k8s.io/v1"},
                         {"kind", "SubjectAccessReview"},
                         {"spec", {{"user", user}, {"resourceAttributes", attributes}}}};
  return await_allowed(
      administrator_, review,
      {Error::Kind::unreachable, "RBAC", "the target does not come to know new roles, so no refusal proves anything",
       "is the RBAC authorizer on, and did the API server's informers start?"});
}

Result<void> Barrier::pass(Pace pace) {
  if (grants_) {
    grants_ = false;
    if (Result<void> seen = await_grant(false); !seen) return seen;
  }
  if (cluster_grants_) {
    cluster_grants_ = false;
    if (Result<void> seen = await_grant(true); !seen) return seen;
  }
  if (Result<void> settled = settler_.settle(); !settled) return settled;
  if (!others_) return {};
  others_ = false;
  std::this_thread::sleep_until(last_unseen_ + (pace == Pace::quick ? pause_quick : pause_careful));
  return {};
}

}  // namespace nodebound
