"""Runs one script of clients against `nodebound serve` and a real kube-apiserver, and compares what they were answered.

Exit codes: 0 the same, 1 something differs that allowed.toml does not name, 3 a server did not start.
"""

import argparse
import contextlib
import itertools
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time
import tomllib

import servers
from comparison import Allowed, Normal, compare

HERE = pathlib.Path(__file__).parent
NODES = ("a", "b")


def command_of(step, arguments, folder):
    """What runs a step, and with which variables."""
    kubeconfig = folder / f"{step.get('as', 'admin')}.kubeconfig"
    if "kubectl" in step:
        return [arguments.kubectl, "--kubeconfig", kubeconfig, "--cache-dir", folder / "cache", "--request-timeout=60s",
                *shlex.split(step["kubectl"])], {}
    if "python" in step:
        return [sys.executable, HERE / step["python"], kubeconfig], {}
    if "helm" in step:
        home = folder / "helm"
        return [arguments.more / "helm", "--kubeconfig", kubeconfig, *shlex.split(step["helm"])], {
            "HELM_CACHE_HOME": home, "HELM_CONFIG_HOME": home, "HELM_DATA_HOME": home, "HOME": home}
    if "java" in step:
        return ["java", "-cp", arguments.more / "java" / "*", f"nodebound.{step['java']}", kubeconfig], {}
    if "controller" in step:
        return [arguments.more / "controller", kubeconfig, step["controller"]], {}
    return [arguments.informer, kubeconfig, step["informer"]], {}


def run_step(step, arguments, folder):
    """What a client printed and how it ended."""
    command, variables = command_of(step, arguments, folder)
    environment = {**os.environ, **{name: str(value) for name, value in variables.items()}}
    try:
        done = subprocess.run([str(part) for part in command], input=step.get("stdin", ""), capture_output=True,
                              text=True, timeout=120, check=False, cwd=HERE, env=environment)
        return {"exit": done.returncode, "stdout": done.stdout, "stderr": done.stderr}
    except subprocess.TimeoutExpired as late:
        return {"exit": "timed out", "stdout": (late.stdout or b"").decode(), "stderr": (late.stderr or b"").decode()}


@contextlib.contextmanager
def kwok(arguments, folder):
    """kwok as the kubelets of all Nodes, as long as its steps run."""
    running = servers.Process("kwok", [arguments.more / "kwok", "--kubeconfig", folder / "admin.kubeconfig",
                                       "--manage-all-nodes=true", "--node-lease-duration-seconds=40",
                                       "--config", arguments.more / "kwok.yaml"], folder)
    try:
        yield
        running.check()
    finally:
        running.stop()


def run_script(steps, arguments, folder, out):
    records = []
    for beside, group in itertools.groupby(steps, lambda step: step.get("beside")):
        with kwok(arguments, folder) if beside == "kwok" else contextlib.nullcontext():
            records += run_steps(group, arguments, folder)
    out.write_text(json.dumps(records, indent=1))
    return records


def run_steps(steps, arguments, folder):
    records = []
    for step in steps:
        begin = time.monotonic()
        record = run_step(step, arguments, folder)
        records.append({"step": step["name"], "seconds": round(time.monotonic() - begin, 2), **record})
        # The real server's informers must see a write before its authorizer decides by it.
        time.sleep(step.get("settle", 0))
    return records


def report(real, fake, allowed):
    """Prints the differences; how many of them nobody allows."""
    normal = Normal(HERE / "normal.toml")
    known = unknown = 0
    for one, other in zip(real, fake, strict=True):
        for path, expected, found in compare(normal, one, other):
            if allowed.covers(one["step"], path):
                known += 1
                continue
            unknown += 1
            print(f"✗ {one['step']}: {path}\n    kube-apiserver  {json.dumps(expected)[:600]}\n"
                  f"    nodebound       {json.dumps(found)[:600]}")
    for entry in allowed.unused():
        print(f"· no longer a difference, and can go: {entry['step']}: {entry['path']}")
    print(f"{len(real)} client operations; {unknown} differences, and {known} that allowed.toml names")
    return unknown


PROGRAMS = ("kubectl", "python", "helm", "java", "controller")


def read_steps(folder, focus):
    steps = []
    for path in sorted((HERE / folder).glob("[0-9]-*.toml")):
        for step in tomllib.loads(path.read_text())["step"]:
            program = next((name for name in PROGRAMS if name in step), "informer")
            step.setdefault("name", "informer" if program == "informer" else step[program])
            steps.append(step)
    return steps[:focus] if focus else steps


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("version", "nodebound", "binaries", "kubectl", "informer", "out"):
        parser.add_argument(f"--{name}", required=True, type=str if name == "version" else pathlib.Path)
    parser.add_argument("--more", type=pathlib.Path, help="the folder of Helm, kwok and others, whose steps run instead")
    parser.add_argument("--first", type=int, help="only the first steps")
    parser.add_argument("--real", type=pathlib.Path, help="records of an earlier run, instead of a real server")
    arguments = parser.parse_args()
    steps = read_steps("more" if arguments.more else "steps", arguments.first)
    arguments.out.mkdir(parents=True, exist_ok=True)
    running = []
    with tempfile.TemporaryDirectory() as work:
        fake_folder, real_folder = pathlib.Path(work) / "nodebound", pathlib.Path(work) / "real"
        fake_folder.mkdir()
        real_folder.mkdir()
        try:
            running.append(servers.start_nodebound(arguments.nodebound, arguments.version, fake_folder, NODES))
            fake = run_script(steps, arguments, fake_folder, arguments.out / "nodebound.json")
            if arguments.real:
                real = json.loads(arguments.real.read_text())
            else:
                running += servers.start_real(arguments.binaries, fake_folder, real_folder)
                real = run_script(steps, arguments, real_folder, arguments.out / "kube-apiserver.json")
        finally:
            for process in running:
                process.stop()
    allowed = HERE / ("more" if arguments.more else ".") / "allowed.toml"
    return 1 if report(real, fake, Allowed(allowed)) else 0


if __name__ == "__main__":
    sys.exit(main())
