"""The software bill of materials of a release, as SPDX 2.3 in JSON: what it is made of, and the digests of its files."""
import hashlib
import pathlib
import re
import tomllib

import debian

LICENCE = "Apache-2.0"
SITE = "https://nodebound.dev"


class Mistake(Exception):
    """A document that is not right, or not of these files."""


def licences():
    return tomllib.loads((pathlib.Path(__file__).parent / "licences.toml").read_text())


def digests(data):
    return [{"algorithm": "SHA1", "checksumValue": hashlib.sha1(data).hexdigest()},
            {"algorithm": "SHA256", "checksumValue": hashlib.sha256(data).hexdigest()}]


def verification_code(files):
    """SPDX's one digest of all files of a package."""
    sums = sorted(sum_of(file, "SHA1") for file in files)
    return {"packageVerificationCodeValue": hashlib.sha1("".join(sums).encode()).hexdigest()}


def sum_of(thing, algorithm):
    return next((one["checksumValue"] for one in thing.get("checksums", ()) if one["algorithm"] == algorithm), None)


def identifier(kind, name):
    return f"SPDXRef-{kind}-" + re.sub(r"[^A-Za-z0-9.]", "-", name)


def file_type(name):
    if name.startswith("bin/"):
        return "BINARY"
    if name.startswith("share/doc/"):
        return "DOCUMENTATION"
    return "TEXT"


def described_files(files):
    return [{"SPDXID": identifier("File", name), "fileName": f"./{name}", "fileTypes": [file_type(name)],
             "checksums": digests(data), "licenseConcluded": LICENCE, "licenseInfoInFiles": ["NOASSERTION"],
             "copyrightText": "NOASSERTION"} for name, data in sorted(files.items())]


