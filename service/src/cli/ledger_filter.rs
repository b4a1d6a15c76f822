//! Which lines of the ledger somebody wants to see.

use super::failure::Failure;
use fhir::values::date::DateTime;
use fhir::values::span::Span;
use rules::ids::{ClientId, TeamId};
use rules::moment::Moment;
use store::ledger::{Concern, Event, LedgerSpan, Line};
use store::{Store, clients, organisations, patients, people};

#[derive(Debug, clap::Args)]
pub(super) struct LedgerFilter {
    /// Lines about this patient's record: the id of the Patient resource
    #[arg(long, value_name = "ID")]
    patient: Option<String>,
    /// Lines about what this user did, or had done on their behalf
    #[arg(long, value_name = "USERNAME", conflicts_with = "patient")]
    user: Option<String>,
    /// Lines about this client
    #[arg(long, value_name = "CLIENT_ID")]
    client: Option<String>,
    /// Lines about this team
    #[arg(long, value_name = "UUID")]
    team: Option<String>,
    /// From this moment on: 2026-11-01 or 2026-11-01T09:30:00Z
    #[arg(long, value_name = "MOMENT", value_parser = moment)]
    since: Option<Moment>,
    /// Before this moment
    #[arg(long, value_name = "MOMENT", value_parser = moment)]
    until: Option<Moment>,
    /// Lines of this event only (may be repeated)
    #[arg(long, value_name = "EVENT", value_parser = event)]
    event: Vec<Event>,
}

/// The same by the numbers of the database.
pub(super) struct WantedLines {
    pub(super) whom: Option<Concern>,
    pub(super) span: LedgerSpan,
    client: Option<ClientId>,
    team: Option<TeamId>,
    events: Vec<Event>,
}

impl LedgerFilter {
    /// Looks up whom it names.
    pub(super) async fn find(&self, store: &Store) -> Result<WantedLines, Failure> {
        let mut whom = None;
        if let Some(id) = &self.patient {
            whom = Some(Concern::Patient(patients::find(store, id).await?.ok_or_else(|| unknown("patient", id))?));
        }
        if let Some(name) = &self.user {
            whom = Some(Concern::User(people::find(store, name).await?.ok_or_else(|| unknown("user", name))?.id));
        }
        let mut wanted = WantedLines {
            whom,
            span: LedgerSpan {
                since: self.since.unwrap_or(LedgerSpan::ALL.since),
                until: self.until.unwrap_or(LedgerSpan::ALL.until),
            },
            client: None,
            team: None,
            events: self.event.clone(),
        };
        if let Some(id) = &self.client {
            wanted.client = Some(clients::find(store, id).await?.ok_or_else(|| unknown("client", id))?.id);
        }
        if let Some(id) = &self.team {
            wanted.team = Some(organisations::find_team(store, id).await?.ok_or_else(|| unknown("team", id))?.id);
        }
        Ok(wanted)
    }
}

impl WantedLines {
    pub(super) fn takes(&self, line: &Line) -> bool {
        self.client.is_none_or(|client| line.about.client == Some(client))
            && self.team.is_none_or(|team| line.about.team == Some(team))
            && (self.events.is_empty() || self.events.contains(&line.event))
    }
}

fn unknown(what: &str, name: &str) -> Failure {
    Failure::because(format!("there is no {what} {name}"))
}

fn moment(text: &str) -> Result<Moment, String> {
    let is_moment = DateTime::read(text).is_some_and(|at| at.date.day.is_some() && at.is_date_time());
    let span = Span::read(text).filter(|_| is_moment);
    let span = span.ok_or_else(|| "write a day, 2026-11-01, or a moment, 2026-11-01T09:30:00Z".to_owned())?;
    Ok(Moment(span.low.div_euclid(1000)))
}

fn event(text: &str) -> Result<Event, String> {
    let words: Vec<&str> = Event::all().map(Event::word).collect();
    Event::named(text).ok_or_else(|| format!("the events are {}", words.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_at_midnight_in_utc_and_a_moment_is_itself() {
        assert_eq!(moment("2026-11-01"), Ok(Moment(1_793_491_200_000)));
        assert_eq!(moment("2026-11-01T01:00:00+01:00"), Ok(Moment(1_793_491_200_000)));
        for wrong in ["yesterday", "2026-11", "2026-11-01T01:00:00", "2026-11-01T01:00Z"] {
            assert!(moment(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_event_is_named_by_its_word_and_another_word_is_answered_with_all_of_them() {
        assert_eq!(event("revoked"), Ok(Event::Revoked));
        assert!(event("removed").unwrap_err().contains("revoked"));
    }
}
