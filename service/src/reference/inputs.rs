//! The parameters of the routes, once each: a row of the list of routes takes one of these lists, or several.

use super::listing::{Input, ParameterPlace};
use fhir::identifier_systems::NATIONAL;
use rules::authorize::{CHALLENGE_METHODS, RESPONSE_TYPES};
use rules::clients::GrantType;
use views::item::PrivacyLabel;
use views::kinds::allergy::AllergyStatus;
use views::kinds::appointment::AppointmentStatus;
use views::kinds::consent::ConsentStanding;
use views::kinds::document::DocumentStatus;
use views::kinds::document_types::DocumentType;
use views::kinds::medication::MedicationStatus;
use views::kinds::plan::PlanStatus;
use views::kinds::team::CareWord;
use views::measurement_types;
use views::section::Section;

const fn form(name: &'static str, about: &'static str) -> Input {
    Input::at(ParameterPlace::Form, name, about)
}

const fn query(name: &'static str, about: &'static str) -> Input {
    Input::at(ParameterPlace::Query, name, about)
}

fn grant_types() -> Vec<&'static str> {
    GrantType::ALL.map(GrantType::word).into()
}

fn response_types() -> Vec<&'static str> {
    RESPONSE_TYPES.into()
}

fn challenge_methods() -> Vec<&'static str> {
    CHALLENGE_METHODS.into()
}

fn decisions() -> Vec<&'static str> {
    vec!["approve", "deny", "look"]
}

/// Who the client is, where it does not say so by HTTP Basic.
pub const CLIENT: &[Input] = &[
    form("client_id", "The Client ID. May be left out with HTTP Basic or a signed assertion."),
    form("client_secret", "The secret of a confidential client, if it is not sent by HTTP Basic."),
    form("client_assertion_type", "For a client that signs (RFC 7523): what kind of assertion it is."),
    form("client_assertion", "For a client that signs: a JWT of its own, made for this request."),
];

/// A proof of a key, to which tokens are bound.
pub const PROOF: &[Input] = &[Input::at(
    ParameterPlace::Header,
    "DPoP",
    "A proof that the client holds a key (RFC 9449), to which what it gets is then bound. In calls it goes with Authorization: DPoP.",
)];

/// By which a client registers itself, or looks after its registration.
pub const REGISTRATION: &[Input] = &[Input::at(
    ParameterPlace::Header,
    "Authorization",
    "Bearer and the initial access token; afterwards the registration_access_token of the registration.",
)
.required()];

/// What the token endpoint takes.
pub const TOKEN: &[Input] = &[
    form("grant_type", "How the client comes by tokens.").required().one_of(grant_types),
    form("code", "For authorization_code: the code out of the redirect."),
    form("redirect_uri", "For authorization_code: the one that the authorization request named."),
    form("code_verifier", "For authorization_code with PKCE: 43 to 128 unreserved characters."),
    form("refresh_token", "For refresh_token: the newest one. It works once."),
    form(
        "scope",
        "For refresh_token: what was granted, or nothing; of SMART's scopes a part of them. For client_credentials: system/ scopes, of those registered.",
    ),
];

/// What a client asks about a token.
pub const TOKEN_QUESTION: &[Input] = &[
    form("token", "A refresh or access token.").required(),
    form("token_type_hint", "Not needed: a token says what it is."),
];

const CLIENT_ID: (&str, &str) = ("client_id", "The Client ID of a User Client.");
const REQUEST_URI: (&str, &str) =
    (rules::authorize::REQUEST_URI, "Of a pushed request (RFC 9126): its name, in the place of all but client_id.");
const RESPONSE_TYPE: (&str, &str) = ("response_type", "The word code. Needed, unless request_uri names a request.");
const REDIRECT_URI: (&str, &str) =
    ("redirect_uri", "Where to send the browser back to: a registered one. Needed where several are registered.");
const SCOPE: (&str, &str) = (
    "scope",
    "PATIENT, CLINICIAN or TEAMCOORD; or words of SMART and OpenID Connect. Without it, what the user is decides.",
);
const STATE: (&str, &str) = ("state", "Comes back in the redirect as it was sent.");
const CHALLENGE: (&str, &str) = ("code_challenge", "PKCE (RFC 7636): the SHA-256 of the verifier, in base64url.");
const CHALLENGE_METHOD: (&str, &str) = ("code_challenge_method", "PKCE's method.");
const KEY: (&str, &str) =
    (rules::authorize::KEY_FIELD, "DPoP (RFC 9449): the thumbprint of the key whose proof must come with the code.");

