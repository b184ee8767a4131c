"""Random requests, most of them near the edges of what a kubelet serves."""

import re
from dataclasses import dataclass

from people import ODD, PLAIN, Credential, as_subprotocol

METHODS = {"GET": 50, "POST": 20, "HEAD": 5, "PUT": 5, "DELETE": 3, "PATCH": 3, "OPTIONS": 3, "CONNECT": 2, "TRACE": 1,
           "FOO": 2, "get": 1, "Post": 1, "G@T": 0.3}
NAMESPACES = ["default"] * 6 + ["other", "kube-system"]
PODS = ["web"] * 6 + ["gone", "we"]
CONTAINERS = ["web"] * 5 + ["idle", "idle", "gone"]
UIDS = ["11111111-1111-1111-1111-111111111111"] * 3 + ["22222222-2222-2222-2222-222222222222", "x"]
PATHS = (
    "/ /healthz /healthz/ping /healthz/log /healthz/syncloop /healthz/device-plugin /healthz/nope /livez /readyz "
    "/pods /pods /pods/ /pods/{ns}/{pod} /runningpods /runningpods/ /runningpods/x /runningPods/ /allocatedPods "
    "/allocatedPods/ /allocatedPods/{ns}/{pod} /allocatedPods/{ns}/{pod}/{uid} /stats /stats/ /stats/summary "
    "/stats/summary /stats/summary/x /stats/container /stats/{pod}/{ctr} /stats/{ns}/{pod}/{uid}/{ctr} /spec /spec/ "
    "/metrics /metrics/cadvisor /metrics/resource /metrics/resource/v1alpha1 /metrics/probes /metrics/slis /metrics/x "
    "/run/{ns}/{pod}/{ctr} /run/{ns}/{pod}/{uid}/{ctr} /exec/{ns}/{pod}/{ctr} /exec/{ns}/{pod}/{uid}/{ctr} "
    "/attach/{ns}/{pod}/{ctr} /attach/{ns}/{pod}/{uid}/{ctr} /portForward/{ns}/{pod} /portForward/{ns}/{pod}/{uid} "
    "/containerLogs/{ns}/{pod}/{ctr} /containerLogs/{ns}/{pod}/{ctr} /checkpoint /checkpoint/{ns}/{pod}/{ctr} "
    "/checkpoint/{ns}/{pod}/{ctr} /logs /logs/ /logs/messages /logs/nope /logs/messages/ /logs/a/b /configz /configz "
    "/configz/x /flagz /flagz /flagz/x /statusz /statusz /statusz/x /debug /debug/pprof /debug/pprof/ "
    "/debug/pprof/heap /debug/pprof/cmdline /debug/pprof/symbol /debug/pprof/nope /debug/flags /debug/flags/v "
    "/debug/flags/v /cri/ /cri/exec/x /podsx /nope /*").split()
ANY_QUERY = ("x=y", "a;b", "x=1;y=2", "%zz", "a=%zz", "a=b&", "?", "&&", "a=%00", "=", "x=ü", "a+b=c+d")
LOG_QUERIES = (
    "follow=true tailLines=1 tailLines=0 tailLines=x tailLines=-1 previous=true previous=maybe limitBytes=0 limitBytes=5 "
    "sinceSeconds=-1 sinceSeconds=0 sinceSeconds=5 sinceTime=2026-01-01T00:00:00Z sinceTime=x timestamps=true stream=All "
    "stream=Stdout stream=Stderr stream=Bogus stream=Stdout&tailLines=1 tail=1 tail=all tail=x tail=-1 insecure=1 "
    "sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z tailLines=1&tailLines=2").split()
STREAM_QUERIES = (
    "output=1&command=echo&command=hi output=1 command=x input=1&output=1&error=1&tty=1 input=1&output=1 error=1 "
    "output=true&error=false output=0 stdin=1&stdout=1 tty=1 output=1&output=0 error=1&tty=1").split()
QUERIES = {
    "exec": STREAM_QUERIES, "attach": STREAM_QUERIES, "containerLogs": LOG_QUERIES,
    "run": ("cmd=echo%20hi", "cmd=a+b", "cmd=", "cmd=a;b", "cmd=a&cmd=b", "CMD=a", "cmd=%3Cb%3E", "cmd"),
    "portForward": ("port=80", "port=80&port=81", "port=0", "port=x", "port=70000", "port=-1", "port=", "ports=80"),
    "checkpoint": ("timeout=10", "timeout=0", "timeout=-1", "timeout=x", "timeout=", "timeout=99999999999999999999"),
    "healthz": ("verbose", "verbose=true", "exclude=ping", "verbose&exclude=ping", "verbose&exclude=nope&exclude=log"),
    "stats": ("only_cpu_and_memory=true", "only_cpu_and_memory=x", "only_cpu_and_memory=1"),
    "debug": ("debug=1", "debug=x", "debug=0"), "logs": ("query=kubelet", "query=", "tailLines=1"),
}
ACCEPTS = (
    "application/json", "*/*", "text/plain", "text/html", "application/xml", "application/*", "text/*", "json",
    "application/json;q=0", "application/json; q=0.5, text/plain", "text/html, */*;q=0.1", "application/json, text/html",
    "APPLICATION/JSON", "application/vnd.kubernetes.protobuf", "application/yaml", "application/json;charset=utf-8", ",",
    "application/openmetrics-text;version=1.0.0", "application/json;as=Flagz;v=v1alpha1;g=config.k8s.io",
    "application/yaml;as=Flagz;v=v1alpha1;g=config.k8s.io", "application/json;as=Flagz;v=v9;g=config.k8s.io",
    "application/json;as=Statusz;v=v1alpha1;g=config.k8s.io", "text/plain;version=0.0.4;escaping=allow-utf-8", "", "*", "*/json",
    "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited", " */* ")
