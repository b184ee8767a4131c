"""Answers, without what must differ, compared field by field."""

import difflib
import fnmatch
import json
import re
import tomllib


def permissions(rules):
    """What RBAC rules permit: `get pods.` or `get secrets. named a`, `get /version`, each once."""
    found = set()
    for rule in rules:
        for verb in rule.get("verbs", []):
            found.update(f"{verb} {url}" for url in rule.get("nonResourceURLs", []))
            found.update(f"{verb} {resource}.{group}" + (f" named {name}" if name else "")
                         for group in rule.get("apiGroups", []) for resource in rule.get("resources", [])
                         for name in rule.get("resourceNames", [""]))
    return sorted(found)


class Normal:
    """The list of normal.toml: what may differ, and its form."""

    def __init__(self, path):
        self.dropped, self.rules, self.by_key, self.everywhere = set(), set(), {}, []
        for entry in tomllib.loads(path.read_text())["normal"]:
            if entry.get("drop"):
                self.dropped.add(entry["name"])
            elif entry.get("permissions"):
                self.rules.add(entry["name"])
            elif "key" in entry:
                self.by_key[entry["key"]] = (re.compile(entry["form"]), f"<{entry['name']}>")
            else:
                self.everywhere.append((re.compile(entry["form"], re.M), f"<{entry['name']}>"))

    def text(self, text):
        for form, placeholder in self.everywhere:
            text = form.sub(placeholder, text)
        return text

    def of(self, value, key=None):
        if isinstance(value, dict):
            return {name: self.of(own, name) for name, own in value.items() if name not in self.dropped}
        if isinstance(value, list):
            return permissions(value) if key in self.rules else [self.of(own) for own in value]
        if key in self.by_key:
            form, placeholder = self.by_key[key]
            if form.fullmatch(str(value)):
                return placeholder
        return self.text(value) if isinstance(value, str) else value


def documents(text):
    """JSON documents one after the other; the text itself if it is something else."""
    decoder = json.JSONDecoder()
    found, at = [], 0
    stripped = text.strip()
    while at < len(stripped):
        try:
            value, at = decoder.raw_decode(stripped, at)
        except ValueError:
            return text
        if not isinstance(value, (dict, list)):
            return text
        found.append(value)
        while at < len(stripped) and stripped[at].isspace():
            at += 1
    return found or text


def line_differences(path, real, fake):
    """Differences of texts, by line; a line has the name of its first word. Columns may be of another width."""
    sides = [[tuple(re.split(r"\s{2,}", line.strip())) for line in text.splitlines()] for text in (real, fake)]
    for kind, a, b, c, d in difflib.SequenceMatcher(None, *sides, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        left, right = sides[0][a:b], sides[1][c:d]
        for line in left:
            same = next((other for other in right if other[0] == line[0]), None)
            if same:
                right.remove(same)
            yield f"{path}[{line[0]}]", list(line), list(same) if same else "(absent)"
        for line in right:
            yield f"{path}[{line[0]}]", "(absent)", list(line)


def differences(path, real, fake):
    """(path, real, fake) of each field that is not the same."""
    if isinstance(real, dict) and isinstance(fake, dict):
        for name in sorted(real.keys() | fake.keys()):
            yield from differences(f"{path}.{name}", real.get(name, "(absent)"), fake.get(name, "(absent)"))
    elif isinstance(real, list) and isinstance(fake, list):
        for at in range(max(len(real), len(fake))):
            yield from differences(f"{path}[{at}]", real[at] if at < len(real) else "(absent)",
                                   fake[at] if at < len(fake) else "(absent)")
    elif real != fake:
        yield path, real, fake


def compare(normal, real, fake):
    """The differences of two records of one step."""
    yield from differences("exit", real["exit"], fake["exit"])
    for stream in ("stdout", "stderr"):
        sides = [documents(record[stream]) for record in (real, fake)]
        if any(isinstance(side, str) for side in sides):
            yield from line_differences(stream, *(normal.text(record[stream]) for record in (real, fake)))
        else:
            yield from differences(stream, *(normal.of(side) for side in sides))


class Allowed:
    """The list of allowed.toml; remembers which of it was met."""

    def __init__(self, path):
        self.entries = tomllib.loads(path.read_text()).get("allowed", [])
        self.used = set()

    def covers(self, step, path):
        for at, entry in enumerate(self.entries):
            patterns = [entry[name].replace("[", "[[]") for name in ("step", "path")]
            if fnmatch.fnmatchcase(step, patterns[0]) and fnmatch.fnmatchcase(path, patterns[1]):
                self.used.add(at)
                return True
        return False

    def unused(self):
        return [entry for at, entry in enumerate(self.entries) if at not in self.used]
