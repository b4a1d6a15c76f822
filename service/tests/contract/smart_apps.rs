//! SMART's apps (docs/smart.md): the request, what people grant of it, and what the app is told.

use crate::kit::caller::Caller;
use crate::kit::client_app::ClientApp;
use crate::kit::page::Page;
use crate::kit::person::Person;
use crate::kit::records::{AMINA, BEN};
use crate::kit::token_reply::{TokenReply, Tokens};
use crate::kit::{BASE, RIVERSIDE_TEAM, World, encoded, fields, with, without};
use crate::openid::claims;
use rules::labels::{Label, Labels};
use rules::scope::UserType;
use rules::smart::request::SmartScopes;

const ALL: &str = "launch/patient openid fhirUser offline_access patient/Observation.rs";

/// A public client of SMART for people of these types, registered for these scopes and no word of the contract.
pub async fn smart_app<'w>(w: &'w World, registered: &str, by: &'static [UserType]) -> ClientApp<'w> {
    let scopes = SmartScopes::kept(registered).scopes;
    let change = move |client: &mut store::clients::Client| {
        client.scopes = Vec::new();
        client.smart_scopes = scopes;
        client.user_types = by.to_vec();
    };
    w.change("Pill Box", change).await;
    w.client("Pill Box")
}

/// What such a client asks.
pub fn asks(app: &ClientApp<'_>, scope: &str) -> Vec<(String, String)> {
    let asked = with(&with(&app.asks(), "scope", scope), "aud", &format!("{BASE}/fhir"));
    with(&asked, "nonce", "n-0S6_WzA2Mj")
}

/// What is posted from the page by somebody who leaves these lines ticked: all that it shows, unless told otherwise.
pub fn filled(page: &Page, person: Person<'_>, unticked: &[&str]) -> Vec<(String, String)> {
    let (username, password) = (person.account.username, person.account.password);
    let mut filled =
        fields([("form", page.hidden_form()), ("username", username), ("password", password), ("decision", "approve")]);
    for (field, value) in lines(page) {
        if !unticked.contains(&value.as_str()) {
            filled.push((field, value));
        }
    }
    filled
}

/// The lines of a page: the field and the scope of each.
fn lines(page: &Page) -> Vec<(String, String)> {
    let tags = page.html.split("<input ").skip(1).map(|rest| rest.split('>').next().unwrap());
    let attribute = |tag: &str, name: &str| {
        let (_, after) = tag.split_once(&format!("{name}=\"")).unwrap();
        after.split('"').next().unwrap().to_owned()
    };
    tags.filter(|tag| tag.contains("type=\"checkbox\""))
        .map(|tag| (attribute(tag, "name"), attribute(tag, "value")))
        .collect()
}

/// Approves, but for these lines.
pub async fn approves(person: Person<'_>, app: &ClientApp<'_>, scope: &str, unticked: &[&str]) -> Tokens {
    let page = app.sends_to_page(&asks(app, scope)).await;
    let code = person.world.post_form(page.action(), &filled(&page, person, unticked)).await.redirect().code();
    app.redeem(&code).await.granted()
}

#[tokio::test]
async fn a_smart_app_is_told_whom_it_is_about_and_what_was_granted() {
    let w = World::new().await;
    let app = smart_app(&w, ALL, &[UserType::Patient]).await;
    let asked = format!("{ALL} patient/Condition.rs online_access launch patient/Observation.rs?bogus=1");
    let tokens = approves(w.amina(), &app, &asked, &[]).await;
    assert_eq!(tokens.scope, ALL, "registered, in the order of the request");
    assert_eq!((&tokens.body["patient"], &tokens.body["need_patient_banner"]), (&"amina".into(), &false.into()));
    assert!(tokens.body["id_token"].is_string());
    let renewed = app.refresh(&tokens).await.granted();
    assert_eq!((renewed.scope.as_str(), &renewed.body["patient"]), (ALL, &"amina".into()));
    assert_eq!(renewed.body.get("id_token"), None, "who granted it is told once");
}

