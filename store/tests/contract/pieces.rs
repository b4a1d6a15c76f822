//! Long jobs are cut into pieces, between which others get their turn; and long lists into pages that leave nothing out.

use crate::world::{NOW, World, declared, user};
use rules::ids::SessionId;
use rules::lifecycle::Revoked;
use rules::scope::UserType;
use store::grants::{self, NEWEST, Whose};
use store::opening::{self, Opening, SpentForm};
use store::world::Change;
use store::{endings, people, world};

/// More than any page or piece has.
const MANY: usize = 1203;

/// Amina's grants of Sleep Diary, born with refresh tokens.
fn granted(w: &World, count: usize) -> Vec<Opening> {
    (0..count).map(|_| Opening { code: None, ..w.bare_approval() }).collect()
}

#[tokio::test]
async fn one_turn_opens_a_bounded_number_of_sessions_and_gives_the_rest_back() {
    let w = World::new().await;
    let (opened, left) = opening::open_some(&w.store, granted(&w, MANY), NOW).await.unwrap();
    assert!((1..=500).contains(&opened.len()), "{}", opened.len());
    assert_eq!(opened.len() + left.len(), MANY);
    assert_eq!(w.count("SELECT count(*) FROM sessions"), i64::try_from(opened.len()).unwrap());
}

#[tokio::test]
async fn others_write_while_many_sessions_are_opened() {
    let w = World::new().await;
    let many = opening::open_many(&w.store, granted(&w, 5 * MANY), NOW);
    let others = async {
        for id in 0.. {
            let form = SpentForm { id, expires_at: NOW.plus_seconds(1800) };
            assert!(opening::spend_form(&w.store, form).await.unwrap());
            if id == 4 {
                break;
            }
        }
        w.count("SELECT count(*) FROM sessions")
    };
    let (opened, there) = tokio::join!(many, others);
    assert_eq!(opened.unwrap().len(), 5 * MANY);
    assert!(there < i64::try_from(5 * MANY).unwrap(), "five others had their turns before the last was opened");
}

fn clinicians(count: usize) -> world::World {
    let users = (0..count).map(|n| user(&format!("n{n:05}"), UserType::Clinician, None, &[])).collect();
    world::World { users, ..Default::default() }
}

#[tokio::test]
async fn one_turn_makes_a_bounded_part_of_a_large_world_and_all_of_a_small_one() {
    let w = World::new().await;
    let (done, left) = world::apply_some(&w.store, clinicians(MANY).into(), NOW).await.unwrap();
    assert!((1..=500).contains(&done.len()), "{}", done.len());
    assert_eq!(done.len() + left.len(), MANY);
    assert_eq!(people::list(&w.store).await.unwrap().len(), done.len() + declared().users.len());
    let (done, left) = world::apply_some(&w.store, clinicians(100).into(), NOW).await.unwrap();
    assert_eq!((done.len(), left.is_empty()), (100, true));
}

#[tokio::test]
async fn a_large_world_that_was_begun_is_finished_by_making_it_again() {
    let w = World::new().await;
    let (begun, _) = world::apply_some(&w.store, clinicians(MANY).into(), NOW).await.unwrap();
    let again = world::apply(&w.store, clinicians(MANY), NOW).await.unwrap();
    let count = |change| again.iter().filter(|part| part.change == change).count();
    assert_eq!((count(Change::Unchanged), count(Change::Created)), (begun.len(), MANY - begun.len()));
    assert_eq!(people::list(&w.store).await.unwrap().len(), MANY + declared().users.len());
}

#[tokio::test]
async fn others_write_while_a_large_world_is_made() {
    let w = World::new().await;
    let others = async {
        for id in 0..5 {
            let form = SpentForm { id, expires_at: NOW.plus_seconds(1800) };
            assert!(opening::spend_form(&w.store, form).await.unwrap());
        }
        w.count("SELECT count(*) FROM users")
    };
    let (made, there) = tokio::join!(world::apply(&w.store, clinicians(5 * MANY), NOW), others);
    assert_eq!(made.unwrap().len(), 5 * MANY);
    assert!(there < i64::try_from(5 * MANY).unwrap(), "five others had their turns before the last was made");
}

#[tokio::test]
async fn all_sessions_of_a_user_are_ended_however_many_there_are() {
    let w = World::new().await;
    opening::open_many(&w.store, granted(&w, MANY), NOW).await.unwrap();
    let bens = w.opened(w.approval("ben").await).await;
    let ended = endings::end_all(&w.store, "amina".into(), Revoked::ByOperator, NOW).await.unwrap();
    assert_eq!(ended, Some(MANY as u64));
    assert_eq!(w.count("SELECT count(*) FROM sessions WHERE revoked_at IS NULL"), 1);
    assert!(bens.bearer().await.session.revoked_at.is_none());
    let again = endings::end_all(&w.store, "amina".into(), Revoked::ByOperator, NOW).await.unwrap();
    assert_eq!(again, Some(0));
}

#[tokio::test]
async fn every_grant_is_on_one_page_and_newest_first() {
    let w = World::new().await;
    let opened = opening::open_many(&w.store, granted(&w, MANY), NOW).await.unwrap();
    let team = w.opened(w.team_grant().await).await.id;
    let mut expected: Vec<SessionId> = opened.into_iter().flatten().collect();
    expected.reverse();
    for (whose, expected) in [
        (Whose::User(w.amina), expected.clone()),
        (Whose::Anyone, [vec![team], expected].concat()),
        (Whose::Teams(vec![w.south, w.north]), vec![team]),
        (Whose::Teams(vec![]), vec![]),
    ] {
        let all: Vec<SessionId> =
            grants::list(&w.store, &whose, NOW).await.unwrap().into_iter().map(|grant| grant.id).collect();
        assert_eq!(all, expected);
        let (mut paged, mut before) = (Vec::new(), NEWEST);
        loop {
            let page = grants::page(&w.store, &whose, before, 100, NOW).await.unwrap();
            assert!(page.len() <= 100);
            let Some(last) = page.last() else { break };
            before = last.id;
            paged.extend(page.into_iter().map(|grant| grant.id));
        }
        assert_eq!(paged, expected);
    }
}

#[tokio::test]
async fn every_user_is_on_one_page_in_the_order_of_names() {
    let w = World::new().await;
    world::apply(&w.store, clinicians(MANY), NOW).await.unwrap();
    let all = people::list(&w.store).await.unwrap();
    assert_eq!(all.len(), MANY + declared().users.len());
    assert!(all.is_sorted_by(|one, next| one.username < next.username));
    let page = people::page(&w.store, "n00041", 2).await.unwrap();
    assert_eq!(page.iter().map(|user| user.username.as_str()).collect::<Vec<_>>(), ["n00042", "n00043"]);
}
