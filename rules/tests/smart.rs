//! SMART's scopes: read, spelt, granted and looked through; and the marked table of docs/smart.md, row by row.
#![expect(clippy::unwrap_used, reason = "what is not as expected must fail the test")]

use rules::ids::PatientId;
use rules::scope::{Scope, UserType};
use rules::smart::grant::{Granting, granted, is_of_system_still, is_still_registered};
use rules::smart::lens::{Lens, Opened, Way};
use rules::smart::offer::{RefreshScope, is_covered, refresh_scope};
use rules::smart::permissions::{ItemInteraction, Permissions};
use rules::smart::request::{MOST_SCOPES, SmartScopes, Vocabulary, spelt};
use rules::smart::word::{LONGEST_SCOPE, ScopeContext, SmartScope};

const PAGE: &str = include_str!("../../docs/smart.md");
const PATIENT: PatientId = PatientId(7);

const VOCABULARY: Vocabulary = Vocabulary {
    is_type: |of| ["Observation", "Condition", "Patient", "Consent"].contains(&of),
    has_token: |of, parameter| match of {
        "Observation" => ["category", "code", "status"].contains(&parameter),
        "Condition" => ["category", "code", "clinical-status"].contains(&parameter),
        _ => false,
    },
};

fn read(text: &str) -> Vec<SmartScope> {
    SmartScopes::asked(text, &VOCABULARY).scopes
}

fn letters(word: &str) -> Option<String> {
    SmartScope::read(word)?.resource().map(|scope| scope.permissions.letters())
}

fn lens(text: &str) -> Lens {
    SmartScopes::kept(text).lens(Some(PATIENT)).unwrap()
}

fn grant(asked: &str, registered: &str, by: Granting) -> String {
    spelt(&granted(&read(asked), &read(registered), by))
}

const BY_PATIENT: Granting = Granting::User(UserType::Patient);

/// The scopes of each row of the table, and the form that they have by it.
#[test]
fn the_table_of_scopes_names_what_is_understood() {
    let marker = "<!-- table: smart-scopes -->\n";
    let table = &PAGE[PAGE.find(marker).unwrap() + marker.len()..];
    let rows: Vec<&str> = table.lines().take_while(|line| line.starts_with('|')).skip(2).collect();
    let first = |row: &&str| row.trim_matches('|').split(" | ").next().unwrap().trim().to_owned();
    let cells: Vec<String> = rows.iter().map(first).collect();
    assert_eq!(
        cells,
        [
            "`patient/T.p`, `patient/*.p`",
            "`patient/T.p?query`",
            "`user/…`",
            "`system/…`",
            "`launch/patient`",
            "`launch`",
            "`openid`, `fhirUser`, `profile`",
            "`offline_access`",
            "`online_access`",
        ]
    );
    for word in ["cruds", "c", "r", "u", "d", "s", "rs", "cud", "crus"] {
        for of in ["T", "*"] {
            assert_eq!(letters(&format!("patient/{of}.{word}")).as_deref(), Some(word));
        }
    }
    for (word, same) in [("read", "rs"), ("write", "cud"), ("*", "cruds")] {
        assert!(rows[0].contains(&format!("`{word}`")));
        assert_eq!(letters(&format!("patient/T.{word}")).as_deref(), Some(same));
    }
    for parameter in ["category", "code", "status", "type", "clinical-status"] {
        assert!(rows[1].contains(&format!("`{parameter}`")));
        assert!(SmartScope::read(&format!("patient/T.rs?{parameter}=x")).is_some());
    }
    for (row, context) in [(0, ScopeContext::Patient), (2, ScopeContext::User), (3, ScopeContext::System)] {
        assert!(rows[row].contains(&format!("`{}/", context.word())));
        assert_eq!(SmartScope::read(&format!("{}/T.r", context.word())).unwrap().resource().unwrap().context, context);
    }
    for row in &cells[4..] {
        for word in row.split(", ").map(|word| word.trim_matches('`')) {
            assert_eq!(SmartScope::read(word).unwrap().to_string(), word);
        }
    }
}

#[test]
fn what_is_understood_is_spelt_as_it_was_read() {
    for word in [
        "patient/*.read",
        "user/Observation.*",
        "system/Patient.write",
        "patient/*.cruds",
        "patient/Observation.rs?category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory",
        "user/Condition.s?clinical-status=active&category=problem-list-item",
    ] {
        assert_eq!(SmartScope::read(word).map(|scope| scope.to_string()).as_deref(), Some(word));
    }
}

