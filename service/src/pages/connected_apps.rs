//! `/connected-apps`: the apps that a person has let use their account, those that were connected, and taking access back.

use super::ending;
use super::grant_list::{self, GrantList};
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::sign_in::SignIn;
use crate::http::call::Call;
use crate::http::forms;
use crate::interactions::choices;
use crate::views::connected_apps::{AppRow, ConnectedApp, ConnectedAppsPage, DisconnectPage, EndedRow};
use crate::views::{TimeText, words};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use rules::guidance::promises::Promises;
use rules::guidance::served::Served;
use rules::ids::SessionId;
use rules::lifecycle::Revoked;
use rules::limits::LIST_LINES;
use rules::params::Params;
use rules::scope::Scope;
use std::collections::HashMap;
use store::ended_grants;
use store::grants::{self, Grant, Whose};

const PATH: &str = "/connected-apps";
/// Where a page of those that ended begins; `before` is where one of those that are connected does.
const ENDED_BEFORE: &str = "ended_before";

pub async fn show(person: SignIn, call: Call) -> Result<Response, PageStop> {
    let params =
        forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    let notice = params.get("revoked").map(|_| "Access was taken back. The app can no longer use your account.");
    let answer = list(&call.app, call.served, &person, notice, &params).await;
    person.keep(&call.app, answer)
}

async fn list(
    app: &App,
    served: &Served,
    person: &SignIn,
    notice: Option<&str>,
    params: &Params<'_>,
) -> Result<Response, PageStop> {
    let (now, user) = (person.now, person.user.id);
    let whose = Whose::User(user);
    let GrantList { grants, older } = grant_list::read(app, &whose, grant_list::before(params), PATH, now).await?;
    let counts = grants::live_per_client(&app.store, user, now).await.during("counting grants")?;
    let ended_before = params.get(ENDED_BEFORE).and_then(|id| id.parse().ok()).map_or(grants::NEWEST, SessionId);
    let one_more = i64::try_from(LIST_LINES + 1).unwrap_or(i64::MAX);
    let ended = ended_grants::of_user(&app.store, user, ended_before, one_more, now).await;
    let ended = ended.during("listing grants that are over")?;
    let last = ended.get(LIST_LINES - 1).filter(|_| ended.len() > LIST_LINES);
    let page = ConnectedAppsPage {
        frame: person.frame(app, PATH),
        notice: notice.map(String::from),
        apps: by_product(app, person, &grants, &counts, served).await?,
        older,
        ended: ended.iter().take(LIST_LINES).filter_map(|grant| ended_row(app, grant)).collect(),
        ended_older: last.map(|last| format!("{PATH}?{ENDED_BEFORE}={}", last.id)),
    };
    Ok(page::html(StatusCode::OK, &page))
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
    let counts = grants::live_per_client(&app.store, person.user.id, person.now).await.during("counting grants")?;
    let page = DisconnectPage {
        frame: person.frame(app, PATH),
        product: grant.product.clone(),
        owner: grant.owner.clone(),
        may: Promises::of(grant.scope, served).brief(),
        since: TimeText::new(grant.granted_at, &app.settings.time_zone),
        others: counts.get(&grant.client_id).map_or(0, |count| count.saturating_sub(1)),
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

/// Each app with its connections of a page, in the order of the newest of them, and how many it has on all pages.
async fn by_product(
    app: &App,
    person: &SignIn,
    grants: &[Grant],
    counts: &HashMap<String, i64>,
    served: &Served,
) -> Result<Vec<ConnectedApp>, PageStop> {
    let mut found: Vec<(&str, ConnectedApp)> = Vec::new();
    for grant in grants {
        let connection = connection(app, person, grant, served).await?;
        match found.iter_mut().find(|(client_id, _)| *client_id == grant.client_id) {
            Some((_, known)) => known.connections.push(connection),
            None => {
                let (product, owner) = (grant.product.clone(), grant.owner.clone());
                let (in_all, connections) = (counts.get(&grant.client_id).copied().unwrap_or(1), vec![connection]);
                found.push((&grant.client_id, ConnectedApp { product, owner, in_all, connections }));
            }
        }
    }
    Ok(found.into_iter().map(|(_, app)| app).collect())
}

async fn connection(app: &App, person: &SignIn, grant: &Grant, served: &Served) -> Result<AppRow, PageStop> {
    let shown = |moment| TimeText::new(moment, &app.settings.time_zone);
    Ok(AppRow {
        may: words::capital(&Promises::of(grant.scope, served).brief()),
        about: about(app, person, grant).await?,
        since: shown(grant.granted_at),
        last_used: grant.last_used_at.map(shown),
        ends: grant.ends_at.map(shown),
        check: format!("{PATH}/revoke/{}", grant.id),
    })
}

/// The record that a connection is about, or the team that it is for.
async fn about(app: &App, person: &SignIn, grant: &Grant) -> Result<String, PageStop> {
    match (grant.scope, grant.record, &grant.for_team) {
        (Scope::Patient, None, _) => Ok(words::OWN_RECORD.into()),
        (Scope::Patient, Some(record), _) => {
            let name = choices::name(app, person.user.id, record, person.now).await?;
            Ok(name.map_or_else(|| words::NO_LONGER_CARED_FOR.into(), |name| format!("The record of {name}")))
        }
        (_, _, Some(team)) => Ok(team.clone()),
        (_, _, None) => Ok(words::NO_TEAM_CHOSEN.into()),
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
