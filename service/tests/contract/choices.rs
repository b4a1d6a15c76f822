//! Choices on the authorization page: a PATIENT session is about one record, a CLINICIAN or TEAMCOORD session is for one team.

use crate::kit::caller::Caller;
use crate::kit::page::Page;
use crate::kit::people::Account;
use crate::kit::person::Person;
use crate::kit::records::{AMINA, BEN, observation};
use crate::kit::token_reply::Tokens;
use crate::kit::{DAY, HILLSIDE_TEAM, RIVERSIDE_TEAM, SLEEP_TEAM, World, fields, with};
use rules::consent::notice::RecordState;
use rules::labels::{Label, Labels};
use serde_json::{Value, json};

const GENERAL: Labels = Labels(Label::GeneralHealth.bit());

/// Amina cares for Ben with his general label.
async fn amina_cares_for_ben(w: &World) {
    w.opens(BEN, w.amina().as_carer().await, GENERAL).await;
}

/// What somebody posts from the first page.
fn filled(page: &Page, account: &Account, decision: &str) -> Vec<(String, String)> {
    let (username, password) = (account.username, account.password);
    fields([("form", page.hidden_form()), ("username", username), ("password", password), ("decision", decision)])
}

/// The page that comes after signing in.
async fn page_after(person: Person<'_>, product: &str, decision: &str) -> Page {
    let app = person.world.client(product);
    let page = app.sends_to_page(&app.asks()).await;
    let reply = person.world.post_form(page.action(), &filled(&page, person.account, decision)).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.page()
}

/// Approves on that page, with this choice.
async fn chosen(person: Person<'_>, product: &str, page: &Page, (field, value): (&str, &str)) -> Tokens {
    let choice = fields([("form", page.hidden_form()), ("decision", "approve"), (field, value)]);
    let code = person.world.post_form(page.action(), &choice).await.redirect().code();
    person.world.client(product).redeem(&code).await.granted()
}

fn caller<'w>(w: &'w World, tokens: &Tokens) -> Caller<'w> {
    Caller { world: w, access: tokens.access.clone(), organisation: None }
}

fn radios(page: &Page) -> Vec<&str> {
    page.html.split("<input ").skip(1).filter(|tag| tag.contains("type=\"radio\"")).collect()
}

fn labelled(patient: &str, label: &str) -> Value {
    let mut item = observation(patient);
    item["meta"] = json!({ "security": [{ "system": "urn:recordgate:privacy-label", "code": label }] });
    item
}

// gaps: Authorization endpoint > Choosing a record or a team
#[tokio::test]
async fn who_cares_for_somebody_chooses_whose_record_an_app_gets() {
    let w = World::new().await;
    amina_cares_for_ben(&w).await;
    let item = w.ben().caller().await.makes(&labelled(BEN, "MENTAL_HEALTH")).await;
    let page = page_after(w.amina(), "Sleep Diary", "approve").await;
    let shown = radios(&page);
    assert_eq!(shown.len(), 2, "{}", page.html);
    assert!(
        shown[0].contains("name=\"record\"") && shown[0].contains("value=\"amina\"") && shown[0].contains("checked")
    );
    assert!(shown[1].contains("value=\"ben\"") && !shown[1].contains("checked"), "{}", shown[1]);
    for words in ["<legend>Whose record?</legend>", "Your own record (Amina Rahman)", "The record of ben"] {
        assert!(page.html.contains(words), "{words} in {}", page.html);
    }
    assert!(!page.html.contains("name=\"password\""), "who has signed in is not asked again");
    let tokens = chosen(w.amina(), "Sleep Diary", &page, ("record", BEN)).await;
    let of_ben = caller(&w, &tokens);
    assert_eq!(of_ben.get("/fhir/Patient").await.found(), ["ben"]);
    of_ben.get("/fhir/Patient/amina").await.says(404, "NOT_FOUND");
    of_ben.get(&item).await.says(404, "NOT_FOUND");
    assert_eq!(of_ben.get("/fhir/$purview").await.status, 200);
    let page = page_after(w.amina(), "Sleep Diary", "approve").await;
    let own = caller(&w, &chosen(w.amina(), "Sleep Diary", &page, ("record", AMINA)).await);
    assert_eq!(own.get("/fhir/Patient").await.found(), ["amina"]);
}

#[tokio::test]
async fn without_a_choice_there_is_no_question() {
    let w = World::new().await;
    let (_, tokens) = w.amina().approves("Sleep Diary").await;
    assert_eq!(caller(&w, &tokens).get("/fhir/Patient").await.found(), ["amina"]);
    let page = page_after(w.amina(), "Sleep Diary", "look").await;
    assert!(radios(&page).is_empty() && !page.html.contains("<fieldset"), "{}", page.html);
    let (_, tokens) = w.dr_okafor().approves("Ward Round").await;
    assert_eq!(caller(&w, &tokens).get("/fhir/Patient").await.found(), ["amina"]);
}