def described_library(package, known):
    if package.source not in known:
        raise debian.Unknown(f"{package.name} ({package.source} {package.source_version}) is used, and ci/release/"
                             f"licences.toml does not say its licence; read /usr/share/doc/{package.name}/copyright")
    licence = known[package.source]
    out = {"SPDXID": identifier("Package", package.name), "name": package.name, "versionInfo": package.version,
           "supplier": supplier(package.maintainer), "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
           "licenseConcluded": licence["licence"], "licenseDeclared": licence["licence"], "copyrightText": "NOASSERTION",
           "sourceInfo": f"built by {debian.system_of()['ID'].capitalize()} of its source package {package.source} "
                         f"{package.source_version}",
           "primaryPackagePurpose": "LIBRARY",
           "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                             "referenceLocator": package.purl()}]}
    if package.homepage:
        out["homepage"] = package.homepage
    if "comment" in licence:
        out["licenseComments"] = licence["comment"]
    return out


def supplier(maintainer):
    name, address = re.fullmatch(r"(.*?)\s*<(.*)>", maintainer).groups()
    kind = "Organization" if re.search(r"\b(Team|Maintainers|Group)\b", name) else "Person"
    return f"{kind}: {name} ({address})"


class Links:
    """What the binary and its libraries hold of each other: relationships of SPDX."""

    def __init__(self, binary):
        self.binary, self.all, self.packages = binary, [], {}
        self.loaded = debian.loaded(binary)
        owners = debian.packages_of(set(self.loaded.values()))
        self.owner = {name: owners.get(path) for name, path in self.loaded.items()}
        if nobody := [path for name, path in self.loaded.items() if self.owner[name] is None]:
            raise debian.Unknown(f"{', '.join(nobody)}: of no package")

    def add(self, of, kind, package, comment):
        self.packages[package.name] = package
        one = {"spdxElementId": of, "relationshipType": kind, "relatedSpdxElement": identifier("Package", package.name)}
        known = next((old for old in self.all if {**old, "comment": ""} == {**one, "comment": ""}), None)
        if known:
            known["comment"] = ", ".join(dict.fromkeys([*known["comment"].split(", "), comment]))
        else:
            self.all.append(one | {"comment": comment})

    def add_loaded(self, main):
        for name in debian.needed(self.binary):
            self.add(main, "DYNAMIC_LINK", self.owner[name], name)
        for name, package in sorted(self.owner.items()):
            for other in debian.needed(self.loaded[name]):
                if self.owner.get(other, package) != package:
                    self.add(identifier("Package", package.name), "DEPENDS_ON", self.owner[other], other)
            self.packages[package.name] = package

    def add_compiled(self, main, build, built, known):
        """What was compiled in from headers. Where its library is loaded it is known already."""
        headers, archives = build.read_for(built)
        owners = debian.packages_of(headers | archives)
        if nobody := sorted((headers | archives) - set(owners)):
            raise debian.Unknown(f"{nobody[0]}: of no package")
        held = {owners[path] for path in archives}
        for package in sorted(held):
            names = sorted(pathlib.Path(path).name for path in archives if owners[path] == package)
            self.add(main, "STATIC_LINK", package, ", ".join(names))
        sources = {package.source for package in self.packages.values()}
        for package in sorted(set(owners.values()) - held):
            if package.source in sources:
                continue
            count = sum(owners[path] == package for path in headers)
            counted = f"{count} header{'s' if count > 1 else ''}"
            if known.get(package.source, {}).get("interface"):
                one = {"spdxElementId": identifier("Package", package.name), "relationshipType": "BUILD_DEPENDENCY_OF",
                       "relatedSpdxElement": main, "comment": f"{counted}, no code of which is in it"}
                self.packages[package.name] = package
                self.all.append(one)
            else:
                self.add(main, "STATIC_LINK", package, f"compiled into it from {counted}")


def make(release, files, links):
    """The document. `files` are those of the archive, by name; `links` has all libraries."""
    known = licences()
    described = described_files(files)
    libraries = [described_library(package, known) for _, package in sorted(links.packages.items())]
    main = {"SPDXID": "SPDXRef-Package-nodebound", "name": "nodebound", "versionInfo": release.version,
            "packageFileName": release.archive, "supplier": "Organization: The Nodebound authors",
            "downloadLocation": "NOASSERTION", "filesAnalyzed": True, "packageVerificationCode": verification_code(described),
            "checksums": digests(release.path(release.archive).read_bytes()), "licenseConcluded": LICENCE,
            "licenseDeclared": LICENCE, "licenseInfoFromFiles": ["NOASSERTION"], "copyrightText": "NOASSERTION",
            "primaryPackagePurpose": "APPLICATION", "sourceInfo": f"git commit {release.commit}"}
    contains = [{"spdxElementId": main["SPDXID"], "relationshipType": "CONTAINS", "relatedSpdxElement": file["SPDXID"]}
                for file in described]
    whole = hashlib.sha256(release.path(release.archive).read_bytes()).hexdigest()
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": release.name,
            "documentNamespace": f"{SITE}/spdx/{release.name}-{whole}",
            "creationInfo": {"created": release.when.strftime("%Y-%m-%dT%H:%M:%SZ"),
                             "creators": [f"Tool: nodebound-ci-release-{release.version}"], "licenseListVersion": "3.19"},
            "packages": [main, *libraries], "files": described,
            "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                               "relatedSpdxElement": main["SPDXID"]}, *contains, *links.all]}


def check(document, files, archive, binary):
    """Ends with a Mistake unless the document is of these files and of what the binary loads."""
    def must(holds, text):
        if not holds:
            raise Mistake(f"SBOM: {text}")

    must(document.get("spdxVersion") == "SPDX-2.3", "it is no SPDX 2.3")
    elements = [document, *document["packages"], *document["files"]]
    names = [element["SPDXID"] for element in elements]
    must(len(names) == len(set(names)), "two elements have one name")
    for relation in document["relationships"]:
        for end in (relation["spdxElementId"], relation["relatedSpdxElement"]):
            must(end in names, f"a relationship names {end}, which is not there")
    described = [one["relatedSpdxElement"] for one in document["relationships"] if one["relationshipType"] == "DESCRIBES"]
    must(len(described) == 1, "it describes no package, or several")
    main = next(element for element in elements if element["SPDXID"] == described[0])
    must(sum_of(main, "SHA256") == hashlib.sha256(archive).hexdigest(), "the archive is another")
    listed = {file["fileName"].removeprefix("./"): file for file in document["files"]}
    must(set(listed) == set(files), f"it does not list the files of the archive: {sorted(set(listed) ^ set(files))[:3]}")
    for name, data in files.items():
        for expected in digests(data):
            must(expected in listed[name]["checksums"], f"{name} has another {expected['algorithm']}")
    must(main["packageVerificationCode"] == verification_code(document["files"]), "the verification code is wrong")
    for package in document["packages"]:
        must(package.get("licenseConcluded", "NOASSERTION") != "NOASSERTION", f"{package['name']} has no licence")
        must(package is main or any(ref["referenceType"] == "purl" for ref in package["externalRefs"]),
             f"{package['name']} has no purl")
    linked = {name for one in document["relationships"] if one["relationshipType"] == "DYNAMIC_LINK"
              for name in one["comment"].split(", ")}
    asked = set(debian.needed(binary))
    must(linked == asked, f"the libraries that the binary asks for are others: {sorted(linked ^ asked)[:3]}")
    return len(document["packages"]), len(document["files"])
