"""What a binary is made of on Debian: the libraries that it loads or holds, the headers that are compiled into it, and the
tools that made it, each with the package it is of."""
import dataclasses
import pathlib
import re
import subprocess
import urllib.parse

# Programs that compile and link, by the name of their command.
TOOLS = ("c++", "ld", "mold", "cmake", "ninja", "protoc", "strip")


class Unknown(Exception):
    """Something that is used, and of which nothing is known."""


@dataclasses.dataclass(frozen=True, order=True)
class Package:
    name: str
    version: str
    architecture: str
    source: str
    source_version: str
    maintainer: str
    homepage: str

    def purl(self):
        system = system_of()
        name, version = (urllib.parse.quote(text, safe="~") for text in (self.name, self.version))
        return (f"pkg:deb/{system['ID']}/{name}@{version}?arch={self.architecture}"
                f"&distro={system['ID']}-{system['VERSION_ID']}")


def output(*command, cwd=None):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, cwd=cwd).stdout


def system_of():
    lines = pathlib.Path("/etc/os-release").read_text().splitlines()
    return {"VERSION_ID": "sid"} | {key: value.strip('"') for key, _, value in (line.partition("=") for line in lines)}


def packages_of(paths):
    """The package of each path; a path without one is left out."""
    names = {}  # paths that packages may use for it: with and without /usr, and through links
    for path in paths:
        for name in {str(path), str(pathlib.Path(path).resolve())}:
            plain = name.removeprefix("/usr")
            names[plain] = names["/usr" + plain] = path
    owners = {}
    for listing in pathlib.Path("/var/lib/dpkg/info").glob("*.list"):
        for line in listing.read_text().splitlines():
            if line in names:
                owners[names[line]] = listing.stem
    known = {name: described(name) for name in set(owners.values())}
    return {path: known[name] for path, name in owners.items()}


def described(name):
    form = "\t".join("${%s}" % field for field in ("Package", "Version", "Architecture", "source:Package", "source:Version",
                                                   "Maintainer", "Homepage"))
    return Package(*output("dpkg-query", "-W", "-f", form + "\n", name).splitlines()[0].split("\t"))


def needed(binary):
    """The names of the libraries that a binary asks for."""
    return re.findall(r"\(NEEDED\).*\[(.+)\]", output("readelf", "-dW", binary))


def loaded(binary):
    """Where the dynamic linker finds each library that the binary asks for, and those that these ask for."""
    found = dict(re.findall(r"^\s*(\S+) => (/\S+)", output("ldd", binary), re.M))
    missing = [name for name in needed(binary) if name not in found and not name.startswith("ld-linux")]
    if missing:
        raise Unknown(f"{binary} needs {', '.join(missing)}, which this machine has not")
    return found


class Build:
    """The folder of a build by Ninja: what it read to make a binary."""

    def __init__(self, folder):
        self.folder = folder

    def cached(self, key):
        """A setting of CMake."""
        found = re.search(rf"^{key}:\w+=(.*)$", (self.folder / "CMakeCache.txt").read_text(), re.M)
        return found.group(1) if found else ""

    def read_for(self, binary):
        """The files outside of the tree that were compiled, and the archives that were linked, into the binary."""
        inputs = output("ninja", "-t", "inputs", binary.relative_to(self.folder), cwd=self.folder).splitlines()
        made = {path for path in inputs if path.endswith((".o", ".gch"))}
        headers, taken = set(), False
        for line in output("ninja", "-t", "deps", cwd=self.folder).splitlines():
            if not line.startswith(" "):
                taken = line.partition(": #deps")[0] in made
            elif taken and line.strip().startswith("/usr/"):
                headers.add(line.strip())
        archives = {path for path in inputs if path.startswith("/") and path.endswith(".a")}
        return headers, archives


def build_of(binary):
    """The build that the binary was made in, if it still lies there."""
    for folder in binary.parents:
        if (folder / "build.ninja").is_file():
            return Build(folder)
    return None


def tools():
    found = (output("bash", "-c", f"command -v {name} || true").strip() for name in TOOLS)
    return sorted(set(packages_of(path for path in found if path).values()))
