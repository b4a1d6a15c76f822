//! Invitations: one pair for a patient, which ends with the next, with the account, with time and with too many wrong tries.

use crate::shelf::{Shelf, resource};
use crate::together::{CALLERS, how_many, together};
use crate::world::{ELSEWHERE, NORTH, NOW, SOUTH, World};
use fhir::types::ResourceType;
use rules::ids::PatientId;
use rules::invitations::{FurtherProof, ended_name};
use rules::limits::{INVITATION_SECONDS, INVITATION_TRIES, PAPER_SECONDS, PAPER_TRIES};
use rules::moment::Moment;
use rules::scope::UserType;
use std::collections::HashSet;
use std::sync::Arc;
use store::Store;
use store::clients::Fingerprint;
use store::invitation_tries::{self, InviteeProof};
use store::invitations::{self, InvitationPair, InvitationRedemption, NewAccount};
use store::invited_accounts::{self, Ender};
use store::ledger::Event;
use store::people::{self, PasswordHash};
use store::sweep::sweep;
use store::world::{World as Declared, apply};
use store::{organisations, papers};

fn pair(number: u8) -> InvitationPair {
    InvitationPair { code: format!("CODE{number}"), token: Fingerprint([number; 32]) }
}

fn account(username: &str) -> NewAccount {
    let password_hash = PasswordHash("the hash of a new password".into());
    NewAccount { username: username.into(), password_hash, name: "Carla New".into(), paper: None }
}

/// The shelf with patients of St Elsewhere, of its team North, who have no account.
async fn with_newcomers(names: &[&str]) -> (Shelf, Vec<PatientId>) {
    let s = Shelf::new().await;
    let mut newcomers = Vec::new();
    for name in names {
        s.put_new(resource(ResourceType::Patient, name, ""), s.by_elsewhere()).await;
        newcomers.push(s.w.patient(name).await);
        registers(&s.w, name, &[NORTH]).await;
    }
    (s, newcomers)
}

/// Makes these the teams that a patient is registered with.
async fn registers(w: &World, patient: &str, teams: &[&str]) {
    let teams = teams.iter().map(|team| (*team).to_owned()).collect();
    let declared = Declared { patients: vec![(patient.to_owned(), teams)], ..Declared::default() };
    apply(&w.store, declared, NOW).await.unwrap();
}

async fn invites(w: &World, pairs: Vec<(PatientId, InvitationPair)>, now: Moment) -> HashSet<PatientId> {
    invitations::invite(&w.store, w.elsewhere, pairs, now).await.unwrap().1
}

async fn redeems(store: &Store, patient: PatientId, number: u8, username: &str, now: Moment) -> InvitationRedemption {
    invitations::redeem(store, patient, pair(number), account(username), now).await.unwrap()
}

async fn stands(w: &World, number: u8, now: Moment) -> bool {
    invitations::find(&w.store, &format!("CODE{number}")).await.unwrap().is_some_and(|found| found.stands(now))
}

#[tokio::test]
async fn those_without_an_account_are_invited_for_thirty_days_and_each_has_a_line() {
    let (s, newcomers) = with_newcomers(&["carla", "dora"]).await;
    let [carla, dora] = newcomers[..] else { panic!("two") };
    let pairs = vec![(carla, pair(1)), (s.amina, pair(2)), (dora, pair(3))];
    let (ends, invited) = invitations::invite(&s.w.store, s.w.elsewhere, pairs, NOW).await.unwrap();
    assert_eq!((ends, invited), (NOW.plus_seconds(INVITATION_SECONDS), HashSet::from([carla, dora])));
    assert_eq!(s.w.noted(Event::Invited).await, 2);
    let found = invitations::find(&s.w.store, "CODE1").await.unwrap().unwrap();
    assert_eq!((found.patient, found.patient_id.as_str()), (carla, "carla"));
    assert_eq!((found.organisation, found.organisation_name.as_str()), (s.w.elsewhere, "St Elsewhere"));
    assert!(found.pair.token == pair(1).token && found.stands(Moment(ends.0 - 1)) && !found.stands(ends));
    assert!(invitations::find(&s.w.store, "CODE2").await.unwrap().is_none(), "Amina has an account");
}

