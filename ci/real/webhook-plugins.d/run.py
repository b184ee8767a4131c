"""Makes the same pods on a kube-apiserver with the plugins and on one that asks `nodebound webhook` in their place."""

import base64
import http.client
import json
import pathlib
import re
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "compare" / "clients.d"))
sys.path.insert(0, str(HERE.parent / "webhook-authorizer.d"))
import servers  # noqa: E402
from certificate import write_certificate  # noqa: E402

PLUGINS = "OwnerReferencesPermissionEnforcement,PodNodeSelector,PodTolerationRestriction"
OF_CLUSTER = {"PodNodeSelector": {"podNodeSelectorPluginConfig": {
    "clusterDefaultNodeSelector": "pool=general", "listed": "pool=general,disk=ssd"}},
    "PodTolerationRestriction": {"apiVersion": "podtolerationrestriction.admission.k8s.io/v1alpha1",
                                 "kind": "Configuration", "default": [{"key": "everywhere", "operator": "Exists"}]}}
PREFIX = "scheduler.alpha.kubernetes.io/"
NAMESPACES = {
    "plain": {},
    "listed": {},
    "selecting": {PREFIX + "node-selector": "env=prod, disk = ssd"},
    "unreadable": {PREFIX + "node-selector": "env"},
    "tolerating": {PREFIX + "defaultTolerations": '[{"key":"own","operator":"Exists","effect":"NoExecute"}]',
                   PREFIX + "tolerationsWhitelist": '[{"key":"own","operator":"Exists"},'
                                                    '{"key":"node.kubernetes.io/memory-pressure","operator":"Exists"}]'},
    "without-defaults": {PREFIX + "defaultTolerations": "[]"},
}
OWNER = {"apiVersion": "v1", "kind": "ReplicationController", "name": "o", "uid": "1", "blockOwnerDeletion": True}
SMALL = {"requests": {"cpu": "100m"}}


def owned(**changes):
    return {"metadata": {"ownerReferences": [{**OWNER, **changes}]}}


