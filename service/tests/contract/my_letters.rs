//! Letters on the pages of a record: what is known of one before it is opened, that opening it tells the sender, and that nothing of
//! it ever runs here.

use crate::kit::browser::Browser;
use crate::kit::records::{AMINA, LETTER_TEXT, document, import};
use crate::kit::reply::Reply;
use crate::kit::{MINUTE, RIVERSIDE, RIVERSIDE_TEAM, World};
use crate::rest::callers::{clinician, patient};
use axum::http::Method;
use fhir::base64_binary::encode;
use serde_json::{Value, json};
use service::app::sweeper::Sweeper;

const LETTER: &str = "/record/letters/letter-amina";
const FILE: &str = "/record/attachments/letter-text-amina";

fn of_team(rest: &str) -> String {
    format!("/teams/{RIVERSIDE_TEAM}/patients/{AMINA}/letters{rest}")
}

async fn is_read(w: &World) -> bool {
    clinician(w).await.get("/json/documents/letter-amina").await.opened().json()["status"] == "READ"
}

/// What says that a browser keeps a file and never runs it here.
fn is_inert(reply: &Reply) -> bool {
    let header = |name| reply.header(name).unwrap_or_default().to_owned();
    header("content-disposition").starts_with("attachment")
        && header("content-security-policy").contains("sandbox")
        && header("x-content-type-options") == "nosniff"
        && header("cache-control") == "no-store"
}

// gaps: Pages > Letters
#[tokio::test]
async fn a_patient_reads_who_sent_a_letter_and_opening_it_tells_the_sender_and_nobody_before() {
    let w = World::new().await;
    let mut amina = w.amina().signs_in().await;
    let list = amina.sees("/record/letters").await.html;
    assert!(list.contains("Not opened yet") && list.contains(LETTER), "{list}");
    let before = amina.sees(LETTER).await.html;
    for told in [
        "Riverside",
        "<dt>Opened</dt> <dd>Not yet",
        "Opening it tells whoever sent it",
        FILE,
        "Clinic letter",
        "Download: text",
    ] {
        assert!(before.contains(told), "{told} in {before}");
    }
    let head = w.send(amina.request(Method::HEAD, FILE, &[])).await;
    assert_eq!(head.status, 200);
    assert!(!is_read(&w).await, "looking at what is known of it opens nothing");
    let file = amina.get(FILE).await;
    assert_eq!((file.status, file.body.as_slice()), (200, LETTER_TEXT.as_bytes()));
    assert_eq!(file.header("content-disposition"), Some("attachment; filename=\"Clinic letter.txt\""));
    assert!(is_inert(&file), "{:?}", file.headers);
    assert!(is_read(&w).await);
    let after = amina.sees(LETTER).await.html;
    assert!(
        after.contains("First on <time datetime=\"2026-11-15T09:30:00.000Z\">") && after.contains("can see that"),
        "{after}"
    );
    assert!(amina.sees("/record/letters").await.html.contains("<span class=\"value\">Opened</span>"));
    let log = amina.sees("/access-log").await.html;
    assert!(log.contains("Opened a letter “Clinic letter”"), "{log}");
}

