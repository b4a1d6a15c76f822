//! `/officer/patients/{id}`: with whom a patient of the organisation shares the record and how that came, and the states that a
//! privacy officer sets: frozen, and not shared with anybody.

use super::officer::{PATH, as_officer, of_patient};
use super::{look_words, patient_log, sharing_words, team_words};
use crate::app::Shared;
use crate::callers::officer::OfficerSignIn;
use crate::http::call::Call;
use crate::http::forms;
use crate::interactions::oversight::{self, OverseenPatient, OverseenTopic};
use crate::views::oversight::{ConsentText, OfficerPatientPage, StateForm};
use crate::views::password::FieldProblem;
use crate::views::words;
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use fhir::json;
use rules::consent::notice::RecordState;
use rules::consent::state::PatientState;
use rules::labels::Labels;
use rules::limits::LIST_LINES;
use store::ledger::{LedgerPosition, NamedLine};
use views::kinds::consent::{ActorType, ConsentStanding, ConsentView};
use views::kinds::person::{PatientFacts, Person};

/// What was done before the page is shown, or went wrong.
#[derive(Default)]
struct Told {
    notice: Option<&'static str>,
    problem: Option<FieldProblem>,
    before: Option<LedgerPosition>,
}

/// `GET /officer/patients/{id}`.
pub async fn show(officer: OfficerSignIn, call: Call) -> Result<Response, PageStop> {
    let params =
        forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    let notice = params.get("done").map(|done| match done {
        "frozen" => "The record is frozen. Those who care for it were told.",
        "unfrozen" => "The record is not frozen any more.",
        "disabled" => "Sharing is disabled, and every consent has ended. The patient was told.",
        "enabled" => "Sharing is possible again. The patient shares anew.",
        _ => "Nothing changed: it was so already.",
    });
    let told = Told { notice, problem: None, before: params.get("before").and_then(patient_log::place) };
    let id = call.part("id").unwrap_or_default().into_owned();
    let answer = page_of(&call.app, &officer, &id, told).await;
    officer.person.keep(&call.app, answer)
}

/// `POST /officer/patients/{id}/state`.
pub async fn change(officer: OfficerSignIn, call: Call) -> Result<Response, PageStop> {
    let id = call.part("id").unwrap_or_default().into_owned();
    let Call { app, head, body, .. } = call;
    let changing = async {
        let params = officer.person.own_form(&app, &head.headers, body, &purpose(&id)).await?;
        officer.person.must_have_proven(head.uri.path().trim_end_matches("/state"))?;
        let (state, done) = match params.get("decision") {
            Some("freeze") => (RecordState::Frozen, "frozen"),
            Some("unfreeze") => (RecordState::Unfrozen, "unfrozen"),
            Some("disable") => (RecordState::SharingDisabled, "disabled"),
            Some("enable") => (RecordState::SharingEnabled, "enabled"),
            _ => return Err(Problem::stale_form().into()),
        };
        let reason: String = params.get("reason").unwrap_or_default().trim().chars().take(500).collect();
        let field = match state {
            RecordState::Frozen | RecordState::Unfrozen => "reason-freezing",
            RecordState::SharingDisabled | RecordState::SharingEnabled => "reason-sharing",
        };
        let wrong = |text| Told { problem: Some(FieldProblem { text, field }), ..Told::default() };
        if reason.is_empty() {
            return page_of(&app, &officer, &id, wrong("Give the reason: the patient is told it.".into())).await;
        }
        let found = oversight::patient(&app, as_officer(&officer), &id).await?.ok_or_else(Problem::not_found)?;
        match oversight::set_state(&app, as_officer(&officer), &found, (state, reason)).await? {
            Ok(is_changed) => {
                let done = if is_changed { done } else { "nothing" };
                Ok(page::see_other(&format!("{}?done={done}", of_patient(&id))))
            }
            Err(denial) => page_of(&app, &officer, &id, wrong(words::sentence(&denial.message()))).await,
        }
    };
    let answer = changing.await;
    officer.person.keep(&app, answer)
}

