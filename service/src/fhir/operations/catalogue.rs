//! The operations that are served, a row each. What `/metadata` says of them and their OperationDefinitions are made of this
//! table and of the list of routes, and what a call may send is held to it: so none of them says anything else.

use super::operation::{MANY, Operation, operand};
use super::public_table::{
    BREAK_GLASS, DATE_OF_LAST_DATA_POINT, GENERATE_INVITATION_TOKENS, MEND_GLASS, PURVIEW, READ_RECEIPT_QUERY,
    STATUS_QUERY,
};
use rules::guidance::served::{Interaction, Served};
use serde_json::{Value, json};

pub(crate) const VALIDATE: Operation = Operation {
    code: "validate",
    definition: "/fhir/OperationDefinition/validate",
    base: Some("http://hl7.org/fhir/OperationDefinition/Resource-validate"),
    base_of: &[],
    about: "What is wrong with a resource as FHIR R4 and by HL7's profiles, all at once",
    affects_state: false,
    takes: &[
        operand("resource", "Resource", "What to validate; without it, what is stored. It may be the body itself."),
        operand("mode", "code", "create, update, delete or profile."),
        operand(
            "profile",
            "uri",
            "FHIR R4 itself or one of HL7's own profiles, such as the vital signs; others are refused.",
        ),
    ],
    gives: &[operand(
        "return",
        "OperationOutcome",
        "An issue for each thing that is wrong; one that says so if none is.",
    )
    .times(1, 1)],
};

pub(crate) const EVERYTHING: Operation = Operation {
    code: "everything",
    definition: "/fhir/OperationDefinition/everything",
    base: Some("http://hl7.org/fhir/OperationDefinition/Patient-everything"),
    base_of: &[],
    about: "A patient's record: the Patient, its compartment, and what that refers to, page by page",
    affects_state: false,
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
    affects_state: false,
    takes: &[],
    gives: &[operand("return", "Meta", "None, where there is nothing to tell.")],
};

pub(crate) const META_ADD: Operation = Operation {
    code: "meta-add",
    definition: "/fhir/OperationDefinition/meta-add",
    base: Some("http://hl7.org/fhir/OperationDefinition/Resource-meta-add"),
    base_of: &[],
    about: "Sets the privacy label of an item, in the place of the one that it has",
    affects_state: true,
    takes: &[
        operand("meta", "Meta", "With one security label, which is a privacy label, and nothing else.").times(1, 1)
    ],
    gives: &[operand("return", "Meta", "As it is then.").times(1, 1)],
};

const LASTN: Operation = Operation {
    code: "lastn",
    definition: "/fhir/OperationDefinition/lastn",
    base: Some("http://hl7.org/fhir/OperationDefinition/Observation-lastn"),
    base_of: &[],
    about: "Of each kind of observation the newest ones; by a patient, and by a category or a code",
    affects_state: false,
    takes: &[
        operand("max", "positiveInt", "How many of each kind; 1, unless it is said."),
        operand("patient", "string", "As in a search, and so is every other search parameter.").times(0, MANY),
        operand("category", "string", "As in a search.").times(0, MANY),
        operand("code", "string", "As in a search.").times(0, MANY),
    ],
    gives: &[operand("return", "Bundle", "A searchset.").times(1, 1)],
};

pub(crate) const MATCH: Operation = Operation {
    code: "match",
    definition: "/fhir/OperationDefinition/match",
    base: Some("http://hl7.org/fhir/OperationDefinition/Patient-match"),
    base_of: &[],
    about: "Who of those whom the caller may see a Patient could be",
    affects_state: false,
    takes: &[
        operand("resource", "Patient", "What is known of the patient.").times(1, 1),
        operand("onlyCertainMatches", "boolean", "Whether to name nobody who is not certain, or not the only one."),
        operand("count", "integer", "How many at the most."),
    ],
    gives: &[operand("return", "Bundle", "A searchset, the most alike first, with score and match-grade.").times(1, 1)],
};

const BULK: &str = "http://hl7.org/fhir/uv/bulkdata/OperationDefinition/export";
const BULK_OF: &[(&str, &str)] = &[
    ("Patient", "http://hl7.org/fhir/uv/bulkdata/OperationDefinition/patient-export"),
    ("Group", "http://hl7.org/fhir/uv/bulkdata/OperationDefinition/group-export"),
];

pub(crate) const EXPORT: Operation = Operation {
    code: "export",
    definition: "/fhir/OperationDefinition/export",
    base: Some(BULK),
    base_of: BULK_OF,
    about: "Begins an export of all that the caller may see, of all patients, or of the members of a Group; as Bulk Data Access has it",
    affects_state: false,
    takes: &[
        operand("_outputFormat", "string", "application/fhir+ndjson, application/ndjson or ndjson."),
        operand("_since", "instant", "Only what was stored at this moment or later."),
        operand("_type", "string", "Only of these types, with commas between them.").times(0, MANY),
    ],
    gives: &[],
};

/// Every operation.
const TABLE: [&Operation; 14] = [
    &EXPORT,
    &BREAK_GLASS,
    &MEND_GLASS,
    &READ_RECEIPT_QUERY,
    &STATUS_QUERY,
    &DATE_OF_LAST_DATA_POINT,
    &GENERATE_INVITATION_TOKENS,
    &PURVIEW,
    &VALIDATE,
    &EVERYTHING,
    &META,
    &META_ADD,
    &LASTN,
    &MATCH,
];

pub(crate) fn all() -> impl Iterator<Item = &'static Operation> {
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
pub(crate) fn statements(served: &Served, of: &str) -> Vec<Value> {
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
pub(crate) fn canonical(operation: &Operation) -> String {
    format!("urn:recordgate:operation:{}", operation.code)
}
