//! Apps that are opened from the pages here (SMART's EHR launch, docs/smart.md): what their launch says, who may use it, for how long, and
//! that it is good for one decision.

use crate::kit::browser::Browser;
use crate::kit::client_app::ClientApp;
use crate::kit::page::Page;
use crate::kit::records::{AMINA, BEN};
use crate::kit::reply::Reply;
use crate::kit::{BASE, MINUTE, RIVERSIDE_TEAM, World, encoded, fields, with, without};
use crate::openid::claims;
use crate::second_factor::{comes_to_the_code, enrolled, types};
use crate::smart_apps::{asks, filled, smart_app};
use rules::labels::{Label, Labels};
use rules::scope::UserType;

const REGISTERED: &str = "launch launch/patient openid fhirUser offline_access patient/Observation.rs";
const ALL: &str = "launch openid offline_access patient/Observation.rs";
const LAUNCH_URL: &str = "https://pill-box.example/launch?from=there";

async fn launchable<'w>(w: &'w World, by: &'static [UserType]) -> ClientApp<'w> {
    let app = smart_app(w, REGISTERED, by).await;
    w.change("Pill Box", |client| client.launch_url = Some(LAUNCH_URL.into())).await;
    app
}

/// Opens the app on its page, and gives the launch with which its address is opened.
async fn opens(browser: &mut Browser<'_>, query: &str, chosen: &[(&str, &str)]) -> String {
    let page = browser.sees(&format!("/apps/pill%2Dbox{query}")).await;
    let mut sent = fields([("form", page.form("/apps/").sealed.as_str())]);
    sent.extend(chosen.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    let led = browser.post("/apps/pill%2Dbox", &sent).await.redirect();
    assert_eq!((led.to.as_str(), led.get("from")), ("https://pill-box.example/launch", Some("there")));
    let iss = format!("{BASE}/fhir");
    assert_eq!(led.get("iss"), Some(iss.as_str()));
    led.get("launch").expect("a launch").to_owned()
}

/// The address of the authorization page of an app that says it was opened with this launch.
fn address(app: &ClientApp<'_>, launch: &str, further: &[(&str, &str)]) -> String {
    let asked =
        further.iter().fold(with(&asks(app, ALL), "launch", launch), |asked, (name, value)| with(&asked, name, value));
    format!("/apiAuthorize.action?{}", encoded(&asked))
}

/// What is posted from a page that asks for approval alone.
fn approval(page: &Page, w: &World) -> Vec<(String, String)> {
    without(&without(&filled(page, w.amina(), &[]), "username"), "password")
}

fn asks_for_password(page: &Page) -> bool {
    page.html.contains("name=\"password\"")
}

fn said(reply: &Reply) -> String {
    reply.error_page(400)
}

#[tokio::test]
async fn a_patient_opens_an_app_and_is_asked_for_approval_alone() {
    let w = World::new().await;
    let app = launchable(&w, &[UserType::Patient]).await;
    let mut amina = w.amina().signs_in().await;
    let gallery = amina.sees("/apps").await.html;
    assert!(gallery.contains("href=\"/apps/pill%2Dbox\"") && gallery.contains("Pill Box"), "{gallery}");
    let launch = opens(&mut amina, "", &[]).await;
    let page = amina.sees(&address(&app, &launch, &[])).await;
    assert!(!asks_for_password(&page), "{}", page.html);
    assert!(page.html.contains("You opened Pill Box for <strong>your own record"), "{}", page.html);
    let code = amina.post(page.action(), &approval(&page, &w)).await.redirect().code();
    let tokens = app.redeem(&code).await.granted();
    assert_eq!(tokens.scope, ALL, "launch is granted with what it says");
    assert_eq!((&tokens.body["patient"], &tokens.body["need_patient_banner"]), (&AMINA.into(), &false.into()));
    let renewed = app.refresh(&tokens).await.granted();
    assert_eq!((renewed.scope.as_str(), &renewed.body["patient"]), (ALL, &AMINA.into()));
}

#[tokio::test]
async fn one_decision_is_made_about_a_launch_however_often_its_page_is_opened() {
    let w = World::new().await;
    let app = launchable(&w, &[UserType::Patient]).await;
    let mut amina = w.amina().signs_in().await;
    let launch = opens(&mut amina, "", &[]).await;
    let one = amina.sees(&address(&app, &launch, &[])).await;
    let other = amina.sees(&address(&app, &launch, &[])).await;
    amina.post(one.action(), &approval(&one, &w)).await.redirect().code();
    said(&amina.post(other.action(), &approval(&other, &w)).await);
    let third = amina.sees(&address(&app, &launch, &[])).await;
    said(&amina.post(third.action(), &approval(&third, &w)).await);
    let typed = w.get(&address(&app, &launch, &[])).await.page();
    said(&w.post_form(typed.action(), &filled(&typed, w.amina(), &[])).await);
}

#[tokio::test]
async fn a_clinician_opens_an_app_for_the_patient_whose_record_is_open() {
    let w = World::new().await;
    let app = launchable(&w, &[UserType::Clinician]).await;
    let mut doctor = w.dr_okafor().signs_in().await;
    let record = doctor.sees(&format!("/teams/{RIVERSIDE_TEAM}/patients/{AMINA}")).await;
    let gallery = record.link("/apps").expect("a way to the apps").replace("&amp;", "&").replace("&#38;", "&");
    let apps = doctor.sees(&gallery).await;
    assert!(apps.html.contains("Amina Noor Rahman"), "{}", apps.html);
    let of_amina = [("team", RIVERSIDE_TEAM), ("patient", AMINA)];
    let query = format!("?{}", encoded(&fields(of_amina)));
    let launch = opens(&mut doctor, &query, &of_amina).await;
    let page = doctor.sees(&address(&app, &launch, &[])).await;
    assert!(page.html.contains("You opened Pill Box for <strong>Amina Noor Rahman"), "{}", page.html);
    assert!(!asks_for_password(&page) && !page.html.contains("Which patient?"), "{}", page.html);
    let code = doctor.post(page.action(), &approval(&page, &w)).await.redirect().code();
    let tokens = app.redeem(&code).await.granted();
    assert_eq!((&tokens.body["patient"], &tokens.body["need_patient_banner"]), (&AMINA.into(), &true.into()));
    // Nobody opens an app for a patient of another team, or for one of no team of theirs.
    for (team, patient) in [(RIVERSIDE_TEAM, BEN), (RIVERSIDE_TEAM, "nobody"), ("elsewhere", AMINA)] {
        let query = encoded(&fields([("team", team), ("patient", patient)]));
        doctor.get(&format!("/apps?{query}")).await.error_page(404);
        doctor.get(&format!("/apps/pill-box?{query}")).await.error_page(404);
        let form = doctor.sees("/apps/pill-box").await.form("/apps/").sealed;
        let sent = fields([("form", form.as_str()), ("team", team), ("patient", patient)]);
        doctor.post("/apps/pill-box", &sent).await.error_page(404);
    }
}

#[tokio::test]
async fn a_clinician_who_opens_an_app_for_nobody_picks_the_patient_where_the_scopes_need_one() {
    let w = World::new().await;
    let app = launchable(&w, &[UserType::Clinician]).await;
    let mut doctor = w.dr_okafor().signs_in().await;
    let launch = opens(&mut doctor, "", &[]).await;
    let page = doctor.sees(&address(&app, &launch, &[])).await;
    assert!(page.html.contains("Which patient?") && !asks_for_password(&page), "{}", page.html);
    let chosen = with(&approval(&page, &w), "patient", AMINA);
    let code = doctor.post(page.action(), &chosen).await.redirect().code();
    assert_eq!(app.redeem(&code).await.granted().body["patient"], AMINA);
    let launch = opens(&mut doctor, "", &[]).await;
    let page = doctor.sees(&address(&app, &launch, &[("scope", "launch openid")])).await;
    assert!(!page.html.contains("Which patient?"), "{}", page.html);
    let code = doctor.post(page.action(), &approval(&page, &w)).await.redirect().code();
    assert_eq!(app.redeem(&code).await.granted().body.get("patient"), None);
}

#[tokio::test]
async fn a_patient_who_has_left_the_team_is_in_no_session_of_a_launch() {
    let w = World::new().await;
    let app = launchable(&w, &[UserType::Clinician]).await;
    let mut doctor = w.dr_okafor().signs_in().await;
    let of_amina = [("team", RIVERSIDE_TEAM), ("patient", AMINA)];
    let query = format!("?{}", encoded(&fields(of_amina)));
    let (one, other) = (opens(&mut doctor, &query, &of_amina).await, opens(&mut doctor, &query, &of_amina).await);
    let page = doctor.sees(&address(&app, &one, &[])).await;
    w.discharges(AMINA, w.team(RIVERSIDE_TEAM).await).await;
    let back = doctor.post(page.action(), &approval(&page, &w)).await.redirect();
    assert_eq!(back.error(), "access_denied");
    let back = doctor.get(&address(&app, &other, &[])).await.redirect();
    assert_eq!(back.error(), "access_denied", "at once");
    doctor.get(&format!("/apps{query}")).await.error_page(404);
    let record = doctor.sees(&format!("/teams/{RIVERSIDE_TEAM}/patients/{AMINA}")).await;
    assert_eq!(record.link("/apps"), None, "no way to what is refused");
}

#[tokio::test]
async fn a_carer_opens_an_app_for_the_record_that_they_choose() {
    let w = World::new().await;
    w.opens(BEN, w.amina().as_carer().await, Labels(Label::GeneralHealth.bit())).await;
    let app = launchable(&w, &[UserType::Patient]).await;
    let mut amina = w.amina().signs_in().await;
    let form = amina.sees("/apps/pill-box").await.form("/apps/").sealed;
    let unanswered = amina.post("/apps/pill-box", &with(&fields([("form", form.as_str())]), "record", "")).await.page();
    assert!(unanswered.html.contains("Choose one of them."), "{}", unanswered.html);
    amina.post("/apps/pill-box", &fields([("form", form.as_str()), ("record", "carol")])).await.error_page(400);
    let launch = opens(&mut amina, "", &[("record", BEN)]).await;
    let page = amina.sees(&address(&app, &launch, &[])).await;
    assert!(page.html.contains("for <strong>the record of ben<"), "{}", page.html);
    // The launch says which record: another on its page is refused.
    let other = amina.post(page.action(), &with(&approval(&page, &w), "record", AMINA)).await;
    said(&other);
    let launch = opens(&mut amina, "", &[("record", BEN)]).await;
    let page = amina.sees(&address(&app, &launch, &[])).await;
    let code = amina.post(page.action(), &approval(&page, &w)).await.redirect().code();
    let tokens = app.redeem(&code).await.granted();
    assert_eq!((&tokens.body["patient"], &tokens.body["need_patient_banner"]), (&BEN.into(), &true.into()));
}

#[tokio::test]
async fn a_launch_is_of_its_app_and_its_person_and_of_five_minutes() {
    let w = World::new().await;
    let app = launchable(&w, &[UserType::Patient]).await;
    let mut amina = w.amina().signs_in().await;
    let launch = opens(&mut amina, "", &[]).await;
    let mut ben = w.ben().signs_in().await;
    let of_another = said(&ben.get(&address(&app, &launch, &[])).await);
    assert!(of_another.contains("launch is not one that was given out here, to you"), "{of_another}");
    let other = launchable_too(&w).await;
    said(&amina.get(&address(&other, &launch, &[])).await);
    let (front, back) = launch.split_at(launch.len() - 2);
    for forged in ["rgh_forged".to_owned(), format!("{front}{}", if back == "AA" { "BB" } else { "AA" }), "x".into()] {
        said(&amina.get(&address(&app, &forged, &[])).await);
    }
    w.after(5 * MINUTE - 1);
    amina.sees(&address(&app, &launch, &[])).await;
    w.after(1);
    assert!(said(&amina.get(&address(&app, &launch, &[])).await).contains("older than 5 minutes"));
}

/// Another app that can be opened.
async fn launchable_too(w: &World) -> ClientApp<'_> {
    let scopes = rules::smart::request::SmartScopes::kept(REGISTERED).scopes;
    let change = move |client: &mut store::clients::Client| {
        client.scopes = Vec::new();
        client.smart_scopes = scopes;
        client.user_types = vec![UserType::Patient];
        client.launch_url = Some(LAUNCH_URL.into());
    };
    w.change("Sleep Diary", change).await;
    let app = w.client("Sleep Diary");
    assert_eq!(app.registration.client_id, "sleep-diary");
    app
}

