//! A patient writes into the own record on our pages: adds a measurement or an entry of the journal, corrects it, removes it. What
//! comes of it is what an app would have made.

use crate::kit::browser::Browser;
use crate::kit::reply::Reply;
use crate::kit::{World, fields, with};
use crate::rest::callers::{clinician, patient};
use axum::http::Method;
use serde_json::{Value, json};

const MEASUREMENTS: &str = "/record/measurements";
const JOURNAL: &str = "/record/journal";

fn new(section: &str) -> String {
    format!("{section}/new")
}

/// What the form of a page sends, as it is filled in, with this in it.
async fn filled(browser: &mut Browser<'_>, page: &str, action: &str, more: &[(&str, &str)]) -> Vec<(String, String)> {
    let page = browser.sees(page).await;
    let mut sent = fields([("form", page.form_of(action).as_str())]);
    if page.html.contains("name=\"version\"") {
        sent.push(("version".into(), page.hidden("version")));
    }
    for (name, value) in more {
        sent = with(&sent, name, value);
    }
    sent
}

/// Fills in the form for a new measurement of this type.
async fn measures(browser: &mut Browser<'_>, of: &str, more: &[(&str, &str)]) -> Reply {
    let page = format!("{}?of={of}", new(MEASUREMENTS));
    let mut all = vec![("of", of), ("date", "2026-11-14"), ("label", "GENERAL_HEALTH")];
    all.extend(more);
    let sent = filled(browser, &page, &new(MEASUREMENTS), &all).await;
    browser.post(&new(MEASUREMENTS), &sent).await
}

/// The items of a list of the custom REST API, as their patient sees them.
async fn listed(w: &World, list: &str) -> Vec<Value> {
    patient(w).await.get(&format!("/json/{list}")).await.opened().json().as_array().unwrap().clone()
}

fn id(item: &Value) -> &str {
    item["id"].as_str().unwrap()
}

// gaps: Pages > Writing into the own record
#[tokio::test]
async fn a_measurement_that_a_patient_adds_is_what_an_app_would_have_made() {
    let w = World::new().await;
    let mut amina = w.amina().signs_in().await;
    assert!(amina.sees(MEASUREMENTS).await.html.contains("/record/measurements/new"));
    let choice = amina.sees(&new(MEASUREMENTS)).await.html;
    assert!(choice.contains("<option value=\"bloodPressure\">Blood pressure</option>"), "{choice}");
    let more =
        [("value", "124"), ("value2", "81"), ("time", "07:30"), ("comment", "at rest"), ("label", "MENTAL_HEALTH")];
    let added = measures(&mut amina, "bloodPressure", &more).await;
    assert_eq!(added.header("location"), Some("/record/measurements?done=added"), "{}", added.text());
    let items = listed(&w, "measurements").await;
    let [item] = items.as_slice() else { panic!("{items:?}") };
    assert_eq!((&item["value"], &item["value2"], &item["unit"]), (&json!(124), &json!(81), &json!("mm[Hg]")));
    assert_eq!((&item["dateTaken"], &item["comment"]), (&json!("2026-11-14T07:30:00+00:00"), &json!("at rest")));
    assert_eq!((&item["privacyLabel"], &item["source"]["type"]), (&json!("MENTAL_HEALTH"), &json!("PATIENT")));
    let page = amina.sees("/record/measurements?done=added").await.html;
    for told in
        ["It is in your record now.", "124/81 mmHg", "14 November 2026, 07:30", "Written by you", "Correct or remove"]
    {
        assert!(page.contains(told), "{told} in {page}");
    }
    assert_eq!(measures(&mut amina, "weight", &[("value", "154.50"), ("unit", "[lb_av]")]).await.status, 303);
    let weight = listed(&w, "measurements/byType/weight").await;
    assert_eq!((&weight[0]["unit"], weight[0]["value"].to_string()), (&json!("[lb_av]"), "154.5".to_owned()));
}

