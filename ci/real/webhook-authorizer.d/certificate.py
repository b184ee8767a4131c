"""The certificate of a webhook on this machine."""

import subprocess


def write_certificate(folder):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1",
         "-keyout", folder / "webhook.key", "-out", folder / "webhook.crt"], check=True, stderr=subprocess.DEVNULL)
