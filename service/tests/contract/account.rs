//! The page of one's own account: who one is, the e-mail address, downloading the record, closing the account.

use crate::kit::browser::Browser;
use crate::kit::reply::Reply;
use crate::kit::{World, fields};
use serde_json::Value;
use service::app::mailer::Mailer;
use store::accounts::addresses;

const AT: &str = "amina.rahman@mail.example";

async fn delivers(w: &World) {
    let mut mailer = Mailer::new(w.app.clone());
    while mailer.step().await.unwrap() {}
}

/// Says that an address is theirs.
async fn gives(browser: &mut Browser<'_>, email: &str, password: &str) -> Reply {
    let form = browser.sees("/account").await.form("/account/email").sealed;
    browser.post("/account/email", &fields([("form", form.as_str()), ("email", email), ("password", password)])).await
}

/// The path of the one link of the outbox by which an address is confirmed.
async fn link(w: &World) -> String {
    let link = Browser::new(w).sees("/sandbox/outbox").await.link("/account/confirm/").unwrap();
    link[link.find("/account/").unwrap()..].to_owned()
}

async fn confirms(browser: &mut Browser<'_>, link: &str) -> Reply {
    let form = browser.sees(link).await.form("/account/confirm/").sealed;
    browser.post(link, &fields([("form", form.as_str())])).await
}

/// What the record says of somebody is shown, and that it was looked at is noted.
#[tokio::test]
async fn the_account_page_shows_who_one_is_as_the_record_has_it_and_notes_the_look() {
    let w = World::new().await;
    let mut amina = w.amina().signs_in().await;
    let page = amina.sees("/account").await.html;
    for told in ["Amina", "amina@example.org", "/account/record.ndjson", "/account/close", "no e-mail address"] {
        assert!(page.contains(told), "{told} in {page}");
    }
    assert!(amina.sees("/access-log").await.html.contains("personal details"));
    let staff = w.grace().signs_in().await.sees("/account").await.html;
    assert!(!staff.contains("record.ndjson") && !staff.contains("/account/close"), "{staff}");
}

/// An address is somebody's once they have followed the link that was sent there; the one of before is told.
// gaps: Pages > The e-mail address of an account
#[tokio::test]
async fn an_address_is_confirmed_by_a_link_and_the_former_one_is_told() {
    let w = World::new().await;
    let (mut amina, password) = (w.amina().signs_in().await, w.amina().account.password);
    assert_eq!(gives(&mut amina, "not-an-address", password).await.status, 400);
    assert_eq!(gives(&mut amina, "a@b\r\nBcc: thief@mail.example", password).await.status, 400);
    assert_eq!(gives(&mut amina, AT, "not-the-password").await.status, 400);
    assert_eq!(gives(&mut amina, AT, password).await.redirect().to, "/account");
    assert!(amina.sees("/account").await.html.contains("no e-mail address"), "nothing changes before");
    delivers(&w).await;
    let first = link(&w).await;
    assert_eq!(Browser::new(&w).get(&first).await.redirect().to, "/sign-in");
    w.ben().signs_in().await.get(&first).await.error_page(410);
    assert_eq!(confirms(&mut amina, &first).await.redirect().to, "/account");
    assert!(amina.sees("/account").await.html.contains(AT));
    amina.get(&first).await.error_page(410);
    assert_eq!(gives(&mut amina, "new@mail.example", password).await.status, 303);
    delivers(&w).await;
    let second = link(&w).await;
    assert_eq!(confirms(&mut amina, &second).await.status, 303);
    delivers(&w).await;
    let outbox = Browser::new(&w).sees("/sandbox/outbox").await.html;
    assert!(outbox.contains("The e-mail address of your account was changed"), "{outbox}");
    let own = store::people::find(&w.app.store, w.amina().account.username).await.unwrap().unwrap();
    assert_eq!(addresses::of_user(&w.app.store, own.id).await.unwrap().as_deref(), Some("new@mail.example"));
}

/// That an address is taken is told to who has shown that it is theirs, and to nobody else.
#[tokio::test]
async fn an_address_of_another_account_is_not_given_twice() {
    let w = World::new().await;
    addresses::declare(&w.app.store, w.ben().account.username.into(), AT.into(), w.now()).await.unwrap();
    let mut amina = w.amina().signs_in().await;
    assert_eq!(gives(&mut amina, AT, w.amina().account.password).await.status, 303);
    delivers(&w).await;
    let link = link(&w).await;
    confirms(&mut amina, &link).await.error_page(409);
}

/// The file has what the record shows its patient, one resource a line, and nobody else's; it is noted.
// gaps: Pages > Downloading the record
#[tokio::test]
async fn a_patient_downloads_the_own_record_and_nobody_elses() {
    let w = World::new().await;
    let mut amina = w.amina().signs_in().await;
    let reply = amina.get("/account/record.ndjson").await;
    assert_eq!((reply.status, reply.header("content-type")), (200, Some("application/fhir+ndjson")));
    assert_eq!(reply.header("content-disposition"), Some("attachment; filename=\"record.ndjson\""));
    let lines: Vec<Value> = reply.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["resourceType"], &lines[0]["id"]), (&"Patient".into(), &"amina".into()));
    assert!(lines.iter().any(|line| line["resourceType"] == "DocumentReference"), "{}", reply.text());
    assert!(!reply.text().contains("ben"), "{}", reply.text());
    assert!(amina.sees("/access-log").await.html.contains("letter"));
}

/// Whoever closes an account types the password; then nobody comes in by it, and the record is as it was.
// gaps: Pages > Closing an account
#[tokio::test]
async fn closing_an_account_ends_every_way_in_and_leaves_the_record() {
    let w = World::new().await;
    let (username, password) = (w.amina().account.username, w.amina().account.password);
    let app = w.amina().caller().await;
    let (mut here, mut there) = (w.amina().signs_in().await, w.amina().signs_in().await);
    let closes = async |browser: &mut Browser<'_>, password: &str| {
        let form = browser.sees("/account/close").await.form("/account/close").sealed;
        browser.post("/account/close", &fields([("form", form.as_str()), ("password", password)])).await
    };
    assert_eq!(closes(&mut here, "not-the-password").await.status, 400);
    app.get("/fhir/Patient/amina").await.opened();
    let closed = closes(&mut here, password).await.redirect();
    assert_eq!((closed.to.as_str(), closed.get("why")), ("/sign-in", Some("account-closed")));
    for browser in [&mut here, &mut there] {
        assert_eq!(browser.get("/account").await.redirect().to, "/sign-in");
    }
    app.get("/fhir/Patient/amina").await.says(401, "API_SESSION_INVALID");
    assert_eq!(Browser::new(&w).signs_in(username, password).await.status, 401);
    w.dr_okafor().caller().await.get("/fhir/Patient/amina").await.opened();
}
