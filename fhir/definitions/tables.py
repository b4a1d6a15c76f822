"""How the tables of structures and of profiles write types and value sets."""

PROFILES = "http://hl7.org/fhir/StructureDefinition/"
VALUE_SETS = "http://hl7.org/fhir/ValueSet/"
# Types that FHIR borrows from FHIRPath. HL7 says of each which of its own types is meant.
FHIR_TYPE = PROFILES + "structuredefinition-fhir-type"
# HL7's table says string; the text of the standard (2.26.2) says id.
CORRECTED = {"Resource.id": "id"}
# Grammars rather than lists of codes: the code that reads the tables knows the first; of the others the package has a part at most.
UNLISTED = ("mimetypes", "ucum-units", "http://loinc.org/vs/LL379-9")


def type_name(element, entry):
    if element["path"] in CORRECTED:
        return CORRECTED[element["path"]]
    if entry["code"].startswith("http:"):
        return next(e["valueUrl"] for e in entry["extension"] if e["url"] == FHIR_TYPE)
    if entry["code"] != "Reference":
        return entry["code"]
    targets = [target.removeprefix(PROFILES) for target in entry.get("targetProfile", ())]
    return f"Reference({'|'.join(targets)})" if targets and targets != ["Resource"] else "Reference"


def value_set(element):
    """The value set from which the codes of an element have to be, without its version."""
    binding = element.get("binding", {})
    if binding.get("strength") != "required":
        return None
    name = binding["valueSet"].split("|")[0].removeprefix(VALUE_SETS)
    return None if name in UNLISTED[1:] else name
