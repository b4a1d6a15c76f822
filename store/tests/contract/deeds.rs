//! Lines of what is done beside grants and looks: written resources, registrations and memberships, accounts, clients, keys;
//! each in the transaction that does it, with who did it, and none of what was not done.

use crate::shelf::{Shelf, letter, patient};
use crate::world::{ELSEWHERE, NORTH, NOW, SOUTH, World, client, declared, noted, organisation, team, user};
use rules::clients::ClientKind;
use rules::ids::{ClientInvitationId, SessionId, UserId};
use rules::lifecycle::Revoked;
use rules::reach::Source;
use rules::scope::UserType;
use std::sync::Arc;
use store::client_invitations::ClientInvitation;
use store::clients::{ClientKey, Fingerprint};
use store::ledger::{self, Author, Event, LedgerSpan, NamedLine};
use store::people::PasswordHash;
use store::salt::Salt;
use store::world::{WantedGrant, World as Declared, apply};
use store::write::resource_write::{self, Outcome};
use store::{Store, client_invitations, clients, endings, organisations, people, ring, sign_ins};

const ANNA: &str = "anna (1000)";

/// Every line behind the first `known`.
async fn lines_behind(store: &Store, known: i64) -> Vec<NamedLine> {
    ledger::add(store, NOW).await.unwrap();
    let mut lines = Vec::new();
    let keep = |line: NamedLine| {
        lines.push(line);
        true
    };
    ledger::each(store, LedgerSpan::ALL, |_| true, keep).await.unwrap();
    lines.retain(|line| line.number > known);
    lines
}

/// How many lines there are.
async fn count(store: &Store) -> i64 {
    ledger::add(store, NOW).await.unwrap();
    ledger::root(store).await.unwrap().line
}

/// The lines that something leaves behind.
async fn told(store: &Store, deed: impl Future<Output = ()>) -> Vec<NamedLine> {
    let known = count(store).await;
    deed.await;
    lines_behind(store, known).await
}

fn events(lines: &[NamedLine]) -> Vec<Event> {
    lines.iter().map(|line| line.event).collect()
}

fn users(declared: Vec<(people::User, Vec<String>)>) -> Declared {
    Declared { users: declared, ..Declared::default() }
}

#[tokio::test]
async fn a_written_resource_is_told_with_who_wrote_it_for_whom_and_about_whom() {
    let s = Shelf::new().await;
    let (session, app, clara) = (SessionId(77), s.w.sleep_diary, s.w.user("clara").await.id);
    let author = Author { session: Some(session), client: Some(app), user: Some(clara), operator: None };
    let theirs = s.w.store.by(author);
    let put = async |letter| {
        resource_write::put(&theirs, vec![letter], s.by_north(), NOW, "2027-01-15T08:00:00.000Z".into()).await.unwrap();
    };
    let first = told(&s.w.store, put(letter("l1", "amina", "L-1", "b1"))).await;
    let [created] = first.as_slice() else { panic!("{first:?}") };
    assert_eq!((created.event, created.detail.as_deref()), (Event::Created, Some("DocumentReference/l1")));
    assert_eq!((created.session, created.client.as_deref()), (Some(77), Some("sleep-diary")));
    assert_eq!((created.username.as_deref(), created.team.as_deref()), (Some("clara"), Some("North")));
    assert_eq!((created.patient.as_deref(), created.at), (Some("amina"), NOW));
    let second = told(&s.w.store, put(letter("l1", "amina", "L-2", "b1"))).await;
    assert_eq!(events(&second), [Event::Updated]);
    assert_eq!(second[0].detail.as_deref(), Some("DocumentReference/l1/_history/2"));
    assert_eq!(events(&told(&s.w.store, put(letter("l1", "amina", "L-2", "b1"))).await), [], "nothing is new");
}

#[tokio::test]
async fn what_is_not_stored_has_no_line_and_a_directory_has_one_about_nobody() {
    let s = Shelf::new().await;
    s.put_new(patient("amina", &[]), s.by_elsewhere()).await;
    let refused = told(&s.w.store, async {
        let stored = s.put(patient("amina", &[(None, "1")]), s.by_general()).await;
        assert_eq!(stored.outcome, Outcome::OtherSource);
    });
    assert_eq!(events(&refused.await), []);
    let place = crate::shelf::resource(fhir::types::named("Location").unwrap(), "ward", "");
    let lines = told(&s.w.store, s.put_new(place, s.by_general())).await;
    assert_eq!(events(&lines), [Event::Created]);
    assert_eq!((lines[0].patient.as_deref(), lines[0].organisation.as_deref()), (None, Some("General")));
}

