#!/usr/bin/env python3
"""Reduces HL7's definitions of FHIR R4 to the tables beside this file. README.md says how it is run."""

import json
import sys
import tarfile
from pathlib import Path

import compartments
import search_parameters
from elements import Elements

HERE = Path(__file__).resolve().parent
VERSION = "4.0.1"
KINDS = ("CompartmentDefinition", "SearchParameter", "StructureDefinition", "ValueSet")


def definitions(package):
    """What the package defines, by kind, in the order of the ids."""
    found = {kind: [] for kind in KINDS}
    with tarfile.open(package) as archive:
        for entry in archive:
            kind = Path(entry.name).name.split("-")[0]
            if kind in found:
                found[kind].append(json.load(archive.extractfile(entry)))
    if not any(d["version"] == VERSION for d in found["CompartmentDefinition"]):
        sys.exit(f"{package} does not define the compartments of FHIR {VERSION}")
    return {kind: sorted(all_of_it, key=lambda d: d["id"]) for kind, all_of_it in found.items()}


def concrete(structures):
    """The resource types of which there can be a resource, in the order of the alphabet."""
    for definition in sorted(structures, key=lambda definition: definition["type"]):
        is_type = definition["kind"] == "resource" and not definition["abstract"]
        if is_type and definition["derivation"] == "specialization":
            yield definition


def type_lines(structures):
    for definition in concrete(structures):
        category = next(e["valueString"] for e in definition["extension"] if e["url"].endswith("-category"))
        yield f"{definition['type']} {category.replace('&amp;', '&')}"


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: generate.py PACKAGE.tgz")
    found = definitions(sys.argv[1])
    parameters, structures = found["SearchParameter"], found["StructureDefinition"]
    type_names = [definition["type"] for definition in concrete(structures)]
    table = HERE / "search-parameters.txt"
    older = table.read_text(encoding="utf-8").splitlines() if table.exists() else []
    elements = Elements(structures, found["ValueSet"])
    for name, lines in (
        ("compartments.txt", compartments.lines(found["CompartmentDefinition"])),
        ("patient-compartment.txt", compartments.patient_lines(found["CompartmentDefinition"], parameters)),
        ("search-parameters.txt", search_parameters.lines(parameters, elements, type_names, older)),
        ("shared-parameters.txt", search_parameters.shared_lines(parameters)),
        ("types.txt", type_lines(structures)),
    ):
        text = "".join(f"{line}\n" for line in lines)
        (HERE / name).write_text(text, encoding="utf-8")


main()
