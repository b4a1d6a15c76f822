//! The voices of the two APIs: one refusal by meaning, said as an OperationOutcome or as custom REST JSON.

use super::stop::{Situation, Stop, Voice};
use crate::app::body_budget::BodyOverload;
use crate::app::request_context;
use crate::app::request_id::RequestId;
use crate::app::response_budget::Overload;
use crate::app::trouble::{Nature, Report, Trouble};
use crate::http::receipt::BodyFault;
use crate::http::well_known;
use crate::preparation::{self, Flaw};
use crate::secrets::dice::NoRandomness;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use fhir::fault::Fault;
use fhir::issue::{self, Class, Issue};
use rules::answers::{self, Answer, Challenge, RESPONSE_CODE_SYSTEM, Refusal, answer_in};
use rules::clients::{Api, SigningAlgorithm};
use rules::rest_errors::{RestAnswer, RestError};
use serde_json::{Value, json};

pub const FHIR_JSON: HeaderValue = HeaderValue::from_static("application/fhir+json; charset=UTF-8");
pub const JSON: HeaderValue = HeaderValue::from_static("application/json;charset=UTF-8");
const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");
/// Seconds after which a client may try again when the service is busy.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("1");

/// Records and tokens are nobody's to keep on the way.
pub const NO_STORE: (HeaderName, HeaderValue) = (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));

/// Why a handler of an API has no answer.
#[derive(Debug)]
pub enum ApiStop {
    Refusal(Refusal),
    /// All that is wrong with what was sent.
    Issues(Vec<Issue>),
    /// What only the custom REST API says.
    Rest(RestError),
    Trouble(Trouble),
    /// The same for one entry of a Bundle, for which all of it is refused.
    Entry(usize, Box<Self>),
}

impl ApiStop {
    /// For this entry of a Bundle.
    #[must_use]
    pub fn of_entry(self, number: usize) -> Self {
        Self::Entry(number, Box::new(self))
    }
}

impl From<Refusal> for ApiStop {
    fn from(refusal: Refusal) -> Self {
        Self::Refusal(refusal)
    }
}

impl From<RestError> for ApiStop {
    fn from(error: RestError) -> Self {
        Self::Rest(error)
    }
}

/// JSON that cannot be read is a bad request; a resource that breaks a rule is not processed.
impl From<Fault> for ApiStop {
    fn from(fault: Fault) -> Self {
        Self::Refusal(match fault {
            Fault::NotJson(why) => Refusal::Invalid(why),
            Fault::BreaksRule(why) => Refusal::Unprocessable(why),
        })
    }
}

impl From<Flaw> for ApiStop {
    fn from(flaw: Flaw) -> Self {
        match flaw {
            Flaw::Fault(fault) => fault.into(),
            Flaw::Issues(issues) => Self::Issues(issues),
        }
    }
}

impl From<Trouble> for ApiStop {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}

impl From<store::Error> for ApiStop {
    fn from(error: store::Error) -> Self {
        Self::Trouble(error.into())
    }
}

impl From<Overload> for ApiStop {
    fn from(overload: Overload) -> Self {
        Self::Refusal(refusal_of(overload))
    }
}

/// What a client hears when there is no room for a large answer.
#[must_use]
pub const fn refusal_of(overload: Overload) -> Refusal {
    match overload {
        Overload::OfCaller => Refusal::TooMuchUnread,
        Overload::InAll => Refusal::Unavailable,
    }
}

impl From<BodyOverload> for ApiStop {
    fn from(overload: BodyOverload) -> Self {
        Self::Refusal(refusal_of_body(overload))
    }
}

/// What a client hears when its body cannot be taken.
#[must_use]
pub(crate) fn refusal_of_fault(fault: BodyFault, most_bytes: usize) -> Refusal {
    match fault {
        BodyFault::TooLarge => Refusal::TooLarge { most_bytes },
        BodyFault::Broken => Refusal::Invalid("the body ended before it was complete".into()),
        BodyFault::NotPacked => Refusal::Invalid("the body is not packed as Content-Encoding says".into()),
        BodyFault::Overload(overload) => refusal_of_body(overload),
    }
}

/// What a client hears when there is no room for its body.
#[must_use]
pub const fn refusal_of_body(overload: BodyOverload) -> Refusal {
    match overload {
        BodyOverload::OfCaller => Refusal::TooMuchSent,
        BodyOverload::InAll => Refusal::Unavailable,
    }
}

impl From<NoRandomness> for ApiStop {
    fn from(error: NoRandomness) -> Self {
        Self::Trouble(error.into())
    }
}