// gaps: Pages > Letters
#[tokio::test]
async fn whatever_a_letter_is_a_browser_keeps_it_and_runs_nothing_of_it_here() {
    let w = World::new().await;
    let script = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
    let title = "<script>alert(1)</script>\".html";
    for (at, media_type) in [
        "text/html",
        "image/svg+xml",
        "application/pdf",
        "application/xhtml+xml",
        "text/javascript",
        "application/x-nonsense",
    ]
    .iter()
    .enumerate()
    {
        let (letter, file) = (format!("hostile-{at}"), format!("hostile-text-{at}"));
        let binary = json!({ "resourceType": "Binary", "id": file, "contentType": media_type, "data": encode(script) });
        let attachment = json!({ "contentType": media_type, "url": format!("Binary/{file}"), "title": title });
        let mut document = document(&letter, AMINA, &letter, attachment);
        document["description"] = json!(title);
        document["type"] = json!({ "text": title });
        import(&w.app.store, RIVERSIDE, &[binary, document], w.now()).await;
        let mut amina = w.amina().signs_in().await;
        let page = amina.sees(&format!("/record/letters/{letter}")).await.html;
        assert!(!page.contains("<script") && page.contains("&#60;script&#62;"), "{page}");
        let reply = amina.get(&format!("/record/attachments/{file}")).await;
        assert_eq!((reply.status, reply.body.as_slice()), (200, script.as_slice()), "{media_type}");
        assert!(is_inert(&reply), "{media_type}: {:?}", reply.headers);
        let list = amina.sees("/record/letters").await.html;
        assert!(!list.contains("<script"), "{list}");
    }
}

// gaps: Pages > Letters
#[tokio::test]
async fn a_letter_that_is_held_back_says_until_when_and_opens_when_it_is_released() {
    let w = World::new().await;
    let mut sent =
        document("held", AMINA, "held", json!({ "contentType": "text/plain", "data": encode(b"All is well.") }));
    sent.as_object_mut().unwrap().remove("id");
    sent["extension"] = json!([{ "url": "urn:recordgate:hidden-days", "valueInteger": 2 }]);
    let made = w.system().await.post("/fhir/DocumentReference", &sent).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let id = made.json()["id"].as_str().unwrap().to_owned();
    let binary = made.json()["content"][0]["attachment"]["url"].as_str().unwrap().replace("Binary/", "");
    let (page, file) = (format!("/record/letters/{id}"), format!("/record/attachments/{binary}"));
    let mut amina = w.amina().signs_in().await;
    let held = amina.sees(&page).await.html;
    assert!(held.contains("You can open it from <time datetime=\"2026-11-17T09:30:00.000Z\">"), "{held}");
    assert!(!held.contains(&file), "{held}");
    let refused = amina.get(&file).await.error_page(403);
    assert!(refused.contains("This has arrived and can be read from 2026-11-17 on."), "{refused}");
    amina.get(&format!("/record/attachments/{id}")).await.error_page(403);
    // As the custom REST API says it, and its sender, who is not kept from it, sees it too.
    let item = patient(&w).await.get(&format!("/json/documents/{id}")).await.opened().json();
    assert_eq!(item["hiddenUntil"], "2026-11-17T09:30:00.000Z", "{item}");
    let doctors = w.dr_okafor().signs_in().await.sees(&of_team(&format!("/{id}"))).await.html;
    assert!(doctors.contains("Not before") && doctors.contains(&format!("/files/{binary}")), "{doctors}");
    w.after(3 * 24 * 60 * MINUTE);
    let sweeper = Sweeper::begin(w.app.clone()).await;
    while sweeper.release().await.unwrap() {}
    let mut amina = w.amina().signs_in().await;
    assert!(amina.sees(&page).await.html.contains(&file));
    assert_eq!(amina.get(&file).await.body, b"All is well.");
    assert_eq!(patient(&w).await.get(&format!("/json/documents/{id}")).await.json()["hiddenUntil"], Value::Null);
}

#[tokio::test]
async fn a_letter_of_another_record_one_that_never_was_and_what_is_no_letter_are_the_same() {
    let w = World::new().await;
    let mut amina = w.amina().signs_in().await;
    for id in ["letter-ben", "letter-text-ben", "none", "a%20b", "letter-text-amina", "amina"] {
        amina.get(&format!("/record/letters/{id}")).await.error_page(404);
    }
    for id in ["letter-ben", "letter-text-ben", "none", "a%20b", "elsewhere", "amina"] {
        amina.get(&format!("/record/attachments/{id}")).await.error_page(404);
    }
    let doctor = w.system().await;
    assert_eq!(doctor.delete("/fhir/DocumentReference/letter-amina").await.status, 204);
    amina.get(LETTER).await.error_page(404);
    assert!(!amina.sees("/record/letters").await.html.contains(LETTER));
}

