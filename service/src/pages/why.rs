//! Why somebody sees something of a record, or could: `/access-log/why`, of what a line of the log tells of, and
//! `/sharing/{id}/why`, of somebody with whom the record is shared.

use super::log_words::{self, Letters};
use super::patient_log;
use super::sharing;
use crate::app::Shared;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::callers::people::{PatientSignIn, RecordSignIn};
use crate::callers::sign_in::SignIn;
use crate::explanation::answer::{self, SightQuestion};
use crate::explanation::explained::{ConsentTold, Explanation};
use crate::explanation::known_viewer;
use crate::formats::when;
use crate::formats::zone::Zone;
use crate::http::call::Call;
use crate::http::forms;
use crate::interactions::access_log;
use crate::interactions::consents::given;
use crate::views::TimeText;
use crate::views::access_log::AccessLine;
use crate::views::everyone::Link;
use crate::views::why::{ConsentLine, WhyPage, WhyToday};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use fhir::reference;
use fhir::types::{self, ResourceType};
use rules::consent::record::{ConsentState, Grantee};
use rules::guidance::parts;
use rules::ids::{OrganisationId, PatientId, TeamId, UserId};
use rules::moment::Moment;
use store::ledger::{About, LedgerPosition};

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
    let named = line.detail.as_deref().and_then(item);
    let today = today(app, (patient, number), (viewer_of(&about), named), person.now).await?;
    let lines = [line];
    let letters = Letters::of(app, patient, &lines, person.now).await?;
    let [line] = lines;
    let page = WhyPage {
        frame: person.frame(app, PATH),
        line: Some(AccessLine {
            at: TimeText::new(line.at, &app.settings.time_zone),
            who: log_words::who(&line, &person.user.name),
            what: log_words::what(&line, &letters),
            why: log_words::why(&line),
            explained: None,
        }),
        today,
        back: Link { href: PATH.into(), text: "Back to the access log".into() },
    };
    Ok(page::html(StatusCode::OK, &page))
}

/// `GET /sharing/{id}/why`: how it is decided of the patient's own details, which everybody sees with whom anything is shared.
pub async fn of_consent(RecordSignIn { person, caller }: RecordSignIn, call: Call) -> Result<Response, PageStop> {
    let id = call.part("id").unwrap_or_default().into_owned();
    let answer = told_of_consent(&call.app, (&person, &caller), &id).await;
    person.keep(&call.app, answer)
}

async fn told_of_consent(app: &Shared, (person, caller): (&SignIn, &Caller), id: &str) -> Result<Response, PageStop> {
    let record = sharing::own(caller)?;
    let grantee = given::grantee(app, &record, id).await?.ok_or_else(Problem::not_found)?;
    let viewer = match grantee {
        Grantee::Team(team) => (None, Some(team), None),
        Grantee::Professional(user) | Grantee::Carer(user) => (Some(user), None, None),
    };
    let page = WhyPage {
        frame: person.frame(app, sharing::PATH),
        line: None,
        today: today(app, (&record.patient, record.number), (viewer, None), person.now).await?,
        back: Link { href: sharing::PATH.into(), text: "Back to who can see your record".into() },
    };
    Ok(page::html(StatusCode::OK, &page))
}

/// Somebody by their numbers: a person, a team, an organisation.
type ViewerNumbers = (Option<UserId>, Option<TeamId>, Option<OrganisationId>);

fn viewer_of(about: &About) -> ViewerNumbers {
    (about.user, about.team, about.organisation)
}

/// What is decided now of the item that is named, or of the Patient where none is named that is still there.
async fn today(
    app: &Shared,
    (patient, number): (&str, PatientId),
    (viewer, named): (ViewerNumbers, Option<(ResourceType, &str)>),
    now: Moment,
) -> Result<Option<WhyToday>, PageStop> {
    for (of, id) in named.into_iter().chain([(ResourceType::Patient, patient)]) {
        let viewer = known_viewer::numbered(app, viewer, number);
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
