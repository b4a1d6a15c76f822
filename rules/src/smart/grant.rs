//! What is granted of the scopes that were asked for: no more than the client is registered for, and than its user has.

use crate::scope::UserType;
use crate::smart::request::MOST_SCOPES;
use crate::smart::word::{ResourceScope, ScopeContext, SmartScope};
use alloc::vec::Vec;

/// Who grants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Granting {
    User(UserType),
    /// A System Client to itself.
    Client,
}

/// What is granted, in the order in which it was asked for. What the client is registered for in part is granted in that part.
#[must_use]
pub fn granted(asked: &[SmartScope], registered: &[SmartScope], by: Granting) -> Vec<SmartScope> {
    let mut granted: Vec<SmartScope> = Vec::new();
    for scope in asked.iter().filter(|scope| is_possible(scope, by)) {
        for part in parts(scope, registered) {
            if granted.len() < MOST_SCOPES && !granted.contains(&part) {
                granted.push(part);
            }
        }
    }
    granted
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
fn parts(asked: &SmartScope, registered: &[SmartScope]) -> Vec<SmartScope> {
    let SmartScope::Resource(asked_for) = asked else {
        return registered.iter().find(|scope| *scope == asked).into_iter().cloned().collect();
    };
    let mut parts: Vec<ResourceScope> = Vec::new();
    for registered in registered.iter().filter_map(SmartScope::resource) {
        let Some(part) = asked_for.and(registered) else { continue };
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
