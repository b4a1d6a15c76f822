//! What the transition table says of an outcome, next states and other effects, as checks.

use super::{CONTRACT, expiry_errors};
use crate::played::{Played, RIGHT_CODE, right_token};
use rules::answers::{Refusal, answer};
use rules::clients::ClientKind;
use rules::lifecycle::{self, Lapse, Refused, Revoked, Ruling, Session};
use rules::oauth_errors::{TokenError, TokenRefusal};

/// What came of playing one row.
pub(crate) struct Outcome {
    after: Played,
    before: Session,
    ruling: Option<Ruling>,
    /// What became of an access token of each kind, where the row is about that.
    pub(crate) standings: Vec<(ClientKind, Result<(), Lapse>)>,
}

impl Outcome {
    pub(crate) fn of(after: Played, ruling: Option<Ruling>) -> Self {
        Self { before: after.session, after, ruling, standings: Vec::new() }
    }

    /// Lets `request` happen `milliseconds` after the grant.
    pub(crate) fn played(mut played: Played, milliseconds: i64, request: impl Fn(&mut Played) -> Ruling) -> Self {
        let before = played.session;
        let ruling = request(played.at(milliseconds));
        Self { before, ..Self::of(played, Some(ruling)) }
    }

    /// Fails unless the outcome is the state that `text` names; `None` where nobody knows what it names.
    pub(crate) fn has_next_state(&self, text: &str) -> Option<()> {
        let after = &self.after;
        let over = lifecycle::over(&after.session, after.now);
        match text {
            "Session active" => assert_eq!(over, None),
            "Code used" => {
                assert_eq!(after.clone().redeem(RIGHT_CODE), Ruling::Revoke(Revoked::CodeReplayed));
            }
            "Code expired" => {
                assert_eq!(self.ruling, Some(Ruling::Refuse(Refused::CodeExpired)));
                assert_eq!(after.clone().redeem(RIGHT_CODE), Ruling::Refuse(Refused::CodeExpired), "for good");
            }
            "Access token expired" => {
                assert_eq!(self.standings.len(), ClientKind::ALL.len());
                for (kind, standing) in &self.standings {
                    assert_eq!(*standing, Err(Lapse::TokenExpired), "{}", kind.contract_name());
                }
            }
            "Refresh token used" => {
                let used = right_token(self.before.generation);
                assert_eq!(after.clone().refresh(used), Ruling::Revoke(Revoked::RefreshTokenReplayed));
            }
            "Access tokens of that session revoked" => self.no_access_token_stands(),
            "Session expired" => assert_eq!(over, Some(Lapse::SessionExpired)),
            "Session never expires" => {
                assert_eq!(after.session.ends_at, None);
                assert_eq!(over, None, "centuries later");
            }
            _ => return None,
        }
        Some(())
    }

    /// Fails unless the outcome has the effects that `text` tells of; `None` where nobody knows what it tells.
    pub(crate) fn has_effects(&self, text: &str) -> Option<()> {
        let after = &self.after;
        match text {
            "An authorization code is issued via redirect." => {
                assert!(matches!(after.clone().redeem(RIGHT_CODE), Ruling::Issue(_)), "its code can be exchanged");
            }
            "Access token is issued, and possibly a refresh token."
            | "A new access token is issued, and possibly a new refresh token." => self.has_issued(),
            "A token request with it returns an error response." => {
                let Some(Ruling::Refuse(why)) = self.ruling else { panic!("{:?} is no refusal", self.ruling) };
                assert_eq!(TokenRefusal::Refused(why).error(), TokenError::InvalidGrant);
            }
            "Calls return the expiry errors listed under Errors." => {
                for (kind, standing) in &self.standings {
                    let lapse = standing.expect_err("the token no longer stands");
                    assert_eq!(answer(&Refusal::Lapsed(*kind, lapse)).status, 401, "{}", kind.contract_name());
                }
                expiry_errors::hold(CONTRACT);
            }
            "All active tokens for the session are revoked." => {
                self.no_access_token_stands();
                for generation in 1..=after.session.generation {
                    let ruling = after.clone().refresh(right_token(generation));
                    assert_eq!(ruling, Ruling::Refuse(Refused::SessionRevoked), "generation {generation}");
                }
            }
            "Refresh no longer yields tokens; the user must re-enter credentials to renew the grant." => {
                assert_eq!(self.ruling, Some(Ruling::Refuse(Refused::SessionExpired)));
                let words = TokenRefusal::Refused(Refused::SessionExpired).description();
                assert!(words.ends_with("ask for access to be granted again"), "{words}");
            }
            "None." => {
                assert_eq!((self.before, self.ruling), (after.session, None));
                let ruling = after.clone().refresh(right_token(after.session.generation));
                assert!(matches!(ruling, Ruling::Issue(issue) if issue.with_refresh_token), "{ruling:?}");
            }
            _ => return None,
        }
        Some(())
    }

    /// A new access token that stands, and a refresh token, or not where the session is about to end.
    fn has_issued(&self) {
        let Some(Ruling::Issue(issue)) = self.ruling else { panic!("{:?} issues nothing", self.ruling) };
        assert_eq!(issue.generation, self.before.generation + 1);
        assert!(issue.with_refresh_token);
        let newest = self.after.access_tokens.last().expect("an access token was issued");
        assert_eq!(lifecycle::standing(&self.after.session, newest, self.after.now), Ok(()));
        let mut about_to_end = self.after.clone();
        about_to_end.session.ends_at = Some(about_to_end.now.plus_seconds(1));
        let last = about_to_end.refresh(right_token(issue.generation));
        assert!(matches!(last, Ruling::Issue(last) if !last.with_refresh_token), "{last:?}");
    }

    fn no_access_token_stands(&self) {
        assert!(!self.after.access_tokens.is_empty());
        for token in &self.after.access_tokens {
            let standing = lifecycle::standing(&self.after.session, token, self.after.now);
            assert_eq!(standing, Err(Lapse::SessionRevoked), "{token:?}");
        }
    }
}