impl Stop for ApiStop {
    fn is_trouble(&self) -> bool {
        matches!(self, Self::Trouble(_) | Self::Refusal(Refusal::Unavailable))
    }

    fn say(self: Box<Self>, at: &Situation<'_>) -> Response {
        match *self {
            Self::Refusal(refusal) => {
                let words = answer_in(api(at.voice), &refusal);
                let mut answer = respond(at, &words);
                if let (Voice::Fhir, Refusal::Parameters(faults)) = (at.voice, &refusal) {
                    *answer.body_mut() = outcome_of_parameters(&words, faults).into();
                    answer.headers_mut().remove(header::CONTENT_LENGTH);
                }
                answer.headers_mut().extend(length(&refusal));
                if let Some(seconds) = answers::wait(&refusal) {
                    answer.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
                }
                answer
            }
            Self::Rest(error) => {
                let RestAnswer { status, code, message } = error.answer();
                let challenge = if status == 403 { Challenge::InsufficientScope(None) } else { Challenge::None };
                respond(at, &Answer { status, code, issue: "", message, challenge })
            }
            Self::Issues(issues) => {
                // The custom REST API tells all of it in one sentence.
                let words = match at.voice {
                    Voice::Fhir => issues.first().map(|issue| issue.text.clone()).unwrap_or_default(),
                    _ => issues.iter().map(preparation::words).collect::<Vec<_>>().join("; "),
                };
                let refusal = match issue::class(&issues) {
                    Some(Class::NotFhir) => Refusal::Invalid(words),
                    Some(Class::BreaksRule) | None => Refusal::Unprocessable(words),
                };
                let answer = answer_in(api(at.voice), &refusal);
                let mut response = respond(at, &answer);
                if at.voice == Voice::Fhir {
                    *response.body_mut() = outcome_of(&answer, &issues).into();
                    response.headers_mut().remove(header::CONTENT_LENGTH);
                }
                response
            }
            Self::Entry(number, stop) => match *stop {
                Self::Refusal(refusal) => {
                    let answer = answer_in(api(at.voice), &refusal);
                    let place = format!("Bundle.entry[{number}]");
                    let mut response = respond(at, &answer);
                    *response.body_mut() = outcome(&answer, Some(&place)).into();
                    response.headers_mut().remove(header::CONTENT_LENGTH);
                    response
                }
                Self::Issues(issues) => Box::new(Self::Issues(in_entry(issues, number))).say(at),
                stop => Box::new(stop).say(at),
            },
            Self::Trouble(trouble) => {
                let report = trouble.report(at.method, at.path);
                let mut answer = answer_in(api(at.voice), &refusal(&report));
                answer.message = report.sentence(&answer.message).into();
                respond(at, &answer)
            }
        }
    }
}

/// How long a content is that a range of bytes did not reach.
fn length(refusal: &Refusal) -> Option<(HeaderName, HeaderValue)> {
    let Refusal::RangeNotSatisfiable { length } = refusal else { return None };
    let value = HeaderValue::try_from(format!("bytes */{length}")).ok()?;
    Some((header::CONTENT_RANGE, value))
}

/// What a client hears of trouble on our side; the log, and only the log, hears what it was.
#[must_use]
pub const fn refusal(report: &Report) -> Refusal {
    match report.nature {
        Nature::Passing => Refusal::Unavailable,
        Nature::CallerBusy => Refusal::TooManyReads,
        Nature::TooCostly => Refusal::TooCostly,
        Nature::Lasting => Refusal::Trouble,
    }
}

/// Whose answers a voice gives.
const fn api(voice: Voice) -> Api {
    match voice {
        Voice::Fhir => Api::Fhir,
        _ => Api::CustomRest,
    }
}

fn respond(at: &Situation<'_>, answer: &Answer) -> Response {
    let (media_type, body) = match at.voice {
        Voice::Fhir => (FHIR_JSON, outcome(answer, None)),
        Voice::Health => (TEXT, format!("{}\n", answer.message)),
        _ => (JSON, rest_body(answer)),
    };
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (status, [(header::CONTENT_TYPE, media_type), NO_STORE], body).into_response();
    let headers = response.headers_mut();
    if let Some(challenge) = challenge(at, answer.challenge) {
        headers.insert(header::WWW_AUTHENTICATE, challenge);
    }
    if matches!(answer.status, 429 | 503) {
        headers.insert(header::RETRY_AFTER, RETRY_AFTER);
    }
    response
}

