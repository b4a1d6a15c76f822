//! One scope of SMART or OpenID Connect: how it is read and spelt.

use crate::scope::{self, OFFLINE_ACCESS};
use crate::smart::permissions::Permissions;
use crate::smart::query::ScopeQuery;
use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;

/// A scope that is understood.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SmartScope {
    Resource(ResourceScope),
    /// With the parameter `launch`.
    Launch,
    /// A patient is to be chosen.
    LaunchPatient,
    OpenId,
    FhirUser,
    Profile,
    OfflineAccess,
    OnlineAccess,
}

/// Whose items a scope opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ScopeContext {
    /// Of the one patient in context.
    Patient,
    /// All that the user may see.
    User,
    /// All that the organisation may see.
    System,
}

/// A scope that opens items: `patient/Observation.rs?category=laboratory`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ResourceScope {
    pub context: ScopeContext,
    /// The name of a FHIR type; `None` for `*`.
    pub of: Option<String>,
    pub permissions: Permissions,
    /// Whether the permissions were spelt as SMART's first version has them.
    pub is_first_version: bool,
    pub query: Option<ScopeQuery>,
}

/// The scopes that open no items by themselves.
const PLAIN: [(&str, SmartScope); 7] = [
    ("launch", SmartScope::Launch),
    ("launch/patient", SmartScope::LaunchPatient),
    ("openid", SmartScope::OpenId),
    ("fhirUser", SmartScope::FhirUser),
    ("profile", SmartScope::Profile),
    (OFFLINE_ACCESS, SmartScope::OfflineAccess),
    ("online_access", SmartScope::OnlineAccess),
];

/// The longest scope that is understood, in bytes.
pub const LONGEST_SCOPE: usize = 512;

impl ScopeContext {
    pub const ALL: [Self; 3] = [Self::Patient, Self::User, Self::System];

    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Patient => "patient",
            Self::User => "user",
            Self::System => "system",
        }
    }
}

impl SmartScope {
    /// `None` where it is not understood, which SMART leaves out.
    #[must_use]
    pub fn read(word: &str) -> Option<Self> {
        if let Some((_, plain)) = PLAIN.into_iter().find(|(known, _)| *known == word) {
            return Some(plain);
        }
        ResourceScope::read(word).map(Self::Resource)
    }

    #[must_use]
    pub const fn resource(&self) -> Option<&ResourceScope> {
        match self {
            Self::Resource(scope) => Some(scope),
            _ => None,
        }
    }
}

impl ResourceScope {
    #[must_use]
    pub fn read(word: &str) -> Option<Self> {
        if word.len() > LONGEST_SCOPE || !scope::is_word_of_smart(word) {
            return None;
        }
        let (context, rest) = word.split_once('/')?;
        let context = ScopeContext::ALL.into_iter().find(|known| known.word() == context)?;
        let (rest, query) = match rest.split_once('?') {
            Some((rest, query)) => (rest, Some(ScopeQuery::read(query)?)),
            None => (rest, None),
        };
        let (of, permissions) = rest.split_once('.')?;
        let (permissions, is_first_version) = Permissions::named(permissions)?;
        let of = match of {
            // What a parameter means is said of a type.
            "*" if query.is_some() => return None,
            "*" => None,
            of => Some(of).filter(|of| is_name(of)).map(ToOwned::to_owned).map(Some)?,
        };
        Some(Self { context, of, permissions, is_first_version, query })
    }
}

impl ResourceScope {
    /// What two scopes have in common, in SMART's second version.
    #[must_use]
    pub(super) fn and(&self, other: &Self) -> Option<Self> {
        let of = match (&self.of, &other.of) {
            (Some(of), None) | (None, Some(of)) => Some(of.clone()),
            (Some(of), Some(its)) if of == its => Some(of.clone()),
            (None, None) => None,
            (Some(_), Some(_)) => return None,
        };
        let query = match (&self.query, &other.query) {
            (None, None) => None,
            (Some(query), None) | (None, Some(query)) => Some(query.clone()),
            (Some(query), Some(its)) if query.is_within(its) => Some(query.clone()),
            (Some(query), Some(its)) => Some(query.and(its)?),
        };
        let permissions = self.permissions.and(other.permissions);
        let is_any = self.context == other.context && !permissions.is_none();
        is_any.then_some(Self { context: self.context, of, permissions, is_first_version: false, query })
    }
}

/// `Observation`: letters alone, the first of them a capital.
fn is_name(of: &str) -> bool {
    of.starts_with(|first: char| first.is_ascii_uppercase()) && of.bytes().all(|byte| byte.is_ascii_alphabetic())
}

impl fmt::Display for SmartScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Resource(scope) => scope.fmt(f),
            plain => f.write_str(PLAIN.into_iter().find(|(_, known)| known == plain).map_or("", |(word, _)| word)),
        }
    }
}

impl fmt::Display for ResourceScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = self.of.as_deref().unwrap_or("*");
        write!(f, "{}/{of}.", self.context.word())?;
        match self.permissions.first_version().filter(|_| self.is_first_version) {
            Some(word) => f.write_str(word)?,
            None => f.write_str(&self.permissions.letters())?,
        }
        self.query.as_ref().map_or(Ok(()), |query| write!(f, "?{query}"))
    }
}