#[tokio::test]
async fn what_smart_demands_of_a_request_is_demanded_on_the_error_page() {
    let w = World::new().await;
    let app = smart_app(&w, ALL, &[UserType::Patient]).await;
    let good = asks(&app, ALL);
    let wrong = [
        (without(&good, "aud"), "aud is missing"),
        (with(&good, "aud", "https://evil.example/fhir"), "aud is not the address"),
        (with(&good, "aud", &format!("{BASE}.evil.example/fhir")), "aud is not the address"),
        (without(&without(&good, "code_challenge"), "code_challenge_method"), "code_challenge is missing"),
        (with(&good, "scope", "user/*.cruds offline_access"), "none of the scopes"),
        (with(&good, "launch", "rgl_forged"), "launch is not one"),
        (with(&good, "response_mode", "fragment"), "response_mode must be query"),
    ];
    for (asked, words) in wrong {
        let said = w.get(&format!("/apiAuthorize.action?{}", encoded(&asked))).await.error_page(400);
        assert!(said.contains(words), "{words} in {said}");
    }
    app.sends_to_page(&with(&good, "aud", &format!("{BASE}/fhir/"))).await;
}

#[tokio::test]
async fn each_scope_is_a_line_that_can_be_unticked() {
    let w = World::new().await;
    let asked = "openid profile patient/Observation.rs?category=laboratory patient/*.cruds user/Slot.r offline_access";
    let app = smart_app(&w, asked, &[UserType::Patient]).await;
    let page = app.sends_to_page(&asks(&app, asked)).await;
    for words in [
        "See: measurements and test results, only of the category “laboratory”.",
        "See, add, change and delete: everything that can be shared with apps.",
        "See: what FHIR calls “slot”.",
        "Know your name.",
        "Go on when you are not there.",
    ] {
        assert!(page.html.contains(words), "{words} in {}", page.html);
    }
    let unticked = ["patient/*.cruds", "offline_access", "openid"];
    let tokens = approves(w.amina(), &app, asked, &unticked).await;
    assert_eq!(tokens.scope, "patient/Observation.rs?category=laboratory user/Slot.r", "no name without an id");
    assert_eq!((&tokens.refresh, tokens.body.get("id_token")), (&None, None));
}

#[tokio::test]
async fn whoever_unticks_everything_grants_nothing() {
    let w = World::new().await;
    let app = smart_app(&w, ALL, &[UserType::Patient]).await;
    let every: Vec<&str> = ALL.split(' ').collect();
    for unticked in [every.as_slice(), &["openid", "patient/Observation.rs", "fhirUser", "offline_access"]] {
        let page = app.sends_to_page(&asks(&app, ALL)).await;
        let back = w.post_form(page.action(), &filled(&page, w.amina(), unticked)).await.redirect();
        assert_eq!(back.error(), "access_denied");
    }
    // A form without its lines is one on which all are unticked, whoever made it.
    let page = app.sends_to_page(&asks(&app, ALL)).await;
    assert_eq!(w.amina().decides(&page, "approve").await.redirect().error(), "access_denied");
}

#[tokio::test]
async fn nobody_grants_what_their_type_has_not() {
    let w = World::new().await;
    let app = smart_app(&w, ALL, &[UserType::Patient]).await;
    let page = app.sends_to_page(&asks(&app, ALL)).await;
    let back = w.post_form(page.action(), &filled(&page, w.dr_okafor(), &[])).await.redirect();
    assert_eq!(back.error(), "access_denied", "clinicians may not sign in with it");
    let app = smart_app(&w, ALL, &[UserType::TeamCoord]).await;
    let asked = asks(&app, "patient/Observation.rs launch/patient");
    w.get(&format!("/apiAuthorize.action?{}", encoded(&asked))).await.error_page(400);
}

#[tokio::test]
async fn without_offline_access_there_is_no_refresh_token() {
    let w = World::new().await;
    let app = smart_app(&w, ALL, &[UserType::Patient]).await;
    let tokens = approves(w.amina(), &app, "openid patient/Observation.rs", &[]).await;
    assert_eq!((tokens.refresh, tokens.scope.as_str()), (None, "openid patient/Observation.rs"));
    w.change("Pill Box", |client| client.refresh_tokens = false).await;
    let tokens = approves(w.amina(), &app, ALL, &[]).await;
    assert_eq!(tokens.refresh, None);
    assert!(!tokens.scope.contains("offline_access"), "{}", tokens.scope);
}