#[test]
fn what_is_not_understood_is_left_out_and_not_guessed() {
    for word in [
        "",
        "patient",
        "patient/",
        "patient/Observation",
        "patient/Observation.",
        "patient/Observation.sr",
        "patient/Observation.rr",
        "patient/Observation.rsx",
        "patient/Observation.Read",
        "patient/observation.rs",
        "patient/Obs*.rs",
        "patient/**.rs",
        "Patient/Observation.rs",
        "practitioner/Observation.rs",
        "patient/Observation.rs?",
        "patient/*.rs?category=laboratory",
        "patient/Observation.rs?category",
        "patient/Observation.rs?category=",
        "patient/Observation.rs?category=|x",
        "patient/Observation.rs?category=s|",
        "patient/Observation.rs?category=s|x|y",
        "patient/Observation.rs?category=a,b",
        "patient/Observation.rs?category:in=x",
        "patient/Observation.rs?category=%78",
        "patient/Observation.rs?subject.name=x",
        "patient/Observation.rs?patient=7",
        "patient/Observation.rs?category=x&",
        "patient/Observation.rs?category=a&code=b&status=c&code=d&code=e",
        "patient/Observation.rs?category=\"x",
        "launch/encounter",
        "Openid",
    ] {
        assert_eq!(SmartScope::read(word), None, "{word}");
    }
    let long = format!("patient/Observation.rs?code={}", "x".repeat(LONGEST_SCOPE));
    assert_eq!(SmartScope::read(&long), None);
    assert_eq!(
        spelt(&read("patient/Invented.rs patient/Patient.rs?code=x patient/Condition.rs?status=x openid")),
        "openid"
    );
    let many: Vec<String> = (0..MOST_SCOPES * 2).map(|at| format!("patient/Observation.r?code={at}")).collect();
    assert_eq!(read(&many.join(" ")).len(), MOST_SCOPES);
}

#[test]
fn a_smart_request_has_a_word_of_smart_and_none_of_the_contract() {
    for (text, is_smart) in [
        ("openid", true),
        ("launch/encounter", true),
        ("patient/*.rs whatever", true),
        ("patient/*.rs PATIENT", false),
        ("clinician openid", false),
        ("PATIENT", false),
        ("whatever", false),
        ("", false),
    ] {
        assert_eq!(SmartScopes::asked(text, &VOCABULARY).is_smart(), is_smart, "{text}");
    }
}

#[test]
fn what_is_granted_was_asked_for_and_registered_and_is_the_users_to_give() {
    let all = "launch/patient openid fhirUser offline_access patient/*.cruds user/*.cruds";
    for (asked, registered, by, expected) in [
        ("patient/*.read openid", all, BY_PATIENT, "patient/*.read openid"),
        ("patient/Observation.* user/*.s", all, BY_PATIENT, "patient/Observation.* user/*.s"),
        ("openid patient/*.rs online_access", all, BY_PATIENT, "openid patient/*.rs"),
        (
            "patient/*.rs",
            "patient/Observation.cruds patient/Condition.r",
            BY_PATIENT,
            "patient/Observation.rs patient/Condition.r",
        ),
        ("patient/Observation.write", "patient/Observation.crs", BY_PATIENT, "patient/Observation.c"),
        ("patient/Observation.rs", "patient/Observation.r patient/*.s", BY_PATIENT, "patient/Observation.rs"),
        (
            "patient/Observation.rs",
            "patient/Observation.rs?category=laboratory",
            BY_PATIENT,
            "patient/Observation.rs?category=laboratory",
        ),
        (
            "patient/Observation.rs?category=laboratory",
            "patient/Observation.r?code=x",
            BY_PATIENT,
            "patient/Observation.r?category=laboratory&code=x",
        ),
        ("patient/Observation.rs?code=x", "patient/Observation.rs?code=x", BY_PATIENT, "patient/Observation.rs?code=x"),
        ("patient/Observation.rs", "user/Observation.rs", BY_PATIENT, ""),
        ("patient/*.rs launch/patient openid", all, Granting::User(UserType::TeamCoord), "openid"),
        ("openid patient/*.rs", all, Granting::User(UserType::Admin), ""),
        ("system/*.rs", "system/*.rs", BY_PATIENT, ""),
        ("system/*.rs openid", "system/*.rs openid", Granting::Client, "system/*.rs"),
    ] {
        assert_eq!(grant(asked, registered, by), expected, "{asked} of {registered}");
    }
}

