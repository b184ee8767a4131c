/* Asks whether node a may read a Secret that a pod on it uses, and one that no pod uses. */
#include <nodebound.h>
#include <stdio.h>
#include <string.h>

static const char pod[] =
    "{kind: Pod, apiVersion: v1, metadata: {name: web, namespace: shop}, spec: {nodeName: a, volumes: "
    "[{name: s, secret: {secretName: db}}]}}";

static int ask(const nodebound_reference* reference, const char* secret) {
  static const char* const groups[] = {"system:nodes", NULL};
  nodebound_request request = {0};
  request.user = "system:node:a";
  request.groups = groups;
  request.verb = "get";
  request.resource = "secrets";
  request.namespace_ = "shop";
  request.name = secret;

  nodebound_decision decision;
  char* error = NULL;
  if (nodebound_decide(reference, &request, &decision, &error) != 0) {
    fprintf(stderr, "%s\n", error);
    nodebound_string_free(error);
    return 1;
  }
  char* reason = nodebound_reason(reference, &request, NULL);
  printf("%s: %s by %s%s%s\n", secret, decision.outcome == NODEBOUND_ALLOW ? "allowed" : "refused", decision.rule,
         reason[0] == '\0' ? "" : ": ", reason);
  nodebound_string_free(reason);
  return 0;
}

int main(void) {
  char* error = NULL;
  nodebound_reference* reference = nodebound_open("1.36.3", NULL, "Node", &error);
  if (reference == NULL || nodebound_put(reference, pod, strlen(pod), &error) != 1) {
    fprintf(stderr, "%s\n", error == NULL ? "the pod was not taken" : error);
    nodebound_string_free(error);
    nodebound_close(reference);
    return 1;
  }
  const int failed = ask(reference, "db") + ask(reference, "other");
  nodebound_close(reference);
  return failed;
}