#[tokio::test]
async fn a_resource_in_two_records_is_told_in_both() {
    let s = Shelf::new().await;
    let members = r#","subject":{"reference":"Patient/amina"},"author":[{"reference":"Patient/ben"}]"#;
    let both = crate::shelf::resource(fhir::types::ResourceType::DocumentReference, "both", members);
    let lines = told(&s.w.store, s.put_new(both, s.by_elsewhere())).await;
    let patients: Vec<&str> = lines.iter().filter_map(|line| line.patient.as_deref()).collect();
    assert_eq!((events(&lines), patients), (vec![Event::Created; 2], vec!["amina", "ben"]));
}

#[tokio::test]
async fn whoever_joins_or_leaves_a_team_is_told_of_with_the_team() {
    let w = World::new().await;
    let moved = users(vec![
        user("amina", UserType::Patient, Some("amina"), &[SOUTH]),
        user("ben", UserType::Patient, Some("ben"), &[SOUTH]),
        user("clara", UserType::Clinician, None, &[NORTH, SOUTH]),
        user("cora", UserType::TeamCoord, None, &[]),
    ]);
    let anna = w.store.by(Author::operator(ANNA));
    let lines = told(&w.store, async { drop(apply(&anna, moved, NOW).await.unwrap()) }).await;
    let told: Vec<_> = lines
        .iter()
        .map(|line| (line.event, line.patient.as_deref().or(line.username.as_deref()), line.team.as_deref()))
        .collect();
    let expected = [
        (Event::Deregistered, Some("amina"), Some("North")),
        (Event::Registered, Some("amina"), Some("South")),
        (Event::Joined, Some("clara"), Some("South")),
        (Event::Left, Some("cora"), Some("North")),
    ];
    assert_eq!(told, expected);
    assert!(lines.iter().all(|line| line.operator.as_deref() == Some(ANNA)), "{lines:?}");
}

#[tokio::test]
async fn every_change_of_a_user_is_told_and_no_password() {
    let w = World::new().await;
    let change = async |change: fn(&mut people::User)| -> Vec<(Event, Option<String>)> {
        let deed = async { drop(people::change(&w.store, "clara".into(), change, NOW).await.unwrap()) };
        told(&w.store, deed).await.into_iter().map(|line| (line.event, line.detail)).collect()
    };
    assert_eq!(change(|_| ()).await, [], "nothing is new");
    assert_eq!(change(|user| user.name = "Clara K".into()).await, [(Event::UserChanged, Some("name".into()))]);
    let password = change(|user| user.password_hash = PasswordHash("another hash".into())).await;
    assert_eq!(password, [(Event::PasswordChanged, None)]);
    assert_eq!(change(|user| user.frozen_at = Some(NOW)).await, [(Event::Frozen, None)]);
    assert_eq!(change(|user| user.frozen_at = None).await, [(Event::Unfrozen, None)]);
    let retyped = change(|user| user.user_type = UserType::Admin).await;
    assert_eq!(retyped, [(Event::UserTypeChanged, Some("CLINICIAN to ADMIN".into())), (Event::Left, None)]);
}

#[tokio::test]
async fn a_password_is_told_as_its_owners_or_as_the_operators_and_so_is_signing_out() {
    let w = World::new().await;
    let amina = w.user("amina").await;
    let renew = async |store: &Store, hash: &str| {
        let hash = PasswordHash(hash.into());
        endings::renew(store, "amina".into(), None, hash, None, NOW).await.unwrap().expect("Amina");
    };
    let anna = w.store.by(Author::operator(ANNA));
    let own = told(&w.store, renew(&w.store, "hers")).await;
    let operators = told(&w.store, renew(&anna, "given")).await;
    assert_eq!((events(&own), &own[0].operator), (vec![Event::PasswordChanged], &None));
    assert_eq!((events(&operators), operators[0].operator.as_deref()), (vec![Event::PasswordChanged], Some(ANNA)));
    let wrong =
        endings::renew(&w.store, "amina".into(), Some(amina.password_hash), PasswordHash("x".into()), None, NOW);
    assert_eq!(events(&told(&w.store, async { assert!(wrong.await.unwrap().is_none()) }).await), []);
    let amina = w.user("amina").await;
    for _ in 0..2 {
        sign_ins::open(&w.store, &amina, Salt::new([1; 16]), ("Firefox".into(), sign_ins::Entrance::default()), NOW)
            .await
            .unwrap()
            .expect("signed in");
    }
    let end =
        async || assert_eq!(endings::end_all(&anna, "amina".into(), Revoked::ByOperator, NOW).await.unwrap(), Some(0));
    let ended = told(&w.store, end()).await;
    assert_eq!((events(&ended), ended[0].times), (vec![Event::SignedOut], 2));
    assert_eq!(events(&told(&w.store, end()).await), [], "there was nobody to sign out");
}