// gaps: Pages > Writing into the own record
#[tokio::test]
async fn what_is_wrong_is_said_beside_its_field_and_nothing_that_was_typed_is_lost() {
    let w = World::new().await;
    let mut amina = w.amina().signs_in().await;
    let date = "Give a day that there is";
    for (of, more, field, words) in [
        ("weight", &[("value", "71,5")][..], "value", "Give a number"),
        ("weight", &[("value", "10,000")][..], "value", "Give a number"),
        ("weight", &[("value", "heavy")][..], "value", "Give a number"),
        ("weight", &[("value", "")][..], "value", "Give a number"),
        ("painScore", &[("value", "11")][..], "value", "Give a number"),
        ("weight", &[("value", "71"), ("unit", "stone")][..], "unit", "Choose one of these units."),
        ("weight", &[("value", "71"), ("date", "2026-11-31")][..], "date", date),
        ("weight", &[("value", "71"), ("date", "2026-12-24")][..], "date", date),
        ("weight", &[("value", "71"), ("date", "")][..], "date", date),
        ("weight", &[("value", "71"), ("time", "25:00")][..], "date", date),
        ("weight", &[("value", "71"), ("label", "SECRET")][..], "label", "Choose one of the labels."),
        ("weight", &[("value", "71"), ("comment", "a\u{1}b")][..], "comment", "Write this in plain text."),
    ] {
        let mut all = vec![("comment", "<i>mine</i>")];
        all.extend(more);
        let refused = measures(&mut amina, of, &all).await;
        assert_eq!(refused.status, 422, "{more:?}: {}", refused.text());
        let html = refused.text();
        let told = html.split_once(&format!("id=\"{field}-fault\"")).unwrap_or_else(|| panic!("{more:?}: {html}")).1;
        assert!(told.split("</p>").next().unwrap().contains(words), "{more:?}: {told}");
        for (name, typed) in &all {
            let kept =
                if *name == "comment" && *typed == "<i>mine</i>" { "&#60;i&#62;mine&#60;/i&#62;" } else { *typed };
            let is_replaced = *name == "comment" && all.last().unwrap().0 == "comment" && *typed == "<i>mine</i>";
            assert!(is_replaced || *name == "label" || html.contains(&format!("value=\"{kept}\"")), "{name}: {html}");
        }
    }
    assert!(listed(&w, "measurements").await.is_empty());
}

// gaps: Pages > Writing into the own record
#[tokio::test]
async fn a_form_that_is_sent_twice_makes_one_item_and_two_forms_make_two() {
    let w = World::new().await;
    let mut amina = w.amina().signs_in().await;
    let (page, action) = (format!("{}?of=weight", new(MEASUREMENTS)), new(MEASUREMENTS));
    let of = [("of", "weight"), ("value", "71"), ("date", "2026-11-14"), ("label", "GENERAL_HEALTH")];
    let sent = filled(&mut amina, &page, &action, &of).await;
    let at_once = (0..4).map(|_| amina.request(Method::POST, &action, &sent)).collect();
    let replies = w.shoots(at_once).await;
    assert!(replies.iter().all(|reply| reply.status == 303 || reply.status == 422), "{replies:?}");
    assert_eq!(amina.post(&action, &sent).await.status, 303);
    assert_eq!(listed(&w, "measurements").await.len(), 1);
    // Back, and another value: that is another measurement.
    assert_eq!(amina.post(&action, &with(&sent, "value", "72")).await.status, 303);
    assert_eq!(listed(&w, "measurements").await.len(), 2);
    w.after(1);
    assert_eq!(measures(&mut amina, "weight", &[("value", "71")]).await.status, 303);
    assert_eq!(listed(&w, "measurements").await.len(), 3);
}

/// What the form of an item that is there sends, with this in it.
async fn corrected(browser: &mut Browser<'_>, path: &str, more: &[(&str, &str)]) -> Vec<(String, String)> {
    filled(browser, path, path, more).await
}

