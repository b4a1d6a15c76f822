//! The lens: what a session's scopes open of all that its reach covers. It narrows a reach, and never widens one.

use crate::ids::PatientId;
use crate::smart::permissions::{ItemInteraction, Permissions};
use crate::smart::query::ScopeQuery;
use crate::smart::word::{ResourceScope, ScopeContext, SmartScope};
use alloc::string::String;
use alloc::vec::Vec;

/// What a session's scopes open. They unite.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lens {
    openings: Vec<ResourceScope>,
    /// The patient in context.
    patient: Option<PatientId>,
}

/// Which items of a type a lens opens to an interaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opened<'l> {
    /// None, whatever is in them.
    Nothing,
    /// All that the reach covers.
    All,
    /// Those that one of these opens.
    Some(Vec<Way<'l>>),
}

/// One way in which an item is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way<'l> {
    /// The patient in whose record it must be, if it is in anybody's.
    pub patient: Option<PatientId>,
    /// What must hold for it.
    pub query: Option<&'l ScopeQuery>,
}

impl Way<'_> {
    /// Whether all that it opens is opened by the other, as far as they show it.
    fn is_within(&self, other: &Self) -> bool {
        let is_within = |query: &ScopeQuery| self.query.is_some_and(|own| own.is_within(query));
        (other.patient.is_none() || other.patient == self.patient) && other.query.is_none_or(is_within)
    }
}

/// Who has what is granted is settled by consents: nobody grants the writing of them by the way.
const MUST_BE_NAMED: &str = "Consent";

impl Lens {
    pub(super) fn of(mut openings: Vec<ResourceScope>, patient: Option<PatientId>) -> Self {
        openings.sort_unstable();
        let mut united: Vec<ResourceScope> = Vec::new();
        for opening in openings {
            let opens = |other: &&mut ResourceScope| {
                (other.context, &other.of, &other.query) == (opening.context, &opening.of, &opening.query)
            };
            match united.iter_mut().find(opens) {
                Some(other) => other.permissions = other.permissions.with(opening.permissions),
                None => united.push(ResourceScope { is_first_version: false, ..opening }),
            }
        }
        Self { openings: united, patient }
    }

    /// What these scopes open, about this patient: to be looked through behind the lens of the session.
    #[must_use]
    pub fn of_part(scopes: &[SmartScope], patient: Option<PatientId>) -> Self {
        Self::of(openings_with_fhir_user(scopes), patient)
    }

    /// Which items of a type it opens to whoever needs all of these permissions. Where a scope of the patient in context is
    /// granted and there is none, it opens nothing.
    #[must_use]
    pub fn opens(&self, of: &str, needed: Permissions) -> Opened<'_> {
        // Each way with what it permits.
        let mut all: Vec<(Way<'_>, Permissions)> = Vec::new();
        for scope in &self.openings {
            let patient = match scope.context {
                ScopeContext::Patient if self.patient.is_none() => continue,
                ScopeContext::Patient => self.patient,
                ScopeContext::User | ScopeContext::System => None,
            };
            match permissions(scope, of) {
                Permissions::NONE => {}
                permitted => all.push((Way { patient, query: scope.query.as_ref() }, permitted)),
            }
        }
        let permitted = |way: &Way<'_>| {
            let wider = all.iter().filter(|(other, _)| way.is_within(other));
            wider.fold(Permissions::NONE, |sum, (_, permitted)| sum.with(*permitted))
        };
        let mut ways: Vec<Way<'_>> = Vec::new();
        for (way, _) in &all {
            if permitted(way).contains(needed) && !ways.contains(way) {
                ways.push(*way);
            }
        }
        if ways.iter().any(|way| way.patient.is_none() && way.query.is_none()) {
            return Opened::All;
        }
        if ways.is_empty() { Opened::Nothing } else { Opened::Some(ways) }
    }

    /// What both open: what a session was granted, and what one of its tokens was narrowed to.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let pairs = self.openings.iter().flat_map(|own| other.openings.iter().map(move |its| own.and(its)));
        Self::of(pairs.flatten().collect(), self.patient.filter(|_| self.patient == other.patient))
    }

    /// The scopes that open something, each once.
    #[must_use]
    pub fn openings(&self) -> &[ResourceScope] {
        &self.openings
    }

    /// Whether anything of a type may be open to whoever needs all of these permissions.
    #[must_use]
    pub fn permits(&self, of: &str, needed: Permissions) -> bool {
        self.opens(of, needed) != Opened::Nothing
    }

    /// The patient in context.
    #[must_use]
    pub const fn patient(&self) -> Option<PatientId> {
        self.patient
    }

    /// A scope that would do for a type: of the kind that was granted.
    #[must_use]
    pub fn would_do(&self, of: &str, needed: Permissions) -> String {
        let granted = self.openings.iter().map(|scope| scope.context);
        let context = granted.min().unwrap_or(ScopeContext::Patient);
        alloc::format!("{}/{of}.{}", context.word(), needed.letters())
    }
}

/// What scopes open of items.
pub(super) fn openings(scopes: &[SmartScope]) -> Vec<ResourceScope> {
    scopes.iter().filter_map(SmartScope::resource).cloned().collect()
}

/// The same where the patient in context is the user: who that is can be read with `fhirUser`.
fn openings_with_fhir_user(scopes: &[SmartScope]) -> Vec<ResourceScope> {
    let own = scopes.contains(&SmartScope::FhirUser).then(|| ResourceScope {
        context: ScopeContext::Patient,
        of: Some("Patient".into()),
        permissions: Permissions::of(ItemInteraction::Read),
        is_first_version: false,
        query: None,
    });
    openings(scopes).into_iter().chain(own).collect()
}

/// What a scope permits with items of a type.
pub(super) fn permissions(scope: &ResourceScope, of: &str) -> Permissions {
    match &scope.of {
        Some(named) if named == of => scope.permissions,
        Some(_) => Permissions::NONE,
        None if of == MUST_BE_NAMED => scope.permissions.and(Permissions::READ),
        None => scope.permissions,
    }
}

impl From<ItemInteraction> for Permissions {
    fn from(interaction: ItemInteraction) -> Self {
        Self::of(interaction)
    }
}
