//! An administrator looks after accounts, clients, organisations and teams by the operations of the command line, noted with who.

use crate::kit::browser::Browser;
use crate::kit::reply::Reply;
use crate::kit::{RIVERSIDE, RIVERSIDE_TEAM, World, fields};
use store::ledger::{self, LedgerSpan};

/// Sends the form of a page with this action, filled in.
async fn sends(browser: &mut Browser<'_>, page: &str, action: &str, with: &[(&str, &str)]) -> Reply {
    let form = browser.sees(page).await.forms().into_iter().find(|form| form.action == action).unwrap();
    let mut filled = fields([("form", form.sealed.as_str())]);
    filled.extend(with.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    browser.post(action, &filled).await
}

/// Where the page of an account is.
async fn of_user(browser: &mut Browser<'_>, username: &str) -> String {
    let page = browser.sees(&format!("/admin/users?q={username}")).await;
    let rest = page.html.split("href=\"/admin/users/").nth(1).unwrap_or_else(|| panic!("{}", page.html));
    format!("/admin/users/{}", rest.split('"').next().unwrap())
}

/// The words of the lines that the ledger has of what this administrator did.
async fn noted(w: &World) -> Vec<&'static str> {
    let mut events = Vec::new();
    ledger::add(&w.app.store, w.now()).await.unwrap();
    let line = |line: ledger::NamedLine| {
        if line.operator.as_deref() == Some("ADMIN admin@records.example") {
            events.push(line.event.word());
        }
        true
    };
    ledger::each(&w.app.store, LedgerSpan::ALL, |_| true, line).await.unwrap();
    // What waits in several outboxes is added one after the other.
    events.sort_unstable();
    events
}

// gaps: Pages > Administration
#[tokio::test]
async fn an_administrator_freezes_an_account_and_ends_its_sessions_noted_with_who() {
    let w = World::new().await;
    let mut ines = w.admin().signs_in().await;
    let mut okafor = w.dr_okafor().signs_in().await;
    let path = of_user(&mut ines, "okafor@").await;
    let page = ines.sees(&path).await.html;
    assert!(page.contains("Dr Okafor") && page.contains("CLINICIAN") && page.contains("active"), "{page}");
    assert_eq!(sends(&mut ines, &path, &path, &[("decision", "sign-out")]).await.status, 303);
    assert_eq!(okafor.get("/teams").await.redirect().to, "/sign-in");
    let mut okafor = w.dr_okafor().signs_in().await;
    assert_eq!(sends(&mut ines, &path, &path, &[("decision", "freeze")]).await.status, 303);
    assert_eq!(okafor.get("/teams").await.redirect().to, "/sign-in");
    assert!(ines.sees(&path).await.html.contains("frozen"));
    assert_eq!(sends(&mut ines, &path, &path, &[("decision", "unfreeze")]).await.status, 303);
    w.dr_okafor().signs_in().await;
    sends(&mut ines, &path, &path, &[("decision", "else")]).await.error_page(400);
    assert_eq!(noted(&w).await, ["frozen", "signed-out", "unfrozen"]);
    let own = of_user(&mut ines, "admin@").await;
    let reply = sends(&mut ines, &own, &own, &[("decision", "freeze")]).await;
    assert!(reply.status == 422 && reply.text().contains("Nobody freezes their own account"), "{}", reply.text());
    ines.get("/admin/users/1").await.error_page(404);
    ines.get("/admin/users/x").await.error_page(404);
}

// gaps: Pages > Administration
#[tokio::test]
async fn an_administrator_adds_professionals_and_no_patients() {
    let w = World::new().await;
    let mut ines = w.admin().signs_in().await;
    let new = [("username", "new@riverside.example"), ("name", "Dr New"), ("password", "violet-harbour-moss-58")];
    let with = |further: &[(&'static str, &'static str)]| -> Vec<(&str, &str)> {
        new.iter().chain(further).copied().collect()
    };
    let clinician = with(&[("type", "CLINICIAN"), ("teams", RIVERSIDE_TEAM)]);
    let reply = sends(&mut ines, "/admin/users", "/admin/users", &clinician).await;
    assert_eq!(reply.status, 303, "{}", reply.text());
    let mut browser = Browser::new(&w);
    assert_eq!(browser.signs_in("new@riverside.example", "violet-harbour-moss-58").await.status, 303);
    assert!(browser.sees(&format!("/teams/{RIVERSIDE_TEAM}")).await.html.contains("Amina Noor Rahman"));
    assert!(noted(&w).await.contains(&"user-made"));
    for (wrong, told) in [
        (with(&[("type", "PATIENT")]), "by invitation"),
        (with(&[("type", "WIZARD")]), "by invitation"),
        (with(&[("type", "PRIVACY_OFFICER")]), "organisation is missing"),
        (clinician.clone(), "new@riverside.example"),
    ] {
        let reply = sends(&mut ines, "/admin/users", "/admin/users", &wrong).await;
        assert_eq!(reply.status, 422, "{}", reply.text());
        assert!(reply.text().contains(told), "{told} in {}", reply.text());
        assert!(!reply.text().contains("violet-harbour"), "no page sends a password back");
    }
}

