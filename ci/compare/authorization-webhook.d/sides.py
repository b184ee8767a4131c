"""One of the two servers that are compared: what it is sent, and what its webhook was asked."""

import http.client
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "clients.d"))
import servers  # noqa: E402

REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews"


def without_ports(value):
    return json.loads(re.sub(r"127\.0\.0\.1:\d{4,5}", "127.0.0.1:PORT", json.dumps(value)))


class Side:
    def __init__(self, name, folder, hook):
        self.name, self.hook = name, hook
        kubeconfig = folder / "admin.kubeconfig"
        self.context = servers.client_context(kubeconfig, folder)
        self.port = int(re.search(r"server: https://[^:]+:(\d+)", kubeconfig.read_text())[1])

    def send(self, method, path, body, headers):
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, context=self.context, timeout=60)
        headers = {"Content-Type": "application/json", "Accept": "application/json", **headers}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        text = response.read() if "watch=1" not in path or response.status != 200 else b"{}"
        connection.close()
        try:
            answer = json.loads(text)
        except ValueError:
            answer = text.decode(errors="replace")
        # Of what is allowed, the objects are for others to compare.
        shown = answer if response.status >= 400 or path == REVIEWS else ""
        if isinstance(shown, dict):
            shown.get("metadata", {}).pop("managedFields", None)
        return response.status, shown

    def run(self, requests):
        self.hook.take()
        for name, *request in requests:
            status, answer = self.send(*request)
            yield name, {"status": status, "answer": without_ports(answer), "asked": without_ports(self.hook.take())}


def compare(title, ours, real):
    """How many requests differ, and how many reviews the real server sent."""
    wrong = asked = 0
    for (name, own), (_, other) in zip(ours, real, strict=True):
        asked += len(other["asked"])
        if own == other:
            continue
        wrong += 1
        print(f"{title}: {name}:")
        for part in other:
            if own[part] != other[part]:
                print(f"    {part}: ours {json.dumps(own[part])[:700]}\n    {part}: real {json.dumps(other[part])[:700]}")
    print(f"{title}: {len(ours)} requests")
    return wrong, asked
