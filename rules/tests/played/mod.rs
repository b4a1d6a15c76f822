//! A session as the store would keep it: every ruling is carried out, time moves only when told.

use rules::bound_key::KeyCheck;
use rules::lifecycle::{
    self, AccessToken, CodePresentation, RefreshPresentation, Revoked, Ruling, Session, Terms, VerifierCheck,
};
use rules::moment::Moment;
use rules::scope::ScopeSet;

/// When access is granted in these tests; an odd number, so that nothing hides behind a round one.
pub(crate) const GRANTED: Moment = Moment(1_700_000_000_123);

/// Terms as the contract writes them: 10 minutes, refresh tokens, no retry window.
pub(crate) const TERMS: Terms =
    Terms { access_seconds: 600, refresh_tokens: true, retry_seconds: 0, scopes: ScopeSet::ALL, may_change_key: false };

/// The right code, presented by the right client in the right way.
pub(crate) const RIGHT_CODE: CodePresentation =
    CodePresentation { same_client: true, same_redirect_uri: true, verifier: VerifierCheck::Fits, key: KeyCheck::Fits };

/// The refresh token of `generation`, presented by the client that it was issued to.
pub(crate) const fn right_token(generation: i64) -> RefreshPresentation {
    RefreshPresentation { generation, same_client: true, scope_fits: true, key: KeyCheck::Fits }
}

/// The moment `milliseconds` after the grant.
pub(crate) const fn since_grant(milliseconds: i64) -> Moment {
    Moment(GRANTED.0 + milliseconds)
}

/// One session, its client's terms, and every access token that it ever issued.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    pub(crate) session: Session,
    pub(crate) terms: Terms,
    pub(crate) access_tokens: Vec<AccessToken>,
    pub(crate) now: Moment,
}

impl Played {
    /// The user has just approved; nothing is redeemed yet.
    pub(crate) fn granted(session_seconds: Option<i64>, terms: Terms) -> Self {
        let session = Session {
            granted_at: GRANTED,
            ends_at: lifecycle::ends_at(GRANTED, session_seconds),
            generation: 0,
            rotated_at: None,
            revoked_at: None,
            covered: true,
            frozen: false,
            online_until: None,
        };
        Self { session, terms, access_tokens: Vec::new(), now: GRANTED }
    }

    /// The user has approved and the code is redeemed at once.
    pub(crate) fn redeemed(session_seconds: Option<i64>, terms: Terms) -> Self {
        let mut played = Self::granted(session_seconds, terms);
        let ruling = played.redeem(RIGHT_CODE);
        assert!(matches!(ruling, Ruling::Issue(_)), "a fresh code is redeemed, not {ruling:?}");
        played
    }

    pub(crate) fn redeem(&mut self, code: CodePresentation) -> Ruling {
        let ruling = lifecycle::redeem(&self.session, &code, &self.terms, self.now);
        self.carry_out(ruling);
        ruling
    }

    pub(crate) fn refresh(&mut self, token: RefreshPresentation) -> Ruling {
        let ruling = lifecycle::refresh(&self.session, &token, &self.terms, self.now);
        self.carry_out(ruling);
        ruling
    }

    /// Moves the clock to `milliseconds` after the moment of the grant.
    pub(crate) fn at(&mut self, milliseconds: i64) -> &mut Self {
        self.now = since_grant(milliseconds);
        self
    }

    fn carry_out(&mut self, ruling: Ruling) {
        match ruling {
            Ruling::Issue(issue) => {
                self.session.generation = issue.generation;
                self.session.rotated_at = Some(self.now);
                self.access_tokens
                    .push(AccessToken { generation: issue.generation, expires_at: issue.access_expires_at });
            }
            Ruling::Revoke(
                Revoked::CodeReplayed
                | Revoked::RefreshTokenReplayed
                | Revoked::TokenFromTheFuture
                | Revoked::NoLongerCovered
                | Revoked::SignedOut,
            ) => {
                self.session.revoked_at = Some(self.now);
            }
            Ruling::Revoke(why) => unreachable!("no token request revokes a session {}", why.word()),
            Ruling::IssueAgain(_) | Ruling::Refuse(_) => {}
        }
    }
}
