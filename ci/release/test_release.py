"""ci/release/verify --self-test: releases that are refused, each with its reason. The binary in them is openssl's."""
import base64
import io
import json
import pathlib
import shutil
import subprocess
import tarfile
import tempfile
import unittest

import artefacts
import debian
import dsse
import sbom
import verify

MAKE = pathlib.Path(__file__).resolve().parent / "make"


def new_key(folder, name, *kind):
    kind = kind or ("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256")
    private, public = folder / f"{name}.pem", folder / f"{name}.pub.pem"
    subprocess.run(["openssl", "genpkey", *kind, "-out", private], check=True, capture_output=True)
    subprocess.run(["openssl", "pkey", "-in", private, "-pubout", "-out", public], check=True)
    return private, public


def make(folder, key):
    subprocess.run([MAKE, "--trial", "--binary", shutil.which("openssl"), "--sign", key, "--out", folder],
                   check=True, capture_output=True)


def setUpModule():
    """One release for all tests, which change copies of it."""
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    Releases.keys = pathlib.Path(folder.name)
    Releases.private, Releases.public = new_key(Releases.keys, "ours")
    Releases.foreign, Releases.foreign_public = new_key(Releases.keys, "foreign")
    Releases.made = Releases.keys / "made"
    make(Releases.made, Releases.private)


class Releases(unittest.TestCase):
    keys = private = public = foreign = foreign_public = made = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name) / "release"
        shutil.copytree(self.made, self.folder)

    def file(self, ending):
        return next(path for path in self.folder.iterdir() if path.name.endswith(ending))

    @property
    def binary(self):
        return self.folder / self.file(".tar.gz").name.removesuffix(".tar.gz")

    def change(self, path):
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)

    def sum_up(self, key=None):
        """SHA256SUMS anew, as somebody writes it who can write into the folder; signed, if he has a key."""
        files = [path.name for path in self.folder.iterdir() if not path.name.startswith(artefacts.SUMS)]
        (self.folder / artefacts.SUMS).write_text(artefacts.sums(self.folder, files))
        if key:
            text = (self.folder / artefacts.SUMS).read_bytes()
            (self.folder / artefacts.SIGNATURE).write_bytes(dsse.signature(text, key))

    def verify(self, *, key=None, trial=True, **more):
        said = []
        verify.verify(self.folder, key or self.public, trial=trial, say=said.append, **more)
        return "\n".join(said)

    def refused(self, expected, **more):
        with self.assertRaisesRegex(verify.Refused, expected):
            self.verify(**more)

    def envelope(self):
        return json.loads(self.file(".intoto.jsonl").read_text())

    def write_envelope(self, envelope):
        self.file(".intoto.jsonl").write_text(json.dumps(envelope))