// gaps: Pages > Writing into the own record
#[tokio::test]
async fn a_patient_corrects_a_measurement_of_their_own_and_what_the_form_leaves_alone_stays() {
    let w = World::new().await;
    let app = patient(&w).await;
    let made = json!({ "apiRef": "weight", "value": 64.5, "unit": "kg", "dateTaken": "2026-11-01T07:30:15.250+01:00", "comment": "fasting" });
    let made = app.sends(Method::POST, "/json/measurements", &made).await.json();
    let path = format!("{MEASUREMENTS}/{}", id(&made));
    let mut amina = w.amina().signs_in().await;
    let page = amina.sees(&path).await.html;
    for typed in ["value=\"64.5\"", "value=\"2026-11-01\"", "value=\"06:30\"", "value=\"fasting\""] {
        assert!(page.contains(typed), "{typed} in {page}");
    }
    let all = [
        ("of", "weight"),
        ("value", "65.4"),
        ("unit", "kg"),
        ("date", "2026-11-01"),
        ("time", "06:30"),
        ("label", "GENERAL_HEALTH"),
    ];
    let sent = corrected(&mut amina, &path, &all).await;
    for _ in 0..2 {
        let reply = amina.post(&path, &sent).await;
        assert_eq!(reply.header("location"), Some("/record/measurements?done=changed"), "{}", reply.text());
    }
    let items = listed(&w, "measurements").await;
    let [item] = items.as_slice() else { panic!("{items:?}") };
    assert_eq!((&item["value"], &item["version"]), (&json!(65.4), &json!(2)));
    assert_eq!((&item["dateTaken"], &item["comment"]), (&made["dateTaken"], &Value::Null), "to the millisecond");
    // Somebody else, or another tab, was faster.
    let stale = with(&sent, "value", "99");
    let reply = amina.post(&path, &stale).await;
    assert_eq!(reply.status, 422, "{}", reply.text());
    assert!(reply.text().contains("was changed after you opened this page") && reply.text().contains("value=\"99\""));
    assert_eq!(listed(&w, "measurements").await[0]["value"], json!(65.4));
    let again = with(&with(&stale, "version", &reply.page().hidden("version")), "form", &reply.page().form_of(&path));
    assert_eq!(amina.post(&path, &again).await.status, 303);
    assert_eq!(listed(&w, "measurements").await[0]["value"], json!(99));
}

#[tokio::test]
async fn a_date_that_is_less_than_a_day_and_a_value_in_words_are_corrected_as_they_are() {
    let w = World::new().await;
    let made = json!({ "apiRef": "weight", "valueText": "about 70", "dateTaken": "2026-10" });
    let made = patient(&w).await.sends(Method::POST, "/json/measurements", &made).await.json();
    let path = format!("{MEASUREMENTS}/{}", id(&made));
    let mut amina = w.amina().signs_in().await;
    let page = amina.sees(&path).await.html;
    assert!(page.contains("type=\"text\" value=\"2026-10\"") && page.contains("value=\"about 70\""), "{page}");
    let all = [("of", "weight"), ("words", "about 71"), ("date", "2026-10"), ("label", "GENERAL_HEALTH")];
    let sent = corrected(&mut amina, &path, &all).await;
    assert_eq!(amina.post(&path, &sent).await.status, 303);
    let item = &listed(&w, "measurements").await[0];
    assert_eq!((&item["valueText"], &item["dateTaken"]), (&json!("about 71"), &json!("2026-10")));
}

// gaps: Pages > Writing into the own record
#[tokio::test]
async fn what_others_wrote_is_not_the_patients_to_change_and_what_is_not_theirs_is_not_there() {
    let w = World::new().await;
    let doctors = json!({ "apiRef": "weight", "value": 80, "dateTaken": "2026-11-03" });
    let doctors = clinician(&w).await.sends(Method::POST, "/json/measurements/amina", &doctors).await.json();
    let own = json!({ "title": "Own", "text": "x", "date": "2026-11-02" });
    let own = patient(&w).await.sends(Method::POST, "/json/journal", &own).await.json();
    let bens = w
        .ben()
        .caller()
        .await
        .sends(Method::POST, "/json/journal", &json!({ "text": "x", "date": "2026" }))
        .await
        .json();
    let mut amina = w.amina().signs_in().await;
    let page = amina.sees(MEASUREMENTS).await.html;
    assert!(page.contains("80 kg") && !page.contains("Correct or remove"), "{page}");
    let refused = amina.get(&format!("{MEASUREMENTS}/{}", id(&doctors))).await.error_page(403);
    assert!(refused.contains("Somebody else wrote this"), "{refused}");
    for path in [format!("{JOURNAL}/{}", id(&bens)), format!("{MEASUREMENTS}/{}", id(&own)), format!("{JOURNAL}/none")]
    {
        amina.get(&path).await.error_page(404);
    }
    // A form for one item changes no other, and nobody else's form does anything.
    let path = format!("{JOURNAL}/{}", id(&own));
    let sent = corrected(&mut amina, &path, &[("text", "y"), ("date", "2026-11-02")]).await;
    for other in [format!("{JOURNAL}/{}", id(&bens)), format!("{MEASUREMENTS}/{}", id(&doctors)), new(JOURNAL)] {
        amina.post(&other, &sent).await.error_page(400);
        amina.post(&other, &with(&sent, "decision", "remove")).await.error_page(400);
    }
    w.ben().signs_in().await.post(&path, &sent).await.error_page(400);
    w.dr_okafor().signs_in().await.get(&path).await.error_page(403);
    amina.get(&format!("{}?of=mood", new(MEASUREMENTS))).await.error_page(404);
    assert_eq!(listed(&w, "journal").await[0]["text"], "x");
}