#[tokio::test]
async fn a_browser_that_does_not_say_who_is_signed_in_is_asked_for_the_password_of_who_opened_the_app() {
    let w = World::new().await;
    let app = launchable(&w, &[UserType::Patient]).await;
    let mut amina = w.amina().signs_in().await;
    let launch = opens(&mut amina, "", &[]).await;
    let page = w.get(&address(&app, &launch, &[])).await.page();
    assert!(asks_for_password(&page), "{}", page.html);
    let back = w.post_form(page.action(), &filled(&page, w.ben(), &[])).await.redirect();
    assert_eq!(back.error(), "access_denied", "another's password opens nothing with it");
    let launch = opens(&mut amina, "", &[]).await;
    let page = w.get(&address(&app, &launch, &[])).await.page();
    let code = w.post_form(page.action(), &filled(&page, w.amina(), &[])).await.redirect().code();
    assert_eq!(app.redeem(&code).await.granted().body["patient"], AMINA);
}

#[tokio::test]
async fn a_sign_in_stands_for_the_password_for_an_hour_unless_the_app_wants_it_fresher() {
    let w = World::new().await;
    let app = launchable(&w, &[UserType::Patient]).await;
    let mut amina = w.amina().signs_in().await;
    w.after(10 * MINUTE);
    let launch = opens(&mut amina, "", &[]).await;
    for (further, is_asked) in [
        ([("prompt", "login")], true),
        ([("prompt", "login consent")], true),
        ([("prompt", "consent")], false),
        ([("max_age", "600")], true),
        ([("max_age", "601")], false),
        ([("max_age", "0")], true),
    ] {
        let page = amina.sees(&address(&app, &launch, &further)).await;
        assert_eq!(asks_for_password(&page), is_asked, "{further:?}");
    }
    let silent = amina.get(&address(&app, &launch, &[("prompt", "none")])).await.redirect();
    assert_eq!(silent.error(), "interaction_required");
    for _ in 0..2 {
        w.after(25 * MINUTE);
        amina.sees("/apps").await;
    }
    let launch = opens(&mut amina, "", &[]).await;
    let page = amina.sees(&address(&app, &launch, &[])).await;
    assert!(asks_for_password(&page), "an hour after signing in");
    // Beside a word of the contract the password is asked for as ever.
    let mut again = w.amina().signs_in().await;
    w.change("Pill Box", |client| client.scopes = vec![rules::scope::Scope::Patient]).await;
    let launch = opens(&mut again, "", &[]).await;
    let mixed = again.sees(&address(&app, &launch, &[("scope", "PATIENT launch openid")])).await;
    assert!(asks_for_password(&mixed), "{}", mixed.html);
}