const AUD: (&str, &str) =
    ("aud", "SMART: the address of the FHIR API. Needed where scope has words of SMART or OpenID Connect alone.");
const NONCE: (&str, &str) = ("nonce", "OpenID Connect: comes back in the id_token as it was sent.");
const LAUNCH: (&str, &str) =
    ("launch", "SMART: what an app was opened with from the pages here, within 5 minutes, once, and by who opened it.");
const PROMPT: (&str, &str) = (
    "prompt",
    "OpenID Connect: login asks for the password even of who opened the app from here; consent is so anyway; none asks nobody: it leads \
     to a code where whoever is signed in granted the same to the app before, and otherwise to an error.",
);
const MAX_AGE: (&str, &str) = (
    "max_age",
    "OpenID Connect: how many seconds ago who opened the app from here may have signed in; others sign in anew anyway.",
);
const LOGIN_HINT: (&str, &str) = ("login_hint", "OpenID Connect: the username, to fill in.");
const RESPONSE_MODE: (&str, &str) = ("response_mode", "The word query.");

const ID_TOKEN_HINT: (&str, &str) =
    ("id_token_hint", "An id_token that was issued here: whoever it is of is signed out without being asked.");
const LOGOUT_CLIENT: (&str, &str) = ("client_id", "The app that asks. Not needed beside an id_token_hint.");
const LOGOUT_REDIRECT: (&str, &str) =
    ("post_logout_redirect_uri", "Where to lead the browser afterwards: a registered one. Left out, it stays here.");
const LOGOUT_STATE: (&str, &str) = ("state", "Comes back with post_logout_redirect_uri as it was sent.");

/// The request to be signed out, in the URL.
pub const LOGOUT: &[Input] = &[
    query(ID_TOKEN_HINT.0, ID_TOKEN_HINT.1),
    query(LOGOUT_CLIENT.0, LOGOUT_CLIENT.1),
    query(LOGOUT_REDIRECT.0, LOGOUT_REDIRECT.1),
    query(LOGOUT_STATE.0, LOGOUT_STATE.1),
];

/// The same in a body.
pub const LOGOUT_FORM: &[Input] = &[
    form(ID_TOKEN_HINT.0, ID_TOKEN_HINT.1),
    form(LOGOUT_CLIENT.0, LOGOUT_CLIENT.1),
    form(LOGOUT_REDIRECT.0, LOGOUT_REDIRECT.1),
    form(LOGOUT_STATE.0, LOGOUT_STATE.1),
];

/// The authorization request in the URL.
pub const AUTHORIZATION: &[Input] = &[
    query(CLIENT_ID.0, CLIENT_ID.1).required(),
    query(REQUEST_URI.0, REQUEST_URI.1),
    query(RESPONSE_TYPE.0, RESPONSE_TYPE.1).one_of(response_types),
    query(REDIRECT_URI.0, REDIRECT_URI.1),
    query(SCOPE.0, SCOPE.1),
    query(STATE.0, STATE.1),
    query(CHALLENGE.0, CHALLENGE.1),
    query(CHALLENGE_METHOD.0, CHALLENGE_METHOD.1).one_of(challenge_methods),
    query(KEY.0, KEY.1),
    query(AUD.0, AUD.1),
    query(NONCE.0, NONCE.1),
    query(LAUNCH.0, LAUNCH.1),
    query(PROMPT.0, PROMPT.1),
    query(MAX_AGE.0, MAX_AGE.1),
    query(LOGIN_HINT.0, LOGIN_HINT.1),
    query(RESPONSE_MODE.0, RESPONSE_MODE.1),
];

/// The authorization request in a body, but for who asks.
pub const REQUEST_FORM: &[Input] = &[
    form(RESPONSE_TYPE.0, RESPONSE_TYPE.1).one_of(response_types),
    form(REDIRECT_URI.0, REDIRECT_URI.1),
    form(SCOPE.0, SCOPE.1),
    form(STATE.0, STATE.1),
    form(CHALLENGE.0, CHALLENGE.1),
    form(CHALLENGE_METHOD.0, CHALLENGE_METHOD.1).one_of(challenge_methods),
    form(KEY.0, KEY.1),
    form(AUD.0, AUD.1),
    form(NONCE.0, NONCE.1),
    form(LAUNCH.0, LAUNCH.1),
    form(PROMPT.0, PROMPT.1),
    form(MAX_AGE.0, MAX_AGE.1),
    form(LOGIN_HINT.0, LOGIN_HINT.1),
    form(RESPONSE_MODE.0, RESPONSE_MODE.1),
];

