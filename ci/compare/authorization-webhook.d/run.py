"""Sends the requests to both API servers, and compares what their webhooks were asked and what was answered."""

import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "clients.d"))
sys.path.insert(0, str(HERE))
import follow  # noqa: E402
import servers  # noqa: E402
import sides  # noqa: E402
import webhook  # noqa: E402
from sides import REVIEWS  # noqa: E402

PATHS = [
    "/api/v1/namespaces/shop/pods?fieldSelector=spec.nodeName%3Da,metadata.name!%3Db",
    "/api/v1/namespaces/shop/pods?watch=1&fieldSelector=spec.nodeName%3D%3Da",
    "/api/v1/nodes/a/status",
    "/apis/apps/v1/deployments",
    "/apis/rbac.authorization.k8s.io/v1/clusterroles/x",
    "/api/v1/namespaces/shop/secrets/a%3Cb%26c%3E",
    "/no/such/path",
    "/metrics",
]


def requests():
    """(name, method, path, body, headers)"""
    for behaviour in [*webhook.BEHAVIOURS, "closes"]:
        user = {"Impersonate-User": behaviour}
        yield behaviour, "GET", "/api/v1/namespaces/shop/configmaps", None, user
        yield behaviour + " again", "GET", "/api/v1/namespaces/shop/configmaps", None, user
    for path in PATHS:
        yield path, "GET", path, None, {"Impersonate-User": "abstain"}
    yield "groups", "GET", "/api/v1/pods", None, {"Impersonate-User": "abstain", "Impersonate-Group": "system:nodes",
                                                 "Impersonate-Uid": "7", "Impersonate-Extra-Scopes": "a<b>",
                                                 "Impersonate-Extra-example.com%2fteam": "x"}
    yield "create", "POST", "/api/v1/namespaces/default/configmaps", {"metadata": {"name": "c"}}, {"Impersonate-User": "allow"}
    yield "delete", "DELETE", "/api/v1/namespaces/default/configmaps/c", None, {"Impersonate-User": "allow"}
    yield "absent", "PUT", "/apis/coordination.k8s.io/v1/namespaces/default/leases/l", {
        "metadata": {"name": "l"}}, {"Impersonate-User": "allow"}
    for behaviour in ("allow", "deny-reason", "abstain", "both", "broken"):
        spec = {"user": behaviour, "groups": ["g"], "extra": {"k": ["v"]}, "uid": "u", "resourceAttributes": {
            "verb": "list", "resource": "pods", "namespace": "n", "fieldSelector": {"requirements": [
                {"key": "spec.nodeName", "operator": "In", "values": ["a"]}]}}}
        yield f"review of {behaviour}", "POST", REVIEWS, {"spec": spec}, {}
    yield "masters", "GET", "/api/v1/pods", None, {}


def main():
    arguments = servers.read_arguments()
    wrong = asked = 0
    for version in ("v1", "v1beta1"):
        out = arguments.out / version
        names = ("nodebound", "real")
        folders = dict(zip(names, servers.fresh_folders(out, *names)))
        hook = webhook.Webhook(folders["nodebound"])
        flags = ("--authorization-mode=RBAC,Webhook", f"--authorization-webhook-config-file={hook.kubeconfig}",
                 f"--authorization-webhook-version={version}")
        started = [servers.start_nodebound(arguments.nodebound, arguments.version, folders["nodebound"], [], flags=flags)]
        try:
            started += servers.start_real(arguments.binaries, folders["nodebound"], folders["real"], flags=flags)
            seen = [list(sides.Side(name, folder, hook).run(requests())) for name, folder in folders.items()]
        finally:
            for server in started:
                server.stop()
        differ, reviews = sides.compare(version, *seen)
        wrong, asked = wrong + differ, asked + reviews
    out = arguments.out / "config"
    shutil.rmtree(out, ignore_errors=True)
    differ, reviews = follow.run(arguments, out)
    wrong, asked = wrong + differ + follow.refusals(arguments, out), asked + reviews
    print(f"{asked} reviews sent by the real server; {wrong} requests or refusals differ")
    sys.exit(1 if wrong or not asked else 0)


main()
