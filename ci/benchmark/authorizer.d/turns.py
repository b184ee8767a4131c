#!/usr/bin/env -S python3 -B
"""Lets two authorizers take turns in short slices and prints a table of both and of the ratio between them.

    turns.py --ours PROGRAM --requests FILE [--upstream PROGRAM] [--rounds N] [--instructions FILE]

Both programs answer the same lines (reference/benchmark/slices.h). In each round each kind of request is decided for some
milliseconds by one and then by the other, so what disturbs the machine meets both; a round has one ratio, and the table
shows their median and their quartiles. Time is that of the processor, and beside a writer that of the clock, as waiting
counts there. Exit codes: 3 a program ended early.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys

SLICE_NS = 10_000_000
WRITES_PER_SECOND = 2000


class Decider:
    """A program that decides on request."""

    BUSY, TOOK = 0, 1

    def __init__(self, *command, **environment):
        self.clock = self.BUSY
        self.program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, **environment})
        self.counts = {}

    def ask(self, line):
        """The three numbers of the answer."""
        print(line, file=self.program.stdin, flush=True)
        for answer in self.program.stdout:
            if answer.startswith("slice "):
                return [int(number) for number in answer.split()[1:4]]
        sys.exit(f"benchmark: {self.program.args[0]} ended early")

    def count(self, what, requests):
        """How many decisions fill a slice, found out once."""
        key = (what, requests)
        if key not in self.counts:
            trial = 2000
            self.ask(f"{what} {requests[0]} {requests[1]} {trial}")
            busy = self.ask(f"{what} {requests[0]} {requests[1]} {trial}")[self.BUSY]
            self.counts[key] = max(trial, trial * SLICE_NS // max(busy, 1))
        return self.counts[key]

    def slice(self, what, requests):
        """Nanoseconds and allocations of a decision."""
        count = self.count(what, requests)
        answer = self.ask(f"{what} {requests[0]} {requests[1]} {count}")
        return answer[self.clock] / count, answer[2] / count

    def close(self):
        self.program.stdin.close()
        self.program.wait()


class Kind:
    """What was measured of one kind of request: a figure for each round."""

    def __init__(self):
        self.ours, self.theirs, self.ratios, self.explained, self.allocations = [], [], [], [], ([], [])


def decide_in_turn(kind, requests, ours, upstream, swapped, beside_writer):
    """One round; who comes first changes from round to round."""
    def our_turn():
        time, allocations = ours.slice("beside" if beside_writer else "decide", requests)
        kind.ours.append(time)
        kind.allocations[1].append(allocations)

    def their_turn():
        time, allocations = upstream.slice("decide", requests)
        kind.theirs.append(time)
        kind.allocations[0].append(allocations)

    turns = [our_turn, their_turn] if upstream else [our_turn]
    for turn in reversed(turns) if swapped else turns:
        turn()
    if upstream:
        kind.ratios.append(kind.theirs[-1] / kind.ours[-1])
    if not beside_writer:
        kind.explained.append(ours.slice("explain", requests)[0])


def measure(kinds, ours, upstream, rounds, beside_writer=False):
    measured = {name: Kind() for name in kinds}
    for round_ in range(rounds):
        for name, requests in kinds.items():
            decide_in_turn(measured[name], requests, ours, upstream, round_ % 2 == 1, beside_writer)
    return measured


def spread(figures):
    low, _, high = statistics.quantiles(figures, n=4) if len(figures) > 1 else figures * 3
    return f"{low:.1f}–{high:.1f}"


def nanoseconds(figures):
    return f"{statistics.median(figures):.1f} ns" if figures else "–"


def row(name, kind, instructions):
    ratio = f"{statistics.median(kind.ratios):.1f}" if kind.ratios else "–"
    quartiles = spread(kind.ratios) if kind.ratios else "–"
    allocations = " / ".join(f"{statistics.median(side):.2f}".rstrip("0").rstrip(".") if side else "–"
                             for side in kind.allocations)
    return (f"| {name} | {nanoseconds(kind.theirs)} | {nanoseconds(kind.ours)} | {nanoseconds(kind.explained)} | {ratio} | "
            f"{quartiles} | {allocations} | {instructions.get(name, '–')} |")


def table(title, measured, instructions):
    print(f"| {title} | upstream | ours | ours, reason written | ratio | its quartiles | allocations, upstream / ours | "
          "our instructions |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for name, kind in measured.items():
        print(row(name, kind, instructions))


def with_writer(kinds, ours, upstream, rounds):
    deciders = [decider for decider in (ours, upstream) if decider]
    for decider in deciders:
        decider.counts.clear()
        decider.clock = decider.TOOK
        decider.ask(f"write {WRITES_PER_SECOND}")
    measured = measure(kinds, ours, upstream, rounds, beside_writer=True)
    for decider in deciders:
        decider.ask("write 0")
    return measured


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--upstream")
    parser.add_argument("--requests", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--instructions", type=pathlib.Path)
    return parser.parse_args()


def main():
    given = arguments()
    requests = given.requests.read_text().splitlines()
    instructions = dict(line.split("\t") for line in given.instructions.read_text().splitlines()) if given.instructions else {}
    ours = Decider(given.ours, "--slices")
    upstream = given.upstream and Decider(given.upstream, "-test.run", "^TestNodeboundSlices$", "-test.cpu", "1",
                                          NODEBOUND_SLICES="1", NODEBOUND_REQUESTS=str(given.requests))
    names = subprocess.run([given.ours, "--kinds"], capture_output=True, text=True, check=True).stdout.splitlines()
    kinds = {name: (i, i + 1) for i, name in enumerate(names)}
    everything = {f"{len(requests)} different requests": (0, len(requests))}
    load = os.getloadavg()[0]
    table("request kind", measure({**kinds, **everything}, ours, upstream, given.rounds), instructions)
    print()
    table(f"beside {WRITES_PER_SECOND} writes of pods a second", with_writer(kinds, ours, upstream, given.rounds), {})
    print(f"\n{given.rounds} rounds in which the two take turns for 10 ms each, on one thread each; medians. The load of the "
          f"machine was {load:.1f} before and {os.getloadavg()[0]:.1f} after.")
    for decider in (ours, upstream):
        if decider:
            decider.close()


if __name__ == "__main__":
    main()