/// Who asks in the body, and the page's own form.
pub const DECISION: &[Input] = &[
    form(CLIENT_ID.0, CLIENT_ID.1),
    form(REQUEST_URI.0, REQUEST_URI.1),
    form(rules::params::SEALED_FIELD, "The page's own: the request that it was shown for, sealed."),
    form("decision", "The page's own: what the person chose.").one_of(decisions),
    form("username", "The page's own."),
    form("password", "The page's own."),
    form("record", "The page's own, where there is a choice: the id of the Patient whose record the app gets."),
    form("patient", "The page's own, where a clinician picks a patient: the id of the Patient."),
    form("q", "The page's own: words of the name by which a patient is found."),
    form("team", "The page's own, where there is a choice: the public id of the team that the app works for."),
];

/// The free parts of paths.
pub const PATH: &[Input] = &[
    Input::at(ParameterPlace::Path, "type", "The type of resource, as FHIR R4 spells it: Observation."),
    Input::at(ParameterPlace::Path, "id", "The id."),
    Input::at(
        ParameterPlace::Path,
        "member",
        "The type of what is looked for, or * for each that can be in the compartment.",
    ),
    Input::at(ParameterPlace::Path, "version", "The number of the version."),
    Input::at(ParameterPlace::Path, "name", "The name of the file."),
    Input::at(ParameterPlace::Path, "letter", "The id of the letter: that of its DocumentReference."),
    Input::at(ParameterPlace::Path, "file", "The id of the file: that of its Binary."),
    Input::at(
        ParameterPlace::Path,
        "client",
        "The Client ID of the app: one that can be opened from here, or one that registered itself.",
    ),
    Input::at(ParameterPlace::Path, "section", "The section of the record: tests, measurements, medicines, …"),
    Input::at(ParameterPlace::Path, "resourceType", "The type of resource, as FHIR R4 spells it: Observation."),
    Input::at(ParameterPlace::Path, "patient", "The id of the patient: that of the FHIR resource."),
    Input::at(ParameterPlace::Path, "patientId", "The id of the patient: that of the FHIR resource."),
    Input::at(ParameterPlace::Path, "teamId", "The public id of the team."),
    Input::at(ParameterPlace::Path, "value", "The number."),
    Input::at(ParameterPlace::Path, "idType", "Which number it is.").one_of(national_ids),
    Input::at(
        ParameterPlace::Path,
        "time",
        "A moment: YYYY-MM-DDThh:mm:ss with a time zone, or milliseconds since 1970.",
    ),
    Input::at(ParameterPlace::Path, "apiRef", "The type of the measurements, as measurements/apiRefs lists it.")
        .one_of(api_refs),
];

fn api_refs() -> Vec<&'static str> {
    measurement_types::TYPES.iter().map(|one| one.api_ref).collect()
}

fn national_ids() -> Vec<&'static str> {
    NATIONAL.map(|system| system.word).to_vec()
}

fn labels() -> Vec<&'static str> {
    PrivacyLabel::WORDS.to_vec()
}

/// What a list without filters takes.
pub const LIST_PAGES: &[Input] = &[
    query(
        "limit",
        "1 to 1000: the most items of a page; Link leads to the next. Without it, all that there are, up to 10,000.",
    )
    .short(),
    query("after", "From the Link of the page before.").short(),
];

/// What every list of the custom REST API takes.
pub const LISTS: &[Input] = &[
    query("from", "A date: what is from then on, by its clinical date.").short(),
    query("to", "A date: what is until then.").short(),
    query("since", "A moment: what was stored since, and what was deleted since.").short(),
    query("privacyLabel", "What has this label.").one_of(labels),
    query(
        "limit",
        "1 to 1000: the most items of a page; Link leads to the next. Without it, all that there are, up to 10,000.",
    )
    .short(),
    query("after", "From the Link of the page before.").short(),
];

fn consent_states() -> Vec<&'static str> {
    ConsentStanding::WORDS.to_vec()
}

