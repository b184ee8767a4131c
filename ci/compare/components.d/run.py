"""Runs the components of a cluster on `nodebound serve` and on a real kube-apiserver, and compares what they did.

Exit codes: 0 the same, 1 something differs that allowed.toml does not name, 3 a component or server did not start.
"""

import argparse
import concurrent.futures
import json
import pathlib
import shutil
import sys
import tempfile
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "clients.d"))
import audit  # noqa: E402
import servers  # noqa: E402
from side import Side, WalkFailed  # noqa: E402

POLICY = '{"apiVersion": "audit.k8s.io/v1", "kind": "Policy", "rules": [{"level": "Metadata"}]}'

# A kubelet bootstraps with the token and the binding that the first steps make.
STEPS_BEFORE_KUBELET = 2


def walk(side, authority, steps):
    side.start_components(authority, more=["--node-startup-grace-period=8s"])
    side.walk(steps[:STEPS_BEFORE_KUBELET])
    side.start_kubelet()
    side.walk(steps[STEPS_BEFORE_KUBELET:])
    # What follows the last step is seen, too.
    time.sleep(3)


def keep(side, out):
    """Logs and audit log, where they can be read afterwards."""
    own = out / side.name
    shutil.rmtree(own, ignore_errors=True)
    own.mkdir(parents=True)
    for path in [*side.folder.glob("*.log"), *side.folder.glob("kubelet.yaml")]:
        shutil.copy(path, own)
    return own


def compared(folder, normal):
    found = audit.requests(folder / "audit.log", normal)
    for component in ("kube-controller-manager", "kube-scheduler", "kubelet"):
        found.update(audit.errors(component, folder / f"{component}.log", normal))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("version", "nodebound", "binaries", "components", "out"):
        parser.add_argument(f"--{name}", required=True, type=str if name == "version" else pathlib.Path)
    parser.add_argument("--compare-only", action="store_true", help="what the last run left in --out")
    arguments = parser.parse_args()
    steps = tomllib.loads((HERE / "walk.toml").read_text())["step"]
    failed = []
    if not arguments.compare_only:
        with tempfile.TemporaryDirectory(prefix="nodebound-components-") as work:
            failed = run_both(arguments, pathlib.Path(work), steps)
    normal = audit.Normal(HERE / "normal.toml")
    real, fake = (compared(arguments.out / name, normal) for name in ("kube-apiserver", "nodebound"))
    unknown = audit.report(real, fake, audit.Allowed(HERE / "allowed.toml"))
    for failure in failed:
        print(f"✗ {failure}")
    return 1 if unknown or failed else 0


def run_both(arguments, work, steps):
    sides = [Side(name, arguments.components, work / name) for name in ("nodebound", "kube-apiserver")]
    fake, real = sides
    for side in sides:
        side.folder.mkdir()
    (work / "policy.json").write_text(POLICY)
    failed = []
    try:
        fake.processes.append(servers.start_nodebound(
            arguments.nodebound, arguments.version, fake.folder, [],
            ["--audit-log-path", fake.folder / "audit.log", "--enable-bootstrap-token-auth"]))
        real.processes += servers.start_real(
            arguments.binaries, fake.folder, real.folder,
            [f"--audit-log-path={real.folder}/audit.log", f"--audit-policy-file={work}/policy.json",
             "--enable-bootstrap-token-auth"])
        # Each waits most of the time, so they walk side by side.
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            walks = [pool.submit(walk, side, fake.folder, steps) for side in sides]
            for done in walks:
                try:
                    done.result()
                # A component that ended is told by SystemExit.
                except (WalkFailed, SystemExit) as failure:
                    failed.append(failure)
    finally:
        for side in sides:
            side.stop()
            keep(side, arguments.out)
    return failed


if __name__ == "__main__":
    sys.exit(main())
