#!/usr/bin/env python3
"""Reduces HL7's structures of FHIR R4, and the value sets that bind their codes, to tables. README.md says how it is run."""

import json
import sys
import tarfile
from pathlib import Path

import profiles
from tables import PROFILES, UNLISTED, VALUE_SETS, type_name, value_set

HERE = Path(__file__).resolve().parent
VERSION = "4.0.1"


def files(package, prefix):
    with tarfile.open(package) as archive:
        for entry in archive:
            if Path(entry.name).name.startswith(prefix):
                yield json.load(archive.extractfile(entry))


def structures(defined, package):
    """The types that FHIR defines, by name; no profiles of them, no logical models."""
    found = {}
    for definition in defined:
        if definition.get("derivation") != "constraint" and definition["kind"] != "logical":
            found[definition["type"]] = definition
    if "Patient" not in found or found["Patient"]["version"] != VERSION:
        sys.exit(f"{package} does not define the structures of FHIR {VERSION}")
    return found


def element_line(element, has_children):
    name = element["path"].rsplit(".", 1)[1]
    if "contentReference" in element:
        types = element["contentReference"].removeprefix("#")
    elif has_children:
        types = element["path"]
    else:
        types = ",".join(type_name(element, entry) for entry in element["type"])
    words = [name, f"{element['min']}..{element['max']}", types]
    bound = value_set(element)
    marks = "".join(mark for flag, mark in (("isSummary", "*"), ("isModifier", "!")) if element.get(flag))
    return " " + " ".join(words + ([f"={bound}"] if bound else []) + ([marks] if marks else []))


def blocks(definition):
    """The type and every part of it that has elements of its own, each with the type that it extends and those elements."""
    elements = definition["snapshot"]["element"]
    parents = {element["path"].rsplit(".", 1)[0] for element in elements[1:]}
    for holder in elements:
        path = holder["path"]
        if path not in parents:
            continue
        top = path == definition["type"]
        base = definition.get("baseDefinition", "").removeprefix(PROFILES) if top else holder["type"][0]["code"]
        own = []
        for element in elements:
            if "." not in element["path"] or element["path"].rsplit(".", 1)[0] != path:
                continue
            origin = element["base"]
            if origin["path"] == element["path"]:
                own.append(element_line(element, element["path"] in parents))
            elif (origin["min"], origin["max"]) != (element["min"], element["max"]):
                sys.exit(f"{element['path']} is narrower than {origin['path']}")
        yield "\n".join([" ".join(filter(None, [path, base])), *own])


def structure_lines(definitions):
    for name in sorted(definitions):
        if definitions[name]["kind"] == "primitive-type":
            continue
        yield from blocks(definitions[name])


def codes(concepts):
    for concept in concepts:
        if "code" in concept and not concept.get("abstract"):
            yield concept["system"], concept["code"]
        yield from codes(concept.get("contains", ()))


def binding_lines(definitions, further, package, expanded):
    elements = (element for definition in definitions.values() for element in definition["snapshot"]["element"])
    bound = {value_set(element) for element in elements} - {None, *UNLISTED}
    sets = {found["url"].removeprefix(VALUE_SETS): found for found in files(expanded, "ValueSet-")}
    # The codes by which profiles bind are LOINC's and UCUM's, which HL7 does not expand but lists.
    listed = {found["url"]: found for found in files(package, "ValueSet-")}
    for name in sorted(bound | further):
        systems = {}
        if name in bound:
            for system, code in codes(sets[name]["expansion"]["contains"]):
                systems.setdefault(system, []).append(code)
        else:
            systems = profiles.enumerated(listed, name)
        yield name
        for system in sorted(systems):
            if any(" " in code for code in systems[system]):
                sys.exit(f"{name} has a code with a space in it")
            yield " ".join(["", system, *sorted(systems[system])])


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: structures.py EXAMPLES.tgz EXPANSIONS.tgz")
    package, expanded = sys.argv[1:]
    defined = list(files(package, "StructureDefinition-"))
    definitions, narrowed = structures(defined, package), profiles.Profiles(defined)
    further = set(narrowed.value_sets()) - {None}
    for name, lines in (
        ("structures.txt", structure_lines(definitions)),
        ("bindings.txt", binding_lines(definitions, further, package, expanded)),
        ("profiles.txt", narrowed.lines()),
    ):
        (HERE / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


main()
