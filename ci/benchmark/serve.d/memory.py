"""How much memory `nodebound serve` takes for a big cluster that is watched by many."""

import asyncio
import json
import pathlib
import ssl
import time

import cluster
import servers
from load import Load, credentials

NODES = 1_000
EVERY_SO_MANY_WATCH_ALL = 100


def resident(server):
    """Bytes."""
    return int(pathlib.Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]) * 4096


class Watch:
    """All pods, or those of one node; counts what it is told."""

    def __init__(self, on):
        self.on = on
        self.events = []

    async def open(self, context, port, version):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port, ssl=context)
        selector = f"&fieldSelector=spec.nodeName%3D{self.on}" if self.on else ""
        target = f"/api/v1/pods?watch=true&resourceVersion={version}{selector}"
        self.writer.write(f"GET {target} HTTP/1.1\r\nhost: x\r\n\r\n".encode())
        head = await self.reader.readuntil(b"\r\n\r\n")
        if b" 200 " not in head.split(b"\r\n")[0]:
            raise SystemExit(f"benchmark-serve: a watch was answered {head}")

    async def follow(self):
        while line := await self.reader.readline():
            if line.startswith(b"{"):
                self.events.append(json.loads(line)["object"]["metadata"]["name"])


def fill(load, kubeconfig, pods):
    requests = [cluster.made(f"/api/v1/namespaces/{cluster.NAMESPACE}/pods", cluster.pod("pod-{n}", cluster.node_name(number)))
                for number in range(NODES)]
    load.make(kubeconfig, list(cluster.objects())[:2])
    result = load.run(kubeconfig, requests, count=pods)
    if set(result["statuses"]) != {"201"}:
        raise SystemExit(f"benchmark-serve: the pods could not be made: {result['statuses']}")
    return result["per_second"]


async def current_version(context, port):
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context)
    writer.write(b"GET /api/v1/pods?limit=1 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
    body = (await reader.read()).partition(b"\r\n\r\n")[2]
    return json.loads(body)["metadata"]["resourceVersion"]


async def watch_and_change(arguments, load, kubeconfig, server):
    certificate, key, port = credentials(kubeconfig)
    context = ssl._create_unverified_context()
    context.load_cert_chain(certificate, key)
    version = await current_version(context, port)
    watches = [Watch(None if number % EVERY_SO_MANY_WATCH_ALL == 0 else cluster.node_name(number % NODES))
               for number in range(arguments.watches)]
    for watch in watches:
        await watch.open(context, port, version)
    followers = [asyncio.create_task(watch.follow()) for watch in watches]
    size = resident(server)
    changed = cluster.node_name(7)
    begin = time.monotonic()
    await asyncio.to_thread(load.run, kubeconfig, [cluster.made(f"/api/v1/namespaces/{cluster.NAMESPACE}/pods",
                                                                cluster.pod("late", changed))], count=1, connections=1)
    expected = [watch for watch in watches if watch.on in (None, changed)]
    while not all(watch.events for watch in expected) and time.monotonic() < begin + 30:
        await asyncio.sleep(0.005)
    took = time.monotonic() - begin
    await asyncio.sleep(0.5)
    told = [watch for watch in watches if watch.events == ["late"]]
    for follower in followers:
        follower.cancel()
    return size, took, len(expected), told == expected


def measure(arguments, folder):
    load = Load(arguments.load)
    server = servers.start_nodebound(arguments.nodebound, arguments.version, folder, [])
    kubeconfig = folder / "admin.kubeconfig"
    try:
        empty = resident(server)
        made = fill(load, kubeconfig, arguments.pods)
        stored = resident(server)
        size, took, told, right = asyncio.run(watch_and_change(arguments, load, kubeconfig, server))
        print("\n| nodebound serve | resident |")
        print("|---|---:|")
        print(f"| started | {empty / 2**20:.0f} MiB |")
        print(f"| {arguments.pods} pods stored, at {made:.0f}/s | {stored / 2**20:.0f} MiB |")
        print(f"| and {arguments.watches} watches open | {size / 2**20:.0f} MiB |")
        print(f"\nA new pod was told to the {told} watches that select it{'' if right else ', BUT NOT TO THEM ALONE'}, "
              f"{took * 1000:.0f} ms after its request was sent.")
        if not right:
            raise SystemExit(1)
    finally:
        server.stop()
