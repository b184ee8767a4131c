// How long RBAC, ABAC and a webhook whose answers are kept take to decide, for ci/benchmark/other-authorizers:
// nodebound_other_authorizers_benchmark COUNT...
//
// Prints a line for each authorizer, count and request: these three, and the nanoseconds it takes. A count is that of
// bindings, lines of a policy file, or answers that are kept. Half of the bindings are ClusterRoleBindings, half are
// RoleBindings in 100 namespaces. Each binding and each line is of a user of its own.
#include <chrono>
#include <cstdlib>
#include <iostream>

#include "fakes/authorization/access_review_webhook.h"
#include "reference/authorizer/abac_authorizer.h"
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

struct Question {
  Subject subject;
  Attributes attributes;
};

Question pod_read_by(const std::string& user) {
  Question out{{user, {"team", "system:authenticated"}, "", {}}, {}};
  out.attributes.resource_request = true;
  out.attributes.verb = "get";
  out.attributes.resource = "pods";
  out.attributes.namespace_ = "ns-0";
  out.attributes.name = "web";
  return out;
}

// Asks again and again; `ask` says whether it is allowed.
template <typename Ask>
double nanoseconds(const Question& question, bool expected, const Ask& ask) {
  constexpr int rounds = 20'000;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < rounds; ++i) {
    if (ask(question.subject, question.attributes) != expected) std::abort();
  }
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
  return took.count() / rounds;
}

double nanoseconds(const Authorizer& authorizer, const std::string& user, bool expected) {
  return nanoseconds(pod_read_by(user), expected, [&](const Subject& subject, const Attributes& attributes) {
    const Decision decision = authorizer.authorize(subject, attributes);
    keep(decision);
    return decision.allowed();
  });
}

void tell(const char* authorizer, int count, const char* request, double took) {
  std::cout << authorizer << '\t' << count << '\t' << request << '\t' << took << '\n';
}

void measure_rbac(const RuleSet& rules, int bindings) {
  RbacObjects objects(rules);
  fill(objects, bindings);
  const RbacAuthorizer authorizer(rules, objects);
  tell("RBAC", bindings, "allowed by a ClusterRoleBinding", nanoseconds(authorizer, "cluster-user-0", true));
  tell("RBAC", bindings, "allowed by a RoleBinding", nanoseconds(authorizer, "user-0", true));
  tell("RBAC", bindings, "not allowed", nanoseconds(authorizer, "nobody", false));
}

void measure_abac(const RuleSet& rules, int lines) {
  std::vector<AbacPolicy> policies;
  for (int i = 0; i < lines; ++i) {
    policies.push_back({"user-" + std::to_string(i), "", true, "*", "pods", "ns-0", ""});
  }
  const AbacPolicies indexed(std::move(policies));
  const AbacAuthorizer authorizer(rules, indexed);
  tell("ABAC", lines, "allowed by the first line", nanoseconds(authorizer, "user-0", true));
  tell("ABAC", lines, "allowed by the last line", nanoseconds(authorizer, "user-" + std::to_string(lines - 1), true));
  tell("ABAC", lines, "not allowed", nanoseconds(authorizer, "nobody", false));
}

void measure_webhook(const RuleSet& rules, int answers) {
  const std::string allowed = R"({"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview",)"
                              R"("status":{"allowed":true}})";
  int asked = 0;
  authorization::AccessReviewWebhook webhook(
      [&](std::string_view) {
        ++asked;
        return HttpResponse{200, "application/json", allowed, {}};
      },
      rules.release(), {.version = authorization::ReviewVersion::v1});
  for (int i = 0; i < answers; ++i) {
    const Question question = pod_read_by("user-" + std::to_string(i));
    keep(webhook.ask(question.subject, question.attributes));
  }
  const double took = nanoseconds(
      pod_read_by("user-0"), true,
      [&](const Subject& subject, const Attributes& attributes) { return webhook.ask(subject, attributes).allowed; });
  if (asked != answers) std::abort();
  tell("webhook", answers, "allowed by an answer that is kept", took);
}

}  // namespace

int main(int argc, char** argv) {
  const RuleSet rules(Catalogue::built_in(), Release::make(Catalogue::built_in(), Version{1, 36, 3}, {}).value());
  constexpr int most_answers = 8192;
  for (int i = 1; i < argc; ++i) {
    const int count = std::atoi(argv[i]);
    measure_rbac(rules, count);
    measure_abac(rules, count);
    if (count <= most_answers) measure_webhook(rules, count);
  }
  return 0;
}
