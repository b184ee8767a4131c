"""Runs stages side by side, each in a process group of its own with its output in a log file."""
import dataclasses
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

PASSED, FAILED, SKIPPED = "passed", "FAILED", "skipped"
TAIL = 40  # lines of its log that are shown of a stage that failed
RUN_ENDED = "the run was ended"
QUIET = 60  # seconds without a line, after which it is said what runs
GRACE = 15  # seconds that a stage has between being told to end and being killed


@dataclasses.dataclass(frozen=True)
class Result:
    stage: object
    outcome: str
    seconds: float = 0.0
    why: str = ""
    figures: tuple[str, ...] = ()
    cut_short: bool = False  # it was ended with the run, so it says nothing


@dataclasses.dataclass
class Running:
    stage: object
    process: subprocess.Popen
    log: pathlib.Path
    since: float
    why: str = ""  # why it was ended, if it was

    @property
    def seconds(self):
        return time.monotonic() - self.since


def cores_here():
    return len(os.sched_getaffinity(0))


def duration(seconds):
    """90 s, 12 min 3 s"""
    seconds = round(seconds)
    return f"{seconds} s" if seconds < 100 else f"{seconds // 60} min {seconds % 60} s"


def tail_of(log, lines):
    return log.read_text(errors="replace").splitlines()[-lines:]


def figures_of(stage, log):
    """What the log ends with, or its lines that the stage says are its result."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", log.read_text(errors="replace"))
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    if stage.figures:
        return tuple(line for line in lines if re.search(stage.figures, line))
    return tuple(lines[-1:])


def signal_group(process, number):
    """The whole group, also after its leader has ended: what a stage has left behind."""
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        pass


class Runner:
    """Without keep_going nothing more is started after a failure; what runs then comes to its own end."""

    def __init__(self, stages, *, cores, logs, root, keep_going=False, say=print, ended=lambda result: None):
        self.stages, self.cores, self.logs, self.root = stages, cores, pathlib.Path(logs), root
        self.keep_going, self.say, self.ended = keep_going, say, ended
        self.running = []
        self.results = {}
        self.told = None  # the number of the signal that ends the run
        self.spoke = time.monotonic()

    def run(self):
        """The result of each stage, in the order of the table."""
        before = {number: signal.signal(number, self.tell) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
        try:
            while len(self.results) < len(self.stages):
                self.reap()
                self.start_what_may()
                self.say_what_runs()
                time.sleep(0.1)
        finally:
            self.end_all(RUN_ENDED)
            for number, handler in before.items():
                signal.signal(number, handler)
        return [self.results[stage.name] for stage in self.stages]

    def tell(self, number, _frame):
        self.told = number

    def line(self, text):
        self.spoke = time.monotonic()
        self.say(text)

    def settle(self, stage, outcome, seconds=0.0, why="", figures=()):
        result = Result(stage, outcome, seconds, why, figures, cut_short=why == RUN_ENDED)
        self.results[stage.name] = result
        if outcome == SKIPPED:
            self.line(f"skipped {stage.name}: {why}")
        self.ended(result)

    def start_what_may(self):
        free = self.cores - sum(self.weight(one.stage) for one in self.running)
        for stage in self.stages:
            if stage.name in self.results or any(one.stage is stage for one in self.running):
                continue
            if why := self.reason_to_skip(stage):
                self.settle(stage, SKIPPED, why=why)
            elif missing := [program for program in stage.programs if not shutil.which(program)]:
                without = f"there is no {' and no '.join(missing)} here"
                self.settle(stage, FAILED if os.environ.get("CI") == "true" else SKIPPED, why=without)
            elif self.weight(stage) <= free and all(need in self.results for need in self.needs(stage)):
                self.start(stage)
                free -= self.weight(stage)

    def weight(self, stage):
        return min(stage.cores, self.cores)

    def needs(self, stage):
        """Stages that were left out of this run are taken to have passed."""
        names = {one.name for one in self.stages}
        return [need for need in stage.needs if need in names]

    def reason_to_skip(self, stage):
        if self.told is not None:
            return RUN_ENDED
        results = [self.results[need] for need in self.needs(stage) if need in self.results]
        if lacking := [result.stage.name for result in results if result.outcome != PASSED]:
            return f"it needs {', '.join(lacking)}"
        failed = [name for name, result in self.results.items() if result.outcome == FAILED]
        return f"{failed[0]} had failed" if failed and not self.keep_going else ""

    def start(self, stage):
        self.logs.mkdir(parents=True, exist_ok=True)
        log = self.logs / f"{stage.name}.log"
        with log.open("wb") as out:
            process = subprocess.Popen(
                ["bash", "-euo", "pipefail", "-c", stage.command], cwd=self.root, env=self.environment(stage),
                stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
        self.running.append(Running(stage, process, log, time.monotonic()))
        self.line(f"start   {stage.name}, output in {log}")

    def environment(self, stage):
        """CMake's own variable keeps a build to the cores of its stage."""
        cores = str(self.weight(stage))
        return {**os.environ, "STAGE_CORES": cores, "CMAKE_BUILD_PARALLEL_LEVEL": cores}

    def reap(self):
        if self.told is not None:
            self.end_all(RUN_ENDED)
        for one in list(self.running):
            status = one.process.poll()
            if status is not None:
                self.running.remove(one)
                signal_group(one.process, signal.SIGKILL)
                self.close(one, status)
            elif one.stage.minutes and one.seconds > one.stage.minutes * 60 and not one.why:
                self.end([one], f"took more than {one.stage.minutes} minutes")

    def close(self, one, status):
        why = one.why or ("" if status == 0 else f"ended with {status}" if status > 0 else f"killed by signal {-status}")
        if not why:
            self.line(f"passed  {one.stage.name} in {duration(one.seconds)}")
            self.settle(one.stage, PASSED, one.seconds, figures=figures_of(one.stage, one.log))
            return
        lines = tail_of(one.log, TAIL)
        self.line("\n".join([f"FAILED  {one.stage.name} after {duration(one.seconds)}: {why}. The end of {one.log}:",
                             *(f"        | {line}" for line in lines)]))
        self.settle(one.stage, FAILED, one.seconds, why, figures_of(one.stage, one.log))

    def end(self, some, why):
        """Tells stages to end, and kills what has not by then."""
        for one in some:
            one.why = one.why or why
            signal_group(one.process, signal.SIGTERM)
        for one in some:
            try:
                one.process.wait(GRACE)
            except subprocess.TimeoutExpired:
                pass
            signal_group(one.process, signal.SIGKILL)
            one.process.wait()

    def end_all(self, why):
        some, self.running = self.running, []
        self.end(some, why)
        for one in some:
            self.close(one, one.process.returncode)

    def say_what_runs(self):
        if self.running and time.monotonic() - self.spoke > QUIET:
            self.line("runs    " + "; ".join(f"{one.stage.name}: {duration(one.seconds)}{self.at(one)}" for one in self.running))

    @staticmethod
    def at(one):
        last = [line for line in tail_of(one.log, 5) if line.strip()][-1:]
        return f", at {last[0].strip()[:100]!r}" if last else ""
