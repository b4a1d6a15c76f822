#!/usr/bin/env python3
"""Reduces HL7's definitions of FHIR R4 to the tables beside this file. README.md says how it is run."""

import json
import re
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
VERSION = "4.0.1"
# The one condition that the expressions hold. It says what every reference of a compartment has to be anyway.
IS_PATIENT = ".where(resolve() is Patient)"


def definitions(package):
    """The compartment, the search parameters and the types that the package defines."""
    compartment, parameters, types = None, [], []
    with tarfile.open(package) as archive:
        for entry in archive:
            kind = Path(entry.name).name.split("-")[0]
            if kind not in ("CompartmentDefinition", "SearchParameter", "StructureDefinition"):
                continue
            found = json.load(archive.extractfile(entry))
            if kind == "SearchParameter":
                parameters.append(found)
            elif kind == "StructureDefinition":
                types.append(found)
            elif found["url"] == "http://hl7.org/fhir/CompartmentDefinition/patient":
                compartment = found
    if compartment is None or compartment["version"] != VERSION:
        sys.exit(f"{package} does not define the patient compartment of FHIR {VERSION}")
    return compartment, parameters, types


def paths(type_name, code, parameters):
    """The elements of a type that a search parameter looks at, without the name of the type."""
    found = []
    for parameter in parameters:
        if parameter["code"] != code or type_name not in parameter.get("base", ()):
            continue
        for branch in parameter["expression"].split("|"):
            path = branch.strip().removesuffix(IS_PATIENT)
            if path.split(".")[0] != type_name:
                continue
            if not re.fullmatch(r"\w+(\.[a-z]\w*)+", path):
                sys.exit(f"the expression {branch.strip()!r} of {parameter['id']} is no plain path")
            found.append(path.split(".", 1)[1])
    if not found:
        sys.exit(f"no search parameter {code} of {type_name} was found")
    return found


def compartment_lines(compartment, parameters):
    for resource in sorted(compartment["resource"], key=lambda resource: resource["code"]):
        # A Patient is in its own compartment only, not in that of a Patient it is linked to (docs/gaps.md).
        if resource["code"] == "Patient" or "param" not in resource:
            continue
        elements = [path for code in resource["param"] for path in paths(resource["code"], code, parameters)]
        yield " ".join([resource["code"], *dict.fromkeys(elements)])


def type_lines(types):
    for definition in sorted(types, key=lambda definition: definition["type"]):
        concrete = definition["kind"] == "resource" and not definition["abstract"]
        if concrete and definition["derivation"] == "specialization":
            category = next(e["valueString"] for e in definition["extension"] if e["url"].endswith("-category"))
            yield f"{definition['type']} {category.replace('&amp;', '&')}"


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: generate.py PACKAGE.tgz")
    compartment, parameters, types = definitions(sys.argv[1])
    for name, lines in (
        ("patient-compartment.txt", compartment_lines(compartment, parameters)),
        ("types.txt", type_lines(types)),
    ):
        (HERE / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


main()
