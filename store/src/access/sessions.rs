//! Sessions: born by a grant, renewed by redeeming and refreshing, ended by revocation. Load, decide, apply.

use super::client::Registration;
use super::online::{self, sign_in_of_session};
use super::salt::{Salt, TokenCheck};
use super::vocabulary::VOCABULARY;
use crate::engine::{Rollback, Tx};
use crate::error::Result;
use crate::ledger::{self, Event, Line};
use crate::sql::arg::args;
use crate::sql::outbox::Outbox;
use crate::sql::row::Row;
use crate::sql::statement::{Statement, statements};
use crate::store::Store;
use rules::bound_key::{self, KeyCheck, KeyThumbprint};
use rules::ids::{ClientId, SessionId, UserId};
use rules::lifecycle::{self, CodePresentation, RefreshPresentation, Revoked, Ruling, Session, Terms, VerifierCheck};
use rules::moment::Moment;
use rules::scope::{self, Scope, UserType};
use rules::smart::grant;
use rules::smart::offer::{self, RefreshScope};
use rules::smart::request::SmartScopes;

/// What a sealed code or refresh token says of itself.
#[derive(Clone, Debug)]
pub struct Presented {
    pub session: SessionId,
    pub generation: i64,
    /// The content that `check` vouches for.
    pub content: Vec<u8>,
    pub check: TokenCheck,
}

/// What the client sent along with a code.
#[derive(Debug)]
pub struct Redemption {
    pub code: Presented,
    pub redirect_uri: Option<String>,
    /// The S256 challenge of the verifier that was sent.
    pub challenge: Option<String>,
}

/// What came of a token request, and what its answer needs.
#[derive(Debug)]
pub struct TokenOutcome {
    pub ruling: Ruling,
    pub salt: Salt,
    pub scope: Scope,
    pub scope_spelt: Option<String>,
    /// The SMART scopes that were granted.
    pub smart_scopes: Option<String>,
}

/// A session as one transaction loads it.
pub(crate) struct SessionRow {
    salt: Salt,
    pub(crate) session: Session,
    pub(crate) client: ClientId,
    scope: Scope,
    /// `None` for a team's session.
    user_type: Option<UserType>,
    scope_spelt: Option<String>,
    smart_scopes: Option<String>,
    redirect_uri: Option<String>,
    redirect_uri_sent: bool,
    challenge: Option<String>,
    key: Option<KeyThumbprint>,
    pub(crate) about: ledger::About,
}

