//! Reads that can be long hold up nobody but each other, and whoever asks for too much is told so.

mod embedded;
mod server;

use crate::kit::caller::Caller;
use crate::kit::records::{AMINA, import, letter};
use crate::kit::{RIVERSIDE, World, place};
use axum::http::{Method, StatusCode};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use service::app::request_context;
use service::routes::Voice;
use service::voices::api::ApiStop;
use service::voices::stop::{Situation, Stop};
use std::time::{Duration, Instant};
use store::Budget;

/// Longer than any test takes.
const PATIENCE: Duration = Duration::from_secs(120);
const SLOW: usize = 10;

/// Everything that is asked for most, and needs no long read.
async fn everything_else_is_answered(w: &World, okafor: &Caller<'_>) {
    for _ in 0..10 {
        okafor.get("/fhir/Patient/amina").await.opened();
        okafor.get("/fhir/DocumentReference/note").await.opened();
        okafor.get("/fhir/DocumentReference/note/_history/1").await.opened();
        okafor.get("/fhir/Binary/letter-text-amina").await.opened();
        okafor.get("/json/attachments/letter-amina").await.opened();
        okafor.get("/json/users/self").await.opened();
        w.client("Lab Link").client_credentials().await.granted();
    }
    okafor.creates(&letter(AMINA)).await;
    let (app, tokens) = w.amina().approves("Sleep Diary").await;
    app.refresh(&tokens).await.granted();
    w.get("/fhir/metadata").await.opened();
    assert_eq!(w.get("/readyz").await.status, 200);
}

/// Alternatives of one search, as many as there may be, with Amina among them.
fn fifty() -> String {
    let others: Vec<String> = (1..50).map(|number| format!("N-{number}")).collect();
    format!("/fhir/Patient?identifier={},9990000018", others.join(","))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_is_one_read_however_many_alternatives_it_has() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let searches = (0..16).map(|_| okafor.get_request(&fifty())).collect();
    for reply in w.shoots(searches).await {
        assert_eq!(reply.found(), [AMINA]);
    }
}

/// The two voices of what takes too long: FHIR has a word for it, the custom REST API is too busy.
#[tokio::test]
async fn what_is_too_costly_is_422_in_fhirs_voice_and_503_in_rests() {
    let w = World::new().await;
    for (voice, status) in
        [(Voice::Fhir, StatusCode::UNPROCESSABLE_ENTITY), (Voice::Rest, StatusCode::SERVICE_UNAVAILABLE)]
    {
        let at = Situation { app: &w.app, voice, method: &Method::GET, path: "/somewhere" };
        let id = w.app.request_ids.next();
        let told = std::pin::pin!(async { Box::new(ApiStop::from(store::Error::TooCostly)).say(&at) });
        let told = request_context::within(id.clone(), None, told).await;
        assert_eq!(told.status(), status);
        assert_eq!(told.headers().contains_key("retry-after"), status == StatusCode::SERVICE_UNAVAILABLE);
        let body: Value = serde_json::from_slice(&told.into_body().collect().await.unwrap().to_bytes()).unwrap();
        let words = match voice {
            Voice::Fhir => {
                assert_eq!(body["issue"][0]["code"], "too-costly");
                &body["issue"][0]["diagnostics"]
            }
            _ => &body["errorMessage"],
        };
        assert!(words.as_str().unwrap().starts_with("this would take too long to answer"), "{words}");
        assert!(words.as_str().unwrap().ends_with(&format!("(request {})", id.as_str())), "{words}");
    }
}

// gaps: FHIR, where R4 leaves it open > Fairness
/// Whoever asks for too much at once hears so, and when to come again; it is nobody else's 503.
#[tokio::test]
async fn a_caller_with_too_many_reads_waiting_is_429_and_told_when_to_try_again() {
    let w = World::new().await;
    for voice in [Voice::Fhir, Voice::Rest] {
        let at = Situation { app: &w.app, voice, method: &Method::GET, path: "/somewhere" };
        let told = Box::new(ApiStop::from(store::Error::CallerBusy)).say(&at);
        assert_eq!(told.status(), StatusCode::TOO_MANY_REQUESTS);
        assert!(told.headers().contains_key("retry-after"));
    }
}

#[tokio::test]
async fn a_search_by_words_that_takes_too_long_is_refused_and_never_answered_in_part() {
    let directory = tempfile::tempdir().unwrap();
    let place = place(&cluster::database(&directory.path().join("data")));
    let budget = Budget { time: Duration::from_millis(1), ..Budget::default() };
    let w = World::within(budget, &place, directory, |_| {}).await;
    let told = |at: usize| {
        let mut one = crate::kit::records::observation(AMINA);
        one["id"] = format!("o-{at}").into();
        let div = "<div xmlns=\"http://www.w3.org/1999/xhtml\">A walrus, seen</div>";
        one["text"] = json!({ "status": "generated", "div": div });
        one
    };
    import(&w.app.store, RIVERSIDE, &(0..700).map(told).collect::<Vec<_>>(), w.now()).await;
    let okafor = w.dr_okafor().caller().await;
    for query in ["_text=walrus%20seen,nothing&_count=200", "_content=nothing", "_text=walrus&_total=accurate&_count=1"]
    {
        let deadline = Instant::now() + PATIENCE;
        let refused = loop {
            let answer = okafor.get(&format!("/fhir/Observation?{query}")).await;
            // On a busy machine no reader may be free in so little time.
            if answer.status != 503 {
                break answer;
            }
            assert!(Instant::now() < deadline, "no reader is ever free");
        };
        refused.says(422, "TOO_COSTLY");
        assert_eq!(refused.json()["resourceType"], "OperationOutcome");
    }
}

/// A document of a thousand identifiers, and the query that asks about all of them: more rows than are on their way at a
/// time.
async fn a_thousand_identifiers(w: &World) -> Value {
    let values: Vec<String> = (0..1000).map(|number| format!("many-{number}")).collect();
    let mut document =
        crate::kit::records::document("many", AMINA, "x", json!({ "contentType": "text/plain", "data": "SGk=" }));
    document["identifier"] = values.iter().map(|value| json!({ "value": value })).collect();
    import(&w.app.store, RIVERSIDE, &[document], w.now()).await;
    let parameter: Vec<Value> =
        values.iter().map(|value| json!({ "name": "documentIdentifier", "valueString": value })).collect();
    json!({ "resourceType": "Parameters", "parameter": parameter })
}
