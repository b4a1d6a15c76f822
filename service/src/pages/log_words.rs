//! A line of the ledger in plain words: which app, for whom, what, and why.

use super::ending;
use crate::app::App;
use crate::app::trouble::During;
use crate::interactions::letters;
use crate::voices::page::PageStop;
use rules::guidance::parts::{self, Writing};
use rules::guidance::questions;
use rules::guidance::rights;
use rules::ids::{PatientId, RowId};
use rules::moment::Moment;
use rules::reach::Right;
use rules::revocation::Revoked;
use std::collections::HashMap;
use store::documents::receipts;
use store::ledger::{Event, NamedLine, Topic};
use store::patients;

/// The titles of the letters that some lines tell of, by what the lines call them.
#[derive(Default)]
pub(super) struct Letters(HashMap<String, String>);

impl Letters {
    /// Looks the titles up, as the patient sees them: what is not theirs any more has none.
    pub(super) async fn of(app: &App, patient: &str, lines: &[NamedLine], now: Moment) -> Result<Self, PageStop> {
        let mut found = HashMap::new();
        let own = patients::find(&app.store, patient).await.during("looking the patient up")?;
        let Some(own) = own else { return Ok(Self::default()) };
        for line in lines {
            let Some(name) = line.detail.as_deref().filter(|name| !found.contains_key(*name)) else { continue };
            for id in Self::ids(app, own, line.event, name).await? {
                if let Some(title) = letters::title(app, own, &id, now).await? {
                    found.insert(name.to_owned(), title);
                    break;
                }
            }
        }
        Ok(Self(found))
    }

    /// The ids of the letters that a line may tell of: the letter itself, or those that carry what it names.
    async fn ids(app: &App, own: PatientId, event: Event, name: &str) -> Result<Vec<String>, PageStop> {
        let mut rows = Vec::new();
        if event == Event::DocumentRead {
            rows.extend(name.parse().map(RowId));
        } else if event.topic() != Topic::Record || parts::is_question(name) {
            return Ok(Vec::new());
        } else if let Some(letter) = name.strip_prefix("DocumentReference/") {
            return Ok(letter.split('/').next().map(String::from).into_iter().collect());
        } else if let Some(binary) = name.strip_prefix("Binary/").and_then(|binary| binary.split('/').next()) {
            rows = receipts::carrying(&app.store, binary, own).await.during("looking up who carries a Binary")?;
        }
        let mut ids = Vec::new();
        for row in rows {
            ids.extend(receipts::fhir_id(&app.store, row).await.during("looking a letter up")?);
        }
        Ok(ids)
    }

    /// ` “Clinic letter”`, if its title is known.
    fn named(&self, line: &NamedLine) -> String {
        let title = line.detail.as_ref().and_then(|name| self.0.get(name));
        title.map(|title| format!(" “{title}”")).unwrap_or_default()
    }
}

/// Which app; what is done without one is the operator's, or the account's own.
pub(super) fn app(line: &NamedLine) -> String {
    match (&line.product, &line.owner) {
        (Some(product), Some(owner)) => format!("{product} by {owner}"),
        (Some(product), None) => product.clone(),
        (None, _) if line.operator.is_some() => "The operator of this service".into(),
        // A professional looks or acts on a page of ours; nobody sets these states of the own record.
        (None, _) if (line.team.is_some() || line.organisation.is_some()) && is_by_page(line.event) => {
            "A page of this service".into()
        }
        (None, _) if is_state(line.event) => "A page of this service".into(),
        (None, _) => "Your account".into(),
    }
}

/// What is done on a page of ours, by somebody who is not the patient.
const fn is_by_page(event: Event) -> bool {
    matches!(
        event,
        Event::Accessed
            | Event::Asked
            | Event::Refused
            | Event::GlassBroken
            | Event::GlassMended
            | Event::Explained
            | Event::AccountEnded
            | Event::PaperPrinted
    )
}

/// What a professional or an operator sets of a record as a whole.
const fn is_state(event: Event) -> bool {
    matches!(event, Event::SharingDisabled | Event::SharingEnabled | Event::RecordFrozen | Event::RecordUnfrozen)
}

