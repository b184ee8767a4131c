"""Sends the writes to both API servers, and compares what their webhooks were asked and what was answered."""

import http.client
import json
import pathlib
import re
import sys
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "clients.d"))
sys.path.insert(0, str(HERE))
import cases  # noqa: E402
import policies  # noqa: E402
import servers  # noqa: E402
import webhook  # noqa: E402

DRAWN = {"uid": "UID", "resourceVersion": "VERSION", "creationTimestamp": "TIME", "time": "TIME", "deletionTimestamp": "TIME",
         "expirationTimestamp": "TIME", "token": "TOKEN", "lastTransitionTime": "TIME"}


def normal(value, port):
    """Without what a server draws by chance."""
    if isinstance(value, dict):
        return {key: DRAWN[key] if key in DRAWN and isinstance(item, str) else normal(item, port)
                for key, item in value.items()}
    if isinstance(value, list):
        out = [normal(item, port) for item in value]
        # Managers stand in the order of their times.
        managers = bool(out) and all(isinstance(item, dict) and "fieldsV1" in item for item in out)
        return sorted(out, key=lambda item: json.dumps(item, sort_keys=True)) if managers else out
    if not isinstance(value, str):
        return value
    value = re.sub(rf"127\.0\.0\.1:{port}\b", "WEBHOOK", value)
    value = re.sub(r"\b(g-|kube-api-access-)[b-z2-9]{5}\b", r"\1SUFFIX", value)
    value = re.sub(r"127\.0\.0\.1:\d{4,5}->", "127.0.0.1:PORT->", value)
    return re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UID", value)


class Side:
    def __init__(self, name, folder, hook):
        self.name, self.hook = name, hook
        kubeconfig = folder / "admin.kubeconfig"
        self.context = servers.client_context(kubeconfig, folder)
        self.port = int(re.search(r"server: https://[^:]+:(\d+)", kubeconfig.read_text())[1])

    def send(self, method, path, body, content_type, more_headers=None):
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, context=self.context, timeout=60)
        headers = {"Content-Type": content_type, "User-Agent": "compare/1", "Accept": "application/json",
                   **(more_headers or {})}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        text = response.read()
        warnings = [value for name, value in response.getheaders() if name.lower() == "warning"]
        connection.close()
        try:
            answer = json.loads(text)
        except ValueError:
            answer = text.decode(errors="replace")
        return response.status, answer, warnings

    def prepare(self):
        for name, labels in (("plain", {}), ("seen", {"seen": "yes"})):
            self.expect("/api/v1/namespaces", {"metadata": {"name": name, "labels": labels}})
        self.expect("/api/v1/nodes", {"metadata": {"name": "n"}})
        for configuration in cases.configurations(self.hook):
            resource = configuration["kind"].lower() + "s"
            self.expect(f"/apis/{cases.GROUP}/{resource}", configuration)
        for path, body in policies.objects():
            self.expect(path, body)
        # A real server learns of the configurations from its informer, and looks for new policies once a second.
        self.wait_for(cases.config_map("ready", "v-deny"), 400)
        self.wait_for(policies.config_map("ready", "deny"), 422)
        time.sleep(2)
        self.hook.take()

    def wait_for(self, refused, status):
        for _ in range(200):
            if self.send("POST", cases.PLAIN + "?dryRun=All", refused, cases.JSON)[0] == status:
                return
            time.sleep(0.1)
        raise SystemExit(f"compare-admission: {self.name}: nothing refuses {refused} with {status}")

    def expect(self, path, body):
        status, answer, _ = self.send("POST", path, body, cases.JSON)
        if status != 201:
            raise SystemExit(f"compare-admission: {self.name}: POST {path}: {status} {answer}")

    def run(self):
        for name, *request in [*cases.requests(), *policies.requests()]:
            status, answer, warnings = self.send(*request)
            port = self.hook.port
            asked = normal(self.hook.take(), port)
            if name == "patch nothing":
                # A real server asks again where its cache may be old.
                asked = [each for at, each in enumerate(asked) if each not in asked[:at]]
            asked.sort(key=lambda each: json.dumps(each, sort_keys=True))
            yield name, normal({"status": status, "answer": answer, "warnings": warnings}, port), asked


def differences(path, ours, real):
    if type(ours) is not type(real):
        return [f"{path}: ours {json.dumps(ours)[:300]}, real {json.dumps(real)[:300]}"]
    if isinstance(ours, dict):
        out = []
        for key in sorted(set(ours) | set(real)):
            if key not in ours or key not in real:
                who, value = ("real", real[key]) if key not in ours else ("ours", ours[key])
                out.append(f"{path}.{key}: only {who}: {json.dumps(value)[:300]}")
            else:
                out += differences(f"{path}.{key}", ours[key], real[key])
        return out
    if isinstance(ours, list) and len(ours) != len(real):
        return [f"{path}: ours {len(ours)} items, real {len(real)}"]
    if isinstance(ours, list):
        return [line for at, (a, b) in enumerate(zip(ours, real)) for line in differences(f"{path}[{at}]", a, b)]
    return [] if ours == real else [f"{path}: ours {json.dumps(ours)[:300]}, real {json.dumps(real)[:300]}"]


def explained(name, line, allowed, used):
    for at, one in enumerate(allowed):
        if re.fullmatch(one["of"], name) and re.match(one["path"], line):
            used.add(at)
            return True
    return False


def main():
    arguments = servers.read_arguments()
    names = ("nodebound", "real")
    folders = dict(zip(names, servers.fresh_folders(arguments.out, *names)))
    hook = webhook.Webhook(folders["nodebound"])
    # A server without controllers makes no service account that pods could use.
    off = ("--disable-admission-plugins=ServiceAccount",)
    started = [servers.start_nodebound(arguments.nodebound, arguments.version, folders["nodebound"], [], more=off)]
    try:
        started += servers.start_real(arguments.binaries, folders["nodebound"], folders["real"], more=off)
        sides = [Side(name, folder, hook) for name, folder in folders.items()]
        seen = []
        for side in sides:
            side.prepare()
            seen.append(list(side.run()))
    finally:
        for server in started:
            server.stop()
    allowed = tomllib.loads((HERE / "allowed.toml").read_text())["difference"]
    used = set()
    asked, wrong, known = 0, 0, 0
    for (name, answer, reviews), (_, real_answer, real_reviews) in zip(*seen):
        asked += len(real_reviews)
        found = differences("answer", answer, real_answer) + differences("asked", reviews, real_reviews)
        unexplained = [line for line in found if not explained(name, line, allowed, used)]
        known += len(found) - len(unexplained)
        found = unexplained
        if found:
            wrong += 1
            print(f"{name}:")
            for line in found:
                print("    " + line)
    for at, one in enumerate(allowed):
        if at not in used:
            wrong += 1
            print(f"allowed.toml: nothing differs so any more: {one['of']}: {one['path']}")
    print(f"{len(seen[0])} writes, {asked} reviews asked by the real server; {wrong} writes differ, and {known} fields that "
          "allowed.toml names")
    sys.exit(1 if wrong or not asked else 0)


main()
