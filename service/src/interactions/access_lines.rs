//! Lines of the access log as the custom REST API shows them: each as its AuditEvent says it, with what people call those in it.

use super::access_log;
use crate::app::Shared;
use crate::app::trouble::{During, Trouble};
use crate::callers::caller::Caller;
use crate::formats::{audit_event, when};
use crate::voices::api::ApiStop;
use fhir::json;
use fhir::types::{self, ResourceType};
use rules::answers::Refusal;
use rules::consent::denial::Denial;
use rules::guidance::{endings, questions};
use rules::ids::{PatientId, UserId};
use rules::noted::{Inquiry, Outcome};
use rules::reach::Reach;
use rules::revocation::Revoked;
use rules::scope::UserType;
use std::collections::HashMap;
use store::ledger::{Deed, Event, LedgerPosition, NamedLine, Topic};
use store::reach::grantees::{self, AccountName};
use store::read as records;
use views::elements::party::{Party, PartyType};
use views::kinds::log_line::{LogAction, LogApp, LogFacts, LogLine};
use views::list::ListQuery;
use views::section::Section;

/// Lines that are read at once, and how often for one answer: few may be wanted of many.
const LINES: usize = 500;
const READS: usize = 20;

const NOT_FOR_CARERS: Denial =
    Denial::UserTypeNotPermitted("the access log is the patient's own; who cares for the record does not see it");

/// Whose log it is, and what is asked of it.
#[derive(Debug)]
pub(crate) struct LogRequest<'r> {
    pub query: &'r ListQuery,
    pub section: Option<Section>,
    /// Whether what the patient's own account did is wanted too.
    pub is_own_wanted: bool,
    pub limit: usize,
    pub before: LedgerPosition,
}

/// The patient whose log a caller reads: their own, and nobody else's.
pub(crate) fn owner(caller: &Caller) -> Result<(PatientId, UserId, &str), Refusal> {
    let carers = || Refusal::Denied(NOT_FOR_CARERS);
    match (caller.reach().own(), caller.user(), caller.patient()) {
        (Some(own), Some(user), Some(patient)) => Ok((own, user, patient)),
        _ => Err(carers()),
    }
}

/// The newest lines that are wanted, and where those after them begin.
pub(crate) async fn list(
    app: &Shared,
    caller: &Caller,
    request: &LogRequest<'_>,
) -> Result<(Vec<LogLine>, Option<LedgerPosition>), ApiStop> {
    let (own, user, patient) = owner(caller)?;
    let (mut shown, mut before) = (Vec::new(), request.before);
    for _ in 0..READS {
        let found = access_log::page(app, user, patient, before, LINES).await?;
        let names: Vec<&str> = found.lines.iter().filter_map(|line| line.username.as_deref()).collect();
        let accounts = grantees::accounts(&app.store, &names).await.during("looking up who looked")?;
        for line in &found.lines {
            if shown.len() == request.limit {
                return Ok((shown, Some(before)));
            }
            before = LedgerPosition::of(line);
            if !request.query.takes(Some(&when::rfc3339(line.at)), None) {
                continue;
            }
            let who = who(line, &accounts, patient);
            let is_own = who.as_ref().is_some_and(|who| who.party_type == PartyType::Patient);
            if is_own && !request.is_own_wanted {
                continue;
            }
            let line = shown_line(app, caller, own, (line, who)).await?;
            shown.extend(line.filter(|line| request.section.is_none_or(|section| section == line.section)));
        }
        match found.next {
            Some(next) => before = next,
            None => return Ok((shown, None)),
        }
    }
    Ok((shown, Some(before)))
}

