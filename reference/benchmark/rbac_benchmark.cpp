// How long RBAC takes to decide, for ci/benchmark/rbac: nodebound_rbac_benchmark BINDINGS...
//
// Prints a line for each number of bindings and each request: the number, the request, and the nanoseconds it takes.
// Half of the bindings are ClusterRoleBindings, half are RoleBindings in 100 namespaces, each of a user of its own.
#include <chrono>
#include <cstdlib>
#include <iostream>

#include "reference/authorizer/rbac_authorizer.h"
#include "reference/benchmark/keep.h"
#include "reference/release/catalogue.h"

namespace {

using namespace nodebound;

constexpr int namespaces = 100;

void add_binding(RbacObjects& objects, const std::string& namespace_, const std::string& name,
                 const std::string& user) {
  objects.put(namespace_.empty() ? "clusterrolebindings" : "rolebindings", namespace_, name,
              {{"roleRef", {{"kind", "ClusterRole"}, {"name", "reader"}}},
               {"subjects", Object::array({{{"kind", "User"}, {"name", user}}})}});
}

void fill(RbacObjects& objects, int bindings) {
  objects.put("clusterroles", "", "reader",
              {{"rules", Object::array({{{"verbs", {"get"}}, {"apiGroups", {""}}, {"resources", {"pods"}}}})}});
  for (int i = 0; i < bindings / 2; ++i) {
    const std::string number = std::to_string(i);
    add_binding(objects, "", "cluster-" + number, "cluster-user-" + number);
    add_binding(objects, "ns-" + std::to_string(i % namespaces), "role-" + number, "user-" + number);
  }
}

double nanoseconds(const RbacAuthorizer& authorizer, const std::string& user, bool expected) {
  const Subject subject{user, {"team", "system:authenticated"}, "", {}};
  Attributes attributes;
  attributes.resource_request = true;
  attributes.verb = "get";
  attributes.resource = "pods";
  attributes.namespace_ = "ns-0";
  attributes.name = "web";
  constexpr int rounds = 20'000;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < rounds; ++i) {
    const Decision decision = authorizer.authorize(subject, attributes);
    if (decision.allowed() != expected) std::abort();
    keep(decision);
  }
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
  return took.count() / rounds;
}

}  // namespace

int main(int argc, char** argv) {
  const RuleSet rules(Catalogue::built_in(), Release::make(Catalogue::built_in(), Version{1, 36, 3}, {}).value());
  for (int i = 1; i < argc; ++i) {
    const int bindings = std::atoi(argv[i]);
    RbacObjects objects(rules);
    fill(objects, bindings);
    const RbacAuthorizer authorizer(rules, objects);
    const auto tell = [&](const char* request, double took) {
      std::cout << bindings << '\t' << request << '\t' << took << '\n';
    };
    tell("allowed by a ClusterRoleBinding", nanoseconds(authorizer, "cluster-user-0", true));
    tell("allowed by a RoleBinding", nanoseconds(authorizer, "user-0", true));
    tell("not allowed", nanoseconds(authorizer, "nobody", false));
  }
  return 0;
}
