//! Broken glass: an emergency look at a record, and handing it back.

use super::answer;
use super::body::{self, pairs};
use crate::app::App;
use crate::callers::api::RestTeamWriter;
use crate::callers::caller::Caller;
use crate::formats::when;
use crate::http::call::Call;
use crate::interactions::glass;
use crate::interactions::search::query;
use crate::voices::api::ApiStop;
use axum::body::Body;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use rules::consent::glass::told_to_breaker;
use rules::ids::UserId;
use rules::rest_errors::RestError;
use rules::rest_faults::{ShapeFault, ValueFault};
use rules::scope::Scope;
use views::kinds::glass::{GlassQuestion, OpenedGlass};
use views::list::{ListQuery, OwnParameter};
use views::sent;

const USER_ID: &str = "userId";
const REASON: &str = "reason";

/// `POST /json/consents/BTG/{patientId}`.
pub(crate) async fn break_glass(caller: RestTeamWriter, call: Call) -> Result<Response, ApiStop> {
    let patient = call.part("patientId").unwrap_or_default().into_owned();
    let in_query = question(&pairs(&call)?)?;
    let Call { app, head, body, .. } = call;
    let asked = in_query.or(sent(&app, &head.headers, body).await?);
    let named = user(&caller, asked.user_id.as_deref())?;
    let opened = glass::break_glass(&app, &caller, &patient, (named, asked.reason)).await?;
    let broken = opened.broken.glass;
    let ends_at = broken.ends_at();
    let told = OpenedGlass {
        message: told_to_breaker(&patient, broken.user, ends_at),
        token: opened.token,
        valid_until: when::rfc3339(ends_at),
    };
    answer::json(StatusCode::OK, &told)
}

/// `DELETE /json/consents/BTG/{patientId}`: hands the glass of the header back.
pub(crate) async fn mend_glass(caller: RestTeamWriter, call: Call) -> Result<Response, ApiStop> {
    body::no_parameters(&call)?;
    glass::mend(&call.app, &caller, &call.part("patientId").unwrap_or_default()).await?;
    Ok(answer::nothing())
}

/// What a query or a form asks.
fn question(pairs: &[(String, String)]) -> Result<GlassQuestion, RestError> {
    let own = [OwnParameter::Text(USER_ID), OwnParameter::Text(REASON)];
    let query = ListQuery::read_only(pairs, &[], &own)?;
    let text = |name| query.own(name).map(String::from);
    Ok(GlassQuestion { user_id: text(USER_ID), reason: text(REASON) })
}

/// What the body asks: a form, JSON, or nothing.
async fn sent(app: &App, headers: &HeaderMap, body: Body) -> Result<GlassQuestion, ApiStop> {
    let sent = body::whole(app, body).await?;
    if sent.is_empty() {
        return Ok(GlassQuestion::default());
    }
    if body::is_form(headers) {
        return Ok(question(&query::pairs(&sent)?)?);
    }
    body::must_be_json(headers)?;
    Ok(sent::body(&body::utf8(sent)?)?)
}

/// Who looks: a team's session names a user of the team, a clinician nobody else.
fn user(caller: &Caller, named: Option<&str>) -> Result<Option<UserId>, RestError> {
    let number = named.and_then(|named| named.parse().ok()).map(UserId);
    match (caller.scope(), named) {
        (Some(Scope::Site), None) => Err(RestError::BadRequest(ShapeFault::MissingMember(USER_ID).words())),
        (Some(Scope::Site), Some(_)) => {
            let why = || RestError::Unprocessable(format!("{USER_ID}: {}", ValueFault::NotOfTeam.words()));
            number.map(Some).ok_or_else(why)
        }
        (_, Some(_)) if number != caller.user() => {
            let why = "must be the user of the session, or left out";
            Err(RestError::BadRequest(ShapeFault::Parameter { name: USER_ID, why }.words()))
        }
        _ => Ok(None),
    }
}
