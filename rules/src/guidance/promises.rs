//! What an app may do, in words for the person who decides about it. A sentence is said only where all that it speaks of is
//! served, and permitted to the scope: so no page promises what is not there.

use crate::reach::{may_query_read_receipts, may_write};
use crate::scope::Scope;
use alloc::string::String;
use alloc::vec::Vec;

/// What can be done with resources of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Interaction {
    Read,
    VersionRead,
    History,
    TypeHistory,
    SystemHistory,
    Create,
    Update,
    Patch,
    Delete,
    ConditionalCreate,
    ConditionalUpdate,
    ConditionalPatch,
    ConditionalDelete,
    Search,
    SystemSearch,
    /// Of no type: requests that come together.
    Batch,
    Transaction,
    /// The operation of this name, at one of its levels.
    Operation(&'static str, Level),
}

/// Of what an operation is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// Of the service; what it is served of has no name.
    System,
    Type,
    Instance,
}

/// The question which documents their patients have read.
pub const READ_RECEIPT_QUERY: Interaction = Interaction::Operation("read-receipt-query", Level::Type);

impl Interaction {
    /// As a CapabilityStatement names it. An operation is none of its interactions, and what depends on criteria is said of a type
    /// in other ways.
    #[must_use]
    pub const fn code(self) -> Option<&'static str> {
        match self {
            Self::Read => Some("read"),
            Self::VersionRead => Some("vread"),
            Self::History => Some("history-instance"),
            Self::TypeHistory => Some("history-type"),
            Self::SystemHistory => Some("history-system"),
            Self::Create => Some("create"),
            Self::Update => Some("update"),
            Self::Patch => Some("patch"),
            Self::Delete => Some("delete"),
            Self::Search => Some("search-type"),
            Self::SystemSearch => Some("search-system"),
            Self::ConditionalCreate | Self::ConditionalUpdate | Self::ConditionalPatch | Self::ConditionalDelete => {
                None
            }
            Self::Batch => Some("batch"),
            Self::Transaction => Some("transaction"),
            Self::Operation(..) => None,
        }
    }
}

/// Everything that a service does: interactions, each with a FHIR type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Served(Vec<(Interaction, &'static str)>);

impl FromIterator<(Interaction, &'static str)> for Served {
    fn from_iter<I: IntoIterator<Item = (Interaction, &'static str)>>(served: I) -> Self {
        Self(served.into_iter().collect())
    }
}

impl Served {
    /// Stands in the place of a type where all types are meant at once.
    pub const SYSTEM: &'static str = "";

    #[must_use]
    pub fn has(&self, interaction: Interaction, resource_type: &str) -> bool {
        self.of(resource_type).any(|known| known == interaction)
    }

    /// The types, or the service itself (an empty name), of which an operation is served, each with the level.
    pub fn operation(&self, code: &str) -> impl Iterator<Item = (Level, &'static str)> {
        self.0.iter().filter_map(move |(known, of)| match known {
            Interaction::Operation(name, level) if *name == code => Some((*level, *of)),
            _ => None,
        })
    }

    /// What is served of one type, in the order in which it was told.
    pub fn of(&self, resource_type: &str) -> impl Iterator<Item = Interaction> {
        self.0.iter().filter(move |(_, of)| *of == resource_type).map(|(known, _)| *known)
    }
}

/// One thing that an app may do.
struct Promise {
    scopes: &'static [Scope],
    needs: &'static [(Interaction, &'static str)],
    sentence: &'static str,
    /// The same in a few words, to stand in a list.
    brief: &'static str,
}

const OWN: &[Scope] = &[Scope::Patient];
const STAFF: &[Scope] = &[Scope::Clinician, Scope::TeamCoord];
const TEAM: &[Scope] = &[Scope::Clinician, Scope::TeamCoord, Scope::Site];

const PROMISES: [Promise; 12] = [
    Promise {
        scopes: OWN,
        needs: &[(Interaction::Read, "Patient")],
        sentence: "See your personal details, such as your name, your date of birth and your address.",
        brief: "see your personal details",
    },
    Promise {
        scopes: OWN,
        needs: &[(Interaction::Read, "DocumentReference"), (Interaction::Read, "Binary")],
        sentence: "Open your letters. The team that sent a letter can see when it was first opened.",
        brief: "open your letters",
    },
    Promise {
        scopes: OWN,
        needs: &[(Interaction::Read, "Observation")],
        sentence: "See your test results.",
        brief: "see your test results",
    },
    Promise {
        scopes: OWN,
        needs: &[(Interaction::Create, "DocumentReference")],
        sentence: "Add documents to your record. It cannot change what your care team wrote.",
        brief: "add documents to your record",
    },
    Promise {
        scopes: OWN,
        needs: &[(Interaction::Create, "Observation")],
        sentence: "Add readings that you take at home.",
        brief: "add readings that you take at home",
    },
    Promise {
        scopes: STAFF,
        needs: &[(Interaction::Read, "Patient")],
        sentence: "See the personal details of the patients in your teams.",
        brief: "see the personal details of the patients in your teams",
    },
    Promise {
        scopes: &[Scope::Site],
        needs: &[(Interaction::Read, "Patient")],
        sentence: "See the personal details of the patients of the team.",
        brief: "see the personal details of the patients of the team",
    },
    Promise {
        scopes: TEAM,
        needs: &[(Interaction::Read, "DocumentReference"), (Interaction::Read, "Binary")],
        sentence: "Open letters to and about these patients.",
        brief: "open letters to and about them",
    },
    Promise {
        scopes: TEAM,
        needs: &[(Interaction::Read, "Observation")],
        sentence: "See their test results.",
        brief: "see their test results",
    },
    Promise {
        scopes: TEAM,
        needs: &[(Interaction::Create, "DocumentReference")],
        sentence: "Add documents to their records in the name of the team.",
        brief: "add documents to their records",
    },
    Promise {
        scopes: TEAM,
        needs: &[(Interaction::Create, "Observation")],
        sentence: "Add test results to their records in the name of the team.",
        brief: "add test results to their records",
    },
    Promise {
        scopes: TEAM,
        needs: &[(READ_RECEIPT_QUERY, "DocumentReference")],
        sentence: "Check whether patients have opened the letters that were sent to them.",
        brief: "check whether letters were opened",
    },
];

