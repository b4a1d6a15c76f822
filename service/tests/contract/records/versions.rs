//! `GET /fhir/{type}/{id}/_history/{version}`: what a resource was, to whoever may see it and might have seen it then.

use crate::kit::caller::Caller;
use crate::kit::records::{AMINA, LETTER_TEXT, NOTE, amina_says, document, import, letter};
use crate::kit::{BASE, HILLSIDE, MINUTE, NOW, RIVERSIDE, World};
use serde_json::json;

/// A minute after `NOW`.
const LATER: &str = "2026-11-15T09:31:00.000Z";

/// Amina's note in its second version, a minute later.
async fn second_note(w: &World) {
    w.after(MINUTE);
    let second = document("note", AMINA, NOTE, json!({ "contentType": "text/html", "data": "PGI+QnllPC9iPg==" }));
    import(&w.app.store, RIVERSIDE, &[second], w.now()).await;
}

#[tokio::test]
async fn the_location_of_a_create_is_where_it_says() {
    let w = World::new().await;
    for writer in [w.system().await, w.dr_okafor().caller().await, w.amina().caller().await] {
        let made = writer.post("/fhir/DocumentReference", &letter(AMINA)).await;
        let location = made.header("location").unwrap().strip_prefix(BASE).unwrap().to_owned();
        let there = writer.get(&location).await;
        assert_eq!((there.opened().text(), there.header("etag")), (made.text(), Some("W/\"1\"")));
        assert_eq!(there.header("last-modified"), made.header("last-modified"));
        assert_eq!(there.header("content-type"), Some("application/fhir+json; charset=UTF-8"));
        assert_eq!(there.header("cache-control"), Some("no-store"));
    }
}

#[tokio::test]
async fn a_version_stays_what_it_was_when_another_has_come() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    second_note(&w).await;
    amina_says(&w.app.store, "gender", json!("female"), w.now()).await;
    let source = format!("urn:recordgate:organisation:{RIVERSIDE}");
    for caller in [&amina, &w.dr_okafor().caller().await, &w.system().await] {
        for path in ["/fhir/DocumentReference/note", "/fhir/Patient/amina"] {
            let (first, second) = (format!("{path}/_history/1"), format!("{path}/_history/2"));
            for (at, version, updated, date) in [(&first, "1", NOW, "09:30:00"), (&second, "2", LATER, "09:31:00")] {
                let there = caller.get(at).await;
                let meta = &there.opened().json()["meta"];
                assert_eq!(*meta, json!({ "versionId": version, "lastUpdated": updated, "source": source }), "{at}");
                assert_eq!(there.header("etag"), Some(&*format!("W/\"{version}\"")));
                assert_eq!(there.header("last-modified"), Some(&*format!("Sun, 15 Nov 2026 {date} GMT")));
            }
            assert_eq!(caller.get(path).await.text(), caller.get(&second).await.text());
            assert_ne!(caller.get(&first).await.text(), caller.get(&second).await.text());
        }
    }
    let first = amina.get("/fhir/DocumentReference/note/_history/1").await.json();
    let second = amina.get("/fhir/DocumentReference/note/_history/2").await.json();
    let url = |document: &serde_json::Value| document["content"][0]["attachment"]["url"].as_str().unwrap().to_owned();
    let system = w.system().await;
    assert_eq!(system.get(&format!("/fhir/{}", url(&first))).await.text(), "<b>Hi</b>", "it names what it was");
    assert_eq!(system.get(&format!("/fhir/{}", url(&second))).await.text(), "<b>Bye</b>");
}

#[tokio::test]
async fn a_version_that_the_caller_holds_is_not_sent_again() {
    let w = World::new().await;
    second_note(&w).await;
    let okafor = w.dr_okafor().caller().await;
    let first = "/fhir/DocumentReference/note/_history/1";
    for held in ["W/\"1\"", "\"1\"", "*", "W/\"9\", W/\"1\""] {
        let reply = okafor.get_with(first, &[("if-none-match", held)]).await;
        assert_eq!((reply.status, reply.body.len(), reply.header("etag")), (304, 0, Some("W/\"1\"")), "{held}");
    }
    okafor.get_with(first, &[("if-none-match", "W/\"2\"")]).await.opened();
    let head = okafor.head(first).await;
    let whole = okafor.get(first).await;
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(head.header("content-length"), Some(&*whole.body.len().to_string()));
    assert_eq!(head.header("etag"), whole.header("etag"));
}

