"""The page of results of one commit, in Markdown."""
import os
import pathlib
import platform
import re
import shutil
import subprocess

from runner import duration


def first_line(*command):
    if not shutil.which(command[0]):
        return ""
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout.splitlines()[0].strip() if done.returncode == 0 and done.stdout else ""


def machine():
    """Processor, memory, system and compilers: what figures depend on."""
    processor = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    memory = int(re.search(r"^MemTotal:\s*(\d+)", pathlib.Path("/proc/meminfo").read_text(), re.MULTILINE)[1])
    system = platform.freedesktop_os_release().get("PRETTY_NAME", "unknown system")
    programs = [first_line("g++", "--version"), first_line("clang++-16", "--version"), first_line("go", "version")]
    return ", ".join([processor[1] if processor else "unknown processor", f"{len(os.sched_getaffinity(0))} cores",
                      f"{memory / 2**20:.0f} GiB", system, *filter(None, programs)])


def cell(text):
    """Without what would end a cell, or be taken for HTML."""
    return text.replace("|", r"\|").replace("<", "&lt;").replace("\n", " ")


def since(stage, passed):
    if stage.name not in passed:
        return "never passed on this machine"
    return f"last passed {passed[stage.name].when} UTC, for {passed[stage.name].commit}"


def row(stage, record, passed, reasons):
    if not record:
        why = f" ({reasons[stage.name]})" if stage.name in reasons else ""
        return f"| {stage.name} | *not run*{cell(why)} | – | {cell(stage.proves)} | {since(stage, passed)} |"
    outcome = record.outcome if record.outcome == "passed" else f"**{record.outcome}**: {record.why}"
    if record.outcome != "passed":
        outcome += f"; {since(stage, passed)}"
    last = record.figures[-1] if record.figures else ""
    return f"| {stage.name} | {cell(outcome)} | {duration(record.seconds)} | {cell(stage.proves)} | {cell(last)} |"


def figures(stage, record):
    lines = "\n".join(record.figures)
    return f"### {stage.name}\n\n{record.when} UTC, `{record.command.strip()}`\n\n```\n{lines}\n```\n"


def failure(stage, record, folder):
    log = folder / "logs" / f"{stage.name}.log"
    tail = log.read_text(errors="replace").splitlines()[-30:] if log.exists() else ["its log is gone"]
    lines = "\n".join(tail).replace("```", "'''")
    return f"### {stage.name}\n\n{record.why}. Again: `ci/nightly --again {stage.name}`. The end of its output:\n\n```\n{lines}\n```\n"


def page(stages, records, *, title, date, reasons):
    """`reasons` says of stages why they were not run, as far as that is known."""
    known, passed = records.of_commit(), records.last_passed()
    stages = [stage for stage in stages if not stage.always]
    done = [(stage, known[stage.name]) for stage in stages if stage.name in known]
    number = {outcome: sum(record.outcome == outcome for _, record in done) for outcome in ("passed", "FAILED")}
    seconds = sum(record.seconds for _, record in done)
    parts = [f"""# Nightly results

{date} UTC, commit {title}, `ci/nightly`

{machine()}

**{number["passed"]} passed, {number["FAILED"]} failed, {len(stages) - len(done)} not run**, {duration(seconds)} in all

| stage | outcome | time | what it proves | figures |
|---|---|---:|---|---|
""" + "\n".join(row(stage, known.get(stage.name), passed, reasons) for stage in stages) + "\n"]
    failed = [(stage, record) for stage, record in done if record.outcome != "passed"]
    if failed:
        parts.append("## Failures\n")
        parts += [failure(stage, record, records.here) for stage, record in failed]
    told = [(stage, record) for stage, record in done if record.outcome == "passed" and len(record.figures) > 1]
    if told:
        parts.append("## Figures\n")
        parts += [figures(stage, record) for stage, record in told]
    return "\n".join(parts)