class Whole(Releases):
    def test_what_was_made_is_a_release(self):
        said = self.verify()
        self.assertIn("4 files are as it says", said)
        self.assertIn("all libraries that the binary asks for", said)

    def test_openssl_and_sha256sum_are_enough_for_the_files(self):
        done = subprocess.run(f"openssl dgst -sha256 -verify {self.public} -signature SHA256SUMS.sig SHA256SUMS && "
                              "sha256sum --check --strict SHA256SUMS", shell=True, cwd=self.folder, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_binary_archive_and_sbom_are_the_same_when_made_again(self):
        again = self.folder.parent / "again"
        make(again, self.private)
        for path in (self.binary, self.file(".tar.gz"), self.file(".spdx.json")):
            self.assertEqual(path.read_bytes(), (again / path.name).read_bytes(), path.name)

    def test_a_folder_with_other_files_is_not_emptied(self):
        (self.folder / "thesis.txt").write_text("")
        with self.assertRaises(subprocess.CalledProcessError):
            make(self.folder, self.private)
        self.assertTrue(self.binary.exists())


class Tampered(Releases):
    def test_a_changed_binary(self):
        self.change(self.binary)
        self.refused(f"{self.binary.name} is another file than the one in SHA256SUMS")

    def test_a_changed_binary_with_its_digest(self):
        self.change(self.binary)
        self.sum_up()
        self.refused("SHA256SUMS is not what .* has signed")

    def test_a_changed_binary_signed_by_a_foreign_key(self):
        self.change(self.binary)
        self.sum_up(self.foreign)
        self.refused("changed, or signed by another key")

    def test_a_foreign_key_is_no_key_of_the_release(self):
        self.refused("changed, or signed by another key", key=self.foreign_public)

    def test_a_binary_that_was_not_built(self):
        self.change(self.binary)
        self.sum_up(self.private)
        self.refused("is another file than the one that was built")

    def test_a_file_more_and_a_file_less(self):
        (self.folder / "README").write_text("run me")
        self.refused("README: in the folder, and not in SHA256SUMS")
        (self.folder / "README").unlink()
        self.file(".spdx.json").unlink()
        self.refused("spdx.json is missing")

    def test_a_release_that_is_not_signed(self):
        (self.folder / artefacts.SIGNATURE).unlink()
        self.refused("the release is not signed")


class Envelopes(Releases):
    def test_a_changed_envelope(self):
        envelope = self.envelope()
        payload = base64.b64decode(envelope["payload"]).replace(b"builder/local", b"builder/other")
        self.write_envelope(envelope | {"payload": base64.b64encode(payload).decode()})
        self.sum_up(self.private)
        self.refused("the provenance is not what was signed")

    def test_an_envelope_of_another_type(self):
        self.write_envelope(self.envelope() | {"payloadType": "text/plain"})
        self.sum_up(self.private)
        self.refused("the provenance is not what was signed")

    def test_an_envelope_signed_by_a_foreign_key(self):
        self.write_envelope(dsse.sign(base64.b64decode(self.envelope()["payload"]), self.foreign))
        self.sum_up(self.private)
        self.refused(f"signed by another key: by {dsse.key_id(self.foreign_public)}, not by")

    def test_an_envelope_that_is_none(self):
        envelope = self.envelope()
        for text in ("", "[]", "{}", '{"payload": "!", "payloadType": "", "signatures": []}', '{"payload": 1}'):
            self.file(".intoto.jsonl").write_text(text)
            self.sum_up(self.private)
            self.refused("is no envelope of DSSE")
        self.write_envelope(envelope | {"signatures": []})
        self.sum_up(self.private)
        self.refused("signed by another key: by none")

    def test_the_commit_the_builder_and_a_trial(self):
        self.refused("it is built of the commit [0-9a-f]{40}", commit="0" * 40)
        self.refused("it was built by https://nodebound.dev/builder/local", builder="https://example.org")
        self.refused("it is a trial, no release", trial=False)

    def test_what_is_signed_is_as_the_specification_of_dsse_says(self):
        self.assertEqual(dsse.pae("http://example.com/HelloWorld", b"hello world"),
                         b"DSSEv1 29 http://example.com/HelloWorld 11 hello world")

    def test_keys_of_other_kinds(self):
        for name, kind in {"rsa": ("-algorithm", "RSA"),
                           "p384": ("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384")}.items():
            private, public = new_key(self.keys, name, *kind)
            self.refused("is no ECDSA key on P-256", key=public)
            with self.assertRaisesRegex(dsse.Refused, "is no ECDSA key on P-256"):
                dsse.sign(b"", private)
        self.refused("is no public key in PEM", key=self.binary)


class Boms(Releases):
    def check(self, change, expected):
        document = json.loads(self.file(".spdx.json").read_text())
        change(document)
        archive = self.file(".tar.gz").read_bytes()
        with self.assertRaisesRegex(sbom.Mistake, expected):
            sbom.check(document, artefacts.unpacked(archive, self.binary.name), archive, self.binary)

    def test_what_the_sbom_says_wrongly_or_leaves_out(self):
        self.check(lambda it: it["files"].pop(), "a relationship names|does not list the files")
        self.check(lambda it: it["files"][0]["checksums"][0].update(checksumValue="0" * 40), "has another SHA1")
        self.check(lambda it: it["packages"][0]["checksums"][1].update(checksumValue="0" * 64), "the archive is another")
        self.check(lambda it: it["packages"][1].update(licenseConcluded="NOASSERTION"), "has no licence")
        self.check(lambda it: it["packages"][1].update(externalRefs=[]), "has no purl")
        self.check(lambda it: it["packages"][0]["packageVerificationCode"].update(packageVerificationCodeValue="0"),
                   "the verification code is wrong")
        self.check(lambda it: it.update(relationships=[one for one in it["relationships"]
                                                       if "libssl" not in one.get("comment", "")]),
                   "the libraries that the binary asks for are others: .*libssl")

    def test_a_library_of_unknown_licence_is_not_released(self):
        package = debian.Package("libx1", "1.0+a:1", "amd64", "x", "1.0", "X <x@example.org>", "")
        with self.assertRaisesRegex(debian.Unknown, "libx1 .* does not say its licence"):
            sbom.described_library(package, sbom.licences())
        self.assertIn("libx1@1.0%2Ba%3A1?arch=amd64", package.purl())

    def test_an_archive_that_would_write_elsewhere(self):
        for name in ("r/../../etc/passwd", "/etc/passwd", "other/file"):
            out = io.BytesIO()
            with tarfile.open(fileobj=out, mode="w:gz") as archive:
                archive.addfile(tarfile.TarInfo(name), io.BytesIO())
            with self.assertRaisesRegex(ValueError, "not in place"):
                artefacts.unpacked(out.getvalue(), "r")


if __name__ == "__main__":
    unittest.main()
