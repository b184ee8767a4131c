"""The RBAC objects that kube-apiservers make when they first start, as the table fakes/apiserver/discovery/bootstrap_roles.toml.

    bootstrap_roles.py NODEBOUND OUT DIR...        each DIR has kube-apiserver and etcd of one release: …/v1.36.3

Starts each server, keeps what it lists as OUT/v1.36.3.json, and prints the table of all that OUT then has. What the rule
catalogue has is left out.
"""

import json
import pathlib
import sys
import tempfile
import tomllib
import urllib.request

import servers

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
RESOURCES = ("clusterroles", "clusterrolebindings", "roles", "rolebindings")


def listed(url, client):
    out = {}
    for resource in RESOURCES:
        path = f"{url}/apis/rbac.authorization.k8s.io/v1/{resource}"
        with urllib.request.urlopen(path, context=client, timeout=30) as answer:
            out[resource] = json.load(answer)["items"]
    return out


def objects_of(nodebound, binaries):
    """What a server of that folder has listed after its start."""
    version = binaries.name.removeprefix("v")
    with tempfile.TemporaryDirectory() as work:
        fake, real = pathlib.Path(work) / "fake", pathlib.Path(work) / "real"
        fake.mkdir()
        real.mkdir()
        running = []
        try:
            running.append(servers.start_nodebound(nodebound, version, fake, ()))
            running += servers.start_real(binaries, fake, real)
            text = (real / "admin.kubeconfig").read_text()
            url = next(line.split()[-1] for line in text.splitlines() if "server:" in line)
            context = servers.client_context(real / "admin.kubeconfig", real)
            return listed(url, context)
        finally:
            for process in running:
                process.stop()


def known_names():
    """Names of the roles and bindings that the rule catalogue has."""
    names = set()
    for group in tomllib.loads((ROOT / "reference" / "rules.toml").read_text())["group"]:
        for rule in group["rule"]:
            role = rule.get("role", {})
            names |= {(kind, role[key]) for kind, key in (("clusterroles", "name"), ("clusterrolebindings", "binding"))
                      if key in role}
    return names


def inline(value):
    """A value in TOML, in one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {inline(own)}" for name, own in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(inline, value)) + "]"
    return json.dumps(value)


def lines_of(item):
    """The lines of an entry but for its name and range."""
    labels = {f'"{name}"': value for name, value in item["metadata"]["labels"].items()
              if name != "kubernetes.io/bootstrapping"}
    lines = [f"labels = {inline(labels)}"] if labels else []
    if "aggregationRule" in item:
        selectors = [selector["matchLabels"] for selector in item["aggregationRule"]["clusterRoleSelectors"]]
        lines.append(f"aggregates = {inline([next(iter(labels)) for labels in selectors])}")
    if "roleRef" in item:
        lines.append(f'role = {inline(item["roleRef"]["name"])}')
        if item["roleRef"]["kind"] == "ClusterRole" and item["metadata"].get("namespace"):
            lines.append("cluster_role = true")
        for kind, field in (("User", "users"), ("Group", "groups"), ("ServiceAccount", "service_accounts")):
            names = [s["name"] if kind != "ServiceAccount" else f'{s["namespace"]}/{s["name"]}'
                     for s in item.get("subjects") or [] if s["kind"] == kind]
            if names:
                lines.append(f"{field} = {inline(names)}")
    fields = {"verbs": "verbs", "apiGroups": "groups", "resources": "resources", "resourceNames": "names",
              "nonResourceURLs": "urls"}
    rules = [inline({short: rule[name] for name, short in fields.items() if rule.get(name)})
             for rule in item.get("rules") or []]
    if rules:
        lines += ["rules = [", *(f"  {rule}," for rule in rules), "]"]
    return lines


def entries(resource, releases):
    """(name, namespace, lines, since, until) of the objects of a resource, the ranges from one release to another."""
    known = known_names()
    history = {}
    for at, (_, listed_objects) in enumerate(releases):
        for item in listed_objects[resource]:
            name = item["metadata"]["name"]
            if (resource, name) in known or "kubernetes.io/bootstrapping" not in item["metadata"].get("labels", {}):
                continue
            history.setdefault((item["metadata"].get("namespace", ""), name), {})[at] = lines_of(item)
    for (namespace, name), by_release in sorted(history.items()):
        start = None
        for at in range(len(releases) + 1):
            if start is not None and by_release.get(at) != by_release[start]:
                until = releases[at][0] if at < len(releases) else None
                yield name, namespace, by_release[start], releases[start][0], until
                start = None
            if start is None and at in by_release:
                start = at


def short(version, versions):
    """1.36 for the first release of 1.36 that was looked at, 1.36.3 for a later one."""
    minor = version.rsplit(".", 1)[0]
    first = next(own for own in versions if own.rsplit(".", 1)[0] == minor)
    return minor if version == first else version


def print_table(out):
    order = sorted(out.glob("v*.json"), key=lambda path: [int(part) for part in path.stem[1:].split(".")])
    releases = [(path.stem[1:], json.loads(path.read_text())) for path in order]
    versions = [version for version, _ in releases]
    print((HERE / "bootstrap_roles.head").read_text(), end="")
    for resource in RESOURCES:
        for name, namespace, lines, since, until in entries(resource, releases):
            print(f"\n[[{resource}]]\nname = {inline(name)}")
            if namespace:
                print(f"namespace = {inline(namespace)}")
            print(f'since = "{short(since, versions)}"')
            if until:
                print(f'until = "{short(until, versions)}"')
            print("\n".join(lines))


def main():
    nodebound, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    for folder in map(pathlib.Path, sys.argv[3:]):
        target = out / f"{folder.name}.json"
        if not target.exists():
            target.write_text(json.dumps(objects_of(nodebound, folder)))
            print(folder.name, file=sys.stderr, flush=True)
    print_table(out)


if __name__ == "__main__":
    main()
