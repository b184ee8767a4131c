"""AuthorizationConfigurations for both servers: those that they follow, those that they refuse, and what they are asked."""

import functools
import json

GROUP = "apiserver.config.k8s.io"


def webhook(kubeconfig, **more):
    return {"timeout": "10s", "subjectAccessReviewVersion": "v1", "matchConditionSubjectAccessReviewVersion": "v1",
            "failurePolicy": "NoOpinion", "authorizedTTL": "10m", "unauthorizedTTL": "10m",
            "connectionInfo": {"type": "KubeConfigFile", "kubeConfigFile": str(kubeconfig)}, **more}


def authorizer(kind, name=None, **more):
    return {"type": kind, "name": name or kind.lower(), **more}


def conditions(*expressions):
    return [{"expression": each} for each in expressions]


def file_of(*authorizers, version):
    return {"apiVersion": f"{GROUP}/{version}", "kind": "AuthorizationConfiguration", "authorizers": list(authorizers)}


def in_newest_version(release):
    version = "v1" if release >= (1, 32) else "v1beta1"
    return functools.partial(file_of, version=version)


def followed(kubeconfig, release):
    """The file at the start, and what it is changed to, one after the other."""
    configuration = in_newest_version(release)
    no_authorized, no_unauthorized = ({"cacheAuthorizedRequests": False}, {"cacheUnauthorizedRequests": False}) \
        if release >= (1, 34) else ({"authorizedTTL": "1ms"}, {"unauthorizedTTL": "1ms"})
    without_selector = ["!has(request.resourceAttributes.fieldSelector)"] if release >= (1, 32) else []
    strict = webhook(kubeconfig, failurePolicy="Deny", matchConditions=conditions(
        "!('system:masters' in request.groups)", "has(request.resourceAttributes)",
        "request.resourceAttributes.namespace == 'shop' || request.resourceAttributes.verb == 'create'",
        *without_selector), **no_authorized)
    failing = webhook(kubeconfig, matchConditions=conditions("request.resourceAttributes.resource == 'configmaps'"))
    deny_failing = webhook(kubeconfig, failurePolicy="Deny", matchConditions=conditions(
        "request.user != 'allow'", "request.resourceAttributes.resource.matches(request.user)"))
    old = webhook(kubeconfig, subjectAccessReviewVersion="v1beta1", timeout="3s", **no_unauthorized)
    ordinary = [authorizer("Node"), authorizer("RBAC")]
    start = configuration(authorizer("Webhook", "strict.example.com", webhook=strict), *ordinary,
                          authorizer("Webhook", "open", webhook=old))
    yield "start", start
    yield "order", file_of(authorizer("Webhook", "open", webhook=old), *ordinary,
                           authorizer("Webhook", "failing", webhook=failing), version="v1beta1")
    yield "no webhook", file_of(*ordinary, version="v1alpha1")
    yield "deny", configuration(authorizer("Webhook", "deny", webhook=deny_failing), *ordinary, authorizer("AlwaysAllow"))


def not_followed(kubeconfig, release):
    """What a server that runs does not change to, but for `start` of `followed`."""
    configuration = in_newest_version(release)
    yield "Node is missing", configuration(authorizer("RBAC"))
    yield "ABAC is new", configuration(authorizer("Node"), authorizer("RBAC"), authorizer("ABAC"))
    yield "no kubeconfig", configuration(authorizer("Node"), authorizer("RBAC"), authorizer(
        "Webhook", "w", webhook=webhook(kubeconfig.parent / "absent")))
    yield "broken", "{"


def refused(kubeconfig, release):
    """What no server starts with."""
    configuration = in_newest_version(release)

    def with_webhook(**more):
        return configuration(authorizer("Webhook", "w", webhook=webhook(kubeconfig, **more)))

    yield "empty", configuration()
    yield "type", configuration(authorizer("Role", "role"))
    yield "twice", configuration(authorizer("RBAC"), authorizer("RBAC"))
    yield "names", configuration(authorizer("RBAC", "Rbac"), authorizer("Node", "other"))
    yield "same name", configuration(authorizer("Webhook", "w", webhook=webhook(kubeconfig)),
                                     authorizer("Webhook", "w", webhook=webhook(kubeconfig)))
    yield "no webhook", configuration(authorizer("Webhook", "w"))
    yield "webhook of RBAC", configuration(authorizer("RBAC", webhook=webhook(kubeconfig)))
    yield "timeout", with_webhook(timeout="31s")
    yield "ttl", with_webhook(authorizedTTL="-1s", unauthorizedTTL="-2m")
    yield "failure policy", with_webhook(failurePolicy="Allow")
    yield "review versions", with_webhook(subjectAccessReviewVersion="v2", matchConditionSubjectAccessReviewVersion="v1beta1")
    yield "connection", with_webhook(connectionInfo={"type": "Other", "kubeConfigFile": "/x"})
    yield "relative", with_webhook(connectionInfo={"type": "KubeConfigFile", "kubeConfigFile": "x"})
    yield "in cluster", with_webhook(connectionInfo={"type": "InClusterConfig", "kubeConfigFile": "/x"})
    yield "unknown field", with_webhook(retries=3)
    yield "syntax", with_webhook(matchConditions=conditions("request.user ==", "request.user = 'a'"))
    yield "types", with_webhook(matchConditions=conditions(
        "request.user", "request.resource.group == ''", "request.user + 1 == 2", "object.metadata.name == 'a'"))
    yield "twice the same", with_webhook(matchConditions=conditions("true", "true", " "))
    yield "too many", with_webhook(matchConditions=conditions(*(f"request.user == '{i}'" for i in range(65))))


def write(path, value):
    """At once, so that nobody reads the half of it."""
    new = path.with_suffix(".new")
    new.write_text(value if isinstance(value, str) else json.dumps(value))
    new.rename(path)
