//! Whether a store is whole: nothing is found where nothing is wrong, and what is wrong is named.

use crate::shelf::{Shelf, binary, letter, patient, reread, resource};
use crate::world::NOW;
use fhir::types::ResourceType;
use std::sync::Arc;
use store::checks::{self, Findings};
use store::ledger;
use store::write::resource_write::Outcome;

/// A few resources of each sort: two versions of a Patient, a letter, its content, an appointment of two, and a weight.
async fn shelf() -> Shelf {
    let shelf = Shelf::new().await;
    for version in [1, 2] {
        let amina = patient("amina", &[(None, &format!("N-{version}"))]);
        assert_eq!(shelf.put(amina, shelf.by_elsewhere()).await.outcome, Outcome::Version(version));
    }
    shelf.put_new(binary("scan"), shelf.by_elsewhere()).await;
    shelf.put_new(letter("letter", "amina", "L-1", "scan"), shelf.by_elsewhere()).await;
    let participants =
        r#","participant":[{"actor":{"reference":"Patient/amina"}},{"actor":{"reference":"Patient/eva"}}]"#;
    shelf.put_new(resource(ResourceType::Appointment, "visit", participants), shelf.by_east()).await;
    let weight =
        r#","subject":{"reference":"Patient/amina"},"code":{"coding":[{"code":"29463-7"}]},"effectiveDateTime":"2020""#;
    shelf.put_new(resource(ResourceType::Observation, "weight", weight), shelf.by_elsewhere()).await;
    shelf
}

/// What is found in the store, as `check at: problem`.
pub async fn found(shelf: &Shelf) -> (Findings, Vec<String>) {
    let mut faults = Vec::new();
    let mut tell = |check: &'static str, fault: &checks::Fault| {
        faults.push(format!("{check} {}: {}", fault.at, fault.problem));
    };
    let place = shelf.w.home.place();
    let findings = checks::run(&place, Arc::new(reread), None, &mut tell, &mut |_, _, _| ()).await.unwrap();
    assert_eq!(findings.faults, u64::try_from(faults.len()).unwrap());
    (findings, faults)
}

#[tokio::test]
async fn a_whole_store_is_found_whole_beside_whoever_is_at_work_in_it() {
    let shelf = shelf().await;
    let lines = ledger::add(&shelf.w.store, NOW).await.unwrap();
    assert!(lines > 0);
    let (findings, faults) = found(&shelf).await;
    assert_eq!(faults, Vec::<String>::new());
    let rows: Vec<_> = findings.checked.iter().filter(|(check, _)| *check != "files").copied().collect();
    let patients = shelf.w.count("SELECT count(*) FROM patients").unsigned_abs();
    assert_eq!(
        rows,
        [("records", 5), ("versions", 1), ("contents", 1), ("index", 5), ("sight", patients), ("ledger", lines)]
    );
    shelf.put_at(patient("amina", &[]), shelf.by_elsewhere(), NOW).await;
    assert_eq!(found(&shelf).await.1, Vec::<String>::new());
}

#[tokio::test]
async fn every_row_that_is_not_what_was_written_is_named() {
    for (change, expected) in [
        ("UPDATE resources SET body = replace(body, 'N-2', 'N-3')", "records Patient/amina"),
        ("UPDATE resources SET needs = 2 WHERE fhir_id = 'letter'", "records DocumentReference/letter"),
        ("UPDATE resources SET content_hash = NULL WHERE fhir_id = 'scan'", "records Binary/scan"),
        ("UPDATE resources SET source_user_id = 5 WHERE fhir_id = 'scan'", "records Binary/scan"),
        ("UPDATE versions SET body = replace(body, 'N-1', 'N-0')", "versions Patient/amina version 1"),
        ("UPDATE versions SET version = 7", "versions Patient/amina version 7"),
        ("UPDATE versions SET resource_id = 5", "versions version 1 of row 5"),
        ("DELETE FROM tokens WHERE value = 'L-1'", "index DocumentReference/letter"),
        ("UPDATE tokens SET value = 'N-9' WHERE value = 'N-2'", "index Patient/amina"),
        (
            "INSERT INTO tokens (type, parameter_id, value, resource_id, system_id) VALUES (103, 1, 'x', 5, 0)",
            "index row 5",
        ),
        ("DELETE FROM index_tokens WHERE code = 'L-1'", "index DocumentReference/letter"),
        ("UPDATE index_tokens SET system = 7 WHERE code = 'N-2'", "index Patient/amina"),
        ("UPDATE index_references SET target = 'x' WHERE target = 'amina'", "index Appointment/visit"),
        ("DELETE FROM index_uris", "index Patient/amina"),
        ("UPDATE index_uris SET uri = 'urn:x'", "index Patient/amina"),
        (
            "INSERT INTO index_dates (type, parameter, low, high, resource_id, part) VALUES (103, 4, 1, 2, 5, 0)",
            "index row 5",
        ),
        ("DELETE FROM index_courses", "index Observation/weight"),
        ("UPDATE index_courses SET moment = 7", "index Observation/weight"),
        ("UPDATE index_courses SET patient_id = 5", "index Observation/weight"),
        (
            "INSERT INTO index_courses (patient_id, parameter, code, moment, resource_id, system) VALUES (1, 4, 'x', 2, 5, 0)",
            "index row 5",
        ),
        ("DELETE FROM compartments", "index Appointment/visit"),
        ("INSERT INTO compartments (resource_id, version, patient_id) VALUES (5, 1, 1)", "index row 5"),
        ("INSERT INTO participants (resource_id, viewer_id) VALUES (5, 1)", "index row 5"),
        ("INSERT INTO drafters (resource_id, user_id) VALUES (5, 1)", "index row 5"),
        ("INSERT INTO conversations (conversation_id, resource_id) VALUES ('x', 5)", "index row 5"),
        ("UPDATE patients SET deceased = 1 WHERE fhir_id = 'amina'", "index Patient/amina"),
        ("UPDATE sight SET labels = 7 WHERE labels = 15", "sight patient amina"),
        ("DELETE FROM makers", "sight patient amina"),
        ("INSERT INTO sight (patient_id, viewer_id, labels) VALUES (5, 6, 15)", "sight patient 5"),
        ("DELETE FROM consents", "sight patient eva"),
    ] {
        let shelf = shelf().await;
        shelf.w.home.run(change);
        let (_, faults) = found(&shelf).await;
        assert!(faults.iter().any(|fault| fault.starts_with(expected)), "{change}: {faults:?}");
    }
}

#[tokio::test]
async fn many_rows_are_looked_at_each_once() {
    let shelf = shelf().await;
    for n in 0..1203 {
        shelf.put_new(binary(&format!("b{n}")), shelf.by_elsewhere()).await;
    }
    let (findings, faults) = found(&shelf).await;
    assert_eq!(faults, Vec::<String>::new());
    assert!(findings.checked.contains(&("records", 1208)) && findings.checked.contains(&("index", 1208)));
    shelf.w.home.run("UPDATE resources SET body = replace(body, 'text/plain', 'text/html') WHERE fhir_id LIKE 'b%7'");
    assert_eq!(found(&shelf).await.0.faults, 120);
}
