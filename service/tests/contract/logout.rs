//! Signing out because an app asks for it (OpenID Connect RP-Initiated Logout): who is asked first, where it leads, and what stays.

use crate::kit::browser::Browser;
use crate::kit::client_app::ClientApp;
use crate::kit::page::Page;
use crate::kit::token_reply::Tokens;
use crate::kit::{DAY, World, encoded, fields};
use crate::smart_apps::{approves, smart_app};
use rules::scope::UserType;

const PATH: &str = "/apiLogout.action";
const BYE: &str = "https://pill-box.example/bye";
const SCOPES: &str = "openid offline_access patient/Observation.rs";

async fn app(w: &World) -> ClientApp<'_> {
    let app = smart_app(w, SCOPES, &[UserType::Patient]).await;
    w.change("Pill Box", |client| client.post_logout_redirect_uris = vec![BYE.into()]).await;
    app
}

fn address(params: &[(&str, &str)]) -> String {
    let params: Vec<(String, String)> = params.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    format!("{PATH}?{}", encoded(&params))
}

fn id_token(tokens: &Tokens) -> &str {
    tokens.body["id_token"].as_str().expect("an id_token")
}

async fn is_signed_in(browser: &mut Browser<'_>) -> bool {
    browser.get("/account").await.status == 200
}

/// What the page that asks sends.
fn confirmation(page: &Page) -> Vec<(String, String)> {
    let form = page.form("/sign-out/for-app");
    fields([("form", form.sealed.as_str()), ("request", page.hidden("request").as_str())])
}

#[tokio::test]
async fn an_id_token_of_who_is_signed_in_signs_them_out_at_once_and_ends_nothing_else() {
    let w = World::new().await;
    let app = app(&w).await;
    let tokens = approves(w.amina(), &app, SCOPES, &[]).await;
    let (mut amina, mut elsewhere) = (w.amina().signs_in().await, w.amina().signs_in().await);
    let asked = [("id_token_hint", id_token(&tokens)), ("post_logout_redirect_uri", BYE), ("state", "s t&1")];
    let back = amina.get(&address(&asked)).await.redirect();
    assert_eq!((back.to.as_str(), back.get("state")), (BYE, Some("s t&1")));
    assert!(!is_signed_in(&mut amina).await, "this browser");
    assert!(is_signed_in(&mut elsewhere).await, "no other browser");
    app.refresh(&tokens).await.granted();
}

#[tokio::test]
async fn who_is_not_meant_by_an_id_token_is_asked() {
    let w = World::new().await;
    let app = app(&w).await;
    let of_amina = approves(w.amina(), &app, SCOPES, &[]).await;
    let mut ben = w.ben().signs_in().await;
    let (header, rest) = id_token(&of_amina).split_once('.').unwrap();
    let forged = format!("{header}.e30.{}", rest.split_once('.').unwrap().1);
    let asked: [&[(&str, &str)]; 5] = [
        &[],
        &[("client_id", "pill-box"), ("post_logout_redirect_uri", BYE)],
        &[("id_token_hint", id_token(&of_amina)), ("post_logout_redirect_uri", BYE)],
        &[("id_token_hint", &forged), ("client_id", "pill-box")],
        &[("id_token_hint", "nonsense")],
    ];
    for params in asked {
        let page = ben.sees(&address(params)).await;
        assert!(page.html.contains("Do you want to sign out"), "{params:?}: {}", page.html);
        assert!(is_signed_in(&mut ben).await, "{params:?}");
    }
    let page = ben.sees(&address(asked[1])).await;
    assert!(page.html.contains("Pill Box"), "who asks is said: {}", page.html);
    assert_eq!(ben.post("/sign-out/for-app", &confirmation(&page)).await.redirect().to, BYE);
    assert!(!is_signed_in(&mut ben).await);
}

#[tokio::test]
async fn an_id_token_says_who_is_meant_after_its_own_end_too() {
    let w = World::new().await;
    let app = app(&w).await;
    let tokens = approves(w.amina(), &app, SCOPES, &[]).await;
    w.after(30 * DAY);
    let mut amina = w.amina().signs_in().await;
    let back = amina.get(&address(&[("id_token_hint", id_token(&tokens)), ("post_logout_redirect_uri", BYE)])).await;
    assert_eq!(back.redirect().to, BYE);
    assert!(!is_signed_in(&mut amina).await);
}

