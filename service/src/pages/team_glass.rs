//! `/teams/{id}/emergency`, and the same for one patient: a clinician of a team that may breaks the glass, after a page that says who
//! is told, and hands it back. It goes the way of operations 43 and 44 of the custom REST API; the glass is bound to the sign-in.

use super::{team_record, teams};
use crate::app::App;
use crate::callers::staff::{ClinicianSignIn, TeamLook};
use crate::http::call::Call;
use crate::interactions::{glass, identities};
use crate::views::glass::GlassPage;
use crate::views::password::FieldProblem;
use crate::views::words;
use crate::voices::api::ApiStop;
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use fhir::reference;
use rules::answers::Refusal;
use rules::consent::denial::Denial;
use rules::limits::GLASS_SECONDS;
use rules::params::Params;

/// A reason is a sentence, not a letter.
const MOST_REASON: usize = 500;

/// What was filled in, and what was wrong with it.
#[derive(Default)]
struct GlassTry {
    number: String,
    reason: String,
    problem: Option<FieldProblem>,
}

/// `GET /teams/{id}/emergency` and `GET /teams/{id}/patients/{patientId}/emergency`.
pub async fn show(clinician: ClinicianSignIn, call: Call) -> Result<Response, PageStop> {
    let named = team_record::named(&call);
    let showing = || {
        let look = look(&clinician, &named)?;
        clinician.person.must_have_proven(call.head.uri.path())?;
        Ok(ask(&call.app, &clinician, (&look, &named), GlassTry::default()))
    };
    let answer = showing();
    clinician.person.keep(&call.app, answer)
}

/// `POST` of the same.
pub async fn break_glass(clinician: ClinicianSignIn, call: Call) -> Result<Response, PageStop> {
    let named = team_record::named(&call);
    let Call { app, head, body, .. } = call;
    let breaking = async {
        let params = clinician.person.own_form(&app, &head.headers, body, &purpose(&named)).await?;
        let look = look(&clinician, &named)?;
        clinician.person.must_have_proven(head.uri.path())?;
        let tried = GlassTry { number: field(&params, "number"), reason: field(&params, "reason"), problem: None };
        let Some(patient) = patient(&app, &look, &named, &tried.number).await? else {
            return Ok(ask(&app, &clinician, (&look, &named), nobody(tried)));
        };
        let reason = Some(tried.reason.clone()).filter(|reason| !reason.is_empty());
        match glass::break_for(&app, &look.caller, &patient, (None, reason)).await {
            Ok(_) => Ok(page::see_other(&team_record::path(&(named.0.clone(), patient)))),
            Err(ApiStop::Refusal(Refusal::Denied(Denial::NotFound))) => {
                Ok(ask(&app, &clinician, (&look, &named), nobody(tried)))
            }
            Err(ApiStop::Refusal(Refusal::Denied(denial))) => {
                let problem = FieldProblem { text: words::sentence(&denial.message()), field: "reason" };
                Ok(ask(&app, &clinician, (&look, &named), GlassTry { problem: Some(problem), ..tried }))
            }
            Err(other) => Err(other.into()),
        }
    };
    let answer = breaking.await;
    clinician.person.keep(&app, answer)
}

/// `POST /teams/{id}/patients/{patientId}/emergency/end`.
pub async fn end(clinician: ClinicianSignIn, call: Call) -> Result<Response, PageStop> {
    let named = team_record::named(&call);
    let Call { app, head, body, .. } = call;
    let ending = async {
        clinician.person.own_form(&app, &head.headers, body, &team_record::end_purpose(&named)).await?;
        let look = clinician.look(&named.0).ok_or_else(Problem::not_found)?.of_patient(&app, &named.1).await?;
        // It may be over already: what was wanted is so.
        if look.caller.glass().is_some() {
            glass::mend(&app, &look.caller, &named.1).await?;
        }
        Ok(page::see_other(&teams::of_team(&named.0)))
    };
    let answer = ending.await;
    clinician.person.keep(&app, answer)
}

/// The look through a team that may break the glass; of another one nothing is said.
fn look<'s>(clinician: &'s ClinicianSignIn, (team, _): &(String, String)) -> Result<TeamLook<'s>, Problem> {
    clinician.look(team).filter(|look| look.team.settings.break_glass).ok_or_else(Problem::not_found)
}

/// Who is meant: the patient of the address, or of the number that was filled in. A national number finds the patients of the team's
/// organisation, an id of a record whoever has it.
async fn patient(
    app: &App,
    look: &TeamLook<'_>,
    (_, named): &(String, String),
    number: &str,
) -> Result<Option<String>, PageStop> {
    if !named.is_empty() {
        return Ok(reference::is_id(named).then(|| named.clone()));
    }
    let found = identities::of_number(app, look.team.organisation, number, look.caller.now()).await?;
    Ok(found.or_else(|| reference::is_id(number).then(|| number.to_owned())))
}

fn ask(
    app: &App,
    clinician: &ClinicianSignIn,
    (look, named): (&TeamLook<'_>, &(String, String)),
    tried: GlassTry,
) -> Response {
    let (team, patient) = named;
    let asks_for_number = patient.is_empty();
    let base = if asks_for_number { teams::of_team(team) } else { team_record::path(named) };
    let page = GlassPage {
        frame: clinician.person.frame(app, teams::PATH),
        team: look.team.name.clone(),
        organisation: look.team.organisation_name.clone(),
        back: teams::of_team(team),
        action: format!("{base}/emergency"),
        form: clinician.person.form(app, &purpose(named)),
        asks_for_number,
        number: tried.number,
        reason: tried.reason,
        needs_reason: app.settings.glass_needs_reason,
        minutes: GLASS_SECONDS / 60,
        problem: tried.problem,
    };
    let status = if page.problem.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    page::html(status, &page)
}

fn nobody(tried: GlassTry) -> GlassTry {
    let text = "We know nobody of this number.".into();
    let field = if tried.number.is_empty() { "reason" } else { "number" };
    GlassTry { problem: Some(FieldProblem { text, field }), ..tried }
}

fn field(params: &Params<'_>, name: &str) -> String {
    params.get(name).unwrap_or_default().trim().chars().take(MOST_REASON).collect()
}

/// A form breaks the glass of the one patient that it was made for, or of whom it asks for, for one team.
fn purpose((team, patient): &(String, String)) -> String {
    format!("break-glass {team} {patient}")
}