CONTENTS = ("application/x-www-form-urlencoded", "application/json", "multipart/form-data", "text/plain", "a/b/c", ";",
            "multipart/form-data; boundary=x", "application/octet-stream")
BODIES = (b"a=b", b"%zz", b"a;b", b"{}", b"0", b"2", b"-1", b"x", b"1 ", b"4294967296", b"\xff\xfe", b"cmd=id", b"x" * 3000)
PROTOCOLS = ("v4.channel.k8s.io", "v5.channel.k8s.io", "channel.k8s.io", "base64.channel.k8s.io", "portforward.k8s.io",
             "v4.base64.channel.k8s.io", "v4.channel.k8s.io, channel.k8s.io", "nope", "nope, v4.channel.k8s.io", "",
             "v5.channel.k8s.io, v4.channel.k8s.io")
STREAMS = ("exec", "attach", "portForward")


@dataclass(frozen=True)
class Ask:
    method: str
    target: str
    headers: tuple = ()
    body: bytes = b""
    who: Credential = Credential()
    read_only: bool = False

    def raw(self):
        lines = [f"{self.method} {self.target} HTTP/1.1", "Host: node-a"]
        lines += [f"{name}: {value}" for name, value in self.headers]
        if self.who.authorization is not None:
            lines.append(f"Authorization: {self.who.authorization}")
        if self.who.subprotocols is not None:
            lines.append(f"Sec-WebSocket-Protocol: {self.who.subprotocols}")
        if self.body or self.method in ("POST", "PUT", "PATCH"):
            lines.append(f"Content-Length: {len(self.body)}")
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + self.body

    def __str__(self):
        text = f"{self.method} {self.target if len(self.target) < 200 else self.target[:200] + '…'}"
        text += "".join(f" | {name}: {value}" for name, value in self.headers)
        if self.body:
            text += f" | {self.body[:60]!r}"
        return f"{text} | {'read-only port' if self.read_only else self.who}"


def mutations(chance, path):
    """One step away from `path`; where it happens is up to chance."""
    at = chance.randint(1, len(path)) if path else 0
    slash = chance.choice([m.start() for m in re.finditer("/", path)] or [0])
    parts = path.split("/")
    part = chance.randrange(len(parts))
    one = path[at - 1:at]
    return [
        lambda: path + "/", lambda: path.rstrip("/"), lambda: path + "/x", lambda: path + "/x/y",
        lambda: "/".join(parts[:-1]), lambda: "/".join(parts[:part] + parts[part + 1:]),
        lambda: path[:slash] + "//" + path[slash + 1:], lambda: "/" + path,
        lambda: path[:slash] + chance.choice(["/./", "/../", "/x/../", "/%2e%2e/", "/.%2E/", "/%2e/"]) + path[slash + 1:],
        lambda: path + chance.choice(["/.", "/..", "/../", "/%2e%2e", ".", "%2f..%2f"]),
        lambda: path[:slash] + chance.choice(["%2f", "%2F", "/%2f", "%252f"]) + path[slash + 1:],
        lambda: path[:at - 1] + "".join(f"%{b:02x}" for b in one.encode()) + path[at:],
        lambda: path[:at - 1] + one.swapcase() + path[at:], lambda: path.upper(),
        lambda: path[:at] + chance.choice("ü€ ,;:@!$&'()*+=~_-|<>\"`^{}[]\\") + path[at:],
        lambda: path[:at] + chance.choice(["%zz", "%", "%2", "%00", "%0a", "%20", "%25", "%C3%BC", "%ff", "%3f", "%23", "%3b"])
        + path[at:],
        lambda: path + ";" + chance.choice(["", "x=y", "/x"]), lambda: path + "#" + chance.choice(["", "x"]),
        lambda: path[:slash + 1] + "n" * chance.choice([300, 5000, 12000]) + path[slash + 1:],
        lambda: "http://node-b" + path, lambda: path[1:], lambda: chance.choice(["*", "/*", "//", "", "?", "/?"]),
        lambda: path[:at], lambda: path[at:],
    ]


