//! Lists: which items a query takes, and in which order.

use crate::kit::{facts, tree};
use crate::specimens;
use fhir::json::Node;
use serde_json::json;
use views::facts::Facts;
use views::item::DeletedItem;
use views::kinds::allergy::Allergy;
use views::kinds::diagnosis::Diagnosis;
use views::kinds::journal::JournalEntry;
use views::list::{ListQuery, OwnParameter};
use views::view::{View, list_query, listed};

fn pairs(query: &str) -> Vec<(String, String)> {
    let parts = query.split('&').filter_map(|part| part.split_once('='));
    parts.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn diagnosis(id: &str, recorded: Option<&str>, onset: Option<&str>, status: &str) -> Node<'static> {
    let mut node = tree(&specimens::DIAGNOSIS.replace("\"code\":\"active\"", &format!("\"code\":\"{status}\"")));
    node.set("id", Node::Text(id.to_owned().into()));
    for (name, date) in [("recordedDate", recorded), ("onsetDateTime", onset)] {
        node.remove(name);
        if let Some(date) = date {
            node.set(name, Node::Text(date.to_owned().into()));
        }
    }
    node
}

fn ids<V: View>(all: &[Node<'_>], query: &ListQuery, facts: &Facts<'_>) -> String {
    let mut found: Vec<_> = all.iter().filter_map(|one| listed::<V>(one, facts, query)).collect();
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    found.iter().map(|(_, shown)| shown.item.id.as_str()).collect()
}

#[test]
fn diagnoses_are_listed_by_when_they_were_recorded_else_began_else_were_entered() {
    let all = [
        diagnosis("a", Some("2020-04-01"), Some("2026-12"), "active"),
        diagnosis("b", None, Some("2024"), "remission"),
        diagnosis("c", None, None, "resolved"),
        diagnosis("d", Some("2020-04-01"), None, "relapse"),
        tree(specimens::ALLERGY),
    ];
    let of = |query: &str| ids::<Diagnosis>(&all, &list_query::<Diagnosis>(&pairs(query), &[]).unwrap(), &facts());
    assert_eq!(of(""), "cbad");
    assert_eq!(of("status=ACTIVE"), "ad");
    assert_eq!(of("status=INACTIVE"), "b");
    assert_eq!(of("from=2024-06&to=2026-11-15"), "cb");
    assert_eq!(of("to=2020"), "ad");
    assert_eq!(of("since=2026-11-15T08:01:02.120Z"), "cbad");
    assert_eq!(of("since=2026-11-15T08:01:02.121Z"), "");
    assert_eq!(of("privacyLabel=GENERAL_HEALTH"), "");
}

#[test]
fn a_list_takes_the_words_of_its_own_kinds_status_and_no_others() {
    let refused = |result: Result<ListQuery, _>| {
        let error: rules::rest_errors::RestError = result.unwrap_err();
        error.answer().message.into_owned()
    };
    let words = refused(list_query::<Allergy>(&pairs("status=CURRENT"), &[]));
    assert_eq!(words, "parameter status: must be one of ACTIVE, INACTIVE, RESOLVED");
    let words = refused(list_query::<JournalEntry>(&pairs("status=ACTIVE"), &[OwnParameter::Flag("all")]));
    assert_eq!(words, "unknown parameter status; known: from, to, since, privacyLabel, limit, after, all");
}

#[test]
fn what_was_deleted_is_told_by_its_id_and_moment_alone() {
    let gone = serde_json::to_value(DeletedItem::new("Observation", "m1", "2026-11-15T08:01:02.120Z")).unwrap();
    let expected = json!({ "id": "m1", "fhirReference": "Observation/m1", "deleted": true,
        "dateUpdated": "2026-11-15T08:01:02.120Z" });
    assert_eq!(gone, expected);
}