pub const CONSENT_STATES: &[Input] = &[query("state", "Those in this state.").one_of(consent_states)];

/// What an emergency look takes, in the query, in a form or as JSON.
pub const GLASS: &[Input] = &[
    query("userId", "For SITE: the user of the team who looks. A clinician is the user of the session."),
    query("reason", "Why; told to everybody concerned."),
    form("userId", "The same in a form."),
    form("reason", "The same in a form."),
];

pub const GLASS_HEADER: &[Input] =
    &[Input::at(ParameterPlace::Header, "breaktheglass", "The token of the glass that is handed back.").required()];

fn care_words() -> Vec<&'static str> {
    CareWord::WORDS.to_vec()
}

pub const TEAM_PATIENTS: &[Input] = &[
    query("state", "CURRENT, unless it is said; PAST ones are discharged, or their consent has ended.")
        .one_of(care_words),
    query("limit", "1 to 1000: the most patients of a page; 100, unless it is said. Link leads to the next.").short(),
    query("after", "From the Link of the page before.").short(),
];

/// What a look for new messages and documents takes.
pub const ARRIVALS: &[Input] = &[
    query("patientId", "Of this patient alone; else of every record that the caller sees.").short(),
    query(
        "limit",
        "1 to 1000: how many are answered, and what was stored in the millisecond of the last; 100, unless it is said.",
    )
    .short(),
];

fn sections() -> Vec<&'static str> {
    Section::WORDS.to_vec()
}

pub const ACCESS_LOG: &[Input] = &[
    query("from", "A date: what happened from then on.").short(),
    query("to", "A date: what happened until then.").short(),
    query("section", "What is of this section of the record.").one_of(sections),
    query("own", "true: also what the patient's own account did.").one_of(flags),
    query("limit", "1 to 1000: the most lines of a page; 100, unless it is said. Link leads to the next.").short(),
    query("after", "From the Link of the page before.").short(),
    Input::at(ParameterPlace::Header, "Accept", "text/csv for a table; JSON otherwise."),
];

pub const NOTICES: &[Input] = &[
    query("since", "A moment: what was told since.").short(),
    query("unseen", "true: only what was not seen.").one_of(flags),
];

fn clinical_status() -> Vec<&'static str> {
    AllergyStatus::WORDS.to_vec()
}

fn medication_status() -> Vec<&'static str> {
    MedicationStatus::WORDS.to_vec()
}

/// What lists of what has a status take, too.
pub const CLINICAL_STATUS: &[Input] = &[query("status", "What has this status.").one_of(clinical_status)];
pub const MEDICATION_STATUS: &[Input] = &[query("status", "What has this status.").one_of(medication_status)];

fn appointment_status() -> Vec<&'static str> {
    AppointmentStatus::WORDS.to_vec()
}

fn plan_status() -> Vec<&'static str> {
    PlanStatus::WORDS.to_vec()
}

fn flags() -> Vec<&'static str> {
    vec!["true", "false"]
}

pub const APPOINTMENT_STATUS: &[Input] = &[query("status", "What has this status.").one_of(appointment_status)];
pub const PLANS: &[Input] = &[
    query("status", "What has this status.").one_of(plan_status),
    query("all", "true, if plans that have ended are wanted, too.").one_of(flags),
];

fn document_types() -> Vec<&'static str> {
    DocumentType::WORDS.to_vec()
}

fn document_status() -> Vec<&'static str> {
    DocumentStatus::WORDS.to_vec()
}

/// What lists of documents take, too.
pub const DOCUMENTS: &[Input] = &[
    query("type", "What is of this type.").one_of(document_types),
    query("status", "Whether the patient has read it.").one_of(document_status),
];

/// What an attachment by itself takes.
pub const ATTACHMENT: &[Input] = &[
    query("patientId", "The id of the patient to whose record it will belong; a patient may leave it out.").short(),
    query("fileName", "What the file is called, in 255 bytes at the most.").short(),
    Input::at(ParameterPlace::Header, "Content-Type", "What the bytes are, for example application/pdf."),
];

const TEST_IDS: Input =
    query("testIds", "Ids of tests, with commas between or repeated: system|code, or the code alone. 100 at the most.");

/// What lists of test results take, too.
pub const TESTS: &[Input] = &[TEST_IDS];
pub const TESTS_OF_PATIENT: &[Input] = &[query("patientId", "The id of the patient.").required(), TEST_IDS.required()];

