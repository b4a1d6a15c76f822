//! Who calls: a session with the reach that its grant gives it, and a System Client with the organisation that it names.

use crate::shelf::of_teams;
use crate::world::{ELSEWHERE, NORTH, NOW, SOUTH, World, user};
use rules::ids::{ClientId, PatientId, SessionId};
use rules::reach::Reach;
use rules::scope::UserType;
use store::salt::Salt;
use store::world::World as Declared;
use store::{bearer, organisations, world};

/// A number that is never given away.
const NOBODY: i64 = 0;

#[tokio::test]
async fn a_session_reaches_what_whoever_granted_it_reaches() {
    let w = World::new().await;
    let (amina, north) = (w.patient("amina").await, of_teams(&[w.north]));
    for (opening, patient, reach) in [
        (w.approval("amina").await, Some("amina"), Reach::of_patient(amina)),
        (w.approval("clara").await, None, Reach::of_member(w.user("clara").await.id, vec![w.north])),
        (w.approval("cora").await, None, Reach::of_member(w.user("cora").await.id, vec![w.north])),
        (w.team_grant().await, None, north),
    ] {
        let bearer = w.opened(opening).await.bearer().await;
        assert_eq!((bearer.patient.as_deref(), &bearer.reach), (patient, &reach), "{bearer:?}");
    }
}

#[tokio::test]
async fn a_member_of_several_teams_sees_through_all_of_them_and_of_none_with_their_own_eyes() {
    let w = World::new().await;
    let granted = w.opened(w.approval("clara").await).await;
    let clara = w.user("clara").await.id;
    let both = Reach::of_member(clara, vec![w.north, w.south]);
    for (teams, reach) in [(&[NORTH, SOUTH][..], both), (&[], Reach::of_individual(clara))] {
        let users = vec![user("clara", UserType::Clinician, None, teams)];
        world::apply(&w.store, Declared { users, ..Default::default() }, NOW).await.unwrap();
        let seen = granted.bearer().await.reach.clone();
        let mut teams = seen.teams().to_vec();
        teams.sort_unstable();
        assert_eq!((teams, seen.person()), (reach.teams().to_vec(), reach.person()));
    }
}

#[tokio::test]
async fn a_patients_account_without_a_patient_reaches_nobodys_record() {
    let w = World::new().await;
    let users = vec![user("zoe", UserType::Patient, None, &[])];
    world::apply(&w.store, Declared { users, ..Default::default() }, NOW).await.unwrap();
    let bearer = w.opened(w.approval("zoe").await).await.bearer().await;
    assert_eq!((bearer.patient.as_deref(), &bearer.reach), (None, &Reach::of_patient(PatientId(NOBODY))));
    assert_eq!(w.count(&format!("SELECT count(*) FROM patients WHERE id = {NOBODY}")), 0);
}

#[tokio::test]
async fn a_revoked_session_is_told_from_one_that_never_was() {
    let w = World::new().await;
    let granted = w.connected().await;
    assert!(granted.revoke().await);
    assert_eq!(granted.bearer().await.session.revoked_at, Some(NOW));
    assert!(bearer::find(&w.store, SessionId(NOBODY)).await.unwrap().is_none());
}

#[tokio::test]
async fn a_system_client_stands_for_the_organisation_that_it_names_and_only_by_a_grant_in_force() {
    let w = World::new().await;
    let letters = w.client("letters").await;
    let salt = Salt::of_fingerprint(&letters.secret.as_ref().expect("a secret").0);
    let standing = async |named: &str| {
        let standing = organisations::standing(&w.store, letters.id, named, 1).await.unwrap();
        let standing = standing.expect("the client is there, whomever it names");
        assert_eq!((standing.salts.as_slice(), standing.disabled), ([salt.clone()].as_slice(), false));
        standing.granted_by
    };
    assert_eq!(standing(ELSEWHERE).await, Some(w.elsewhere));
    for nobody in ["nobody", "", NORTH] {
        assert_eq!(standing(nobody).await, None, "{nobody:?}");
    }
    assert!(organisations::withdraw(&w.store, w.elsewhere, letters.id, NOW).await.unwrap());
    assert_eq!(standing(ELSEWHERE).await, None);
    assert!(organisations::standing(&w.store, ClientId(NOBODY), ELSEWHERE, 1).await.unwrap().is_none());
}
