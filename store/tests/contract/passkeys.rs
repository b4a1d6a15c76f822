//! Passkeys of users: one question makes one and one answer counts, counters rise, and what goes with the last of them.

use crate::together::{CALLERS, how_many, together};
use crate::world::{NOW, World};
use rules::ids::UserId;
use rules::limits::PASSKEYS_PER_USER;
use rules::moment::Moment;
use store::factors::passkeys::{self, NewPasskey, PasskeyKey, PasskeyMaking, PasskeyUse};
use store::factors::{self, Fingerprint, GuardedSecret, NewFactor, links};
use store::ledger::Event;
use store::opening::SpentForm;
use store::people::{self, PasswordHash};

const CODES: &str = "SELECT count(*) FROM recovery_codes";
const STORED: PasskeyMaking = PasskeyMaking::Stored { has_new_codes: true };
const STORED_BESIDE: PasskeyMaking = PasskeyMaking::Stored { has_new_codes: false };

const fn question(id: i64) -> SpentForm {
    SpentForm { id, expires_at: Moment(NOW.0 + 300_000) }
}

fn new(number: u8) -> NewPasskey {
    let key = PasskeyKey {
        credential: vec![number; 32],
        public_key: vec![0, 255, number],
        algorithm: -7,
        transports: "[\"internal\"]".into(),
        is_synced: number.is_multiple_of(2),
    };
    NewPasskey { key, counter: 0, name: format!("passkey {number}") }
}

async fn password(w: &World, user: UserId) -> PasswordHash {
    people::numbered(&w.store, user).await.unwrap().unwrap().password_hash
}

/// Gives a user a passkey by a question of its own.
async fn gives(w: &World, user: UserId, number: u8) -> PasskeyMaking {
    let codes = vec![Fingerprint([number; 32]), Fingerprint([number + 100; 32])];
    let (known, asked) = (password(w, user).await, question(i64::from(number)));
    passkeys::add(&w.store, user, known, (new(number), codes), asked, NOW).await.unwrap()
}

#[tokio::test]
async fn a_passkey_is_read_as_it_was_made_and_the_first_factor_brings_recovery_codes() {
    let w = World::new().await;
    assert_eq!(factors::find(&w.store, w.amina).await.unwrap(), None);
    assert_eq!((gives(&w, w.amina, 1).await, gives(&w, w.amina, 2).await), (STORED, STORED_BESIDE));
    let found = passkeys::of_user(&w.store, w.amina).await.unwrap();
    let [first, second] = found.as_slice() else { panic!("two passkeys") };
    assert_eq!((&first.key, &second.key), (&new(1).key, &new(2).key));
    assert_eq!((first.name.as_str(), first.counter, first.used_at), ("passkey 1", 0, None));
    let has = factors::find(&w.store, w.amina).await.unwrap().unwrap();
    assert_eq!((has.app, has.passkeys, has.recovery_codes), (None, 2, 2));
    assert_eq!(has.newest_passkey, second.id);
    assert_eq!(w.noted(Event::FactorSet).await, 2);
}

#[tokio::test]
async fn a_question_makes_one_passkey_and_a_passkey_is_one_users() {
    let w = World::new().await;
    let ben = w.user("ben").await.id;
    assert_eq!((gives(&w, w.amina, 1).await, gives(&w, w.amina, 1).await), (STORED, PasskeyMaking::Stale));
    let (known, codes) = (password(&w, ben).await, Vec::new());
    let taken = passkeys::add(&w.store, ben, known, (new(1), codes), question(77), NOW).await.unwrap();
    assert_eq!(taken, PasskeyMaking::Stale);
    let wrong = PasswordHash("another".into());
    let stale = passkeys::add(&w.store, ben, wrong, (new(3), Vec::new()), question(78), NOW).await.unwrap();
    assert_eq!(stale, PasskeyMaking::Stale);
    assert_eq!(factors::find(&w.store, ben).await.unwrap(), None);
}

