//! Asking who calls and for a resource at once: the same caller and the same resource as by asking one after the other.

use crate::shelf::{GENERAL, Shelf, asked, letter, patient, resource};
use crate::world::{ELSEWHERE, NOW, World};
use rules::reach::Reach;
use store::records::Resource;
use store::searching::{Sought, SystemAsked, TokenAsked};
use store::{asking, organisations, records, searching, seen};

const WANTED: [(&str, &str); 7] = [
    ("Patient", "amina"),
    ("Patient", "eva"),
    ("Patient", "nobody"),
    ("DocumentReference", "letter"),
    ("Binary", "scan"),
    ("Binary", "letter"),
    ("Practitioner", "dr-who"),
];

/// A number that is never given away.
const NOBODY: i64 = 0;

/// Something of everybody's.
async fn filled() -> Shelf {
    let shelf = Shelf::new().await;
    shelf.put_new(patient("amina", &[]), shelf.of_elsewhere()).await;
    shelf.put_new(patient("eva", &[]), shelf.of_general()).await;
    shelf.put_new(letter("letter", "amina", "l-1", "scan"), shelf.of_general()).await;
    shelf.put_new(resource("Binary", "scan", None, vec![]), shelf.of_general()).await;
    shelf.put_new(resource("Practitioner", "dr-who", None, vec![]), shelf.of_elsewhere()).await;
    let both = vec![(ELSEWHERE.into(), "letters".into()), (GENERAL.into(), "letters".into())];
    let granted = store::world::World { organisation_grants: both, ..Default::default() };
    store::world::apply(&shelf.w.store, granted, NOW).await.unwrap();
    shelf
}

/// What somebody of this reach finds by asking for nothing else.
async fn read(w: &World, reach: &Reach, (type_name, id): (&str, &str)) -> String {
    let found = match type_name {
        "Binary" => records::read_binary(&w.store, reach, id).await,
        _ => records::read(&w.store, reach, type_name, id).await,
    };
    told(found.unwrap().as_deref())
}

fn told(found: Option<&Resource>) -> String {
    format!("{found:?}")
}

#[tokio::test]
async fn a_session_that_asks_for_a_resource_is_seen_as_ever_and_given_what_its_reach_holds() {
    let shelf = filled().await;
    let w = &shelf.w;
    let openings =
        [w.approval("amina").await, w.approval("clara").await, w.approval("cora").await, w.team_grant().await];
    let mut given = 0;
    for opening in openings {
        let session = w.opened(opening).await.seen().await;
        for wanted in WANTED {
            let asked = asking::by_session(&w.store, session.id, wanted.0, wanted.1).await.unwrap();
            let (seen, found) = asked.expect("the session is there, whatever it asks for");
            assert_eq!(format!("{seen:?}"), format!("{session:?}"));
            assert_eq!(seen.salt.check(b"content"), session.salt.check(b"content"));
            assert_eq!(told(found.as_deref()), read(w, &session.reach, wanted).await, "{wanted:?} by {session:?}");
            given += u32::from(found.is_some());
        }
    }
    assert_eq!(given, 4 * 3, "Amina, her letter and its scan to each");
}

#[tokio::test]
async fn a_system_client_that_asks_for_a_resource_is_given_what_belongs_to_the_organisation_it_names() {
    let shelf = filled().await;
    let w = &shelf.w;
    let client = w.client("letters").await;
    let mut given = Vec::new();
    for (named, organisation) in [(ELSEWHERE, w.elsewhere), (GENERAL, shelf.general)] {
        for wanted in WANTED {
            let asked = asking::by_system(&w.store, client.id, named, wanted.0, wanted.1).await.unwrap();
            let (seen, found) = asked.expect("the client is there, whatever it asks for");
            assert_eq!((seen.secret, seen.disabled), (client.secret.clone(), false));
            assert_eq!(seen.granted_by, Some(organisation));
            let reach = Reach::Organisation(organisation);
            assert_eq!(told(found.as_deref()), read(w, &reach, wanted).await, "{wanted:?} for {named}");
            given.extend(found.map(|_| wanted.1));
        }
    }
    assert_eq!(given, ["amina", "dr-who", "eva", "letter", "scan"]);
}