/// The body of an error of the custom REST API.
fn rest_body(answer: &Answer) -> String {
    let id = request_context::id();
    let id = id.as_ref().map_or("", RequestId::as_str);
    json!({ "errorMessage": answer.message, "errorCode": answer.code, "requestId": id }).to_string()
}

/// How to come by a token that opens (RFC 6750 3, RFC 9449 7.1): what is wrong with this one, and where to read on (RFC 9728 5.1).
fn challenge(at: &Situation<'_>, challenge: Challenge) -> Option<HeaderValue> {
    let error = match challenge {
        Challenge::None => return None,
        Challenge::Token => String::new(),
        Challenge::InvalidToken => r#"error="invalid_token", "#.into(),
        Challenge::InvalidProof => r#"error="invalid_dpop_proof", "#.into(),
        Challenge::NonceNeeded => r#"error="use_dpop_nonce", "#.into(),
        Challenge::InsufficientScope(None) => r#"error="insufficient_scope", "#.into(),
        Challenge::InsufficientScope(Some(scope)) => {
            format!(r#"error="insufficient_scope", scope="{}", "#, scope.word())
        }
    };
    let api = if at.voice == Voice::Fhir { well_known::FHIR } else { well_known::REST };
    let metadata = well_known::address(&at.app.settings.base_url, well_known::PROTECTED_RESOURCE, api);
    let (scheme, algorithms) = match request_context::is_proven() {
        true => ("DPoP", format!(r#"algs="{}", "#, SigningAlgorithm::OF_PROOFS.map(SigningAlgorithm::word).join(" "))),
        false => ("Bearer", String::new()),
    };
    let challenge = HeaderValue::try_from(format!(r#"{scheme} {error}{algorithms}resource_metadata="{metadata}""#));
    Some(challenge.unwrap_or(HeaderValue::from_static("Bearer")))
}

/// Everything that is wrong at once, each with its element.
fn outcome_of(answer: &Answer, issues: &[Issue]) -> String {
    let told = issues.iter().map(|issue| {
        let words = preparation::words(issue);
        let mut told = json!({
            "severity": "error",
            "code": issue.code.name(),
            "details": {
                "coding": [{ "system": RESPONSE_CODE_SYSTEM, "code": answer.code }],
                "text": issue.text,
            },
            "diagnostics": words,
        });
        if let Some(members) = told.as_object_mut().filter(|_| !issue.expression.is_empty()) {
            members.insert("expression".into(), json!([issue.expression]));
        }
        told
    });
    json!({ "resourceType": "OperationOutcome", "issue": told.collect::<Vec<_>>() }).to_string()
}

/// Every parameter that is wrong, each as R4 names what is of HTTP and not of a resource.
fn outcome_of_parameters(answer: &Answer, faults: &[(String, String)]) -> String {
    let told = faults.iter().map(|(name, words)| {
        let place = json!([format!("http.{name}")]);
        json!({
            "severity": "error",
            "code": answer.issue,
            "details": {
                "coding": [{ "system": RESPONSE_CODE_SYSTEM, "code": answer.code }],
                "text": words,
            },
            "diagnostics": words,
            "location": place,
            "expression": place,
        })
    });
    json!({ "resourceType": "OperationOutcome", "issue": told.collect::<Vec<_>>() }).to_string()
}

/// Issues of the resource of an entry, as issues of its Bundle.
fn in_entry(issues: Vec<Issue>, number: usize) -> Vec<Issue> {
    let place = |expression: &str| match expression.split_once('.') {
        Some((_, element)) => format!("Bundle.entry[{number}].resource.{element}"),
        None => format!("Bundle.entry[{number}]"),
    };
    issues.into_iter().map(|issue| Issue { expression: place(&issue.expression), ..issue }).collect()
}

/// One refusal, and the element that it is about where there is one.
fn outcome(answer: &Answer, expression: Option<&str>) -> String {
    let words = expression.map_or_else(|| answer.message.to_string(), |at| format!("{at}: {}", answer.message));
    let mut outcome = json!({
        "resourceType": "OperationOutcome",
        "issue": [{
            "severity": "error",
            "code": answer.issue,
            "details": {
                "coding": [{ "system": RESPONSE_CODE_SYSTEM, "code": answer.code }],
                "text": answer.message,
            },
            "diagnostics": words,
        }],
    });
    if let (Some(place), Some(issue)) = (expression, outcome.pointer_mut("/issue/0").and_then(Value::as_object_mut)) {
        issue.insert("expression".into(), json!([place]));
    }
    outcome.to_string()
}