/// The user of a line: the patient, who cares for them, or a professional.
fn who(line: &NamedLine, accounts: &HashMap<String, AccountName>, patient: &str) -> Option<Party> {
    let (username, name) = (line.username.as_ref()?, line.user.clone());
    let account = accounts.get(username)?;
    let party_type = match &account.patient {
        _ if account.user_type != UserType::Patient => PartyType::Professional,
        Some(own) if own == patient => PartyType::Patient,
        _ => PartyType::Carer,
    };
    let id = account.patient.clone().filter(|_| party_type != PartyType::Professional);
    Some(Party { party_type, id: id.unwrap_or_else(|| account.user.0.to_string()), name })
}

async fn shown_line(
    app: &Shared,
    caller: &Caller,
    own: PatientId,
    (line, who): (&NamedLine, Option<Party>),
) -> Result<Option<LogLine>, Trouble> {
    let event = audit_event::of(line).to_string();
    let Some(event) = json::read(&event) else { return Ok(None) };
    // A team's own grant has no user behind it.
    let granted_by = line.team.clone().filter(|_| line.user.is_none() && line.client.is_some());
    let facts = LogFacts {
        action: Some(action(line)),
        section: section(app, caller, own, line).await?,
        who,
        team: line.team.clone(),
        organisation: line.organisation.clone(),
        app: line.product.clone().map(|product| LogApp { product, owner: line.owner.clone() }),
        granted_by: granted_by.filter(|_| line.organisation.is_none()),
        reason: reason(line),
    };
    Ok(LogLine::of(&event, facts))
}

fn action(line: &NamedLine) -> LogAction {
    let is_refused_write = || {
        let inquiry = line.detail.as_deref().and_then(Inquiry::read);
        inquiry.is_some_and(|inquiry| inquiry.outcome == Outcome::WriteRefused)
    };
    match (line.event, line.event.topic()) {
        (Event::DocumentRead, _) => LogAction::Receipt,
        (Event::GlassBroken | Event::GlassMended, _) => LogAction::Glass,
        (Event::Refused, _) if is_refused_write() => LogAction::Update,
        (Event::Revoked | Event::OrganisationWithdrawn, _) => LogAction::Revoke,
        (_, Topic::Access) => LogAction::Grant,
        (_, Topic::Role) => LogAction::Share,
        (event, _) => match event.deed() {
            Deed::Create => LogAction::Create,
            Deed::Read => LogAction::Read,
            Deed::Delete => LogAction::Delete,
            Deed::Update | Deed::Execute => LogAction::Update,
        },
    }
}

/// The section of what a line is about. That of an Observation is told by what it says now, to the patient; where the line does not
/// say which it was, it is none of them.
async fn section(app: &Shared, caller: &Caller, own: PatientId, line: &NamedLine) -> Result<Option<Section>, Trouble> {
    match line.event.topic() {
        Topic::Role => return Ok(Some(Section::Sharing)),
        Topic::Record => {}
        Topic::Access | Topic::Account | Topic::Setup | Topic::Copy => return Ok(Some(Section::Other)),
    }
    let mut named = line.detail.as_deref().unwrap_or_default().split('/');
    let Some(of) = named.next().and_then(types::named) else { return Ok(None) };
    let (ResourceType::Observation, Some(id)) = (of, named.next()) else { return Ok(Some(Section::of_type(of))) };
    let (reach, now) = (Reach::of_patient(own), caller.now());
    let found = records::read(&app.store, &reach, of, id, now).await.during("reading what a line is about")?;
    let section = found.as_ref().and_then(|found| json::read(&found.body)).map(|body| Section::of(&body, false));
    Ok(Some(section.unwrap_or_default()))
}

/// Why, in words: of a broken glass and an ended account what was given as the reason, of an end why it ended, of a question what was asked.
fn reason(line: &NamedLine) -> Option<String> {
    let detail = line.detail.as_deref().unwrap_or_default();
    match line.event {
        Event::GlassBroken | Event::AccountEnded => detail.split_once(": ").map(|(_, reason)| reason.to_owned()),
        Event::Revoked => Revoked::named(detail).map(|why| endings::sentence(why).into()),
        Event::Asked | Event::Refused => Some(questions::sentence(detail)),
        _ => None,
    }
}
