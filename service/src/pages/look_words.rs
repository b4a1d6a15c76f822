//! A line of the ledger in plain words for somebody who is not the patient: a professional who reads what they did themselves, or a
//! privacy officer.

use super::log_words;
use super::patient_log;
use crate::formats::zone::Zone;
use crate::views::TimeText;
use crate::views::looks::{LookDay, LookLine};
use fhir::types;
use rules::guidance::parts;
use rules::guidance::record_parts::RecordPart;
use rules::reach::Right;
use store::ledger::{Event, LedgerPosition, NamedLine};

/// The lines in their order, under the days that they belong to. `reader` is who is not named.
pub(super) fn by_day(lines: &[&NamedLine], reader: Option<&str>, zone: &Zone) -> Vec<LookDay> {
    let mut days: Vec<LookDay> = Vec::new();
    for line in lines {
        let date = zone.date(line.at);
        if days.last().is_none_or(|day| day.date != date) {
            days.push(LookDay { text: zone.day(line.at), date, looks: Vec::new() });
        }
        if let Some(day) = days.last_mut() {
            day.looks.push(LookLine {
                at: TimeText::of_day(line.at, zone),
                what: what(line),
                patient: line.patient.clone(),
                by: by(line, reader),
                is_emergency: line.right == Some(Right::Glass) || line.event == Event::GlassBroken,
            });
        }
    }
    days
}

/// Where the older lines are.
pub(super) fn older(path: &str, next: Option<LedgerPosition>) -> Option<String> {
    next.map(|next| format!("{path}?before={}", patient_log::text(next)))
}

/// Who it was, and through what.
pub(super) fn by(line: &NamedLine, reader: Option<&str>) -> Vec<String> {
    let user = line.user.clone().filter(|_| line.username.as_deref() != reader || reader.is_none());
    let operator = line.operator.as_ref().map(|_| "The operator of this service".to_owned());
    let app = line.product.as_ref().map(|product| match &line.owner {
        Some(owner) => format!("{product} by {owner}"),
        None => product.clone(),
    });
    [user, line.team.clone(), line.organisation.clone(), app, operator].into_iter().flatten().collect()
}

pub(super) fn what(line: &NamedLine) -> String {
    let times = if line.times > 1 { format!(", {} times", line.times) } else { String::new() };
    let detail = line.detail.as_deref().unwrap_or_default();
    let grantee = || line.team.as_deref().or(line.user.as_deref()).unwrap_or("Somebody");
    let words = match line.event {
        Event::Accessed if parts::is_question(detail) => "Asked about the patient".into(),
        Event::Accessed => format!("Opened {}", part(detail)),
        Event::DocumentRead => "Opened a letter for the first time".into(),
        Event::Asked => "Searched, and was shown nothing of it".into(),
        Event::Refused => "Tried, and was refused".into(),
        Event::Created => format!("Wrote something: {}", part(detail)),
        Event::Updated => format!("Changed something: {}", part(detail)),
        Event::Deleted => format!("Deleted something: {}", part(detail)),
        Event::TakenOut => format!("Took something out of the record: {}", part(detail)),
        Event::GlassBroken => format!("Opened the record in an emergency, {detail}"),
        Event::GlassMended => "Ended the emergency look".into(),
        Event::Relabelled => format!("Changed the privacy label of something: {}", part(detail)),
        Event::ConsentGiven => format!("{} may see more now: {}", grantee(), log_words::labels_of(detail)),
        Event::ConsentChanged => {
            format!("What {} may see was changed: {}", grantee(), log_words::labels_of(detail))
        }
        Event::ConsentEnded => format!("The care of {} ended, and with it the consent", grantee()),
        Event::Registered => format!("The patient was registered with {}", grantee()),
        Event::Deregistered => format!("The registration with {} ended", grantee()),
        Event::SharingDisabled => stated("The sharing of the record was disabled", detail),
        Event::SharingEnabled => stated("The sharing of the record was enabled again", detail),
        Event::RecordFrozen => stated("The record was frozen", detail),
        Event::RecordUnfrozen => stated("The record is not frozen any more", detail),
        Event::Explained => "An operator looked up who sees what, and why".into(),
        other => other.word().replace('-', " "),
    };
    format!("{words}{times}")
}

/// Why a state was set, where somebody said so.
fn stated(state: &str, reason: &str) -> String {
    if reason.is_empty() { state.to_owned() } else { format!("{state}: {reason}") }
}

/// Which part of a record a line tells of, as people know it.
pub(super) fn part(detail: &str) -> &'static str {
    let of = detail.split('/').next().unwrap_or_default();
    RecordPart::of(of, types::named(of).is_some_and(fhir::types::ResourceType::is_public) && of != "Patient").words()
}