#[tokio::test]
async fn a_refresh_names_what_was_granted_or_nothing_but_never_more_and_may_leave_the_client_out() {
    let w = World::new().await;
    let app = smart_app(&w, ALL, &[UserType::Patient]).await;
    let tokens = approves(w.amina(), &app, ALL, &["fhirUser"]).await;
    for other in [ALL, "patient/Observation.rsu", "patient/*.cruds", "PATIENT"] {
        app.asks_for_tokens(&with(&app.refreshment(tokens.refresh()), "scope", other)).await.refused("invalid_scope");
    }
    let reordered = "patient/Observation.rs offline_access openid launch/patient";
    let renewed = app.asks_for_tokens(&with(&app.refreshment(tokens.refresh()), "scope", reordered)).await.granted();
    // fhirclient sends no client_id here.
    let nameless = without(&app.refreshment(renewed.refresh()), "client_id");
    let renewed = app.asks_for_tokens(&nameless).await.granted();
    w.change("Pill Box", |client| client.disabled_at = Some(rules::moment::Moment(1))).await;
    let nameless = without(&app.refreshment(renewed.refresh()), "client_id");
    app.asks_for_tokens(&nameless).await.refused("invalid_client");
    let (_, of_contract) = w.amina().approves("Sleep Diary").await;
    let nameless = fields([("grant_type", "refresh_token"), ("refresh_token", of_contract.refresh())]);
    TokenReply::of(w.post_form("/apiToken.action", &nameless).await).refused("invalid_request");
}

#[tokio::test]
async fn a_carer_chooses_whose_record_a_smart_app_gets_and_keeps_what_was_unticked() {
    let w = World::new().await;
    w.opens(BEN, w.amina().as_carer().await, Labels(Label::GeneralHealth.bit())).await;
    let app = smart_app(&w, ALL, &[UserType::Patient]).await;
    let page = app.sends_to_page(&asks(&app, ALL)).await;
    let second = w.post_form(page.action(), &filled(&page, w.amina(), &["fhirUser"])).await.page();
    let fhir_user = second.html.split("<input ").find(|tag| tag.contains("value=\"fhirUser\"")).unwrap();
    assert!(!fhir_user.contains("checked"), "as it was left: {fhir_user}");
    let chosen = with(&filled(&second, w.amina(), &["fhirUser"]), "record", BEN);
    let code = w.post_form(second.action(), &chosen).await.redirect().code();
    let tokens = app.redeem(&code).await.granted();
    assert_eq!((&tokens.body["patient"], &tokens.body["need_patient_banner"]), (&BEN.into(), &true.into()));
}

#[tokio::test]
async fn a_clinician_picks_a_patient_of_the_team() {
    let w = World::new().await;
    let app = smart_app(&w, ALL, &[UserType::Clinician]).await;
    let page = app.sends_to_page(&asks(&app, ALL)).await;
    let second = w.post_form(page.action(), &filled(&page, w.dr_okafor(), &[])).await.page();
    assert!(second.html.contains("<legend>Which patient?</legend>"), "{}", second.html);
    assert!(second.html.contains("value=\"amina\"") && !second.html.contains("value=\"ben\""), "{}", second.html);
    let nobody = with(&with(&filled(&second, w.dr_okafor(), &[]), "q", "zz no such name"), "decision", "look");
    let third = w.post_form(second.action(), &nobody).await.page();
    assert!(third.html.contains("Nobody in the care of the team has this name."), "{}", third.html);
    let unanswered = w.post_form(third.action(), &filled(&third, w.dr_okafor(), &[])).await.page();
    assert!(unanswered.html.contains("Choose one of them, or deny."), "{}", unanswered.html);
    let chosen = with(&filled(&unanswered, w.dr_okafor(), &[]), "patient", AMINA);
    let code = w.post_form(unanswered.action(), &chosen).await.redirect().code();
    let tokens = app.redeem(&code).await.granted();
    assert_eq!((&tokens.body["patient"], &tokens.body["need_patient_banner"]), (&AMINA.into(), &true.into()));
    assert!(!tokens.scope.contains("fhirUser"), "no Practitioner stands for them: {}", tokens.scope);
}

#[tokio::test]
async fn a_patient_of_another_team_or_one_who_has_left_it_cannot_be_picked() {
    let w = World::new().await;
    let app = smart_app(&w, ALL, &[UserType::Clinician]).await;
    let page = app.sends_to_page(&asks(&app, ALL)).await;
    let second = w.post_form(page.action(), &filled(&page, w.dr_okafor(), &[])).await.page();
    let foreign = with(&filled(&second, w.dr_okafor(), &[]), "patient", BEN);
    let back = w.post_form(second.action(), &foreign).await.redirect();
    assert_eq!(back.error(), "access_denied");
    w.post_form(second.action(), &foreign).await.error_page(400);
    let page = app.sends_to_page(&asks(&app, ALL)).await;
    let second = w.post_form(page.action(), &filled(&page, w.dr_okafor(), &[])).await.page();
    w.discharges(AMINA, w.team(RIVERSIDE_TEAM).await).await;
    let gone = with(&filled(&second, w.dr_okafor(), &[]), "patient", AMINA);
    let back = w.post_form(second.action(), &gone).await.redirect();
    assert_eq!(back.error(), "access_denied", "it still sees the Patient, and has them in its care no more");
}

