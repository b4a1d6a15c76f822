//! A clinician finds a patient of the team, reads what is shared with it, and opens a record in an emergency.

use crate::kit::browser::Browser;
use crate::kit::records::{AMINA, AMINA_NHS};
use crate::kit::{HILLSIDE_TEAM, MINUTE, RIVERSIDE_TEAM, SLEEP_TEAM, World, fields};
use crate::rest::callers::{clinician, patient};
use axum::http::Method;
use serde_json::json;

fn of_team(team: &str, rest: &str) -> String {
    format!("/teams/{team}{rest}")
}

fn of_amina(rest: &str) -> String {
    of_team(RIVERSIDE_TEAM, &format!("/patients/{AMINA}{rest}"))
}

/// Amina shares general health alone with the team, and wrote an entry of general and one of mental health.
async fn shares_little(w: &World) {
    let amina = patient(w).await;
    for (title, label) in [("Slept well", "GENERAL_HEALTH"), ("Felt very low", "MENTAL_HEALTH")] {
        let entry = json!({ "title": title, "text": "x", "date": "2026-11-02", "privacyLabel": label });
        assert_eq!(amina.sends(Method::POST, "/json/journal", &entry).await.status, 201);
    }
    let general = json!({ "actorType": "TEAM", "actorId": RIVERSIDE_TEAM, "mentalHealthConsentGranted": false,
        "sexualHealthConsentGranted": false, "socialCareConsentGranted": false });
    amina.sends(Method::POST, "/json/consents/forPatient/amina", &general).await.opened();
}

