//! Lists of grants that are longer than a page: nothing is left out, and the way on is a link. And jobs that are longer
//! than a piece.

use crate::kit::browser::Browser;
use crate::kit::{DAY, World, fields, with};
use rules::limits::PAGE_GRANTS;
use rules::scope::Scope;
use service::operator::{ChosenNames, Progress, Recipient, Reply, Request, execute};
use service::secrets::dice;
use std::collections::BTreeSet;
use std::sync::Arc;
use store::grants::{self, Whose};
use store::opening::{self, Holder, Opening, SessionChoice};
use store::salt::Salt;
use store::{clients, organisations, people};

/// Three more than a page has.
const MANY: usize = PAGE_GRANTS as usize + 3;

async fn open_many(w: &World, client_id: &str, holder: Holder, scope: Scope) {
    let client = clients::find(&w.app.store, client_id).await.unwrap().unwrap().id;
    let opening = |_| Opening {
        salt: Salt::new(dice::bytes().unwrap()),
        client,
        holder,
        choice: SessionChoice::default(),
        scope,
        scope_spelt: None,
        smart_scopes: None,
        nonce: None,
        authenticated_at: None,
        sign_in: None,
        factor: None,
        code: None,
        session_seconds: None,
        form: None,
        login: None,
    };
    opening::open_many(&w.app.store, (0..MANY).map(opening).collect(), w.now()).await.unwrap();
}

/// The addresses at which each grant of a page is taken back, by a form or on a page that asks first, and the link to the
/// next page.
async fn walk(browser: &mut Browser<'_>, path: &str) -> (Vec<String>, Option<String>) {
    let page = browser.sees(path).await;
    let forms = page.forms().into_iter().map(|form| form.action);
    let links = page.html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).map(String::from);
    let actions = forms.chain(links).filter(|action| action.contains("/revoke/")).collect();
    (actions, page.link("?before="))
}

/// Follows the links from the first page on: every grant, the pages that it took, and the last of them.
async fn walk_all(browser: &mut Browser<'_>, path: &str) -> (BTreeSet<String>, usize, String) {
    let (mut all, mut pages, mut at) = (BTreeSet::new(), 1, path.to_owned());
    loop {
        let (actions, next) = walk(browser, &at).await;
        for action in actions {
            assert!(all.insert(action), "a grant is on two pages");
        }
        let Some(next) = next else { return (all, pages, at) };
        (at, pages) = (next, pages + 1);
    }
}

/// Takes the first connection of a page back.
async fn disconnect_one(browser: &mut Browser<'_>, path: &str) {
    let (checks, _) = walk(browser, path).await;
    let form = browser.sees(checks.first().expect("a connection")).await.form("/revoke/");
    browser.post(&form.action, &fields([("form", &form.sealed)])).await.redirect();
}

// gaps: Operation > Long lists
#[tokio::test]
async fn every_connected_app_is_reached_by_links_and_can_be_disconnected_from_any_page() {
    let w = World::new().await;
    let amina = people::find(&w.app.store, w.amina().account.username).await.unwrap().unwrap().id;
    open_many(&w, w.client("Sleep Diary").registration.client_id, Holder::User(amina), Scope::Patient).await;
    let mut browser = w.amina().signs_in().await;
    let (all, pages, last) = walk_all(&mut browser, "/connected-apps").await;
    assert_eq!((all.len(), pages), (MANY, 2));
    for page in ["/connected-apps", &last] {
        let html = browser.sees(page).await.html;
        assert!(html.contains(&format!("You have connected this app {MANY} times")), "on all pages: {html}");
    }
    for left in [2, 1] {
        disconnect_one(&mut browser, &last).await;
        assert_eq!(walk(&mut browser, &last).await.0.len(), left);
    }
    disconnect_one(&mut browser, &last).await;
    let (first_page, next) = walk(&mut browser, &last).await;
    assert_eq!((first_page.len(), next), (MANY - 3, None), "a page that is gone is the first");
    for odd in ["?before=", "?before=x", "?before=99999999999999999999"] {
        assert_eq!(walk(&mut browser, &format!("/connected-apps{odd}")).await.0.len(), MANY - 3, "{odd}");
    }
}

#[tokio::test]
async fn every_grant_of_a_coordinators_teams_is_reached_and_a_new_token_is_shown_whatever_the_clock_says() {
    let w = World::new().await;
    let grace = people::find(&w.app.store, w.grace().account.username).await.unwrap().unwrap().id;
    let team = organisations::teams_of_user(&w.app.store, grace).await.unwrap()[0].id;
    open_many(&w, "old-bridge", Holder::Team { team, coordinator: grace }, Scope::Site).await;
    w.app.clock.jump_seconds(-DAY);
    let mut browser = w.grace().signs_in().await;
    let (all, pages, _) = walk_all(&mut browser, "/coordinator/api-access").await;
    assert_eq!((all.len(), pages), (MANY, 2));
    let checked = with(&browser.checked_grant("old-bridge").await, "existing", "keep");
    let granted = browser.post("/coordinator/api-access", &checked).await;
    let shown = browser.get(&granted.redirect().to).await;
    assert!(shown.page().refresh_token().is_some(), "the newest by the clock is not the newest of the list");
}

// gaps: Operation > Long jobs
#[tokio::test]
async fn an_issue_of_more_than_a_piece_is_refused_before_its_first_or_done_to_its_last() {
    let w = World::new().await;
    let progress: Progress = Arc::new(|_, _| {});
    let amina = w.amina().account.username.to_owned();
    let client_id = w.client("Sleep Diary").registration.client_id.to_owned();
    let issue = async |usernames: Vec<String>, check_only| {
        let who = Recipient::Users(usernames);
        execute(
            &w.app,
            Request::Issue { client_id: client_id.clone(), who, choice: ChosenNames::default(), check_only },
            &progress,
        )
        .await
    };
    let live = async || {
        let all = grants::list(&w.app.store, &Whose::Anyone, w.now()).await.unwrap();
        all.len()
    };
    let with_a_stranger = [vec![amina.clone(); 1100], vec!["nobody".into()]].concat();
    let Reply::Refused(why) = issue(with_a_stranger, false).await else { panic!("there is no nobody") };
    assert_eq!(why, ["there is no user nobody; see `recordgate user list`"]);
    let Reply::Issued(checked) = issue(vec![amina.clone(); 1100], true).await else { panic!("all will do") };
    assert_eq!((checked.tokens.len(), live().await), (0, 0));
    let Reply::Issued(issued) = issue(vec![amina; 1100], false).await else { panic!("all will do") };
    assert_eq!((issued.problem, issued.tokens.len(), live().await), (None, 1100, 1100));
    let numbers: BTreeSet<&String> = issued.tokens.iter().map(|token| &token.grant).collect();
    assert_eq!(numbers.len(), 1100);
}
