//! Resources as a client would send them, from what a draft says.

use crate::cases::{BINARIES, Draft, KINDS};
use fhir::limits::{Limits, Shape};
use fhir::preparation::{self, Preparation};
use rules::consent::delay::{self, Delay, Hides};
use rules::labels::{self, Coding, LABEL_SYSTEM, Label, Needs};
use rules::moment::Moment;
use rules::reach::Source;

const LIMITS: Limits = Limits { shape: Shape { depth: 64, values: 200_000 }, tokens: 200, token_bytes: 1024 };
const CONFIDENTIALITY: &str = "http://terminology.hl7.org/CodeSystem/v3-Confidentiality";

/// What is written of a draft, and what it takes to see it.
pub fn prepared(
    draft: &Draft,
    id: &str,
    ids: &[String],
    patients: &[String],
    identifier: &str,
    parties: &[String],
) -> (Preparation, Needs) {
    let body = body(draft, id, ids, patients, (identifier, parties));
    let content = preparation::prepare(&body, "https://records.example.org/fhir", &LIMITS).expect("a sound body");
    let security = content.security.iter();
    let security = security.map(|coding| Coding { system: coding.system.as_deref(), code: coding.code.as_deref() });
    let needs = labels::needs(content.resource_type.name(), security).expect("one label at the most");
    let needs = needs.of_draft(content.audience.is_draft).of_private(content.audience.is_private);
    (content, needs)
}

fn body(
    draft: &Draft,
    id: &str,
    ids: &[String],
    patients: &[String],
    (identifier, parties): (&str, &[String]),
) -> String {
    let about: Vec<String> =
        draft.about.iter().map(|at| format!(r#"{{"reference":"Patient/{}"}}"#, patients[*at])).collect();
    let first = |member: &str| about.first().map(|one| format!(r#","{member}":{one}"#)).unwrap_or_default();
    let rest = |member: &str| match about.get(1..) {
        Some(rest) if !rest.is_empty() => format!(r#","{member}":[{}]"#, rest.join(",")),
        _ => String::new(),
    };
    let each = |member: &str, inner: &str| {
        let all: Vec<String> = about.iter().map(|one| format!(r#"{{"{inner}":{one}}}"#)).collect();
        format!(r#","{member}":[{}]"#, all.join(","))
    };
    let kind = KINDS[draft.place];
    let named = match kind {
        "Observation" => {
            let code = category(draft.text);
            let category = format!(r#","category":[{{"coding":[{{"system":"{CATEGORIES}","code":"{code}"}}]}}]"#);
            category + &first("subject") + &rest("performer")
        }
        "Appointment" => each("participant", "actor"),
        "Group" => each("member", "entity"),
        "AuditEvent" => each("agent", "who"),
        "Consent" => first("patient"),
        "Provenance" => format!(r#","target":[{}]"#, about.join(",")),
        "Basic" => first("subject"),
        "Communication" => {
            let others = about.iter().skip(1).cloned();
            let parties = draft.audience.parties.iter().map(|at| format!(r#"{{"reference":"{}"}}"#, parties[*at]));
            let recipients = others.chain(parties).collect::<Vec<_>>().join(",");
            let recipients =
                if recipients.is_empty() { String::new() } else { format!(r#","recipient":[{recipients}]"#) };
            let status = if draft.audience.is_draft { "preparation" } else { "completed" };
            let private = draft.audience.is_private;
            let extension = format!(r#""extension":[{{"url":"urn:recordgate:private","valueBoolean":{private}}}]"#);
            format!(r#","status":"{status}",{extension}"#) + &first("subject") + &recipients
        }
        "CarePlan" => {
            let status = if draft.audience.is_draft { "draft" } else { "active" };
            format!(r#","status":"{status}""#) + &first("subject")
        }
        "DocumentReference" => {
            let url = &ids[BINARIES[draft.carries]];
            let content = format!(r#","content":[{{"attachment":{{"url":"Binary/{url}"}}}}]"#);
            first("subject") + &rest("author") + &content
        }
        "Binary" => format!(r#","contentType":"text/plain","data":"{}AAA""#, char::from(b'A' + draft.text)),
        _ => String::new(),
    };
    let identifier = match kind {
        "Binary" => String::new(),
        _ => format!(r#","identifier":[{{"value":"{identifier}"}}],"language":"{}""#, draft.text),
    };
    let delay = if draft.text == DELAYED { extension(kind) } else { "" };
    format!(r#"{{"resourceType":"{kind}","id":"{id}","meta":{{{}}}{identifier}{named}{delay}}}"#, security(draft.label))
}

/// The system of the categories of Observations.
pub const CATEGORIES: &str = "urn:categories";

/// The category of an Observation, by the text that it is sent with.
pub fn category(text: u8) -> &'static str {
    if text.is_multiple_of(2) { "even" } else { "odd" }
}

/// The text with which results and letters are sent to be held back.
const DELAYED: u8 = 3;

fn extension(kind: &str) -> &'static str {
    match kind {
        "Observation" | "DocumentReference" => {
            r#","extension":[{"url":"urn:recordgate:hidden-days","valueInteger":14}]"#
        }
        _ => "",
    }
}

/// Whether all of what was sent is held back from patient and carers.
pub fn is_held_back(content: &Preparation, source: &Source) -> bool {
    let name = content.resource_type.name();
    let is_delayed = content.audience.hidden_days.is_some() && delay::is_for(name, source);
    is_delayed && Delay::of(name, Moment(0)).hides == Hides::Item
}

fn security(label: usize) -> String {
    let (system, code) = match label {
        0 => return String::new(),
        5 => (CONFIDENTIALITY, "V"),
        label => (LABEL_SYSTEM, Label::ALL[label - 1].code()),
    };
    format!(r#""security":[{{"system":"{system}","code":"{code}"}}]"#)
}
