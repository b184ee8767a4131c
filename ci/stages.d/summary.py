"""What a run of stages ends with: a table, and a line with the counts."""
from runner import FAILED, PASSED, SKIPPED, duration


def table(results):
    rows = [(result.stage.name, duration(result.seconds) if result.seconds else "–", result.outcome,
             result.stage.proves + (f" [{result.why}]" if result.why else "")) for result in results]
    heads = ("STAGE", "TIME", "OUTCOME", "WHAT IT PROVES")
    widths = [max(len(row[i]) for row in (heads, *rows)) for i in range(3)]
    return "\n".join(f"{row[0]:<{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]:<{widths[2]}}  {row[3]}"
                     for row in (heads, *rows))


def failures(results):
    """The figures of each stage that failed: what failed in it, said where a reader looks first."""
    return "\n".join(f"{result.stage.name}: {figure.strip()}" for result in results if result.outcome == FAILED
                     for figure in result.figures)


def counts(results):
    number = {outcome: sum(result.outcome == outcome for result in results) for outcome in (PASSED, FAILED, SKIPPED)}
    line = f"{number[PASSED]} passed, {number[FAILED]} failed"
    return line + (f", {number[SKIPPED]} skipped" if number[SKIPPED] else "")
