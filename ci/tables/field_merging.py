"""How a server-side apply merges lists and maps, as the table fakes/wire/protobuf/field_merging.txt.

    field_merging.py MODULES RELEASE        MODULES holds k8s.io/client-go@vRELEASE

Only the messages of fakes/wire/protobuf/api_messages.txt are kept. A version of an API that the release no longer has merges
as the newest version of its group.
"""

import json
import pathlib
import re
import sys

import yaml

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
PREFIX = re.compile(r"^io\.k8s\.(api|apimachinery\.pkg)\.(apis\.)?")


def messages():
    package = ""
    for line in (ROOT / "fakes/wire/protobuf/api_messages.txt").read_text().splitlines():
        if line.startswith("package "):
            package = line.split()[1]
        elif re.match(r"[A-Z]", line):
            yield f"{package}.{line.split()[0]}"


def read_schema(modules, release):
    text = (modules / f"k8s.io/client-go@v{release}/applyconfigurations/internal/internal.go").read_text()
    types = yaml.load(text[text.index("`") + 1 : text.rindex("`")], Loader=yaml.CSafeLoader)["types"]
    return {PREFIX.sub("", each["name"]): each.get("map") or {} for each in types}


def key_text(list_type, schema):
    """The keys of the items, with the value that an item without the key has."""
    item = schema.get(PREFIX.sub("", list_type["elementType"].get("namedType", "")), {})
    defaults = {field["name"]: field["default"] for field in item.get("fields", []) if "default" in field}
    keys = [key + (f"={json.dumps(defaults[key])}" if key in defaults else "") for key in sorted(list_type["keys"])]
    return " ".join(keys)


def lines_of(struct, schema):
    if struct.get("elementRelationship") == "atomic":
        yield "whole"
    for field in struct.get("fields", []):
        own = field["type"]
        name, list_type, map_type = field["name"], own.get("list"), own.get("map")
        if own.get("elementRelationship") == "separable":
            yield f" {name} parts"
        if list_type and list_type["elementRelationship"] != "atomic":
            yield f" {name} " + (f"keys {key_text(list_type, schema)}" if "keys" in list_type else "values")
        if map_type and map_type.get("elementRelationship") == "atomic":
            yield f" {name} whole"


def version_order(package):
    version = package.rpartition(".")[2]
    number = [int(each) for each in re.findall(r"\d+", version)]
    return ("alpha" not in version, "beta" not in version, number)


def find(message, schema):
    if message in schema:
        return schema[message]
    package, _, name = message.rpartition(".")
    group = package.rpartition(".")[0]
    others = [each for each in schema if each.rpartition(".")[2] == name and each.rpartition(".")[0].rpartition(".")[0] == group]
    return schema[max(others, key=lambda each: version_order(each.rpartition(".")[0]))] if others else {}


def main():
    schema = read_schema(pathlib.Path(sys.argv[1]), sys.argv[2])
    print((HERE / "field_merging.head").read_text().rstrip() + "\n")
    for message in messages():
        lines = list(lines_of(find(message, schema), schema))
        if lines:
            whole = " whole" if lines[0] == "whole" else ""
            print("\n".join([message + whole, *[line for line in lines if line != "whole"]]))


main()