#[tokio::test]
async fn an_id_token_says_when_they_signed_in_who_did_not_do_so_again() {
    let w = World::new().await;
    let app = launchable(&w, &[UserType::Patient]).await;
    let signed_in_at = w.now().0 / 1000;
    let mut amina = w.amina().signs_in().await;
    w.after(20 * MINUTE);
    let launch = opens(&mut amina, "", &[]).await;
    let page = amina.sees(&address(&app, &launch, &[])).await;
    let code = amina.post(page.action(), &approval(&page, &w)).await.redirect().code();
    let said = claims(&w, &app.redeem(&code).await.granted()).await;
    assert_eq!((&said["auth_time"], &said["iat"]), (&signed_in_at.into(), &(w.now().0 / 1000).into()));
    let launch = opens(&mut amina, "", &[]).await;
    let page = amina.sees(&address(&app, &launch, &[("prompt", "login")])).await;
    let code = amina.post(page.action(), &filled(&page, w.amina(), &[])).await.redirect().code();
    let said = claims(&w, &app.redeem(&code).await.granted()).await;
    assert_eq!(said["auth_time"], w.now().0 / 1000);
}

/// What the page asks of everybody is asked of who opened the app, too.
#[tokio::test]
async fn a_sign_in_from_before_a_second_factor_stands_for_no_password() {
    let w = World::new().await;
    let app = launchable(&w, &[UserType::Patient]).await;
    let mut before = w.amina().signs_in().await;
    let (phone, _) = enrolled(w.amina()).await;
    let launch = opens(&mut before, "", &[]).await;
    let page = before.sees(&address(&app, &launch, &[])).await;
    assert!(asks_for_password(&page), "{}", page.html);
    let second = before.post(page.action(), &filled(&page, w.amina(), &[])).await.page();
    assert!(second.html.contains("Enter your code"), "{}", second.html);
    let mut after = Browser::new(&w);
    let asked = comes_to_the_code(&mut after, w.amina()).await;
    assert_eq!(types(&mut after, &asked, &phone.shows(&w)).await.status, 303);
    let launch = opens(&mut after, "", &[]).await;
    let page = after.sees(&address(&app, &launch, &[])).await;
    assert!(!asks_for_password(&page), "{}", page.html);
    after.post(page.action(), &approval(&page, &w)).await.redirect().code();
}

