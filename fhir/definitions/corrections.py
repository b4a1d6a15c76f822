"""The faults of HL7's search parameters that are corrected here, each with its reason. README.md repeats the list."""

# By the id of the parameter: what is left out, and why.
LEFT_OUT = {
    "example": "an example of a definition; it defines _id a second time",
    "example-extension": "an example of a definition; its expression is about another type than its base",
    "example-reference": "an example of a definition; it defines Condition's subject a second time",
    "filter": "_filter is refused: it is a language of its own",
    "Resource-query": "_query is refused: there are no named queries",
    "Location-near": "near is refused: nothing here measures distances",
    "individual-phonetic": "phonetic is refused: which algorithm it means is left open",
    "patient-extensions-Patient-age": "has no expression: an age is no element",
    "patient-extensions-Patient-birthOrderBoolean": "has no expression",
}

EXTENSION = "http://hl7.org/fhir/StructureDefinition/"

# By the id of the parameter: the expression that is meant.
EXPRESSIONS = {
    # Written without the type that it is about.
    "InsurancePlan-name": "InsurancePlan.name | InsurancePlan.alias",
    # HL7 defines the extension under another name than the parameter says.
    "patient-extensions-Patient-mothersMaidenName": f"Patient.extension('{EXTENSION}patient-mothersMaidenName')",
    # There is no value true or false in the element where it is a dateTime, but there is a truth about it.
    "Patient-deceased": "Patient.deceased.holds()",
}

# By the id of the parameter: a branch of its expression, and the branch that is meant.
BRANCHES = {
    # The only `patient` that lets a Group pass.
    "clinical-patient": ("DeviceUseStatement.subject", "DeviceUseStatement.subject.where(resolve() is Patient)"),
}

# By the id of a composite parameter: its components, each the code of its parameter and the expression that is meant.
COMPONENTS = {
    # HL7 has the two definitions the wrong way round: the code is the relation, the target the document.
    "DocumentReference-relationship": (("relation", "code"), ("relatesto", "target")),
    # There is no type DateTime.
    "Observation-code-value-date": (("code", "code"), ("value-date", "value.as(dateTime) | value.as(Period)")),
}
