//! Passwords: which may be chosen, wherever one is set.

use crate::kit::World;
use crate::kit::browser::Browser;
use rules::scope::UserType;
use service::operator::declaration::{Declaration, Password, UserDeclaration};
use service::operator::{How, Reply, Request, execute};
use service::secrets::passwords;
use service::secrets::secret::Secret;
use std::sync::Arc;
use store::people::User;

const ADMIN: &str = "admin@records.example";

/// What may not be chosen, and a word of why.
const REFUSED: [(&str, &str); 4] = [
    ("ninechars", "at least 10"),
    (ADMIN, "username"),
    ("Admin@Records.Example", "username"),
    ("QwertyUiop", "commonest"),
];

async fn asks(w: &World, request: Request) -> Reply {
    let nobody: service::operator::Progress = Arc::new(|_, _| {});
    execute(&w.app, request, &nobody).await
}

async fn sets(w: &World, password: &str) -> Reply {
    let password = Secret::new(password.into());
    asks(w, Request::SetPassword { username: ADMIN.into(), password, end_sessions: false }).await
}

async fn declares(w: &World, password: &str) -> Reply {
    let user = UserDeclaration {
        at: "world.toml:7".into(),
        username: ADMIN.into(),
        password: Password::Text(Secret::new(password.into())),
        user_type: UserType::Admin,
        name: "Ines Admin".into(),
        patient: None,
        teams: Vec::new(),
        organisation: None,
        consents: Vec::new(),
    };
    let declared = Box::new(Declaration { users: vec![user], ..Declaration::default() });
    asks(w, Request::Apply { declared, how: How::Apply }).await
}

fn refusal(reply: Reply) -> String {
    match reply {
        Reply::Refused(why) => why.join("\n"),
        other => panic!("not refused: {other:?}"),
    }
}

/// The one rule holds for a password that an operator sets and for one that a world file declares.
// gaps: Authorization endpoint > Passwords
#[tokio::test]
async fn a_password_that_may_not_be_chosen_is_refused_and_never_repeated() {
    let w = World::new().await;
    let long = "a".repeat(257);
    for (password, why) in REFUSED.into_iter().chain([(long.as_str(), "at most 256")]) {
        let (set, declared) = (refusal(sets(&w, password).await), refusal(declares(&w, password).await));
        assert!(set.contains(why) && declared.contains(why), "{set}\n{declared}");
        assert!(declared.starts_with(&format!("world.toml:7: user {ADMIN}: the password ")), "{declared}");
        assert!(password == ADMIN || !declared.contains(password), "{declared}");
    }
    w.admin().signs_in().await;
    assert!(matches!(sets(&w, "no rules of composition").await, Reply::Ended(0)));
    assert_eq!(Browser::new(&w).signs_in(ADMIN, "no rules of composition").await.status, 303);
    assert!(matches!(declares(&w, &"ü".repeat(256)).await, Reply::Applied(_)));
    assert_eq!(Browser::new(&w).signs_in(ADMIN, &"ü".repeat(256)).await.status, 303);
}

/// A password from before the rule works on, and a world file that still declares it changes nothing.
// gaps: Authorization endpoint > Passwords
#[tokio::test]
async fn a_password_from_before_the_rule_stays_in_use() {
    let w = World::new().await;
    let hash = passwords::hash(&Secret::new("short".into())).unwrap();
    let change = move |user: &mut User| user.password_hash = hash;
    store::people::change(&w.app.store, ADMIN.into(), change, w.now()).await.unwrap().unwrap();
    assert_eq!(Browser::new(&w).signs_in(ADMIN, "short").await.status, 303);
    match declares(&w, "short").await {
        Reply::Applied(report) => assert!(report.changes.iter().all(|change| change.change == "unchanged")),
        other => panic!("{other:?}"),
    }
    assert!(refusal(declares(&w, "shorter").await).contains("at least 10"));
}

/// Whose sessions an operator ends, and with what answer.
async fn ends(w: &World, request: Request) -> u64 {
    match asks(w, request).await {
        Reply::Ended(ended) => ended,
        other => panic!("{other:?}"),
    }
}

/// A new password signs every browser out. Apps keep their access, unless the operator ends it too.
// gaps: Sessions and tokens > A new password
#[tokio::test]
async fn a_new_password_ends_every_sign_in_and_app_access_where_asked() {
    let w = World::new().await;
    for end_sessions in [false, true] {
        let (mut one, mut other) = (w.amina().signs_in().await, w.amina().signs_in().await);
        let mut ben = w.ben().signs_in().await;
        let ((amina, bens), team) = ((w.amina().caller().await, w.ben().caller().await), w.site().await);
        let unredeemed = w.amina().gives_code("Sleep Diary").await;
        let (username, password) = (w.amina().account.username, Secret::new(w.amina().account.password.into()));
        let request = Request::SetPassword { username: username.to_uppercase(), password, end_sessions };
        // The first round's session is still live in the second.
        assert_eq!(ends(&w, request).await, if end_sessions { 4 } else { 0 });
        for browser in [&mut one, &mut other] {
            assert_eq!(browser.get("/connected-apps").await.redirect().to, "/sign-in");
        }
        assert_eq!(ben.get("/connected-apps").await.status, 200);
        match end_sessions {
            true => {
                amina.get("/fhir/Patient/amina").await.says(401, "API_SESSION_INVALID");
                unredeemed.0.redeem(&unredeemed.1).await.refused("invalid_grant");
            }
            false => drop(amina.get("/fhir/Patient/amina").await.opened()),
        }
        bens.get("/fhir/Patient/ben").await.opened();
        team.get("/fhir/Patient/amina").await.opened();
    }
}

/// The operator ends what a user is signed in by without a new password; the grants say why.
// gaps: Sessions and tokens > A new password
#[tokio::test]
async fn an_operator_ends_the_sessions_of_one_user() {
    let w = World::new().await;
    let mut browser = w.amina().signs_in().await;
    let (amina, ben) = (w.amina().caller().await, w.ben().caller().await);
    let end = |username: &str| Request::EndSessions { username: username.into() };
    assert_eq!(ends(&w, end(w.amina().account.username)).await, 1);
    assert_eq!(browser.get("/connected-apps").await.redirect().to, "/sign-in");
    amina.get("/fhir/Patient/amina").await.says(401, "API_SESSION_INVALID");
    ben.get("/fhir/Patient/ben").await.opened();
    assert_eq!(ends(&w, end(w.amina().account.username)).await, 0, "there is nothing left to end");
    let grants = store::grants::list(&w.app.store, &store::grants::Whose::Anyone, w.now()).await.unwrap();
    let ended = grants.iter().find(|grant| grant.username.as_deref() == Some(w.amina().account.username)).unwrap();
    assert_eq!(ended.revoked_why.as_deref(), Some("by-operator"));
    w.amina().signs_in().await;
    assert!(refusal(asks(&w, end("nobody")).await).contains("there is no user nobody"));
}
