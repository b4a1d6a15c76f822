//! `/connected-apps`: the apps that a person has let use their account, and taking that back.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::sign_in::SignIn;
use crate::http::call::Call;
use crate::http::forms;
use crate::views::grants::{AppRow, ConnectedAppsPage};
use crate::views::{TimeText, words};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use rules::lifecycle::Revoked;
use rules::scope::Scope;
use store::grants::{self, Grant, Whose};

pub async fn show(person: SignIn, call: Call) -> Result<Response, PageStop> {
    let params =
        forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    let notice = params.get("revoked").map(|_| "Access was taken back. The app can no longer use your account.");
    let answer = list(&call.app, &person, notice).await;
    person.keep(&call.app, answer)
}

async fn list(app: &App, person: &SignIn, notice: Option<&str>) -> Result<Response, PageStop> {
    let grants = grants::list(&app.store, &Whose::User(person.user.id), person.now).await.during("listing grants")?;
    let page = ConnectedAppsPage {
        frame: person.frame(app),
        notice: notice.map(String::from),
        apps: grants.iter().map(|grant| row(app, person, grant)).collect(),
    };
    Ok(page::html(StatusCode::OK, &page))
}

pub async fn revoke(person: SignIn, call: Call) -> Result<Response, PageStop> {
    // A path that is no text names no grant, so no form can be for it.
    let id = call.part("id").unwrap_or_default().into_owned();
    let Call { app, head, body, .. } = call;
    let revocation = async {
        person.own_form(&app, &head.headers, body, &purpose(&id)).await?;
        let id = id.parse().map_err(|_| Problem::not_found())?;
        let whose = Whose::User(person.user.id);
        grants::revoke(&app.store, id, whose, Revoked::ByPatient, person.now).await.during("revoking a grant")?;
        Ok(page::see_other("/connected-apps?revoked=1"))
    };
    let answer = revocation.await;
    person.keep(&app, answer)
}

/// A form revokes the one grant that it was made for.
fn purpose(id: &str) -> String {
    format!("revoke-app {id}")
}

fn row(app: &App, person: &SignIn, grant: &Grant) -> AppRow {
    let id = grant.id.to_string();
    let shown = |moment| TimeText::new(moment, &app.settings.time_zone);
    AppRow {
        product: grant.product.clone(),
        owner: grant.owner.clone(),
        may: match grant.scope {
            Scope::Patient => words::PATIENT_MAY,
            Scope::Clinician => words::CLINICIAN_MAY,
            Scope::TeamCoord | Scope::Site => words::TEAMCOORD_MAY,
        }
        .into(),
        since: shown(grant.granted_at),
        last_used: grant.last_used_at.map(shown),
        ends: grant.ends_at.map(shown),
        revoke_action: format!("/connected-apps/revoke/{id}"),
        form: person.form(app, &purpose(&id)),
    }
}
