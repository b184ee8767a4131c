"""Applies each job to a real cluster, waits for its end, and looks at what it printed.

Exit codes: 0 each ended as it should, 1 one did not, 3 a part of the cluster did not start.
"""

import argparse
import contextlib
import json
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import tomllib

import yaml

HERE = pathlib.Path(__file__).resolve().parent
JOBS = HERE.parent
COMPARE = JOBS.parent / "compare"
sys.path[:0] = [str(COMPARE / "components.d"), str(COMPARE / "clients.d")]
import servers  # noqa: E402
from side import Side, WalkFailed  # noqa: E402

NAMESPACE = "nodebound"
SONOBUOY = "sonobuoy:checked"
HOST = "kubernetes.default.svc"
POLICY = '{"apiVersion": "audit.k8s.io/v1", "kind": "Policy", "rules": [{"level": "Metadata"}]}'
# Those of the README's `kubectl get`, for replay.
DUMPED = ("/apis/rbac.authorization.k8s.io/v1/clusterroles", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
          "/apis/rbac.authorization.k8s.io/v1/roles", "/apis/rbac.authorization.k8s.io/v1/rolebindings", "/api/v1/nodes",
          "/api/v1/pods", "/api/v1/persistentvolumeclaims", "/api/v1/persistentvolumes", "/apis/storage.k8s.io/v1/csidrivers",
          "/api/v1/serviceaccounts")


def unpack(archive, folder):
    folder.mkdir(exist_ok=True)
    subprocess.run(["tar", "--extract", "--preserve-permissions", "--file", archive, "--directory", folder], check=True)


def unpacked(archive, folder):
    """What the runtime takes as an image: `rootfs/` and `config.json`."""
    layout = folder / "layout"
    unpack(archive, layout)

    def blob(of):
        return layout / "blobs" / of["digest"].replace(":", "/")

    index = json.loads((layout / "index.json").read_text())["manifests"][0]
    manifest = json.loads(blob(index).read_text())
    shutil.copy(blob(manifest["config"]), folder / "config.json")
    for layer in manifest["layers"]:
        unpack(blob(layer), folder / "rootfs")
    shutil.rmtree(layout)
    return index["annotations"]["org.opencontainers.image.ref.name"]


def image_of(program, folder):
    """An image with nothing but this program, which is linked statically."""
    (folder / "rootfs" / "tmp").mkdir(parents=True)
    (folder / "rootfs" / "tmp").chmod(0o1777)
    shutil.copy(program, folder / "rootfs")
    (folder / "config.json").write_text(json.dumps({"config": {"WorkingDir": "/"}}))
    return folder


