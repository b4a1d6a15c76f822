//! Scopes and user types: which user may log in for which scope, and how a scope is read and said.

use alloc::{borrow::Cow, format};

/// What a session may do: one of the user types, or SITE for a Tethered-Token client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    Patient,
    Clinician,
    TeamCoord,
    /// CLINICIAN and TEAMCOORD operations of one team.
    Site,
}

/// Several scopes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScopeSet(u8);

impl ScopeSet {
    pub const ALL: Self = Self(u8::MAX);

    #[must_use]
    pub const fn contains(self, scope: Scope) -> bool {
        self.0 & bit(scope) != 0
    }
}

impl FromIterator<Scope> for ScopeSet {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Self(scopes.into_iter().fold(0, |bits, scope| bits | bit(scope)))
    }
}

const fn bit(scope: Scope) -> u8 {
    1 << scope as u8
}

/// The types of user account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UserType {
    Patient,
    Clinician,
    TeamCoord,
    Admin,
    /// Sets the states of the records of one organisation's patients, and hears of broken glass. Has pages, and no scope.
    PrivacyOfficer,
}

impl Scope {
    pub const ALL: [Self; 4] = [Self::Patient, Self::Clinician, Self::TeamCoord, Self::Site];

    /// The contract's spelling, in upper case.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Patient => "PATIENT",
            Self::Clinician => "CLINICIAN",
            Self::TeamCoord => "TEAMCOORD",
            Self::Site => "SITE",
        }
    }

    /// The spelling of the token response, in lower case.
    #[must_use]
    pub const fn echoed(self) -> &'static str {
        match self {
            Self::Patient => "patient",
            Self::Clinician => "clinician",
            Self::TeamCoord => "teamcoord",
            Self::Site => "site",
        }
    }

    /// Scopes are read case-insensitively.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.word().eq_ignore_ascii_case(word))
    }

    /// Whether a session of this scope may do what `needed` may do: SITE covers CLINICIAN and TEAMCOORD.
    #[must_use]
    pub fn covers(self, needed: Self) -> bool {
        self == needed || (self == Self::Site && matches!(needed, Self::Clinician | Self::TeamCoord))
    }

    /// Whether the scope can be registered for a User Client.
    #[must_use]
    pub const fn is_for_user_clients(self) -> bool {
        !matches!(self, Self::Site)
    }
}

impl UserType {
    pub const ALL: [Self; 5] = [Self::Patient, Self::Clinician, Self::TeamCoord, Self::Admin, Self::PrivacyOfficer];

    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Patient => "PATIENT",
            Self::Clinician => "CLINICIAN",
            Self::TeamCoord => "TEAMCOORD",
            Self::Admin => "ADMIN",
            Self::PrivacyOfficer => "PRIVACY_OFFICER",
        }
    }

    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|user_type| user_type.word() == word)
    }

    /// The scope that a user of this type grants; an ADMIN and a privacy officer can grant none.
    #[must_use]
    pub const fn scope(self) -> Option<Scope> {
        match self {
            Self::Patient => Some(Scope::Patient),
            Self::Clinician => Some(Scope::Clinician),
            Self::TeamCoord => Some(Scope::TeamCoord),
            Self::Admin | Self::PrivacyOfficer => None,
        }
    }

    /// Whether a user of this type belongs to an organisation, and not to teams of it.
    #[must_use]
    pub const fn is_of_organisation(self) -> bool {
        matches!(self, Self::PrivacyOfficer)
    }

    /// Whether a user of this type can be a member of teams. A patient is registered with them, which is something else.
    #[must_use]
    pub const fn may_be_member(self) -> bool {
        matches!(self, Self::Clinician | Self::TeamCoord)
    }
}

/// The scope of a session that a user of `user_type` opens: the one of its request if it is the user's own; where none was
/// asked for, the user's type if the client is registered for it. `None` means that this user may not log in here.
#[must_use]
pub fn granted(request: Option<Scope>, registered: &[Scope], user_type: UserType) -> Option<Scope> {
    let own = user_type.scope()?;
    let wanted = request.unwrap_or(own);
    (wanted == own && registered.contains(&own)).then_some(own)
}

