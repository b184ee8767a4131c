"""Starts kube-apiserver with `nodebound webhook` in place of its Node authorizer, and judges it."""

import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "compare" / "clients.d"))
import servers  # noqa: E402
from certificate import write_certificate  # noqa: E402


def write_config(folder, port):
    config = folder / "webhook.kubeconfig"
    cluster = {"server": f"https://127.0.0.1:{port}/authorize", "certificate-authority": str(folder / "webhook.crt")}
    config.write_text(json.dumps({
        "apiVersion": "v1", "kind": "Config", "current-context": "w",
        "clusters": [{"name": "w", "cluster": cluster}], "users": [{"name": "w", "user": {}}],
        "contexts": [{"name": "w", "context": {"cluster": "w", "user": "w"}}]}))
    return config


def main():
    arguments = servers.read_arguments()
    ours, real = servers.fresh_folders(arguments.out, "nodebound", "real")
    write_certificate(real)
    port, = servers.free_ports(1)
    # Nothing is remembered: the suite asks right after it has changed something.
    flags = ("--authorization-mode=RBAC,Webhook", "--enable-admission-plugins=NodeRestriction",
             f"--authorization-webhook-config-file={write_config(real, port)}", "--authorization-webhook-version=v1",
             "--authorization-webhook-cache-authorized-ttl=0s", "--authorization-webhook-cache-unauthorized-ttl=0s")
    # Its authority and kubeconfigs are those of the real server, too.
    started = [servers.start_nodebound(arguments.nodebound, arguments.version, ours, [])]
    try:
        started += servers.start_real(arguments.binaries, ours, real, flags=flags)
        webhook = servers.Process("webhook", [
            arguments.nodebound, "webhook", "--kubeconfig", real / "admin.kubeconfig", "--authorization-mode", "Node",
            "--listen", f"127.0.0.1:{port}", "--tls-cert", real / "webhook.crt", "--tls-key", real / "webhook.key"], real)
        started.append(webhook)
        servers.wait_for("nodebound webhook", webhook, lambda: "Ready" in webhook.log.read_text())
        sys.exit(subprocess.run([
            arguments.nodebound, "run", "--target", f"kubeconfig:{real / 'admin.kubeconfig'}", "--profile",
            "node-authorizer", "--disposable", "--jobs", "4", "--out", arguments.out], check=False).returncode)
    finally:
        for server in started:
            server.stop()


main()
