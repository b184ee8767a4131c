"""Values that do not fit their fields, and values that just fit: by type, over several kinds and all ways to write."""

import base64
import json
import random

from cases import Case, request

SHOP = "/api/v1/namespaces/shop"
PATCHES = {
    "merge": "application/merge-patch+json",
    "strategic": "application/strategic-merge-patch+json",
    "json patch": "application/json-patch+json",
    "apply": "application/apply-patch+yaml",
}
CONTAINER = {"name": "c", "image": "i.invalid/i"}


class Kind:
    """`there` is the name of an object that both servers have; None: objects are only created."""

    def __init__(self, kind, path, there, base=None, version="v1", changes=True):
        self.kind, self.path, self.there, self.version = kind, path, there, version
        self.base, self.changes = base or {}, changes

    def object(self, name):
        return {"kind": self.kind, "apiVersion": self.version, "metadata": {"name": name}, **json.loads(json.dumps(self.base))}


KINDS = {
    "node": Kind("Node", "/api/v1/nodes", "b"),
    "pod": Kind("Pod", f"{SHOP}/pods", "on-b", {"spec": {"nodeName": "b", "containers": [CONTAINER]}}, changes=False),
    "config map": Kind("ConfigMap", f"{SHOP}/configmaps", "settings", {"data": {"a": "b"}}),
    "secret": Kind("Secret", f"{SHOP}/secrets", "opaque", {"data": {"a": "Yg=="}}),
    "lease": Kind("Lease", "/apis/coordination.k8s.io/v1/namespaces/shop/leases", "beat", version="coordination.k8s.io/v1"),
    "event": Kind(
        "Event", f"{SHOP}/events", "happened", {"involvedObject": {"kind": "Pod", "name": "x", "namespace": "shop"}}
    ),
    "account": Kind("ServiceAccount", f"{SHOP}/serviceaccounts", "builder"),
    "claim": Kind(
        "PersistentVolumeClaim",
        f"{SHOP}/persistentvolumeclaims",
        "disk",
        {"spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}},
        changes=False,
    ),
    "csi node": Kind("CSINode", "/apis/storage.k8s.io/v1/csinodes", "b", {"spec": {"drivers": []}}, "storage.k8s.io/v1"),
    "runtime class": Kind(
        "RuntimeClass", "/apis/node.k8s.io/v1/runtimeclasses", "fast", {"handler": "h"}, "node.k8s.io/v1", changes=False
    ),
    "signing request": Kind(
        "CertificateSigningRequest",
        "/apis/certificates.k8s.io/v1/certificatesigningrequests",
        None,
        {"spec": {"signerName": "example.com/x", "usages": ["client auth"]}},
        "certificates.k8s.io/v1",
    ),
    "device claim": Kind(
        "ResourceClaim",
        "/apis/resource.k8s.io/v1/namespaces/shop/resourceclaims",
        None,
        {"spec": {"devices": {}}},
        "resource.k8s.io/v1",
    ),
}

# What both servers have before they are asked.
OBJECTS = [(kind.path, kind.object(kind.there)) for name, kind in KINDS.items() if name not in ("node", "pod", "account")]
OBJECTS = [(path, object) for path, object in OBJECTS if object["metadata"]["name"]]

QUANTITIES = '"1"|"1.5"|"0.5Gi"|"1024Mi"|"100m"|"1000m"|"1e3"|"2E3"|"+7"|"007"|"5."|".5"|"0"|"-0"|"10Ei"|"1e21"|"0.0001"|" 1 "|7|1.5|null'
BAD_QUANTITIES = '"four"|"1.0x"|"1 Gi"|"0x1"|""|"1KiB"|"1e"|"1mm"|"--1"|"1..2"|"١"|true|[]|{}|["1"]'
TIMES = '"2020-01-01T00:00:00Z"|"2020-01-01T01:02:03+01:00"|"2020-01-01T00:00:00.9Z"|"2020-01-01T1:00:00Z"|"0001-01-01T00:00:00Z"|null'
BAD_TIMES = (
    '"x"|""|"2020-01-01"|"2020-13-01T00:00:00Z"|"2020-02-30T00:00:00Z"|"2020-01-01T24:00:00Z"|"2020-01-01T00:60:00Z"'
    '|"2020-01-01T00:00:60Z"|"2020-01-01T00:00:00"|"2020-01-01T00:00:00+25:00"|"2020-01-01T00:00:00Zx"|"2020-1-1T00:00:00Z"'
    '|"2020-01-01 00:00:00Z"|"\\u00fc"|3|true|{}|[]'
)
MICRO_TIMES = '"2020-01-01T00:00:00.000001Z"|"2020-01-01T00:00:00,123456+02:00"|"0001-01-01T00:00:00.000000Z"|null'
BAD_MICRO_TIMES = '"2020-01-01T00:00:00Z"|"2020-01-01T00:00:00.5Z"|"2020-01-01T00:00:00.0000001Z"|"x"|""|3|[]|{}'
BYTES = '"YQ=="|"YR=="|"YQ\\n=="|""|[97,98]|null'
BAD_BYTES = '"*"|"YQ"|"YQ=a"|"YQ===="|"Y Q=="|"aaaa*"|"aaaaa"|"="|"YQ=\\n"|3|true|{}|["x"]|[300]'
TEXTS, BAD_TEXTS = '"x"', "3|1.5|true|[]|{}"
INT32S, BAD_INT32S = "1|null", '"1"|1.5|1.0|1e2|3000000000|-3000000000|99999999999999999999|true|[]|{}'
INT64S, BAD_INT64S = "1|3000000000|null", '"1"|1.5|9223372036854775808|true|[]|{}'
BOOLS, BAD_BOOLS = "true|null", '"true"|1|[]|{}'
PORTS, BAD_PORTS = '80|"http"', "true|1.5|99999999999|[]|{}"
MAPS, BAD_MAPS = "{}|null", '3|"x"|true|[]|{"a":3}|{"a":{}}'
LISTS, BAD_LISTS = "[]|null", '3|"x"|true|{}|[3]|[[]]'

# Kind, field, values that fit, values that do not; Names are divided by blanks; `#` stands before the place in a list.
FIELDS = [
    ("node", "status capacity cpu", QUANTITIES, BAD_QUANTITIES),
    ("node", "status allocatable memory", QUANTITIES, BAD_QUANTITIES),
    ("claim", "spec resources requests storage", '"1"|"0.5Gi"|"1024Mi"|"1e3"|" 7 "|7', BAD_QUANTITIES),
    ("pod", "spec overhead cpu", "", BAD_QUANTITIES),
    ("pod", "spec containers #0 resources limits cpu", QUANTITIES, BAD_QUANTITIES),
    ("runtime class", "overhead podFixed cpu", '"0.0001"|"1024Mi"', BAD_QUANTITIES),
    ("node", "status conditions #0 lastHeartbeatTime", TIMES, BAD_TIMES),
    ("node", "spec taints #0 timeAdded", "", BAD_TIMES),
    ("pod", "status startTime", TIMES, BAD_TIMES),
    ("event", "firstTimestamp", TIMES, BAD_TIMES),
    ("config map", "metadata creationTimestamp", "", BAD_TIMES),
    ("lease", "spec renewTime", MICRO_TIMES, BAD_MICRO_TIMES),
    ("event", "eventTime", "", BAD_MICRO_TIMES),
    ("secret", "data a", BYTES, BAD_BYTES),
    ("config map", "binaryData b", BYTES, BAD_BYTES),
    ("signing request", "spec request", "", BAD_BYTES),
    ("lease", "spec holderIdentity", TEXTS, BAD_TEXTS),
    ("config map", "data a", TEXTS, BAD_TEXTS),
    ("secret", "type", "", BAD_TEXTS),
    ("node", "status phase", TEXTS, BAD_TEXTS),
    ("node", "status nodeInfo kubeletVersion", TEXTS, BAD_TEXTS),
    ("pod", "spec restartPolicy", "", BAD_TEXTS),
    ("pod", "spec containers #0 image", "", BAD_TEXTS),
    ("account", "metadata uid", "", BAD_TEXTS),
    ("csi node", "spec drivers #0 nodeID", "", BAD_TEXTS),
    ("lease", "spec leaseDurationSeconds", INT32S, BAD_INT32S),
    ("node", "status daemonEndpoints kubeletEndpoint Port", INT32S, BAD_INT32S),
    ("event", "count", INT32S, BAD_INT32S),
    ("pod", "spec containers #0 ports #0 containerPort", "80", BAD_INT32S),
    ("csi node", "spec drivers #0 allocatable count", "", BAD_INT32S),
    ("signing request", "spec expirationSeconds", "", BAD_INT32S),
    ("pod", "spec terminationGracePeriodSeconds", INT64S, BAD_INT64S),
    ("config map", "metadata generation", "", BAD_INT64S),
    ("node", "spec unschedulable", BOOLS, BAD_BOOLS),
    ("secret", "immutable", "", BAD_BOOLS),
    ("account", "automountServiceAccountToken", BOOLS, BAD_BOOLS),
    ("pod", "spec hostNetwork", "", BAD_BOOLS),
    ("pod", "spec containers #0 livenessProbe httpGet port", PORTS, BAD_PORTS),
    ("pod", "spec containers #0 readinessProbe tcpSocket port", PORTS, BAD_PORTS),
    ("node", "metadata labels", MAPS, BAD_MAPS),
    ("config map", "data", MAPS, BAD_MAPS),
    ("secret", "data", MAPS, BAD_MAPS),
    ("secret", "stringData", MAPS, BAD_MAPS),
    ("node", "status capacity", MAPS, '3|"x"|true|[]'),
    ("pod", "spec containers #0 resources limits", "", '3|"x"|true|[]'),
    ("pod", "spec nodeSelector", MAPS, BAD_MAPS),
    ("node", "spec taints", "", BAD_LISTS),
    ("node", "status addresses", LISTS, BAD_LISTS),
    ("pod", "spec tolerations", LISTS, BAD_LISTS),
    ("pod", "spec containers #0 command", LISTS, BAD_LISTS),
    ("csi node", "spec drivers", LISTS, BAD_LISTS),
    ("account", "secrets", LISTS, BAD_LISTS),
    ("config map", "metadata finalizers", LISTS, BAD_LISTS),
    ("config map", "metadata ownerReferences", LISTS, BAD_LISTS),
    ("device claim", "spec devices requests", "", BAD_LISTS),
    ("runtime class", "scheduling tolerations", LISTS, BAD_LISTS),
]


# What an item of a list has besides the field that is asked about.
ITEMS = {
    "containers": CONTAINER,
    "taints": {"key": "k", "effect": "NoSchedule"},
    "conditions": {"type": "Ready", "status": "True"},
    "drivers": {"name": "d.example.com", "nodeID": "n"},
}


class Raw(str):
    """JSON text that stands for a value."""


def dumped(value):
    """JSON in which the text of raw values stands as it is."""
    raw = []

    def mark(each):
        if isinstance(each, Raw):
            raw.append(each)
            return f"@raw{len(raw) - 1}@"
        if isinstance(each, dict):
            return {key: mark(own) for key, own in each.items()}
        return [mark(own) for own in each] if isinstance(each, list) else each

    text = json.dumps(mark(value))
    for i, each in enumerate(raw):
        text = text.replace(f'"@raw{i}@"', each)
    return text


def put(object, path, value):
    """Sets a field, and makes what is around it."""
    names = [int(name[1:]) if name.startswith("#") else name for name in path.split(" ")]
    at, list_name = object, ""
    for name, then in zip(names, [*names[1:], None], strict=True):
        last = then is None
        if isinstance(name, int):
            while len(at) <= name:
                at.append(dict(ITEMS.get(list_name, {})))
            if last:
                at[name] = value
        elif last:
            at[name] = value
        elif not isinstance(at.get(name), list if isinstance(then, int) else dict):
            at[name] = [] if isinstance(then, int) else {}
        at, list_name = None if last else at[name], name
    return object


def send(method, path, body, media, query="", who="admin"):
    body = body if isinstance(body, bytes) else body.encode()
    target = f"{path}?dryRun=All{query}"
    return request(
        f"{method} {target} HTTP/1.1", f"Content-Type: {media}", f"Content-Length: {len(body)}", body=body, who=who
    )


def ways(kind, path, value, query=""):
    """Each way to write the value: its name and the request."""
    new = put(kind.object("new"), path, value)
    yield "create", send("POST", kind.path, dumped(new), "application/json", query)
    yield "create in YAML", send("POST", kind.path, dumped(new), "application/yaml", query)
    if kind.there is None:
        return
    top = path.partition(" ")[0]
    at = f"{kind.path}/{kind.there}" + ("/status" if top == "status" else "")
    whole = put(kind.object(kind.there), path, value)
    part = put({}, path, value)
    yield "update", send("PUT", at, dumped(whole), "application/json", query)
    for how in ("merge", "strategic"):
        yield how, send("PATCH", at, dumped(part), PATCHES[how], query)
    operation = [{"op": "add", "path": f"/{top}", "value": (part if top != "metadata" else whole)[top]}]
    yield "json patch", send("PATCH", at, dumped(operation), PATCHES["json patch"], query)
    applied = part | {"kind": kind.kind, "apiVersion": kind.version}
    applied["metadata"] = {"name": kind.there, **part.get("metadata", {})}
    yield "apply", send("PATCH", at, dumped(applied), PATCHES["apply"], query + "&fieldManager=values&force=true")


def fits(kind, how):
    return kind.changes or how.startswith("create")


def typed_cases():
    for name, path, good, bad in FIELDS:
        kind = KINDS[name]
        for value in [*filter(None, good.split("|")), *bad.split("|")]:
            is_good = value in good.split("|")
            for how, sent in ways(kind, path, Raw(value)):
                if is_good and not fits(kind, how):
                    continue
                yield Case("values", f"{name} {path} {value} by {how}", sent, shows=path)


STRICT = {
    "unknown": {"spec": {"foo": 1, "unschedulable": True}, "bar": {"bar": 1}},
    "unknown in metadata": {"metadata": {"foo": 1}},
    "unknown in a list": {"spec": {"taints": [{"key": "k", "effect": "NoSchedule", "foo": 1}]}},
    "kind in another case": {"Kind": "Node"},
}
REPEATED = {
    "repeated": '{"spec":{"unschedulable":true,"unschedulable":true}}',
    "repeated label": '{"metadata":{"name":"b","labels":{"a":"1","a":"2"}}}',
    "repeated and unknown": '{"spec":{"foo":1,"foo":2,"unschedulable":true,"unschedulable":true},"bar":1}',
}
DIRECTIVES = ("", "Ignore", "Warn", "Strict", "strict", "x")


def strict_cases():
    node = KINDS["node"]
    at = f"{node.path}/{node.there}"
    for directive in DIRECTIVES:
        query = f"&fieldValidation={directive}" if directive else ""
        for name, part in STRICT.items():
            new, whole = ({**node.object(each), **part} for each in ("new", "b"))
            for each, own in ((new, "new"), (whole, "b")):
                each["metadata"] = {"name": own, **part.get("metadata", {})}
            asked = [
                ("create", send("POST", node.path, json.dumps(new), "application/json", query)),
                ("create in YAML", send("POST", node.path, json.dumps(new), "application/yaml", query)),
                ("update", send("PUT", at, json.dumps(whole), "application/json", query)),
                ("merge", send("PATCH", at, json.dumps(part), PATCHES["merge"], query)),
                ("strategic", send("PATCH", at, json.dumps(part), PATCHES["strategic"], query)),
                ("apply", send("PATCH", at, json.dumps(whole), PATCHES["apply"], f"{query}&fieldManager=values&force=true")),
            ]
            for how, sent in asked:
                # An apply names several mistakes in random order.
                if name != "unknown" or how != "apply":
                    yield Case("validation of fields", f"{name} by {how}, {directive or 'none'}", sent, shows="spec")
        for name, text in REPEATED.items():
            whole = '{"kind":"Node","apiVersion":"v1",' + ('"metadata":{"name":"b"},' if "metadata" not in text else "") + text[1:]
            asked = [
                ("update", send("PUT", at, whole, "application/json", query)),
                ("update in YAML", send("PUT", at, whole.replace(",", ",\n"), "application/yaml", query)),
                ("merge", send("PATCH", at, text, PATCHES["merge"], query)),
                ("strategic", send("PATCH", at, text, PATCHES["strategic"], query)),
            ]
            if "unknown" not in name:
                apply = send("PATCH", at, whole, PATCHES["apply"], f"{query}&fieldManager=values&force=true")
                asked.append(("apply", apply))
            for how, sent in asked:
                yield Case("validation of fields", f"{name} by {how}, {directive or 'none'}", sent, shows="spec")
        operations = '[{"op":"add","path":"/spec/foo","path":"/spec/foo","value":{"a":1,"a":2},"x":3}]'
        yield Case(
            "validation of fields",
            f"json patch, {directive or 'none'}",
            send("PATCH", at, operations, PATCHES["json patch"], query),
            shows="spec",
        )


# Values that decode, and are refused by what they say: kind, field, value.
LIMITS = [
    *[("node", f"status {part} {resource}", value) for part in ("capacity", "allocatable")
      for resource, value in (("cpu", '"-1"'), ("pods", '"1500m"'), ("example.com/x", '"1500m"'), ("memory", '"1m"'))],
    ("node", "status addresses", '[{"type":"InternalIP","address":"y"},{"type":"InternalIP","address":"y"}]'),
    ("lease", "spec leaseDurationSeconds", "0"),
    ("lease", "spec leaseTransitions", "-1"),
    *[("pod", "spec containers #0 ports", value) for value in (
        '[{"containerPort":0}]', '[{"containerPort":65536}]', '[{"containerPort":-1}]', '[{"containerPort":80,"hostPort":-1}]',
        '[{"containerPort":80,"protocol":"X"}]', '[{"containerPort":80,"name":"A"}]',
        '[{"containerPort":80,"name":"a"},{"containerPort":81,"name":"a"}]',
        '[{"containerPort":80,"hostPort":80},{"containerPort":81,"hostPort":80}]')],
    *[("pod", "spec containers #0 env", value) for value in (
        '[{"name":""}]', '[{"value":"x"}]', '[{"name":"a=b"}]', '[{"name":"\\u00fc"}]', '[{"name":"A","valueFrom":{}}]',
        '[{"name":"A","value":"x","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}}]',
        '[{"name":"A","valueFrom":{"secretKeyRef":{"name":"s","key":""}}}]')],
    *[("pod", f"spec containers #0 {probe}", value) for probe in ("livenessProbe", "readinessProbe") for value in (
        "{}", '{"httpGet":{"port":0}}', '{"httpGet":{"port":"no_such"}}', '{"tcpSocket":{"port":65536}}',
        '{"httpGet":{"port":80},"tcpSocket":{"port":80}}', '{"tcpSocket":{"port":80},"periodSeconds":-1}',
        '{"tcpSocket":{"port":80},"successThreshold":2}', '{"exec":{"command":[]}}', '{"grpc":{"port":0}}',
        '{"tcpSocket":{"port":80},"initialDelaySeconds":-1,"timeoutSeconds":-1,"failureThreshold":-1}')],
    ("pod", "spec containers #0 readinessProbe", '{"tcpSocket":{"port":80},"terminationGracePeriodSeconds":3}'),
    *[("pod", "spec containers #0 resources", value) for value in (
        '{"limits":{"cpu":"1"},"requests":{"cpu":"2"}}', '{"limits":{"cpu":"-1"}}', '{"requests":{"memory":"-1"}}',
        '{"limits":{"x":"1"}}', '{"limits":{"example.com/x":"1500m"}}', '{"requests":{"example.com/x":"1"}}',
        '{"limits":{"example.com/x":"2"},"requests":{"example.com/x":"1"}}', '{"limits":{"hugepages-2Mi":"2Mi"}}',
        '{"requests":{"pods":"1"}}')],
    *[("pod", "spec affinity nodeAffinity requiredDuringSchedulingIgnoredDuringExecution nodeSelectorTerms", value) for value in (
        "[]", '[{"matchExpressions":[{"key":"a","operator":"X"}]}]', '[{"matchExpressions":[{"key":"a b","operator":"In"}]}]',
        '[{"matchExpressions":[{"key":"a","operator":"Exists","values":["x"]}]}]',
        '[{"matchExpressions":[{"key":"a","operator":"Gt","values":["x","y"]}]}]',
        '[{"matchFields":[{"key":"metadata.name","operator":"In","values":["a","b"]}]}]',
        '[{"matchFields":[{"key":"x","operator":"In","values":["a"]}]}]')],
    ("claim", "spec resources requests storage", '"-1"'),
    ("claim", "spec resources requests storage", '"0"'),
]


def limit_cases():
    for name, path, value in LIMITS:
        kind = KINDS[name]
        for how, sent in ways(kind, path, Raw(value)):
            if how in ("create", "merge") and fits(kind, how):
                yield Case("limits", f"{name} {path} {value} by {how}", sent)
    most = 1 << 20
    for name, part in (
        ("config map", {"data": {"a": "x" * most}}),
        ("config map", {"data": {"a": "x" * (most + 1)}}),
        ("config map", {"data": {"a": "x"}, "binaryData": {"a": "eA=="}}),
        ("secret", {"data": {"a": base64.b64encode(b"x" * most).decode()}}),
        ("secret", {"data": {"a": base64.b64encode(b"x" * (most + 1)).decode()}}),
        ("secret", {"stringData": {"a": "x" * (most + 1)}}),
        ("secret", {"stringData": {"a b": "x"}}),
    ):
        new = KINDS[name].object("new") | part
        yield Case("limits", f"{name} {json.dumps(part)[:24]} {len(json.dumps(part))}", send("POST", KINDS[name].path, json.dumps(new), "application/json"))
    for size in (262143, 262144):
        new = KINDS["config map"].object("new")
        new["metadata"]["annotations"] = {"a": "x" * size}
        yield Case("limits", f"annotation of {size}", send("POST", KINDS["config map"].path, json.dumps(new), "application/json"))


def random_quantity(random_):
    number = random_.choice(["", "+", "-", "--"]) if random_.random() < 0.3 else ""
    number += "".join(random_.choice("0000123456789") for _ in range(random_.choice([0, 1, 1, 2, 3, 5, 12, 18, 19, 25])))
    if random_.random() < 0.5:
        number += "." + "".join(random_.choice("0001239") for _ in range(random_.choice([0, 1, 2, 3, 6, 9, 10, 15])))
    end = random_.choice(["", "", "m", "u", "n", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e3", "E-3", "e0",
                          "e+2", "e-9", "e12", "e", "x", "mi", "Em", " "])
    return json.dumps(number + end)


def random_time(random_):
    text = list(random_.choice(["2020-01-02T03:04:05Z", "2020-12-31T23:59:59.123456Z", "1999-02-28T00:00:00+05:30"]))
    for _ in range(random_.choice([0, 1, 1, 2])):
        at = random_.randrange(len(text))
        text[at : at + random_.choice([0, 1])] = random_.choice(["0", "9", "6", "-", ":", "Z", "T", ".", ",", "", "x", '"', "\\"])
    return json.dumps("".join(text))


def random_bytes(random_):
    text = base64.b64encode(bytes(random_.randrange(256) for _ in range(random_.randrange(8)))).decode()
    for _ in range(random_.choice([0, 1, 1, 2])):
        at = random_.randrange(len(text) + 1)
        text = text[:at] + random_.choice(["=", "A", "/", "-", "\n", " ", "*"]) + text[at + random_.choice([0, 1]) :]
    return json.dumps(text)


def random_cases(count, seed):
    """Values drawn at random: the same for the same seed."""
    random_ = random.Random(seed)
    drawn = [
        ("node", "status capacity cpu", random_quantity),
        ("node", "status capacity memory", random_quantity),
        ("node", "status conditions #0 lastHeartbeatTime", random_time),
        ("lease", "spec renewTime", random_time),
        ("event", "firstTimestamp", random_time),
        ("secret", "data a", random_bytes),
        ("config map", "binaryData b", random_bytes),
    ]
    for i in range(count):
        name, path, draw = random_.choice(drawn)
        value = draw(random_)
        how, sent = random_.choice(list(ways(KINDS[name], path, Raw(value))))
        yield Case("random values", f"{seed}.{i} {name} {path} {value} by {how}", sent, shows=path)


def message(number, value):
    """A field of protobuf with a length."""
    length = len(value)
    size = bytes([length]) if length < 128 else bytes([length & 127 | 128, length >> 7])
    return bytes([number << 3 | 2]) + size + value


def protobuf_cases():
    for value in ("1", "1024Mi", "four", "", "1e"):
        quantity = message(1, value.encode())
        capacity = message(1, message(1, b"cpu") + message(2, quantity))
        node = message(1, message(1, b"new")) + message(3, capacity)
        body = b"k8s\0" + message(1, message(1, b"v1") + message(2, b"Node")) + message(2, node)
        sent = send("POST", "/api/v1/nodes", body, "application/vnd.kubernetes.protobuf")
        yield Case("values", f"node status.capacity.cpu {value!r} in protobuf", sent, shows="status capacity cpu")


def cases(count, seed):
    yield from typed_cases()
    yield from strict_cases()
    yield from limit_cases()
    yield from protobuf_cases()
    yield from random_cases(count, seed)
