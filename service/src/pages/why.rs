//! `/access-log/why`: why somebody could see what a line of the log tells of, and whether they still can.

use super::log_words::{self, Letters};
use super::patient_log;
use crate::app::Shared;
use crate::app::trouble::During;
use crate::callers::people::PatientSignIn;
use crate::callers::sign_in::SignIn;
use crate::explanation::answer::{self, SightQuestion};
use crate::explanation::explained::{ConsentTold, Explanation};
use crate::explanation::known_viewer;
use crate::formats::when;
use crate::formats::zone::Zone;
use crate::http::call::Call;
use crate::http::forms;
use crate::interactions::access_log;
use crate::views::TimeText;
use crate::views::access_log::AccessLine;
use crate::views::why::{ConsentLine, WhyPage, WhyToday};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use fhir::reference;
use fhir::types::{self, ResourceType};
use rules::consent::record::ConsentState;
use rules::guidance::parts;
use rules::ids::PatientId;
use rules::moment::Moment;
use store::ledger::{About, LedgerPosition, NamedLine};

const PATH: &str = "/access-log";

pub async fn show(PatientSignIn { person, patient }: PatientSignIn, call: Call) -> Result<Response, PageStop> {
    let params =
        forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    let place = params.get("line").and_then(patient_log::place);
    let answer = told(&call.app, &person, &patient, place).await;
    person.keep(&call.app, answer)
}

/// The line is looked up as one of this patient's: whoever writes another's into the address finds none.
async fn told(
    app: &Shared,
    person: &SignIn,
    patient: &str,
    place: Option<LedgerPosition>,
) -> Result<Response, PageStop> {
    let Some(place) = place else { return Err(Problem::unreadable_address().into()) };
    let found = access_log::line(app, patient, place).await?;
    let Some((number, line, about)) = found.filter(|(_, line, _)| log_words::is_others(line, &person.user.name)) else {
        return Err(Problem::not_found().into());
    };
    let today = today(app, (patient, number), (&line, &about), person.now).await?;
    let lines = [line];
    let letters = Letters::of(app, patient, &lines, person.now).await?;
    let [line] = lines;
    let page = WhyPage {
        frame: person.frame(app, PATH),
        line: AccessLine {
            at: TimeText::new(line.at, &app.settings.time_zone),
            who: log_words::who(&line, &person.user.name),
            what: log_words::what(&line, &letters),
            why: log_words::why(&line),
            explained: None,
        },
        today,
    };
    Ok(page::html(StatusCode::OK, &page))
}

/// What is decided now of what the line names, or of the Patient where it names no item that is still there.
async fn today(
    app: &Shared,
    (patient, number): (&str, PatientId),
    (line, about): (&NamedLine, &About),
    now: Moment,
) -> Result<Option<WhyToday>, PageStop> {
    let named = line.detail.as_deref().and_then(item);
    for (of, id) in named.into_iter().chain([(ResourceType::Patient, patient)]) {
        let viewer = known_viewer::numbered(app, (about.user, about.team, about.organisation), number);
        let Some(viewer) = viewer.await.during("looking up who looked")? else { return Ok(None) };
        let question = SightQuestion { patient: (patient, number), item: (of, id), at: now, glass: false };
        let told = answer::explain(app, viewer, &question).await.during("deciding who sees what, and why")?;
        if let Ok(told) = told {
            return Ok(Some(words(of, told, &app.settings.time_zone)));
        }
    }
    Ok(None)
}

/// The item that a line names: `Observation/123`, with its version or without.
fn item(detail: &str) -> Option<(ResourceType, &str)> {
    let mut parts = detail.split('/');
    let of = types::named(parts.next()?)?;
    parts.next().filter(|id| reference::is_id(id)).map(|id| (of, id))
}

fn words(of: ResourceType, told: Explanation, zone: &Zone) -> WhyToday {
    WhyToday {
        what: parts::part(of.name()),
        sees: told.sees,
        held: log_words::labels(&told.held),
        consents: told.consents.iter().map(|consent| consent_line(consent, zone)).collect(),
        viewer: told.viewer,
        steps: told.steps,
        notes: told.notes,
    }
}

fn consent_line(consent: &ConsentTold, zone: &Zone) -> ConsentLine {
    let day = |text: &str| when::of_instant(text).map(|moment| zone.day(moment)).unwrap_or_default();
    let state = ConsentState::ALL.into_iter().find(|state| state.code() == consent.state);
    ConsentLine {
        labels: log_words::labels(&consent.labels),
        state: match state {
            Some(ConsentState::Active) => "It is in force.",
            Some(ConsentState::Pending) => "They have not accepted it yet.",
            Some(ConsentState::Discharged) => "Their care has ended, so it has no effect.",
            Some(ConsentState::Ended) | None => "It is over.",
        },
        given: day(&consent.given_at),
        changed: day(&consent.changed_at),
        by: consent.changed_by.clone(),
        ends: consent.ends_at.as_deref().map(day),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_read_from_what_a_line_says_and_nothing_else_is() {
        assert_eq!(item("Observation/x-1/3"), Some((ResourceType::Observation, "x-1")));
        assert_eq!(item("Observation/x-1"), Some((ResourceType::Observation, "x-1")));
        for none in ["", "Observation", "Observation/", "read-receipts", "123", "Nothing/1"] {
            assert_eq!(item(none), None, "{none}");
        }
    }
}
