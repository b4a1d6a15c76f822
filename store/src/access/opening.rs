//! Opening sessions: by a grant, from an authorization form that is thereby used up.

use super::people::{self, User};
use super::salt::Salt;
use crate::engine::Tx;
use crate::error::Result;
use crate::ledger::{self, Event, Line};
use crate::sql::arg::args;
use crate::sql::outbox::Outbox;
use crate::sql::piece::Piece;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::bound_key::KeyThumbprint;
use rules::factors::FactorMeans;
use rules::ids::{ClientId, PatientId, SessionId, SignInId, TeamId, UserId};
use rules::lifecycle;
use rules::moment::Moment;
use rules::scope::Scope;

/// A new session, as a grant opens it.
#[derive(Debug)]
pub struct Opening {
    pub salt: Salt,
    pub client: ClientId,
    pub holder: Holder,
    pub choice: SessionChoice,
    pub scope: Scope,
    pub scope_spelt: Option<String>,
    /// The SMART scopes that were granted, behind the contract's word where that was asked for too; `None` for a session that was
    /// asked for in the contract's words alone.
    pub smart_scopes: Option<String>,
    /// What comes back in the id_token.
    pub nonce: Option<String>,
    /// When its user proved who they are; `None`: now.
    pub authenticated_at: Option<Moment>,
    /// The sign-in of a browser with which it ends, if it ends with one.
    pub sign_in: Option<SignInId>,
    /// By what they showed a second factor, if they did.
    pub factor: Option<FactorMeans>,
    /// What its code is bound to; `None` where the session is born with a refresh token instead of a code.
    pub code: Option<CodeBinding>,
    pub session_seconds: Option<i64>,
    /// The authorization form it came from, which is thereby used.
    pub form: Option<SpentForm>,
    /// Its user, as they were when they logged in for it; the login must still be good.
    pub login: Option<User>,
}

/// Who granted access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    User(UserId),
    Team { team: TeamId, coordinator: UserId },
}

/// What a user chose where there was a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SessionChoice {
    /// Of a PATIENT user the record of somebody cared for, `None`: the own; of a CLINICIAN the patient in context of SMART.
    pub record: Option<PatientId>,
    /// The one team of several for which the session is; `None`: all of the user's.
    pub team: Option<TeamId>,
}

#[derive(Debug)]
pub struct CodeBinding {
    pub redirect_uri: String,
    pub redirect_uri_sent: bool,
    pub challenge: Option<String>,
    /// The key that must be shown with it.
    pub key: Option<KeyThumbprint>,
}

/// A form that may be used once, until it expires.
#[derive(Clone, Copy, Debug)]
pub struct SpentForm {
    pub id: i64,
    pub expires_at: Moment,
}

statements! {
    pub(crate) OPEN = "INSERT INTO sessions (id, salt, client_id, user_id, team_id, scope, scope_spelt, redirect_uri,
        redirect_uri_sent, challenge, granted_at, ends_at, generation, granter_id, record_id, for_team_id,
        smart_scopes, nonce, authenticated_at, dpop_jkt, sign_in_id, factor)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
        $21, $22)";
    SPEND_FORM = "INSERT INTO spent_forms (id, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING";
}

/// Opens a session and gives its id; `None` if the form was used before, or the login of its user is good no more.
pub async fn open(store: &Store, opening: Opening, now: Moment) -> Result<Option<SessionId>> {
    let (opened, _) = open_some(store, vec![opening], now).await?;
    Ok(opened.into_iter().next().flatten())
}

/// Opens the first of these sessions, as many as one turn at the writer has time for, in one transaction. Gives them, and
/// what is left to open.
pub async fn open_some(
    store: &Store,
    openings: Vec<Opening>,
    now: Moment,
) -> Result<(Vec<Option<SessionId>>, Vec<Opening>)> {
    let ids = store.ids.clone();
    store.room()?;
    let write = store.write(move |tx| {
        Box::pin(async move {
            let (piece, mut opened, mut left) = (Piece::begin(), Vec::new(), openings.into_iter());
            while piece.has_room(opened.len())
                && let Some(opening) = left.next()
            {
                opened.push(insert(tx, SessionId(ids.next(now)), &opening, &ids, now).await?);
            }
            Ok((opened, left.collect()))
        })
    });
    write.await
}

/// Opens many sessions, piece by piece.
pub async fn open_many(store: &Store, mut openings: Vec<Opening>, now: Moment) -> Result<Vec<Option<SessionId>>> {
    let mut all = Vec::with_capacity(openings.len());
    while !openings.is_empty() {
        let (opened, left) = open_some(store, openings, now).await?;
        all.extend(opened);
        openings = left;
    }
    Ok(all)
}

pub(super) async fn insert(
    tx: &mut Tx<'_>,
    id: SessionId,
    opening: &Opening,
    ids: &crate::ids::Ids,
    now: Moment,
) -> Result<Option<SessionId>> {
    if let Some(form) = &opening.form
        && !spend(tx, form).await?
    {
        return Ok(None);
    }
    if let Some(login) = &opening.login
        && !people::is_login_still_good(tx, login).await?
    {
        return Ok(None);
    }
    let (user, team, coordinator) = match opening.holder {
        Holder::User(user) => (Some(user), None, None),
        Holder::Team { team, coordinator } => (None, Some(team), Some(coordinator)),
    };
    let code = opening.code.as_ref();
    let ends_at = lifecycle::ends_at(now, opening.session_seconds).map(|end| end.0);
    tx.post(
        OPEN,
        args![
            id,
            opening.salt.as_bytes(),
            opening.client,
            user,
            team,
            opening.scope.word(),
            opening.scope_spelt.as_deref(),
            code.map(|code| code.redirect_uri.as_str()),
            code.is_some_and(|code| code.redirect_uri_sent),
            code.and_then(|code| code.challenge.as_deref()),
            now.0,
            ends_at,
            i64::from(code.is_none()),
            coordinator,
            opening.choice.record,
            opening.choice.team,
            opening.smart_scopes.as_deref(),
            opening.nonce.as_deref(),
            opening.authenticated_at.map(|at| at.0),
            code.and_then(|code| code.key.as_ref()).map(KeyThumbprint::as_str),
            opening.sign_in,
            opening.factor.map(FactorMeans::word),
        ],
    )
    .await?;
    let (client, user, team) = (Some(opening.client), user.or(coordinator), team.or(opening.choice.team));
    let about = ledger::About { client, user, team, ..Default::default() };
    tx.append(Outbox::Sessions, ids, &Line::new(now, Event::Granted, Some(id), about));
    Ok(Some(id))
}

/// Marks a form as used; `false` if it was used before.
pub(crate) async fn spend(tx: &mut Tx<'_>, form: &SpentForm) -> Result<bool> {
    Ok(tx.execute(SPEND_FORM, args![form.id, form.expires_at.0]).await? == 1)
}

/// Uses up a form that opened no session (a failed login); `false` if it was used before.
pub async fn spend_form(store: &Store, form: SpentForm) -> Result<bool> {
    store.write(move |tx| Box::pin(async move { spend(tx, &form).await })).await
}
