//! `/connected-apps`: the apps that a person has let use their account, those that were connected, and taking access back.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::sign_in::SignIn;
use crate::http::call::Call;
use crate::http::forms;
use crate::views::connected_apps::{AppRow, ConnectedApp, ConnectedAppsPage, DisconnectPage, EndedRow};
use crate::views::{TimeText, words};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use rules::guidance::promises::{self, Served};
use rules::ids::SessionId;
use rules::lifecycle::Revoked;
use rules::limits::LIST_LINES;
use store::ended_grants;
use store::grants::{self, Grant, Whose};

use super::ending;

const PATH: &str = "/connected-apps";

pub async fn show(person: SignIn, call: Call) -> Result<Response, PageStop> {
    let params =
        forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    let notice = params.get("revoked").map(|_| "Access was taken back. The app can no longer use your account.");
    let before = params.get("before").and_then(|id| id.parse().ok()).unwrap_or(i64::MAX);
    let answer = list(&call.app, call.served, &person, notice, SessionId(before)).await;
    person.keep(&call.app, answer)
}

async fn list(
    app: &App,
    served: &Served,
    person: &SignIn,
    notice: Option<&str>,
    before: SessionId,
) -> Result<Response, PageStop> {
    let live = live(app, person).await?;
    let one_more = i64::try_from(LIST_LINES + 1).unwrap_or(i64::MAX);
    let ended = ended_grants::of_user(&app.store, person.user.id, before, one_more, person.now).await;
    let ended = ended.during("listing grants that are over")?;
    let older = ended.get(LIST_LINES - 1).filter(|_| ended.len() > LIST_LINES);
    let page = ConnectedAppsPage {
        frame: person.frame(app, PATH),
        notice: notice.map(String::from),
        apps: by_product(app, &live, served),
        ended: ended.iter().take(LIST_LINES).filter_map(|grant| ended_row(app, grant)).collect(),
        older: older.map(|last| format!("{PATH}?before={}", last.id)),
    };
    Ok(page::html(StatusCode::OK, &page))
}

/// The live grants of a person, newest first.
pub(super) async fn live(app: &App, person: &SignIn) -> Result<Vec<Grant>, PageStop> {
    Ok(grants::list(&app.store, &Whose::User(person.user.id), person.now).await.during("listing grants")?)
}

/// The page that says what ends, and asks.
pub async fn check(person: SignIn, call: Call) -> Result<Response, PageStop> {
    let id = call.part("id").unwrap_or_default().into_owned();
    let answer = ask(&call.app, call.served, &person, &id).await;
    person.keep(&call.app, answer)
}

async fn ask(app: &App, served: &Served, person: &SignIn, id: &str) -> Result<Response, PageStop> {
    let number = id.parse().map_err(|_| Problem::not_found())?;
    let grant = grants::live_one(&app.store, number, person.user.id, person.now).await.during("looking a grant up")?;
    let grant = grant.ok_or_else(Problem::not_found)?;
    let live = live(app, person).await?;
    let page = DisconnectPage {
        frame: person.frame(app, PATH),
        product: grant.product.clone(),
        owner: grant.owner.clone(),
        may: promises::brief(grant.scope, served),
        since: TimeText::new(grant.granted_at, &app.settings.time_zone),
        others: live.iter().filter(|other| other.client_id == grant.client_id && other.id != grant.id).count(),
        action: format!("{PATH}/revoke/{id}"),
        form: person.form(app, &purpose(id)),
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
        Ok(page::see_other(&format!("{PATH}?revoked=1")))
    };
    let answer = revocation.await;
    person.keep(&app, answer)
}

/// A form revokes the one grant that it was made for.
fn purpose(id: &str) -> String {
    format!("revoke-app {id}")
}

/// Each app with its connections, in the order of the newest of them.
fn by_product(app: &App, grants: &[Grant], served: &Served) -> Vec<ConnectedApp> {
    let mut found: Vec<(&str, ConnectedApp)> = Vec::new();
    for grant in grants {
        let connection = connection(app, grant, served);
        match found.iter_mut().find(|(client_id, _)| *client_id == grant.client_id) {
            Some((_, known)) => known.connections.push(connection),
            None => {
                let (product, owner) = (grant.product.clone(), grant.owner.clone());
                found.push((&grant.client_id, ConnectedApp { product, owner, connections: vec![connection] }));
            }
        }
    }
    found.into_iter().map(|(_, app)| app).collect()
}

fn connection(app: &App, grant: &Grant, served: &Served) -> AppRow {
    let shown = |moment| TimeText::new(moment, &app.settings.time_zone);
    AppRow {
        may: words::capital(&promises::brief(grant.scope, served)),
        since: shown(grant.granted_at),
        last_used: grant.last_used_at.map(shown),
        ends: grant.ends_at.map(shown),
        check: format!("{PATH}/revoke/{}", grant.id),
    }
}

fn ended_row(app: &App, grant: &Grant) -> Option<EndedRow> {
    let (at, why) = ending::of(grant)?;
    let shown = |moment| TimeText::new(moment, &app.settings.time_zone);
    Some(EndedRow {
        product: grant.product.clone(),
        owner: grant.owner.clone(),
        since: shown(grant.granted_at),
        ended: shown(at),
        why: why.to_owned(),
    })
}
