//! The order of a transaction: deletes, then creates, then updates and patches, then reads, each seeing what came before.

use super::bundles::{asks, numbered, result, sends, statuses, with};
use crate::kit::World;
use crate::kit::records::{AMINA, observation};
use serde_json::json;

const NEW: &str = "urn:uuid:61ebe359-bfdc-4613-8bf2-c5e300945f0a";

// gaps: FHIR, where R4 leaves it open > Order in a transaction
#[tokio::test]
async fn a_conditional_create_does_not_find_what_the_same_transaction_deletes() {
    let w = World::new().await;
    for caller in [w.system().await, w.dr_okafor().caller().await] {
        let old = caller.makes(&result(AMINA, "1")).await;
        let create = with(sends("POST", "Observation", &result(AMINA, "1")), "ifNoneExist", &numbered("1"));
        let mut derived = observation(AMINA);
        derived["derivedFrom"] = json!([{ "reference": NEW }]);
        let entries = [
            with(create.clone(), "fullUrl", NEW),
            sends("POST", "Observation", &derived),
            asks("DELETE", &numbered("1")),
        ];
        let answer = caller.exchanges("transaction", &entries).await;
        assert_eq!(statuses(&answer), [201, 201, 204], "{answer}");
        let id = answer["entry"][0]["resource"]["id"].as_str().unwrap();
        assert_ne!(format!("/fhir/Observation/{id}"), old);
        assert_eq!(caller.status(&old).await, 410);
        let found = caller.get(&format!("/fhir/{}", numbered("1"))).await.found();
        assert_eq!(found, [id]);
        assert_eq!(answer["entry"][1]["resource"]["derivedFrom"][0]["reference"], format!("Observation/{id}"));
        let by_id = [asks("DELETE", &format!("Observation/{id}")), create];
        assert_eq!(statuses(&caller.exchanges("transaction", &by_id).await), [204, 201]);
        assert_eq!(caller.get(&format!("/fhir/{}", numbered("1"))).await.found().len(), 1);
        let again = [asks("DELETE", &numbered("1")), sends("PUT", &numbered("1"), &result(AMINA, "1"))];
        assert_eq!(statuses(&caller.exchanges("transaction", &again).await), [204, 201]);
        assert_eq!(caller.delete(&format!("/fhir/{}", numbered("1"))).await.status, 204);
        assert_eq!(statuses(&caller.exchanges("transaction", &again).await), [204, 201], "nothing to delete");
        assert_eq!(caller.delete(&format!("/fhir/{}", numbered("1"))).await.status, 204);
    }
}

// gaps: FHIR, where R4 leaves it open > Order in a transaction
#[tokio::test]
async fn a_conditional_reference_does_not_find_what_the_same_transaction_deletes() {
    let w = World::new().await;
    let system = w.system().await;
    system.makes(&result(AMINA, "1")).await;
    let mut derived = observation(AMINA);
    derived["derivedFrom"] = json!([{ "reference": numbered("1") }]);
    let entries = [sends("POST", "Observation", &derived), asks("DELETE", &numbered("1"))];
    let (told, words) = system.is_refused(&entries, 412).await;
    assert!(told == "Bundle.entry[0]" && words.contains("nothing meets"), "{told} {words}");
    system.makes(&result(AMINA, "1")).await;
    let (_, words) = system.is_refused(&entries[..1], 412).await;
    assert!(words.contains("several"), "{words}");
}

// gaps: FHIR, where R4 leaves it open > Transaction fault
#[tokio::test]
async fn a_read_that_finds_nothing_fails_the_transaction_and_is_told_in_its_place_in_a_batch() {
    let w = World::new().await;
    let system = w.system().await;
    let gone = system.makes(&result(AMINA, "gone")).await;
    system.delete(&gone).await;
    let there = system.makes(&result(AMINA, "there")).await;
    let there = there.strip_prefix("/fhir/").unwrap();
    let gone = gone.strip_prefix("/fhir/").unwrap();
    let good = sends("POST", "Observation", &result(AMINA, "1"));
    for (read, status) in [
        ("Observation/nobody", 404),
        ("Patient/ben", 404),
        ("Patient/nobody/$everything", 404),
        ("Observation/nobody/_history", 404),
        (gone, 410),
    ] {
        let (told, words) = system.is_refused(&[good.clone(), asks("GET", read)], status).await;
        assert_eq!(told, "Bundle.entry[1]", "{words}");
        let batch = system.exchanges("batch", &[asks("GET", read)]).await;
        assert_eq!(statuses(&batch), [status]);
    }
    let entries = [asks("GET", there), asks("DELETE", there)];
    let (told, _) = system.is_refused(&entries, 410).await;
    assert_eq!(told, "Bundle.entry[0]");
    let past =
        [asks("GET", &format!("{there}/_history/1")), asks("DELETE", there), asks("GET", "Observation?code=none")];
    assert_eq!(statuses(&system.exchanges("transaction", &past).await), [200, 204, 200]);
}

// gaps: FHIR, where R4 leaves it open > Second DELETE
#[tokio::test]
async fn a_delete_of_what_was_never_there_is_done_and_sinks_no_transaction() {
    let w = World::new().await;
    let hidden = w.system_for_hillside().await.makes(&observation("ben")).await;
    for caller in [w.system().await, w.dr_okafor().caller().await, w.amina().caller().await] {
        for path in ["/fhir/Observation/never", hidden.as_str()] {
            let deleted = caller.delete(path).await;
            assert_eq!((deleted.status, deleted.header("etag"), deleted.body.len()), (204, None, 0), "{path}");
            let demanding =
                caller.send(axum::http::Method::DELETE, path, &[("if-match", "W/\"1\"")], String::new()).await;
            demanding.says(412, "PRECONDITION_FAILED");
        }
        let entries = [
            sends("POST", "Observation", &observation(AMINA)),
            asks("DELETE", "Observation/never"),
            asks("DELETE", hidden.strip_prefix("/fhir/").unwrap()),
        ];
        assert_eq!(statuses(&caller.exchanges("transaction", &entries).await), [201, 204, 204]);
    }
    w.system_for_hillside().await.get(&hidden).await.opened();
}

// gaps: Records and reach > Update as create
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_who_make_the_same_id_at_once_one_makes_it_and_the_others_come_after() {
    let w = World::new().await;
    let (system, hillside) = (w.system().await, w.system_for_hillside().await);
    for round in 0..5 {
        let id = format!("0b5c6a1e-7f43-4d0e-9a55-3c7d2f1e8b9{round}");
        let path = format!("/fhir/Observation/{id}");
        let requests = (0..12).map(|n| {
            let (caller, patient) = if n % 4 == 3 { (&hillside, "ben") } else { (&system, AMINA) };
            let mut chosen = result(patient, &n.to_string());
            chosen["id"] = json!(id);
            caller.put_request(&path, &chosen)
        });
        let replies = w.shoots(requests.collect()).await;
        let mut statuses: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
        statuses.sort_unstable();
        assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
        assert!(statuses.iter().all(|status| [200, 201, 404].contains(status)), "{statuses:?}");
    }
}