#[tokio::test]
async fn a_version_that_is_not_there_or_out_of_reach_is_not_found() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    let wrong = ["0", "2", "-1", "+1", "01", "1.0", "x", "1x", "%31x", "9223372036854775808", "1%20", "%FF", "1%2F"];
    for kind in ["Patient/amina", "DocumentReference/note", "Binary/letter-text-amina"] {
        for version in wrong {
            amina.get(&format!("/fhir/{kind}/_history/{version}")).await.says(404, "NOT_FOUND");
        }
    }
    amina.get("/fhir/Patient/amina/_history/%31").await.opened();
    for foreign in
        ["Patient/ben", "DocumentReference/letter-ben", "Binary/letter-text-ben", "Patient/nobody", "Patient/a_b"]
    {
        let there = amina.get(&format!("/fhir/{foreign}/_history/1")).await;
        there.says(404, "NOT_FOUND");
        assert_eq!(there.text(), amina.get(&format!("/fhir/{foreign}")).await.text(), "no other word than to a read");
    }
    amina.get("/fhir/Patient/amina/_history/1?_count=1").await.says(400, "BAD_REQUEST");
    amina.get("/fhir/Patient/amina/_history/1?_format=xml").await.says(406, "NOT_ACCEPTABLE");
}

/// A document that was about one patient and is now about another shows each version to those of its own record.
// gaps: Records and reach > Compartments
#[tokio::test]
async fn a_version_is_shown_to_those_of_the_record_that_it_was_in() {
    let w = World::new().await;
    let about = |patient| document("moved", patient, "M-1", json!({ "contentType": "text/plain", "data": "SGk=" }));
    import(&w.app.store, HILLSIDE, &[about("ben")], w.now()).await;
    let (amina, ben, hillside) = (w.amina().caller().await, w.ben().caller().await, w.system_for_hillside().await);
    let (okafor, henry) = (w.dr_okafor().caller().await, w.henry().caller().await);
    let there = async |caller: &Caller<'_>| {
        let mut statuses = Vec::new();
        for path in ["", "/_history/1", "/_history/2", "/_history"] {
            statuses.push(caller.status(&format!("/fhir/DocumentReference/moved{path}")).await);
        }
        statuses
    };
    assert_eq!(there(&ben).await, [200, 200, 404, 200]);
    import(&w.app.store, HILLSIDE, &[about("amina")], w.now()).await;
    assert_eq!(there(&ben).await, [410, 200, 404, 200], "the former patient");
    assert_eq!(there(&henry).await, [410, 200, 404, 200], "the team of the former patient");
    assert_eq!(there(&amina).await, [200, 404, 200, 200], "the patient of now");
    assert_eq!(there(&okafor).await, [200, 404, 200, 200], "the team of the patient of now");
    assert_eq!(there(&hillside).await, [200, 200, 200, 200], "who made both");
    assert_eq!(amina.get("/fhir/DocumentReference/moved/_history").await.json()["entry"].as_array().unwrap().len(), 1);
}

/// What was of two patients and is of one shows its past to both.
// gaps: Records and reach > Compartments
#[tokio::test]
async fn a_version_of_two_patients_shows_to_both_when_one_is_left() {
    let w = World::new().await;
    let mut both = document("both", AMINA, "B-1", json!({ "contentType": "text/plain", "data": "SGk=" }));
    let one = both.clone();
    both["author"] = json!([{ "reference": "Patient/ben" }]);
    import(&w.app.store, RIVERSIDE, &[both], w.now()).await;
    let (amina, ben) = (w.amina().caller().await, w.ben().caller().await);
    let first = "/fhir/DocumentReference/both/_history/1";
    assert_eq!((amina.status(first).await, ben.status(first).await), (200, 200));
    import(&w.app.store, RIVERSIDE, &[one], w.now()).await;
    assert_eq!((amina.status(first).await, ben.status(first).await), (200, 200), "each saw it then");
    let now = "/fhir/DocumentReference/both";
    assert_eq!((amina.status(now).await, ben.status(now).await), (200, 410));
}

#[tokio::test]
async fn whoever_reads_a_binary_reads_its_version_of_now_under_its_number_too() {
    let w = World::new().await;
    let path = "/fhir/Binary/letter-text-amina";
    for caller in [w.amina().caller().await, w.dr_okafor().caller().await, w.grace().caller().await, w.system().await] {
        let resource = caller.get(&format!("{path}?_format=json")).await;
        let version = caller.get(&format!("{path}/_history/1?_format=json")).await;
        assert_eq!(version.opened().text(), resource.opened().text());
        let content = caller.get(&format!("{path}/_history/1")).await;
        assert_eq!((content.opened().text(), content.header("content-type")), (LETTER_TEXT.into(), Some("text/plain")));
        assert!(content.header("content-security-policy").unwrap().contains("sandbox"));
        assert_eq!(content.header("etag"), Some("W/\"1\""));
    }
    let second =
        json!({ "resourceType": "Binary", "id": "letter-text-amina", "contentType": "text/plain", "data": "SGk=" });
    import(&w.app.store, RIVERSIDE, &[second], w.now()).await;
    for (caller, past) in
        [(w.amina().caller().await, 404), (w.dr_okafor().caller().await, 404), (w.system().await, 200)]
    {
        assert_eq!(caller.status(&format!("{path}/_history/2")).await, 200);
        // A document carries the content of now. What the Binary held before may have been for somebody else.
        assert_eq!(caller.status(&format!("{path}/_history/1")).await, past);
    }
}
