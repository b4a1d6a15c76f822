//! Scopes: which there are, how they are read and returned, and who may log in for which.

use crate::kit::{World, encoded, fields, with, without};
use serde_json::json;

/// PATIENT, CLINICIAN and TEAMCOORD for User Clients, read case-insensitively, returned in lower case.
// gaps: Clients > Scopes
// contract: Token response (JSON, from the token endpoint) > scope | string
#[tokio::test]
async fn a_scope_is_read_in_any_case_and_returned_in_lower_case() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    for spelt in ["PATIENT", "patient", "PaTiEnT"] {
        let code = w.amina().approves_asked(&app, &with(&app.asks(), "scope", spelt)).await;
        assert_eq!(app.redeem(&code).await.granted().scope, "patient");
    }
    let app = w.client("Ward Round");
    for (person, scope, said) in [(w.dr_okafor(), "CLINICIAN", "clinician"), (w.grace(), "TEAMCOORD", "teamcoord")] {
        let code = person.approves_asked(&app, &with(&app.asks(), "scope", scope)).await;
        assert_eq!(app.redeem(&code).await.granted().scope, said);
    }
}

/// `scope_echo = "as-requested"` returns what was sent, also on refresh.
// gaps: Clients > Scopes
#[tokio::test]
async fn a_client_that_asks_for_its_own_spelling_gets_it_back() {
    let w = World::new().await;
    let app = w.client("As You Say");
    let code = w.amina().approves_asked(&app, &with(&app.asks(), "scope", "Patient")).await;
    let tokens = app.redeem(&code).await.granted();
    assert_eq!(tokens.scope, "Patient");
    let body = with(&app.refreshment(tokens.refresh()), "scope", "pAtIeNt");
    let tokens = app.asks_for_tokens(&body).await.granted();
    assert_eq!(tokens.scope, "pAtIeNt");
    assert_eq!(app.refresh(&tokens).await.granted().scope, "Patient", "what was sent at the start");
}

/// SITE is for Tethered-Token clients: no User Client can ask a user for it.
// gaps: Clients > Scopes
#[tokio::test]
async fn no_user_client_can_ask_for_site() {
    let w = World::new().await;
    let asked = with(&w.client("Many Doors").asks(), "scope", "SITE");
    w.get(&format!("/apiAuthorize.action?{}", encoded(&asked))).await.error_page(400);
}

/// Without `scope`, a user of any type the client is registered for may log in, and grants their own type.
// gaps: Clients > omitted at authorization
#[tokio::test]
async fn without_a_scope_a_user_grants_their_own_type() {
    let w = World::new().await;
    let app = w.client("Many Doors");
    let asked = without(&app.asks(), "scope");
    for (person, granted) in [(w.amina(), "patient"), (w.dr_okafor(), "clinician"), (w.grace(), "teamcoord")] {
        let code = person.approves_asked(&app, &asked).await;
        assert_eq!(app.redeem(&code).await.granted().scope, granted);
    }
}

/// A user of a type that the client is not registered for may not log in, and hears nothing more than any other.
// gaps: Clients > omitted at authorization
#[tokio::test]
async fn without_a_scope_a_user_of_another_type_is_denied() {
    let w = World::new().await;
    let app = w.client("Ward Round");
    for person in [w.amina(), w.admin()] {
        let page = app.sends_to_page(&app.asks()).await;
        assert_eq!(person.decides(&page, "approve").await.redirect().error(), "access_denied");
    }
}

/// The page says in plain words what is asked for, by scope, and what a user of each type would grant without one.
#[tokio::test]
async fn the_page_says_what_is_asked_for() {
    let w = World::new().await;
    let app = w.client("Many Doors");
    let scoped = app.sends_to_page(&with(&app.asks(), "scope", "PATIENT")).await;
    assert!(scoped.html.contains("Letters, documents, images"), "{}", scoped.html);
    let unscoped = app.sends_to_page(&app.asks()).await;
    for word in ["If you are a patient", "If you are a clinician", "If you are a Team Coordinator"] {
        assert!(unscoped.html.contains(word), "{word} in {}", unscoped.html);
    }
}

/// Two scopes at once, or a word that is none, make the request invalid; so does one the client is not registered for.
// contract: 1. Authorization endpoint > Which of these are mandatory
#[tokio::test]
async fn a_scope_is_one_of_the_registered_words() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    for scope in ["PATIENT CLINICIAN", "openid", "CLINICIAN", "SITE", "PATIENT ", "PATIENT letters", "SITE openid"] {
        let asked = with(&app.asks(), "scope", scope);
        w.get(&format!("/apiAuthorize.action?{}", encoded(&asked))).await.error_page(400);
    }
    let only_mandatory = fields([("response_type", "code"), ("client_id", "sleep-diary")]);
    app.sends_to_page(&only_mandatory).await;
}

/// fhirclient, in JavaScript and in Python, sends SMART's words whatever a service knows of them.
// gaps: Clients > Words of SMART in a scope
#[tokio::test]
async fn words_of_smart_beside_a_word_of_the_contract_are_passed_over() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    let words = "launch/patient openid fhirUser offline_access patient/*.read PATIENT";
    let code = w.amina().approves_asked(&app, &with(&app.asks(), "scope", words)).await;
    let tokens = app.redeem(&code).await.granted();
    assert_eq!((tokens.scope.as_str(), &tokens.body["patient"]), ("patient offline_access", &json!("amina")));
    let renewed = app.refresh(&tokens).await.granted();
    assert_eq!((renewed.scope.as_str(), &renewed.body["patient"]), ("patient offline_access", &json!("amina")));
    let body = with(&app.refreshment(renewed.refresh()), "scope", "patient offline_access");
    let renewed = app.asks_for_tokens(&body).await.granted();
    assert_eq!(renewed.scope, "patient offline_access");
    w.calls_fhir_with(&renewed.access).await.opened();
}

// gaps: Clients > Words of SMART in a scope
#[tokio::test]
async fn offline_access_is_echoed_only_where_a_refresh_token_is_given() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    w.change("Sleep Diary", |client| client.refresh_tokens = false).await;
    let code = w.amina().approves_asked(&app, &with(&app.asks(), "scope", "PATIENT offline_access")).await;
    let tokens = app.redeem(&code).await.granted();
    assert_eq!((tokens.refresh, tokens.scope.as_str()), (None, "patient"));
}

/// Whoever sends what the contract has gets what the contract has.
// gaps: Clients > Words of SMART in a scope
#[tokio::test]
async fn who_sends_no_word_of_smart_hears_nothing_of_it() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    let code = w.amina().approves_asked(&app, &with(&app.asks(), "scope", "PATIENT")).await;
    let tokens = app.redeem(&code).await.granted();
    let members: Vec<&str> = tokens.body.as_object().unwrap().keys().map(String::as_str).collect();
    let contract = ["access_token", "token_type", "expires_in", "refresh_token", "scope"];
    assert!(members.len() == contract.len() && contract.iter().all(|member| members.contains(member)), "{members:?}");
}

#[tokio::test]
async fn a_clinicians_session_is_about_no_patient_whatever_smart_words_are_sent() {
    let w = World::new().await;
    let app = w.client("Ward Round");
    let asked = with(&app.asks(), "scope", "CLINICIAN launch/patient user/*.read");
    let code = w.dr_okafor().approves_asked(&app, &asked).await;
    let tokens = app.redeem(&code).await.granted();
    assert_eq!((tokens.scope.as_str(), tokens.body.get("patient")), ("clinician", None));
}
