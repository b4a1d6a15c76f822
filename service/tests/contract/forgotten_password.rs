//! A forgotten password: what is asked for and answered, what is mailed, and what its link does.

use crate::kit::browser::Browser;
use crate::kit::mail_server::{MailServer, free_port};
use crate::kit::reply::Reply;
use crate::kit::{MINUTE, World, fields};
use rules::limits::{ACCOUNT_LINK_SECONDS, RESETS_PER_NAME};
use service::app::mail::settings::{MailSecurity, MailSettings, sender};
use service::app::mailer::Mailer;
use store::accounts::{addresses, mails};

const NEW: &str = "lantern-otter-quilt-90";
const AT: &str = "amina.rahman@mail.example";

/// Asks for a new password.
async fn asks(w: &World, name: &str) -> Reply {
    let mut browser = Browser::new(w);
    let form = browser.sees("/forgotten-password").await.form("/forgotten-password");
    browser.post("/forgotten-password", &fields([("form", form.sealed.as_str()), ("name", name)])).await
}

/// Tries all mail whose turn it is.
async fn delivers(w: &World) {
    let mut mailer = Mailer::new(w.app.clone());
    while mailer.step().await.unwrap() {}
}

async fn confirmed(w: &World, username: &str, address: &str) {
    addresses::declare(&w.app.store, username.into(), address.into(), w.now()).await.unwrap();
}

/// The path of the one link of the outbox that can be followed.
async fn link(w: &World) -> String {
    let page = Browser::new(w).sees("/sandbox/outbox").await;
    let link = page.link("/new-password/").expect("a link that is good");
    link[link.find("/new-password/").unwrap()..].to_owned()
}

async fn chooses(w: &World, link: &str, new: &str, repeated: &str) -> Reply {
    let filled = fields([("new_password", new), ("repeated", repeated)]);
    Browser::new(w).post(link, &filled).await
}

/// From the link on the sign-in page to the new password: who was signed in is no more, and is told.
// gaps: Pages > A forgotten password
#[tokio::test]
async fn who_has_forgotten_the_password_chooses_another_by_a_link() {
    let w = World::new().await;
    let (username, old) = (w.amina().account.username, w.amina().account.password);
    confirmed(&w, username, AT).await;
    let (mut thief, apps) = (w.amina().signs_in().await, w.amina().caller().await);
    assert!(Browser::new(&w).sees("/sign-in").await.link("/forgotten-password").is_some());
    for name in [username, "Amina.Rahman@mail.example"] {
        let reply = asks(&w, name).await;
        assert!(reply.status == 200 && reply.text().contains("Look at your mail"), "{}", reply.text());
    }
    delivers(&w).await;
    let outbox = Browser::new(&w).sees("/sandbox/outbox").await.html;
    assert!(outbox.contains(AT) && outbox.contains("Its link is over"), "a newer one took its place: {outbox}");
    assert!(!outbox.contains("Amina Rahman"), "no mail names its reader");
    let link = link(&w).await;
    Browser::new(&w).sees(&link).await;
    let refused = chooses(&w, &link, "short", "other").await;
    assert_eq!(refused.status, 400);
    for told in ["at least 10 characters", "the same way twice"] {
        assert!(refused.text().contains(told), "all is told at once: {}", refused.text());
    }
    assert_eq!(chooses(&w, &link, NEW, NEW).await.redirect().to, "/sign-in");
    assert_eq!(thief.get("/account").await.redirect().to, "/sign-in", "signed out");
    apps.get("/fhir/Patient/amina").await.opened();
    for used in [chooses(&w, &link, NEW, NEW).await, Browser::new(&w).get(&link).await] {
        used.error_page(410);
    }
    assert_eq!(Browser::new(&w).signs_in(username, old).await.status, 401);
    let mut amina = Browser::new(&w);
    assert_eq!(amina.signs_in(username, NEW).await.status, 303);
    let told = amina.sees("/notices").await.html;
    assert!(told.contains("Your account") && told.contains("changed by a link"), "{told}");
    delivers(&w).await;
    assert!(Browser::new(&w).sees("/sandbox/outbox").await.html.contains("The password of your account was changed"));
}

