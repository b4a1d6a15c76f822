//! What a SMART request offers somebody to grant, and what becomes of it when they have chosen.

use super::grant::{self, Granting};
use super::request::{self, SmartScopes, Vocabulary};
use super::word::{ScopeContext, SmartScope};
use crate::limits::TOKEN_SCOPES_BYTES;
use crate::scope::{self, Scope, UserType};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// What is asked for in words of SMART or OpenID Connect that mean something for its client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmartOffer {
    /// Whether it has no word of the contract.
    pub is_pure: bool,
    /// What somebody could grant, in the order in which it was asked for.
    pub scopes: Vec<SmartScope>,
    /// Comes back in the id_token.
    pub nonce: Option<String>,
    /// Who is likely to sign in.
    pub login_hint: Option<String>,
    /// Whether nobody is to be asked anything.
    pub is_silent: bool,
    /// Whether whoever is signed in must prove who they are once more.
    pub asks_to_sign_in: bool,
    /// How many seconds ago they may have proved it at the most.
    pub max_age: Option<i64>,
    /// What an app was given that was opened from here, and says that it was.
    pub launch: Option<String>,
}

/// What decides, beside what is ticked, what is left of what was asked for.
#[derive(Clone, Copy, Debug)]
pub struct Circumstances<'c> {
    pub registered: &'c [SmartScope],
    pub user_type: UserType,
    /// Whether the client gets refresh tokens at all.
    pub refresh_tokens: bool,
    /// Whether the user is somebody in FHIR.
    pub has_fhir_user: bool,
    /// Whether a browser's sign-in stands for the password, with which a session can end.
    pub by_sign_in: bool,
}

/// How an app asks, as far as that decides what some scopes mean.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// Whether it was opened from here.
    pub is_launched: bool,
    /// Whether the sign-in of the browser may stand for the password.
    pub by_sign_in: bool,
}

/// What users of these types could grant of what was asked for.
#[must_use]
pub fn offered(asked: &[SmartScope], registered: &[SmartScope], by: &[UserType], manner: Manner) -> Vec<SmartScope> {
    let mut all: Vec<SmartScope> = Vec::new();
    for user_type in by {
        for scope in grant::granted(asked, registered, Granting::User(*user_type)) {
            if !all.contains(&scope) && is_ever_given(&scope, manner) {
                all.push(scope);
            }
        }
    }
    all
}

/// `launch` alone means nothing where no launch is named; and no session ends with a sign-in by which nobody came.
const fn is_ever_given(scope: &SmartScope, manner: Manner) -> bool {
    match scope {
        SmartScope::Launch => manner.is_launched,
        SmartScope::OnlineAccess => manner.by_sign_in,
        _ => true,
    }
}

/// Whether a scope opens anything, or tells anything, by itself.
const fn means_something(scope: &SmartScope) -> bool {
    matches!(scope, SmartScope::Resource(_) | SmartScope::OpenId | SmartScope::Launch | SmartScope::LaunchPatient)
}

impl SmartOffer {
    /// Whether anything is asked for that can be granted.
    #[must_use]
    pub fn is_something(&self) -> bool {
        self.scopes.iter().any(means_something)
    }

    /// What the page has a line for. Which patient it is about is a question of its own.
    pub fn lines(&self) -> impl Iterator<Item = &SmartScope> {
        self.scopes.iter().filter(|scope| is_line(scope))
    }

