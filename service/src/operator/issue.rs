//! Grants that an operator opens: a session for each user, or for a team, born with a refresh token.

use super::refusal::{OperatorRefusal, no_client, no_team, no_user};
use super::reply::{GrantToken, IssueReport};
use super::request::{ChosenNames, Recipient};
use crate::app::App;
use crate::secrets::dice;
use crate::secrets::secret::Secret;
use crate::secrets::tokens::{self, Kind, TokenContent};
use rules::clients::{ClientKind, Obtains};
use rules::consent::record::Grantee;
use rules::ids::SessionId;
use rules::moment::Moment;
use rules::scope::{self, Scope, UserType};
use store::Store;
use store::clients::{self, Client};
use store::opening::{self, Holder, Opening, SessionChoice};
use store::people::{self, User};
use store::reach::consents::{self, StoredConsent};
use store::salt::Salt;
use store::{organisations, patients};

/// Opens a session for each, piece by piece so that others get their turn, or none if one will not do. `check_only` opens
/// none in any case.
pub(super) async fn issue(
    app: &App,
    store: &Store,
    client_id: &str,
    (who, choice): (Recipient, &ChosenNames),
    check_only: bool,
) -> Result<IssueReport, OperatorRefusal> {
    let client = clients::find(&app.store, client_id).await?.ok_or_else(|| no_client(client_id))?;
    if client.disabled_at.is_some() {
        return Err(OperatorRefusal::because(format!("client {client_id} is disabled; enable it first")));
    }
    let (names, holders) = match who {
        Recipient::Users(usernames) => {
            let holders = users(app, &client, &usernames, choice).await?;
            (usernames.into_iter().map(|name| (Some(name), None)).collect::<Vec<_>>(), holders)
        }
        Recipient::Team { team, by } => {
            let holder = coordinator(app, &client, &team, &by).await?;
            (vec![(None, Some(team))], vec![(holder, Scope::Site, SessionChoice::default())])
        }
    };
    let mut report = IssueReport { tokens: Vec::new(), problem: None };
    if check_only {
        return Ok(report);
    }
    let mut salts = Vec::with_capacity(holders.len());
    let mut openings = Vec::with_capacity(holders.len());
    for (holder, scope, choice) in holders {
        let salt = Salt::new(dice::bytes()?);
        salts.push(salt.clone());
        openings.push(Opening {
            salt,
            client: client.id,
            holder,
            choice,
            scope,
            scope_spelt: None,
            smart_scopes: None,
            nonce: None,
            authenticated_at: None,
            sign_in: None,
            factor: None,
            code: None,
            session_seconds: client.session_seconds,
            form: None,
            login: None,
        });
    }
    let mut expected = salts.into_iter().zip(names);
    while !openings.is_empty() && report.problem.is_none() {
        // What was opened before is on disk, and its tokens are told.
        let (opened, left) = match opening::open_some(store, openings, app.clock.now()).await {
            Ok(piece) => piece,
            Err(error) => {
                report.problem = Some(error.to_string());
                break;
            }
        };
        for (id, (salt, (username, team))) in opened.into_iter().zip(expected.by_ref()) {
            match id.and_then(|id| Some((id, refresh_token(app, id, &salt)?))) {
                Some((id, refresh_token)) => {
                    report.tokens.push(GrantToken { username, team, grant: id.to_string(), refresh_token });
                }
                None => report.problem = Some("the key ring has no key to seal with".into()),
            }
        }
        openings = left;
    }
    Ok(report)
}

fn refresh_token(app: &App, id: SessionId, salt: &Salt) -> Option<Secret> {
    let content = TokenContent { kind: Kind::Refresh, id: id.0, generation: 1, expires_at: Moment(0) };
    tokens::seal(&app.keys, salt, content).map(Secret::new)
}

