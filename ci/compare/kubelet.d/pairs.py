"""Two kubelets with one configuration, and what they answer to the same request."""

import json
import pathlib
import random
import re
import socket
import tomllib
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes

import kubelet
from asks import some_ask
from people import People, Reviews
from transport import Connections

HERE = pathlib.Path(__file__).parent
GATES = HERE.parents[2] / "reference/gates.toml"
COMPARED = ("Content-Type", "Content-Length", "Allow", "Location", "X-Content-Type-Options", "Sec-WebSocket-Protocol")
# Longer than a run, so that no cache entry expires between the two. Reviews must not be throttled.
BASE = {
    "authentication": {"webhook": {"cacheTTL": "20m0s"}},
    "authorization": {"webhook": {"cacheAuthorizedTTL": "20m0s", "cacheUnauthorizedTTL": "20m0s"}},
    "kubeAPIQPS": 100000, "kubeAPIBurst": 100000,
}
NORMAL = tomllib.loads((HERE / "normal.toml").read_text())["normal"]


def numbers(version):
    return [int(part) for part in version.split("-")[0].split(".")[:2]]


def settable(gates, version):
    """Those of `gates` that a release has, and does not lock to something else."""
    known = {gate["name"]: gate["stages"] for gate in tomllib.loads(GATES.read_text())["gate"]}
    out = {}
    for name, on in gates.items():
        stages = [stage for stage in known[name] if numbers(stage["since"]) <= numbers(version)]
        if stages and not (stages[-1].get("locked") and stages[-1]["default"] != on):
            out[name] = on
    return out


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


@dataclass
class Side:
    """What is compared: a kubelet of a version, `command` is how it is started where it is not a real one."""

    name: str
    version: str
    command: list | None = None


class Running:
    """One kubelet of a pair, and the connections to it."""

    def __init__(self, side, folder, pki, setting, people):
        self.reviews = Reviews(people)
        port = free_port() if setting.get("read_only") else 0
        flags, config = list(setting.get("flags", [])), None
        if setting.get("flags_only"):
            flags += ["--address=127.0.0.1", f"--client-ca-file={pki}/ca.crt", f"--tls-cert-file={pki}/kubelet.crt",
                      f"--tls-private-key-file={pki}/kubelet.key", f"--read-only-port={port}"]
        else:
            config = kubelet.merged(BASE, setting.get("config", {}))
            config |= {"readOnlyPort": port, "featureGates": settable(setting.get("gates", {}), side.version)}
        self.kubelet = kubelet.Kubelet(side.version, folder, config=config, flags=flags, command=side.command, pki=pki,
                                       reviewer=self.reviews)
        self.main = Connections(self.kubelet.address, pki)
        self.read_only = Connections((self.kubelet.address[0], port)) if port else None

    def connections(self, ask):
        return self.read_only if ask.read_only else self.main

    def send(self, ask):
        self.reviews.asked.clear()
        self.connections(ask).send(ask.who.certificate if not ask.read_only else None, ask.raw())

    def receive(self, ask):
        certificate = ask.who.certificate if not ask.read_only else None
        answer = self.connections(ask).receive(certificate, ask.method, ask.raw())
        return Outcome(answer, [review_text(spec) for spec in self.reviews.asked])


def review_text(spec):
    return json.dumps(spec, sort_keys=True, ensure_ascii=False)


@dataclass
class Outcome:
    answer: kubelet.Answer
    reviews: list = field(default_factory=list)


def differences(ask, one, other):
    """What differs: `status` alone, as the rest follows from it, or parts of the answer; and `reviews`."""
    found = []
    if one.answer.status != other.answer.status:
        found.append("status")
    else:
        bodies, ignored = normalised(ask, one.answer, other.answer)
        found += [name for name in COMPARED
                  if name != ignored and one.answer.header(name) != other.answer.header(name)]
        if bodies[0] != bodies[1]:
            found.append("body")
    if one.reviews != other.reviews:
        found.append("reviews")
    return tuple(found)


def path_of(target):
    without_host = re.sub(r"^[A-Za-z][A-Za-z0-9+.-]*:(//[^/]*)?(?=/)", "", target)
    return unquote_to_bytes(without_host.split("?")[0]).decode("latin-1")


def normalised(ask, one, other):
    """Both bodies as they are compared, and the header that then says nothing."""
    bodies, ignored = [one.body, other.body], None
    if (one.status, other.status) != (200, 200):
        return bodies, ignored
    path = path_of(ask.target)
    for entry in NORMAL:
        if "never_asked" in entry or not re.fullmatch(entry["path"], path):
            continue
        changed = [b"" if entry.get("any_body") else re.sub(entry["form"].encode(), entry["to"].encode(), body)
                   for body in bodies]
        if changed != bodies or ask.method == "HEAD":
            bodies, ignored = changed, "Content-Length"
    return bodies, ignored


class Pair:
    """Two kubelets that are configured alike."""

    def __init__(self, setting, pki, seed):
        self.setting = setting
        self.name = setting["name"]
        self.chance = random.Random(f"{seed}/{self.name}")
        self.people = People(self.chance)
        self.pki = pki
        self.running = []

    def start(self, sides, folder):
        for n, side in enumerate(sides):
            self.running.append(Running(side, folder / self.name / str(n), self.pki, self.setting, self.people))

    def ask(self, ask):
        """What both answer, and what differs."""
        for one in self.running:
            one.send(ask)
        outcomes = [one.receive(ask) for one in self.running]
        return outcomes, differences(ask, *outcomes)

    def is_left_to_chance(self, ask):
        """What a kubelet answers differently from one start to the next."""
        return self.setting.get("read_only") and any(
            entry.get("never_asked") and re.fullmatch(entry["path"], path_of(ask.target)) for entry in NORMAL)

    def next(self):
        """A random request. Whom the kubelets remember, and whether that is still so, changes as it goes on."""
        if self.chance.random() < 0.04:
            self.people.renew()
        if self.chance.random() < 0.004:
            self.people.change()
        while self.is_left_to_chance(ask := some_ask(self.chance, self.people, bool(self.setting.get("read_only")))):
            pass
        return ask

    def stop(self):
        for one in self.running:
            one.kubelet.__exit__()
