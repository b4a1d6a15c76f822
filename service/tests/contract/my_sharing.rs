//! A patient sees with whom the record is shared, changes it label by label, ends it, and invites a carer, who accepts.

use crate::kit::browser::Browser;
use crate::kit::{RIVERSIDE_TEAM, World, fields};
use crate::rest::callers::{clinician, patient};
use axum::http::Method;
use serde_json::json;

/// Where the page of what the team sees is.
async fn of_team(browser: &mut Browser<'_>) -> String {
    let page = browser.sees("/sharing").await;
    let row = page.html.split("<tr role=\"row\">").find(|row| row.contains("Riverside Diabetes Team")).unwrap();
    row.split("href=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
}

/// An entry of the journal with this label, written by its patient: where others read it.
async fn written(w: &World, label: &str) -> String {
    let entry = json!({ "title": "Low today", "text": "x", "date": "2026-11-02", "privacyLabel": label });
    let made = patient(w).await.sends(Method::POST, "/json/journal", &entry).await;
    assert_eq!(made.status, 201, "{}", made.text());
    format!("/fhir/Observation/{}", made.json()["id"].as_str().unwrap())
}

async fn changes(browser: &mut Browser<'_>, path: &str, decision: &str, labels: &[&str]) -> u16 {
    let form = browser.sees(path).await.form(path);
    let ticked = labels.iter().map(|label| ((*label).to_owned(), "yes".to_owned()));
    let filled = fields([("form", form.sealed.as_str()), ("decision", decision)]);
    let filled: Vec<_> = filled.into_iter().chain(ticked).collect();
    browser.post(path, &filled).await.status
}

// gaps: Pages > Sharing
#[tokio::test]
async fn a_patient_opens_a_label_to_a_team_and_takes_it_back() {
    let w = World::new().await;
    let path = written(&w, "MENTAL_HEALTH").await;
    let doctor = clinician(&w).await;
    let mut amina = w.amina().signs_in().await;
    let of_team = of_team(&mut amina).await;
    assert_eq!(changes(&mut amina, &of_team, "change", &["GENERAL_HEALTH", "MENTAL_HEALTH"]).await, 303);
    assert_eq!(doctor.get(&path).await.status, 200);
    assert!(amina.sees("/sharing?done=changed").await.html.contains("What you share was changed."));
    let told = amina.sees("/notices").await.html;
    assert!(told.contains("sees less of this record now: general health, mental health."), "{told}");
    assert_eq!(changes(&mut amina, &of_team, "change", &["GENERAL_HEALTH"]).await, 303);
    assert_eq!(doctor.get(&path).await.status, 404);
}

#[tokio::test]
async fn each_label_says_how_much_of_the_record_it_is() {
    let w = World::new().await;
    written(&w, "MENTAL_HEALTH").await;
    let page = w.amina().signs_in().await.sees("/sharing").await.html;
    assert!(page.contains("<strong>Mental health</strong> <span class=\"by\">1 item</span>"), "{page}");
    assert!(page.contains("<strong>Social care</strong> <span class=\"by\">nothing yet</span>"), "{page}");
}

#[tokio::test]
async fn a_team_that_nothing_is_shared_with_sees_nothing_of_it_until_it_is_shared_again() {
    let w = World::new().await;
    let path = written(&w, "GENERAL_HEALTH").await;
    let mut amina = w.amina().signs_in().await;
    let of_team = of_team(&mut amina).await;
    let doctor = clinician(&w).await;
    assert_eq!(doctor.get(&path).await.status, 200);
    assert_eq!(changes(&mut amina, &of_team, "end", &[]).await, 303);
    assert_eq!(doctor.get(&path).await.status, 404);
    let page = amina.sees("/sharing").await.html;
    let not_shared = page.split("id=\"over\"").nth(1).unwrap();
    assert!(not_shared.contains("Riverside Diabetes Team"), "{page}");
    assert!(amina.sees(&of_team).await.html.contains("Share again"));
    assert_eq!(changes(&mut amina, &of_team, "change", &["GENERAL_HEALTH"]).await, 303);
    assert_eq!(doctor.get(&path).await.status, 200);
}

/// Nothing of it is done by a form of somebody else, by a form for another consent, or to somebody else's consent.
#[tokio::test]
async fn a_form_changes_the_one_consent_that_it_was_made_for() {
    let w = World::new().await;
    let mut amina = w.amina().signs_in().await;
    let of_team = of_team(&mut amina).await;
    let form = amina.sees(&of_team).await.form(&of_team);
    let filled = fields([("form", form.sealed.as_str()), ("decision", "end")]);
    let mut ben = w.ben().signs_in().await;
    assert_eq!(ben.get(&of_team).await.status, 404);
    assert_eq!(ben.post(&of_team, &filled).await.status, 400);
    assert_eq!(amina.post("/sharing/carer", &filled).await.status, 400);
    assert_eq!(amina.get("/sharing/no-such-consent").await.status, 404);
    let mut doctor = w.dr_okafor().signs_in().await;
    assert_eq!(doctor.get("/sharing").await.status, 403);
    assert!(amina.sees("/sharing").await.html.contains("<strong>Shared</strong>"));
}

// gaps: Pages > Notices
#[tokio::test]
async fn a_carer_is_invited_finds_it_in_the_notices_and_accepts() {
    let w = World::new().await;
    let (mut amina, mut ben) = (w.amina().signs_in().await, w.ben().signs_in().await);
    let form = amina.sees("/sharing/carer").await.form("/sharing/carer");
    let sent = fields([("form", form.sealed.as_str()), ("email", w.ben().account.username), ("GENERAL_HEALTH", "yes")]);
    let reply = amina.post("/sharing/carer", &sent).await;
    assert_eq!(reply.header("location"), Some("/sharing?done=invited"), "{}", reply.text());
    assert!(amina.sees("/sharing").await.html.contains("They have not accepted the invitation yet"));
    let home = ben.sees("/").await.html;
    assert!(home.contains("Notices (1 new)"), "{home}");
    let page = ben.sees("/notices").await;
    assert!(page.html.contains("An invitation to care for a record"), "{}", page.html);
    let accept = page.form("/notices/accept/amina");
    let sealed = fields([("form", accept.sealed.as_str())]);
    assert_eq!(amina.post("/notices/accept/amina", &sealed).await.status, 400, "nobody accepts for another");
    assert_eq!(ben.post("/notices/accept/amina", &sealed).await.header("location"), Some("/notices?accepted=1"));
    assert_eq!(ben.post("/notices/accept/amina", &sealed).await.status, 404, "once is enough");
    assert!(!amina.sees("/sharing").await.html.contains("They have not accepted the invitation yet"));
    let page = ben.sees("/notices").await;
    assert!(page.html.contains("the record of Amina Noor Rahman"), "{}", page.html);
    let seen = page.form("/notices/seen");
    let all = fields([("form", seen.sealed.as_str()), ("newest", page.hidden("newest").as_str())]);
    assert_eq!(ben.post("/notices/seen", &all).await.header("location"), Some("/notices"));
    let after = ben.sees("/notices").await.html;
    assert!(!after.contains("Mark all as read") && !after.contains(" new)"), "{after}");
}

// gaps: Pages > Inviting a carer
#[tokio::test]
async fn an_invitation_that_cannot_be_made_says_what_to_change() {
    let w = World::new().await;
    let mut amina = w.amina().signs_in().await;
    for (email, label, told) in [
        ("nobody", Some("GENERAL_HEALTH"), "We know no other person’s account"),
        (w.amina().account.username, Some("GENERAL_HEALTH"), "We know no other person’s account"),
        (w.dr_okafor().account.username, Some("GENERAL_HEALTH"), "We know no other person’s account"),
        (w.ben().account.username, None, "tick at least one label"),
    ] {
        let form = amina.sees("/sharing/carer").await.form("/sharing/carer");
        let label = label.map(|label: &str| (label.to_owned(), "yes".to_owned()));
        let filled = fields([("form", form.sealed.as_str()), ("email", email)]);
        let filled: Vec<_> = filled.into_iter().chain(label).collect();
        let reply = amina.post("/sharing/carer", &filled).await;
        assert_eq!(reply.status, 422);
        assert!(reply.text().contains(told), "{}", reply.text());
    }
}

/// What the patient is told is what the rule that decides says, and it says the opposite when the sharing has ended.
// gaps: Pages > Sharing
#[tokio::test]
async fn a_patient_asks_from_the_sharing_page_why_somebody_can_see_the_record() {
    let w = World::new().await;
    let mut amina = w.amina().signs_in().await;
    let of_team = of_team(&mut amina).await;
    let why = format!("{of_team}/why");
    let page = amina.sees(&of_team).await.html;
    assert!(page.contains(&format!("href=\"{why}\"")), "{page}");
    let page = amina.sees(&why).await.html;
    for told in
        ["<strong>the team Riverside Diabetes Team</strong> can see", "seen, by the right consent", "It is in force."]
    {
        assert!(page.contains(told), "{told} in {page}");
    }
    assert_eq!(changes(&mut amina, &of_team, "end", &[]).await, 303);
    let page = amina.sees(&why).await.html;
    assert!(page.contains("Of your record they hold: nothing but what they wrote"), "{page}");
    assert_eq!(w.ben().signs_in().await.get(&why).await.status, 404, "nobody asks about another record");
    assert_eq!(w.dr_okafor().signs_in().await.get(&why).await.status, 403);
    assert_eq!(amina.get("/sharing/no-such-consent/why").await.status, 404);
}

// gaps: Pages > Sharing
#[tokio::test]
async fn the_sharing_page_tells_who_broke_the_glass_and_why() {
    let w = World::new().await;
    let mut amina = w.amina().signs_in().await;
    assert!(amina.sees("/sharing").await.html.contains("Nobody has done this."));
    w.may_break_the_glass(RIVERSIDE_TEAM).await;
    let body = json!({ "reason": "Unconscious in the <waiting room>" });
    clinician(&w).await.sends(Method::POST, "/json/consents/BTG/amina", &body).await.opened();
    let page = amina.sees("/sharing").await.html;
    let told = page.split("id=\"emergencies\"").nth(1).unwrap();
    assert!(
        told.contains("Riverside Diabetes Team") && told.contains("Unconscious in the &#60;waiting room&#62;"),
        "{told}"
    );
    assert!(!w.ben().signs_in().await.sees("/sharing").await.html.contains("Unconscious"));
}

/// What professionals have locked shows no form, and one from before the lock is refused; so is one without a button, which would
/// otherwise take every label away.
// gaps: Pages > Sharing
#[tokio::test]
async fn nothing_is_changed_of_what_is_locked_or_by_a_form_without_its_button() {
    let w = World::new().await;
    let path = written(&w, "GENERAL_HEALTH").await;
    let mut amina = w.amina().signs_in().await;
    let of_team = of_team(&mut amina).await;
    let doctor = clinician(&w).await;
    for decision in ["", "else"] {
        assert_eq!(changes(&mut amina, &of_team, decision, &[]).await, 400, "{decision}");
    }
    let before = amina.sees(&of_team).await.form(&of_team);
    let lock = json!({ "actorType": "TEAM", "actorId": RIVERSIDE_TEAM, "professionalEditOnly": true,
        "basis": "EXPLICIT", "reason": "OTHER", "reasonText": "a safeguarding plan" });
    doctor.sends(Method::POST, "/json/consents/forPatient/amina", &lock).await.opened();
    let page = amina.sees(&of_team).await.html;
    assert!(page.contains("Professionals have locked this") && !page.contains("name=\"decision\""), "{page}");
    for decision in ["end", "change"] {
        let late = fields([("form", before.sealed.as_str()), ("decision", decision)]);
        assert_eq!(amina.post(&of_team, &late).await.status, 403, "{decision}");
    }
    assert_eq!(doctor.get(&path).await.status, 200);
}