// gaps: Pages > Writing into the own record
#[tokio::test]
async fn a_patient_writes_changes_and_removes_an_entry_of_the_journal() {
    let w = World::new().await;
    let mut amina = w.amina().signs_in().await;
    let long = "Slept <b>badly</b> & \u{4f60}\r\n".repeat(100);
    let written = [("title", "Night"), ("text", &long), ("date", "2026-11-14"), ("label", "MENTAL_HEALTH")];
    let sent = filled(&mut amina, &new(JOURNAL), &new(JOURNAL), &written).await;
    let added = amina.post(&new(JOURNAL), &sent).await;
    assert_eq!(added.header("location"), Some("/record/journal?done=added"), "{}", added.text());
    let item = listed(&w, "journal").await.remove(0);
    assert_eq!(item["text"], json!(long.replace("\r\n", "\n").trim()));
    assert_eq!(
        (&item["title"], &item["privacyLabel"], &item["date"]),
        (&json!("Night"), &json!("MENTAL_HEALTH"), &json!("2026-11-14"))
    );
    let page = amina.sees(JOURNAL).await.html;
    assert!(page.contains("Slept &#60;b&#62;badly&#60;/b&#62; &#38;") && !page.contains("<b>badly"), "{page}");
    let path = format!("{JOURNAL}/{}", id(&item));
    assert!(amina.sees(&path).await.html.contains("\nSlept &#60;b&#62;badly"));
    let changed = [("title", "Night"), ("text", "Slept well"), ("date", "2026-11-13"), ("label", "GENERAL_HEALTH")];
    let sent = corrected(&mut amina, &path, &changed).await;
    let empty = amina.post(&path, &with(&sent, "text", " ")).await;
    assert_eq!(empty.status, 422, "{}", empty.text());
    assert!(empty.text().contains("id=\"text-fault\"") && empty.text().contains("value=\"Night\""));
    assert_eq!(amina.post(&path, &sent).await.status, 303);
    let item = listed(&w, "journal").await.remove(0);
    assert_eq!((&item["text"], &item["privacyLabel"]), (&json!("Slept well"), &json!("GENERAL_HEALTH")));
    let remove = with(&sent, "decision", "remove");
    for _ in 0..2 {
        let reply = amina.post(&path, &remove).await;
        assert_eq!(reply.header("location"), Some("/record/journal?done=removed"), "{}", reply.text());
    }
    assert!(listed(&w, "journal").await.is_empty());
    amina.get(&path).await.error_page(404);
    assert_eq!(amina.post(&path, &with(&sent, "text", "Anew")).await.status, 404);
}

#[tokio::test]
async fn what_hangs_on_an_entry_stays_when_its_words_change() {
    let w = World::new().await;
    let app = patient(&w).await;
    let kept =
        app.send(Method::POST, "/json/attachments?fileName=a.txt", &[("content-type", "text/plain")], "x").await.json();
    let made = json!({ "text": "with a picture", "date": "2026-11-02", "attachments": [id(&kept)] });
    let made = app.sends(Method::POST, "/json/journal", &made).await.json();
    let path = format!("{JOURNAL}/{}", id(&made));
    let mut amina = w.amina().signs_in().await;
    let sent =
        corrected(&mut amina, &path, &[("text", "changed"), ("date", "2026-11-02"), ("label", "GENERAL_HEALTH")]).await;
    let reply = amina.post(&path, &sent).await;
    assert_eq!(reply.status, 303, "{}", reply.text());
    let item = listed(&w, "journal").await.remove(0);
    assert_eq!((&item["text"], &item["attachments"]), (&json!("changed"), &made["attachments"]));
}