#[tokio::test]
async fn only_who_may_use_an_app_is_shown_it_and_only_while_it_can_be_opened() {
    let w = World::new().await;
    let app = launchable(&w, &[UserType::Patient]).await;
    let (mut amina, mut doctor) = (w.amina().signs_in().await, w.dr_okafor().signs_in().await);
    assert!(!doctor.sees("/apps").await.html.contains("Pill Box"), "not registered for clinicians");
    doctor.get("/apps/pill-box").await.error_page(404);
    let record = doctor.sees(&format!("/teams/{RIVERSIDE_TEAM}/patients/{AMINA}")).await;
    assert_eq!(record.link("/apps"), None, "no way to nothing");
    let launch = opens(&mut amina, "", &[]).await;
    let form = amina.sees("/apps/pill-box").await.form("/apps/").sealed;
    w.change("Pill Box", |client| client.launch_url = None).await;
    assert!(amina.sees("/apps").await.html.contains("no apps to open"));
    amina.post("/apps/pill-box", &fields([("form", form.as_str())])).await.error_page(404);
    said(&amina.get(&address(&app, &launch, &[])).await);
    w.change("Pill Box", |client| {
        client.launch_url = Some(LAUNCH_URL.into());
        client.disabled_at = Some(rules::moment::Moment(1));
    })
    .await;
    amina.get("/apps/pill-box").await.error_page(404);
    amina.get("/apps/no-such-app").await.error_page(404);
}

