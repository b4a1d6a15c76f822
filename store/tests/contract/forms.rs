//! Authorization forms: each opens at most one session; and opening many sessions at once.

use crate::grant::fresh_salt;
use crate::together::{CALLERS, how_many, together};
use crate::world::{NOW, World};
use rules::ids::SessionId;
use rules::moment::Moment;
use store::ledger::Event;
use store::opening::{self, SpentForm};

const FORM: SpentForm = SpentForm { id: 41, expires_at: Moment(NOW.0 + 1_800_000) };
const SESSIONS: &str = "SELECT count(*) FROM sessions";

#[tokio::test]
async fn a_used_form_opens_no_second_session() {
    let w = World::new().await;
    for opens in [true, false, false] {
        let mut approval = w.approval("amina").await;
        approval.form = Some(FORM);
        assert_eq!(opening::open(&w.store, approval, NOW).await.unwrap().is_some(), opens);
    }
    assert_eq!(w.count(SESSIONS), 1);
    assert_eq!(w.noted(Event::Granted).await, 1);
}

#[tokio::test]
async fn a_form_spent_on_a_failed_login_opens_no_session() {
    let w = World::new().await;
    assert!(opening::spend_form(&w.store, FORM).await.unwrap());
    assert!(!opening::spend_form(&w.store, FORM).await.unwrap(), "it is used already");
    let mut approval = w.approval("amina").await;
    approval.form = Some(FORM);
    assert_eq!(opening::open(&w.store, approval, NOW).await.unwrap(), None);
    assert_eq!(w.count(SESSIONS), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sixty_four_submissions_of_one_form_open_exactly_one_session() {
    let w = World::new().await;
    let mut submissions = Vec::new();
    for _ in 0..CALLERS {
        let mut approval = w.approval("amina").await;
        approval.form = Some(FORM);
        let store = w.store.clone();
        submissions.push(async move { opening::open(&store, approval, NOW).await.unwrap() });
    }
    let opened = together(submissions).await;
    assert_eq!(how_many(&opened, Option::is_some), 1);
    assert_eq!(w.count(SESSIONS), 1);
}

#[tokio::test]
async fn opening_many_answers_in_order_and_leaves_out_what_a_used_form_asked_for() {
    let w = World::new().await;
    let mut openings = Vec::new();
    for n in 0..500 {
        let mut opening = w.approval("amina").await;
        opening.salt = fresh_salt();
        opening.form = (n % 5 == 0).then_some(FORM);
        openings.push(opening);
    }
    let opened = opening::open_many(&w.store, openings, NOW).await.unwrap();
    assert_eq!(opened.len(), 500);
    for (n, id) in opened.iter().enumerate() {
        assert_eq!(id.is_some(), n == 0 || n % 5 != 0, "opening {n}");
    }
    let ids: Vec<SessionId> = opened.into_iter().flatten().collect();
    assert!(ids.is_sorted_by(|a, b| a < b));
    assert_eq!(w.count(SESSIONS), 401);
}
