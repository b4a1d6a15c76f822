//! Two nodes on one database behave as one.

use crate::grant::{Grant, generation};
use crate::home::Home;
use crate::shelf;
use crate::together::{CALLERS, how_many, together};
use crate::world::{NOW, World, declared};
use fhir::search::reading;
use fhir::types::ResourceType;
use rules::bound_key::KeyThumbprint;
use rules::ids::ClientId;
use rules::lifecycle::{Refused, Revoked, Ruling};
use rules::limits::EXPORTS_PER_CALLER;
use rules::reach::Source;
use std::sync::Arc;
use store::assertions::{self, SpentAssertion};
use store::export::jobs::{self, ExportOrder, ExportProgress, ExportStart, ExportSubject};
use store::ledger::{Author, Event};
use store::proofs::{self, Spending, SpentProof};
use store::revocation::{self, SystemToken};
use store::write::precondition::Precondition;
use store::write::resource_write::{self, Demand, NewResource, Outcome};
use store::write::transaction::{self, Act, Plan, PlanOutcome};
use store::{Store, clients, organisations, people, sweep};

const ROUNDS: usize = 10;

struct Two {
    w: World,
    other: Arc<Store>,
}

impl Two {
    async fn new() -> Self {
        let home = Home::patient();
        let w = World::at(home.clone()).await;
        Self { w, other: Arc::new(home.node().await) }
    }

    /// The same session as the other node's clients hold it.
    fn on_the_other(&self, granted: &Grant) -> Grant {
        Grant { store: self.other.clone(), ..granted.clone() }
    }

    /// Every second caller goes to the other node.
    fn callers(&self, granted: &Grant) -> Vec<Grant> {
        let both = [granted.clone(), self.on_the_other(granted)];
        both.into_iter().cycle().take(CALLERS).collect()
    }
}