/// A choice may come with the login, for whoever knows it.
#[tokio::test]
async fn a_choice_that_is_the_users_needs_no_second_page() {
    let w = World::new().await;
    amina_cares_for_ben(&w).await;
    let app = w.client("Sleep Diary");
    let page = app.sends_to_page(&app.asks()).await;
    let both = with(&filled(&page, w.amina().account, "approve"), "record", BEN);
    let code = w.post_form(page.action(), &both).await.redirect().code();
    let tokens = app.redeem(&code).await.granted();
    assert_eq!(caller(&w, &tokens).get("/fhir/Patient").await.found(), ["ben"]);
}

#[tokio::test]
async fn a_choice_that_is_not_the_users_is_refused_as_a_forged_form() {
    let w = World::new().await;
    amina_cares_for_ben(&w).await;
    w.dr_okafor().is_of(&[RIVERSIDE_TEAM, SLEEP_TEAM]).await;
    let cases = [
        (w.ben(), "Sleep Diary", ("record", AMINA)),
        (w.ben(), "Sleep Diary", ("record", "nobody")),
        (w.amina(), "Sleep Diary", ("record", "nobody")),
        (w.amina(), "Sleep Diary", ("team", RIVERSIDE_TEAM)),
        (w.dr_okafor(), "Ward Round", ("team", HILLSIDE_TEAM)),
        (w.dr_okafor(), "Ward Round", ("team", "nobody")),
        (w.dr_okafor(), "Ward Round", ("record", AMINA)),
    ];
    for (person, product, (field, value)) in cases {
        let app = w.client(product);
        let page = app.sends_to_page(&app.asks()).await;
        let sent = with(&filled(&page, person.account, "approve"), field, value);
        w.post_form(page.action(), &sent).await.error_page(400);
        w.post_form(page.action(), &filled(&page, person.account, "approve")).await.error_page(400);
        let page = page_after(person, product, "look").await;
        let sent = fields([("form", page.hidden_form()), ("decision", "approve"), (field, value)]);
        w.post_form(page.action(), &sent).await.error_page(400);
    }
    for person in [w.amina(), w.ben(), w.dr_okafor()] {
        let page = person.signs_in().await.sees("/connected-apps").await;
        assert!(page.html.contains("No apps are connected"), "{}", page.html);
    }
}

/// Neither the second page nor the first is good twice; a new password ends the second, and Deny needs nothing.
#[tokio::test]
async fn the_second_page_is_good_once_and_while_the_login_is() {
    let w = World::new().await;
    amina_cares_for_ben(&w).await;
    let page = page_after(w.amina(), "Sleep Diary", "look").await;
    let approve = fields([("form", page.hidden_form()), ("decision", "approve"), ("record", BEN)]);
    w.post_form(page.action(), &approve).await.redirect();
    w.post_form(page.action(), &approve).await.error_page(400);
    let page = page_after(w.amina(), "Sleep Diary", "look").await;
    let deny = fields([("form", page.hidden_form()), ("decision", "deny")]);
    assert_eq!(w.post_form(page.action(), &deny).await.redirect().error(), "access_denied");
    let approve = fields([("form", page.hidden_form()), ("decision", "approve"), ("record", BEN)]);
    w.amina().is_frozen().await;
    assert_eq!(w.post_form(page.action(), &approve).await.redirect().error(), "access_denied");
    w.amina().is_let_in_again().await;
    let page = page_after(w.amina(), "Sleep Diary", "look").await;
    let approve = fields([("form", page.hidden_form()), ("decision", "approve"), ("record", BEN)]);
    let hash = w.ben().password_hash().await;
    w.amina().has_the_password(hash).await;
    w.post_form(page.action(), &approve).await.error_page(400);
}

/// Between the question and the answer the consent may have ended.
#[tokio::test]
async fn what_could_be_chosen_when_the_page_was_shown_may_be_gone() {
    let w = World::new().await;
    amina_cares_for_ben(&w).await;
    let page = page_after(w.amina(), "Sleep Diary", "approve").await;
    w.discharges(BEN, w.amina().as_carer().await).await;
    let choice = fields([("form", page.hidden_form()), ("decision", "approve"), ("record", BEN)]);
    w.post_form(page.action(), &choice).await.error_page(400);
}