def some_path(chance):
    path = chance.choice(PATHS).format(ns=chance.choice(NAMESPACES), pod=chance.choice(PODS),
                                       ctr=chance.choice(CONTAINERS), uid=chance.choice(UIDS))
    kind = (path.split("/") + [""])[1]
    for _ in range(chance.choice([0] * 11 + [1] * 7 + [2] * 2)):
        path = chance.choice(mutations(chance, path))()
    return kind, path


def some_query(chance, kind):
    if kind in QUERIES and chance.random() < 0.6:
        text = chance.choice(QUERIES[kind])
        return "?" + text + chance.choice(["", "", "", "", "&" + chance.choice(ANY_QUERY)])
    return "?" + chance.choice(ANY_QUERY) if chance.random() < 0.1 else ""


def some_method(chance, kind):
    usual = {"run": "POST", "checkpoint": "POST"}.get(kind)
    if usual and chance.random() < 0.6:
        return usual
    return chance.choices(list(METHODS), METHODS.values())[0]


def some_credential(chance, people):
    pick = chance.random()
    if pick < 0.08:
        return Credential()
    certificate = chance.choice(PLAIN) if pick < 0.45 else chance.choice(list(ODD)) if pick < 0.55 else None
    if certificate and chance.random() < 0.9:
        return Credential(certificate=certificate)
    token = chance.choice(people.active if chance.random() < 0.85 else people.bad + ["unknown"])
    known = token if token in people.tokens else None
    if chance.random() < 0.06:
        return Credential(certificate, subprotocols=some_subprotocols(chance, token), token=known)
    if chance.random() < 0.85:
        return Credential(certificate, f"Bearer {token}", token=known)
    shape = chance.choice([
        "bearer {}", "BEARER {}", "Bearer  {}", " Bearer {}", "Bearer {} ", "Bearer {} x", "Bearer {} x y", "Bearer", "Bearer ", "",
        "Basic dXNlcjpwYXNz", "Bearer\t{}", "{}", "Token {}", "Bearer,{}", "Bearer:{}", "Digest x", "Bearer " + "t" * 9000])
    return Credential(certificate, shape.format(token), token=known if "{}" in shape else None)


def some_subprotocols(chance, token):
    good = as_subprotocol(token)
    prefix = "base64url.bearer.authorization.k8s.io."
    return chance.choice([
        f"{good}, v4.channel.k8s.io", f"v4.channel.k8s.io, {good}", f"{good},v4.channel.k8s.io", good, f"{good}, {good}, x",
        f"{prefix}, x", f"{prefix}%%%, x", f"{prefix}_-_-, x", f"{good}=, x", f"{good}, nope", f"{prefix}YWJj, v4.channel.k8s.io"])


def upgrade(chance, kind, who):
    """The headers that ask for a stream, whole or with something amiss."""
    if chance.random() > (0.6 if kind in STREAMS else 0.03) and not who.subprotocols:
        return []
    if chance.random() < 0.2 and not who.subprotocols:
        return [("Connection", "Upgrade"), ("Upgrade", chance.choice(["SPDY/3.1", "spdy/3.1", "h2c", "x"])),
                ("X-Stream-Protocol-Version", chance.choice(PROTOCOLS))]
    out = [("Connection", chance.choice(["Upgrade"] * 6 + ["upgrade", "keep-alive, Upgrade", "close"])),
           ("Upgrade", chance.choice(["websocket"] * 6 + ["WebSocket", "websockets"])),
           ("Sec-WebSocket-Version", chance.choice(["13"] * 8 + ["8", "x"])),
           ("Sec-WebSocket-Key", chance.choice(["dGhlIHNhbXBsZSBub25jZQ=="] * 8 + ["x"]))]
    if not who.subprotocols and chance.random() < 0.8:
        out.append(("Sec-WebSocket-Protocol", chance.choice(PROTOCOLS)))
    if chance.random() < 0.1:
        out.append(("Origin", "http://example.com"))
    return [header for header in out if chance.random() < 0.97]


def some_ask(chance, people, has_read_only_port):
    kind, path = some_path(chance)
    method = "GET" if kind in STREAMS and chance.random() < 0.6 else some_method(chance, kind)
    who = some_credential(chance, people)
    headers = upgrade(chance, kind, who)
    if chance.random() < 0.25:
        headers.append(("Accept", chance.choice(ACCEPTS)))
    if chance.random() < 0.04:
        headers.append(("Accept-Encoding", chance.choice(["gzip", "deflate", "identity", "gzip;q=0", "*"])))
    body = chance.choice(BODIES) if chance.random() < (0.6 if kind == "debug" else 0.15) and not headers else b""
    if chance.random() < (0.5 if body else 0.04):
        headers.append(("Content-Type", chance.choice(CONTENTS)))
    return Ask("PUT" if path.endswith("/flags/v") and chance.random() < 0.5 else method, path + some_query(chance, kind),
               tuple(headers), body, who, has_read_only_port and chance.random() < 0.2)
