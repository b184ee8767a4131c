#include "harness/check/settle.h"

#include <chrono>

#include "harness/check/answer.h"
#include "harness/check/ask_until_final.h"
#include "harness/scenario/by_release.h"
#include "harness/scenario/canaries.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound {
namespace {

constexpr std::chrono::seconds usual_patience{15};
constexpr std::string_view canary_node = "canary";

Object canary_body(const std::string& resource, const std::string& name, const Release& release) {
  if (resource == "pods") {
    return {{"spec",
             {{"nodeName", "{canary}"},
              {"automountServiceAccountToken", false},
              {"containers", {{{"name", "canary"}, {"image", "registry.invalid/none"}}}},
              {"volumes",
               {{{"name", "secret"}, {"secret", {{"secretName", name}}}},
                {{"name", "claim"}, {"persistentVolumeClaim", {{"claimName", name}}}}}}}}};
  }
  if (resource == "persistentvolumes") {
    return {{"spec",
             {{"capacity", {{"storage", "1Gi"}}},
              {"accessModes", {"ReadWriteOnce"}},
              {"hostPath", {{"path", "/nonexistent"}}},
              {"claimRef", {{"namespace", "{ns shop}"}, {"name", name}}}}}};
  }
  if (resource == "volumeattachments") {
    return {
        {"spec",
         {{"nodeName", "{canary}"}, {"attacher", "canary.invalid"}, {"source", {{"persistentVolumeName", "none"}}}}}};
  }
  if (resource == "podcertificaterequests") {
    // The proof is the pod's UID, signed with the key. The administrator can create the request without an existing
    // pod.
    Object spec = {{"signerName", "canary.invalid/none"},
                   {"podName", "canary"},
                   {"podUID", "00000000-0000-0000-0000-000000000001"},
                   {"serviceAccountName", "default"},
                   {"serviceAccountUID", "00000000-0000-0000-0000-000000000002"},
                   {"nodeName", "{canary}"},
                   {"nodeUID", "00000000-0000-0000-0000-000000000003"},
                   {"maxExpirationSeconds", 3600}};
    if (release.does(Behaviour::stub_signing_request)) {
      spec["stubPKCS10Request"] = "{pkcs10 canary}";
    } else {
      spec["pkixPublicKey"] = "MCowBQYDK2VwAyEAeB4hh7oY4JY7NQWhiHL/BejsZcNGdC54Ud4aBd9BESo=";
      spec["proofOfPossession"] =
          "wLFSe1XHsU6wl8IkdMHqvhHcANOJmf578Cs7IRr13bf2C2A5I9ofXGhm1g1NlKP7pO/HfUeodJdSxAYFBRT6BA==";
    }
    return {{"spec", std::move(spec)}};
  }
  if (!release.does(Behaviour::slices_by_driver)) {
    return {{"nodeName", "{canary}"},
            {"driverName", "canary.invalid"},
            {"namedResources", {{"instances", Object::array()}}}};
  }
  return {{"spec",
           {{"nodeName", "{canary}"},
            {"driver", "canary.invalid"},
            {"pool", {{"name", "{" + name + "}"}, {"generation", 1}, {"resourceSliceCount", 1}}}}}};
}

Object canary_binding(const char* role_kind, const std::string& role, const std::string& user) {
  return {{"roleRef", {{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", role_kind}, {"name", role}}},
          {"subjects", {{{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", "User"}, {"name", user}}}}};
}

// Refuses one ConfigMap in the namespace of the scenario.
Object canary_policy(const std::string& name) {
  const Object rule = {
      {"apiGroups", {""}}, {"apiVersions", {"v1"}}, {"operations", {"CREATE"}}, {"resources", {"configmaps"}}};
  const std::string own = "request.namespace == '{ns shop}' && object.metadata.name == '" + name + "'";
  return {
      {"spec",
       {{"failurePolicy", "Fail"},
        {"matchConstraints", {{"resourceRules", Object::array({rule})}}},
        {"matchConditions", Object::array({{{"name", "canary"}, {"expression", own}}})},
        {"validations", Object::array({{{"expression", "false"}, {"reason", "Forbidden"}, {"message", "canary"}}})}}}};
}

Result<Answer> ask_review(Administrator& administrator, const Object& review) {
  const Result<HttpResponse> response = administrator.send("POST", access_review_path, review);
  if (!response) return tl::unexpected<Error>(response.error());
  return read_review(*response);
}

/// Whether the target came to allow it in time.
Result<bool> comes_to_allow(Administrator& administrator, const Object& review,
                            std::chrono::milliseconds patience = usual_patience) {
  using std::chrono::milliseconds;
  const auto allows = [](const Result<Answer>& answer) { return answer && answer->kind == Answer::Kind::allowed; };
  const Result<Answer> last = ask_until_final(
      [&] { return ask_review(administrator, review); },
      [&](const Result<Answer>& answer) { return answer && !allows(answer) ? patience : milliseconds(0); },
      administrator.circumstances());
  if (!last) return tl::unexpected<Error>(last.error());
  return allows(last);
}

}  // namespace

Result<void> await_allowed(Administrator& administrator, const Object& review, const Error& otherwise) {
  const Result<bool> allowed = comes_to_allow(administrator, review);
  if (!allowed) return tl::unexpected<Error>(allowed.error());
  return *allowed ? Result<void>() : tl::unexpected<Error>(otherwise);
}

void Settler::wrote(const RequestText& target) {
  if (changes_node_graph(target.resource)) written_.insert(target.resource);
  wrote_roles_ |= grants_in_namespace(target.resource);
  wrote_cluster_roles_ |= grants_in_cluster(target.resource);
  wrote_policies_ |= changes_policies(target.resource);
}

Result<void> Settler::make_canary(const std::string& resource, const std::string& name) {
  Result<RequestText> target = parse_request("create " + resource + "/" + name);
  return administrator_.create(*target, canary_body(resource, name, release_));
}

Object Settler::review_of(const RequestText& seen) const {
  return {{"apiVersion", "authorization.k8s.io/v1"},
          {"kind", "SubjectAccessReview"},
          {"spec",
           {{"user", "system:node:" + names_.cluster_scoped(canary_node)},
            {"groups", {"system:nodes", "system:authenticated"}},
            {"resourceAttributes",
             {{"verb", "get"},
              {"group", seen.group},
              {"resource", seen.resource},
              {"namespace", names_.namespace_name(seen.namespace_)},
              {"name", names_.object_name(seen)}}}}}};
}

Result<void> Settler::learn(const std::string& kind, const Make& make, const Object& review, const Error& otherwise) {
  if (times_ != nullptr) return measure(kind, make, review, otherwise);
  if (Result<void> made = make(); !made) return made;
  return await_allowed(administrator_, review, otherwise);
}

Result<void> Settler::measure(const std::string& kind, const Make& make, const Object& review, const Error& otherwise) {
  const std::optional<Error> known = times_->given_up(kind);
  if (administrator_.circumstances().decide(known.has_value())) {
    doubt_ = known.value_or(otherwise);
    return {};
  }
  // Who allows what does not exist shows nothing by allowing it once it does.
  const Result<Answer> before = ask_review(administrator_, review);
  if (!before) return tl::unexpected<Error>(before.error());
  if (Result<void> made = make(); !made) return made;
  if (before->kind == Answer::Kind::allowed) {
    doubt_ = Error{otherwise.kind, otherwise.where, "the target allows what does not exist", ""};
    return {};
  }
  const auto written = std::chrono::steady_clock::now();
  const Result<bool> seen = comes_to_allow(administrator_, review, times_->patience());
  if (!seen) return tl::unexpected<Error>(seen.error());
  if (*seen) {
    times_->add(std::chrono::steady_clock::now() - written);
    return {};
  }
  times_->give_up(kind, otherwise);
  doubt_ = otherwise;
  return {};
}

Result<void> Settler::settle_on(const std::string& kind, const std::string& name, const std::string& seen) {
  const RequestText request = *parse_request(seen);
  return learn(kind, [&] { return make_canary(kind, name); }, review_of(request),
               {Error::Kind::unreachable, "get " + request.resource,
                "the node authorizer does not come to know new objects, so no refusal proves anything",
                "is the Node authorizer on, and did the API server's informers start?"});
}

Result<void> Settler::settle_grants(bool of_cluster) {
  const std::string name = "canary-" + std::to_string(++canaries_);
  const std::string user = "nodebound:" + names_.cluster_scoped(name);
  const std::string prefix = of_cluster ? "create cluster" : "create ";
  const Object rules = {
      {"rules", {{{"verbs", {"get"}}, {"apiGroups", {"canary.invalid"}}, {"resources", {"canaries"}}}}}};
  const Object binding = of_cluster ? canary_binding("ClusterRole", names_.cluster_scoped(name), user)
                                    : canary_binding("Role", name, user);
  const auto make = [&]() -> Result<void> {
    if (auto made = administrator_.create(*parse_request(prefix + "roles/" + name), rules); !made) return made;
    return administrator_.create(*parse_request(prefix + "rolebindings/" + name), binding);
  };
  Object attributes = {{"verb", "get"}, {"group", "canary.invalid"}, {"resource", "canaries"}};
  if (!of_cluster) attributes["namespace"] = names_.namespace_name(default_namespace);
  const Object review = {{"apiVersion", "authorization.k8s.io/v1"},
                         {"kind", "SubjectAccessReview"},
                         {"spec", {{"user", user}, {"resourceAttributes", attributes}}}};
  return learn(
      of_cluster ? "clusterroles" : "roles", make, review,
      {Error::Kind::unreachable, "RBAC", "the target does not come to know new roles, so no refusal proves anything",
       "is the RBAC authorizer on, and did the API server's informers start?"});
}

// An API server looks for new policies once a second (policy_source.go of k8s.io/apiserver), and finds all of them.
Result<void> Settler::settle_policies() {
  const std::string name = "canary-" + std::to_string(++canaries_);
  const Result<RequestText> policy = parse_request("create validatingadmissionpolicies/" + name);
  const Result<RequestText> binding = parse_request("create validatingadmissionpolicybindings/" + name);
  if (auto made = administrator_.create(*policy, canary_policy(name)); !made) return made;
  const Object of_policy = {{"spec", {{"policyName", "{" + name + "}"}, {"validationActions", {"Deny"}}}}};
  if (auto made = administrator_.create(*binding, of_policy); !made) return made;
  const std::string configmaps = names_.path(*parse_request("create configmaps/" + name), true) + "?dryRun=All";
  const Object refused = {{"metadata", {{"name", name}}}};
  const auto is_refused = [](const Result<HttpResponse>& answer) {
    return answer && answer->body.find("denied request: canary") != std::string::npos;
  };
  const Result<HttpResponse> last = ask_until_final(
      [&] { return administrator_.send("POST", configmaps, refused); },
      [&](const Result<HttpResponse>& answer) {
        return answer && !is_refused(answer) ? std::chrono::milliseconds(usual_patience) : std::chrono::milliseconds(0);
      },
      administrator_.circumstances());
  if (!last) return tl::unexpected<Error>(last.error());
  obeys_policies_ = is_refused(last);
  return {};
}

Result<void> Settler::settle() {
  if (std::exchange(wrote_policies_, false) && obeys_policies_) {
    if (Result<void> seen = settle_policies(); !seen) return seen;
  }
  if (std::exchange(wrote_roles_, false)) {
    if (Result<void> seen = settle_grants(false); !seen) return seen;
  }
  if (std::exchange(wrote_cluster_roles_, false)) {
    if (Result<void> seen = settle_grants(true); !seen) return seen;
  }
  if (written_.empty()) return {};
  const std::string name = "canary-" + std::to_string(++canaries_);
  const std::set<std::string> kinds = std::exchange(written_, {});
  // The canary volume is reachable only through the claim of a canary pod.
  if (kinds.contains("persistentvolumes") || kinds.contains("pods")) {
    if (Result<void> seen = settle_on("pods", name, "get secrets/" + name); !seen) return seen;
  }
  for (const std::string& kind : kinds) {
    if (kind == "pods") continue;
    std::string seen = "get ";
    seen.append(kind).append("/").append(name);
    if (Result<void> settled = settle_on(kind, name, seen); !settled) return settled;
  }
  return {};
}

}  // namespace nodebound
