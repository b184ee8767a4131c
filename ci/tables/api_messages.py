"""The fields of Kubernetes' API objects in protobuf, as the table fakes/wire/protobuf/api_messages.txt.

    api_messages.py MODULES RELEASE...        MODULES holds k8s.io/api@vRELEASE and k8s.io/apimachinery@vRELEASE

Newest release first, and one of each minor: what a later one no longer has is taken from an earlier one, and a field that its
message has not had from the beginning, or has no more, is given its releases. Before 1.15 both modules are folders of
k8s.io/kubernetes, staging/src/k8s.io, linked under these names. Numbers and types are those of the generated.proto files; the
Go types beside them tell what JSON calls a field, and when it leaves it out. Only what the resources of
fakes/wire/resources/resources.toml need is kept.
"""

import pathlib
import re
import sys
import tomllib

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
MESSAGE = re.compile(r"^message (\w+) \{\n(.*?)^\}", re.M | re.S)
FIELD = re.compile(r"^  (?:optional|(repeated)|(map)<string, ([\w.]+)>) ?([\w.]*) (\w+) = (\d+);", re.M)
STRUCT = re.compile(r"^type (\w+) struct \{\n(.*?)^\}", re.M | re.S)
MEMBER = re.compile(r"^\t(\w+\s+)?(\S+)\s+`[^`]*protobuf:\"\w+,(\d+),[^`]*`", re.M)
JSON_TAG = re.compile(r"json:\"([^\"]*)\"")
TYPE_META = re.compile(r"^\t(?:metav1\.)?TypeMeta\s+`json:\"(?:,inline)?\"", re.M)
SCALARS = {"string", "bytes", "bool", "int32", "int64"}
# What JSON does not write as an object of its fields.
FORMS = {"meta.v1.Time": "time", "meta.v1.MicroTime": "micro_time", "meta.v1.FieldsV1": "json", "meta.v1.Verbs": "list",
         "runtime.RawExtension": "json", "api.resource.Quantity": "quantity", "util.intstr.IntOrString": "int_or_string",
         "authentication.v1.ExtraValue": "list", "authorization.v1.ExtraValue": "list",
         "authentication.v1beta1.ExtraValue": "list", "authorization.v1beta1.ExtraValue": "list",
         "certificates.v1.ExtraValue": "list", "certificates.v1beta1.ExtraValue": "list"}
# Kinds that no resource has, and that are answered or sent nevertheless.
OTHERS = [("meta.v1", name) for name in ("PartialObjectMetadata", "PartialObjectMetadataList", "APIGroup", "APIGroupList",
                                         "APIResourceList", "APIVersions")]


def short(package):
    return re.sub(r"^k8s\.io\.(api|apimachinery\.pkg)\.(apis\.)?", "", package)


def read_tags(folder):
    """Of each struct: number of a field to its Go type and its JSON tag. Then the structs that have kind and apiVersion."""
    out, kinds = {}, set()
    for path in sorted(folder.glob("*.go")):
        if path.name.startswith(("zz_", "generated.")) or path.name.endswith("_test.go"):
            continue
        for name, body in STRUCT.findall(path.read_text()):
            if TYPE_META.search(body):
                kinds.add(name)
            members = {}
            for match in MEMBER.finditer(body):
                json_tag = JSON_TAG.search(match.group(0))
                tag = json_tag.group(1).split(",") if json_tag else [""]
                embedded = not match.group(1) and not tag[0]
                members[int(match.group(3))] = ("embedded" if embedded else match.group(2), tag)
            out.setdefault(name, members)
    return out, kinds


def full_type(go_type, version):
    """A Go type as Go names it at run time: with the package, and aliases resolved."""
    mapped = re.fullmatch(r"map\[([\w.]+)\](.*)", go_type)
    if mapped:
        return f"map[{full_type(mapped.group(1), version)}]{full_type(mapped.group(2), version)}"
    if go_type.startswith("[]"):
        return "[]" + full_type(go_type[2:], version)
    if go_type == "byte":
        return "uint8"
    package, dot, name = go_type.rpartition(".")
    if dot:
        # Packages are imported as metav1 or corev1, and are named v1.
        return re.sub(r"^[a-z]+(?=v\d)", "", package) + "." + name
    return f"{version}.{name}" if name[0].isupper() else name


def go_names(go_type, kind, package, flags):
    """The Go types of a field's one value and of its list or map, where the table's types do not tell them."""
    version = package.rpartition(".")[2]
    if go_type in ("", "embedded"):
        return "", ""
    whole = full_type(go_type.lstrip("*"), version)
    usual = kind if kind in SCALARS else ".".join(kind.rsplit(".", 2)[-2:])
    usual = "[]uint8" if usual == "bytes" else usual
    if not flags.startswith(("[", "{")):
        return ("" if whole == usual else whole), ""
    start = "[]" if flags.startswith("[") else "map[string]"
    item = whole[len(start):] if whole.startswith(start) else ""
    if re.match(r"map\[[\w.]+\]", whole):
        item = whole[whole.index("]") + 1:]
    item = "" if item == usual else item
    return item, "" if whole == start + (item or usual) else whole