/// What a list of measurements takes, too.
pub const MEASUREMENTS: &[Input] = &[query("apiRefs", "Types of measurements, with commas between or repeated.")];

/// For callers of the FHIR API.
pub const ORGANISATION: Input = Input::at(
    ParameterPlace::Header,
    "X-Org-Public-Id",
    "A System Client names the organisation that it acts for: a UUID. Others leave it out.",
);

const FORMAT: Input = query("_format", "application/fhir+json, application/json, text/json or json.");
const PRETTY: Input = query("_pretty", "true lays an answer of up to 1 MiB out for people.");
const SUMMARY: Input = query(
    "_summary",
    "true, text, data or false: how much of each resource is wanted; count, of a search, the number alone.",
);
const ELEMENTS: Input = query("_elements", "The elements that are wanted.");

/// What takes no more than that.
pub const FORMATS: &[Input] = &[FORMAT];

/// What the CapabilityStatement takes beside what every read does.
pub const MODE: &[Input] = &[query("mode", "full, normative or terminology.")];

/// What documentation takes.
pub const HELD: &[Input] =
    &[Input::at(ParameterPlace::Header, "If-None-Match", "The ETag that the caller has: 304 if it is the same.")];

/// What every read of a resource takes.
pub const READ: &[Input] = &[
    FORMAT,
    PRETTY,
    SUMMARY,
    ELEMENTS,
    Input::at(
        ParameterPlace::Header,
        "If-None-Match",
        "ETags of versions that the caller has: 304 if one is the newest.",
    ),
    Input::at(ParameterPlace::Header, "If-Modified-Since", "The Last-Modified of the version that the caller has."),
];

/// What every list takes.
pub const PAGES: &[Input] = &[
    FORMAT,
    PRETTY,
    SUMMARY,
    ELEMENTS,
    query("_count", "Entries of a page."),
    query("_page", "From the next link of the page before."),
];

/// What every history takes.
pub const HISTORY: &[Input] = &[
    query("_since", "A date or moment since which a version must have been made."),
    query("_at", "A date or moment at which a version must have been the newest."),
];

/// What a search over several types takes.
pub const TYPES: &[Input] =
    &[query("_type", "The types that are searched; without it all, by parameters that all have.")];

/// What a search takes beside the parameters of its type.
pub const SEARCH: &[Input] = &[
    query("(parameters)", "Any search parameter of the type; /fhir/metadata lists them."),
    query("_sort", "Parameters to order by, a minus before those that go down; otherwise the newest is first."),
    query("_include", "Type:reference, whose targets come along; _revinclude for what refers to a match."),
    query("_total", "accurate, if the number of all matches is wanted."),
];

pub const RESOURCE: &[Input] =
    &[Input::at(ParameterPlace::Json, "(body)", "A resource of the type that the path names.").required()];

/// Requests that come together.
pub const REQUESTS: &[Input] = &[
    Input::at(ParameterPlace::Json, "(body)", "A Bundle of the type batch or transaction, of at most 5000 entries.")
        .required(),
    FORMAT,
    Input::at(
        ParameterPlace::Header,
        "Prefer",
        "What every write of it is answered with, as for a request of its own.",
    ),
];

pub const PATCH: &[Input] = &[Input::at(
    ParameterPlace::Json,
    "(body)",
    "A patch: application/json-patch+json, application/merge-patch+json, or a Parameters resource as application/fhir+json.",
)
.required()];

/// What a write can be made to depend on.
pub const CONDITION: &[Input] =
    &[Input::at(ParameterPlace::Header, "If-Match", "The ETag of the version that must be there, or *.")];

pub const IF_NONE_EXIST: &str = "If-None-Exist";

/// What a create can be made to depend on.
pub const ABSENCE: &[Input] = &[Input::at(
    ParameterPlace::Header,
    IF_NONE_EXIST,
    "Criteria of a search: nothing is stored where one resource meets them, which is answered with 200.",
)];

/// What a conditional write names its resource by.
pub const CRITERIA: &[Input] =
    &[query("(criteria)", "Search parameters of the type that one resource meets at most."), FORMAT];

/// What every write takes.
pub const PREFERENCE: &[Input] = &[Input::at(
    ParameterPlace::Header,
    "Prefer",
    "return=minimal, return=representation (the default) or return=OperationOutcome.",
)];

