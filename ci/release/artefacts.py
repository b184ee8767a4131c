"""The files of a release: how they are called, what is in the archive, and its bytes."""
import dataclasses
import datetime
import gzip
import hashlib
import io
import pathlib
import re
import subprocess
import tarfile

SUMS = "SHA256SUMS"
SIGNATURE = "SHA256SUMS.sig"


@dataclasses.dataclass
class Release:
    root: pathlib.Path
    folder: pathlib.Path
    version: str
    machine: str
    commit: str
    when: datetime.datetime  # of the commit: what is made carries no other time
    source: str = ""  # where the commit can be had
    trial: str = ""  # why this is no release

    name = property(lambda self: f"nodebound-{self.version}-linux-{self.machine}")
    binary = property(lambda self: self.name)
    archive = property(lambda self: f"{self.name}.tar.gz")
    sbom = property(lambda self: f"{self.name}.spdx.json")
    statement = property(lambda self: f"{self.name}.provenance.json")
    envelope = property(lambda self: f"{self.name}.intoto.jsonl")

    def path(self, name):
        return self.folder / name


def git(root, *arguments):
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout


def version_of(root):
    return re.search(r"project\(nodebound VERSION ([0-9.]+)", (root / "CMakeLists.txt").read_text()).group(1)


def installed_as(name):
    """Where a file of the tree is in the archive; None if it is not."""
    if name in ("LICENSE", "README.md", "SECURITY.md", "CHANGELOG.md"):
        return f"share/doc/nodebound/{name}"
    if name.startswith("scenarios/"):
        return f"share/nodebound/{name}"
    if name.endswith(".schema.json"):
        return f"share/nodebound/schemas/{pathlib.PurePath(name).name}"
    return None


def contents(root, binary):
    """The files of the archive by name, with their bytes. What is not in git is not shipped."""
    files = {"bin/nodebound": binary}
    for name in git(root, "ls-files", "-z").split("\0"):
        place = installed_as(name) if name else None
        if place:
            if place in files:
                raise ValueError(f"two files are {place}")
            files[place] = (root / name).read_bytes()
    return files


def packed(release, files):
    """The archive: the same bytes for the same files and commit."""
    out = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=out, mtime=0) as compressed:
        with tarfile.open(fileobj=compressed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for name, data in sorted(files.items()):
                member = tarfile.TarInfo(f"{release.name}/{name}")
                member.size, member.mtime = len(data), int(release.when.timestamp())
                member.mode = 0o755 if name.startswith("bin/") else 0o644
                archive.addfile(member, io.BytesIO(data))
    return out.getvalue()


def unpacked(data, name):
    """The files of an archive, by name without the folder `name`; nothing is written anywhere."""
    files = {}
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as archive:
        for member in archive:
            inside = member.name.removeprefix(f"{name}/")
            if not member.isfile() or inside == member.name or ".." in inside.split("/") or inside in files:
                raise ValueError(f"the archive has {member.name!r}, which is not in place there")
            files[inside] = archive.extractfile(member).read()
    return files


def sums(folder, names):
    """Digests, as sha256sum writes and reads them."""
    return "".join(f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in sorted(names))
