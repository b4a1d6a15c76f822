//! The transition table: what becomes of a session when its code, refresh token or access token is presented.
//!
//! Each function takes what the store has seen of one session and the moment, and gives a ruling. A ruling is a value:
//! the store carries it out and commits, also when the ruling is no.

use crate::bound_key::KeyCheck;
use crate::limits::{CODE_SECONDS, SIGN_IN_IDLE_SECONDS, SIGN_IN_LONGEST_SECONDS, SIGN_IN_NOTED_SECONDS};
use crate::moment::Moment;
pub use crate::revocation::Revoked;
use crate::scope::ScopeSet;

/// What the rules need to know of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Session {
    /// When the user (or the Team Coordinator) granted access. The session's duration counts from here.
    pub granted_at: Moment,
    /// When it ends, whatever is refreshed; `None` is a session that never expires.
    pub ends_at: Option<Moment>,
    /// 0 until the code is redeemed; then the generation of the one refresh token that is unused, the first being 1.
    /// A Team Coordinator's grant needs no code: it is born with generation 1.
    pub generation: i64,
    /// When the present generation came to be.
    pub rotated_at: Option<Moment>,
    pub revoked_at: Option<Moment>,
    /// Whether the user's type and the client's registration still cover its scope. If not, it is over.
    pub covered: bool,
    /// Whether the user's account is frozen, or the patient has died. The session stays, and opens nothing meanwhile.
    pub frozen: bool,
    /// When the sign-in of a browser ends, or has ended, with which it ends; `None`: it ends with none.
    pub online_until: Option<Moment>,
}

/// What the client's registration says about the tokens it gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    pub access_seconds: i64,
    pub refresh_tokens: bool,
    /// 0: a used refresh token is a replay at once, as the contract is written.
    pub retry_seconds: i64,
    /// The scopes that it may ask for.
    pub scopes: ScopeSet,
    /// Whether it may go on with another key than its session began with, because it proves who it is besides.
    pub may_change_key: bool,
}

/// Why an access token no longer opens anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lapse {
    TokenExpired,
    SessionExpired,
    SessionRevoked,
}

/// The tokens to hand out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issue {
    pub generation: i64,
    /// Never later than the session's end.
    pub access_expires_at: Moment,
    /// Whether a refresh token goes with it.
    pub with_refresh_token: bool,
}

/// Why a code or refresh token is refused while nothing changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Not a token of ours, or of a session that is long gone.
    Unknown,
    /// Issued to another client.
    ForeignClient,
    CodeExpired,
    WrongRedirectUri,
    WrongVerifier,
    /// A verifier where no challenge was sent.
    UnexpectedVerifier,
    WrongScope,
    SessionExpired,
    SessionRevoked,
    /// The account is frozen, or its patient has died.
    Frozen,
    /// The session is bound to a key, and none was shown.
    NoProof,
    /// Another key than the one that is bound.
    OtherKey,
}

/// What the store must do, and the client will hear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// Hand out new tokens and remember the new generation.
    Issue(Issue),
    /// Hand out the same tokens once more (retry window); nothing changes.
    IssueAgain(Issue),
    /// Revoke the session, and refuse.
    Revoke(Revoked),
    /// Refuse; nothing changes.
    Refuse(Refused),
}

/// What was found out about a presented code, beside its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodePresentation {
    pub same_client: bool,
    pub same_redirect_uri: bool,
    pub verifier: VerifierCheck,
    pub key: KeyCheck,
}

/// What a presented PKCE verifier turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerifierCheck {
    /// No challenge was sent and no verifier is given, or the verifier fits the challenge.
    Fits,
    /// Missing, or it does not fit.
    Wrong,
    /// Given where no challenge was sent.
    Unexpected,
}

/// What was found out about a presented refresh token, beside its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefreshPresentation {
    pub generation: i64,
    pub same_client: bool,
    pub scope_fits: bool,
    pub key: KeyCheck,
}

/// A session's end by the clock.
#[must_use]
pub fn ends_at(granted_at: Moment, session_seconds: Option<i64>) -> Option<Moment> {
    session_seconds.map(|seconds| granted_at.plus_seconds(seconds))
}

/// Until when a browser's sign-in lasts that began and was noted as used then. A use is noted only now and then, so what was noted may
/// be older than the use.
#[must_use]
pub fn sign_in_lasts_until(started_at: Moment, last_used_at: Moment) -> Moment {
    let longest = started_at.plus_seconds(SIGN_IN_LONGEST_SECONDS);
    longest.min(last_used_at.plus_seconds(SIGN_IN_IDLE_SECONDS + SIGN_IN_NOTED_SECONDS))
}

/// Whether the session itself is over. A revocation outlives the expiry that would have come anyway.
#[must_use]
pub fn over(session: &Session, now: Moment) -> Option<Lapse> {
    if session.revoked_at.is_some() {
        return Some(Lapse::SessionRevoked);
    }
    if session.ends_at.is_some_and(|end| now.is_past(end)) {
        return Some(Lapse::SessionExpired);
    }
    (!session.covered || is_signed_out(session, now)).then_some(Lapse::SessionRevoked)
}

/// Whether it is over with the sign-in of a browser.
fn is_signed_out(session: &Session, now: Moment) -> bool {
    session.online_until.is_some_and(|until| now.is_past(until))
}

/// Whether an access token of the session opens the APIs now. Where token and session are both over, the session's
/// answer wins: refreshing would not help.
pub fn standing(session: &Session, token: &AccessToken, now: Moment) -> Result<(), Lapse> {
    if let Some(lapse) = over(session, now) {
        return Err(lapse);
    }
    if token.generation > session.generation {
        return Err(Lapse::SessionRevoked);
    }
    if now.is_past(token.expires_at) { Err(Lapse::TokenExpired) } else { Ok(()) }
}