// gaps: Pages > Administration
#[tokio::test]
async fn an_administrator_registers_a_client_disables_it_and_gives_it_a_new_secret_that_is_shown_once() {
    let w = World::new().await;
    let mut ines = w.admin().signs_in().await;
    let new =
        [("kind", "system"), ("product", "Post <b>Bridge</b>"), ("owner", "Postbridge"), ("client_id", "post-bridge")];
    let reply = sends(&mut ines, "/admin/clients", "/admin/clients", &new).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    let secret = |reply: &Reply| {
        let text = reply.text();
        text.split("<output id=\"secret\">").nth(1).unwrap().split('<').next().unwrap().to_owned()
    };
    let first = secret(&reply);
    let path = "/admin/clients/post-bridge";
    let page = ines.sees(path).await.html;
    assert!(page.contains("Post &#60;b&#62;Bridge") && !page.contains(&first), "{page}");
    let rotated = sends(&mut ines, path, path, &[("decision", "rotate")]).await;
    assert_ne!(secret(&rotated), first);
    assert_eq!(sends(&mut ines, path, path, &[("decision", "disable")]).await.status, 303);
    assert!(ines.sees("/admin/clients").await.html.contains("disabled"));
    assert_eq!(sends(&mut ines, path, path, &[("decision", "enable")]).await.status, 303);
    let all = noted(&w).await;
    assert_eq!(all, ["client-disabled", "client-enabled", "client-made", "client-secret-changed"]);
    let app = [
        ("kind", "user"),
        ("product", "Diary"),
        ("owner", "Nightjar"),
        ("client_id", "diary"),
        ("redirect_uris", "https://diary.example/a https://diary.example/b"),
        ("scopes", "PATIENT"),
    ];
    assert_eq!(sends(&mut ines, "/admin/clients", "/admin/clients", &app).await.status, 200);
    let page = ines.sees("/admin/clients/diary").await.html;
    assert!(page.contains("https://diary.example/a https://diary.example/b") && !page.contains("new secret"), "{page}");
    let reply = sends(&mut ines, "/admin/clients", "/admin/clients", &[("kind", "user"), ("product", "X")]).await;
    assert_eq!(reply.status, 422);
    ines.get("/admin/clients/nobody").await.error_page(404);
}

// gaps: Pages > Administration
#[tokio::test]
async fn an_administrator_adds_organisations_and_teams_and_sees_whether_the_service_works() {
    let w = World::new().await;
    let mut ines = w.admin().signs_in().await;
    let here = "/admin/organisations";
    assert!(ines.sees("/admin").await.html.contains("The service can do its work."));
    assert_eq!(sends(&mut ines, here, here, &[("name", "Seaside")]).await.status, 303);
    let team = [("organisation", RIVERSIDE), ("name", "Riverside Renal Unit")];
    assert_eq!(sends(&mut ines, here, "/admin/teams", &team).await.status, 303);
    let page = ines.sees(here).await.html;
    assert!(page.contains("Seaside") && page.contains("Team Riverside Renal Unit"), "{page}");
    assert_eq!(sends(&mut ines, here, here, &[("name", " ")]).await.status, 422);
    assert_eq!(sends(&mut ines, here, "/admin/teams", &[("organisation", "x"), ("name", "Y")]).await.status, 422);
    assert_eq!(noted(&w).await, ["organisation-made", "team-made"]);
}

// gaps: Pages > Administration
#[tokio::test]
async fn the_forms_of_an_administrator_are_their_own_and_nothing_of_a_record_is_theirs() {
    let w = World::new().await;
    let mut ines = w.admin().signs_in().await;
    let path = of_user(&mut ines, "okafor@").await;
    let form = ines.sees(&path).await.forms().into_iter().find(|form| form.action == path).unwrap();
    let filled = fields([("form", form.sealed.as_str()), ("decision", "freeze")]);
    let other = of_user(&mut ines, "silva@").await;
    ines.post(&other, &filled).await.error_page(400);
    Browser { fetch_site: Some("cross-site"), ..ines.clone() }.post(&path, &filled).await.error_page(403);
    w.admin().signs_in().await.post(&path, &filled).await.error_page(400);
    for closed in ["/teams", "/officer", "/record", "/sharing", "/access-log", "/coordinator/accounts"] {
        ines.get(closed).await.error_page(403);
    }
    assert!(!ines.sees("/admin/users?q=amina").await.html.contains("Noor"), "the account's name, not the record's");
}
