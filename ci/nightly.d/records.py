"""What is known of the stages of each commit, kept as a file each: COMMIT/STAGE.json, with the logs in COMMIT/logs."""
import dataclasses
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess


def default_folder():
    cache = os.environ.get("NODEBOUND_CACHE")
    if not cache:
        cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "nodebound"
    return pathlib.Path(cache) / "nightly"


def git(root, *arguments):
    return subprocess.run(["git", "-C", root, *arguments], check=True, capture_output=True).stdout


def commit_of(root):
    """The commit, and what has been changed since: what has passed for one state of the tree says nothing of another."""
    commit = git(root, "rev-parse", "--short=12", "HEAD").decode().strip()
    changes = hashlib.sha256(git(root, "diff", "HEAD", "--binary"))
    changed = bool(git(root, "diff", "HEAD", "--name-only"))
    for name in git(root, "ls-files", "--others", "--exclude-standard", "-z").decode().split("\0"):
        if name:
            changed = True
            changes.update(name.encode() + b"\0" + (pathlib.Path(root) / name).read_bytes())
    return f"{commit}-changed-{changes.hexdigest()[:8]}" if changed else commit


@dataclasses.dataclass(frozen=True)
class Record:
    stage: str
    commit: str
    outcome: str
    seconds: float
    when: str  # when it ended, in UTC, to the second
    why: str = ""
    figures: tuple[str, ...] = ()
    command: str = ""


class Records:
    def __init__(self, folder, commit):
        self.folder, self.commit = pathlib.Path(folder), commit

    @property
    def here(self):
        return self.folder / self.commit

    def add(self, result, now=None):
        now = now or datetime.datetime.now(datetime.timezone.utc)
        record = Record(result.stage.name, self.commit, result.outcome, round(result.seconds, 1),
                        now.strftime("%Y-%m-%d %H:%M:%S"), result.why, tuple(result.figures), result.stage.command)
        self.here.mkdir(parents=True, exist_ok=True)
        path = self.here / f"{record.stage}.json"
        # An interrupted night leaves the old record or the new one, never a partial one.
        temporary = path.with_suffix(".new")
        temporary.write_text(json.dumps(dataclasses.asdict(record), indent=1) + "\n")
        temporary.replace(path)

    def forget(self, stage):
        (self.here / f"{stage}.json").unlink(missing_ok=True)

    def of_commit(self):
        """By stage, what is known for this commit."""
        return {record.stage: record for path in sorted(self.here.glob("*.json")) if (record := self.read(path))}

    def last_passed(self):
        """By stage, when it has last passed for any commit."""
        found = {}
        for path in self.folder.glob("*/*.json"):
            record = self.read(path)
            if record and record.outcome == "passed" and (
                    record.stage not in found or record.when > found[record.stage].when):
                found[record.stage] = record
        return found

    @staticmethod
    def read(path):
        """None for a file that is no record: then it is as if the stage had not been run."""
        try:
            document = json.loads(path.read_text())
            record = Record(**{**document, "figures": tuple(document["figures"])})
        except (OSError, ValueError, TypeError, KeyError):
            return None
        return record if re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", record.when) else None