#[tokio::test]
async fn every_change_of_a_client_is_told_and_no_secret() {
    let w = World::new().await;
    let change = async |change: fn(&mut clients::Client)| -> Vec<(Event, Option<String>)> {
        let deed = async { drop(clients::change(&w.store, "letters".into(), change, NOW).await.unwrap()) };
        told(&w.store, deed).await.into_iter().map(|line| (line.event, line.detail)).collect()
    };
    assert_eq!(change(|_| ()).await, [], "nothing is new");
    let described = change(|client| (client.product, client.access_seconds) = ("Letters".into(), 60)).await;
    assert_eq!(described, [(Event::ClientChanged, Some("product access_token".into()))]);
    let secret = change(|client| client.secret = Some(Fingerprint([8; 32]))).await;
    assert_eq!(secret, [(Event::ClientSecretChanged, None)]);
    assert_eq!(change(|client| client.disabled_at = Some(NOW)).await, [(Event::ClientDisabled, None)]);
    assert_eq!(change(|client| client.disabled_at = None).await, [(Event::ClientEnabled, None)]);
    let keys = change(|client| {
        client.secret = None;
        client.keys = vec![ClientKey { jwk: "{}".into(), salt: Salt::new([2; 16]) }];
    });
    let expected = [(Event::ClientSecretChanged, None), (Event::ClientKeysChanged, Some("1".into()))];
    assert_eq!(keys.await, expected);
}

#[tokio::test]
async fn a_token_for_one_client_registers_one_of_two_that_come_at_once_and_all_of_it_is_told() {
    let w = World::new().await;
    let anna = w.store.by(Author::operator(ANNA));
    let wanted = ClientInvitation {
        id: ClientInvitationId::default(),
        owner: "Nightjar".into(),
        user_types: vec![UserType::Patient],
        uses_left: 1,
        expires_at: NOW.plus_seconds(60),
    };
    let token = Fingerprint([9; 32]);
    let made = told(&w.store, async {
        client_invitations::make(&anna, wanted, token.clone(), NOW).await.unwrap();
    });
    let made = made.await;
    assert_eq!((events(&made), made[0].operator.as_deref()), (vec![Event::ClientInvited], Some(ANNA)));
    let own = |id: &str| clients::Client {
        registration: Some(Fingerprint([7; 32])),
        unchecked: true,
        ..client(id, ClientKind::User)
    };
    let both = told(&w.store, async {
        let one = client_invitations::register(&w.store, token.clone(), own("one"), NOW);
        let two = client_invitations::register(&w.store, token.clone(), own("two"), NOW);
        let (one, two) = tokio::join!(one, two);
        assert!(one.unwrap().is_some() ^ two.unwrap().is_some());
    });
    let both = both.await;
    assert_eq!((events(&both), both[0].detail.as_deref()), (vec![Event::ClientMade], Some("user by-itself")));
    let left = told(&w.store, async {
        let late = client_invitations::register(&w.store, token, own("late"), NOW);
        assert!(late.await.unwrap().is_none());
        assert_eq!(client_invitations::list(&w.store, NOW).await.unwrap(), []);
    });
    assert_eq!(events(&left.await), []);
}