/// For whom: a person, a team, an organisation, as far as they are known.
pub(super) fn who(line: &NamedLine, own_name: &str) -> Option<String> {
    // What became of the account or of its teams says itself whose they are.
    if matches!(line.event.topic(), Topic::Account | Topic::Role) {
        return None;
    }
    let person = line.user.as_ref().map(|name| match line.right {
        None | Some(Right::Own) if name == own_name => "you",
        _ => name,
    });
    let known: Vec<&str> = [person, line.team.as_deref(), line.organisation.as_deref()].into_iter().flatten().collect();
    (!known.is_empty()).then(|| known.join(", "))
}

/// Which item got which label, and which one it had.
fn relabelled(detail: &str) -> String {
    let mut words = detail.split(' ');
    let (item, before, after) = (words.next().unwrap_or_default(), words.next(), words.next());
    let labels = before.zip(after).map(|(before, after)| format!(" from {before} to {after}")).unwrap_or_default();
    format!("The privacy label of {} was changed{labels}", item.split("/_history").next().unwrap_or_default())
}

pub(super) fn what(line: &NamedLine, letters: &Letters) -> String {
    let times = if line.times > 1 { format!(", {} times", line.times) } else { String::new() };
    let detail = line.detail.as_deref().unwrap_or_default();
    let team = || line.team.as_deref().unwrap_or("a team");
    let organisation = || line.organisation.as_deref().unwrap_or("an organisation");
    let grantee = || line.team.as_deref().or(line.user.as_deref()).unwrap_or("somebody");
    let written = |kind| format!("{}{}", parts::writing(kind, detail), letters.named(line));
    match line.event {
        Event::Granted => "You gave this app access".into(),
        Event::CodeRedeemed => "The app was connected".into(),
        Event::Refreshed => "The app renewed its access".into(),
        Event::Revoked if detail == Revoked::ByPatient.word() => "You took the access back".into(),
        Event::Revoked => "The access was ended".into(),
        Event::OrganisationGranted | Event::OrganisationWithdrawn => "An organisation changed an app’s access".into(),
        Event::DocumentRead => format!("A letter{} was opened for the first time", letters.named(line)),
        Event::GivenUp | Event::Undone => "A change was taken back".into(),
        Event::Accessed => format!("{}{}{times}", parts::deed(detail), letters.named(line)),
        Event::Asked | Event::Refused => format!("{}{times}", questions::sentence(detail)),
        Event::Created => written(Writing::Creation),
        Event::Updated => written(Writing::Update),
        Event::Deleted => written(Writing::Deletion),
        Event::TakenOut => written(Writing::Removal),
        Event::Registered => format!("You were registered with {}, which sees your record from then on", team()),
        Event::Deregistered => format!("Your registration with {} ended", team()),
        Event::ConsentGiven => format!("{} may see more of your record now: {}", grantee(), labels_of(detail)),
        Event::ConsentChanged => {
            format!("What {} may see of your record was changed: {}", grantee(), labels_of(detail))
        }
        Event::ConsentEnded => format!("The care of {} ended, and with it the consent", grantee()),
        Event::GlassBroken => format!("Somebody of {} looked in an emergency, {detail}", team()),
        Event::GlassMended => format!("The emergency look of {} was ended", team()),
        Event::Relabelled => relabelled(detail),
        Event::Explained if line.organisation.is_some() => {
            format!("A privacy officer of {} looked up {detail}", organisation())
        }
        Event::Explained => format!("Looked up who sees what of your record, and why: {detail}"),
        Event::SharingDisabled => "The sharing of your record was disabled".into(),
        Event::SharingEnabled => "The sharing of your record was enabled again".into(),
        Event::RecordFrozen => "Your record was frozen".into(),
        Event::RecordUnfrozen => "Your record is not frozen any more".into(),
        Event::Joined => format!("Your account became a member of {}", team()),
        Event::Left => format!("Your account is no longer a member of {}", team()),
        Event::UserMade => "Your account was made".into(),
        Event::UserChanged => "The details of your account were changed".into(),
        Event::UserTypeChanged => "The type of your account was changed".into(),
        Event::PasswordChanged => "Your password was changed".into(),
        Event::Frozen => "Your account was frozen".into(),
        Event::Unfrozen => "Your account can be used again".into(),
        Event::SignedOut => "You were signed out everywhere".into(),
        Event::Invited => {
            format!("You were invited by {} to make an account", organisation())
        }
        Event::InvitationRedeemed => {
            format!("The invitation to make an account was used, which came from {}", organisation())
        }
        Event::AccountEnded => {
            let by = match (&line.team, &line.username) {
                (Some(team), Some(_)) => format!(" by a coordinator of {team}"),
                (Some(team), None) => format!(" by {team}"),
                (None, _) => String::new(),
            };
            match &line.organisation {
                Some(inviter) => format!("The account that was made by the invitation of {inviter} was ended{by}"),
                None => format!("The account was ended{by}"),
            }
        }
        Event::PaperPrinted => format!("A coordinator of {} printed the code that you need to make an account", team()),
        Event::FactorSet => "A second factor was set up for your account".into(),
        Event::FactorRemoved => "The second factor of your account was removed".into(),
        Event::FactorLinkMade => "A link was made that resets the second factor of your account".into(),
        Event::ClientMade
        | Event::ClientChanged
        | Event::ClientSecretChanged
        | Event::ClientKeysChanged
        | Event::ClientDisabled
        | Event::ClientEnabled
        | Event::ClientInvited
        | Event::ClientInvitationRevoked => "What is known of the app was changed".into(),
        Event::OrganisationMade
        | Event::OrganisationChanged
        | Event::TeamMade
        | Event::TeamChanged
        | Event::KeyAdded
        | Event::KeyRetired
        | Event::RingAdopted
        | Event::BackedUp => "The service was looked after".into(),
        Event::MonthDropped => "Lines of a month long past were removed".into(),
    }
}