#[tokio::test]
async fn the_page_that_opens_an_app_leads_to_its_host_alone_and_takes_no_form_of_others() {
    let w = World::new().await;
    launchable(&w, &[UserType::Patient]).await;
    let mut amina = w.amina().signs_in().await;
    let reply = amina.get("/apps/pill-box").await;
    let policy = reply.header("content-security-policy").unwrap();
    assert!(policy.contains("form-action 'self' https://pill-box.example;"), "{policy}");
    let of_signing_out = amina.sees("/apps/pill-box").await.form("/sign-out").sealed;
    amina.post("/apps/pill-box", &fields([("form", of_signing_out.as_str())])).await.error_page(400);
    let own = amina.sees("/apps/pill-box").await.form("/apps/").sealed;
    let mut ben = w.ben().signs_in().await;
    ben.post("/apps/pill-box", &fields([("form", own.as_str())])).await.error_page(400);
    amina.fetch_site = Some("cross-site");
    amina.post("/apps/pill-box", &fields([("form", own.as_str())])).await.error_page(403);
}

#[tokio::test]
async fn a_request_with_a_launch_can_be_pushed() {
    let w = World::new().await;
    let app = launchable(&w, &[UserType::Patient]).await;
    let mut amina = w.amina().signs_in().await;
    let launch = opens(&mut amina, "", &[]).await;
    let asked = with(&asks(&app, ALL), "launch", &launch);
    let pushed = app.posts("/apiPar.action", &asked).await.0;
    assert_eq!(pushed.status, 201, "{}", pushed.text());
    let uri = pushed.json()["request_uri"].as_str().unwrap().to_owned();
    let named = format!(
        "/apiAuthorize.action?{}",
        encoded(&fields([("client_id", "pill-box"), ("request_uri", uri.as_str())]))
    );
    let page = amina.sees(&named).await;
    assert!(!asks_for_password(&page), "{}", page.html);
    amina.post(page.action(), &approval(&page, &w)).await.redirect().code();
    // Neither the request nor the launch opens anything again.
    let plain = amina.sees(&address(&app, &launch, &[])).await;
    said(&amina.post(plain.action(), &approval(&plain, &w)).await);
}
