//! `/teams`: a clinician chooses the team through which they look, and finds one of its patients.

use super::team_words;
use crate::app::App;
use crate::callers::staff::{ClinicianSignIn, TeamLook};
use crate::http::call::Call;
use crate::http::{encoding, forms};
use crate::interactions::team_search::{self, FoundPatients};
use crate::interactions::teams;
use crate::views::teams::{CareChoice, TeamPatientRow, TeamPatientsPage, TeamWay, TeamsPage};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use rules::consent::view::View;
use rules::ids::PatientId;
use rules::labels::{Label, Labels};
use rules::limits::LIST_LINES;
use store::reach::in_care::CareState;
use views::kinds::team::{CareWord, TeamPatient};

pub(super) const PATH: &str = "/teams";

/// What is asked of a team's patients.
struct PatientsAsked {
    text: String,
    state: CareWord,
    before: Option<PatientId>,
}

/// `GET /teams`. Who is in one team alone has nothing to choose.
pub async fn show(clinician: ClinicianSignIn, call: Call) -> Result<Response, PageStop> {
    let ClinicianSignIn { person, teams } = &clinician;
    let answer = match teams.as_slice() {
        [only] => page::see_other(&of_team(&only.public_id)),
        all => {
            let way = |team: &store::organisations::Team| TeamWay {
                name: team.name.clone(),
                organisation: team.organisation_name.clone(),
                href: of_team(&team.public_id),
            };
            let teams = all.iter().map(way).collect();
            page::html(StatusCode::OK, &TeamsPage { frame: person.frame(&call.app, PATH), teams })
        }
    };
    person.keep(&call.app, Ok(answer))
}

/// `GET /teams/{id}`.
pub async fn show_patients(clinician: ClinicianSignIn, call: Call) -> Result<Response, PageStop> {
    let (app, id, asked) = (&call.app, call.part("id").unwrap_or_default().into_owned(), asked(&call));
    let showing = async {
        let look = clinician.look(&id).ok_or_else(Problem::not_found)?;
        list(app, &clinician, &look, asked?).await
    };
    let answer = showing.await;
    clinician.person.keep(app, answer)
}

fn asked(call: &Call) -> Result<PatientsAsked, PageStop> {
    let params =
        forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    let state = match params.get("state") {
        Some(word) => CareWord::named(word).ok_or_else(Problem::unreadable_address)?,
        None => CareWord::Current,
    };
    let before = match params.get("before") {
        Some(text) => Some(PatientId(text.parse().map_err(|_| Problem::unreadable_address())?)),
        None => None,
    };
    Ok(PatientsAsked { text: params.get("q").unwrap_or_default().trim().to_owned(), state, before })
}

async fn list(
    app: &App,
    clinician: &ClinicianSignIn,
    look: &TeamLook<'_>,
    asked: PatientsAsked,
) -> Result<Response, PageStop> {
    let TeamLook { team, caller } = look;
    let (path, of) = (of_team(&team.public_id), (team.id, care_state(asked.state)));
    let (found, next) = if asked.text.is_empty() {
        let (patients, next) = teams::patients(app, caller, of, asked.before, LIST_LINES).await?;
        (FoundPatients { patients, is_cut: false }, next)
    } else {
        (team_search::find(app, caller, of, &asked.text, LIST_LINES).await?, None)
    };
    let choice = |word: CareWord, text| CareChoice { word: word.word(), text, is_chosen: word == asked.state };
    let before = next.map(|next| next.0.to_string());
    let page = TeamPatientsPage {
        frame: clinician.person.frame(app, PATH),
        team: team.name.clone(),
        has_others: clinician.teams.len() > 1,
        states: vec![
            choice(CareWord::Current, "Now"),
            choice(CareWord::Past, "Not any more"),
            choice(CareWord::All, "Now or before"),
        ],
        patients: found.patients.iter().map(|patient| row(app, &path, patient)).collect(),
        is_cut: found.is_cut,
        older: before.map(|before| {
            let query = [("state", asked.state.word()), ("before", before.as_str())];
            format!("{path}?{}", encoding::query(query.into_iter()))
        }),
        emergency: team.settings.break_glass.then(|| format!("{path}/emergency")),
        sought: asked.text,
        path,
    };
    Ok(page::html(StatusCode::OK, &page))
}

fn row(app: &App, path: &str, patient: &TeamPatient) -> TeamPatientRow {
    let (banner, care) = (&patient.banner, &patient.care);
    let held: Labels = care.labels.iter().filter_map(|label| Label::named(label.word())).collect();
    let sees = match (care.discharged, held.is_none()) {
        (true, _) => "The care of your team has ended. You see what your team wrote itself.".into(),
        (false, true) => team_words::sees(View::Own),
        (false, false) => team_words::sees(View::Labels(held)),
    };
    TeamPatientRow {
        name: team_words::name(banner),
        born: team_words::born(banner, &app.settings.time_zone),
        numbers: team_words::numbers(banner),
        sees,
        href: format!("{path}/patients/{}", banner.id.as_deref().unwrap_or_default()),
    }
}

const fn care_state(word: CareWord) -> CareState {
    match word {
        CareWord::Current => CareState::Current,
        CareWord::Past => CareState::Past,
        CareWord::All => CareState::All,
    }
}

pub(super) fn of_team(public_id: &str) -> String {
    format!("{PATH}/{public_id}")
}