#[tokio::test]
async fn what_is_declared_is_told_once_and_what_is_refused_not_at_all() {
    let w = World::new().await;
    let anna = w.store.by(Author::operator(ANNA));
    assert_eq!(events(&told(&w.store, async { drop(apply(&anna, declared(), NOW).await.unwrap()) }).await), []);
    let more = || Declared {
        organisations: vec![organisation("other", "Other")],
        teams: vec![team(NORTH, "North", "other")],
        users: vec![user("dan", UserType::Clinician, None, &[NORTH])],
        patients: Vec::new(),
        consents: Vec::new(),
        clients: vec![client("more-letters", ClientKind::System)],
        organisation_grants: vec![WantedGrant::of(ELSEWHERE, "more-letters")],
    };
    let refused = Declared { organisation_grants: vec![WantedGrant::of(ELSEWHERE, "nobody's")], ..more() };
    let deed = async { drop(apply(&anna, refused, NOW).await.expect_err("a client that is not there")) };
    assert_eq!(events(&told(&w.store, deed).await), [], "all of it or nothing");
    let lines = told(&w.store, async { drop(apply(&anna, more(), NOW).await.unwrap()) }).await;
    let expected = [
        Event::OrganisationMade,
        Event::TeamChanged,
        Event::UserMade,
        Event::Joined,
        Event::ClientMade,
        Event::OrganisationGranted,
    ];
    assert_eq!(events(&lines), expected);
    assert!(lines.iter().all(|line| line.operator.as_deref() == Some(ANNA)), "{lines:?}");
    let client = w.client("more-letters").await.id;
    for expected in [vec![Event::OrganisationWithdrawn], vec![]] {
        let was_there = !expected.is_empty();
        let withdrawal = organisations::withdraw(&anna, w.elsewhere, client, NOW);
        let deed = async { assert_eq!(withdrawal.await.unwrap(), was_there) };
        assert_eq!(events(&told(&w.store, deed).await), expected);
    }
}

#[tokio::test]
async fn what_becomes_of_keys_is_told_by_their_ids() {
    let w = World::new().await;
    let key = |id: &str| (id.to_owned(), format!("the print of {id}"));
    let deed = async {
        ring::begin(&w.store, vec![key("one")], NOW).await.unwrap();
        assert!(!ring::begin(&w.store, vec![key("late")], NOW).await.unwrap());
        ring::add(&w.store, key("two"), NOW).await.unwrap();
        assert!(!ring::add(&w.store, key("two"), NOW).await.unwrap());
        ring::retire(&w.store, "one".into(), NOW).await.unwrap();
        assert!(!ring::retire(&w.store, "one".into(), NOW).await.unwrap());
        ring::adopt(&w.store, vec![key("two")], NOW).await.unwrap();
        ring::adopt(&w.store, vec![key("two"), key("three")], NOW).await.unwrap();
    };
    let lines = told(&w.store, deed).await;
    let said: Vec<(Event, &str)> = lines.iter().map(|line| (line.event, line.detail.as_deref().unwrap())).collect();
    let expected = [
        (Event::KeyAdded, "one"),
        (Event::KeyAdded, "two"),
        (Event::KeyRetired, "one"),
        (Event::RingAdopted, "two three"),
    ];
    assert_eq!(said, expected, "what was so before has no line");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn forty_at_once_are_each_told_as_their_own() {
    let w = Arc::new(World::new().await);
    let before = noted(&w.store, Event::UserMade).await;
    let deed = |number: usize| {
        let w = w.clone();
        tokio::spawn(async move {
            let name = format!("user-{number}");
            let made = users(vec![user(&name, UserType::Clinician, None, &[])]);
            let store = w.store.by(Author::operator(format!("operator of {name}")));
            // Every second is nobody's, and is told as nobody's.
            let store = if number.is_multiple_of(2) { &store } else { w.store.as_ref() };
            apply(store, made, NOW).await.unwrap();
        })
    };
    for done in (0..40).map(deed).collect::<Vec<_>>() {
        done.await.unwrap();
    }
    let lines = lines_behind(&w.store, 0).await;
    let made: Vec<&NamedLine> = lines.iter().filter(|line| line.event == Event::UserMade).collect();
    assert_eq!(made.len(), before + 40);
    for number in 0..40_usize {
        let name = format!("user-{number}");
        let line = made.iter().find(|line| line.username.as_ref() == Some(&name)).expect("its line");
        assert_eq!(line.operator, number.is_multiple_of(2).then(|| format!("operator of {name}")));
    }
}

#[tokio::test]
async fn what_a_person_wrote_for_nobody_else_is_told_as_theirs() {
    let s = Shelf::new().await;
    let ada = s.w.user("ada").await.id;
    let lines = told(&s.w.store, s.put_new(patient("zoe", &[]), Source::Person(UserId(ada.0)))).await;
    assert_eq!((events(&lines), lines[0].username.as_deref()), (vec![Event::Created], Some("ada")));
}
