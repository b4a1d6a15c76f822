//! Invariants of bundles.

use crate::validation::invariants::invariant::Invariant;
use crate::validation::invariants::scope::Scope;
use std::collections::HashSet;

pub(super) const ALL: &[Invariant] = &[
    Invariant {
        key: "bdl-1",
        on: "Bundle",
        human: "only a search or a history has a total",
        holds: |s| !s.has("total") || s.is_one_of("type", &["searchset", "history"]),
    },
    Invariant {
        key: "bdl-2",
        on: "Bundle",
        human: "only the entries of a search say how they were found",
        holds: |s| s.is("type", "searchset") || !s.items("entry").any(|entry| entry.has("search")),
    },
    Invariant {
        key: "bdl-3",
        on: "Bundle",
        human: "the entries of a batch, a transaction or a history have a request, and no others",
        holds: |s| {
            s.items("entry")
                .all(|entry| entry.has("request") == s.is_one_of("type", &["batch", "transaction", "history"]))
        },
    },
    Invariant {
        key: "bdl-4",
        on: "Bundle",
        human: "the entries of a response or a history have a response, and no others",
        holds: |s| {
            s.items("entry").all(|entry| {
                entry.has("response") == s.is_one_of("type", &["batch-response", "transaction-response", "history"])
            })
        },
    },
    Invariant {
        key: "bdl-5",
        on: "Bundle.entry",
        human: "a resource, a request or a response must be there",
        holds: |s| s.has_any(&["resource", "request", "response"]),
    },
    Invariant {
        key: "bdl-7",
        on: "Bundle",
        human: "a resource of one version must not be there twice",
        holds: urls_are_distinct,
    },
    Invariant {
        key: "bdl-8",
        on: "Bundle.entry",
        human: "a full URL names no version",
        holds: |s| !s.text("fullUrl").is_some_and(|url| url.contains("/_history/")),
    },
    Invariant {
        key: "bdl-9",
        on: "Bundle",
        human: "a document has an identifier with system and value",
        holds: |s| {
            !s.is("type", "document")
                || s.child("identifier").is_some_and(|identifier| identifier.count(&["system", "value"]) == 2)
        },
    },
    Invariant {
        key: "bdl-10",
        on: "Bundle",
        human: "a document has a timestamp",
        holds: |s| !s.is("type", "document") || s.has("timestamp"),
    },
    Invariant {
        key: "bdl-11",
        on: "Bundle",
        human: "a document begins with a Composition",
        holds: |s| !s.is("type", "document") || begins_with(s, "Composition"),
    },
    Invariant {
        key: "bdl-12",
        on: "Bundle",
        human: "a message begins with a MessageHeader",
        holds: |s| !s.is("type", "message") || begins_with(s, "MessageHeader"),
    },
];

fn begins_with(s: &Scope<'_, '_>, type_name: &str) -> bool {
    let first = s.items("entry").next().and_then(|entry| entry.child("resource"));
    first.is_some_and(|resource| resource.is("resourceType", type_name))
}

fn urls_are_distinct(s: &Scope<'_, '_>) -> bool {
    let mut known = HashSet::new();
    let key = |entry: Scope<'_, '_>| {
        let meta = entry.child("resource").and_then(|resource| resource.child("meta"));
        let version = meta.and_then(|meta| meta.text("versionId")).unwrap_or_default().to_owned();
        entry.text("fullUrl").map(|url| (url.to_owned(), version))
    };
    s.is("type", "history") || s.items("entry").filter_map(key).all(|key| known.insert(key))
}
