"""Whether a real kubelet of one release answers as that release does: statuses and bodies, byte for byte.

    check.py VERSION
"""

import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import kubelet  # noqa: E402

RIGHTS = {
    "admin": {"* *"},
    "fine": {"get pods"},
    "proxy": {"get proxy"},
    "unreviewed": None,
}
NO_ROUTE = b"404 page not found\n"
NOT_FOUND = b"404: Page Not Found"
NOT_ALLOWED = b"405: Method Not Allowed"
CONTAINER = '{"name":"%s","image":"example.com/%s:1","resources":{"requests":{"cpu":"100m"}}}'
PODS = (
    '{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[{"metadata":{"name":"web","namespace":"default",'
    '"uid":"11111111-1111-1111-1111-111111111111","creationTimestamp":"2026-01-01T00:00:00Z"},"spec":{"containers":['
    + CONTAINER % ("web", "web") + "," + CONTAINER % ("idle", "idle")
    + '],"nodeName":"node-a"},"status":{"phase":"Running"}}]}\n'
).encode()


def refusal(minor, user, verb, *subresources):
    """The body of 403: since 1.32 of all subresources that would have done."""
    if minor < 32:
        return f"Forbidden (user={user}, verb={verb}, resource=nodes, subresource={subresources[-1]})".encode()
    # Fine-grained authorization is off by default before 1.33.
    listed = " ".join(subresources if minor >= 33 else subresources[-1:])
    return f"Forbidden (user={user}, verb={verb}, resource=nodes, subresource(s)=[{listed}])\n".encode()


def expectations(minor):
    """(user, method, path, status, body): the user's name is one of a certificate, or `token:NAME`, or None."""
    fine = (200, PODS) if minor >= 33 else (403, refusal(minor, "fine", "get", "pods", "proxy"))
    redirected = (307, b'<a href="/runningpods/">Temporary Redirect</a>.\n\n') if minor >= 36 else \
        (301, b'<a href="/runningpods/">Moved Permanently</a>.\n\n')
    checkpoint = b'{"items":["/var/lib/kubelet/checkpoints/checkpoint-web_default-web.tar"]}'
    checkpointed = (200, checkpoint) if minor >= 30 else (404, NO_ROUTE)
    return [
        (None, "GET", "/nope", 404, NO_ROUTE),
        (None, "GET", "/runningpods", *redirected),
        (None, "GET", "/pods", 401, b"Unauthorized"),
        ("token:nobody", "GET", "/pods", 403, refusal(minor, "nobody", "get", "pods", "proxy")),
        ("token", "GET", "/pods", 401, b"Unauthorized"),
        ("stranger", "GET", "/pods", 401, b"Unauthorized"),
        ("nobody", "GET", "/pods", 403, refusal(minor, "nobody", "get", "pods", "proxy")),
        ("nobody", "GET", "/metrics", 403, refusal(minor, "nobody", "get", "metrics")),
        ("nobody", "DELETE", "/exec/default/web/web", 403, refusal(minor, "nobody", "delete", "proxy")),
        ("nobody", "HEAD", "/healthz", 403, b""),
        ("fine", "GET", "/pods", *fine),
        ("fine", "POST", "/pods", 403, refusal(minor, "fine", "create", "pods", "proxy")),
        ("fine", "GET", "/configz", 403, refusal(minor, "fine", "get", "configz", "proxy")),
        ("proxy", "GET", "/pods", 200, PODS),
        ("proxy", "GET", "/stats/summary", 403, refusal(minor, "proxy", "get", "stats")),
        ("proxy", "GET", "/exec/default/gone/web?output=1", 404, b"pod does not exist"),
        ("proxy", "HEAD", "/pods", 403, b""),
        ("proxy", "POST", "/run/default/web/web?cmd=id", 403, refusal(minor, "proxy", "create", "proxy")),
        ("unreviewed", "GET", "/metrics", 500,
         b"Authorization error (user=unreviewed, verb=get, resource=nodes, subresource=metrics)"),
        ("admin", "GET", "/healthz", 200, b"ok"),
        ("admin", "GET", "/pods/x", 404, NOT_FOUND),
        ("admin", "POST", "/pods", 405, NOT_ALLOWED),
        ("admin", "PUT", "/exec/default/web/web", 405, NOT_ALLOWED),
        ("admin", "POST", "/run/default/web/web?cmd=echo%20hi", 200, b"echo hi\n"),
        ("admin", "POST", "/run/default/web/idle?cmd=id", 500, b'container not found ("idle")'),
        ("admin", "GET", "/containerLogs/default/web/web", 200, b"started\n"),
        ("admin", "POST", "/checkpoint/default/web/web", *checkpointed),
    ]


def ask(server, user, method, path):
    if user is None:
        return server.ask(method, path)
    if user.startswith("token"):
        token = user.replace("token:", "token-of-")
        return server.ask(method, path, headers=[("Authorization", f"Bearer {token}")])
    ca = "other-ca" if user == "stranger" else "ca"
    return server.ask(method, path, certificate=server.certificate(user, ca))


def differences(server, minor):
    for user, method, path, status, body in expectations(minor):
        answer = ask(server, user, method, path)
        if (answer.status, answer.body) != (status, body):
            yield f"{user or 'no one'}: {method} {path}: expected {status} {body}, got {answer.status} {answer.body}"


def reviewed_verb(server):
    """HEAD has no verb of its own: a kubelet asks for the empty one."""
    server.reviews.asked.clear()
    server.as_user("verbless", "HEAD", "/stats/summary")
    asked = [spec["resourceAttributes"] for spec in server.reviews.asked]
    expected = [{"version": "v1", "resource": "nodes", "subresource": "stats", "name": kubelet.NODE}]
    if asked != expected:
        yield f"HEAD /stats/summary: expected the review of {expected}, got {asked}"


def main():
    version = sys.argv[1].removeprefix("v")
    minor = int(version.split(".")[1])
    with tempfile.TemporaryDirectory() as folder, kubelet.Kubelet(version, folder, RIGHTS) as server:
        found = [*differences(server, minor), *reviewed_verb(server)]
    print(*found, sep="\n", end="\n" if found else "")
    print(f"kubelet {version}: {len(expectations(minor)) + 1} answers checked, {len(found)} differ")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
