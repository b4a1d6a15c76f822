//! Invariants of value sets, code systems and their maps.

use crate::validation::invariants::invariant::Invariant;
use crate::validation::invariants::scope::Scope;
use std::collections::HashSet;

pub(super) const ALL: &[Invariant] = &[
    Invariant {
        key: "vsd-1",
        on: "ValueSet.compose.include",
        human: "a value set or a system must be there",
        holds: |s| s.has_any(&["valueSet", "system"]),
    },
    Invariant {
        key: "vsd-2",
        on: "ValueSet.compose.include",
        human: "concepts and filters need a system",
        holds: |s| !s.has_any(&["concept", "filter"]) || s.has("system"),
    },
    Invariant {
        key: "vsd-3",
        on: "ValueSet.compose.include",
        human: "concepts and filters exclude each other",
        holds: |s| !s.has("concept") || !s.has("filter"),
    },
    Invariant {
        key: "vsd-6",
        on: "ValueSet.expansion.contains",
        human: "a code or a display must be there",
        holds: |s| s.has_any(&["code", "display"]),
    },
    Invariant {
        key: "vsd-9",
        on: "ValueSet.expansion.contains",
        human: "only what is abstract has no code",
        holds: |s| s.has("code") || s.is_true("abstract"),
    },
    Invariant {
        key: "vsd-10",
        on: "ValueSet.expansion.contains",
        human: "a code needs a system",
        holds: |s| !s.has("code") || s.has("system"),
    },
    Invariant { key: "csd-1", on: "CodeSystem", human: "no code may be there twice", holds: codes_are_distinct },
    Invariant {
        key: "cmd-1",
        on: "ConceptMap.group.element.target",
        human: "a narrower or inexact target needs a comment",
        holds: |s| s.has("comment") || !s.is_one_of("equivalence", &["narrower", "inexact"]),
    },
    Invariant {
        key: "cmd-2",
        on: "ConceptMap.group.unmapped",
        human: "a fixed target needs its code",
        holds: |s| !s.is("mode", "fixed") || s.has("code"),
    },
    Invariant {
        key: "cmd-3",
        on: "ConceptMap.group.unmapped",
        human: "another map needs its url",
        holds: |s| !s.is("mode", "other-map") || s.has("url"),
    },
    Invariant {
        key: "nsd-1",
        on: "NamingSystem",
        human: "a root has no UUID",
        holds: |s| !s.is("kind", "root") || !s.items("uniqueId").any(|id| id.is("type", "uuid")),
    },
];

fn codes_are_distinct(s: &Scope<'_, '_>) -> bool {
    fn all<'n>(s: &Scope<'n, '_>, known: &mut HashSet<&'n str>) -> bool {
        s.items("concept")
            .all(|concept| concept.text("code").is_none_or(|code| known.insert(code)) && all(&concept, known))
    }
    all(s, &mut HashSet::new())
}