/// Frozen, ended, pending or without a label: there is nothing to choose.
#[tokio::test]
async fn a_record_that_would_open_nothing_is_not_offered() {
    let w = World::new().await;
    w.opens_until(BEN, w.amina().as_carer().await, GENERAL, w.now().plus_seconds(DAY)).await;
    assert_eq!(radios(&page_after(w.amina(), "Sleep Diary", "look").await).len(), 2);
    w.sets(BEN, RecordState::Frozen).await;
    assert!(radios(&page_after(w.amina(), "Sleep Diary", "look").await).is_empty(), "frozen");
    w.sets(BEN, RecordState::Unfrozen).await;
    assert_eq!(radios(&page_after(w.amina(), "Sleep Diary", "look").await).len(), 2);
    w.after(DAY);
    assert!(radios(&page_after(w.amina(), "Sleep Diary", "look").await).is_empty(), "ended");
    w.opens(BEN, w.amina().as_carer().await, Labels::NONE).await;
    assert!(radios(&page_after(w.amina(), "Sleep Diary", "look").await).is_empty(), "no label");
}

// gaps: Authorization endpoint > Choosing a record or a team
#[tokio::test]
async fn who_is_in_several_teams_chooses_one_and_writes_for_it() {
    let w = World::new().await;
    w.dr_okafor().is_of(&[RIVERSIDE_TEAM, HILLSIDE_TEAM]).await;
    let page = page_after(w.dr_okafor(), "Ward Round", "approve").await;
    let shown = radios(&page);
    assert_eq!(shown.len(), 2, "{}", page.html);
    assert!(shown.iter().all(|radio| radio.contains("name=\"team\"") && !radio.contains("checked")), "{shown:?}");
    assert!(
        page.html.contains("Hillside Practice, Hillside") && page.html.contains("Riverside Diabetes Team, Riverside")
    );
    let nothing = fields([("form", page.hidden_form()), ("decision", "approve")]);
    let again = w.post_form(page.action(), &nothing).await;
    assert_eq!(again.status, 200);
    let page = again.page();
    assert!(page.html.contains("Choose one of them") && page.html.contains("href=\"#team-1\""), "{}", page.html);
    let tokens = chosen(w.dr_okafor(), "Ward Round", &page, ("team", HILLSIDE_TEAM)).await;
    let okafor = caller(&w, &tokens);
    assert_eq!(okafor.get("/fhir/Patient").await.found(), ["ben"]);
    let made = okafor.post("/fhir/Observation", &observation(BEN)).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let source = made.json()["meta"]["source"].as_str().unwrap().to_owned();
    assert!(source.contains(HILLSIDE_TEAM), "{source}");
    w.dr_okafor().is_of(&[RIVERSIDE_TEAM]).await;
    assert!(okafor.get("/fhir/Patient").await.found().is_empty(), "who has left the team sees nothing through it");
    okafor.get("/fhir/Patient/amina").await.says(404, "NOT_FOUND");
    okafor.post("/fhir/Observation", &observation(BEN)).await.says(400, "BAD_REQUEST");
    w.dr_okafor().is_of(&[RIVERSIDE_TEAM, HILLSIDE_TEAM]).await;
    assert_eq!(okafor.get("/fhir/Patient").await.found(), ["ben"], "and again when they are back");
}

/// What ended for a carer ends at the next call; the session stays, and sees again what is opened again.
#[tokio::test]
async fn a_carers_session_sees_what_the_consent_opens_at_each_call() {
    let w = World::new().await;
    amina_cares_for_ben(&w).await;
    let (app, tokens) = w.amina().cares_for(BEN).await;
    let carer = caller(&w, &tokens);
    assert_eq!(carer.get("/fhir/Patient").await.found(), ["ben"]);
    w.discharges(BEN, w.amina().as_carer().await).await;
    assert!(carer.get("/fhir/Patient").await.found().is_empty());
    carer.get("/fhir/Patient/ben").await.says(404, "NOT_FOUND");
    let mut of_ben = observation(BEN);
    of_ben["meta"] = json!({ "security": [{ "system": "urn:recordgate:privacy-label", "code": "GENERAL_HEALTH" }] });
    assert!([403, 404, 422].contains(&carer.post("/fhir/Observation", &of_ben).await.status));
    let tokens = app.refresh(&tokens).await.granted();
    w.opens(BEN, w.amina().as_carer().await, GENERAL).await;
    assert_eq!(caller(&w, &tokens).get("/fhir/Patient").await.found(), ["ben"]);
}

