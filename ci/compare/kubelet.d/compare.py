"""Sends two kubelets the same random requests and prints what they answer differently.

    compare.py VERSION [--requests 5000] [--seed 1] [--nodebound PROGRAM | --beside VERSION]
"""

import argparse
import collections
import contextlib
import pathlib
import subprocess
import sys
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1] / "real" / "kubelet.d")]
import kubelet  # noqa: E402
import people  # noqa: E402
from pairs import COMPARED, Pair, Side  # noqa: E402
from shrink import shrunk  # noqa: E402

PRINTED = 20
SHRINKING_SECONDS = 60


@dataclass
class Difference:
    pair: Pair
    ask: object
    outcomes: list
    kinds: tuple
    remembered: bool = False

    def place(self):
        """Where in the API, and what the two answered."""
        first = self.ask.target.split("?")[0].strip("/").split("/")[0][:20]
        return f"{self.ask.method} /{first}: " + " and ".join(str(one.answer.status) for one in self.outcomes)

    def sort(self):
        """What is likely to have one cause: the real one makes the same mistake out of it, or it is the same place."""
        first = self.outcomes[0].answer
        if first.status >= 400:
            return self.kinds, first.status, first.body[:40]
        return self.kinds, first.status, self.place() if first.status < 300 else ""

    def shrink(self):
        self.ask, self.outcomes, self.kinds, self.remembered = shrunk(self.pair, self.ask, self.outcomes, self.kinds)


def real(version):
    executable = subprocess.run([kubelet.SCRIPT, version], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    return Side(f"kubelet {version}", version, [executable])


def arguments():
    parser = argparse.ArgumentParser(prog="compare-kubelet")
    parser.add_argument("version", metavar="VERSION")
    parser.add_argument("--requests", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodebound", metavar="PROGRAM", default="build/dev/harness/cli/nodebound")
    parser.add_argument("--beside", metavar="VERSION", help="a real kubelet of this release in the place of nodebound")
    return parser.parse_args()


def sides(given):
    version = given.version.removeprefix("v")
    if given.beside:
        return [real(version), real(given.beside.removeprefix("v"))]
    command = [str(pathlib.Path(given.nodebound).resolve()), "kubelet", "--release", version]
    return [real(version), Side("nodebound kubelet", version, command)]


def start(settings, both, folder, seed, stack):
    """Pairs of kubelets that end with `stack`, those too that did not start as a pair."""
    pki = folder / "pki"
    pki.mkdir()
    people.make_certificates(pki)
    pairs = [Pair(setting, pki, seed) for setting in settings]
    for pair in pairs:
        stack.callback(pair.stop)
    with ThreadPoolExecutor(len(pairs)) as pool:
        list(pool.map(lambda pair: pair.start(both, folder), pairs))
    return pairs


def remembered(ask):
    """Whom a kubelet knows by it."""
    return ask.who.certificate, ask.who.token


def compare(pair, requests):
    found, known_apart = [], set()
    for _ in range(requests):
        ask = pair.next()
        outcomes, kinds = pair.ask(ask)
        # Once two kubelets have sent different reviews about a user, their caches differ.
        if kinds and not (kinds == ("reviews",) and remembered(ask) in known_apart):
            found.append(Difference(pair, ask, outcomes, kinds))
        if "reviews" in kinds:
            known_apart.add(remembered(ask))
    return found


def compare_all(pairs, requests):
    total = sum(pair.setting["weight"] for pair in pairs)
    shares = [requests * pair.setting["weight"] // total for pair in pairs]
    shares[0] += requests - sum(shares)
    with ThreadPoolExecutor(len(pairs)) as pool:
        return [one for found in pool.map(compare, pairs, shares) for one in found]


def grouped(found):
    """[(all that are alike, the smallest request of them)], the most frequent first."""
    sorts = collections.defaultdict(list)
    for one in found:
        sorts[one.sort()].append(one)
    end, out = time.monotonic() + SHRINKING_SECONDS, {}
    for same in sorted(sorts.values(), key=len, reverse=True):
        example = min(same, key=lambda one: len(one.ask.raw()))
        if len(out) < PRINTED and time.monotonic() < end:
            example.shrink()
        key = example.sort(), example.ask.target, example.ask.headers
        others, first = out.get(key, ([], example))
        out[key] = others + same, first
    return sorted(out.values(), key=lambda entry: len(entry[0]), reverse=True)


def show(name, outcome, kinds):
    answer = outcome.answer
    headers = "".join(f" | {key}: {answer.header(key)[:200]}" for key in COMPARED if answer.header(key) is not None)
    print(f"    {name}: {answer.status}{headers}")
    if {"status", "body"} & set(kinds):
        print(f"      {answer.body[:700]!r}{'…' if len(answer.body) > 700 else ''}")
    if "reviews" in kinds:
        print(*(f"      review of {review}" for review in outcome.reviews or ["nothing"]), sep="\n")


def report(found, both):
    groups = grouped(found)
    for n, (same, one) in enumerate(groups[:PRINTED], 1):
        print(f"\n{n}. {', '.join(one.kinds)}: {len(same)} like {one.ask}")
        places = collections.Counter(other.place() for other in same).most_common(8)
        print("    " + ", ".join(f"{times} {place}" for place, times in places))
        print(f"    pair {one.pair.name}" + ("; not with a user whom the kubelets do not know" if one.remembered else ""))
        for side, outcome in zip(both, one.outcomes):
            show(side.name, outcome, one.kinds)
    if len(groups) > PRINTED:
        print(f"\n… and {len(groups) - PRINTED} more sorts")


def main():
    given = arguments()
    both = sides(given)
    settings = tomllib.loads((HERE / "pairs.toml").read_text())["pair"]
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        pairs = start(settings, both, pathlib.Path(folder), given.seed, stack)
        begin = time.monotonic()
        found = compare_all(pairs, given.requests)
        seconds = time.monotonic() - begin
        report(found, both)
    print(f"{given.requests} requests, {len(found)} differ ({both[0].name} and {both[1].name}, seed {given.seed}, "
          f"{seconds:.0f} s)")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