statements! {
    /// With the user's type, and the word `frozen` behind it where the account is, or its record, or its patient has died. One look for
    /// both: PostgreSQL locks no row of an outer join.
    pub(crate) LOAD = concat!("SELECT s.salt, s.client_id, s.scope, s.scope_spelt, s.redirect_uri, s.redirect_uri_sent, s.challenge,
        s.granted_at, s.ends_at, s.generation, s.rotated_at, s.revoked_at, s.user_id, s.team_id,
        (SELECT u.type || CASE WHEN u.frozen_at IS NULL AND coalesce(p.deceased, 0) = 0 AND p.frozen_at IS NULL
                THEN '' ELSE ' frozen' END
            FROM users u LEFT JOIN patients p ON p.id = u.patient_id WHERE u.id = s.user_id), s.smart_scopes, s.dpop_jkt,
        s.sign_in_id, ", sign_in_of_session!(), "
    FROM sessions s WHERE s.id = $1");
    REDEEM = "UPDATE sessions SET generation = $2, rotated_at = $3, code_redeemed_at = $3 WHERE id = $1";
    /// Its parameters appear in their order, as in no other update here: bound by place, they cost the writer less.
    pub(crate) ROTATE = "UPDATE sessions SET generation = $1, rotated_at = $2 WHERE id = $3";
    /// From its first proof on a session is bound to the key.
    BIND = "UPDATE sessions SET dpop_jkt = $2 WHERE id = $1";
    REVOKE = "UPDATE sessions SET revoked_at = $2, revoked_why = $3 WHERE id = $1 AND revoked_at IS NULL";
    /// Takes a redemption or a rotation back, unless something came of it since.
    TAKE_BACK = "UPDATE sessions SET generation = $2, rotated_at = $3, dpop_jkt = $6,
        code_redeemed_at = CASE WHEN generation = 1 THEN NULL ELSE code_redeemed_at END
    WHERE id = $1 AND generation = $4 AND rotated_at = $5 AND revoked_at IS NULL";
}
/// Those of them that load a row in order to decide about it.
pub(crate) const LOCKING: &[Statement<'static>] = &[LOAD];

/// Token request with `grant_type=authorization_code`, by a client that is who it says.
pub fn redeem(
    store: &Store,
    by: Registration,
    redemption: Redemption,
    now: Moment,
) -> impl Future<Output = Result<Option<TokenOutcome>>> + Send + use<> {
    let ids = store.ids.clone();
    store.db.run(Rollback::WithItsGroup, move |tx| {
        Box::pin(async move {
            let Some(mut loaded) = load_covered(tx, &redemption.code, &by).await? else { return Ok(None) };
            let presented = CodePresentation {
                same_client: loaded.client == by.client,
                same_redirect_uri: match &redemption.redirect_uri {
                    Some(uri) => loaded.redirect_uri.as_ref() == Some(uri),
                    None => !loaded.redirect_uri_sent,
                },
                verifier: match (&loaded.challenge, &redemption.challenge) {
                    (None, None) => VerifierCheck::Fits,
                    (None, Some(_)) => VerifierCheck::Unexpected,
                    (Some(bound), Some(sent)) if bound == sent => VerifierCheck::Fits,
                    (Some(_), _) => VerifierCheck::Wrong,
                },
                // Of a code: the app itself has named the key.
                key: loaded.holds(&by, false),
            };
            let ruling = lifecycle::redeem(&loaded.session, &presented, &by.terms, now);
            let id = redemption.code.session;
            if let Ruling::Issue(issue) = &ruling {
                tx.post(REDEEM, args![id, issue.generation, now.0]).await?;
                tx.append(Outbox::Sessions, &ids, &Line::new(now, Event::CodeRedeemed, Some(id), loaded.about.clone()));
                can_be_taken_back(tx, id, &loaded, issue.generation, &by.terms, now);
                tx.touch_session(id);
                loaded.rotated(issue.generation, now);
                bind(tx, id, &mut loaded, &by).await?;
            }
            settle(tx, &ids, &redemption.code, loaded, ruling, now).await.map(Some)
        })
    })
}

/// Token request with `grant_type=refresh_token`, by a client that is who it says.
pub fn refresh(
    store: &Store,
    by: Registration,
    token: Presented,
    asked_scope: Option<String>,
    now: Moment,
) -> impl Future<Output = Result<Option<TokenOutcome>>> + Send + use<> {
    let ids = store.ids.clone();
    store.db.run(Rollback::WithItsGroup, move |tx| {
        Box::pin(async move {
            let Some(mut loaded) = load_covered(tx, &token, &by).await? else { return Ok(None) };
            let presented = RefreshPresentation {
                generation: token.generation,
                same_client: loaded.client == by.client,
                scope_fits: loaded.scope_fits(asked_scope.as_deref()),
                key: loaded.holds(&by, by.terms.may_change_key),
            };
            let ruling = lifecycle::refresh(&loaded.session, &presented, &by.terms, now);
            let id = token.session;
            if let Ruling::Issue(issue) = &ruling {
                tx.post(ROTATE, args![issue.generation, now.0, id]).await?;
                tx.append(Outbox::Sessions, &ids, &Line::new(now, Event::Refreshed, Some(id), loaded.about.clone()));
                can_be_taken_back(tx, id, &loaded, issue.generation, &by.terms, now);
                tx.touch_session(id);
                loaded.rotated(issue.generation, now);
            }
            if matches!(ruling, Ruling::Issue(_) | Ruling::IssueAgain(_)) {
                bind(tx, id, &mut loaded, &by).await?;
            }
            settle(tx, &ids, &token, loaded, ruling, now).await.map(Some)
        })
    })
}

/// A client that was told to try again, because the database went away under its request, must not be taken for a thief
/// when it does. With a retry window it is not: then the tokens may have been handed out again, and stay.
fn can_be_taken_back(tx: &mut Tx<'_>, id: SessionId, before: &SessionRow, generation: i64, terms: &Terms, now: Moment) {
    if terms.retry_seconds <= 0 {
        let (session, key) = (&before.session, before.key.as_ref().map(KeyThumbprint::as_str));
        let rotated_at = session.rotated_at.map(|at| at.0);
        tx.undo_with(TAKE_BACK, args![id, session.generation, rotated_at, generation, now.0, key]);
    }
}

/// Binds a session to the key that its client has shown, if it is bound to none.
async fn bind(tx: &mut Tx<'_>, id: SessionId, loaded: &mut SessionRow, by: &Registration) -> Result<()> {
    if let (None, Some(key)) = (&loaded.key, &by.key) {
        tx.post(BIND, args![id, key.as_str()]).await?;
        loaded.key = Some(*key);
    }
    Ok(())
}

/// Carries out a ruling's revocation, if it has one, and makes the outcome.
async fn settle(
    tx: &mut Tx<'_>,
    ids: &crate::ids::Ids,
    presented: &Presented,
    loaded: Box<SessionRow>,
    ruling: Ruling,
    now: Moment,
) -> Result<TokenOutcome> {
    let outcome = TokenOutcome {
        ruling,
        salt: loaded.salt.clone(),
        scope: loaded.scope,
        scope_spelt: loaded.scope_spelt.clone(),
        smart_scopes: loaded.smart_scopes.clone(),
    };
    if let Ruling::Revoke(why) = ruling {
        // Used only by the last change, and its successor by nobody: this may be a client that was told to try again.
        if presented.generation.saturating_add(1) == loaded.session.generation {
            tx.relies_on_the_last_change()?;
        }
        end(tx, ids, presented.session, &loaded.about, why, now).await?;
    } else if loaded.session.online_until.is_none() {
        // Whether somebody is still signed in is asked each time.
        tx.keep_at_hand(presented.session.0, loaded);
    }
    Ok(outcome)
}

/// Marks a session revoked inside a transaction; `false` if it was revoked before.
pub(crate) async fn end(
    tx: &mut Tx<'_>,
    ids: &crate::ids::Ids,
    id: SessionId,
    about: &ledger::About,
    why: Revoked,
    now: Moment,
) -> Result<bool> {
    let changed = tx.execute(REVOKE, args![id, now.0, why.word()]).await? == 1;
    if changed {
        let line = Line::new(now, Event::Revoked, Some(id), about.clone()).with_detail(why.word());
        tx.append(Outbox::Sessions, ids, &line);
        tx.touch_session(id);
    }
    Ok(changed)
}

/// Loads the session that a token names, if the token is genuine, and asks whether the registration of the client that
/// presents it still covers it.
async fn load_covered(tx: &mut Tx<'_>, presented: &Presented, by: &Registration) -> Result<Option<Box<SessionRow>>> {
    Ok(load(tx, presented).await?.map(|mut loaded| {
        loaded.session.covered = scope::still_covered(loaded.scope, loaded.user_type, by.terms.scopes)
            && loaded
                .smart_scopes
                .as_deref()
                .is_none_or(|granted| grant::is_still_registered(&SmartScopes::kept(granted).scopes, &by.smart_scopes));
        loaded
    }))
}

/// Loads the session that a token names, if the token is genuine.
pub(crate) async fn load(tx: &mut Tx<'_>, presented: &Presented) -> Result<Option<Box<SessionRow>>> {
    let loaded: Option<Box<SessionRow>> = match tx.take_from_hand(presented.session.0) {
        Some(loaded) => Some(loaded),
        None => tx.lock_one(LOAD, args![presented.session], loaded).await?,
    };
    Ok(loaded.filter(|loaded| loaded.salt.vouches_for(&presented.content, &presented.check)))
}

/// Forgets what is at hand of a user's sessions: the user's type or standing is no longer what their rows say.
pub(crate) fn forget_user(tx: &mut Tx<'_>, user: UserId) {
    tx.drop_from_hand(|row: &SessionRow| row.about.user == Some(user));
}

impl SessionRow {
    /// Whether the `scope` of a refresh request is the session's, in the words in which that was asked for.
    fn scope_fits(&self, asked: Option<&str>) -> bool {
        match (asked, &self.smart_scopes) {
            (Some(asked), Some(granted)) => {
                offer::refresh_scope(asked, granted, self.scope, &VOCABULARY) != RefreshScope::Other
            }
            (asked, _) => scope::refresh_scope_fits(asked, self.scope),
        }
    }

    /// Whether whoever presents a token of it shows the key that it is bound to.
    fn holds(&self, by: &Registration, may_change: bool) -> KeyCheck {
        bound_key::check(self.key, by.key, may_change)
    }

    /// The session as it is after a redemption or a rotation.
    const fn rotated(&mut self, generation: i64, now: Moment) {
        self.session.generation = generation;
        self.session.rotated_at = Some(now);
    }
}

fn loaded(row: &dyn Row) -> Result<Box<SessionRow>> {
    let client: ClientId = row.id(1)?;
    let user = row.opt_text(14)?;
    let (user_type, frozen) = match user.as_deref().map(|user| user.split_once(' ').unwrap_or((user, ""))) {
        Some((word, state)) => (UserType::named(word), !state.is_empty()),
        None => (None, false),
    };
    Ok(Box::new(SessionRow {
        salt: Salt::from_bytes(&row.bytes(0)?)?,
        client,
        scope: row.word(2, Scope::named)?,
        user_type,
        scope_spelt: row.opt_text(3)?,
        smart_scopes: row.opt_text(15)?,
        redirect_uri: row.opt_text(4)?,
        redirect_uri_sent: row.flag(5)?,
        challenge: row.opt_text(6)?,
        key: row.opt_word(16, KeyThumbprint::read)?,
        session: Session {
            granted_at: Moment(row.int(7)?),
            ends_at: row.opt_int(8)?.map(Moment),
            generation: row.int(9)?,
            rotated_at: row.opt_int(10)?.map(Moment),
            revoked_at: row.opt_int(11)?.map(Moment),
            // Whoever loads it asks the registration of the client that calls.
            covered: false,
            frozen,
            online_until: online::until(row, (17, 18))?,
        },
        about: ledger::About {
            client: Some(client),
            user: row.opt_id(12)?,
            team: row.opt_id(13)?,
            ..Default::default()
        },
    }))
}
