//! A line of a patient's access log, from the AuditEvent that says it.

use crate::elements::party::Party;
use crate::json_object;
use crate::members::words::words;
use crate::section::Section;
use crate::tree::{items, said};
use fhir::json::Node;
use fhir::types::{self, ResourceType};

/// The system of our words for what happened.
const EVENTS: &str = "urn:recordgate:ledger-event";

words! {
    pub enum LogAction {
        Read = "READ",
        Create = "CREATE",
        Update = "UPDATE",
        Delete = "DELETE",
        Share = "SHARE",
        Grant = "GRANT",
        Revoke = "REVOKE",
        Glass = "GLASS",
        Receipt = "RECEIPT",
    }
}

json_object! {
    /// The app through which it was done.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct LogApp {
        "product" => product: String,
        "owner" => owner: Option<String>,
    }
}

json_object! {
    #[derive(Clone, Debug, PartialEq)]
    pub struct LogLine {
        "when" => when: String,
        "action" => action: LogAction,
        "section" => section: Section,
        "count" => count: i64,
        "fhirReferences" => fhir_references: Vec<String>,
        "right" => right: Option<String>,
        "who" => who: Option<Party>,
        "team" => team: Option<String>,
        "organisation" => organisation: Option<String>,
        "app" => app: Option<LogApp>,
        "grantedBy" => granted_by: Option<String>,
        "reason" => reason: Option<String>,
    }
}

/// What the ledger knows of a line and its AuditEvent says to people only.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LogFacts {
    /// What our own word for the event means here, where FHIR's letter does not tell.
    pub action: Option<LogAction>,
    /// The section, where the resource does not tell: an Observation is in one of several.
    pub section: Option<Section>,
    pub who: Option<Party>,
    pub team: Option<String>,
    pub organisation: Option<String>,
    pub app: Option<LogApp>,
    /// The team that granted a SITE session.
    pub granted_by: Option<String>,
    pub reason: Option<String>,
}

impl LogLine {
    /// The line that an AuditEvent says; none where it is about no record.
    #[must_use]
    pub fn of(event: &Node<'_>, facts: LogFacts) -> Option<Self> {
        if said(event, "resourceType") != Some("AuditEvent") {
            return None;
        }
        let references = references(event);
        let action = facts.action.or_else(|| action(event))?;
        let by_type = references.iter().find_map(|one| types::named(one.split('/').next()?)).map(Section::of_type);
        let asked = detail(event, "type").and_then(types::named).map(Section::of_type);
        Some(Self {
            when: said(event, "recorded")?.into(),
            action,
            section: facts.section.or(by_type).or(asked).unwrap_or_default(),
            count: detail(event, "times").and_then(|times| times.parse().ok()).unwrap_or(1),
            fhir_references: references,
            right: detail(event, "right").map(String::from),
            who: facts.who,
            team: facts.team,
            organisation: facts.organisation,
            app: facts.app,
            granted_by: facts.granted_by,
            reason: facts.reason,
        })
    }
}

/// By our own word where it is one of those, else by FHIR's letter.
fn action(event: &Node<'_>) -> Option<LogAction> {
    let own = items(event, "subtype").iter().find(|one| said(one, "system") == Some(EVENTS));
    let own = own.and_then(|one| said(one, "code")).and_then(|code| LogAction::named(&code.to_uppercase()));
    own.or_else(|| match said(event, "action")? {
        "C" => Some(LogAction::Create),
        "R" => Some(LogAction::Read),
        "U" => Some(LogAction::Update),
        "D" => Some(LogAction::Delete),
        _ => None,
    })
}

/// What was looked at, but for the patient whose record it is.
fn references(event: &Node<'_>) -> Vec<String> {
    let named = items(event, "entity").iter().filter_map(|entity| said(entity.get("what")?, "reference"));
    let record = ResourceType::Patient.name();
    let others = named.filter(|one| one.split('/').next() != Some(record));
    others.map(String::from).collect()
}

fn detail<'n>(event: &'n Node<'_>, name: &str) -> Option<&'n str> {
    let mut details = items(event, "entity").iter().flat_map(|entity| items(entity, "detail"));
    details.find(|detail| said(detail, "type") == Some(name)).and_then(|detail| said(detail, "valueString"))
}