async fn page_of(app: &Shared, officer: &OfficerSignIn, id: &str, told: Told) -> Result<Response, PageStop> {
    let by = as_officer(officer);
    let found = oversight::patient(app, by, id).await?.ok_or_else(Problem::not_found)?;
    let consents = oversight::consents(app, by, &found).await?;
    let before = told.before.unwrap_or(LedgerPosition::NEWEST);
    let look = oversight::begin(app, by, &found, OverseenTopic::Sharing).await?;
    let lines = oversight::lines(app, by, &look, (before, LIST_LINES)).await?;
    let (person, zone, path) = (person(&found), &app.settings.time_zone, of_patient(id));
    let history: Vec<&NamedLine> = lines.lines.iter().collect();
    let page = OfficerPatientPage {
        frame: officer.person.frame(app, PATH),
        notice: told.notice,
        problem: told.problem,
        name: team_words::name(&person),
        born: team_words::born(&person, zone),
        numbers: team_words::numbers(&person),
        consents: consents.iter().map(consent).collect(),
        states: states(&found.state).to_vec(),
        form: officer.person.form(app, &purpose(id)),
        history: look_words::by_day(&history, None, zone),
        older: look_words::older(&path, lines.next),
        path,
    };
    let status = if page.problem.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(page::html(status, &page))
}

/// Name, date of birth and national numbers: nothing else of the Patient.
pub(super) fn person(found: &OverseenPatient) -> Person {
    let body = found.details.as_ref().and_then(|details| json::read(&details.body));
    Person::patient(&found.id, body.as_ref(), PatientFacts::default()).banner()
}

fn consent(consent: &ConsentView) -> ConsentText {
    let labels: Labels = sharing_words::granted(consent).into_iter().collect();
    let state = match consent.state.0 {
        Some(ConsentStanding::Pending) => Some("Not accepted yet"),
        Some(ConsentStanding::Discharged) => Some("The care has ended"),
        Some(ConsentStanding::Ended) => Some("Over"),
        Some(ConsentStanding::Active) | None => None,
    };
    let locked = (consent.professional_edit_only == Some(true)).then_some("Locked by professionals");
    let rest = [state, locked].into_iter().flatten().map(String::from);
    ConsentText {
        name: consent.actor_name.0.clone().unwrap_or_default(),
        kind: match consent.actor_type {
            ActorType::Team => "Team",
            ActorType::Professional => "Professional",
            ActorType::Carer => "Carer",
        },
        about: std::iter::once(words::capital(&labels.words())).chain(rest).collect(),
    }
}

/// What each state comes to, and the button that sets the other one.
const fn states(state: &PatientState) -> [StateForm; 2] {
    let freezing = if state.frozen {
        StateForm {
            id: "freezing",
            heading: "Frozen",
            text: "The patient, carers and professionals without a team are shut out. Teams work as before.",
            decision: "unfreeze",
            button: "End the freezing",
        }
    } else {
        StateForm {
            id: "freezing",
            heading: "Not frozen",
            text: "Freezing shuts the patient, carers and professionals without a team out at once. Teams work as before.",
            decision: "freeze",
            button: "Freeze the record",
        }
    };
    let sharing = if state.sharing_disabled {
        StateForm {
            id: "sharing",
            heading: "Sharing is disabled",
            text: "Enabling it restores no consent: the patient shares anew with each team and person.",
            decision: "enable",
            button: "Enable sharing",
        }
    } else {
        StateForm {
            id: "sharing",
            heading: "Sharing is possible",
            text: "Disabling it ends every consent at once, and no emergency look is possible. Teams see what they wrote themselves.",
            decision: "disable",
            button: "Disable sharing",
        }
    };
    [freezing, sharing]
}

/// A form changes the one record that it was made for.
fn purpose(id: &str) -> String {
    format!("state-of-record {id}")
}