/// Of a scope that may not write.
const LOOKS_ONLY: &str = "It cannot add anything to these records or change them.";

/// What is said of an app that can do nothing yet.
const NOTHING: &str = "do nothing so far";

fn kept(scope: Scope, served: &Served) -> impl Iterator<Item = &'static Promise> + '_ {
    let permitted = move |interaction| match interaction {
        Interaction::Read
        | Interaction::VersionRead
        | Interaction::History
        | Interaction::TypeHistory
        | Interaction::SystemHistory
        | Interaction::Search
        | Interaction::SystemSearch => true,
        Interaction::Create | Interaction::Update | Interaction::Patch | Interaction::Delete => may_write(Some(scope)),
        Interaction::ConditionalCreate
        | Interaction::ConditionalUpdate
        | Interaction::ConditionalPatch
        | Interaction::ConditionalDelete => may_write(Some(scope)),
        READ_RECEIPT_QUERY => may_query_read_receipts(Some(scope)),
        Interaction::Operation(..) | Interaction::Batch | Interaction::Transaction => true,
    };
    let is_kept = move |promise: &&Promise| {
        let mut needs = promise.needs.iter();
        promise.scopes.contains(&scope) && needs.all(|(what, of)| permitted(*what) && served.has(*what, of))
    };
    PROMISES.iter().filter(is_kept)
}

/// What an app of this scope may do, a sentence each.
#[must_use]
pub fn sentences(scope: Scope, served: &Served) -> Vec<&'static str> {
    let mut sentences: Vec<&str> = kept(scope, served).map(|promise| promise.sentence).collect();
    if !may_write(Some(scope)) && !sentences.is_empty() {
        sentences.push(LOOKS_ONLY);
    }
    sentences
}

/// The same in a few words, which complete "It may …".
#[must_use]
pub fn brief(scope: Scope, served: &Served) -> String {
    let all: Vec<&str> = kept(scope, served).map(|promise| promise.brief).collect();
    match all.split_last() {
        None => NOTHING.into(),
        Some((only, [])) => (*only).into(),
        Some((last, others)) => [&others.join(", "), " and ", last].concat(),
    }
}

/// Begins a sentence about a scope where the app has named none: what the user is decides.
#[must_use]
pub const fn if_you_are(scope: Scope) -> &'static str {
    match scope {
        Scope::Patient => "If you are a patient",
        Scope::Clinician => "If you are a clinician",
        Scope::TeamCoord | Scope::Site => "If you are a Team Coordinator",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTERS: [(Interaction, &str); 5] = [
        (Interaction::Read, "Patient"),
        (Interaction::Read, "DocumentReference"),
        (Interaction::Read, "Binary"),
        (Interaction::Create, "DocumentReference"),
        (READ_RECEIPT_QUERY, "DocumentReference"),
    ];

    #[test]
    fn what_is_not_served_is_not_promised() {
        let (none, letters): (Served, Served) = (Served::default(), LETTERS.into_iter().collect());
        for scope in Scope::ALL {
            assert!(sentences(scope, &none).is_empty());
            assert_eq!(brief(scope, &none), NOTHING);
            assert!(!sentences(scope, &letters).is_empty());
            assert!(!sentences(scope, &letters).concat().contains("test results"), "{scope:?}");
        }
        let more: Served = LETTERS.into_iter().chain([(Interaction::Read, "Observation")]).collect();
        assert!(sentences(Scope::Patient, &more).concat().contains("test results"));
    }

    #[test]
    fn what_a_scope_may_not_do_is_not_promised() {
        let served: Served = LETTERS.into_iter().collect();
        assert!(!sentences(Scope::Patient, &served).concat().contains("Check whether"));
        let coordinator = sentences(Scope::TeamCoord, &served);
        assert!(!coordinator.concat().contains("Add ") && coordinator.last() == Some(&LOOKS_ONLY));
        assert!(sentences(Scope::Clinician, &served).concat().contains("Add documents"));
        assert!(sentences(Scope::Site, &served).concat().contains("patients of the team"));
    }

    #[test]
    fn few_words_make_one_list() {
        let served: Served = LETTERS.into_iter().collect();
        let wanted = "see your personal details, open your letters and add documents to your record";
        assert_eq!(brief(Scope::Patient, &served), wanted);
        let one: Served = LETTERS.into_iter().take(1).collect();
        assert_eq!(brief(Scope::Patient, &one), "see your personal details");
    }
}
