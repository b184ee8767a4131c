"""The program with every library that it loads, the C library and its loader included: it runs on any Linux of its machine."""
import pathlib
import re
import subprocess
import tempfile

FOLDER = "lib/nodebound"

# Finds its own folder through links, as that of kubectl-nodebound, and needs no more than POSIX.
LAUNCHER = """#!/bin/sh
here=$(dirname "$(readlink -f "$0")")/../{folder}
exec "$here/{loader}" --library-path "$here" "$here/nodebound" "$@"
"""


class Unknown(Exception):
    """What the program loads cannot be told."""


def loaded(binary):
    """The loader's path, and the paths of the libraries."""
    text = subprocess.run(["ldd", binary], check=True, capture_output=True, text=True).stdout
    if "not found" in text:
        raise Unknown(f"a library is missing:\n{text}")
    paths = [pathlib.Path(path) for path in re.findall(r"(/\S+) \(0x", text)]
    loaders = [path for path in paths if path.name.startswith("ld-linux")]
    if len(loaders) != 1:
        raise Unknown(f"expected one loader:\n{text}")
    return loaders[0], [path for path in paths if path != loaders[0]]


def stripped(file):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        subprocess.run(["strip", "-o", out, file], check=True)
        return out.read_bytes()


def files_of(binary):
    """(name of the loader, the files of FOLDER by name)."""
    loader, libraries = loaded(binary)
    files = {"nodebound": stripped(binary), loader.name: loader.read_bytes()}
    for path in libraries:
        files[path.name] = path.read_bytes()
    return loader.name, files


def launcher(loader):
    return LAUNCHER.format(folder=FOLDER, loader=loader).encode()
