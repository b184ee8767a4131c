"""Builds what others wrote from its Go module at an exact version, once, and keeps it."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]


def cache():
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(os.environ.get("NODEBOUND_CACHE") or pathlib.Path(base) / "nodebound")


def go(arguments, folder, implementation):
    settings = {"CGO_ENABLED": "1" if implementation.get("cgo") else "0", "GOFLAGS": "-mod=mod", "GOWORK": "off"}
    return subprocess.run(["go", *arguments], cwd=folder, env=os.environ | settings, check=False).returncode


def module_folder(module, version):
    """Where the sources of a module are."""
    done = subprocess.run(["go", "mod", "download", "-json", f"{module}@{version}"], env=os.environ | {"GOFLAGS": "-mod=mod"},
                          stdout=subprocess.PIPE, text=True, check=True)
    return pathlib.Path(json.loads(done.stdout)["Dir"])


def made_by_script(words):
    """The program in the folder that a script of ci/ builds and prints."""
    done = subprocess.run([ROOT / "ci" / words[0], *words[1:-1]], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(3)
    return pathlib.Path(done.stdout.splitlines()[-1]) / words[-1]


def build(implementation):
    """The program's path."""
    if "script" in implementation:
        return made_by_script(implementation["script"])
    name = implementation["program"]
    program = cache() / "others" / f"{name}-{implementation['version']}" / name
    if program.exists():
        return program
    module = f"{implementation['module']}@{implementation['version']}"
    print(f"others: building {module}", file=sys.stderr)
    program.parent.mkdir(parents=True, exist_ok=True)
    package = implementation.get("package", implementation["module"])
    with tempfile.TemporaryDirectory() as work:
        for step in (["mod", "init", f"nodebound/{name}"], ["get", module],
                     ["build", "-trimpath", "-ldflags", "-s -w", "-o", str(program), package]):
            if go(step, work, implementation) != 0:
                print(f"others: {module} did not build (go {' '.join(step)})", file=sys.stderr)
                sys.exit(3)
    return program
