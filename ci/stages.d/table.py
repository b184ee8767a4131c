"""The table of stages: what a *.toml file says, held to what a stage is."""
import dataclasses
import pathlib
import re
import tomllib


class TableError(Exception):
    """What is wrong with a table, and where: a person who edits it reads this."""


@dataclasses.dataclass(frozen=True)
class Stage:
    name: str
    command: str  # run by bash -euo pipefail in the root of the repository
    proves: str
    needs: tuple[str, ...] = ()  # stages that must have passed
    cores: int = 1  # how many it keeps busy
    programs: tuple[str, ...] = ()  # without these it is skipped; with CI=true it fails
    minutes: int = 0  # it fails after that long; 0: never
    figures: str = ""  # a regular expression: lines of the log that are its result, in place of the last line
    always: bool = False  # it proves nothing that lasts: ci/nightly runs it whenever a stage that needs it is run

    def __post_init__(self):
        if not re.fullmatch(r"[a-z0-9][a-z0-9.-]*", self.name):
            raise TableError("a name has lower-case letters, digits, dots and hyphens")
        for key in ("command", "proves"):
            if not getattr(self, key).strip():
                raise TableError(f"{key} is empty")
        if self.cores < 1 or self.minutes < 0:
            raise TableError("cores is at least 1, minutes at least 0")
        try:
            re.compile(self.figures)
        except re.error as error:
            raise TableError(f"figures is no regular expression: {error}") from error


KEYS = {field.name: field.type for field in dataclasses.fields(Stage)}
KINDS = {str: "a string", int: "a whole number", bool: "true or false"}


def stage_of(entry):
    unknown = entry.keys() - KEYS.keys()
    missing = {"name", "command", "proves"} - entry.keys()
    if unknown or missing:
        raise TableError(f"unknown keys {sorted(unknown)}, missing keys {sorted(missing)}; keys are {', '.join(KEYS)}")
    values = {}
    for key, value in entry.items():
        if KEYS[key] == tuple[str, ...]:
            if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
                raise TableError(f"{key} must be a list of strings")
            value = tuple(value)
        elif type(value) is not KEYS[key]:
            raise TableError(f"{key} must be {KINDS[KEYS[key]]}")
        values[key] = value
    return Stage(**values)


def read(path):
    """The stages of a file, in its order. A stage stands after those it needs, so there is no cycle."""
    try:
        document = tomllib.loads(pathlib.Path(path).read_text())
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise TableError(f"{path}: {error}") from error
    if document.keys() != {"stage"}:
        raise TableError(f"{path}: expected [[stage]] tables and nothing else")
    stages = []
    for entry in document["stage"]:
        known = {stage.name for stage in stages}
        try:
            stage = stage_of(entry)
            if stage.name in known:
                raise TableError("a second stage of that name")
            if early := set(stage.needs) - known:
                raise TableError(f"needs {', '.join(sorted(early))}, which no stage above it is")
        except TableError as error:
            raise TableError(f"{path}: stage {entry.get('name', '?')!r}: {error}") from error
        stages.append(stage)
    return stages


def named(stages, name):
    """The stage of that name; or all whose names begin with it and a hyphen: `fuzz` is fuzz-http, fuzz-bodies and so on."""
    found = [stage for stage in stages if stage.name == name]
    found = found or [stage for stage in stages if stage.name.startswith(name + "-")]
    if not found:
        raise TableError(f"there is no stage {name}; stages are {', '.join(stage.name for stage in stages)}")
    return found


def select(stages, names):
    """The named stages and all that they need; all stages if none is named."""
    if not names:
        return list(stages)
    by_name = {stage.name: stage for stage in stages}
    wanted, todo = set(), [stage.name for name in names for stage in named(stages, name)]
    while todo:
        name = todo.pop()
        if name not in wanted:
            wanted.add(name)
            todo += by_name[name].needs
    return [stage for stage in stages if stage.name in wanted]