/// Whether a session of `scope` may go on: its user's type still grants that scope, and its client is still registered for
/// it. A team's grant belongs to the team, and hangs on nobody's type.
#[must_use]
pub fn still_covered(scope: Scope, user_type: Option<UserType>, registered: ScopeSet) -> bool {
    match scope {
        Scope::Site => true,
        Scope::Patient | Scope::Clinician | Scope::TeamCoord => {
            user_type.and_then(UserType::scope) == Some(scope) && registered.contains(scope)
        }
    }
}

/// SMART's word for a session that outlives the person's presence: here, for a refresh token.
pub const OFFLINE_ACCESS: &str = "offline_access";
/// Words of SMART App Launch and OpenID Connect that apps send by habit.
const SMART_WORDS: [&str; 6] = [OFFLINE_ACCESS, "online_access", "openid", "fhirUser", "profile", "launch"];
/// What SMART's other words begin with, each followed by what is meant.
const SMART_BEGINNINGS: [&str; 4] = ["launch/", "patient/", "user/", "system/"];

/// A `scope` as a client sent it: one word of the contract, which decides, and words of SMART beside it, which are passed over
/// as long as they are not served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScopeRequest<'t> {
    pub scope: Scope,
    /// The contract's word as it was spelt.
    pub spelt: &'t str,
    /// Whether there are words of SMART beside it: then the client is one that knows SMART's answers, too.
    pub is_smart: bool,
    /// Whether it asks for a refresh token in SMART's way.
    pub is_offline: bool,
}

impl<'t> ScopeRequest<'t> {
    /// `None` where there is no word of the contract, more than one, or anything else beside it.
    #[must_use]
    pub fn read(text: &'t str) -> Option<Self> {
        let mut found: Option<Self> = None;
        let (mut is_smart, mut is_offline) = (false, false);
        for word in text.split(' ') {
            match Scope::named(word) {
                Some(_) if found.is_some() => return None,
                Some(scope) => found = Some(Self { scope, spelt: word, is_smart: false, is_offline: false }),
                None if is_word_of_smart(word) => {
                    is_smart = true;
                    is_offline |= word == OFFLINE_ACCESS;
                }
                None => return None,
            }
        }
        found.map(|found| Self { is_smart, is_offline, ..found })
    }
}

/// Whether it is a word of SMART or OpenID Connect, understood or not.
pub(crate) fn is_word_of_smart(word: &str) -> bool {
    let is_plain = word.bytes().all(|byte| matches!(byte, b'!'..=b'~') && !matches!(byte, b'"' | b'\\'));
    let names_more = |beginning: &&str| word.strip_prefix(*beginning).is_some_and(|rest| !rest.is_empty());
    is_plain && (SMART_WORDS.contains(&word) || SMART_BEGINNINGS.iter().any(names_more))
}

/// What a refresh request's `scope` means for the session's: omitted or equal in any case is fine, and so are words of SMART
/// beside it.
#[must_use]
pub fn refresh_scope_fits(request: Option<&str>, session: Scope) -> bool {
    request.is_none_or(|text| ScopeRequest::read(text).is_some_and(|asked| asked.scope == session))
}

/// How a token response spells a scope: in lower case, or as the client sent it (`scope_echo`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeEcho {
    Lower,
    AsRequested,
}

impl ScopeEcho {
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Lower => "lower",
            Self::AsRequested => "as-requested",
        }
    }

    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        [Self::Lower, Self::AsRequested].into_iter().find(|echo| echo.word() == word)
    }

    /// What to return for `scope`, which the client asked for by `request`: what it has, and not what was passed over. SMART's
    /// word for a refresh token is said where it was asked for and one is given.
    #[must_use]
    pub fn spell(self, scope: Scope, request: Option<&str>, with_refresh_token: bool) -> Cow<'static, str> {
        let asked = request.and_then(ScopeRequest::read);
        let word: Cow<'static, str> = match (self, asked) {
            (Self::AsRequested, Some(asked)) => Cow::Owned(asked.spelt.into()),
            (Self::AsRequested, None) => Cow::Borrowed(scope.word()),
            (Self::Lower, _) => Cow::Borrowed(scope.echoed()),
        };
        match asked.is_some_and(|asked| asked.is_offline) && with_refresh_token {
            true => Cow::Owned(format!("{word} {OFFLINE_ACCESS}")),
            false => word,
        }
    }
}