async fn users(
    app: &App,
    client: &Client,
    usernames: &[String],
    wanted: &ChosenNames,
) -> Result<Vec<(Holder, Scope, SessionChoice)>, OperatorRefusal> {
    let client_id = &client.client_id;
    if client.kind.obtains() != Obtains::AuthorizationCode {
        return Err(wrong_kind(client, "users grant access to User Clients; for a team use --team and --by"));
    }
    if !client.refresh_tokens {
        return Err(OperatorRefusal::because(format!("client {client_id} is registered without refresh tokens")));
    }
    let (mut holders, mut problems) = (Vec::with_capacity(usernames.len()), Vec::new());
    for username in usernames {
        match people::find(&app.store, username).await? {
            None => problems.extend(no_user(username).0),
            Some(user) if user.frozen_at.is_some() => problems.push(format!("user {username} is frozen")),
            Some(user) if user.record_frozen => problems.push(format!("the record of user {username} is frozen")),
            Some(user) if user.deceased => problems.push(format!("user {username} has died")),
            Some(user) => match scope::granted(None, &client.scopes, user.user_type) {
                Some(scope) => match choice(app, &user, wanted).await? {
                    Ok(choice) => holders.push((Holder::User(user.id), scope, choice)),
                    Err(why) => problems.push(format!("user {username} {why}")),
                },
                None => problems.push(format!(
                    "user {username} is a {}; client {client_id} is not registered for that scope",
                    user.user_type.word()
                )),
            },
        }
    }
    if problems.is_empty() { Ok(holders) } else { Err(OperatorRefusal(problems)) }
}

/// What a user chooses, if the choice is theirs; otherwise why it is not.
async fn choice(
    app: &App,
    user: &User,
    wanted: &ChosenNames,
) -> Result<std::result::Result<SessionChoice, String>, OperatorRefusal> {
    let mut choice = SessionChoice::default();
    if let Some(record) = wanted.record.as_deref().filter(|record| user.patient_id.as_deref() != Some(record)) {
        let given = match patients::find(&app.store, record).await? {
            Some(patient) => consents::of_patient(&app.store, patient).await?,
            None => Vec::new(),
        };
        let now = app.clock.now();
        let cares = |given: &StoredConsent| {
            given.consent().grantee == Grantee::Carer(user.id) && !given.consent().in_force(now).is_none()
        };
        let Some(own) = given.iter().find(|given| cares(given)) else {
            return Ok(Err(format!("is no carer of {record} with a label; see `recordgate consent list {record}`")));
        };
        choice.record = Some(own.consent().patient);
    }
    if let Some(team) = &wanted.team {
        let teams = organisations::teams_of_user(&app.store, user.id).await?;
        match teams.iter().find(|own| own.public_id == *team) {
            Some(own) => choice.team = Some(own.id),
            None => return Ok(Err(format!("is no member of the team {team}"))),
        }
    }
    Ok(Ok(choice))
}

async fn coordinator(app: &App, client: &Client, team: &str, by: &str) -> Result<Holder, OperatorRefusal> {
    if client.kind != ClientKind::Tethered {
        return Err(wrong_kind(client, "teams grant access to Tethered-Token System Clients; for users use --user"));
    }
    let found = organisations::find_team(&app.store, team).await?.ok_or_else(|| no_team(team))?;
    let user = people::find(&app.store, by).await?.ok_or_else(|| no_user(by))?;
    let member = organisations::teams_of_user(&app.store, user.id).await?.iter().any(|own| own.id == found.id);
    if user.user_type != UserType::TeamCoord || !member || user.frozen_at.is_some() {
        return Err(OperatorRefusal::because(format!(
            "user {by} is no Team Coordinator of {}; --by must name one",
            found.name
        )));
    }
    Ok(Holder::Team { team: found.id, coordinator: user.id })
}

fn wrong_kind(client: &Client, what: &str) -> OperatorRefusal {
    OperatorRefusal::because(format!("client {} is a {}; {what}", client.client_id, client.kind.contract_name()))
}