#[test]
fn what_was_granted_holds_while_the_client_is_registered_for_all_of_it() {
    for (granted, registered, holds) in [
        ("", "", true),
        ("", "patient/*.rs", true),
        ("openid patient/*.rs", "patient/*.cruds openid", true),
        ("patient/Observation.read", "patient/*.rs", true),
        ("patient/Observation.rs", "patient/Observation.r patient/*.s", true),
        ("patient/Observation.r?category=laboratory", "patient/Observation.rs", true),
        ("openid patient/*.rs", "patient/*.rs", false),
        ("patient/*.rs", "patient/Observation.rs", false),
        ("patient/Observation.rs", "patient/Observation.r", false),
        ("patient/Observation.rs", "patient/Observation.rs?category=laboratory", false),
        ("patient/Observation.rs", "user/Observation.rs", false),
        ("patient/Observation.rs", "", false),
    ] {
        assert_eq!(is_still_registered(&read(granted), &read(registered)), holds, "{granted} of {registered}");
    }
}

#[test]
fn a_refresh_may_ask_for_a_part_of_what_was_granted() {
    let whole = RefreshScope::Whole;
    let part = |text: &str| RefreshScope::Part(read(text));
    let granted = "openid offline_access patient/Observation.rs patient/Condition.*";
    for (asked, left) in [
        (granted, whole.clone()),
        ("patient/Condition.* patient/Observation.rs offline_access openid", whole),
        ("patient/Observation.rs", part("patient/Observation.rs")),
        (
            "patient/Observation.r patient/Condition.rs?code=x",
            part("patient/Observation.r patient/Condition.rs?code=x"),
        ),
        ("openid", part("openid")),
        ("patient/Observation.read bogus", part("patient/Observation.read")),
        ("patient/Observation.rsu", RefreshScope::Other),
        ("patient/*.rs", RefreshScope::Other),
        ("user/Observation.rs", RefreshScope::Other),
        ("patient/Observation.rs fhirUser", RefreshScope::Other),
        ("PATIENT", RefreshScope::Other),
        ("bogus", RefreshScope::Other),
    ] {
        assert_eq!(refresh_scope(asked, granted, Scope::Patient, &VOCABULARY), left, "{asked}");
    }
    let with_star = |asked: &str| refresh_scope(asked, "patient/*.cruds", Scope::Patient, &VOCABULARY);
    assert_eq!(with_star("patient/Consent.rs"), part("patient/Consent.rs"));
    assert_eq!(with_star("patient/Patient.r?code=x"), RefreshScope::Other, "there is no such query");
    assert_eq!(with_star("patient/Consent.c"), RefreshScope::Other, "the star does not write consents");
    let long: Vec<String> = (0..40).map(|code| format!("patient/Observation.rs?code=c{code}")).collect();
    assert_eq!(with_star(&long.join(" ")), RefreshScope::Other, "no token has room for it");
    let beside = |asked: &str| refresh_scope(asked, "PATIENT patient/*.rs openid", Scope::Patient, &VOCABULARY);
    assert_eq!(beside("patient"), RefreshScope::Whole);
    assert_eq!(beside("patient/Observation.rs"), RefreshScope::Other);
}

#[test]
fn a_system_client_writes_consents_only_where_it_is_registered_for_them_by_name() {
    for (registered, granted) in [
        ("system/*.cruds", "system/Consent.rs"),
        ("system/*.cud", ""),
        ("system/*.cruds system/Consent.u", "system/Consent.rus"),
        ("system/Consent.cruds", "system/Consent.cruds"),
    ] {
        let expected = if granted.is_empty() { String::new() } else { spelt(&read(granted)) };
        assert_eq!(grant("system/Consent.cruds", registered, Granting::Client), expected, "{registered}");
    }
}

#[test]
fn a_system_clients_token_that_says_nothing_opens_everything_and_is_for_clients_without_scopes_alone() {
    for (said, registered, holds) in [
        ("", "", true),
        ("", "system/*.rs", false),
        ("system/Patient.r", "system/*.rs", true),
        ("system/Patient.r", "system/Observation.rs", false),
        ("system/Patient.r", "", false),
    ] {
        assert_eq!(is_of_system_still(said, &read(registered)), holds, "{said} of {registered}");
    }
}

