//! `/connected-apps`: the apps that a person has let use their account, and taking that back.

use crate::app::{App, Shared};
use crate::callers::sign_in::SignedIn;
use crate::http::forms;
use crate::routes::dispatch::FreeEnd;
use crate::views::grants::{AppRow, ConnectedAppsPage};
use crate::views::words;
use crate::voices::page::{self, Problem};
use axum::extract::{Request, State};
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use rules::lifecycle::Revoked;
use rules::scope::Scope;
use store::grants::{self, Grant, Whose};

pub async fn show(State(app): State<Shared>, person: SignedIn, uri: Uri) -> Response {
    let params = forms::params(uri.query().unwrap_or_default().as_bytes()).unwrap_or_default();
    let notice = params.get("revoked").map(|_| "Access was taken back. The app can no longer use your account.");
    let answered = list(&app, &person, notice).await;
    person.keeps(&app, answered)
}

async fn list(app: &App, person: &SignedIn, notice: Option<&str>) -> Result<Response, Problem> {
    let grants = grants::list(&app.store, &Whose::User(person.user.id), person.now).await?;
    let page = ConnectedAppsPage {
        frame: person.frame(app),
        notice: notice.map(String::from),
        apps: grants.iter().map(|grant| row(app, person, grant)).collect(),
    };
    Ok(page::html(StatusCode::OK, &page))
}

pub async fn revoke(State(app): State<Shared>, person: SignedIn, FreeEnd(name): FreeEnd, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    // A path that is no text names no grant, so no form can be for it.
    let id = name.unwrap_or_default();
    let answered = async {
        person.own_form(&app, &parts.headers, body, &purpose(&id)).await?;
        let id = id.parse().map_err(|_| Problem::not_found())?;
        let whose = Whose::User(person.user.id);
        grants::revoke(&app.store, id, whose, Revoked::ByPatient, person.now).await?;
        Ok(page::see_other("/connected-apps?revoked=1"))
    };
    let answered = answered.await;
    person.keeps(&app, answered)
}

/// A form revokes the one grant that it was made for.
fn purpose(id: &str) -> String {
    format!("revoke-app {id}")
}

fn row(app: &App, person: &SignedIn, grant: &Grant) -> AppRow {
    let id = grant.id.to_string();
    AppRow {
        product: grant.product.clone(),
        owner: grant.owner.clone(),
        may: match grant.scope {
            Scope::Patient => words::PATIENT_MAY,
            Scope::Clinician => words::CLINICIAN_MAY,
            Scope::TeamCoord | Scope::Site => words::TEAMCOORD_MAY,
        }
        .into(),
        since: grant.granted_at.into(),
        last_used: grant.last_used_at.map(Into::into),
        ends: grant.ends_at.map(Into::into),
        revoke_action: format!("/connected-apps/revoke/{id}"),
        form: person.form(app, &purpose(&id)),
    }
}
