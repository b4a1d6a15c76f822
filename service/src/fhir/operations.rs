//! The operations that are served, a row each. What `/metadata` says of them and their OperationDefinitions are made of this
//! table and of the list of routes, and what a call may send is held to it: so none of them says anything else.

use rules::guidance::promises::{Interaction, Served};
use rules::limits::{LAST_DATA_POINT_PATIENTS, READ_RECEIPT_DOCUMENTS, STATUS_PATIENTS};
use serde_json::{Value, json};

/// An operation, wherever it is served.
#[derive(Debug)]
pub(super) struct Operation {
    /// As it is called behind the `$`.
    pub code: &'static str,
    /// The path of its definition, which ends with the code.
    pub definition: &'static str,
    /// HL7's own definition, where it is one of HL7's.
    pub base: Option<&'static str>,
    /// HL7's definition of the same for a type, where that is another.
    pub base_of: &'static [(&'static str, &'static str)],
    pub about: &'static str,
    pub takes: &'static [Operand],
    pub gives: &'static [Operand],
}

/// A parameter of an operation.
#[derive(Debug)]
pub(super) struct Operand {
    pub name: &'static str,
    pub least: usize,
    /// `MANY` where there is no other bound than that of a body.
    pub most: usize,
    /// A type of FHIR's; none for one that has parts.
    pub kind: Option<&'static str>,
    pub parts: &'static [Operand],
    pub about: &'static str,
}

pub(super) const MANY: usize = usize::MAX;

const fn operand(name: &'static str, kind: &'static str, about: &'static str) -> Operand {
    Operand { name, least: 0, most: 1, kind: Some(kind), parts: &[], about }
}

const fn several(name: &'static str, most: usize, about: &'static str, parts: &'static [Operand]) -> Operand {
    Operand { name, least: 0, most, kind: None, parts, about }
}

impl Operand {
    /// So many of them.
    const fn times(self, least: usize, most: usize) -> Self {
        Self { least, most, ..self }
    }
}

pub(super) const READ_RECEIPT_QUERY: Operation = Operation {
    code: "read-receipt-query",
    definition: "/fhir/OperationDefinition/read-receipt-query",
    base: None,
    base_of: &[],
    about: "Which of the calling organisation's documents their patients have read",
    takes: &[operand("documentIdentifier", "string", "A business identifier of a document, or its id.")
        .times(1, READ_RECEIPT_DOCUMENTS)],
    gives: &[several(
        "readReceipt",
        READ_RECEIPT_DOCUMENTS,
        "For each document that is known.",
        &[
            operand("documentIdentifier", "string", "As it was asked for.").times(1, 1),
            operand("read", "boolean", "Whether its patient has opened its content.").times(1, 1),
            operand("readAt", "dateTime", "When first, if so."),
        ],
    )],
};

pub(super) const VALIDATE: Operation = Operation {
    code: "validate",
    definition: "/fhir/OperationDefinition/validate",
    base: Some("http://hl7.org/fhir/OperationDefinition/Resource-validate"),
    base_of: &[],
    about: "What is wrong with a resource as FHIR R4, all at once",
    takes: &[
        operand("resource", "Resource", "What to validate; without it, what is stored. It may be the body itself."),
        operand("mode", "code", "create, update, delete or profile."),
        operand("profile", "uri", "The profile of FHIR R4 itself; others are not known."),
    ],
    gives: &[operand(
        "return",
        "OperationOutcome",
        "An issue for each thing that is wrong; one that says so if none is.",
    )
    .times(1, 1)],
};

pub(super) const EVERYTHING: Operation = Operation {
    code: "everything",
    definition: "/fhir/OperationDefinition/everything",
    base: Some("http://hl7.org/fhir/OperationDefinition/Patient-everything"),
    base_of: &[],
    about: "A patient's record: the Patient, its compartment, and what that refers to, page by page",
    takes: &[
        operand("start", "date", "Only care that had not ended before."),
        operand("end", "date", "Only care that had begun by then."),
        operand("_since", "instant", "Only what was stored at this moment or later."),
        operand("_type", "code", "Only of these types.").times(0, MANY),
        operand("_count", "integer", "Entries of a page."),
        operand("_page", "string", "From the next link of the page before."),
    ],
    gives: &[operand("return", "Bundle", "A searchset.").times(1, 1)],
};

const META: Operation = Operation {
    code: "meta",
    definition: "/fhir/OperationDefinition/meta",
    base: Some("http://hl7.org/fhir/OperationDefinition/Resource-meta"),
    base_of: &[],
    about: "The profiles, tags and security labels of a resource, or of all of a type",
    takes: &[],
    gives: &[operand("return", "Meta", "None, where there is nothing to tell.")],
};

const LASTN: Operation = Operation {
    code: "lastn",
    definition: "/fhir/OperationDefinition/lastn",
    base: Some("http://hl7.org/fhir/OperationDefinition/Observation-lastn"),
    base_of: &[],
    about: "Of each kind of observation the newest ones; by a patient, and by a category or a code",
    takes: &[
        operand("max", "positiveInt", "How many of each kind; 1, unless it is said."),
        operand("patient", "string", "As in a search, and so is every other search parameter.").times(0, MANY),
        operand("category", "string", "As in a search.").times(0, MANY),
        operand("code", "string", "As in a search.").times(0, MANY),
    ],
    gives: &[operand("return", "Bundle", "A searchset.").times(1, 1)],
};