def field_of(match, package, tags):
    repeated, mapped, value, kind, name, number = match.groups()
    number = int(number)
    kind = value or kind
    if kind not in SCALARS:
        kind = short(kind.lstrip(".")) if "." in kind else f"{package}.{kind}"
    go_type, tag = tags.get(number, ("", [name, "omitempty"]))
    flags = ""
    if go_type == "embedded":
        flags = "^"
    elif repeated or mapped:
        flags = "[]" if repeated else "{}"
    elif go_type.startswith("*"):
        flags = "*"
    is_struct = kind not in SCALARS and not flags
    if "omitzero" not in tag and (is_struct or "omitempty" not in tag) and flags != "^":
        flags += "!"
    return number, name if tag[0] in ("", "-") else tag[0], kind, flags, *go_names(go_type, kind, package, flags)


def read_file(path, minor, messages, with_kind, minors):
    text = path.read_text()
    package = short(re.search(r"^package ([\w.]+);", text, re.M).group(1))
    structs, kinds = read_tags(path.parent)
    with_kind |= {f"{package}.{name}" for name in kinds if f"{package}.{name}" not in messages}
    for name, body in MESSAGE.findall(text):
        fields = messages.setdefault(f"{package}.{name}", {})
        own_minors = minors.setdefault(f"{package}.{name}", {})
        own_minors.setdefault("", set()).add(minor)
        tags = structs.get(name, {})
        for match in FIELD.finditer(body):
            field = field_of(match, package, tags)
            own_minors.setdefault(field[1], set()).add(minor)
            if field[3].endswith("!"):
                own_minors.setdefault(f"{field[1]}!", set()).add(minor)
            if field[0] not in fields and field[1] not in {known[1] for known in fields.values()}:
                fields[field[0]] = field
    group = "".join(re.findall(r"^const GroupName = \"([^\"]*)\"", (path.parent / "register.go").read_text(), re.M)
                    if (path.parent / "register.go").exists() else [])
    return group, package


def wanted_kinds(groups):
    """(package, kind) of each that is sent or answered."""
    out = list(OTHERS)
    table = tomllib.loads((ROOT / "fakes/wire/resources/resources.toml").read_text())
    for group in table["group"]:
        for resource in group["resource"]:
            for version in resource.get("versions", group.get("versions")):
                package = f"{groups.get(group['name'], group['name'])}.{version['version']}"
                out += [(package, resource["kind"]), (package, resource["kind"] + "List")]
                for part in resource.get("subresources", group.get("subresources", [])):
                    if "kind" not in part:
                        continue
                    own, _, own_version = part.get("version", "").rpartition("/")
                    own_group = next((g for g in groups if own and g.split(".")[0] == own.split(".")[0]), group["name"])
                    out.append((f"{groups.get(own_group)}.{own_version or version['version']}", part["kind"]))
    return out


def releases_of(field, minors):
    """@SINCE, @-UNTIL or @SINCE-UNTIL, where the field is not as old as its message or has gone before it."""
    own, all_ = minors[field], minors[""]
    since = "" if min(own) == min(all_) else f"1.{min(own)}"
    until = "" if max(own) == max(all_) else f"-1.{max(own) + 1}"
    return f"@{since}{until}" if since or until else ""


def written_before(field, flags, minors):
    """`!-UNTIL` for a field that JSON had even if it was empty until Go's tag said omitzero."""
    always = minors.get(f"{field}!", set())
    return f"!-1.{max(always) + 1}" if always and not flags else ""


def closure(messages, kinds):
    todo = [".".join(kind) for kind in kinds]
    for missing in sorted({name for name in todo if name not in messages}):
        print(f"no message: {missing}", file=sys.stderr)
    kept = set()
    while todo:
        name = todo.pop()
        if name in kept or name not in messages:
            continue
        kept.add(name)
        todo += [field[2] for field in messages[name].values() if field[2] not in SCALARS]
    return kept


def main():
    modules = pathlib.Path(sys.argv[1])
    messages, groups, with_kind, minors = {}, {}, set(), {}
    for release in sys.argv[2:]:
        minor = int(release.split(".")[1])
        for module in ("apimachinery", "api"):
            for path in sorted((modules / f"k8s.io/{module}@v0.{release.removeprefix('1.')}").rglob("generated.proto")):
                if "testapigroup" in path.parts or "testdata" in path.parts:
                    continue
                group, package = read_file(path, minor, messages, with_kind, minors)
                if module == "api":
                    groups.setdefault(group, package.split(".")[0])
    kept = closure(messages, wanted_kinds(groups))
    names = {"meta": "meta.k8s.io"} | {directory: group for group, directory in groups.items()}
    print((HERE / "api_messages.head").read_text(), end="")
    package = None
    for name in sorted(kept, key=lambda full: full.rsplit(".", 1)):
        own, message = name.rsplit(".", 1)
        if own != package:
            package = own
            directory, _, version = own.rpartition(".")
            group = names.get(directory)
            print(f"\npackage {own}" + ("" if group is None else f" {group}/{version}" if group else f" {version}"))
        print(message + (f" {FORMS[name]}" if name in FORMS else " kind" if name in with_kind else ""))
        for number, json_name, kind, flags, item, whole in sorted(messages[name].values()):
            type_ = kind.removeprefix(own + ".") + (f"={item}" if item else "")
            number = f"{number}{releases_of(json_name, minors[name])}"
            flags += written_before(json_name, flags, minors[name])
            print(" ".join(["", number, json_name, type_, *filter(None, (flags, whole))]))


if __name__ == "__main__":
    main()
