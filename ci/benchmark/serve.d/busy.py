"""Writes, lists of many objects, and many watches beside a steady stream of writes, at both servers in turn."""

import asyncio
import itertools
import json
import re
import ssl
import statistics
import threading
import time

import cluster
from load import credentials

LISTED = 10_000
PAGE = 500
PROBES = 40
EVERY_SO_MANY_WATCH_ALL = 250
BIG = "big"


def pods_path(namespace):
    return f"/api/v1/namespaces/{namespace}/pods"


def new_pods(prefix, nodes, namespace=cluster.NAMESPACE):
    """Requests that make pods on the nodes in turn."""
    return [cluster.made(pods_path(namespace), {**body, "metadata": {**body["metadata"], "namespace": namespace}})
            for body in (cluster.pod(prefix + "-{n}", cluster.node_name(number)) for number in range(nodes))]


def checked(result, expected):
    if set(result["statuses"]) != {str(expected)}:
        raise SystemExit(f"benchmark-serve: expected {expected} alone, got {result['statuses']}")
    return result


def best(results):
    return max(results, key=lambda result: result["per_second"])


def prepare(load, folders):
    for folder in folders.values():
        kubeconfig = folder / "admin.kubeconfig"
        load.make(kubeconfig, [cluster.made("/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace",
                                                                   "metadata": {"name": BIG}}),
                               cluster.made(f"/api/v1/namespaces/{BIG}/serviceaccounts",
                                            {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default"}})])
        checked(load.run(kubeconfig, new_pods("listed", cluster.NODES, BIG), count=LISTED), 201)


def in_turns(load, folders, arguments, requests_of, expected, connections):
    """The best of all rounds counts, for both."""
    results = {name: [] for name in folders}
    for turn in range(arguments.rounds):
        for name, folder in folders.items():
            results[name].append(checked(load.run(folder / "admin.kubeconfig", requests_of(turn), connections=connections,
                                                  milliseconds=arguments.milliseconds), expected))
    return {name: best(of) for name, of in results.items()}


def row(title, real, fake):
    latencies = ["{p50} / {p99} µs".format(**each["microseconds"]) for each in (real, fake)]
    print(f"| {title} | {real['per_second']:.0f}/s | {fake['per_second']:.0f}/s | {fake['per_second'] / real['per_second']:.1f} "
          f"| {latencies[0]} | {latencies[1]} |", flush=True)


class Watch:
    """The pods of one node, or all; counts what it is told and when a probe is among it."""

    def __init__(self, on):
        self.on = on
        self.events = 0
        self.seen = {}
        self.ended = False  # both servers end a watch whose client is too slow

    async def open(self, context, port):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port, ssl=context, limit=1 << 22)
        selector = f"&fieldSelector=spec.nodeName%3D{self.on}" if self.on else ""
        target = f"{pods_path(cluster.NAMESPACE)}?watch=true&resourceVersion={self.version}{selector}"
        self.writer.write(f"GET {target} HTTP/1.1\r\nhost: x\r\n\r\n".encode())
        head = await self.reader.readuntil(b"\r\n\r\n")
        if b" 200 " not in head.split(b"\r\n")[0]:
            raise SystemExit(f"benchmark-serve: a watch was answered {head}")

    async def follow(self):
        while line := await self.reader.readline():
            if not line.startswith(b"{"):
                continue
            self.events += 1
            self.ended = b'"type":"ERROR"' in line
            if b'"probe-' in line:
                self.seen[json.loads(line)["object"]["metadata"]["name"]] = time.monotonic()
        self.ended = True


async def asked(context, port, method, target, body=b""):
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context)
    writer.write(f"{method} {target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n"
                 f"content-length: {len(body)}\r\n\r\n".encode() + body)
    answer = await reader.read()
    writer.close()
    return answer.partition(b"\r\n\r\n")[2]


async def delays(context, port, watches, turn):
    """Milliseconds from when a probe's request is sent until the last watch of it knows."""
    out = []
    for number in range(PROBES):
        on = cluster.node_name(number % cluster.NODES)
        name = f"probe-{turn}-{number}"
        expected = [watch for watch in watches if watch.on in (None, on)]
        begin = time.monotonic()
        await asked(context, port, "POST", pods_path(cluster.NAMESPACE), json.dumps(cluster.pod(name, on)).encode())
        while not all(name in watch.seen or watch.ended for watch in expected) and time.monotonic() < begin + 30:
            await asyncio.sleep(0.001)
        left = [watch for watch in expected if not watch.ended]
        if left:
            out.append(1000 * (max(watch.seen.get(name, begin + 30) for watch in left) - begin))
    return out


async def watched(load, folder, arguments, turn):
    kubeconfig = folder / "admin.kubeconfig"
    certificate, key, port = credentials(kubeconfig)
    context = ssl._create_unverified_context()
    context.load_cert_chain(certificate, key)
    listed = await asked(context, port, "GET", pods_path(cluster.NAMESPACE) + "?limit=1")
    # The real server sends it in chunks; the list's own metadata come first.
    version = re.search(rb'"metadata":\{[^{}]*?"resourceVersion":"(\d+)"', listed)[1].decode()
    watches = []
    for number in range(arguments.watches):
        # Most watch nodes that no pod is on: what they cost is that they are there.
        watch = Watch(None if number % EVERY_SO_MANY_WATCH_ALL == 0 else cluster.node_name(number))
        watch.version = version
        await watch.open(context, port)
        watches.append(watch)
    followers = [asyncio.create_task(watch.follow()) for watch in watches]
    written = []
    writer = threading.Thread(target=lambda: written.append(
        load.run(kubeconfig, new_pods(f"beside-{turn}", cluster.NODES), milliseconds=2 * arguments.milliseconds,
                 per_second=arguments.writes)))
    writer.start()
    took = await delays(context, port, watches, turn)
    await asyncio.to_thread(writer.join)
    ended = sum(watch.ended for watch in watches)
    for follower in followers:
        follower.cancel()
    for watch in watches:
        watch.writer.close()
    return checked(written[0], 201), sorted(took), sum(watch.events for watch in watches), ended


def beside_writes(load, folders, arguments):
    print(f"\n| {arguments.watches} watches beside {arguments.writes} writes a second | writes reached | write p50 / p99 "
          "| events told | watches ended as too slow | until the last watch knows of a new pod, p50 / most |")
    print("|---|---:|---:|---:|---:|---:|")
    for turn, (name, folder) in enumerate(folders.items()):
        written, took, events, ended = asyncio.run(watched(load, folder, arguments, turn))
        server = {"real": "kube-apiserver on etcd", "fake": "nodebound serve"}[name]
        print(f"| {server} | {written['per_second']:.0f}/s | {{p50}} / {{p99}} µs | {events} | {ended} "
              f"| {statistics.median(took):.0f} / {took[-1]:.0f} ms |".format(**written["microseconds"]), flush=True)


def measure(load, folders, arguments):
    prepare(load, folders)
    print("\n| requests | kube-apiserver on etcd | nodebound serve | ratio | p50 / p99, kube-apiserver | p50 / p99, nodebound |")
    print("|---|---:|---:|---:|---:|---:|")
    numbers = itertools.count()
    writes = in_turns(load, folders, arguments, lambda _: new_pods(f"written-{next(numbers)}", cluster.NODES), 201, 8)
    row("create of a pod", writes["real"], writes["fake"])
    for title, query in ((f"list of {LISTED} pods from the cache", "?resourceVersion=0"),
                         (f"the same in pages of {PAGE}: the first", f"?limit={PAGE}"),
                         ("the same, of one node", f"?resourceVersion=0&fieldSelector=spec.nodeName%3D{cluster.node_name(7)}")):
        lists = in_turns(load, folders, arguments,
                         lambda _, target=pods_path(BIG) + query: [{"method": "GET", "target": target}], 200, 2)
        row(title, lists["real"], lists["fake"])
    beside_writes(load, folders, arguments)