/// Searches of everybody: by ids, by a token, by both.
fn searches<'a>(ids: &'a [String], token: &'a [TokenAsked]) -> [Sought<'a>; 3] {
    let by = |ids, token: Option<&'a [TokenAsked]>| {
        let tokens = token.map(|token| ("identifier", token));
        Sought { type_name: "DocumentReference", ids, tokens, after: 0, limit: 10 }
    };
    [Sought { type_name: "Patient", ..by(Some(ids), None) }, by(None, Some(token)), by(Some(ids), Some(token))]
}

#[tokio::test]
async fn a_search_before_the_caller_is_known_finds_what_it_finds_once_the_caller_is() {
    let shelf = filled().await;
    let w = &shelf.w;
    let ids = ["amina", "eva", "letter", "nobody"].map(String::from);
    let token = [asked(SystemAsked::Any, "l-1")];
    let openings =
        [w.approval("amina").await, w.approval("clara").await, w.approval("cora").await, w.team_grant().await];
    let mut given = 0;
    for opening in openings {
        let session = w.opened(opening).await.seen().await;
        for sought in searches(&ids, &token) {
            let found = searching::of_session(&w.store, session.id, &sought).await.unwrap();
            let known = searching::search(&w.store, &session.reach, &sought).await.unwrap();
            assert_eq!(format!("{found:?}"), format!("{known:?}"), "{sought:?} by {session:?}");
            given += found.len();
        }
    }
    assert_eq!(given, 4 * 3, "Amina, and her letter twice, to each");
    let letters = w.client("letters").await.id;
    for (named, organisation) in [(ELSEWHERE, w.elsewhere), (GENERAL, shelf.general)] {
        for sought in searches(&ids, &token) {
            let found = searching::of_system(&w.store, letters, named, &sought).await.unwrap();
            let known = searching::search(&w.store, &Reach::Organisation(organisation), &sought).await.unwrap();
            assert_eq!(format!("{found:?}"), format!("{known:?}"), "{sought:?} for {named}");
            given += found.len();
        }
    }
    assert_eq!(given, 4 * 3 + 1 + 3, "and Amina to the one, Eva and the letter twice to the other");
    assert!(organisations::withdraw(&w.store, w.elsewhere, letters, NOW).await.unwrap());
    for sought in searches(&ids, &token) {
        assert!(searching::of_system(&w.store, letters, ELSEWHERE, &sought).await.unwrap().is_empty());
        assert!(searching::of_session(&w.store, NOBODY, &sought).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_revoked_session_is_told_from_one_that_never_was_whether_or_not_there_is_what_it_asks_for() {
    let shelf = filled().await;
    let w = &shelf.w;
    let granted = w.connected().await;
    assert!(granted.revoke().await);
    for (type_name, id) in WANTED {
        let (seen, _) = asking::by_session(&w.store, granted.id, type_name, id).await.unwrap().expect("its row");
        assert_eq!(seen.session.revoked_at, Some(NOW));
        assert!(asking::by_session(&w.store, NOBODY, type_name, id).await.unwrap().is_none());
        assert!(seen::see(&w.store, NOBODY).await.unwrap().is_none());
    }
}

#[tokio::test]
async fn without_a_grant_in_force_a_system_client_is_seen_but_given_nothing() {
    let shelf = filled().await;
    let w = &shelf.w;
    let letters = w.client("letters").await.id;
    assert!(organisations::withdraw(&w.store, w.elsewhere, letters, NOW).await.unwrap());
    for (type_name, id) in WANTED {
        for named in [ELSEWHERE, "nobody", ""] {
            let asked = asking::by_system(&w.store, letters, named, type_name, id).await.unwrap();
            let (seen, found) = asked.expect("the client is there, whoever it names");
            assert_eq!(seen.granted_by, None);
            assert_eq!(told(found.as_deref()), "None", "{type_name}/{id} for {named:?}");
        }
        assert!(asking::by_system(&w.store, NOBODY, ELSEWHERE, type_name, id).await.unwrap().is_none());
    }
}