#[tokio::test]
async fn a_user_has_so_many_passkeys_and_no_more() {
    let w = World::new().await;
    for number in 0..u8::try_from(PASSKEYS_PER_USER).unwrap() {
        assert_ne!(gives(&w, w.amina, number).await, PasskeyMaking::TooMany);
    }
    assert_eq!(gives(&w, w.amina, 90).await, PasskeyMaking::TooMany);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_answers_to_one_question_one_counts() {
    let w = World::new().await;
    gives(&w, w.amina, 1).await;
    let id = passkeys::of_user(&w.store, w.amina).await.unwrap()[0].id;
    let answer = |_| {
        let (store, user) = (w.store.clone(), w.amina);
        async move { passkeys::count_use(&store, (user, id), 0, question(500), NOW).await.unwrap() }
    };
    let counted = together((0..CALLERS).map(answer)).await;
    assert_eq!(how_many(&counted, |used| *used == PasskeyUse::Counted), 1);
    assert_eq!(how_many(&counted, |used| *used == PasskeyUse::Stale), CALLERS - 1);
}

#[tokio::test]
async fn a_counter_rises_or_is_none() {
    let w = World::new().await;
    gives(&w, w.amina, 1).await;
    let id = passkeys::of_user(&w.store, w.amina).await.unwrap()[0].id;
    let uses = [
        (0, PasskeyUse::Counted),
        (0, PasskeyUse::Counted),
        (4, PasskeyUse::Counted),
        (4, PasskeyUse::Behind),
        (0, PasskeyUse::Behind),
    ];
    for (number, (counter, expected)) in (600..).zip(uses) {
        let used = passkeys::count_use(&w.store, (w.amina, id), counter, question(number), NOW).await.unwrap();
        assert_eq!(used, expected, "{counter}");
    }
    let passkey = &passkeys::of_user(&w.store, w.amina).await.unwrap()[0];
    assert_eq!((passkey.counter, passkey.used_at), (4, Some(NOW)));
    assert_eq!(w.count("SELECT count(*) FROM notices WHERE text LIKE '%copied%'"), 2);
    let another = passkeys::count_use(&w.store, (UserId(w.amina.0 + 1), id), 9, question(700), NOW).await.unwrap();
    assert_eq!(another, PasskeyUse::Stale, "another user's");
}

#[tokio::test]
async fn recovery_codes_go_with_the_last_factor_whichever_it_is() {
    let w = World::new().await;
    gives(&w, w.amina, 1).await;
    let app = NewFactor {
        secret: GuardedSecret("sealed".into()),
        step: 1,
        recovery_codes: vec![Fingerprint([9; 32]), Fingerprint([8; 32]), Fingerprint([7; 32])],
    };
    assert!(factors::set(&w.store, w.amina, password(&w, w.amina).await, app, NOW).await.unwrap());
    let id = passkeys::of_user(&w.store, w.amina).await.unwrap()[0].id;
    assert!(passkeys::remove(&w.store, (w.amina, id), true, NOW).await.unwrap());
    assert!(!passkeys::remove(&w.store, (w.amina, id), false, NOW).await.unwrap(), "it is gone");
    assert_eq!(w.count(CODES), 3);
    assert!(!factors::remove(&w.store, w.amina, true, NOW).await.unwrap(), "the last one stays");
    gives(&w, w.amina, 2).await;
    assert!(factors::remove(&w.store, w.amina, true, NOW).await.unwrap());
    assert_eq!(w.count(CODES), 3, "the passkey is there");
    let id = passkeys::of_user(&w.store, w.amina).await.unwrap()[0].id;
    assert!(!passkeys::remove(&w.store, (w.amina, id), true, NOW).await.unwrap(), "the last one stays");
    assert!(passkeys::remove(&w.store, (w.amina, id), false, NOW).await.unwrap());
    assert_eq!((w.count(CODES), factors::find(&w.store, w.amina).await.unwrap()), (0, None));
}

#[tokio::test]
async fn a_link_takes_passkeys_away_too() {
    let w = World::new().await;
    gives(&w, w.amina, 1).await;
    let link = Fingerprint([5; 32]);
    links::make(&w.store, "amina".into(), Fingerprint([5; 32]), NOW).await.unwrap().unwrap();
    assert!(links::redeem(&w.store, w.amina, password(&w, w.amina).await, link, NOW).await.unwrap());
    assert_eq!(factors::find(&w.store, w.amina).await.unwrap(), None);
    assert_eq!((w.count(CODES), w.noted(Event::FactorRemoved).await), (0, 1));
}