#[tokio::test]
async fn a_new_pair_ends_the_last() {
    let (s, newcomers) = with_newcomers(&["carla"]).await;
    let carla = newcomers[0];
    invites(&s.w, vec![(carla, pair(1))], NOW).await;
    invites(&s.w, vec![(carla, pair(2))], NOW).await;
    assert!(!stands(&s.w, 1, NOW).await && stands(&s.w, 2, NOW).await);
    assert_eq!(redeems(&s.w.store, carla, 1, "carla@example.org", NOW).await, InvitationRedemption::Over);
    assert!(matches!(redeems(&s.w.store, carla, 2, "carla@example.org", NOW).await, InvitationRedemption::Made(_)));
}

#[tokio::test]
async fn a_redeemed_invitation_is_an_account_and_then_over() {
    let (s, newcomers) = with_newcomers(&["carla"]).await;
    let carla = newcomers[0];
    invites(&s.w, vec![(carla, pair(1))], NOW).await;
    let made = redeems(&s.w.store, carla, 1, "Carla@Example.org", NOW).await;
    let user = people::find(&s.w.store, "carla@example.org").await.unwrap().unwrap();
    assert_eq!(made, InvitationRedemption::Made(user.id));
    assert_eq!((user.user_type, user.patient_id.as_deref()), (UserType::Patient, Some("carla")));
    assert_eq!((user.name.as_str(), user.is_shut_out()), ("Carla New", false));
    assert!(invitations::find(&s.w.store, "CODE1").await.unwrap().is_none());
    assert_eq!((s.w.noted(Event::InvitationRedeemed).await, s.w.noted(Event::UserMade).await), (1, 7));
    assert_eq!(redeems(&s.w.store, carla, 1, "again@example.org", NOW).await, InvitationRedemption::Over);
    assert!(invites(&s.w, vec![(carla, pair(2))], NOW).await.is_empty(), "who has an account is not invited");
}

#[tokio::test]
async fn to_make_an_account_ends_no_registration() {
    let (s, newcomers) = with_newcomers(&["carla"]).await;
    let carla = newcomers[0];
    invites(&s.w, vec![(carla, pair(1))], NOW).await;
    assert!(matches!(redeems(&s.w.store, carla, 1, "carla@example.org", NOW).await, InvitationRedemption::Made(_)));
    assert_eq!(s.w.noted(Event::Deregistered).await, 0);
    assert!(s.readers_of(ResourceType::Patient, "carla").await.contains(&"north"));
}

#[tokio::test]
async fn an_address_that_somebody_has_leaves_the_invitation_as_it_is() {
    let (s, newcomers) = with_newcomers(&["carla"]).await;
    let carla = newcomers[0];
    invites(&s.w, vec![(carla, pair(1))], NOW).await;
    assert_eq!(redeems(&s.w.store, carla, 1, "AMINA", NOW).await, InvitationRedemption::NameTaken);
    assert_eq!(s.w.user("amina").await.patient_id.as_deref(), Some("amina"));
    assert!(stands(&s.w, 1, NOW).await);
    assert!(matches!(redeems(&s.w.store, carla, 1, "carla@example.org", NOW).await, InvitationRedemption::Made(_)));
}

