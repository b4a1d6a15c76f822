"""Makes the two tables of compartments: by search parameters for all five, by elements for the patient's."""

import re
import sys

URL = "http://hl7.org/fhir/CompartmentDefinition/"
NAMES = ("Device", "Encounter", "Patient", "Practitioner", "RelatedPerson")
# The one condition that the expressions hold. It says what every reference of a compartment has to be anyway.
IS_PATIENT = ".where(resolve() is Patient)"


def lines(definitions):
    """A compartment, a type that can be in it, and the parameters by which it is."""
    for name in NAMES:
        for resource in sorted(named(definitions, name)["resource"], key=lambda resource: resource["code"]):
            # What a compartment is of is in its own, and by nothing else (docs/gaps.md).
            codes = ["_id"] if resource["code"] == name else resource.get("param")
            if codes:
                yield " ".join([name, resource["code"], *codes])


def named(definitions, name):
    url = URL + name[0].lower() + name[1:]
    return next(definition for definition in definitions if definition["url"] == url)


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


def patient_lines(definitions, parameters):
    for resource in sorted(named(definitions, "Patient")["resource"], key=lambda resource: resource["code"]):
        # A Patient is in its own compartment only, not in that of a Patient it is linked to (docs/gaps.md).
        if resource["code"] == "Patient" or "param" not in resource:
            continue
        elements = [path for code in resource["param"] for path in paths(resource["code"], code, parameters)]
        yield " ".join([resource["code"], *dict.fromkeys(elements)])
