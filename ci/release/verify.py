"""Whether a folder is a release that a key has signed, and all of it."""
import hashlib
import json
import re
import tarfile
import tempfile

import artefacts
import debian
import dsse
import provenance
import sbom


class Refused(Exception):
    pass


def signed_sums(folder, key):
    """The digests of SHA256SUMS by name, once its signature holds."""
    for name in (artefacts.SUMS, artefacts.SIGNATURE):
        if not (folder / name).is_file():
            raise Refused(f"{name} is missing: the release is not signed")
    text = (folder / artefacts.SUMS).read_bytes()
    dsse.must_be_p256(key, private=False)
    if not dsse.holds((folder / artefacts.SIGNATURE).read_bytes(), text, key):
        raise Refused(f"{artefacts.SUMS} is not what {key} has signed: it was changed, or signed by another key")
    lines = [re.fullmatch(r"([0-9a-f]{64})  ([A-Za-z0-9._-]+)", line) for line in text.decode().splitlines()]
    if not lines or None in lines:
        raise Refused(f"{artefacts.SUMS} is not as sha256sum writes it")
    return {line.group(2): line.group(1) for line in lines}


def checked_files(folder, listed):
    """The bytes of the listed files, which are all there are."""
    files = {}
    for name, digest in sorted(listed.items()):
        path = folder / name
        if not path.is_file() or path.is_symlink():
            raise Refused(f"{name} is missing")
        files[name] = path.read_bytes()
        if hashlib.sha256(files[name]).hexdigest() != digest:
            raise Refused(f"{name} is another file than the one in {artefacts.SUMS}")
    here = {path.name for path in folder.iterdir()} - {artefacts.SUMS, artefacts.SIGNATURE}
    if more := sorted(here - set(files)):
        raise Refused(f"{', '.join(more)}: in the folder, and not in {artefacts.SUMS}")
    return files


def the(files, ending):
    names = [name for name in files if name.endswith(ending)]
    if len(names) != 1:
        raise Refused(f"there are {len(names)} files *{ending}, not one")
    return names[0]


def verify(folder, key, *, trial=False, commit=None, builder=None, say=print):
    """Says what holds. What does not is Refused."""
    try:
        files = checked_files(folder, signed_sums(folder, key))
        say(f"ok  {artefacts.SUMS} is signed by {dsse.key_id(key)}")
        say(f"ok  {len(files)} files are as it says")
        envelope = the(files, ".intoto.jsonl")
        payload = dsse.opened(files.pop(envelope), key)
        source, made_by = provenance.check(payload, files, trial=trial, commit=commit, builder=builder)
        say(f"ok  the provenance is signed by the same key, of these files: commit {source}, built by {made_by}")
        archive = files[the(files, ".tar.gz")]
        name = the(files, ".tar.gz").removesuffix(".tar.gz")
        inside = artefacts.unpacked(archive, name)
        if inside.get("bin/nodebound") != files.get(name):
            raise Refused("the binary is not the one in the archive")
        with tempfile.NamedTemporaryFile() as binary:
            binary.write(files[name])
            binary.flush()
            packages, count = sbom.check(json.loads(files[the(files, ".spdx.json")]), inside, archive, binary.name)
        say(f"ok  the SBOM has the {count} files of the archive, and {packages} packages: all libraries that the binary asks for")
    except (dsse.Refused, provenance.Mistake, sbom.Mistake, debian.Unknown) as error:
        raise Refused(str(error)) from error
    except (KeyError, IndexError, TypeError, AttributeError, ValueError, StopIteration, tarfile.TarError, EOFError,
            OSError) as error:
        raise Refused(f"a file is not in its form: {type(error).__name__}: {error}") from error
