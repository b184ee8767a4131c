"""Signed envelopes (DSSE, https://github.com/secure-systems-lab/dsse) with ECDSA on P-256 and SHA-256, by openssl."""
import base64
import binascii
import hashlib
import json
import pathlib
import subprocess
import tempfile

PAYLOAD_TYPE = "application/vnd.in-toto+json"


class Refused(Exception):
    """A signature that does not hold, or a key that is none of ours."""


def openssl(*arguments, given=b""):
    return subprocess.run(["openssl", *map(str, arguments)], input=given, capture_output=True)


def must_be_p256(key, *, private):
    done = openssl("pkey", *([] if private else ["-pubin"]), "-in", key, "-noout", "-text_pub" if private else "-text")
    if done.returncode != 0:
        raise Refused(f"{key} is no {'private' if private else 'public'} key in PEM")
    if b"ASN1 OID: prime256v1" not in done.stdout:
        raise Refused(f"{key} is no ECDSA key on P-256")


def key_id(key, *, private=False):
    """The SHA-256 of the public key."""
    must_be_p256(key, private=private)
    der = openssl("pkey", *(["-pubout"] if private else ["-pubin"]), "-in", key, "-outform", "DER").stdout
    return hashlib.sha256(der).hexdigest()


def pae(payload_type, payload):
    """What is signed: type and payload, each with its length before it."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)


def signature(data, key):
    must_be_p256(key, private=True)
    done = openssl("dgst", "-sha256", "-sign", key, given=data)
    if done.returncode != 0:
        raise Refused(f"openssl cannot sign with {key}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def holds(signed, data, key):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "signature"
        path.write_bytes(signed)
        return openssl("dgst", "-sha256", "-verify", key, "-signature", path, given=data).returncode == 0


def sign(payload, key):
    """The envelope of a payload."""
    signed = signature(pae(PAYLOAD_TYPE, payload), key)
    return {"payload": base64.b64encode(payload).decode(), "payloadType": PAYLOAD_TYPE,
            "signatures": [{"keyid": key_id(key, private=True), "sig": base64.b64encode(signed).decode()}]}


def opened(text, key):
    """The payload of an envelope that the key has signed. Nothing of the payload is looked at before."""
    must_be_p256(key, private=False)
    try:
        envelope = json.loads(text)
        payload = base64.b64decode(envelope["payload"], validate=True)
        kind = envelope["payloadType"]
        signed = [base64.b64decode(one["sig"], validate=True) for one in envelope["signatures"]]
        named = [str(one.get("keyid", "")) for one in envelope["signatures"]]
        data = pae(kind, payload)
    except (ValueError, KeyError, TypeError, AttributeError, binascii.Error) as error:
        raise Refused(f"the provenance is no envelope of DSSE: {type(error).__name__}: {error}") from error
    if not any(holds(one, data, key) for one in signed):
        mine = key_id(key)
        if mine not in named:
            raise Refused(f"the provenance is signed by another key: by {', '.join(named) or 'none'}, not by {mine}")
        raise Refused("the provenance is not what was signed")
    if kind != PAYLOAD_TYPE:
        raise Refused(f"the provenance is of the type {kind!r}, not {PAYLOAD_TYPE!r}")
    return payload
