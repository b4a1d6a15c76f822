//! Invariants of what describes servers, structures and operations.

use crate::validation::invariants::invariant::Invariant;

pub(super) const ALL: &[Invariant] = &[
    Invariant {
        key: "cpb-1",
        on: "CapabilityStatement",
        human: "REST, messaging or documents must be there",
        holds: |s| s.has_any(&["rest", "messaging", "document"]),
    },
    Invariant {
        key: "cpb-2",
        on: "CapabilityStatement",
        human: "a description, software or implementation must be there",
        holds: |s| s.has_any(&["description", "software", "implementation"]),
    },
    Invariant {
        key: "cpb-3",
        on: "CapabilityStatement",
        human: "only an instance has endpoints of messaging",
        holds: |s| s.is("kind", "instance") || !s.items("messaging").any(|messaging| messaging.has("endpoint")),
    },
    Invariant {
        key: "cpb-7",
        on: "CapabilityStatement",
        human: "documents differ by profile and mode",
        holds: |s| s.are_distinct("document", &["profile", "mode"]),
    },
    Invariant {
        key: "cpb-9",
        on: "CapabilityStatement.rest",
        human: "a type must not be there twice",
        holds: |s| s.are_distinct("resource", &["type"]),
    },
    Invariant {
        key: "cpb-12",
        on: "CapabilityStatement.rest.resource",
        human: "a search parameter must not be there twice",
        holds: |s| s.are_distinct("searchParam", &["name"]),
    },
    Invariant {
        key: "cpb-14",
        on: "CapabilityStatement",
        human: "an instance has an implementation",
        holds: |s| !s.is("kind", "instance") || s.has("implementation"),
    },
    Invariant {
        key: "cpb-15",
        on: "CapabilityStatement",
        human: "a capability has software and no implementation",
        holds: |s| !s.is("kind", "capability") || (s.has("software") && !s.has("implementation")),
    },
    Invariant {
        key: "cpb-16",
        on: "CapabilityStatement",
        human: "requirements have neither software nor implementation",
        holds: |s| !s.is("kind", "requirements") || !s.has_any(&["software", "implementation"]),
    },
    Invariant {
        key: "opd-1",
        on: "OperationDefinition.parameter",
        human: "a type or parts must be there",
        holds: |s| s.has_any(&["type", "part"]),
    },
    Invariant {
        key: "opd-2",
        on: "OperationDefinition.parameter",
        human: "only a string can be of a search type",
        holds: |s| !s.has("searchType") || s.is("type", "string"),
    },
    Invariant {
        key: "opd-3",
        on: "OperationDefinition.parameter",
        human: "only a reference or a canonical has target profiles",
        holds: |s| !s.has("targetProfile") || s.is_one_of("type", &["Reference", "canonical"]),
    },
    Invariant {
        key: "spd-1",
        on: "SearchParameter",
        human: "an XPath needs its usage",
        holds: |s| !s.has("xpath") || s.has("xpathUsage"),
    },
    Invariant {
        key: "spd-2",
        on: "SearchParameter",
        human: "only a reference can be chained",
        holds: |s| !s.has("chain") || s.is("type", "reference"),
    },
    Invariant {
        key: "sdf-2",
        on: "StructureDefinition.mapping",
        human: "a name or a URI must be there",
        holds: |s| s.has_any(&["name", "uri"]),
    },
    Invariant {
        key: "sdf-4",
        on: "StructureDefinition",
        human: "what is not abstract has a base",
        holds: |s| s.is_true("abstract") || s.has("baseDefinition"),
    },
    Invariant {
        key: "sdf-6",
        on: "StructureDefinition",
        human: "a snapshot or a differential must be there",
        holds: |s| s.has_any(&["snapshot", "differential"]),
    },
    Invariant {
        key: "smp-1",
        on: "StructureMap.group.rule.target",
        human: "an element needs a context",
        holds: |s| !s.has("element") || s.has("context"),
    },
    Invariant {
        key: "smp-2",
        on: "StructureMap.group.rule.target",
        human: "a context needs its type",
        holds: |s| !s.has("context") || s.has("contextType"),
    },
    Invariant {
        key: "tcp-2",
        on: "TerminologyCapabilities",
        human: "a description, software or implementation must be there",
        holds: |s| s.has_any(&["description", "software", "implementation"]),
    },
];
