//! What can harm asks whoever has a second factor for it when the last proof is five minutes old: an emergency look, and what
//! administrators and privacy officers change. What is only looked at does not.

use crate::kit::browser::Browser;
use crate::kit::page::Form;
use crate::kit::reply::Reply;
use crate::kit::{MINUTE, RIVERSIDE_TEAM, World, fields, with};
use crate::second_factor::sets_up;

const PROOF: &str = "/second-factor/prove";

/// Sends a form that was opened in time, filled in.
async fn sends(browser: &mut Browser<'_>, form: &Form, with: &[(&str, &str)]) -> Reply {
    let mut filled = fields([("form", form.sealed.as_str())]);
    filled.extend(with.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    browser.post(&form.action, &filled).await
}

fn asked_first(reply: &Reply, back: &str) {
    let redirect = reply.redirect();
    assert_eq!((redirect.to.as_str(), redirect.get("next")), (PROOF, Some(back)));
}

/// Shows the code of the app on the page that asks for it.
async fn proves(browser: &mut Browser<'_>, code: &str) {
    let form = browser.sees(PROOF).await.form(PROOF);
    let shown = with(&fields([("form", &form.sealed), ("next", "/")]), "code", code);
    assert_eq!(browser.post(PROOF, &shown).await.status, 303);
}

// gaps: Pages > Step-up
#[tokio::test]
async fn an_emergency_look_asks_for_the_factor_before_the_form_is_filled_in_and_when_it_is_sent() {
    let w = World::new().await;
    w.may_break_the_glass(RIVERSIDE_TEAM).await;
    let person = w.dr_okafor();
    let mut doctor = person.signs_in().await;
    let path = format!("/teams/{RIVERSIDE_TEAM}/patients/amina/emergency");
    let (phone, _) = sets_up(&mut doctor, person.account.password).await;
    let form = doctor.sees(&path).await.form(&path);
    w.after(5 * MINUTE);
    asked_first(&doctor.get(&path).await, &path);
    asked_first(&sends(&mut doctor, &form, &[("reason", "Found on the floor")]).await, &path);
    doctor.sees(&format!("/teams/{RIVERSIDE_TEAM}")).await;
    assert!(!w.amina().signs_in().await.sees("/notices").await.html.contains("Found on the floor"));
    proves(&mut doctor, &phone.shows(&w)).await;
    assert_eq!(sends(&mut doctor, &form, &[("reason", "Found on the floor")]).await.status, 303);
}

#[tokio::test]
async fn an_administrator_changes_nothing_without_a_fresh_proof() {
    let w = World::new().await;
    let person = w.admin();
    let mut ines = person.signs_in().await;
    let (phone, _) = sets_up(&mut ines, person.account.password).await;
    let users = ines.sees("/admin/users?q=okafor%40").await;
    let one = users.link("/admin/users/").unwrap();
    let mut forms = Vec::new();
    for path in [one.as_str(), "/admin/users", "/admin/clients", "/admin/organisations"] {
        let all = ines.sees(path).await.forms().into_iter();
        forms.extend(all.filter(|form| form.action.starts_with("/admin/")));
    }
    assert!(forms.iter().any(|form| form.action == "/admin/teams"), "{forms:?}");
    w.after(5 * MINUTE);
    for form in &forms {
        let back = if form.action == "/admin/teams" { "/admin/organisations" } else { &form.action };
        asked_first(&sends(&mut ines, form, &[("decision", "freeze"), ("name", "X")]).await, back);
    }
    assert!(ines.sees(&one).await.html.contains("active"), "looking asks for nothing");
    proves(&mut ines, &phone.shows(&w)).await;
    let freeze = forms.iter().find(|form| form.action == one).unwrap();
    assert_eq!(sends(&mut ines, freeze, &[("decision", "freeze")]).await.status, 303);
    assert!(ines.sees(&one).await.html.contains("frozen"));
}

#[tokio::test]
async fn an_officer_freezes_no_record_without_a_fresh_proof() {
    let w = World::new().await;
    let person = w.officer();
    let mut olive = person.signs_in().await;
    let (phone, _) = sets_up(&mut olive, person.account.password).await;
    let page = olive.sees("/officer/patients/amina").await;
    let form = page.forms().into_iter().find(|form| form.action.ends_with("/state")).unwrap();
    w.after(5 * MINUTE);
    let freezes = [("decision", "freeze"), ("reason", "Two records of one person")];
    asked_first(&sends(&mut olive, &form, &freezes).await, "/officer/patients/amina");
    olive.sees("/officer/patients/amina").await;
    proves(&mut olive, &phone.shows(&w)).await;
    assert_eq!(sends(&mut olive, &form, &freezes).await.status, 303);
}