fn assert_one_winner(rulings: &[Ruling], why: Revoked) {
    assert_eq!(how_many(rulings, |ruling| matches!(ruling, Ruling::Issue(_))), 1);
    assert_eq!(how_many(rulings, |ruling| *ruling == Ruling::Revoke(why)), 1);
    let late = how_many(rulings, |ruling| *ruling == Ruling::Refuse(Refused::SessionRevoked));
    assert_eq!(late, CALLERS - 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_sixty_four_callers_on_two_nodes_with_one_refresh_token_one_wins() {
    let two = Two::new().await;
    for _ in 0..ROUNDS {
        let granted = two.w.connected().await;
        let callers = two.callers(&granted).into_iter().map(|granted| async move { granted.refresh(1).await });
        assert_one_winner(&together(callers).await, Revoked::RefreshTokenReplayed);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_sixty_four_callers_on_two_nodes_with_one_code_one_wins() {
    let two = Two::new().await;
    for _ in 0..ROUNDS {
        let granted = two.w.approved().await;
        let callers = two.callers(&granted).into_iter();
        let callers = callers.map(|granted| async move { granted.redeem().await.expect("a genuine code") });
        assert_one_winner(&together(callers).await, Revoked::CodeReplayed);
    }
}

#[tokio::test]
async fn what_one_node_acknowledged_is_in_force_on_the_others_next_request() {
    let two = Two::new().await;
    for _ in 0..20 {
        let here = two.w.connected().await;
        let there = two.on_the_other(&here);
        assert!(there.bearer().await.session.revoked_at.is_none());
        assert_eq!(generation(there.refresh(1).await), 2);
        assert_eq!(here.bearer().await.session.generation, 2);
        assert!(here.revoke().await);
        assert_eq!(there.bearer().await.session.revoked_at, Some(NOW));
        assert_eq!(there.refresh(2).await, Ruling::Refuse(Refused::SessionRevoked));
    }
    let here = two.w.connected().await;
    let there = two.on_the_other(&here);
    for at in [Some(NOW), None] {
        clients::change(&two.w.store, "sleep-diary".into(), move |client| client.disabled_at = at, NOW).await.unwrap();
        assert_eq!(there.bearer().await.client_disabled, at.is_some());
        people::change(&two.w.store, "amina".into(), move |user| user.frozen_at = at, NOW).await.unwrap();
        assert_eq!(there.bearer().await.session.frozen, at.is_some());
    }
    let letters = two.w.client("letters").await.id;
    let grants = || organisations::standing(&two.other, letters, crate::world::ELSEWHERE, 1);
    assert_eq!(grants().await.unwrap().unwrap().granted_by, Some(two.w.elsewhere));
    assert!(organisations::withdraw(&two.w.store, two.w.elsewhere, letters, NOW).await.unwrap());
    assert_eq!(grants().await.unwrap().unwrap().granted_by, None);
    let token = SystemToken { client: letters, number: 1, expires_at: NOW.plus_seconds(3600) };
    assert!(!grants().await.unwrap().unwrap().ended);
    assert!(revocation::end_token(&two.w.store, token, NOW).await.unwrap());
    assert!(grants().await.unwrap().unwrap().ended);
    let here = two.w.connected().await;
    let there = two.on_the_other(&here);
    let ended = revocation::end_session(&two.w.store, here.client, here.refresh_token(1), NOW).await.unwrap();
    assert_eq!(ended, Some(Ruling::Revoke(Revoked::ByClient)));
    assert_eq!(there.bearer().await.session.revoked_at, Some(NOW));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_nodes_that_change_one_client_at_once_lose_neither_change() {
    let two = Two::new().await;
    let changes = [two.w.store.clone(), two.other.clone()].into_iter().cycle().take(32).map(|store| async move {
        let longer = |client: &mut clients::Client| client.product.push('!');
        clients::change(&store, "sleep-diary".into(), longer, NOW).await.unwrap().expect("the client");
    });
    together(changes).await;
    assert_eq!(two.w.client("sleep-diary").await.product, format!("SLEEP-DIARY{}", "!".repeat(32)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_sixty_four_callers_on_two_nodes_with_one_assertion_one_wins() {
    let two = Two::new().await;
    for round in 0..ROUNDS {
        let nodes = [two.w.store.clone(), two.other.clone()];
        let uses = nodes.into_iter().cycle().take(CALLERS).map(|store| async move {
            let assertion = SpentAssertion::new(ClientId(7), &round.to_string(), NOW);
            assertions::spend(&store, assertion).await.unwrap()
        });
        assert_eq!(how_many(&together(uses).await, |used| *used), 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_sixty_four_callers_on_two_nodes_with_one_proof_one_wins() {
    let two = Two::new().await;
    let key = KeyThumbprint::read(&"a".repeat(43)).expect("a thumbprint");
    for round in 0..ROUNDS {
        let nodes = [two.w.store.clone(), two.other.clone()];
        let uses = nodes.into_iter().cycle().take(CALLERS).map(|store| async move {
            proofs::spend(&store, SpentProof::new(&key, &round.to_string(), NOW), NOW).await.unwrap()
        });
        let outcomes = together(uses).await;
        assert_eq!(how_many(&outcomes, |used| *used == Spending::Spent), 1);
        assert_eq!(how_many(&outcomes, |used| *used == Spending::Replayed), CALLERS - 1);
    }
}

/// One of sixteen patients, with eight identifiers.
fn patient(number: usize) -> NewResource {
    let systems: Vec<String> = (0..8).map(|system| format!("urn:system:{system}")).collect();
    let value = format!("value {number}");
    let identifiers: Vec<_> = systems.iter().map(|system| (Some(system.as_str()), value.as_str())).collect();
    shelf::patient(&format!("p{}", number % 16), &identifiers)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_nodes_that_write_the_same_resources_and_words_at_once_keep_each_once_and_every_version() {
    let two = Two::new().await;
    let source = Source::Organisation(two.w.elsewhere);
    let stores = [two.w.store.clone(), two.other.clone()].into_iter().cycle().take(CALLERS);
    let writes = stores.enumerate().map(|(number, store)| async move {
        // Whoever came second to the same new thing is told to come again, and then sees it.
        loop {
            match resource_write::put(&store, vec![patient(number)], source, NOW, "now".into()).await {
                Ok(stored) => return stored[0].outcome.clone(),
                Err(error) => assert!(error.is_passing(), "{error}"),
            }
        }
    });
    let outcomes = together(writes).await;
    for version in 1..=4 {
        assert_eq!(how_many(&outcomes, |outcome| *outcome == Outcome::Version(version)), 16, "version {version}");
    }
    assert_eq!(two.w.count("SELECT count(*) FROM resources"), 16);
    assert_eq!(two.w.count("SELECT count(*) FROM words"), 1 + 8);
    assert_eq!(two.w.count("SELECT count(*) FROM tokens"), 16 * 8);
    assert_eq!(two.w.count("SELECT count(*) FROM versions"), 16 * 3);
    let (patients, makers) = ("SELECT count(*) FROM patients WHERE fhir_id LIKE 'p%'", "SELECT count(*) FROM makers");
    assert_eq!((two.w.count(patients), two.w.count(makers)), (16, 16));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_forty_on_two_nodes_who_make_the_same_if_it_is_not_there_one_does_whatever_words_they_ask_with() {
    let two = Two::new().await;
    let source = Source::Organisation(two.w.elsewhere);
    let reach = shelf::of_organisation(two.w.elsewhere);
    let both = [(Some("urn:one"), "1"), (Some("urn:two"), "2")];
    let stores = [two.w.store.clone(), two.other.clone()].into_iter().cycle().take(40);
    let makes = stores.enumerate().map(|(number, store)| {
        // Every third asks by the other of two identifiers, which whoever is first gives to the same resource.
        let value = if number % 3 == 0 { "urn:one|1" } else { "urn:two|2" };
        let query = reading::read(ResourceType::Patient, [("identifier", value)], "https://records.example/fhir", 0);
        let preconditions = vec![Precondition { query: query.unwrap(), found: None, without: Vec::new() }];
        let new = Box::new(shelf::patient(&format!("p{number}"), &both));
        let acts = vec![Act::Put { new, source, demand: Demand::Nothing }];
        let (reach, plan) = (reach.clone(), Plan { preconditions, acts, ..Plan::default() });
        async move { transaction::make(&store, reach, plan, NOW, "now".into()).await.unwrap() }
    });
    let courses = together(makes.collect::<Vec<_>>()).await;
    assert_eq!(how_many(&courses, |course| matches!(course, PlanOutcome::Done(_))), 1);
    assert_eq!(how_many(&courses, |course| matches!(course, PlanOutcome::Moved)), 39);
    assert_eq!(two.w.count("SELECT count(*) FROM resources"), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_forty_exports_that_one_caller_begins_on_two_nodes_as_many_begin_as_may_and_one_node_counts() {
    let two = Two::new().await;
    let order = || ExportOrder {
        holder: (ClientId(1), 2),
        request: "https://here/fhir/$export".into(),
        types: vec![ResourceType::Patient],
        since: i64::MIN,
        whose: ExportSubject::Everything,
    };
    let node = |number: usize| if number.is_multiple_of(2) { two.w.store.clone() } else { two.other.clone() };
    let begins = (0..40).map(|number| {
        let store = node(number);
        async move { jobs::begin(&store, order(), NOW).await.unwrap() }
    });
    let begun = together(begins.collect::<Vec<_>>()).await;
    let begun = begun.into_iter().filter_map(|start| match start {
        ExportStart::Begun(id) => Some(id),
        ExportStart::Full(_) => None,
    });
    let begun: Vec<_> = begun.collect();
    assert_eq!(begun.len(), EXPORTS_PER_CALLER);
    let (id, turn) = (begun[0], NOW.plus_seconds(30));
    let turns = (0..40).map(|number| {
        let store = node(number);
        async move { jobs::take_turn(&store, id, turn, NOW).await.unwrap() }
    });
    assert_eq!(how_many(&together(turns.collect::<Vec<_>>()).await, |taken| *taken), 1);
    let done = ExportProgress { types_done: 1, ..ExportProgress::default() };
    assert!(jobs::go_on(&two.other, id, turn, &done).await.unwrap());
    assert!(jobs::find(&two.w.store, id, NOW).await.unwrap().unwrap().is_counted());
    assert!(jobs::cancel(&two.w.store, id).await.unwrap());
    assert!(jobs::find(&two.other, id, NOW).await.unwrap().is_none());
}

#[tokio::test]
async fn one_node_at_a_time_sweeps() {
    let two = Two::new().await;
    two.w.approved().await;
    let later = NOW.plus_seconds(rules::limits::UNREDEEMED_KEPT_SECONDS);
    let (beside, task) = tokio_postgres::connect(&two.w.home.url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(task);
    // As the other node's sweep does, which here takes its time.
    let sweeping = store::postgres_statements().into_iter().find(|sql| sql.contains("pg_try_advisory")).unwrap();
    beside.batch_execute("BEGIN").await.unwrap();
    let mine: i32 = beside.query_one(sweeping, &[&sweep::SWEEPING]).await.unwrap().get(0);
    assert_eq!(mine, 1);
    assert_eq!(sweep::sweep(&two.w.store, later).await.unwrap().sessions, 0);
    beside.batch_execute("COMMIT").await.unwrap();
    assert_eq!(sweep::sweep(&two.w.store, later).await.unwrap().sessions, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_nodes_that_declare_the_same_world_at_once_make_it_once() {
    let home = Home::patient();
    let nodes = [Arc::new(home.node().await), Arc::new(home.node().await)];
    let applies = nodes.into_iter().map(|store| async move {
        loop {
            match store::world::apply(&store, declared(), NOW).await {
                Ok(_) => return,
                Err(error) => assert!(error.is_passing(), "{error}"),
            }
        }
    });
    together(applies).await;
    assert_eq!(home.count("SELECT count(*) FROM organisations"), 1);
    assert_eq!(home.count("SELECT count(*) FROM record_lines"), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_operators_on_two_nodes_who_freeze_one_user_one_is_told_of() {
    let two = Two::new().await;
    for round in 1..=ROUNDS {
        let frozen_at = (round % 2 == 1).then_some(NOW);
        let freeze = |number: usize| {
            let node = if number.is_multiple_of(2) { &two.w.store } else { &two.other };
            let theirs = node.by(Author::operator(format!("operator {number}")));
            async move {
                let change = move |user: &mut people::User| user.frozen_at = frozen_at;
                people::change(&theirs, "clara".into(), change, NOW).await.unwrap().expect("Clara");
            }
        };
        together((0..CALLERS).map(freeze)).await;
        assert_eq!(two.w.noted(Event::Frozen).await, round.div_ceil(2));
        assert_eq!(two.w.noted(Event::Unfrozen).await, round / 2);
    }
}
