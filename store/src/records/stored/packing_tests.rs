//! What is packed comes back as it was, whatever it was.

use super::*;
use proptest::prelude::*;
use sha2::{Digest, Sha256};

fn again(body: &str) -> String {
    unpack(pack(body).into_owned())
}

#[test]
fn a_resource_is_less_than_a_third_of_what_it_says() {
    let body = r#"{"resourceType":"Observation","id":"8a549980-f266-4684-a0b9-f5d1b6d2f563","meta":{"versionId":"1","lastUpdated":"2026-01-16T19:36:04.420Z","source":"urn:recordgate:team:5d0a7c1e-6f43-4c55-9e0f-0f2a3c4b5d02"},"status":"final","category":[{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/observation-category","code":"laboratory"}]}],"code":{"coding":[{"system":"http://loinc.org","code":"2823-3","display":"Potassium"}]},"subject":{"reference":"Patient/bbae414b-9be1-4813-9604-e9f35bbf67ae"},"encounter":{"reference":"Encounter/117c6bd8-5af6-413c-839e-4ee55afeedd5"},"effectiveDateTime":"2023-02-01T11:12:00Z","issued":"2023-02-02T15:54:00Z","valueQuantity":{"value":5.4,"unit":"mmol/L","system":"http://unitsofmeasure.org","code":"mmol/L"}}"#;
    let packed = pack(body);
    assert!(packed.len() * 3 < body.len(), "{} of {}", packed.len(), body.len());
    assert_eq!(unpack(packed.into_owned()), body);
}

#[test]
fn the_phrases_never_change() {
    let hash: [u8; 32] = Sha256::digest(PHRASES).into();
    assert!(PHRASES.is_ascii() && SHARED.text.len() <= FAR);
    assert_eq!(hash[..4], PHRASES_BEGIN_WITH, "bodies that are stored refer to the places of phrases");
}

/// The first bytes of the hash of the phrases.
const PHRASES_BEGIN_WITH: [u8; 4] = [0xf4, 0xe7, 0x6d, 0x4d];

#[test]
fn what_is_no_body_of_ours_stays_as_it_is() {
    for stored in [
        "",
        "{}",
        "\u{1}\u{2}",
        "\u{1}\u{2}\u{7f}\u{7f}\u{7f}",
        "\u{1}\u{3}\u{1}\u{1}\u{1}",
        "\u{1}\u{3}\u{9}\u{9}\u{9}",
    ] {
        assert_eq!(unpack(stored.into()), stored);
    }
    let all = "\u{7f}".repeat(UUID_DIGITS);
    assert_eq!(unpack(format!("\u{1}\u{4}{all}")), format!("\u{1}\u{4}{all}"), "a number that is no UUID");
    assert_eq!(pack("{\"a\":\"\u{2}\"}"), "{\"a\":\"\u{2}\"}");
    let long = "a".repeat(LONGEST + 1);
    assert_eq!((pack(&long).len(), pack(&long[1..]).len() < LONGEST), (LONGEST + 1, true), "a long one does");
}

#[test]
fn what_repeats_itself_comes_back() {
    for body in [
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "éééééééééééééééééééé",
        "日本語日本語日本語日本語",
        &"0123456789".repeat(5_000),
    ] {
        assert_eq!(again(body), *body);
        assert!(pack(body).len() < body.len());
    }
}

proptest! {
    #[test]
    fn every_body_comes_back(parts in prop::collection::vec(("[ -~]{0,12}|\\PC{0,6}", 0_usize..14_000, 0_usize..200), 0..20)) {
        let phrases: String = PHRASES.lines().collect();
        let body: String = parts
            .iter()
            .map(|(own, from, length)| format!("{own}{}", phrases.get(*from..from + length).unwrap_or_default()))
            .collect();
        prop_assert_eq!(again(&body), body);
    }

    #[test]
    fn whatever_is_stored_can_be_read(stored in "\u{1}[\u{1}-\u{7f}a-zé]{0,60}") {
        let _ = unpack(stored);
    }
}