    /// What is granted by a user who left these ticked; `None` where nothing is left that means something by itself.
    #[must_use]
    pub fn granted(&self, is_ticked: impl Fn(&str) -> bool, given: &Circumstances<'_>) -> Option<Vec<SmartScope>> {
        let is_kept = |scope: &&SmartScope| !is_line(scope) || is_ticked(&scope.to_string());
        let kept: Vec<SmartScope> = self.scopes.iter().filter(is_kept).cloned().collect();
        // Whoever unticks all that is shown has not granted to be asked about a patient either.
        let is_any_left = kept.iter().any(is_line) || self.lines().next().is_none();
        let mut granted = grant::granted(&kept, given.registered, Granting::User(given.user_type));
        let manner = Manner { is_launched: self.launch.is_some(), by_sign_in: given.by_sign_in };
        let has_identity = granted.contains(&SmartScope::OpenId);
        granted.retain(|scope| match scope {
            SmartScope::FhirUser => has_identity && given.has_fhir_user,
            SmartScope::Profile => has_identity,
            SmartScope::OfflineAccess => given.refresh_tokens,
            SmartScope::OnlineAccess => given.refresh_tokens && given.by_sign_in,
            other => is_ever_given(other, manner),
        });
        (is_any_left && granted.iter().any(means_something)).then_some(granted)
    }
}

const fn is_line(scope: &SmartScope) -> bool {
    !matches!(scope, SmartScope::Launch | SmartScope::LaunchPatient)
}

/// Whether an app with these scopes is told of the one patient whom its session is about, if there is one.
#[must_use]
pub fn is_told_of_patient(granted: &[SmartScope]) -> bool {
    granted.contains(&SmartScope::Launch) || needs_patient(granted)
}

/// Whether a session with these scopes must be about one patient.
#[must_use]
pub fn needs_patient(granted: &[SmartScope]) -> bool {
    granted.iter().any(|scope| match scope {
        SmartScope::LaunchPatient => true,
        SmartScope::Resource(resource) => resource.context == ScopeContext::Patient,
        _ => false,
    })
}

/// Whether a session with these scopes gets refresh tokens at all.
#[must_use]
pub fn is_refreshed(granted: &SmartScopes) -> bool {
    granted.has(&SmartScope::OfflineAccess) || granted.has(&SmartScope::OnlineAccess)
}

/// Whether somebody who granted `before` to an app need not be asked about `wanted`. `online_access` opens nothing, and ends with the
/// sign-in by which nobody needed to be asked.
#[must_use]
pub fn is_covered(wanted: &[SmartScope], before: &SmartScopes) -> bool {
    let asked: Vec<SmartScope> = wanted.iter().filter(|scope| **scope != SmartScope::OnlineAccess).cloned().collect();
    before.is_smart() && grant::is_part_of(&asked, &before.scopes)
}

/// What a refresh request's `scope` leaves of what a session was granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefreshScope {
    /// All of it: it is what was granted, in any order.
    Whole,
    /// A part, for the one access token.
    Part(Vec<SmartScope>),
    /// It asks for something else, or for more, or for a part that no token has room to say.
    Other,
}

/// Of a session that was granted scopes of SMART. Where a word of the contract is among them, the word will do, and there are no parts.
#[must_use]
pub fn refresh_scope(asked: &str, granted: &str, session: Scope, vocabulary: &Vocabulary) -> RefreshScope {
    let (sent, kept) = (SmartScopes::asked(asked, vocabulary), SmartScopes::kept(granted));
    if kept.has_contract_word {
        return match scope::refresh_scope_fits(Some(asked), session) {
            true => RefreshScope::Whole,
            false => RefreshScope::Other,
        };
    }
    if sent.has_contract_word || sent.scopes.is_empty() || !grant::is_part_of(&sent.scopes, &kept.scopes) {
        return RefreshScope::Other;
    }
    match kept.scopes.iter().all(|scope| sent.has(scope)) {
        true => RefreshScope::Whole,
        false if request::spelt(&sent.scopes).len() > TOKEN_SCOPES_BYTES => RefreshScope::Other,
        false => RefreshScope::Part(sent.scopes),
    }
}

/// The types of those who may sign in: by the contract's scopes of a registration, or by their type.
#[must_use]
pub fn may_sign_in(scopes: &[Scope], user_types: &[UserType]) -> Vec<UserType> {
    let is_in = |of: &UserType| user_types.contains(of) || of.scope().is_some_and(|scope| scopes.contains(&scope));
    UserType::ALL.into_iter().filter(is_in).collect()
}
