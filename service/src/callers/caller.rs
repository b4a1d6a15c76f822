//! A caller of one of the two APIs.

use crate::app::accesses::Viewer;
use crate::app::response_budget::Taker;
use rules::answers::Refusal;
use rules::clients::{ClientIds, ClientKind};
use rules::consent::denial::Denial;
use rules::consent::glass::{Glass, GlassDeed, permits};
use rules::ids::{ClientId, SessionId, SignInId, UserId};
use rules::moment::Moment;
use rules::reach::Reach;
use rules::scope::Scope;
use rules::smart::permissions::Permissions;
use std::borrow::Cow;
use store::CallerKey;
use store::ledger::Author;
use store::salt::Salt;

/// Who calls, and what they may see. Its fields are private to the callers, because building one is the authorisation.
#[derive(Clone, Debug)]
pub struct Caller {
    pub(super) kind: ClientKind,
    /// The session's scope; a System Client has none.
    pub(super) scope: Option<Scope>,
    pub(super) reach: Reach,
    /// The FHIR id of the patient that a PATIENT session is about.
    pub(super) patient: Option<String>,
    /// The FHIR id of the patient in context of scopes of SMART.
    pub(super) context: Option<String>,
    /// `None` for a System Client.
    pub(super) session: Option<SessionId>,
    /// The sign-in of the browser, on our own pages.
    pub(super) sign_in: Option<SignInId>,
    /// The user behind the session; `None` for a team's session and for a System Client.
    pub(super) user: Option<UserId>,
    /// Our own number of the client; on our own pages there is none.
    pub(super) client: Option<ClientId>,
    /// As the bounds on work and on answers know the caller.
    pub(super) taker: Taker,
    /// Which ids it may choose for what is new; `None` where it may choose none.
    pub(super) client_ids: Option<ClientIds>,
    /// When the session ends, if it does, and what vouches for tokens of it; a System Client has none.
    pub(super) session_ends_at: Option<Moment>,
    pub(super) salt: Option<Salt>,
    /// The broken glass through which the call looks.
    pub(super) glass: Option<CallerGlass>,
    /// The moment of this request, read once.
    pub(super) now: Moment,
}

/// A broken glass that was found valid for a call.
#[derive(Clone, Debug)]
pub struct CallerGlass {
    pub id: i64,
    pub glass: Glass,
    /// The FHIR id of its patient.
    pub patient: String,
}

impl Caller {
    #[must_use]
    pub const fn kind(&self) -> ClientKind {
        self.kind
    }

    /// The session's scope; a System Client has none.
    #[must_use]
    pub const fn scope(&self) -> Option<Scope> {
        self.scope
    }

    /// What the caller may see.
    #[must_use]
    pub const fn reach(&self) -> &Reach {
        &self.reach
    }

    /// The same where what is done needs these permissions of the session's scopes; without scopes it is no other.
    #[must_use]
    pub fn aimed_at(&self, needed: Permissions) -> Cow<'_, Self> {
        match self.reach.aimed_at(needed) {
            Cow::Borrowed(_) => Cow::Borrowed(self),
            Cow::Owned(reach) => Cow::Owned(Self { reach, ..self.clone() }),
        }
    }

    /// Refuses what is of a type of which the session's scopes do not permit that, whatever is in it.
    pub fn must_be_granted(&self, of: &str, needed: Permissions) -> Result<(), Refusal> {
        match self.reach.lens() {
            Some(lens) if !lens.lens().permits(of, needed) => {
                Err(Refusal::OutsideScopes(Some(lens.lens().would_do(of, needed))))
            }
            _ => Ok(()),
        }
    }

    /// The FHIR id of the patient that a PATIENT session is about.
    #[must_use]
    pub fn patient(&self) -> Option<&str> {
        self.patient.as_deref()
    }

    /// The FHIR id of the patient in context of scopes of SMART.
    #[must_use]
    pub fn context(&self) -> Option<&str> {
        self.context.as_deref()
    }

    /// Which ids it may choose for what is new: only a System Client chooses any.
    #[must_use]
    pub const fn client_ids(&self) -> Option<ClientIds> {
        self.client_ids
    }

    /// `None` for a System Client.
    #[must_use]
    pub const fn session(&self) -> Option<SessionId> {
        self.session
    }

    /// What a glass is bound to that the caller breaks: the session, or on our own pages the sign-in. Both are numbers that no other
    /// row has.
    #[must_use]
    pub fn glass_holder(&self) -> Option<SessionId> {
        self.session.or(self.sign_in.map(|sign_in| SessionId(sign_in.0)))
    }

    /// The user behind the session; `None` for a team's session and for a System Client.
    #[must_use]
    pub const fn user(&self) -> Option<UserId> {
        self.user
    }

    /// When the session ends, if it does.
    #[must_use]
    pub const fn session_ends_at(&self) -> Option<Moment> {
        self.session_ends_at
    }

    /// What vouches for tokens of the session.
    #[must_use]
    pub const fn salt(&self) -> Option<&Salt> {
        self.salt.as_ref()
    }

    /// The broken glass through which the call looks.
    #[must_use]
    pub const fn glass(&self) -> Option<&CallerGlass> {
        self.glass.as_ref()
    }

    /// Refuses what a broken glass does not open a record for: copying it, sharing it.
    pub fn must_not_by_glass(&self, deed: GlassDeed) -> Result<(), Refusal> {
        match self.glass.is_some() && !permits(deed) {
            true => Err(Refusal::Denied(Denial::GlassInvalid)),
            false => Ok(()),
        }
    }

    /// Refuses a call about another patient than the one whose glass was broken: nobody shall take less for all.
    pub fn must_be_of_glass(&self, patient: &str) -> Result<(), Refusal> {
        match &self.glass {
            Some(glass) if glass.patient != patient => Err(Refusal::Denied(Denial::GlassInvalid)),
            _ => Ok(()),
        }
    }

    /// Our own number of the client; on our own pages there is none.
    #[must_use]
    pub const fn client(&self) -> Option<ClientId> {
        self.client
    }

    /// The moment of this request, read once.
    #[must_use]
    pub const fn now(&self) -> Moment {
        self.now
    }

    /// As the count of accesses knows the caller.
    #[must_use]
    pub const fn viewer(&self) -> Viewer<'_> {
        Viewer { client: self.client, user: self.user, reach: &self.reach, now: self.now }
    }

    /// As the ledger names who wrote something.
    #[must_use]
    pub const fn author(&self) -> Author {
        Author { session: self.session, client: self.client, user: self.user, operator: None }
    }

    /// As the store's queues know the caller: whoever has several sessions is one.
    #[must_use]
    pub fn key(&self) -> CallerKey {
        self.user.map_or_else(|| self.taker(), Taker::User).key()
    }

    /// As the bound on answers that were not taken knows the caller.
    #[must_use]
    pub const fn taker(&self) -> Taker {
        self.taker
    }
}
