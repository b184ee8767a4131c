"""What OpenAPI says of the fields of API objects beyond their types, as the table fakes/apiserver/openapi/schema_marks.txt.

    schema_marks.py FOLDER...      documents of OpenAPI v3: api/openapi-spec/v3 of k8s.io/kubernetes, and those that a
                                   kube-apiserver serves, which have enumerations, too

What a later folder says of a schema counts. Only messages that fakes/wire/protobuf/api_messages.txt has are kept.
"""

import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
PREFIX = re.compile(r"^io\.k8s\.(api\.|apimachinery\.pkg\.(apis\.)?)")
COMPILED_IN = {"meta.v1." + name for name in ("DeleteOptions", "ListMeta", "ManagedFieldsEntry", "ObjectMeta", "OwnerReference",
                                              "Preconditions", "Status", "StatusCause", "StatusDetails")}


def known_messages():
    out, package = set(COMPILED_IN), None
    for line in (ROOT / "fakes/wire/protobuf/api_messages.txt").read_text().splitlines():
        if line.startswith("package "):
            package = line.split()[1]
        elif package and line and not line.startswith((" ", "#")):
            out.add(f"{package}.{line.split()[0]}")
    return out


def marks_of(name, field, required):
    out = ["required"] if name in required else []
    one = field.get("items", field.get("additionalProperties", field))
    if values := one.get("enum"):
        out.append("enum=" + ",".join(values).replace(" ", "%20"))
    if kind := field.get("x-kubernetes-list-type"):
        out.append(f"list={kind}")
    if keys := field.get("x-kubernetes-list-map-keys"):
        out.append("keys=" + ",".join(keys))
    if strategy := field.get("x-kubernetes-patch-strategy"):
        out.append(f"patch={strategy}")
    if key := field.get("x-kubernetes-patch-merge-key"):
        out.append(f"merge={key}")
    if kind := field.get("x-kubernetes-map-type"):
        out.append(f"map={kind}")
    # The empty value of a type is no default that a client must know.
    if field.get("default") not in (None, "", 0, False, {}, []):
        out.append("default=" + json.dumps(field["default"], separators=(",", ":")))
    return out


def main():
    schemas = {}
    for path in (path for folder in sys.argv[1:] for path in sorted(pathlib.Path(folder).rglob("*_openapi.json"))):
        schemas |= json.loads(path.read_text()).get("components", {}).get("schemas", {})
    known = known_messages()
    print((HERE / "schema_marks.head").read_text(), end="")
    for full, schema in sorted(schemas.items()):
        name = PREFIX.sub("", full)
        if name not in known:
            continue
        lines = []
        for field, own in sorted(schema.get("properties", {}).items()):
            if marks := marks_of(field, own, schema.get("required", [])):
                lines.append(" ".join(["", field, *marks]))
        atomic = schema.get("x-kubernetes-map-type") == "atomic"
        if lines or atomic:
            print("\n".join([name + (" atomic" if atomic else ""), *lines]))


if __name__ == "__main__":
    main()
