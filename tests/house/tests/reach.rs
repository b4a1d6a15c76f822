//! Who may make a reach and a caller, and that views get resources from the room of interactions alone.
#![expect(clippy::unwrap_used, reason = "a tree that cannot be read must fail the test")]

use house::tree::Tree;
use std::collections::BTreeSet;
use std::path::Path;

/// The files of a crate whose code has this text; tests do not count.
fn with(name: &str, text: &str) -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let tree = Tree::read(&root.join(name).join("src")).unwrap();
    let has = |file: &Path| {
        let source = std::fs::read_to_string(file).unwrap();
        let code = source.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
        code.lines().filter(|line| !line.trim_start().starts_with("//")).any(|line| line.contains(text))
    };
    tree.files.iter().filter(|(_, file)| has(file)).map(|(module, _)| module.join("/")).collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn a_reach_is_made_for_a_caller_and_by_the_few_that_look_wider_on_purpose() {
    // A session's, by the store that reads the session.
    assert_eq!(with("store", "Reach::of_"), set(&["access/bearer"]));
    let made = [
        // A System Client's, for the organisation that it names.
        "callers/bearer",
        // A signed-in patient's, on our own pages.
        "callers/people",
        // A signed-in clinician's, through the team that an address names.
        "callers/staff",
        // The viewer about whom an operator or a patient asks why they see something: nothing is read through it.
        "explanation/known_viewer",
        // An invitation, redeemed in the name of the organisation that invited.
        "callers/invitee",
        // What a session about a record would see, for the person who grants it.
        "interactions/choices",
        // The Consent that somebody has just changed.
        "interactions/consents/shown",
        // Of which section an item is that a patient's own log tells of.
        "interactions/access_lines",
        // $status-query and invitations: whom an organisation knows, whatever the team that asks may see.
        "interactions/identities",
        // The titles of letters in a patient's own log.
        "interactions/letters",
        // A signed-in coordinator's, through their teams.
        "interactions/team_patients",
        // Who a patient is, for a privacy officer of an organisation that knows them.
        "interactions/oversight",
        // SearchParameters of users, which are everybody's to search by.
        "interactions/search/own_parameters",
        // An operator's import, in the name of the source that it names.
        "operator/import",
        // When a patient was born, which decides when the consent of a carer ends.
        "sharing/birth",
    ];
    assert_eq!(with("service", "Reach::of_"), set(&made));
}

#[test]
fn a_caller_is_built_where_its_token_or_its_cookie_is_judged_and_nowhere_else() {
    assert_eq!(with("service", "= Caller {"), set(&["callers/bearer", "callers/people", "callers/staff"]));
    assert_eq!(with("service", "(Caller {"), set(&["callers/bearer"]));
}

#[test]
fn views_note_nothing_themselves_and_ask_the_store_for_no_record() {
    let is_view = |file: &&String| ["fhir/", "rest/", "pages/"].iter().any(|room| file.starts_with(room));
    for text in [
        "accesses.note",
        "store::read",
        "store::search::post_filter",
        "store::search::multi_type",
        "store::history::versions",
    ] {
        let files = with("service", text);
        let views: Vec<&String> = files.iter().filter(is_view).collect();
        assert!(views.is_empty(), "{text} in {views:?}");
    }
    // The test can fail: the room below does what views may not.
    assert!(with("service", "accesses.note").contains("interactions/noted"));
}
