"""Asks `nodebound serve` and a real kube-apiserver the same bytes with the same credentials, and compares the answers.

Exit codes: 0 the same but for what allowed.toml names, 1 something else differs or an entry there matches nothing, 3 a
server did not start.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import json
import pathlib
import re
import sys
import tempfile
import tomllib

import certificates
import framing
import headers
import mutants
import paths
import tokens
import values
import wire
import world
import writes

HERE = pathlib.Path(__file__).parent


class Allowed:
    """Differences that are known. Each entry has to be met by what is asked every time, not by chance alone."""

    def __init__(self, path):
        self.entries = tomllib.loads(path.read_text()).get("allowed", [])
        self.met = collections.Counter()

    def covers(self, case, real, fake):
        for i, entry in enumerate(self.entries):
            if (
                any(fnmatch.fnmatchcase(case.full_name, each) for each in entry["cases"])
                and re.search(entry["kube-apiserver"], real)
                and re.search(entry["nodebound"], fake)
            ):
                self.met[i] += 1
                return True
        return False

    def unused(self):
        return [entry for i, entry in enumerate(self.entries) if not self.met[i]]


def ask_both(pool, cases, sides, patience):
    jobs = [[pool.submit(side.wire.ask, case, side.uid, patience) for side in sides] for case in cases]
    return [[job.result() for job in pair] for pair in jobs]


def compare(cases, sides, patience):
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = ask_both(pool, cases, sides, patience)
    # A busy machine answers late, so differences are asked again, one after the other and with longer time-outs.
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for i, (real, fake) in enumerate(answers):
            if real != fake:
                answers[i] = ask_both(pool, [cases[i]], sides, 3 * patience)[0]
    return answers


def report(cases, answers, allowed, arguments):
    """Prints the differences and a table; whether there are some that nobody allows."""
    counts = collections.defaultdict(collections.Counter)
    records = []
    for case, (real, fake) in zip(cases, answers, strict=True):
        outcome = "equal" if real == fake else "known" if allowed.covers(case, real, fake) else "differ"
        if real.startswith("not sent"):
            outcome = "unsent"
        counts[case.category][outcome] += 1
        records.append({"case": case.full_name, "outcome": outcome, "kube-apiserver": real, "nodebound": fake})
        if outcome == "differ" and counts["all"]["shown"] < arguments.most:
            counts["all"]["shown"] += 1
            print(f"✗ {case.full_name}\n    kube-apiserver  {real[:700]}\n    nodebound       {fake[:700]}")
    shown = counts.pop("all", None)
    (arguments.out / "wire.json").write_text(json.dumps(records, indent=1, ensure_ascii=False))
    total = sum(counts.values(), collections.Counter())
    rows = [("category", "asked", "equal", "known", "differ")]
    for category, own in [*counts.items(), ("total", total)]:
        asked = sum(own.values()) - own["unsent"]
        rows.append((category, asked, own["equal"], own["known"], own["differ"]))
    if shown and total["differ"] > shown["shown"]:
        print(f"and {total['differ'] - shown['shown']} more; all are in {arguments.out / 'wire.json'}")
    print()
    for category, *figures in rows:
        print(f"{category:<22}" + "".join(f"{figure:>8}" for figure in figures))
    if total["unsent"]:
        print(f"{total['unsent']} not asked: this machine's OpenSSL does not send such a certificate")
    idle = allowed.unused() if not arguments.only else []
    for entry in idle:
        print(f"✗ allowed.toml: nothing differs like this any more: {', '.join(entry['cases'])}: {entry['reason']}")
    return bool(total["differ"] or idle)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version")
    parser.add_argument("count", nargs="?", type=int, default=500, help="requests that are drawn at random")
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--nodebound", type=pathlib.Path, required=True)
    parser.add_argument("--binaries", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--only", help="only the cases of such a name, such as 'chunks/*'")
    parser.add_argument("--most", type=int, default=60, help="how many differences are printed")
    parser.add_argument("--patience", type=float, default=3, help="seconds without an answer that count as none")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        (folder / "chains").mkdir()
        authorities = certificates.Authorities(folder / "chains")
        world.write_credentials(folder, authorities.trusted())
        cases = [
            *framing.cases(),
            *headers.cases(),
            *paths.cases(),
            *tokens.cases((folder / "sa.key").read_bytes()),
            *certificates.cases(authorities),
            *mutants.cases(arguments.count, arguments.seed),
            *values.cases(arguments.count, arguments.seed),
            *writes.cases(),
        ]
        if arguments.only:
            cases = [case for case in cases if fnmatch.fnmatchcase(case.full_name, arguments.only)]
        sides = []
        try:
            sides.append(world.start_real(arguments.binaries, folder))
            sides.append(world.start_nodebound(arguments.nodebound, arguments.version, folder))
            for side in sides:
                side.fill()
                side.wire = wire.Wire(side.port)
            answers = compare(cases, sides, arguments.patience)
            for side in sides:
                side.processes[0].check()
        finally:
            for side in sides:
                side.stop()
    return 1 if report(cases, answers, Allowed(HERE / "allowed.toml"), arguments) else 0


if __name__ == "__main__":
    sys.exit(main())
