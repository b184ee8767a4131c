"""The requests that are sent to both API servers."""

import dataclasses

POD = "/api/v1/namespaces/default/pods"
WEBSOCKET = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
             "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
SPDY = {"Connection": "Upgrade", "Upgrade": "SPDY/3.1"}


@dataclasses.dataclass
class Case:
    name: str
    target: str
    headers: dict = dataclasses.field(default_factory=dict)
    method: str = "GET"
    body: str = ""
    who: str = "admin"
    frames: bool = True  # whether what follows 101 is compared, not only that it is 101


def websocket(*protocols, **more):
    fields = dict(WEBSOCKET, **more)
    if protocols:
        fields["Sec-WebSocket-Protocol"] = ", ".join(protocols)
    return fields


def spdy(*protocols):
    return dict(SPDY, **{"X-Stream-Protocol-Version": ", ".join(protocols)})


def logs():
    for name, query in {
            "plain": "", "container": "?container=web", "unknown": "?container=none", "idle": "?container=idle",
            "options": "?container=web&tailLines=3&limitBytes=9&sinceSeconds=5&timestamps=true&previous=1",
            "follow": "?container=web&follow=true", "no-number": "?container=web&tailLines=x",
            "negative": "?container=web&tailLines=-1&limitBytes=0&sinceSeconds=0",
            "unverified": "?container=web&insecureSkipTLSVerifyBackend=true"}.items():
        yield Case(f"log/{name}", f"{POD}/web/log{query}")
    for pod in ("unbound", "nowhere", "homeless", "missing", "redirected", "broken", "garbled", "refused", "failing"):
        yield Case(f"log/{pod}", f"{POD}/{pod}/log")


def streams():
    run = "exec?container=web&stdout=1&command=echo&command=hi"
    yield Case("exec/no-upgrade", f"{POD}/web/{run}")
    yield Case("exec/post-no-upgrade", f"{POD}/web/{run}", method="POST")
    yield Case("exec/no-container", f"{POD}/web/exec?command=echo&stdout=1", websocket("v4.channel.k8s.io"))
    yield Case("exec/unknown-container", f"{POD}/web/exec?container=none&command=a", websocket("v4.channel.k8s.io"))
    yield Case("exec/v4", f"{POD}/web/{run}", websocket("v4.channel.k8s.io"))
    yield Case("exec/v4-post", f"{POD}/web/{run}", websocket("v4.channel.k8s.io"), method="POST")
    yield Case("exec/v1", f"{POD}/web/{run}", websocket())
    yield Case("exec/base64", f"{POD}/web/{run}", websocket("v4.base64.channel.k8s.io"))
    yield Case("exec/unknown-protocol", f"{POD}/web/{run}", websocket("none.channel.k8s.io"))
    yield Case("exec/no-streams", f"{POD}/web/exec?container=web&command=a", websocket("v4.channel.k8s.io"))
    yield Case("exec/not-running", f"{POD}/web/exec?container=idle&stdout=1&command=a", websocket("v4.channel.k8s.io"))
    yield Case("exec/spdy", f"{POD}/web/{run}", spdy("v4.channel.k8s.io"), method="POST", frames=False)
    yield Case("exec/spdy-unknown", f"{POD}/web/{run}", spdy("v9.channel.k8s.io"), method="POST")
    yield Case("attach/v4", f"{POD}/web/attach?container=web&stdout=1", websocket("v4.channel.k8s.io"))
    yield Case("portforward/v4", f"{POD}/web/portforward?ports=80&ports=81", websocket("v4.channel.k8s.io"))
    yield Case("portforward/spdy", f"{POD}/web/portforward", spdy("portforward.k8s.io"), method="POST", frames=False)
    yield Case("portforward/no-upgrade", f"{POD}/web/portforward")
    for pod in ("unbound", "nowhere", "homeless", "missing", "redirected", "broken", "garbled", "refused", "failing"):
        yield Case(f"exec/{pod}", f"{POD}/{pod}/exec?command=a&stdout=1", websocket("v4.channel.k8s.io"))
        yield Case(f"portforward/{pod}", f"{POD}/{pod}/portforward", spdy("portforward.k8s.io"), method="POST")
    # Who may only get must not open a stream with GET.
    yield Case("exec/reader", f"{POD}/web/{run}", websocket("v4.channel.k8s.io"), who="reader")
    yield Case("portforward/reader", f"{POD}/web/portforward?ports=80", websocket("v4.channel.k8s.io"), who="reader")
    yield Case("exec/reader-no-upgrade", f"{POD}/web/{run}", who="reader")
    yield Case("exec/reader-missing", f"{POD}/missing/{run}", who="reader")


def proxies():
    for node in ("a", "gone", "none", "homeless", "redirected"):
        yield Case(f"proxy/{node}", f"/api/v1/nodes/{node}/proxy/pods")
    yield Case("proxy/no-slash", "/api/v1/nodes/a/proxy?x=1")
    yield Case("proxy/scheme", "/api/v1/nodes/https:a:{port}/proxy/healthz")
    yield Case("proxy/other-port", "/api/v1/nodes/a:1/proxy/healthz")
    yield Case("proxy/bad-name", "/api/v1/nodes/ftp:a:1/proxy/healthz")
    yield Case("proxy/post", "/api/v1/nodes/a/proxy/healthz", method="POST", body="x")
    yield Case("proxy/pod-loopback", f"{POD}/web/proxy/")
    yield Case("proxy/pod-without-address", f"{POD}/unbound/proxy/")
    yield Case("proxy/pod-missing", f"{POD}/missing/proxy/")
    yield Case("proxy/upgrade", "/api/v1/nodes/a/proxy/exec/default/web/web?output=1&command=hi",
               websocket("v4.channel.k8s.io"))


def watches():
    watch = "/api/v1/namespaces/default/configmaps?watch=true&fieldSelector=metadata.name%3Dseen"
    yield Case("watch/websocket", watch, websocket(Origin="http://localhost"))
    yield Case("watch/protocol", watch, websocket("base64.binary.k8s.io", Origin="http://localhost"))
    yield Case("watch/protocols", watch, websocket("a", "b", Origin="http://localhost"))
    yield Case("watch/no-origin", watch, websocket())
    yield Case("watch/no-key", watch, {k: v for k, v in websocket(Origin="http://localhost").items() if "Key" not in k})
    yield Case("watch/old-version", watch, dict(websocket(Origin="http://localhost"), **{"Sec-WebSocket-Version": "8"}))
    yield Case("watch/protobuf", watch, dict(websocket(Origin="http://localhost"),
                                             Accept="application/vnd.kubernetes.protobuf"), frames=False)
    yield Case("watch/forbidden", watch, websocket(Origin="http://localhost"), who="reader")
    yield Case("watch/list", watch.replace("watch=true&", ""), websocket(Origin="http://localhost"))


def all_cases():
    for part in (logs, streams, proxies, watches):
        yield from part()