#[tokio::test]
async fn nothing_is_redeemed_by_a_wrong_token_for_another_patient_or_too_late() {
    let (s, newcomers) = with_newcomers(&["carla", "dora"]).await;
    let [carla, dora] = newcomers[..] else { panic!("two") };
    invites(&s.w, vec![(carla, pair(1))], NOW).await;
    let forged = InvitationPair { token: Fingerprint([9; 32]), ..pair(1) };
    let wrong = invitations::redeem(&s.w.store, carla, forged, account("c@example.org"), NOW).await.unwrap();
    assert_eq!(wrong, InvitationRedemption::Over);
    assert_eq!(redeems(&s.w.store, dora, 1, "c@example.org", NOW).await, InvitationRedemption::Over);
    let end = NOW.plus_seconds(INVITATION_SECONDS);
    assert_eq!(redeems(&s.w.store, carla, 1, "c@example.org", end).await, InvitationRedemption::Over);
    assert!(people::find(&s.w.store, "c@example.org").await.unwrap().is_none());
}

#[tokio::test]
async fn who_died_meanwhile_makes_no_account() {
    let (s, newcomers) = with_newcomers(&["carla"]).await;
    let carla = newcomers[0];
    invites(&s.w, vec![(carla, pair(1))], NOW).await;
    s.put(resource(ResourceType::Patient, "carla", r#","deceasedBoolean":true"#), s.by_elsewhere()).await;
    assert!(!stands(&s.w, 1, NOW).await);
    assert_eq!(redeems(&s.w.store, carla, 1, "carla@example.org", NOW).await, InvitationRedemption::Over);
    assert!(invites(&s.w, vec![(carla, pair(2))], NOW).await.is_empty());
}

#[tokio::test]
async fn too_many_tries_end_a_pair_and_a_right_one_forgets_those_before() {
    let (s, newcomers) = with_newcomers(&["carla"]).await;
    let carla = newcomers[0];
    invites(&s.w, vec![(carla, pair(1))], NOW).await;
    let tries = || invitation_tries::count(&s.w.store, InviteeProof::BirthDate, pair(1), NOW);
    let forged = InvitationPair { token: Fingerprint([9; 32]), ..pair(1) };
    assert!(
        !invitation_tries::count(&s.w.store, InviteeProof::BirthDate, forged, NOW).await.unwrap(),
        "without the token nobody uses them up"
    );
    for _ in 1..INVITATION_TRIES {
        assert!(tries().await.unwrap());
    }
    invitation_tries::forget(&s.w.store, InviteeProof::BirthDate, pair(1)).await.unwrap();
    for _ in 0..INVITATION_TRIES {
        assert!(stands(&s.w, 1, NOW).await);
        assert!(tries().await.unwrap());
    }
    assert!(!tries().await.unwrap() && !stands(&s.w, 1, NOW).await);
    assert_eq!(redeems(&s.w.store, carla, 1, "carla@example.org", NOW).await, InvitationRedemption::Over);
    invites(&s.w, vec![(carla, pair(2))], NOW).await;
    assert!(stands(&s.w, 2, NOW).await, "a new pair has tries of its own");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_who_redeem_one_invitation_at_once_one_does() {
    let (s, newcomers) = with_newcomers(&["carla"]).await;
    let carla = newcomers[0];
    invites(&s.w, vec![(carla, pair(1))], NOW).await;
    let callers = (0..CALLERS).map(|number| {
        let store = s.w.store.clone();
        async move { redeems(&store, carla, 1, &format!("carla{number}@example.org"), NOW).await }
    });
    let answers = together(callers).await;
    assert_eq!(how_many(&answers, |answer| matches!(answer, InvitationRedemption::Made(_))), 1);
    assert_eq!(how_many(&answers, |answer| *answer == InvitationRedemption::Over), CALLERS - 1);
    assert_eq!(s.w.noted(Event::InvitationRedeemed).await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_patients_who_want_one_address_at_once_one_has_it() {
    let names: Vec<String> = (0..16).map(|number| format!("newcomer-{number}")).collect();
    let (s, newcomers) = with_newcomers(&names.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let pairs: Vec<_> = newcomers.iter().zip(0..).map(|(patient, number)| (*patient, pair(number))).collect();
    invites(&s.w, pairs, NOW).await;
    let callers = newcomers.iter().zip(0..).map(|(patient, number)| {
        let (store, patient) = (s.w.store.clone(), *patient);
        async move { redeems(&store, patient, number, "one@example.org", NOW).await }
    });
    let answers = together(callers).await;
    assert_eq!(how_many(&answers, |answer| matches!(answer, InvitationRedemption::Made(_))), 1);
    assert_eq!(how_many(&answers, |answer| *answer == InvitationRedemption::NameTaken), 15);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn whoever_invites_while_others_redeem_and_sweep_leaves_one_pair_or_one_account() {
    let names: Vec<String> = (0..8).map(|number| format!("newcomer-{number}")).collect();
    let (s, newcomers) = with_newcomers(&names.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let pairs = |from: u8| newcomers.iter().zip(from..).map(|(patient, number)| (*patient, pair(number))).collect();
    invites(&s.w, pairs(0), NOW).await;
    let later = NOW.plus_seconds(INVITATION_SECONDS);
    let (store, elsewhere) = (&s.w.store, s.w.elsewhere);
    let inviters = (1..5_u8).map(|round| {
        let (store, mut pairs): (Arc<Store>, Vec<_>) = (store.clone(), pairs(round * 8));
        if round % 2 == 0 {
            pairs.reverse();
        }
        tokio::spawn(async move {
            invitations::invite(&store, elsewhere, pairs, NOW).await.unwrap();
            sweep(&store, later).await.unwrap();
        })
    });
    let redeemers = newcomers.iter().zip(0..).map(|(patient, number)| {
        let (store, patient) = (store.clone(), *patient);
        tokio::spawn(async move {
            redeems(&store, patient, number, &format!("{number}@example.org"), NOW).await;
        })
    });
    for task in inviters.chain(redeemers).collect::<Vec<_>>() {
        task.await.unwrap();
    }
    let made = s.w.noted(Event::InvitationRedeemed).await;
    assert_eq!(
        s.w.count("SELECT count(*) FROM users WHERE username LIKE '%@example.org'"),
        i64::try_from(made).unwrap()
    );
    let both = "SELECT count(*) FROM invitations i JOIN users u ON u.patient_id = i.patient_id";
    assert_eq!(s.w.count(both), 0);
}

#[tokio::test]
async fn what_is_over_is_swept_exactly_then() {
    let (s, newcomers) = with_newcomers(&["carla"]).await;
    invites(&s.w, vec![(newcomers[0], pair(1))], NOW).await;
    let ends = NOW.plus_seconds(INVITATION_SECONDS);
    assert_eq!(sweep(&s.w.store, Moment(ends.0 - 1)).await.unwrap().invitations, 0);
    let swept = sweep(&s.w.store, ends).await.unwrap();
    assert_eq!((swept.invitations, swept.more), (1, false));
    assert!(invitations::find(&s.w.store, "CODE1").await.unwrap().is_none());
}

#[tokio::test]
async fn an_invitation_outlives_the_process() {
    let (s, newcomers) = with_newcomers(&["carla"]).await;
    let carla = newcomers[0];
    invites(&s.w, vec![(carla, pair(1))], NOW).await;
    let w = s.w.reopened().await;
    assert!(stands(&w, 1, NOW).await);
    assert!(matches!(redeems(&w.store, carla, 1, "carla@example.org", NOW).await, InvitationRedemption::Made(_)));
}

#[tokio::test]
async fn only_whom_a_team_of_the_organisation_has_is_invited_and_joins() {
    let (s, newcomers) = with_newcomers(&["carla"]).await;
    let carla = newcomers[0];
    registers(&s.w, "carla", &[]).await;
    assert!(invites(&s.w, vec![(carla, pair(1))], NOW).await.is_empty(), "to have made her Patient is not enough");
    registers(&s.w, "carla", &[SOUTH]).await;
    assert_eq!(invites(&s.w, vec![(carla, pair(2))], NOW).await.len(), 1);
    registers(&s.w, "carla", &[]).await;
    assert!(!stands(&s.w, 2, NOW).await);
    assert_eq!(redeems(&s.w.store, carla, 2, "carla@example.org", NOW).await, InvitationRedemption::Over);
    registers(&s.w, "carla", &[NORTH]).await;
    assert!(matches!(redeems(&s.w.store, carla, 2, "carla@example.org", NOW).await, InvitationRedemption::Made(_)));
}

/// The transaction that makes the account asks for the paper again.
#[tokio::test]
async fn no_account_is_made_without_the_paper_that_is_asked_for() {
    let (s, newcomers) = with_newcomers(&["carla"]).await;
    let (store, carla, paper) = (&s.w.store, newcomers[0], Fingerprint([7; 32]));
    organisations::set_proof(store, ELSEWHERE.into(), FurtherProof::Paper, NOW).await.unwrap();
    invites(&s.w, vec![(carla, pair(1))], NOW).await;
    let tries = async |paper: Option<Fingerprint>, now: Moment| {
        let account = NewAccount { paper, ..account("carla@example.org") };
        invitations::redeem(store, carla, pair(1), account, now).await.unwrap()
    };
    assert_eq!(tries(Some(paper.clone()), NOW).await, InvitationRedemption::NotProved, "nobody has printed it");
    let cora = s.w.user("cora").await.id;
    let by = (cora, vec![s.w.south]);
    assert_eq!(papers::print(store, "carla".into(), paper.clone(), by, NOW).await.unwrap(), None, "South has her not");
    let by = (cora, vec![s.w.south, s.w.north]);
    let printed = papers::print(store, "carla".into(), paper.clone(), by, NOW).await.unwrap().unwrap();
    let ends = NOW.plus_seconds(PAPER_SECONDS);
    assert_eq!((printed.patient, printed.paper_expires_at), (carla, Some(ends)));
    for wrong in [None, Some(Fingerprint([8; 32]))] {
        assert_eq!(tries(wrong, NOW).await, InvitationRedemption::NotProved);
    }
    assert_eq!(tries(Some(paper.clone()), ends).await, InvitationRedemption::NotProved, "it is over by then");
    for _ in 0..PAPER_TRIES {
        assert!(invitation_tries::count(store, InviteeProof::Paper, pair(1), NOW).await.unwrap());
    }
    assert!(!invitation_tries::count(store, InviteeProof::Paper, pair(1), NOW).await.unwrap());
    assert_eq!(tries(Some(paper.clone()), NOW).await, InvitationRedemption::NotProved, "tried too often");
    invitation_tries::forget(store, InviteeProof::Paper, pair(1)).await.unwrap();
    assert!(matches!(tries(Some(paper), NOW).await, InvitationRedemption::Made(_)));
}

/// An operator and a coordinator press at once: one of them has ended it.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_who_end_one_account_at_once_one_does() {
    let (s, newcomers) = with_newcomers(&["carla"]).await;
    invites(&s.w, vec![(newcomers[0], pair(1))], NOW).await;
    let made = redeems(&s.w.store, newcomers[0], 1, "carla@example.org", NOW).await;
    let InvitationRedemption::Made(user) = made else { panic!("{made:?}") };
    let cora = s.w.user("cora").await.id;
    let callers = (0..CALLERS).map(|number| {
        let store = s.w.store.clone();
        let by = if number % 2 == 0 { Ender::Operator } else { Ender::Coordinator(cora, vec![s.w.north]) };
        async move { invited_accounts::end(&store, user, by, NOW).await.unwrap() }
    });
    assert_eq!(how_many(&together(callers).await, Option::is_some), 1);
    assert_eq!(s.w.noted(Event::AccountEnded).await, 1);
    let ended = people::find(&s.w.store, &ended_name(user)).await.unwrap().unwrap();
    assert!(ended.is_shut_out() && ended.patient_id.is_none());
    assert!(people::find(&s.w.store, "carla@example.org").await.unwrap().is_none());
    assert_eq!(invites(&s.w, vec![(newcomers[0], pair(2))], NOW).await.len(), 1);
}
