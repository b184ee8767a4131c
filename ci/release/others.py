"""What others make of a release: the SPDX project's own validator, and another implementation of DSSE. For ci/release/check, in
an environment that has `spdx-tools` and `securesystemslib`.

    others.py DIR PUBLIC.pem
"""
import copy
import json
import pathlib
import sys

from cryptography.hazmat.primitives.serialization import load_pem_public_key
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import SSlibKey
from spdx_tools.spdx.parser.parse_anything import parse_file
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document


def spdx(path):
    document = parse_file(str(path))
    wrong = validate_full_spdx_document(document, "SPDX-2.3")
    for message in wrong:
        print(f"{message.validation_message} ({message.context.spdx_id})", file=sys.stderr)
    print(f"spdx-tools: {len(document.packages)} packages, {len(document.files)} files, "
          f"{len(document.relationships)} relationships; {len(wrong)} mistakes")
    return not wrong


def holds(envelope, key):
    try:
        return bool(envelope.verify([key], 1))
    except VerificationError:
        return False


def dsse(path, pem):
    text = json.loads(path.read_text())
    public = load_pem_public_key(pem.read_bytes())
    key = SSlibKey.from_crypto(public, keyid=text["signatures"][0]["keyid"])
    true = holds(Envelope.from_dict(copy.deepcopy(text)), key)
    changed = Envelope.from_dict(copy.deepcopy(text))
    changed.payload += b" "
    false = holds(changed, key)
    print(f"securesystemslib: the envelope {'holds' if true else 'DOES NOT HOLD'}, changed it "
          f"{'HOLDS, TOO' if false else 'does not'}")
    return true and not false


def main():
    folder, pem = map(pathlib.Path, sys.argv[1:])
    passed = [spdx(next(folder.glob("*.spdx.json"))), dsse(next(folder.glob("*.intoto.jsonl")), pem)]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
