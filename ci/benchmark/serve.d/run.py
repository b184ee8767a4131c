"""Measures `nodebound serve` and a real kube-apiserver on etcd side by side, and prints tables in Markdown."""

import argparse
import os
import pathlib
import re
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "compare" / "clients.d"))

import busy  # noqa: E402
import cluster  # noqa: E402
import memory  # noqa: E402
import servers  # noqa: E402
from load import Load  # noqa: E402


def best(results):
    return max(results, key=lambda result: result["per_second"])


def measured(load, folder, who, requests, expected, milliseconds):
    result = load.run(folder / f"{who}.kubeconfig", requests, milliseconds=milliseconds)
    if set(result["statuses"]) != {str(expected)}:
        raise SystemExit(f"benchmark-serve: expected {expected} alone, got {result['statuses']} of {folder}")
    return result


def throughput(load, folders, arguments):
    """The two take turns; the best of all rounds counts, for both."""
    print("| requests | kube-apiserver on etcd | nodebound serve | ratio | p50 / p99, kube-apiserver | p50 / p99, nodebound |")
    print("|---|---:|---:|---:|---:|---:|")
    for title, who, requests, expected in cluster.workloads():
        results = {"real": [], "fake": []}
        for _ in range(arguments.rounds):
            for name, folder in folders.items():
                results[name].append(measured(load, folder, who, requests, expected, arguments.milliseconds))
        real, fake = best(results["real"]), best(results["fake"])
        latencies = ["{p50} / {p99} µs".format(**each["microseconds"]) for each in (real, fake)]
        print(f"| {title} | {real['per_second']:.0f}/s | {fake['per_second']:.0f}/s "
              f"| {fake['per_second'] / real['per_second']:.1f} | {latencies[0]} | {latencies[1]} |", flush=True)


def beside(arguments, folder, measure):
    """Starts both servers with the same objects, and measures them."""
    fake, real = folder / "fake", folder / "real"
    fake.mkdir()
    real.mkdir()
    load = Load(arguments.load)
    running = []
    try:
        running.append(servers.start_nodebound(arguments.nodebound, arguments.version, fake,
                                               [cluster.node_name(0), cluster.node_name(1)]))
        running += servers.start_real(pathlib.Path(arguments.binaries), fake, real)
        for each in (real, fake):
            load.make(each / "admin.kubeconfig", list(cluster.objects()))
        # The real server's informers must see a write before its authorizer knows of it.
        time.sleep(5)
        measure(load, {"real": real, "fake": fake}, arguments)
        sizes = [f"{server.name} {memory.resident(server) / 2**20:.0f} MiB" for server in running]
        print(f"\nResident afterwards: {', '.join(sizes)}.")
    finally:
        for server in running:
            server.stop()


def compare(arguments, folder):
    beside(arguments, folder, throughput)


def compare_busy(arguments, folder):
    beside(arguments, folder, busy.measure)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("version", "nodebound", "binaries", "load"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--only", choices=["speed", "busy", "memory"])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--milliseconds", type=int, default=3000)
    parser.add_argument("--pods", type=int, default=150_000)
    parser.add_argument("--watches", type=int, default=1_000)
    parser.add_argument("--writes", type=int, default=2_000, help="a second, beside the watches")
    arguments = parser.parse_args()
    for part, measure in (("speed", compare), ("busy", compare_busy), ("memory", memory.measure)):
        if arguments.only in (None, part):
            with tempfile.TemporaryDirectory(prefix="nodebound-benchmark-") as folder:
                measure(arguments, pathlib.Path(folder))
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    print(f"\n{model[1] if model else 'unknown processor'}, {os.cpu_count()} cores that servers and client share; "
          f"8 connections; the best of {arguments.rounds} rounds of {arguments.milliseconds / 1000:g} s in which the two take "
          f"turns; Kubernetes {arguments.version}.")


if __name__ == "__main__":
    main()