#[test]
fn scopes_unite_and_each_opens_only_what_it_names() {
    let read = Permissions::of(ItemInteraction::Read);
    let lens = lens("patient/Observation.r?category=laboratory user/Condition.rs user/Condition.c patient/Patient.s");
    assert_eq!(lens.opens("Condition", Permissions::READ), Opened::All);
    assert!(lens.permits("Condition", Permissions::of(ItemInteraction::Create)));
    assert!(!lens.permits("Condition", Permissions::of(ItemInteraction::Update)));
    assert!(!lens.permits("Observation", Permissions::READ), "r without s");
    let Opened::Some(ways) = lens.opens("Observation", read) else { panic!("opened in part") };
    assert!(
        matches!(ways[..], [Way { patient: Some(PATIENT), query: Some(query) }] if query.to_string() == "category=laboratory")
    );
    assert_eq!(lens.opens("Patient", read), Opened::Nothing);
    assert_eq!(lens.opens("Encounter", read), Opened::Nothing);
    assert_eq!(lens.would_do("Encounter", read), "patient/Encounter.r");
}

#[test]
fn what_one_scope_permits_and_what_another_permits_of_the_same_items_go_together() {
    let create = Permissions::READ.with(Permissions::of(ItemInteraction::Create));
    assert!(lens("patient/*.rs patient/Observation.c").permits("Observation", create));
    assert!(lens("user/*.r patient/Observation.s patient/Observation.c").permits("Observation", create));
    let queried = lens("patient/Observation.rs patient/Observation.c?code=x");
    let Opened::Some(ways) = queried.opens("Observation", create) else { panic!("opened in part") };
    assert!(matches!(ways[..], [Way { query: Some(_), .. }]));
    assert!(!lens("patient/Observation.rs?code=y patient/Observation.c?code=x").permits("Observation", create));
}

#[test]
fn without_a_patient_in_context_a_patients_scope_opens_nothing() {
    let lens = SmartScopes::kept("patient/*.cruds").lens(None).unwrap();
    assert_eq!(lens.opens("Observation", Permissions::READ), Opened::Nothing);
}

#[test]
fn writing_consents_is_never_granted_by_the_way() {
    for word in ["patient/*.cruds", "user/*.*"] {
        let lens = lens(word);
        assert!(lens.permits("Consent", Permissions::READ));
        assert!(!lens.permits("Consent", Permissions::of(ItemInteraction::Update)));
        assert!(lens.permits("Observation", Permissions::of(ItemInteraction::Update)));
    }
    assert!(lens("patient/Consent.u").permits("Consent", Permissions::of(ItemInteraction::Update)));
}

#[test]
fn the_contracts_word_alone_has_no_lens_and_scopes_beside_it_are_one() {
    assert_eq!(SmartScopes::kept("PATIENT openid launch/patient offline_access").lens(Some(PATIENT)), None);
    assert!(SmartScopes::kept("PATIENT patient/Observation.rs").lens(Some(PATIENT)).is_some());
    let alone = SmartScopes::kept("openid fhirUser").lens(Some(PATIENT)).unwrap();
    assert_eq!(alone.opens("Patient", Permissions::NONE), Opened::Nothing);
}

/// What `prompt=none` asks of a session that is there: all of it, but for what opens nothing.
#[test]
fn what_was_granted_before_covers_a_part_of_it_and_nothing_else() {
    let before = SmartScopes::kept("launch/patient openid patient/Observation.rs");
    for (wanted, expected) in [
        ("launch/patient openid patient/Observation.rs", true),
        ("patient/Observation.r?category=laboratory online_access", true),
        ("openid online_access", true),
        ("patient/Observation.rus", false),
        ("patient/*.rs", false),
        ("patient/Condition.rs", false),
        ("openid profile", false),
        ("offline_access openid", false),
    ] {
        assert_eq!(is_covered(&SmartScopes::kept(wanted).scopes, &before), expected, "{wanted}");
    }
    let with_contract_word = SmartScopes::kept("patient openid");
    assert!(!is_covered(&SmartScopes::kept("openid").scopes, &with_contract_word), "nobody chose by lines");
}
