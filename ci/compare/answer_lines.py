"""Has a program of Nodebound's and one of the API server's packages answer the same lines of JSON, for cel and conditions."""

import argparse
import json
import subprocess
import sys


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("version")
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--theirs", required=True)
    parser.add_argument("--show", type=int, default=3)
    return parser.parse_args()


def answers(command, lines):
    """What the command answers to each line. A command that fails, or leaves a line out, ends the comparison."""
    done = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"compare: {command[0]} ended with {done.returncode}: {done.stderr}")
    out = [json.loads(line) for line in done.stdout.splitlines()]
    if len(out) != len(lines):
        sys.exit(f"compare: {command[0]} gave {len(out)} answers to {len(lines)} lines")
    return out