/// Whoever asks hears the same, and has the same written down, whether or not there is anybody to write to.
// gaps: Pages > One answer
#[tokio::test]
async fn the_answer_is_the_same_whoever_is_asked_for() {
    let w = World::new().await;
    confirmed(&w, w.amina().account.username, AT).await;
    confirmed(&w, w.ben().account.username, "ben@mail.example").await;
    w.ben().is_frozen().await;
    let known = asks(&w, AT).await;
    // Unconfirmed, frozen, and nobody.
    for name in [w.grace().account.username, "ben@mail.example", "nobody@mail.example", "nobody"] {
        let reply = asks(&w, name).await;
        assert_eq!((reply.status, reply.text()), (known.status, known.text()), "{name}");
    }
    delivers(&w).await;
    assert_eq!(mails::shown(&w.app.store).await.unwrap().len(), 1, "one of five is written to");
    assert!(!mails::is_due(&w.app.store, w.now()).await.unwrap());
}

#[tokio::test]
async fn asking_too_often_must_wait_and_tells_nobody_who_exists() {
    let w = World::new().await;
    confirmed(&w, w.amina().account.username, AT).await;
    for name in [AT, "nobody@mail.example"] {
        for _ in 0..RESETS_PER_NAME {
            assert_eq!(asks(&w, name).await.status, 200);
        }
        asks(&w, name).await.error_page(429);
    }
    assert_eq!(asks(&w, "somebody.else@mail.example").await.status, 200);
}

/// A link is good for 30 minutes, and until the password is changed in any other way.
#[tokio::test]
async fn a_link_ends_with_its_time_and_with_the_password_that_was_forgotten() {
    let w = World::new().await;
    let amina = w.amina();
    confirmed(&w, amina.account.username, AT).await;
    asks(&w, AT).await;
    delivers(&w).await;
    let first = link(&w).await;
    w.after(ACCOUNT_LINK_SECONDS);
    Browser::new(&w).get(&first).await.error_page(410);
    asks(&w, AT).await;
    delivers(&w).await;
    let second = link(&w).await;
    amina.has_the_password(w.ben().password_hash().await).await;
    chooses(&w, &second, NEW, NEW).await.error_page(410);
    for forged in ["/new-password/rgl_0_x", "/new-password/x", &second.replace("rgl_", "rgw_")] {
        Browser::new(&w).get(forged).await.error_page(410);
    }
}

/// Nothing that would be a line of its own, or too long, is taken for a name; a page that lay open for too long asks anew.
#[tokio::test]
async fn what_can_be_no_name_is_refused_on_the_page() {
    let w = World::new().await;
    for name in ["", "amina\r\nBcc: thief@mail.example", "a\0b", &"x".repeat(201)] {
        assert_eq!(asks(&w, name).await.status, 400, "{name:?}");
    }
    let mut browser = Browser::new(&w);
    let form = browser.sees("/forgotten-password").await.form("/forgotten-password").sealed;
    w.after(30 * MINUTE);
    let late = browser.post("/forgotten-password", &fields([("form", form.as_str()), ("name", AT)])).await;
    assert_eq!(late.status, 400);
    assert!(!mails::is_due(&w.app.store, w.now()).await.unwrap());
}

#[tokio::test]
async fn a_service_that_writes_no_mail_says_who_can_help() {
    let w = World::with(|settings| settings.sandbox = false).await;
    let page = Browser::new(&w).sees("/forgotten-password").await.html;
    assert!(page.contains("ask your care team") && !page.contains("name=\"name\""), "{page}");
}