/// For one access token: the session keeps what it was granted, and its refresh token is good for all of it.
#[tokio::test]
async fn a_refresh_may_ask_for_less_and_its_access_token_opens_less() {
    let w = World::new().await;
    let granted = "openid offline_access patient/*.rs";
    let app = smart_app(&w, granted, &[UserType::Patient]).await;
    let tokens = approves(w.amina(), &app, granted, &[]).await;
    let asked = with(&app.refreshment(tokens.refresh()), "scope", "patient/Patient.r bogus");
    let narrow = app.asks_for_tokens(&asked).await.granted();
    assert_eq!((narrow.scope.as_str(), &narrow.body["patient"]), ("patient/Patient.r", &"amina".into()));
    let of = |tokens: &Tokens| Caller { world: &w, access: tokens.access.clone(), organisation: None };
    of(&narrow).get("/fhir/Patient/amina").await.opened();
    of(&narrow).get("/fhir/Observation?patient=amina").await.says(403, "INSUFFICIENT_SCOPE");
    of(&narrow).get("/fhir/Patient?_id=amina").await.says(403, "INSUFFICIENT_SCOPE");
    assert_eq!(of(&narrow).get("/apiUserinfo.action").await.status, 403);
    w.change("Post Room", |client| client.may_introspect = true).await;
    let told = w.client("Post Room").asks_about("/apiIntrospect.action", &narrow.access).await.0.json();
    assert_eq!((&told["active"], &told["scope"]), (&true.into(), &"patient/Patient.r".into()));
    assert_eq!((&told["patient"], &told["fhirUser"]), (&"amina".into(), &serde_json::Value::Null));
    assert_eq!(told["need_patient_banner"], false, "all that the token answer says of the context");
    let asked = with(&app.refreshment(narrow.refresh()), "scope", "openid");
    let narrow = app.asks_for_tokens(&asked).await.granted();
    let told = w.client("Post Room").asks_about("/apiIntrospect.action", &narrow.access).await.0.json();
    assert_eq!((&told["scope"], &told["patient"]), (&"openid".into(), &serde_json::Value::Null), "as the token opens");
    let whole = app.refresh(&narrow).await.granted();
    assert_eq!(whole.scope, granted);
    of(&whole).get("/fhir/Observation?patient=amina").await.opened();
    assert_eq!(of(&whole).get("/apiUserinfo.action").await.status, 200);
    let asked = with(&app.refreshment(whole.refresh()), "scope", "patient/Observation.rs");
    let narrow = app.asks_for_tokens(&asked).await.granted();
    app.asks_about("/apiRevoke.action", &narrow.access).await.0.opened();
    app.refresh(&narrow).await.refused("invalid_grant");
}

/// With `fhirUser` an app reads who signed in, by the address that the id_token names, and nobody else.
#[tokio::test]
async fn fhir_user_opens_the_patient_who_signed_in_and_no_more() {
    let w = World::new().await;
    let app = smart_app(&w, ALL, &[UserType::Patient]).await;
    let of = |tokens: Tokens| Caller { world: &w, access: tokens.access, organisation: None };
    let known = of(approves(w.amina(), &app, "openid fhirUser patient/Observation.rs", &[]).await);
    known.get("/fhir/Patient/amina").await.opened();
    known.get("/fhir/Patient?_id=amina").await.says(403, "INSUFFICIENT_SCOPE");
    known.get("/fhir/Patient/ben").await.says(404, "NOT_FOUND");
    let unknown = of(approves(w.amina(), &app, "openid patient/Observation.rs", &[]).await);
    unknown.get("/fhir/Patient/amina").await.says(403, "INSUFFICIENT_SCOPE");
}

#[tokio::test]
async fn introspection_tells_what_the_app_was_told() {
    let w = World::new().await;
    let app = smart_app(&w, ALL, &[UserType::Patient]).await;
    let tokens = approves(w.amina(), &app, ALL, &[]).await;
    w.change("Post Room", |client| client.may_introspect = true).await;
    let told = w.client("Post Room").asks_about("/apiIntrospect.action", &tokens.access).await.0.json();
    assert_eq!((&told["active"], &told["scope"], &told["patient"]), (&true.into(), &ALL.into(), &"amina".into()));
    assert_eq!(told["fhirUser"], format!("{BASE}/fhir/Patient/amina"));
    let said = claims(&w, &tokens).await;
    assert_eq!((&told["iss"], &told["sub"]), (&said["iss"], &said["sub"]), "as the id_token says");
    let end = w.now().0 / 1000 + tokens.expires_in;
    assert_eq!((&told["client_id"], &told["exp"]), (&"pill-box".into(), &end.into()));
}