// gaps: Pages > Connected apps
#[tokio::test]
async fn connected_apps_and_introspection_say_for_whom_a_session_is() {
    let w = World::new().await;
    amina_cares_for_ben(&w).await;
    w.amina().approves_with(&w.client("Evergreen"), ("record", AMINA)).await;
    let of_ben = w.amina().approves_with(&w.client("Sleep Diary"), ("record", BEN)).await;
    let page = w.amina().signs_in().await.sees("/connected-apps").await.html;
    for words in ["<dt>For</dt><dd>Your own record</dd>", "<dt>For</dt><dd>The record of ben</dd>"] {
        assert!(page.contains(words), "{words} in {page}");
    }
    w.change("Post Room", |client| client.may_introspect = true).await;
    let told = w.client("Post Room").asks_about("/apiIntrospect.action", &of_ben.access).await.0.json();
    assert_eq!((&told["patient"], told.get("team")), (&json!(BEN), None), "{told}");
    w.discharges(BEN, w.amina().as_carer().await).await;
    let page = w.amina().signs_in().await.sees("/connected-apps").await.html;
    assert!(page.contains("no longer shared with you") && !page.contains("The record of ben"), "{page}");
    let (_, tokens) = w.dr_okafor().approves("Ward Round").await;
    let told = w.client("Post Room").asks_about("/apiIntrospect.action", &tokens.access).await.0.json();
    assert_eq!((&told["team"], told.get("patient")), (&json!(RIVERSIDE_TEAM), None), "{told}");
    let page = w.dr_okafor().signs_in().await.sees("/connected-apps").await.html;
    assert!(page.contains("<dt>For</dt><dd>Riverside Diabetes Team</dd>"), "{page}");
}

/// The look: numbers by part and label, of the own record and of one that is cared for as far as it is open.
// gaps: Authorization endpoint > Looking first
#[tokio::test]
async fn before_approving_a_person_can_look_at_what_the_app_would_see() {
    let w = World::new().await;
    let (amina, ben) = (w.amina().caller().await, w.ben().caller().await);
    amina_cares_for_ben(&w).await;
    for label in ["GENERAL_HEALTH", "GENERAL_HEALTH", "MENTAL_HEALTH"] {
        amina.makes(&labelled(AMINA, label)).await;
        ben.makes(&labelled(BEN, label)).await;
    }
    let page = page_after(w.amina(), "Sleep Diary", "look").await.html;
    let (own, of_ben) = page.split_once("would see today of the record of ben").expect("both records");
    let own = own.split_once("would see today of your own record").expect("the own record").1;
    assert!(own.contains("symptoms and journal</dt><dd>2 general health, 1 mental health"), "{own}");
    assert!(of_ben.contains("symptoms and journal</dt><dd>2 general health</dd>"), "{of_ben}");
    let page = page_after(w.dr_okafor(), "Ward Round", "look").await.html;
    assert!(!page.contains("<details>"), "a team has no record to count: {page}");
}

/// A wrong password shows nobody's numbers.
#[tokio::test]
async fn looking_first_takes_a_login_like_approving() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    let page = app.sends_to_page(&app.asks()).await;
    let wrong = fields([
        ("form", page.hidden_form()),
        ("username", "amina@example.org"),
        ("password", "not-hers"),
        ("decision", "look"),
    ]);
    assert_eq!(w.post_form(page.action(), &wrong).await.redirect().error(), "access_denied");
    w.post_form(page.action(), &filled(&page, w.amina().account, "look")).await.error_page(400);
}

/// A session of several teams, from before one was chosen.
// gaps: Records and reach > A user with several teams
#[tokio::test]
async fn a_session_from_before_reads_through_all_teams_and_writes_nothing() {
    let w = World::new().await;
    w.dr_okafor().is_of(&[RIVERSIDE_TEAM, HILLSIDE_TEAM]).await;
    let okafor = w.dr_okafor().caller_from_before().await;
    for path in ["/fhir/Patient/amina", "/fhir/Patient/ben", "/json/allergies/forPatient/ben"] {
        assert_eq!(okafor.status(path).await, 200, "{path}");
    }
    let item = w.amina().caller().await.makes(&observation(AMINA)).await;
    let words = "grant access again and choose a team";
    let told = okafor.post("/fhir/Observation", &observation(AMINA)).await.words(400, "BAD_REQUEST");
    assert!(told.contains(words), "{told}");
    okafor.put(&item, &observation(AMINA)).await.says(400, "BAD_REQUEST");
    okafor.delete(&item).await.says(400, "BAD_REQUEST");
    let bundle = json!({ "resourceType": "Bundle", "type": "batch", "entry": [{
        "request": { "method": "POST", "url": "Observation" }, "resource": observation(AMINA) }] });
    let answered = okafor.post("/fhir", &bundle).await.opened().json();
    assert!(answered["entry"][0]["response"]["status"].as_str().unwrap().starts_with("400"), "{answered}");
    let allergy = json!({ "substance": "Penicillin" });
    let path = "/json/allergies/forPatient/amina";
    okafor.sends(axum::http::Method::POST, path, &allergy).await.says_in_rest(400, words);
    w.dr_okafor().is_of(&[RIVERSIDE_TEAM]).await;
    assert_eq!(okafor.post("/fhir/Observation", &observation(AMINA)).await.status, 201, "one team is left");
}