/// A world that is no sandbox and sends its mail to this port.
async fn sending_to(port: u16) -> World {
    let w = World::with(|settings| {
        settings.sandbox = false;
        settings.mail = Some(MailSettings {
            host: "127.0.0.1".into(),
            port,
            from: sender("records@example.org").unwrap(),
            security: MailSecurity::None,
            login: None,
        });
    })
    .await;
    confirmed(&w, w.amina().account.username, AT).await;
    w
}

/// A server that is away costs a wait, which grows; what waits survives whoever was sending it.
// gaps: Pages > Mail
#[tokio::test]
async fn mail_that_cannot_be_sent_is_tried_again_after_growing_waits_and_says_only_what_it_must() {
    let port = free_port().await;
    let w = sending_to(port).await;
    asks(&w, AT).await;
    for wait in [MINUTE, 2 * MINUTE] {
        assert!(Mailer::new(w.app.clone()).step().await.unwrap(), "it is tried");
        w.after(wait - 1);
        assert!(!Mailer::new(w.app.clone()).step().await.unwrap(), "it waits");
        w.after(1);
    }
    let mut server = MailServer::at(port).await;
    delivers(&w).await;
    let mail = server.taken.recv().await.unwrap();
    for line in [
        "To: amina.rahman@mail.example",
        "From: Recordgate <records@example.org>",
        "Subject: A new password for your account",
    ] {
        assert_eq!(mail.lines().filter(|heard| heard.trim_end() == line).count(), 1, "{line} in {mail}");
    }
    assert!(mail.contains("RCPT TO:<amina.rahman@mail.example>") && !mail.contains("Rahman\r"), "{mail}");
    let unfolded = mail.replace("=\r\n", "");
    let link = unfolded.split_once("/new-password/").unwrap().1.split_whitespace().next().unwrap().replace("=3D", "=");
    assert_eq!(chooses(&w, &format!("/new-password/{link}"), NEW, NEW).await.redirect().to, "/sign-in");
    delivers(&w).await;
    assert!(server.taken.recv().await.unwrap().contains("Subject: The password of your account was changed"));
    w.after(2 * MINUTE);
    assert!(!mails::is_due(&w.app.store, w.now()).await.unwrap(), "what was sent is gone");
    server.stops().await;
}

/// What is no address is written to nobody: no line of somebody's choice comes into the head of a mail.
#[tokio::test]
async fn an_address_with_a_line_in_it_is_let_go_unsent() {
    let port = free_port().await;
    let w = sending_to(port).await;
    let mut server = MailServer::at(port).await;
    confirmed(&w, w.ben().account.username, "ben@mail.example\r\nBcc: thief@mail.example").await;
    asks(&w, w.ben().account.username).await;
    delivers(&w).await;
    assert!(server.taken.try_recv().is_err(), "nothing was sent");
    w.after(MINUTE);
    assert!(!mails::is_due(&w.app.store, w.now()).await.unwrap(), "it is let go");
    server.stops().await;
}

/// A server that takes connections and says nothing keeps nobody waiting but the mail.
#[tokio::test]
async fn a_mail_server_that_hangs_costs_nobody_anything() {
    let port = free_port().await;
    let w = sending_to(port).await;
    let mut silent = MailServer::silent_at(port).await;
    asks(&w, AT).await;
    let app = w.app.clone();
    let sending = tokio::spawn(async move { Mailer::new(app).step().await.map(|_| ()) });
    silent.taken.recv().await.unwrap();
    assert_eq!(asks(&w, "nobody").await.status, 200);
    w.amina().signs_in().await;
    assert!(!sending.is_finished(), "it is still being waited for");
    // The process ends meanwhile; the next one has the mail after its wait.
    sending.abort();
    let _ended = sending.await;
    silent.stops().await;
    w.after(MINUTE);
    let mut server = MailServer::at(port).await;
    delivers(&w).await;
    assert!(server.taken.recv().await.unwrap().contains("/new-password/"));
    server.stops().await;
}
