"""Where a release comes from: a Statement of in-toto (v1) with SLSA's provenance (v1)."""
import hashlib
import json

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "https://slsa.dev/provenance/v1"
BUILD_TYPE = "https://nodebound.dev/build/release/v1"


class Mistake(Exception):
    """A statement that is not of these files, or not what was asked for."""


def dependencies(release, packages):
    source = {"name": "nodebound", "digest": {"gitCommit": release.commit}}
    if release.source:
        source["uri"] = f"git+{release.source}@{release.commit}"
    return [source, *({"name": package.name, "uri": package.purl()} for package in sorted(set(packages)))]


def statement(release, subjects, packages, *, builder, began, ended, settings):
    """Of the subjects, by name, in bytes."""
    metadata = {"invocationId": f"{release.commit}-{ended.strftime('%Y%m%dT%H%M%SZ')}",
                "startedOn": began.strftime("%Y-%m-%dT%H:%M:%SZ"), "finishedOn": ended.strftime("%Y-%m-%dT%H:%M:%SZ")}
    external = {"version": release.version, "preset": "release", "target": "nodebound"}
    if release.trial:
        external["trial"] = release.trial
    return {"_type": STATEMENT,
            "subject": [{"name": name, "digest": {"sha256": hashlib.sha256(data).hexdigest()}}
                        for name, data in sorted(subjects.items())],
            "predicateType": PREDICATE,
            "predicate": {
                "buildDefinition": {"buildType": BUILD_TYPE, "externalParameters": external,
                                    "internalParameters": {"SOURCE_DATE_EPOCH": int(release.when.timestamp()), **settings},
                                    "resolvedDependencies": dependencies(release, packages)},
                "runDetails": {"builder": {"id": builder}, "metadata": metadata}}}


def check(payload, files, *, trial=False, commit=None, builder=None):
    """Ends with a Mistake unless the statement is of these files, and of that commit and builder; the commit."""
    def must(holds, text):
        if not holds:
            raise Mistake(f"provenance: {text}")

    document = json.loads(payload)
    must(document["_type"] == STATEMENT and document["predicateType"] == PREDICATE, "it is no provenance of SLSA v1")
    stated = {one["name"]: one["digest"]["sha256"] for one in document["subject"]}
    for name, data in sorted(files.items()):
        must(name in stated, f"{name} is not in it")
        must(stated[name] == hashlib.sha256(data).hexdigest(), f"{name} is another file than the one that was built")
    must(not set(stated) - set(files), f"{', '.join(sorted(set(stated) - set(files)))} is missing")
    definition, details = document["predicate"]["buildDefinition"], document["predicate"]["runDetails"]
    must(definition["buildType"] == BUILD_TYPE, f"the build was another: {definition['buildType']}")
    tried = definition["externalParameters"].get("trial")
    must(trial or not tried, f"it is a trial, no release: {tried}")
    source = definition["resolvedDependencies"][0]["digest"]["gitCommit"]
    must(commit in (None, source), f"it is built of the commit {source}")
    must(builder in (None, details["builder"]["id"]), f"it was built by {details['builder']['id']}")
    return source, details["builder"]["id"]