/// Whether a refresh token of this generation is the session's unused one, and the session not over.
#[must_use]
pub fn can_refresh(session: &Session, generation: i64, now: Moment) -> bool {
    over(session, now).is_none() && generation >= 1 && generation == session.generation
}

/// What an access token says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessToken {
    pub generation: i64,
    pub expires_at: Moment,
}

/// Token request with `grant_type=authorization_code`.
#[must_use]
pub fn redeem(session: &Session, code: &CodePresentation, terms: &Terms, now: Moment) -> Ruling {
    if !code.same_client {
        return Ruling::Refuse(Refused::ForeignClient);
    }
    if let Some(closed) = closed(session, now) {
        return closed;
    }
    if session.generation > 0 {
        return Ruling::Revoke(Revoked::CodeReplayed);
    }
    if now.is_past(session.granted_at.plus_seconds(CODE_SECONDS)) {
        return Ruling::Refuse(Refused::CodeExpired);
    }
    if !code.same_redirect_uri {
        return Ruling::Refuse(Refused::WrongRedirectUri);
    }
    if let Some(why) = unproven(code.key) {
        return Ruling::Refuse(why);
    }
    match code.verifier {
        VerifierCheck::Wrong => Ruling::Refuse(Refused::WrongVerifier),
        VerifierCheck::Unexpected => Ruling::Refuse(Refused::UnexpectedVerifier),
        VerifierCheck::Fits if session.frozen => Ruling::Refuse(Refused::Frozen),
        VerifierCheck::Fits => Ruling::Issue(issue(session, 1, terms, now)),
    }
}

/// Token request with `grant_type=refresh_token`.
#[must_use]
pub fn refresh(session: &Session, token: &RefreshPresentation, terms: &Terms, now: Moment) -> Ruling {
    if !token.same_client {
        return Ruling::Refuse(Refused::ForeignClient);
    }
    // Before all else: whoever comes upon a refresh token whose key they have not can neither spend it nor end its session by a replay.
    if let Some(why) = unproven(token.key) {
        return Ruling::Refuse(why);
    }
    if let Some(closed) = closed(session, now) {
        return closed;
    }
    if token.generation < 1 {
        return Ruling::Refuse(Refused::Unknown);
    }
    if token.generation > session.generation {
        return Ruling::Revoke(Revoked::TokenFromTheFuture);
    }
    let retry_of = retry_of(session, token, terms, now);
    if token.generation < session.generation && retry_of.is_none() {
        return Ruling::Revoke(Revoked::RefreshTokenReplayed);
    }
    if !token.scope_fits {
        return Ruling::Refuse(Refused::WrongScope);
    }
    if session.frozen {
        return Ruling::Refuse(Refused::Frozen);
    }
    match retry_of {
        Some(made_at) => Ruling::IssueAgain(issue(session, session.generation, terms, made_at)),
        None => Ruling::Issue(issue(session, session.generation.saturating_add(1), terms, now)),
    }
}

/// Revocation request of a client that holds a genuine token of the session, however old: whoever gives one up wants the
/// session ended.
#[must_use]
pub fn revoke(session: &Session, same_client: bool, now: Moment) -> Ruling {
    if !same_client {
        return Ruling::Refuse(Refused::ForeignClient);
    }
    match closed(session, now) {
        Some(Ruling::Refuse(why)) => Ruling::Refuse(why),
        _ => Ruling::Revoke(Revoked::ByClient),
    }
}

/// When the present generation was made, if `token` is the one it was made from and the client's retry window is open.
/// Without a window the clock is not asked: of two requests that race, the later may carry the earlier moment.
fn retry_of(session: &Session, token: &RefreshPresentation, terms: &Terms, now: Moment) -> Option<Moment> {
    if terms.retry_seconds <= 0 || token.generation.saturating_add(1) != session.generation {
        return None;
    }
    session.rotated_at.filter(|made_at| !now.is_past(made_at.plus_seconds(terms.retry_seconds)))
}

/// Why the key that was shown will not do, if it will not.
const fn unproven(key: KeyCheck) -> Option<Refused> {
    match key {
        KeyCheck::Fits => None,
        KeyCheck::Missing => Some(Refused::NoProof),
        KeyCheck::Other => Some(Refused::OtherKey),
    }
}

/// Why the session gives out no more tokens. It stays as it ended: a replay does not turn an expired session into a
/// revoked one. One that is no longer covered ends here for good, so that a scope given back does not wake it.
fn closed(session: &Session, now: Moment) -> Option<Ruling> {
    over(session, now).map(|lapse| match lapse {
        Lapse::SessionRevoked if session.revoked_at.is_none() && session.covered => Ruling::Revoke(Revoked::SignedOut),
        Lapse::SessionRevoked if session.revoked_at.is_none() => Ruling::Revoke(Revoked::NoLongerCovered),
        Lapse::SessionRevoked => Ruling::Refuse(Refused::SessionRevoked),
        Lapse::SessionExpired | Lapse::TokenExpired => Ruling::Refuse(Refused::SessionExpired),
    })
}

/// The tokens of one generation, as they were (or are) made at `made_at`. The refresh token is left out exactly when
/// the access token would outlive the session.
fn issue(session: &Session, generation: i64, terms: &Terms, made_at: Moment) -> Issue {
    let full = made_at.plus_seconds(terms.access_seconds);
    let outlives = session.ends_at.is_some_and(|end| full > end);
    Issue {
        generation,
        access_expires_at: session.ends_at.map_or(full, |end| full.min(end)),
        with_refresh_token: terms.refresh_tokens && !outlives,
    }
}
