//! What is granted of the scopes that were asked for: no more than the client is registered for, and than its user has.

use crate::limits::TOKEN_SCOPES_BYTES;
use crate::scope::UserType;
use crate::smart::lens;
use crate::smart::request::{self, MOST_SCOPES, SmartScopes, Vocabulary};
use crate::smart::word::{ResourceScope, ScopeContext, SmartScope};
use alloc::string::String;
use alloc::vec::Vec;

/// Who grants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Granting {
    User(UserType),
    /// A System Client to itself.
    Client,
}

/// What `*` stands for in what somebody has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Star {
    /// Every type: what is asked for by its name has a line of its own, which a person leaves ticked.
    EveryType,
    /// As in a lens, where some things must be named: nobody is asked.
    AsInALens,
}

/// Why a System Client is granted none of the scopes that it asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemScopeFault {
    /// It is registered for none of them.
    NoneLeft,
    /// What is left of them is more than its token can say.
    TooLong,
}

/// What is granted, in the order in which it was asked for. What the client is registered for in part is granted in that part.
#[must_use]
pub fn granted(asked: &[SmartScope], registered: &[SmartScope], by: Granting) -> Vec<SmartScope> {
    let mut granted: Vec<SmartScope> = Vec::new();
    let star = if by == Granting::Client { Star::AsInALens } else { Star::EveryType };
    for scope in asked.iter().filter(|scope| is_possible(scope, by)) {
        for part in parts(scope, registered, star) {
            if granted.len() < MOST_SCOPES && !granted.contains(&part) {
                granted.push(part);
            }
        }
    }
    granted
}

/// What a System Client is granted, as its token says it: all that it is registered for, where it asks for nothing. `None`: it is
/// registered for no scopes, and none narrow its token, whatever it asks for.
pub fn of_system(
    asked: Option<&str>,
    registered: &[SmartScope],
    vocabulary: &Vocabulary,
) -> Result<Option<String>, SystemScopeFault> {
    if registered.is_empty() {
        return Ok(None);
    }
    let granted = match asked.map(str::trim).filter(|asked| !asked.is_empty()) {
        Some(asked) => granted(&SmartScopes::asked(asked, vocabulary).scopes, registered, Granting::Client),
        None => granted(registered, registered, Granting::Client),
    };
    match request::spelt(&granted) {
        none if none.is_empty() => Err(SystemScopeFault::NoneLeft),
        long if long.len() > TOKEN_SCOPES_BYTES => Err(SystemScopeFault::TooLong),
        granted => Ok(Some(granted)),
    }
}

/// Whether a client is still registered for all that it was granted.
#[must_use]
pub fn is_still_registered(granted: &[SmartScope], registered: &[SmartScope]) -> bool {
    are_within(granted, registered, Star::EveryType)
}

/// Whether scopes open no more than those that were granted.
#[must_use]
pub fn is_part_of(asked: &[SmartScope], granted: &[SmartScope]) -> bool {
    are_within(asked, granted, Star::AsInALens)
}

fn are_within(scopes: &[SmartScope], others: &[SmartScope], star: Star) -> bool {
    scopes.iter().all(|scope| parts(scope, others, star).as_slice() == core::slice::from_ref(scope))
}

/// Whether a System Client's token, which says its scopes itself, opens no more than the client is registered for now.
#[must_use]
pub fn is_of_system_still(said: &str, registered: &[SmartScope]) -> bool {
    match said {
        "" => registered.is_empty(),
        said => is_part_of(&SmartScopes::kept(said).scopes, registered),
    }
}

/// Whether somebody has what a scope asks for.
#[must_use]
pub fn is_possible(scope: &SmartScope, by: Granting) -> bool {
    let has_records = matches!(by, Granting::User(UserType::Patient | UserType::Clinician));
    match scope {
        SmartScope::Resource(ResourceScope { context: ScopeContext::System, .. }) => by == Granting::Client,
        SmartScope::Resource(_) | SmartScope::LaunchPatient => has_records,
        _ => matches!(by, Granting::User(UserType::Patient | UserType::Clinician | UserType::TeamCoord)),
    }
}

/// A scope as it was asked for, where the client is registered for all of it; or the parts for which it is.
fn parts(asked: &SmartScope, registered: &[SmartScope], star: Star) -> Vec<SmartScope> {
    let SmartScope::Resource(asked_for) = asked else {
        return registered.iter().find(|scope| *scope == asked).into_iter().cloned().collect();
    };
    let mut parts: Vec<ResourceScope> = Vec::new();
    for registered in registered.iter().filter_map(SmartScope::resource) {
        let Some(mut part) = asked_for.and(registered) else { continue };
        if let (Star::AsInALens, Some(of)) = (star, &part.of) {
            part.permissions = part.permissions.and(lens::permissions(registered, of));
        }
        if part.permissions.is_none() {
            continue;
        }
        // Several registered scopes for the same items make one scope.
        match parts.iter_mut().find(|known| (&known.of, &known.query) == (&part.of, &part.query)) {
            Some(known) => known.permissions = known.permissions.with(part.permissions),
            None => parts.push(part),
        }
    }
    let is_whole = |part: &ResourceScope| {
        (&part.of, &part.query, part.permissions) == (&asked_for.of, &asked_for.query, asked_for.permissions)
    };
    match parts.iter().any(is_whole) {
        true => alloc::vec![asked.clone()],
        false => parts.into_iter().map(SmartScope::Resource).collect(),
    }
}