/// Fills in the form of an emergency look.
async fn breaks(browser: &mut Browser<'_>, path: &str, with: &[(&str, &str)]) -> crate::kit::reply::Reply {
    let form = browser.sees(path).await.form(path);
    let mut filled = fields([("form", form.sealed.as_str())]);
    filled.extend(with.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    browser.post(path, &filled).await
}

// gaps: Pages > My patients
#[tokio::test]
async fn a_clinician_reads_what_is_shared_with_the_team_and_is_told_how_much_that_is() {
    let w = World::new().await;
    shares_little(&w).await;
    let mut doctor = w.dr_okafor().signs_in().await;
    let teams = doctor.get("/teams").await;
    assert_eq!(teams.header("location"), Some(of_team(RIVERSIDE_TEAM, "").as_str()), "one team is not chosen");
    let list = doctor.sees(&of_team(RIVERSIDE_TEAM, "")).await.html;
    let sees = "You see general health. Mental health, sexual health and social care are not shared with your team.";
    assert!(list.contains("Amina Noor Rahman") && list.contains(sees), "{list}");
    assert!(!list.contains("emergency"), "{list}");
    let record = doctor.sees(&of_amina("")).await.html;
    assert!(record.contains(sees) && record.contains("Slept well"), "{record}");
    assert!(!record.contains("Felt very low"), "{record}");
    let journal = doctor.sees(&of_amina("/journal")).await.html;
    assert!(journal.contains(sees) && journal.contains("Written by Amina"), "{journal}");
    assert_eq!(journal.matches("<li class=\"panel\">").count(), 1, "{journal}");
    // The words are of the consent: that nothing is hidden is told as little as that something is.
    let plans = doctor.sees(&of_amina("/plans")).await.html;
    assert!(plans.contains(sees) && plans.contains("nothing of this kind in what you see"), "{plans}");
    let log = w.amina().signs_in().await.sees("/access-log").await.html;
    assert!(log.contains("<h3>A page of this service</h3>") && log.contains("Dr Okafor, Riverside"), "{log}");
}

// gaps: Pages > My patients
#[tokio::test]
async fn a_team_of_others_a_patient_of_others_and_what_never_was_are_the_same() {
    let w = World::new().await;
    let mut doctor = w.dr_okafor().signs_in().await;
    for team in [SLEEP_TEAM, HILLSIDE_TEAM, "nobody"] {
        for rest in ["", "/patients/amina", "/patients/amina/journal", "/emergency", "/patients/amina/emergency"] {
            doctor.get(&of_team(team, rest)).await.error_page(404);
        }
    }
    for one in ["ben", "nobody", "a%20b"] {
        doctor.get(&of_team(RIVERSIDE_TEAM, &format!("/patients/{one}"))).await.error_page(404);
        doctor.get(&of_team(RIVERSIDE_TEAM, &format!("/patients/{one}/journal"))).await.error_page(404);
    }
    doctor.get(&of_amina("/dreams")).await.error_page(404);
    // Another team of the organisation has nothing to do with her.
    let mut silva = w.dr_silva().signs_in().await;
    silva.get(&of_team(SLEEP_TEAM, "/patients/amina")).await.error_page(404);
    assert!(!silva.sees(&of_team(SLEEP_TEAM, "?state=ALL")).await.html.contains("Rahman"));
}

// gaps: Pages > My patients
#[tokio::test]
async fn patients_are_found_by_name_and_number_among_those_in_care_or_not_any_more() {
    let w = World::new().await;
    let mut doctor = w.dr_okafor().signs_in().await;
    let spaced = format!("{} {}", &AMINA_NHS[..3], &AMINA_NHS[3..]).replace(' ', "+");
    for (query, is_found) in [
        ("q=rahm", true),
        ("q=amina+rahman", true),
        ("q=whitlock", false),
        (&*format!("q={AMINA_NHS}"), true),
        (&*format!("q={spaced}"), true),
        ("q=9990000026", false),
        ("q=a%7Cb%2C%24", false),
        ("q=rahm&state=PAST", false),
        ("state=PAST", false),
        ("state=ALL", true),
    ] {
        let page = doctor.sees(&of_team(RIVERSIDE_TEAM, &format!("?{query}"))).await.html;
        assert_eq!(page.contains("Amina Noor Rahman"), is_found, "{query}: {page}");
    }
    let over = json!({ "actorType": "TEAM", "actorId": RIVERSIDE_TEAM, "discharged": true });
    clinician(&w).await.sends(Method::POST, "/json/consents/forPatient/amina", &over).await.opened();
    for (query, is_found) in [("q=rahm", false), ("q=rahm&state=PAST", true), ("", false), ("state=PAST", true)] {
        let page = doctor.sees(&of_team(RIVERSIDE_TEAM, &format!("?{query}"))).await.html;
        assert_eq!(page.contains("Amina Noor Rahman"), is_found, "{query}: {page}");
    }
    for wrong in ["state=SOON", "before=x"] {
        doctor.get(&of_team(RIVERSIDE_TEAM, &format!("?{wrong}"))).await.error_page(400);
    }
}

// gaps: Pages > Emergency looks
#[tokio::test]
async fn the_glass_opens_a_record_to_one_browser_until_it_is_handed_back_and_the_patient_is_told() {
    let w = World::new().await;
    shares_little(&w).await;
    w.may_break_the_glass(RIVERSIDE_TEAM).await;
    let (mut doctor, mut elsewhere) = (w.dr_okafor().signs_in().await, w.dr_okafor().signs_in().await);
    let path = of_amina("/emergency");
    assert!(doctor.sees(&of_amina("")).await.html.contains(&path));
    let warning = doctor.sees(&path).await.html;
    for told in ["Who is told, at once", "privacy officers of Riverside", "for 30 minutes"] {
        assert!(warning.contains(told), "{told} in {warning}");
    }
    let reply = breaks(&mut doctor, &path, &[("reason", "Unconscious in the <waiting room>")]).await;
    assert_eq!(reply.header("location"), Some(of_amina("").as_str()), "{}", reply.text());
    let record = doctor.sees(&of_amina("")).await.html;
    assert!(record.contains("Felt very low") && record.contains("You look in an emergency, until"), "{record}");
    // It is bound to the sign-in: in another browser of the same person the record is as it was.
    assert!(!elsewhere.sees(&of_amina("")).await.html.contains("Felt very low"));
    let notices = w.amina().signs_in().await.sees("/notices").await.html;
    assert!(notices.contains("Unconscious in the &#60;waiting room&#62;"), "{notices}");
    let log = w.amina().signs_in().await.sees("/access-log").await.html;
    assert!(log.contains("because Riverside Diabetes Team broke the glass"), "{log}");
    let end = of_amina("/emergency/end");
    let form = doctor.sees(&of_amina("")).await.form(&end);
    let sealed = fields([("form", form.sealed.as_str())]);
    elsewhere.post(&end, &sealed).await.error_page(400);
    assert_eq!(doctor.post(&end, &sealed).await.status, 303);
    assert!(!doctor.sees(&of_amina("")).await.html.contains("Felt very low"));
    assert_eq!(doctor.post(&end, &sealed).await.status, 303, "twice is no mistake");
}

// gaps: Pages > Emergency looks
#[tokio::test]
async fn an_emergency_look_ends_after_thirty_minutes_and_with_the_sign_in() {
    let w = World::new().await;
    shares_little(&w).await;
    w.may_break_the_glass(RIVERSIDE_TEAM).await;
    let mut doctor = w.dr_okafor().signs_in().await;
    assert_eq!(breaks(&mut doctor, &of_amina("/emergency"), &[]).await.status, 303);
    assert!(doctor.sees(&of_amina("")).await.html.contains("Felt very low"));
    let mut again = w.dr_okafor().signs_in().await;
    assert!(!again.sees(&of_amina("")).await.html.contains("Felt very low"));
    w.after(20 * MINUTE);
    assert!(doctor.sees(&of_amina("")).await.html.contains("Felt very low"));
    w.after(10 * MINUTE);
    let over = doctor.sees(&of_amina("")).await.html;
    assert!(!over.contains("Felt very low") && over.contains("are not shared with your team"), "{over}");
}

// gaps: Pages > Emergency looks
#[tokio::test]
async fn a_record_that_is_not_the_teams_is_opened_by_number_or_id_and_by_a_team_that_may_alone() {
    let w = World::new().await;
    let mut doctor = w.dr_okafor().signs_in().await;
    doctor.get(&of_amina("/emergency")).await.error_page(404);
    w.may_break_the_glass(RIVERSIDE_TEAM).await;
    let path = of_team(RIVERSIDE_TEAM, "/emergency");
    assert!(doctor.sees(&of_team(RIVERSIDE_TEAM, "")).await.html.contains(&path));
    for number in ["9990000026", "0", "", "no such id"] {
        let reply = breaks(&mut doctor, &path, &[("number", number)]).await;
        assert_eq!(reply.status, 422, "{number}");
        assert!(reply.text().contains("We know nobody of this number."), "{number}");
    }
    let reply = breaks(&mut doctor, &path, &[("number", AMINA_NHS)]).await;
    assert_eq!(reply.header("location"), Some(of_amina("").as_str()));
    let reply = breaks(&mut doctor, &path, &[("number", "ben"), ("reason", "a fall")]).await;
    let of_ben = of_team(RIVERSIDE_TEAM, "/patients/ben");
    assert_eq!(reply.header("location"), Some(of_ben.as_str()), "{}", reply.text());
    assert!(doctor.sees(&of_ben).await.html.contains("You look in an emergency"));
    assert!(w.ben().signs_in().await.sees("/notices").await.html.contains("a fall"));
}

// gaps: Pages > Emergency looks
#[tokio::test]
async fn a_reason_is_demanded_where_the_service_demands_one() {
    let w = World::with(|settings| settings.glass_needs_reason = true).await;
    w.may_break_the_glass(RIVERSIDE_TEAM).await;
    let mut doctor = w.dr_okafor().signs_in().await;
    let path = of_amina("/emergency");
    let reply = breaks(&mut doctor, &path, &[("reason", " ")]).await;
    assert_eq!(reply.status, 422);
    assert!(reply.text().contains("There is a problem"), "{}", reply.text());
    assert!(!w.amina().signs_in().await.sees("/notices").await.html.contains("emergency"));
}

/// A form breaks the glass of the one patient for whom it was made, in the browser for which it was made, sent from our own page.
// gaps: Pages > Emergency looks
#[tokio::test]
async fn the_form_of_an_emergency_look_is_one_persons_for_one_patient() {
    let w = World::new().await;
    w.may_break_the_glass(RIVERSIDE_TEAM).await;
    let mut doctor = w.dr_okafor().signs_in().await;
    let path = of_amina("/emergency");
    let form = doctor.sees(&path).await.form(&path);
    let sealed = fields([("form", form.sealed.as_str()), ("number", "ben")]);
    doctor.post(&of_team(RIVERSIDE_TEAM, "/patients/ben/emergency"), &sealed).await.error_page(400);
    doctor.post(&of_team(RIVERSIDE_TEAM, "/emergency"), &sealed).await.error_page(400);
    let mut lured = Browser { fetch_site: Some("cross-site"), ..doctor.clone() };
    lured.post(&path, &sealed).await.error_page(403);
    w.dr_okafor().signs_in().await.post(&path, &sealed).await.error_page(400);
    w.dr_silva().signs_in().await.post(&path, &sealed).await.error_page(400);
    assert!(!w.amina().signs_in().await.sees("/notices").await.html.contains("emergency"));
}

// gaps: Pages > What I looked at
#[tokio::test]
async fn clinicians_see_their_own_looks_and_nobody_elses() {
    let w = World::new().await;
    shares_little(&w).await;
    let mut doctor = w.dr_okafor().signs_in().await;
    assert!(doctor.sees("/looks").await.html.contains("Nothing is noted yet."));
    doctor.sees(&of_amina("")).await;
    let looks = doctor.sees("/looks").await.html;
    assert!(looks.contains("Opened personal details") && looks.contains("<code>amina</code>"), "{looks}");
    assert!(looks.contains("Riverside Diabetes Team"), "{looks}");
    assert!(w.dr_silva().signs_in().await.sees("/looks").await.html.contains("Nothing is noted yet."));
}