/// Whether a line tells that somebody who is not the patient looked at the record or wrote in it.
pub(super) fn is_others(line: &NamedLine, own_name: &str) -> bool {
    let is_deed = matches!(
        line.event,
        Event::Accessed | Event::Created | Event::Updated | Event::Deleted | Event::DocumentRead | Event::GlassBroken
    );
    let is_own = line.right == Some(Right::Own)
        || (line.right.is_none() && line.team.is_none() && line.user.as_deref() == Some(own_name));
    let has_viewer = line.team.is_some() || line.organisation.is_some() || line.user.is_some();
    is_deed && has_viewer && !is_own
}

/// The labels that a line about a consent names.
pub(super) fn labels_of(detail: &str) -> String {
    let codes = detail.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map_or("", |(codes, _)| codes);
    labels(&codes.split_ascii_whitespace().map(String::from).collect::<Vec<_>>())
}

/// Labels as people know them.
pub(super) fn labels(codes: &[String]) -> String {
    let words: Vec<String> = codes.iter().map(|code| code.to_ascii_lowercase().replace('_', " ")).collect();
    if words.is_empty() { "nothing but what they wrote themselves".into() } else { words.join(", ") }
}

/// By which right somebody looked, or why something ended.
pub(super) fn why(line: &NamedLine) -> Option<String> {
    match line.event {
        Event::Revoked if line.detail.as_deref() == Some(Revoked::ByPatient.word()) => None,
        Event::Revoked => Some(ending::sentence(line.detail.as_deref()).to_owned()),
        _ => {
            let viewer = line.team.as_ref().or(line.organisation.as_ref()).or(line.user.as_ref());
            Some(rights::because(line.right?, viewer.map_or("them", String::as_str)))
        }
    }
}

/// The whole line in one, for where there is no room.
pub(super) fn in_a_line(line: &NamedLine, letters: &Letters, own_name: &str) -> String {
    let who = who(line, own_name).map(|who| format!(", for {who}")).unwrap_or_default();
    format!("{}{who}: {}", app(line), what(line, letters))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clinician_of_the_patients_name_is_not_the_patient() {
        let line = |right| NamedLine {
            id: 1,
            number: 1,
            at: Moment(0),
            event: Event::Accessed,
            session: None,
            detail: Some("Patient".into()),
            times: 1,
            right,
            operator: None,
            product: None,
            owner: None,
            client: None,
            user: Some("Amina Rahman".into()),
            username: None,
            team: None,
            organisation: None,
            patient: None,
        };
        assert_eq!(who(&line(Some(Right::Own)), "Amina Rahman").as_deref(), Some("you"));
        assert_eq!(who(&line(Some(Right::Consent)), "Amina Rahman").as_deref(), Some("Amina Rahman"));
    }
}