#[tokio::test]
async fn it_leads_to_registered_addresses_alone() {
    let w = World::new().await;
    let app = app(&w).await;
    let tokens = approves(w.amina(), &app, SCOPES, &[]).await;
    let hint = ("id_token_hint", id_token(&tokens));
    let to = |uri| ("post_logout_redirect_uri", uri);
    let wrong: [(&[(&str, &str)], &str); 8] = [
        (&[hint, to("https://pill-box.example/bye/")], "not one that is registered"),
        (&[hint, to("https://evil.example/")], "not one that is registered"),
        (&[hint, to("http://127.0.0.1:8123/back")], "not one that is registered"),
        (&[to(BYE)], "needs client_id"),
        (&[("id_token_hint", "x"), to(BYE)], "needs client_id"),
        (&[("client_id", "nobody"), to(BYE)], "No app is registered"),
        (&[hint, ("client_id", "sleep-diary")], "issued to another app"),
        (&[hint, to(BYE), ("state", "a\u{7}b")], "control characters"),
    ];
    let mut amina = w.amina().signs_in().await;
    for (params, words) in wrong {
        let said = amina.get(&address(params)).await.error_page(400);
        assert!(said.contains(words), "{words} in {said}");
        assert!(is_signed_in(&mut amina).await, "{words}: nothing is half done");
    }
    w.change("Pill Box", |client| client.disabled_at = Some(rules::moment::Moment(1))).await;
    amina.get(&address(&[hint, to(BYE)])).await.error_page(400);
}

#[tokio::test]
async fn who_is_not_signed_in_is_led_on_or_told_so() {
    let w = World::new().await;
    app(&w).await;
    let back = w.get(&address(&[("client_id", "pill-box"), ("post_logout_redirect_uri", BYE)])).await.redirect();
    assert_eq!((back.to.as_str(), back.params.len()), (BYE, 0));
    let told = w.get(PATH).await;
    assert_eq!(told.status, 200);
    assert!(told.text().contains("You are signed out"), "{}", told.text());
}

/// A browser leaves the cookie out of what another site posts, so nothing is decided by a POST.
#[tokio::test]
async fn a_post_leads_to_a_get_that_knows_the_browser_and_shows_no_id_token() {
    let w = World::new().await;
    let app = app(&w).await;
    let tokens = approves(w.amina(), &app, SCOPES, &[]).await;
    let mut amina = w.amina().signs_in().await;
    let hint = id_token(&tokens);
    let sent = fields([("id_token_hint", hint), ("post_logout_redirect_uri", BYE), ("state", "x")]);
    let mut stranger = Browser::new(&w);
    stranger.fetch_site = Some("cross-site");
    let onward = stranger.post(PATH, &sent).await.redirect();
    assert_eq!(onward.to, PATH);
    let request = onward.get("request").unwrap();
    assert!(!request.contains(hint.split('.').nth(1).unwrap()));
    assert!(is_signed_in(&mut amina).await);
    let back = amina.get(&address(&[("request", request)])).await.redirect();
    assert_eq!((back.to.as_str(), back.get("state")), (BYE, Some("x")));
    assert!(!is_signed_in(&mut amina).await);
    w.get(&address(&[("request", "forged")])).await.error_page(400);
    w.after(DAY);
    w.get(&address(&[("request", request)])).await.error_page(400);
}

#[tokio::test]
async fn the_page_that_asks_takes_its_own_form_alone() {
    let w = World::new().await;
    app(&w).await;
    let mut amina = w.amina().signs_in().await;
    let mut ben = w.ben().signs_in().await;
    let asked = address(&[("client_id", "pill-box"), ("post_logout_redirect_uri", BYE)]);
    let reply = amina.get(&asked).await;
    let policy = reply.header("content-security-policy").unwrap();
    assert!(policy.contains("form-action 'self' https://pill-box.example;"), "{policy}");
    let page = reply.page();
    ben.post("/sign-out/for-app", &confirmation(&page)).await.error_page(400);
    amina
        .post("/sign-out/for-app", &fields([("form", page.form("/sign-out/for-app").sealed.as_str())]))
        .await
        .error_page(400);
    assert!(is_signed_in(&mut amina).await && is_signed_in(&mut ben).await);
    amina.fetch_site = Some("cross-site");
    amina.post("/sign-out/for-app", &confirmation(&page)).await.error_page(403);
    assert!(is_signed_in(&mut amina).await);
}
