//! The operations that are not HL7's but of the public record, a row each.

use super::operation::{MANY, Operand, Operation, operand, several};
use rules::limits::{INVITATION_PATIENTS, LAST_DATA_POINT_PATIENTS, READ_RECEIPT_DOCUMENTS, STATUS_PATIENTS};

pub(crate) const READ_RECEIPT_QUERY: Operation = Operation {
    code: "read-receipt-query",
    definition: "/fhir/OperationDefinition/read-receipt-query",
    base: None,
    base_of: &[],
    about: "Which of the calling organisation's documents their patients have read",
    affects_state: false,
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

const IDENTIFIER: Operand = operand("patientIdentifier", "Identifier", "As it was asked for.").times(1, 1);

pub(crate) const STATUS_QUERY: Operation = Operation {
    code: "status-query",
    definition: "/fhir/OperationDefinition/status-query",
    base: None,
    base_of: &[],
    about: "Which of these are patients of the calling organisation, and whether they live and have an account",
    affects_state: false,
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

pub(crate) const BREAK_GLASS: Operation = Operation {
    code: "break-glass",
    definition: "/fhir/OperationDefinition/break-glass",
    base: None,
    base_of: &[],
    about: "Opens a patient's record to a team in an emergency, for thirty minutes; everybody concerned is told",
    affects_state: true,
    takes: &[
        operand("userId", "string", "The user of the team who looks; SITE must say it."),
        operand("reason", "string", "Why; it is told with the look."),
    ],
    gives: &[
        operand("token", "string", "To be sent in the header breaktheglass, by this session.").times(1, 1),
        operand("validUntil", "instant", "When it is over.").times(1, 1),
        operand("message", "string", "Who was told.").times(1, 1),
    ],
};

pub(crate) const MEND_GLASS: Operation = Operation {
    code: "mend-glass",
    definition: "/fhir/OperationDefinition/mend-glass",
    base: None,
    base_of: &[],
    about: "Ends an emergency look: the token in the header breaktheglass opens nothing any more",
    affects_state: true,
    takes: &[],
    gives: &[operand("message", "string", "That it is over.").times(1, 1)],
};

pub(crate) const DATE_OF_LAST_DATA_POINT: Operation = Operation {
    code: "date-of-last-data-point",
    definition: "/fhir/OperationDefinition/date-of-last-data-point",
    base: None,
    base_of: &[],
    about: "When something was last written into a record, as far as the caller may see it",
    affects_state: false,
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

pub(crate) const PURVIEW: Operation = Operation {
    code: "purview",
    definition: "/fhir/OperationDefinition/purview",
    base: None,
    base_of: &[],
    about: "For whom the caller looks, as a Consent would name them",
    affects_state: false,
    takes: &[],
    gives: &[
        operand("purview", "Reference", "A Patient, or the Organization of a team or an organisation.").times(0, MANY)
    ],
};

pub(crate) const GENERATE_INVITATION_TOKENS: Operation = Operation {
    code: "generate-invitation-tokens",
    definition: "/fhir/OperationDefinition/generate-invitation-tokens",
    base: None,
    base_of: &[],
    about: "Invites patients of the calling organisation to make an account: a code and a token for each, in place of the last",
    affects_state: true,
    takes: &[operand("patientIdentifier", "Identifier", "An NHS, CHI or Health and Care number, with its system.")
        .times(1, INVITATION_PATIENTS)],
    gives: &[
        several(
            "patientTokens",
            INVITATION_PATIENTS,
            "For each who is invited. Who is not known, is registered with no team of the organisation, has died, has an account, has no whole date of birth or is under 16, is left out.",
            &[
                IDENTIFIER,
                operand("token", "string", "The secret, for the patient alone; it is not shown again.").times(1, 1),
                operand("code", "string", "By which the invitation is found.").times(1, 1),
                operand("expiry", "dateTime", "Until when the patient can make the account.").times(1, 1),
            ],
        ),
        operand(
            "outcome",
            "OperationOutcome",
            "Who is in the organisation's sight and registered with none of its teams, if anybody is.",
        ),
    ],
};
