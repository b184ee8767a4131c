// Asks whether node a may read a Secret that a pod on it uses, and one that no pod uses.
#include <iostream>
#include <nodebound.hpp>

int main() try {
  nodebound::library::Reference reference("1.36.3", "", "Node");
  reference.put(
      "{kind: Pod, apiVersion: v1, metadata: {name: web, namespace: shop}, spec: {nodeName: a, volumes: "
      "[{name: s, secret: {secretName: db}}]}}");
  nodebound::library::Request request;
  request.user = "system:node:a";
  request.groups = {"system:nodes"};
  request.verb = "get";
  request.resource = "secrets";
  request.namespace_ = "shop";
  for (const char* secret : {"db", "other"}) {
    request.name = secret;
    const auto decision = reference.decide(request);
    const auto reason = reference.reason(request);
    std::cout << secret << ": " << (decision.allowed() ? "allowed" : "refused") << " by " << decision.rule
              << (reason.empty() ? "" : ": ") << reason << "\n";
  }
} catch (const nodebound::library::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