pub(super) const MATCH: Operation = Operation {
    code: "match",
    definition: "/fhir/OperationDefinition/match",
    base: Some("http://hl7.org/fhir/OperationDefinition/Patient-match"),
    base_of: &[],
    about: "Who of those whom the caller may see a Patient could be",
    takes: &[
        operand("resource", "Patient", "What is known of the patient.").times(1, 1),
        operand("onlyCertainMatches", "boolean", "Whether to name nobody who is not certain, or not the only one."),
        operand("count", "integer", "How many at the most."),
    ],
    gives: &[operand("return", "Bundle", "A searchset, the most alike first, with score and match-grade.").times(1, 1)],
};

const IDENTIFIER: Operand = operand("patientIdentifier", "Identifier", "As it was asked for.").times(1, 1);

pub(super) const STATUS_QUERY: Operation = Operation {
    code: "status-query",
    definition: "/fhir/OperationDefinition/status-query",
    base: None,
    base_of: &[],
    about: "Which of these are patients of the calling organisation, and whether they live and have an account",
    takes: &[operand("patientIdentifier", "Identifier", "An NHS, CHI or Health and Care number, with its system.")
        .times(1, STATUS_PATIENTS)],
    gives: &[several(
        "patientStatus",
        STATUS_PATIENTS,
        "For each of them, in their order.",
        &[
            IDENTIFIER,
            operand("deceased", "boolean", "Whether the Patient says that the patient has died."),
            operand("registered", "boolean", "Whether the patient has an account."),
            operand("dateOfBirth", "date", "If the Patient says it."),
            operand("diagnostics", "string", "Not found, where this is no patient of the organisation."),
        ],
    )],
};

pub(super) const DATE_OF_LAST_DATA_POINT: Operation = Operation {
    code: "date-of-last-data-point",
    definition: "/fhir/OperationDefinition/date-of-last-data-point",
    base: None,
    base_of: &[],
    about: "When something was last written into a record, as far as the caller may see it",
    takes: &[operand(
        "patientIdentifier",
        "Identifier",
        "A national number or a public id; none for a patient's own record.",
    )
    .times(0, LAST_DATA_POINT_PATIENTS)],
    gives: &[several(
        "lastDataPointsResult",
        LAST_DATA_POINT_PATIENTS,
        "For each who is known.",
        &[IDENTIFIER, operand("lastRecordUpdate", "dateTime", "None, where nothing is there.")],
    )],
};

pub(super) const PURVIEW: Operation = Operation {
    code: "purview",
    definition: "/fhir/OperationDefinition/purview",
    base: None,
    base_of: &[],
    about: "For whom the caller looks, as a Consent would name them",
    takes: &[],
    gives: &[
        operand("purview", "Reference", "A Patient, or the Organization of a team or an organisation.").times(0, MANY)
    ],
};

const BULK: &str = "http://hl7.org/fhir/uv/bulkdata/OperationDefinition/export";
const BULK_OF: &[(&str, &str)] = &[
    ("Patient", "http://hl7.org/fhir/uv/bulkdata/OperationDefinition/patient-export"),
    ("Group", "http://hl7.org/fhir/uv/bulkdata/OperationDefinition/group-export"),
];

pub(super) const EXPORT: Operation = Operation {
    code: "export",
    definition: "/fhir/OperationDefinition/export",
    base: Some(BULK),
    base_of: BULK_OF,
    about: "Begins an export of all that the caller may see, of all patients, or of the members of a Group; as Bulk Data Access has it",
    takes: &[
        operand("_outputFormat", "string", "application/fhir+ndjson, application/ndjson or ndjson."),
        operand("_since", "instant", "Only what was stored at this moment or later."),
        operand("_type", "string", "Only of these types, with commas between them.").times(0, MANY),
    ],
    gives: &[],
};

/// Every operation.
const TABLE: [&Operation; 10] = [
    &EXPORT,
    &READ_RECEIPT_QUERY,
    &STATUS_QUERY,
    &DATE_OF_LAST_DATA_POINT,
    &PURVIEW,
    &VALIDATE,
    &EVERYTHING,
    &META,
    &LASTN,
    &MATCH,
];

pub(super) fn all() -> impl Iterator<Item = &'static Operation> {
    TABLE.into_iter()
}

impl Operation {
    /// What defines it as it is served of a type, or of all (an empty name).
    fn definition_of(&self, of: &str) -> String {
        let own = self.base_of.iter().find(|(known, _)| *known == of).map(|(_, base)| *base);
        own.or(self.base).map_or_else(|| canonical(self), String::from)
    }
}

/// What a CapabilityStatement says of the operations of a type, or of all (an empty name).
pub(super) fn statements(served: &Served, of: &str) -> Vec<Value> {
    let served: Vec<Interaction> = served.of(of).collect();
    let is_served = |operation: &&Operation| {
        served.iter().any(|one| matches!(one, Interaction::Operation(code, _) if *code == operation.code))
    };
    let statement = |operation: &Operation| {
        json!({
            "name": operation.code,
            "definition": operation.definition_of(of),
            "documentation": operation.about,
        })
    };
    all().filter(is_served).map(statement).collect()
}

/// The name of our own definition of an operation.
pub(super) fn canonical(operation: &Operation) -> String {
    format!("urn:recordgate:operation:{}", operation.code)
}