/// With words of SMART beside it a word of the contract means what it means; a client that is registered for some of them is narrowed.
#[tokio::test]
async fn scopes_beside_a_word_of_the_contract_are_granted_where_the_client_is_registered_for_them() {
    let w = World::new().await;
    let scopes = SmartScopes::kept("openid patient/Observation.rs offline_access").scopes;
    w.change("Sleep Diary", move |client| client.smart_scopes = scopes).await;
    let app = w.client("Sleep Diary");
    let asked = with(&app.asks(), "scope", "openid PATIENT patient/Observation.rs patient/Condition.rs offline_access");
    let page = app.sends_to_page(&asked).await;
    let code = w.post_form(page.action(), &filled(&page, w.amina(), &[])).await.redirect().code();
    let tokens = app.redeem(&code).await.granted();
    assert!(tokens.scope.starts_with("patient offline_access openid patient/Observation.rs"), "{}", tokens.scope);
    assert!(tokens.body["id_token"].is_string() && tokens.refresh.is_some());
    let page = app.sends_to_page(&asked).await;
    let unticked = ["openid", "patient/Observation.rs", "offline_access"];
    let back = w.post_form(page.action(), &filled(&page, w.amina(), &unticked)).await.redirect();
    assert_eq!(back.error(), "access_denied", "never the whole record");
    let foreign = with(&app.asks(), "scope", "PATIENT patient/Condition.rs");
    w.get(&format!("/apiAuthorize.action?{}", encoded(&foreign))).await.error_page(400);
}

#[tokio::test]
async fn who_wants_nobody_to_be_asked_hears_that_somebody_must_be() {
    let w = World::new().await;
    let app = smart_app(&w, ALL, &[UserType::Patient]).await;
    let asked = with(&asks(&app, ALL), "prompt", "none");
    let back = w.get(&format!("/apiAuthorize.action?{}", encoded(&asked))).await.redirect();
    assert_eq!((back.error(), back.get("iss")), ("login_required", Some(BASE)));
    let page = app.sends_to_page(&with(&asks(&app, ALL), "login_hint", "amina@example.org")).await;
    assert!(page.html.contains("value=\"amina@example.org\""), "{}", page.html);
}

/// What a client of the contract hears, as it was recorded before SMART was served, with `…` for what is new each time.
#[tokio::test]
async fn the_contracts_own_requests_are_answered_as_before() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    let asked = with(&with(&with(&app.asks(), "scope", "PATIENT"), "nonce", "n"), "aud", "elsewhere");
    let page = app.sends_to_page(&asked).await;
    let masked = page.html.replace(page.hidden_form(), "…");
    let (_, from) = masked.split_once("<div class=\"story\">").unwrap();
    assert_eq!(from.trim_end(), include_str!("recorded/authorize.html").trim_end());
    let reply = w.amina().decides(&page, "approve").await;
    let (to, code) = (reply.header("location").unwrap().to_owned(), reply.redirect().code());
    let state = crate::kit::client_app::STATE;
    let iss = form_urlencoded::byte_serialize(BASE.as_bytes()).collect::<String>();
    assert_eq!(to, format!("https://sleep.example/back?code={code}&state={state}&iss={iss}"));
    let reply = app.redeem(&code).await;
    let tokens = reply.granted();
    let said = |tokens: &Tokens| {
        let (access, refresh) = (&tokens.access, tokens.refresh());
        format!(
            r#"{{"access_token":"{access}","token_type":"Bearer","expires_in":600,"refresh_token":"{refresh}","scope":"patient"}}"#
        )
    };
    assert_eq!(reply.0.text(), said(&tokens));
    let reply = app.asks_for_tokens(&with(&app.refreshment(tokens.refresh()), "scope", "patient")).await;
    let renewed = reply.granted();
    assert_eq!(reply.0.text(), said(&renewed));
    let wrong = app.asks_for_tokens(&with(&app.refreshment(renewed.refresh()), "scope", "CLINICIAN")).await;
    let words = "scope is not the one that was granted; the refresh token is not used up";
    assert_eq!(wrong.0.text(), format!(r#"{{"error":"invalid_scope","error_description":"{words}"}}"#));
    let system = w.client("Lab Link").client_credentials().await;
    let access = system.granted().access;
    let body = format!(r#"{{"access_token":"{access}","token_type":"Bearer","expires_in":3600,"scope":"none"}}"#);
    assert_eq!(system.0.text(), body);
}