#[tokio::test]
async fn a_part_of_a_file_is_sent_to_who_asks_for_it() {
    let w = World::new().await;
    let amina = w.amina().signs_in().await;
    let ranged = |range: &'static str| {
        let mut request = amina.request(Method::GET, FILE, &[]);
        request.headers_mut().insert("range", range.parse().unwrap());
        request
    };
    let part = w.send(ranged("bytes=0-3")).await;
    assert_eq!((part.status, part.body.as_slice()), (206, &LETTER_TEXT.as_bytes()[..4]));
    assert!(is_inert(&part), "{:?}", part.headers);
    w.send(ranged("bytes=400-")).await.error_page(416);
}

/// The files that a page leads to.
fn files(page: &str) -> Vec<String> {
    page.split("href=\"")
        .filter(|rest| rest.contains("/files/"))
        .map(|rest| rest.split('"').next().unwrap().into())
        .collect()
}

// gaps: Pages > Letters
#[tokio::test]
async fn a_clinician_reads_the_letters_that_are_shared_with_the_team_and_that_is_no_receipt() {
    let w = World::new().await;
    let mut doctor = w.dr_okafor().signs_in().await;
    let list = doctor.sees(&of_team("")).await.html;
    assert!(list.contains(&of_team("/letter-amina")), "{list}");
    let page = doctor.sees(&of_team("/letter-amina")).await.html;
    assert!(page.contains("<dd>Not yet") && !page.contains("Opening it tells"), "{page}");
    let [file] = files(&page).try_into().unwrap();
    assert_eq!(file, of_team("/letter-amina/files/letter-text-amina"));
    let opened = doctor.get(&file).await;
    assert_eq!((opened.status, opened.body.as_slice()), (200, LETTER_TEXT.as_bytes()));
    assert!(is_inert(&opened) && !is_read(&w).await);
    let log = w.amina().signs_in().await.sees("/access-log").await.html;
    assert!(log.contains("Opened a letter “Clinic letter”"), "{log}");
}

async fn refuses(browser: &mut Browser<'_>, path: &str) {
    browser.get(path).await.error_page(404);
}

#[tokio::test]
async fn a_clinician_opens_a_file_of_that_letter_of_that_patient_alone() {
    let w = World::new().await;
    let mut doctor = w.dr_okafor().signs_in().await;
    for rest in [
        "/letter-ben",
        "/none",
        "/letter-text-amina",
        "/letter-amina/files/none",
        "/letter-amina/files/letter-text-ben",
        "/elsewhere/files/letter-text-amina",
    ] {
        refuses(&mut doctor, &of_team(rest)).await;
    }
    refuses(&mut doctor, &format!("/teams/{RIVERSIDE_TEAM}/patients/ben/letters/letter-amina")).await;
    // A label that is not shared with the team hides the letter and its file.
    let label = json!({ "privacyLabel": "SEXUAL_HEALTH" });
    let amina = patient(&w).await;
    amina.sends(Method::PUT, "/json/privacyLabels/DocumentReference/letter-amina", &label).await.opened();
    let general = json!({ "actorType": "TEAM", "actorId": RIVERSIDE_TEAM, "sexualHealthConsentGranted": false });
    amina.sends(Method::POST, "/json/consents/forPatient/amina", &general).await.opened();
    refuses(&mut doctor, &of_team("/letter-amina")).await;
    refuses(&mut doctor, &of_team("/letter-amina/files/letter-text-amina")).await;
    assert!(!doctor.sees(&of_team("")).await.html.contains("letter-amina"));
    let mut amina = w.amina().signs_in().await;
    amina.get(&of_team("/letter-amina")).await.error_page(403);
}
