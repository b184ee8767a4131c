"""What components asked and what they logged, as sets that can be compared."""

import fnmatch
import json
import re
import tomllib
import urllib.parse


class Normal:
    """The lists of normal.toml: what is different every time, and its form."""

    def __init__(self, path):
        table = tomllib.loads(path.read_text())
        self.names = [(re.compile(entry["form"]), entry["as"]) for entry in table["name"]]
        self.messages = [(re.compile(entry["form"]), entry["as"]) for entry in table["message"]]
        self.parameters = set(table["parameters"]["kept"])
        self.dropped = [{key: re.compile(own) for key, own in entry.items() if key != "reason"}
                        for entry in table["drop"]]

    def name(self, name):
        for form, put in self.names:
            name = form.sub(put, name)
        return name

    def message(self, text):
        for form, put in self.messages:
            text = form.sub(put, text)
        return text

    def drops(self, fields):
        return any(all(form.fullmatch(str(fields.get(key, ""))) for key, form in entry.items())
                   for entry in self.dropped)


def fields_of(event, normal):
    """One request: who, what, of what, with which answer."""
    about = event.get("objectRef", {})
    target = urllib.parse.urlsplit(event["requestURI"])
    given = urllib.parse.parse_qs(target.query, keep_blank_values=True)
    parameters = sorted(f"{key}={normal.name(value)}" for key, values in given.items() if key in normal.parameters
                        for value in values)
    group = about.get("apiGroup", "")
    resource = about.get("resource", "")
    if resource:
        what = f"{group + '/' if group else ''}{about.get('apiVersion', '')} {resource}"
        what += f"/{about['subresource']}" if about.get("subresource") else ""
    else:
        what = target.path
    name = "" if resource == "events" else normal.name(about.get("name", ""))
    place = about.get("namespace", "")
    return {
        "user": normal.name(event["user"].get("username", "")),
        "verb": event["verb"],
        "what": what,
        "object": f"{place}/{name}" if place and resource != "namespaces" else name,
        "parameters": "&".join(parameters),
        "status": event.get("responseStatus", {}).get("code", 0),
    }


def requests(path, normal):
    """The requests of an audit log, each once: the key, and how often it was asked."""
    last = {}
    for line in path.read_text().splitlines():
        event = json.loads(line)
        last[event["auditID"]] = event
    found = {}
    for event in last.values():
        fields = fields_of(event, normal)
        if normal.drops(fields):
            continue
        parameters = f"?{fields['parameters']}" if fields["parameters"] else ""
        key = f"{fields['user']}: {fields['verb']} {fields['what']} {fields['object']}{parameters} → {fields['status']}"
        found[key] = found.get(key, 0) + 1
    return found


HEAD = re.compile(r"^[EF]\d{4} \S+ +\d+ ([\w.-]+):\d+\] (.*)$")


def errors(component, path, normal):
    """The errors of klog that a component wrote, each once."""
    found = {}
    for line in path.read_text(errors="replace").splitlines():
        if head := HEAD.match(line):
            message = normal.message(head[2])
            if normal.drops({"component": component, "message": message}):
                continue
            key = f"{component}: {head[1]}: {message}"
            found[key] = found.get(key, 0) + 1
    return found


class Allowed:
    """The list of allowed.toml; remembers which of it was met."""

    def __init__(self, path):
        self.entries = tomllib.loads(path.read_text()).get("allowed", [])
        self.used = set()

    def covers(self, side, key):
        for at, entry in enumerate(self.entries):
            if entry["only"] == side and fnmatch.fnmatchcase(key, entry["what"].replace("[", "[[]")):
                self.used.add(at)
                return True
        return False

    def unused(self):
        return [entry for at, entry in enumerate(self.entries) if at not in self.used]


def report(real, fake, allowed):
    """Prints what only one side has; how much of it nobody allows."""
    known = unknown = 0
    for side, own, other in (("kube-apiserver", real, fake), ("nodebound", fake, real)):
        for key in sorted(own.keys() - other.keys()):
            if allowed.covers(side, key):
                known += 1
                continue
            unknown += 1
            print(f"✗ only on {side}: {key}")
    stale = allowed.unused()
    for entry in stale:
        print(f"✗ no longer a difference, and must go: only on {entry['only']}: {entry['what']}")
    both = len(real.keys() & fake.keys())
    print(f"{both} kinds of requests and errors on both; {unknown} differences, and {known} that allowed.toml names")
    return unknown + len(stale)
