"""Answers every question at once with no opinion; writes how many there were, and its own CPU seconds, into a file.

    abstain.py FILE
"""

import pathlib
import resource
import sys


def main():
    sys.stdin.readline()
    say = sys.stdout.write
    say('{"protocol":"nodebound.dev/exec","version":1,"reviews":["SubjectAccessReview"],"objects":"lines"}\n')
    sys.stdout.flush()
    answered = 0
    for line in sys.stdin:
        if line.startswith('{"id":'):
            answered += 1
            say(line[:line.index(",")] + ',"decision":"no opinion"}\n')
            sys.stdout.flush()
    used = resource.getrusage(resource.RUSAGE_SELF)
    pathlib.Path(sys.argv[1]).write_text(f"{answered} {used.ru_utime + used.ru_stime}\n")


main()
