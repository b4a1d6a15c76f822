//! Random Consents: only a named label is granted, and what was written is read as it was.

use crate::forms::{concept, policy, shared, vocabulary, written};
use fhir::consent::{BasisForm, ConsentReading, GranteeReference, Sharing, read};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

/// A provision: its type, its labels by bit, its grantee, its action.
type Drawn = (Option<&'static str>, Vec<i64>, Option<&'static str>, Option<&'static str>);

fn drawn() -> impl Strategy<Value = Drawn> {
    let labels = prop_oneof![8 => vec(select(vec![1_i64, 2, 4, 8]), 1..=1), 1 => vec(select(vec![1_i64, 2, 99]), 0..3)];
    let grantees = prop_oneof![4 => Just(None), 4 => Just(Some("Organization/a")), 1 => Just(Some("Practitioner/b"))];
    let actions = prop_oneof![6 => Just(Some("access")), 2 => Just(None), 1 => Just(Some("correct"))];
    (option::of(select(vec!["permit", "deny"])), labels, grantees, actions)
}

fn provision((kind, labels, grantee, action): &Drawn) -> Value {
    let mut provision = json!({});
    let code = |bit: &i64| match bit {
        1 => "GENERAL_HEALTH",
        2 => "MENTAL_HEALTH",
        4 => "SEXUAL_HEALTH",
        8 => "SOCIAL_CARE",
        _ => "UNKNOWN",
    };
    let labels: Vec<Value> =
        labels.iter().map(|bit| json!({ "system": "urn:recordgate:privacy-label", "code": code(bit) })).collect();
    if !labels.is_empty() {
        provision["securityLabel"] = labels.into();
    }
    if let Some(kind) = kind {
        provision["type"] = (*kind).into();
    }
    if let Some(grantee) = grantee {
        let role = concept("http://terminology.hl7.org/CodeSystem/v3-ParticipationType", "PRCP");
        provision["actor"] = json!([{ "role": role, "reference": { "reference": grantee } }]);
    }
    if let Some(action) = action {
        provision["action"] = json!([concept("http://terminology.hl7.org/CodeSystem/consentaction", action)]);
    }
    provision
}

fn consent(rule: Option<&str>, root: &Drawn, nested: &[Drawn]) -> Value {
    let mut consent = json!({ "resourceType": "Consent", "status": "active",
        "scope": concept("http://terminology.hl7.org/CodeSystem/consentscope", "patient-privacy"),
        "patient": { "reference": "Patient/amina" }, "provision": provision(root) });
    if let Some(rule) = rule {
        consent["policyRule"] = policy(rule);
    }
    if !nested.is_empty() {
        consent["provision"]["provision"] = nested.iter().map(provision).collect();
    }
    consent
}

/// The bits that are granted, where all of it is understood: as docs/consent.md says it.
fn granted(rule: Option<&str>, root: &Drawn, nested: &[Drawn]) -> Option<i64> {
    let is_refusal = matches!(rule, Some("OPTOUT" | "OPTOUTE"));
    let (mut permitted, mut denied) = (0, 0);
    for (at, (kind, labels, _, action)) in [root].into_iter().chain(nested).enumerate() {
        if *action == Some("correct") {
            return None;
        }
        match (kind, labels.as_slice()) {
            (Some("deny"), []) if at == 0 => {}
            (_, [99] | []) => return None,
            (Some("deny"), [bit]) => denied |= bit,
            (Some(_), [bit]) => permitted |= bit,
            (None, [bit]) if is_refusal => permitted |= bit,
            _ => return None,
        }
    }
    let mut grantees: Vec<&str> = [root].into_iter().chain(nested).filter_map(|(_, _, grantee, _)| *grantee).collect();
    grantees.dedup();
    (grantees.len() == 1).then_some(permitted & !denied)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn only_a_named_label_is_granted(
        rule in option::of(select(vec!["OPTOUT", "OPTOUTE", "OPTIN", "OPTINR"])),
        root in drawn(),
        nested in vec(drawn(), 0..4),
    ) {
        let read = read(&consent(rule, &root, &nested), &vocabulary());
        match (read, granted(rule, &root, &nested)) {
            (Ok(ConsentReading::Sharing(sharing)), Some(labels)) => prop_assert_eq!(sharing.labels, labels),
            (Err(issues), None) => prop_assert!(issues.iter().all(|issue| issue.expression.starts_with("Consent."))),
            (read, expected) => prop_assert!(false, "{:?} {:?}", read, expected),
        }
    }

    #[test]
    fn what_was_written_is_read_as_it_was(
        labels in 0_i64..16,
        is_inactive in any::<bool>(),
        ends_at in option::of(0_i64..4_000_000_000_000),
        flags in any::<(bool, bool)>(),
        basis in option::of((select(vec!["EXPLICIT", "IMPLIED"]), option::of(select(vec!["PARENT", "OTHER"])), option::of("[a-z]{1,9}"))),
        grantee in 0..3,
    ) {
        let id = "clinic".to_owned();
        let sharing = Sharing {
            patient: "amina".into(),
            grantee: match grantee {
                0 => GranteeReference::Organization(id),
                1 => GranteeReference::Practitioner(id),
                _ => GranteeReference::RelatedPerson(id),
            },
            labels,
            is_inactive,
            ends_at,
            locked: Some(flags.0),
            manages: Some(flags.1),
            basis: basis.map(|(basis, reason, text)| BasisForm { basis: basis.into(), reason: reason.map(Into::into), text }),
        };
        prop_assert_eq!(shared(&written(&sharing, None)), sharing);
    }
}