def forward(port):
    """Port 443 of this machine is the API server's: a pod finds it there, as through the service `kubernetes`."""
    listener = socket.create_server(("127.0.0.1", 443), backlog=64)

    def copy(source, target):
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)

    def serve():
        with contextlib.suppress(OSError):
            while True:
                client, _ = listener.accept()
                server = socket.create_connection(("127.0.0.1", port))
                for pair in ((client, server), (server, client)):
                    threading.Thread(target=copy, args=pair, daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()


class Cluster(Side):
    """The components of a cluster that runs an image of ours."""

    def begin(self, authority, images):
        self.start_components(authority, self.folder / "serving" / "apiserver.crt")
        steps = tomllib.loads((COMPARE / "components.d" / "walk.toml").read_text())["step"]
        (self.folder / "images").write_text("".join(f"{name}={folder}\n" for name, folder in images.items()))
        self.walk(steps[:2])
        self.start_kubelet()
        self.kubelet = self.processes[-1]
        self.walk(steps[2:3])
        forward(int(self.url.rsplit(":", 1)[1]))

    def make(self, path, body):
        code, answer = self.ask("POST", f"{path}?fieldValidation=Strict", json.dumps(body))
        if code not in (201, 409):
            raise WalkFailed(f"{body['kind']} {body['metadata']['name']} was answered {code}: {answer}")

    def apply(self, job):
        """All objects of a job's file but the job itself, which is returned."""
        own = None
        for each in yaml.safe_load_all((JOBS / f"{job}.yaml").read_text()):
            group = f"/apis/{each['apiVersion']}" if "/" in each["apiVersion"] else f"/api/{each['apiVersion']}"
            namespace = each["metadata"].get("namespace")
            plural = each["kind"].lower() + "s"
            path = f"{group}/namespaces/{namespace}/{plural}" if namespace else f"{group}/{plural}"
            if each["kind"] == "Job":
                own = each
                continue
            self.make(path, each)
            if each["kind"] == "CronJob":
                # As `kubectl create job --from` does.
                own = {"apiVersion": "batch/v1", "kind": "Job", "spec": each["spec"]["jobTemplate"]["spec"],
                       "metadata": {"name": each["metadata"]["name"], "namespace": namespace}}
        return own

    def run_job(self, job, out):
        """What its pods printed, once all have ended well."""
        own = self.apply(job)
        name = own["metadata"]["name"]
        path = f"/apis/batch/v1/namespaces/{NAMESPACE}/jobs"
        self.make(path, own)
        wanted = own["spec"].get("completions", 1)
        end = time.monotonic() + 45 * 60
        status = {}
        while status.get("succeeded", 0) < wanted:
            for process in self.processes:
                process.check()
            status = self.ask("GET", f"{path}/{name}")[1].get("status", {})
            if status.get("failed") or time.monotonic() > end:
                break
            time.sleep(1)
        printed = self.logs(name)
        (out / f"{job}.log").write_text("\n".join(printed))
        if status.get("succeeded", 0) < wanted:
            pods = self.ask("GET", f"/api/v1/namespaces/{NAMESPACE}/pods?labelSelector=job-name%3D{name}")[1]
            (out / f"{job}.pods.json").write_text(json.dumps(pods, indent=1))
            raise WalkFailed(f"{job}: {status.get('succeeded', 0)} of {wanted} pods ended well; they printed\n"
                             + "\n".join(printed)[-2000:])
        self.ask("DELETE", f"{path}/{name}?propagationPolicy=Foreground")
        self.wait(job, {"get": f"{path}/{name}", "status": 404})
        return printed

    def root(self):
        """The mount namespace that is the kubelet's own."""
        return pathlib.Path(f"/proc/{self.kubelet.process.pid}/root")

    def logs(self, job):
        files = sorted((self.root() / "var/log/pods").glob(f"{NAMESPACE}_{job}-*/*/*.log"))
        return ["".join(line.split(" ", 3)[3] for line in file.read_text().splitlines(True)) for file in files]


def demand(condition, what):
    if not condition:
        raise WalkFailed(what)


def review(cluster, out):
    printed, = cluster.run_job("review-cronjob", out)
    demand("✓ CONFORMS" in printed, f"review-cronjob: it printed\n{printed}")


def conformance(cluster, out):
    printed, = cluster.run_job("conformance-job", out)
    demand("✓ CONFORMS" in printed, f"conformance-job: it printed\n{printed}")
    return printed


def shards(cluster, out):
    printed = cluster.run_job("conformance-shards", out)
    demand(len(printed) == 4 and all("✓ CONFORMS" in each for each in printed), "conformance-shards: " + "\n".join(printed))


def replay(cluster, out, nodebound):
    """On the log of this very cluster. The shares together must say what one run says."""
    volume = cluster.folder / "audit"
    volume.mkdir()
    volume.chmod(0o777)
    shutil.copy(cluster.folder / "audit.log", volume)
    items = [{"apiVersion": answer["apiVersion"], "kind": answer["kind"].removesuffix("List"), **each}
             for answer in (cluster.ask("GET", path)[1] for path in DUMPED) for each in answer["items"]]
    (volume / "cluster.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    for file in volume.iterdir():
        file.chmod(0o644)
    cluster.make("/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
    cluster.make("/api/v1/persistentvolumes", {
        "apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "audit"},
        "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteMany"], "hostPath": {"path": str(volume)},
                 "claimRef": {"namespace": NAMESPACE, "name": "audit"}}})
    cluster.make(f"/api/v1/namespaces/{NAMESPACE}/persistentvolumeclaims", {
        "apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "audit"},
        "spec": {"accessModes": ["ReadWriteMany"], "storageClassName": "", "volumeName": "audit",
                 "resources": {"requests": {"storage": "1Gi"}}}})
    cluster.run_job("replay-job", out)
    job = list(yaml.safe_load_all((JOBS / "replay-job.yaml").read_text()))[-1]
    told = job["spec"]["template"]["spec"]["containers"][0]["args"]
    whole = [re.sub("^/audit", str(volume), argument) for argument in told[:told.index("--shard")]]
    run(nodebound, *whole, "--fail-on", "nothing", "--out", out / "whole")
    run(nodebound, "report", "merge", *(volume / f"share-{number}" for number in range(4)), "--out", out / "merged")
    one, merged = (json.loads((out / name / "replay.json").read_text().replace(str(volume), "/audit")) for name in ("whole", "merged"))
    # When and how fast it ran.
    del one["run"], merged["run"]
    demand(one == merged, f"replay-job: the shares together say something else than one run: see {out}/whole and {out}/merged")


def sonobuoy(cluster, out, program):
    """What Sonobuoy itself says of the plugin's results. Without exec, its tarball is fetched from the volume that has it."""
    admin = cluster.folder / "admin.kubeconfig"
    manifest = run(program, "gen", "--kubeconfig", admin, "--plugin", JOBS / "sonobuoy-plugin.yaml", "--kubernetes-version", "ignore",
                   "--sonobuoy-image", SONOBUOY, "--plugin-env", f"nodebound.KUBERNETES_SERVICE_HOST={HOST}")
    objects = [each for each in yaml.safe_load_all(manifest) if each]
    aggregator, = (each for each in objects if each["kind"] == "Pod")
    # Here no pod and no service has an address of its own. Sonobuoy puts brackets around any, which Go takes of IPv6 alone.
    aggregator["spec"]["containers"][0]["env"] = [{"name": "SONOBUOY_ADVERTISE_IP", "value": "::ffff:127.0.0.1"},
                                                  {"name": "KUBERNETES_SERVICE_HOST", "value": HOST}]
    (out / "sonobuoy.yaml").write_text(yaml.safe_dump_all(objects))
    run(program, "run", "--kubeconfig", admin, "--skip-preflight", "--file", out / "sonobuoy.yaml")
    end = time.monotonic() + 45 * 60
    # At first there is no status, which is an error.
    asked = [program, "status", "--kubeconfig", admin, "--json"]
    while '"tar-info":{"name":"2' not in (status := subprocess.run(asked, capture_output=True, text=True).stdout):
        for process in cluster.processes:
            process.check()
        demand(time.monotonic() < end, f"sonobuoy-plugin: Sonobuoy does not end, and says {status}")
        time.sleep(2)
    tarballs = list(cluster.root().glob("var/lib/kubelet/pods/*/volumes/kubernetes.io~empty-dir/output-volume/*.tar.gz"))
    demand(len(tarballs) == 1, f"sonobuoy-plugin: there are {len(tarballs)} results")
    shutil.copy(tarballs[0], out / "sonobuoy.tar.gz")
    told = run(program, "results", out / "sonobuoy.tar.gz")
    (out / "sonobuoy-plugin.log").write_text(told)
    counts = {name: int(number) for name, number in re.findall(r"^(Passed|Failed): (\d+)$", told, re.MULTILINE)}
    demand("Status: passed" in told and counts["Failed"] == 0 and counts["Passed"] > 1000, f"sonobuoy-plugin: Sonobuoy says\n{told}")


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    demand(done.returncode == 0, f"{' '.join(str(part) for part in command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("version", "nodebound", "binaries", "components", "packages", "sonobuoy", "out"):
        parser.add_argument(f"--{name}", required=True, type=str if name == "version" else pathlib.Path)
    checks = {"review-cronjob": review, "conformance-job": conformance, "conformance-shards": shards,
              "replay-job": lambda cluster, out: replay(cluster, out, arguments.nodebound),
              "sonobuoy-plugin": lambda cluster, out: sonobuoy(cluster, out, arguments.sonobuoy)}
    parser.add_argument("jobs", nargs="*", choices=[*checks, []], help="all, if none is named")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    failed = 0
    with tempfile.TemporaryDirectory(prefix="nodebound-kubernetes-") as work:
        work = pathlib.Path(work)
        # Containers run as users of their own, who must get through.
        work.chmod(0o755)
        credentials, folder, image = work / "credentials", work / "cluster", work / "image"
        for each in (credentials, folder, image):
            each.mkdir()
        name = unpacked(next(arguments.packages.glob("*-oci.tar")), image)
        cluster = Cluster("kube-apiserver", arguments.components, folder)
        try:
            authority = servers.start_nodebound(arguments.nodebound, arguments.version, credentials, [])
            (work / "policy.json").write_text(POLICY)
            cluster.processes += servers.start_real(
                arguments.binaries, credentials, folder,
                [f"--audit-log-path={folder}/audit.log", f"--audit-policy-file={work}/policy.json", "--enable-bootstrap-token-auth"])
            authority.stop()
            cluster.begin(credentials, {name: image, SONOBUOY: image_of(arguments.sonobuoy, work / "sonobuoy")})
            for job in arguments.jobs or checks:
                begin = time.monotonic()
                try:
                    checks[job](cluster, arguments.out)
                    print(f"✓ {job} ({time.monotonic() - begin:.0f} s)", flush=True)
                except WalkFailed as failure:
                    print(f"✗ {failure}", flush=True)
                    failed = 1
        finally:
            cluster.stop()
            for log in folder.glob("*.log"):
                if log.name != "audit.log":
                    shutil.copy(log, arguments.out)
    return failed


if __name__ == "__main__":
    sys.exit(main())
