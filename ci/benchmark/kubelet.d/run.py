"""Measures `nodebound kubelet` and a real kubelet's server side by side, and prints a table in Markdown."""

import argparse
import os
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path += [str(HERE.parents[1] / "compare" / "clients.d"), str(HERE.parent / "serve.d")]

import servers  # noqa: E402
from load import Load  # noqa: E402

NODE = "a"
# What is asked, by whom, and what must come of it: an administrator may all, a kubelet itself nothing.
WORKLOADS = [
    ("GET /healthz, allowed", "admin", "/healthz", 200),
    ("GET /pods, allowed", "admin", "/pods", 200),
    ("GET /pods, refused", f"node-{NODE}", "/pods", 403),
    ("GET /nothing, before authentication", "admin", "/nothing", 404),
]


def start_kubelet(name, command, credentials, folder):
    """Its folder has the kubeconfigs, with its own address in them: those who ask it are the API server's users."""
    port = servers.free_ports(1)[0]
    (folder / "config.yaml").write_text(
        "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\naddress: 127.0.0.1\n"
        f"port: {port}\nhealthzPort: 0\nauthentication: {{x509: {{clientCAFile: {credentials}/ca.crt}}}}\n")
    kubelet = servers.Process(
        name, [*command, f"--config={folder}/config.yaml", f"--kubeconfig={credentials}/node-{NODE}.kubeconfig",
               f"--hostname-override={NODE}"], folder)
    servers.wait_for(name, kubelet, lambda: "listening on" in kubelet.log.read_text())
    for kubeconfig in pathlib.Path(credentials).glob("*.kubeconfig"):
        own = folder / kubeconfig.name
        own.write_text(re.sub(r"server: \S+", f"server: https://127.0.0.1:{port}", kubeconfig.read_text()))
        own.chmod(0o600)
    return kubelet


def measured(load, folder, workload, milliseconds):
    title, who, target, expected = workload
    result = load.run(folder / f"{who}.kubeconfig", [{"method": "GET", "target": target}], milliseconds=milliseconds)
    if set(result["statuses"]) != {str(expected)}:
        raise SystemExit(f"benchmark-kubelet: {title}: expected {expected} alone, got {result['statuses']} of {folder}")
    return result


def throughput(load, folders, arguments):
    """The two take turns; the best of all rounds counts, for both."""
    print("| requests | kubelet | nodebound kubelet | ratio | p50 / p99, kubelet | p50 / p99, nodebound |")
    print("|---|---:|---:|---:|---:|---:|")
    for workload in WORKLOADS:
        results = {"real": [], "fake": []}
        for _ in range(arguments.rounds):
            for name, folder in folders.items():
                results[name].append(measured(load, folder, workload, arguments.milliseconds))
        real, fake = (max(results[name], key=lambda each: each["per_second"]) for name in ("real", "fake"))
        latencies = ["{p50} / {p99} µs".format(**each["microseconds"]) for each in (real, fake)]
        print(f"| {workload[0]} | {real['per_second']:.0f}/s | {fake['per_second']:.0f}/s "
              f"| {fake['per_second'] / real['per_second']:.1f} | {latencies[0]} | {latencies[1]} |", flush=True)


def compare(arguments, folder):
    credentials, real, fake = folder / "server", folder / "real", folder / "fake"
    for each in (credentials, real, fake):
        each.mkdir()
    running = []
    try:
        running.append(servers.start_nodebound(arguments.nodebound, arguments.version, credentials, [NODE]))
        running.append(start_kubelet("kubelet", [arguments.real], credentials, real))
        running.append(start_kubelet("nodebound-kubelet",
                                     [arguments.nodebound, "kubelet", "--release", arguments.version], credentials, fake))
        throughput(Load(arguments.load), {"real": real, "fake": fake}, arguments)
    finally:
        for server in running:
            server.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("version", "nodebound", "real", "load"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--milliseconds", type=int, default=3000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="nodebound-benchmark-") as folder:
        compare(arguments, pathlib.Path(folder))
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    print(f"\n{model[1] if model else 'unknown processor'}, {os.cpu_count()} cores that servers and client share; "
          f"8 connections; the best of {arguments.rounds} rounds of {arguments.milliseconds / 1000:g} s in which the two take "
          f"turns; Kubernetes {arguments.version}.")


if __name__ == "__main__":
    main()