PODS = [
    ("plain", {}),
    ("plain", {"spec": {"nodeSelector": {"pool": "other"}}}),
    ("plain", {"resources": SMALL}),
    ("listed", {"spec": {"nodeSelector": {"disk": "ssd"}}}),
    ("listed", {"spec": {"nodeSelector": {"zone": "a"}}}),
    ("selecting", {}),
    ("selecting", {"spec": {"nodeSelector": {"env": "prod", "zone": "a"}}}),
    ("selecting", {"spec": {"nodeSelector": {"env": "test"}}}),
    ("unreadable", {}),
    ("tolerating", {}),
    ("tolerating", {"resources": SMALL}),
    ("tolerating", {"spec": {"tolerations": [{"key": "own", "operator": "Equal", "value": "x"}]}}),
    ("tolerating", {"spec": {"tolerations": [{"key": "foreign", "operator": "Exists"}]}}),
    ("without-defaults", {"spec": {"tolerations": [{"operator": "Exists"}, {"key": "a", "operator": "Exists"}]}}),
    ("plain", owned()),
    ("plain", owned(blockOwnerDeletion=False)),
    ("plain", owned(apiVersion="example.com/v1", kind="Part")),
    ("plain", owned(apiVersion="example.com/v1", kind="Nothing")),
]
# alice may make pods, and set the finalizers of nothing.
RIGHTS = [
    ("/apis/rbac.authorization.k8s.io/v1/clusterroles",
     {"metadata": {"name": "pods"}, "rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["create"]}]}),
    ("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
     {"metadata": {"name": "pods"}, "subjects": [{"kind": "User", "name": "alice", "apiGroup": "rbac.authorization.k8s.io"}],
      "roleRef": {"kind": "ClusterRole", "name": "pods", "apiGroup": "rbac.authorization.k8s.io"}}),
]
DEFINITION = {
    "metadata": {"name": "parts.example.com"},
    "spec": {"group": "example.com", "scope": "Namespaced", "names": {"plural": "parts", "singular": "part", "kind": "Part",
                                                                      "listKind": "PartList"},
             "versions": [{"name": "v1", "served": True, "storage": True,
                           "schema": {"openAPIV3Schema": {"type": "object"}}}]}}


class Side:
    """A kube-apiserver with what its pods depend on."""

    def __init__(self, folder):
        kubeconfig = folder / "admin.kubeconfig"
        self.context = servers.client_context(kubeconfig, folder)
        self.port = int(re.search(r"server: https://[^:]+:(\d+)", kubeconfig.read_text())[1])

    def post(self, path, body, user=None):
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, context=self.context, timeout=60)
        headers = {"Content-Type": "application/json", **({"Impersonate-User": user} if user else {})}
        connection.request("POST", path, json.dumps(body), headers)
        response = connection.getresponse()
        answer = json.loads(response.read())
        connection.close()
        return response.status, answer

    def make(self, path, body):
        status, answer = self.post(path, body)
        if status != 201:
            raise SystemExit(f"webhook-plugins: POST {path}: {status} {answer.get('message')}")

    def prepare(self):
        for name, annotations in NAMESPACES.items():
            self.make("/api/v1/namespaces", {"metadata": {"name": name, "annotations": annotations}})
            self.make(f"/api/v1/namespaces/{name}/serviceaccounts", {"metadata": {"name": "default"}})
        for path, body in RIGHTS:
            self.make(path, body)
        self.make("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION)

    def pod(self, number, namespace, more):
        container = {"name": "c", "image": "i", **({"resources": more["resources"]} if "resources" in more else {})}
        body = {"metadata": {"name": f"p{number}", **more.get("metadata", {})},
                "spec": {"automountServiceAccountToken": False, "containers": [container], **more.get("spec", {})}}
        status, answer = self.post(f"/api/v1/namespaces/{namespace}/pods", body, "alice")
        if status != 201:
            words = re.sub(r'^admission webhook "[^"]*" denied the request: ', "", answer["message"])
            return {"status": status, "message": re.sub(r'^pods "[^"]*" is forbidden: ', "", words)}
        return {"status": status, **{key: answer["spec"].get(key) for key in ("nodeSelector", "tolerations")}}


def register(side, url, authority):
    for kind, path in (("Mutating", "mutate"), ("Validating", "validate")):
        side.make(f"/apis/admissionregistration.k8s.io/v1/{kind.lower()}webhookconfigurations", {
            "metadata": {"name": "nodebound"},
            "webhooks": [{
                "name": "plugins.nodebound.example", "sideEffects": "None", "admissionReviewVersions": ["v1"],
                "clientConfig": {"url": f"{url}/{path}", "caBundle": base64.b64encode(authority.read_bytes()).decode()},
                "rules": [{"apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"], "operations": ["CREATE"]}]}]})


def write_configuration(folder):
    path = folder / "admission.json"
    path.write_text(json.dumps({
        "apiVersion": "apiserver.config.k8s.io/v1", "kind": "AdmissionConfiguration",
        "plugins": [{"name": name, "configuration": one} for name, one in OF_CLUSTER.items()]}))
    return path


def main():
    arguments = servers.read_arguments()
    ours, plugins, asking = servers.fresh_folders(arguments.out, "nodebound", "plugins", "asking")
    write_certificate(asking)
    port, = servers.free_ports(1)
    configuration = write_configuration(ours)
    file_flag = f"--admission-control-config-file={configuration}"
    # Its authority and kubeconfigs are those of the real servers, too.
    started = [servers.start_nodebound(arguments.nodebound, arguments.version, ours, [])]
    try:
        started += servers.start_real(arguments.binaries, ours, plugins,
                                      flags=("--authorization-mode=RBAC", f"--enable-admission-plugins={PLUGINS}", file_flag))
        started += servers.start_real(arguments.binaries, ours, asking, flags=("--authorization-mode=RBAC",))
        hook = servers.Process("webhook", [
            arguments.nodebound, "webhook", "--kubeconfig", asking / "admin.kubeconfig", "--admission-plugins", PLUGINS,
            file_flag, "--listen", f"127.0.0.1:{port}", "--tls-cert", asking / "webhook.crt",
            "--tls-key", asking / "webhook.key"], asking)
        started.append(hook)
        servers.wait_for("nodebound webhook", hook, lambda: "Ready" in hook.log.read_text())
        sides = [Side(plugins), Side(asking)]
        for side in sides:
            side.prepare()
        register(sides[1], f"https://127.0.0.1:{port}", asking / "webhook.crt")
        # Informers, and the discovery by which a server finds the kinds of owners, are late.
        time.sleep(35)
        differ = refused = 0
        for number, (namespace, more) in enumerate(PODS):
            own, asked = (side.pod(number, namespace, more) for side in sides)
            refused += own["status"] != 201
            if own == asked:
                continue
            differ += 1
            print(f"- in {namespace}, {json.dumps(more)}\n  with the plugins  {json.dumps(own)}\n"
                  f"  with the webhook  {json.dumps(asked)}")
        print(f"webhook-plugins: {len(PODS) - differ} of {len(PODS)} pods end alike on a kube-apiserver {arguments.version} "
              f"({refused} are refused)")
        sys.exit(1 if differ else 0)
    finally:
        for server in started:
            server.stop()


main()