pub const BINARY: &[Input] = &[
    Input::at(
        ParameterPlace::Json,
        "(body)",
        "A Binary as application/fhir+json, or its content under its own media type.",
    )
    .required(),
    Input::at(
        ParameterPlace::Header,
        "X-Security-Context",
        "With content by itself: the reference that becomes securityContext.",
    ),
];

/// What every download takes.
pub const RANGES: &[Input] = &[
    Input::at(ParameterPlace::Header, "Range", "One range of bytes; several are answered with the whole."),
    Input::at(ParameterPlace::Header, "If-Range", "The ETag of the version that the range is of."),
];

pub const RECEIPTS: &[Input] =
    &[Input::at(ParameterPlace::Json, "(body)", "A Parameters resource of documentIdentifier parameters.").required()];

pub const VALIDATION: &[Input] = &[
    FORMAT,
    query("mode", "create, update, delete or profile; in a Parameters body too."),
    query("profile", "FHIR R4 itself or one of HL7's own profiles, such as the vital signs; others are refused."),
    Input::at(
        ParameterPlace::Json,
        "(body)",
        "The resource, or a Parameters resource with resource, mode and profile.",
    ),
];

pub const EVERYTHING: &[Input] = &[
    query("start", "Only care that had not ended before this date."),
    query("end", "Only care that had begun by this date."),
    query("_since", "Only what was stored at this moment or later."),
    query("_type", "Only of these types, with commas between them."),
];

pub const EXPORT: &[Input] = &[
    FORMAT,
    Input::at(
        ParameterPlace::Header,
        "Prefer",
        "respond-async; handling=lenient passes over parameters that are not known.",
    )
    .required(),
    query("_type", "Only of these types, with commas between them."),
    query("_since", "Only what was stored at this moment or later."),
    query("_outputFormat", "application/fhir+ndjson, application/ndjson or ndjson."),
];

pub const DEFINITIONS: &[Input] = &[
    FORMAT,
    query("code", "The code of an operation, as behind its $."),
    query("name", "How the name of its definition begins."),
    query("url", "The canonical URL of its definition."),
    query("_id", "The id of its definition."),
];

pub const LASTN: &[Input] = &[
    FORMAT,
    query("max", "How many of each kind; 1, unless it is said."),
    query("(parameters)", "Those of a search: patient or subject, category or code, and any other."),
];

pub const MATCH: &[Input] =
    &[Input::at(ParameterPlace::Json, "(body)", "A Parameters resource with resource, onlyCertainMatches and count.")
        .required()];

pub const PATIENTS: &[Input] = &[Input::at(
    ParameterPlace::Json,
    "(body)",
    "A Parameters resource of patientIdentifier parameters (valueIdentifier).",
)];

/// What the link of an invitation carries.
pub const INVITATION: &[Input] = &[
    query("t1", "The code of the invitation, to fill in."),
    query("t2", "Its token, to fill in."),
    query("e", "The e-mail address, to fill in."),
];

pub const CLOCK: &[Input] = &[
    Input::at(ParameterPlace::Json, "advance_seconds", "By how many whole seconds the clock moves on."),
    Input::at(ParameterPlace::Json, "reset", "true sets it back to the machine's own time."),
];

#[cfg(test)]
mod tests {
    use super::*;
    use rules::authorize::PARAMETERS;
    use rules::scope::Scope;

    #[test]
    fn the_authorization_request_is_told_with_all_that_is_read_of_it() {
        let told: Vec<&str> = AUTHORIZATION.iter().map(|input| input.name).collect();
        let in_order = |mut names: Vec<&'static str>| {
            names.sort_unstable_by_key(|name| told.iter().position(|known| known == name));
            names
        };
        assert_eq!(told, in_order([PARAMETERS.as_slice(), &[REQUEST_URI.0]].concat()));
        let in_body = REQUEST_FORM.iter().chain(DECISION).map(|input| input.name).filter(|name| told.contains(name));
        assert_eq!(in_order(in_body.collect()), told, "the same in the body");
    }

    #[test]
    fn every_scope_that_a_user_can_grant_is_named() {
        for scope in Scope::ALL.into_iter().filter(|scope| scope.is_for_user_clients()) {
            assert!(SCOPE.1.contains(scope.word()), "{scope:?}");
        }
    }
}
