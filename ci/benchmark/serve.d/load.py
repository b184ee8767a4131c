"""Runs nodebound_load (fakes/benchmark)."""

import base64
import json
import re
import subprocess
import sys


def credentials(kubeconfig):
    """The files of its certificate and key, made beside it, and its port."""
    text = kubeconfig.read_text()
    files = []
    for field in ("client-certificate-data", "client-key-data"):
        path = kubeconfig.with_suffix("." + field)
        path.write_bytes(base64.b64decode(re.search(rf"{field}: (\S+)", text)[1]))
        path.chmod(0o600)
        files.append(str(path))
    return files[0], files[1], int(re.search(r"server: \S+:(\d+)", text)[1])


class Load:
    def __init__(self, program):
        self.program = program

    def run(self, kubeconfig, requests, **how):
        certificate, key, port = credentials(kubeconfig)
        plan = {"port": port, "certificate": certificate, "key": key, "requests": requests, **how}
        done = subprocess.run([self.program], input=json.dumps(plan), capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(done.stderr or f"nodebound_load ended with {done.returncode}")
        return json.loads(done.stdout)

    def make(self, kubeconfig, requests):
        """Each once, one after the other. A service account may be there already."""
        result = self.run(kubeconfig, requests, count=len(requests), connections=1)
        if not set(result["statuses"]) <= {"201", "409"}:
            sys.exit(f"benchmark-serve: the objects could not be made: {result['statuses']}")
