//! The declared world: made so in one go, all of it or nothing, and told what changed.

use crate::world::{ELSEWHERE, NORTH, NOW, SOUTH, World, client, declared, organisation, team, user};
use rules::clients::ClientKind;
use rules::moment::Moment;
use rules::scope::UserType;
use store::ledger::Event;
use store::reach::registrations;
use store::rehearsal::rehearse;
use store::world::{Applied, Change, WantedGrant, World as Declared, apply};
use store::{Error, Store, clients, organisations, people, sign_ins};

async fn applied(store: &Store, declared: Declared) -> Vec<Applied> {
    apply(store, declared, NOW).await.expect("a world that can be")
}

fn lines(applied: &[Applied]) -> Vec<(&str, &str, Change)> {
    applied.iter().map(|line| (line.what, line.name.as_str(), line.change)).collect()
}

async fn refused(w: &World, declared: Declared) -> String {
    match apply(&w.store, declared, NOW).await {
        Err(Error::Setup(why)) => why,
        other => panic!("an operator was to be told what to put right, not {other:?}"),
    }
}

#[tokio::test]
async fn the_first_time_everything_is_created_and_named() {
    let home = crate::home::Home::new();
    let store = Store::open(&home.place(), 1).await.unwrap();
    assert!(store::settings::is_empty(&store).await.unwrap());
    let first = applied(&store, declared()).await;
    let named = lines(&first);
    assert!(named.iter().all(|(.., change)| *change == Change::Created), "{named:?}");
    assert_eq!(named.len(), 12);
    assert_eq!(named[0], ("organisation", "St Elsewhere", Change::Created));
    assert_eq!(named[1], ("team", "North", Change::Created));
    assert_eq!(named[3], ("user", "amina", Change::Created));
    assert_eq!(named[8], ("client", "sleep-diary", Change::Created));
    assert_eq!(named[11].0, "organisation_grant");
    assert!(!store::settings::is_empty(&store).await.unwrap());
}

#[tokio::test]
async fn the_second_time_nothing_changes() {
    let w = World::new().await;
    let granted = w.noted(Event::OrganisationGranted).await;
    let again = applied(&w.store, declared()).await;
    assert!(again.iter().all(|line| line.change == Change::Unchanged), "{again:?}");
    assert_eq!(w.noted(Event::OrganisationGranted).await, granted);
}

#[tokio::test]
async fn what_is_not_declared_stays_as_it_is() {
    let w = World::new().await;
    applied(&w.store, Declared { organisations: vec![organisation("other", "Other")], ..Default::default() }).await;
    assert_eq!(organisations::list(&w.store).await.unwrap().len(), 2);
    assert_eq!(people::list(&w.store).await.unwrap().len(), 5);
    assert_eq!(clients::list(&w.store).await.unwrap().len(), 3);
}

#[tokio::test]
async fn only_what_differs_is_updated_and_keeps_its_number() {
    let w = World::new().await;
    let (amina, letters) = (w.user("amina").await, w.client("letters").await);
    let mut wanted = declared();
    wanted.organisations[0].name = "St Elsewhere Hospital".into();
    wanted.users[0].0.name = "Amina K".into();
    wanted.clients[1].product = "Post".into();
    let again = applied(&w.store, wanted).await;
    let updated: Vec<&str> =
        again.iter().filter(|line| line.change == Change::Updated).map(|line| line.name.as_str()).collect();
    assert_eq!(updated, ["St Elsewhere Hospital", "amina", "letters"]);
    assert_eq!(w.user("amina").await, people::User { name: "Amina K".into(), ..amina });
    assert_eq!(w.client("letters").await, clients::Client { product: "Post".into(), ..letters });
}

#[tokio::test]
async fn a_change_of_teams_alone_is_an_update_and_order_and_repetition_are_none() {
    let w = World::new().await;
    let with = |teams: &[&str]| Declared {
        users: vec![user("clara", UserType::Clinician, None, teams)],
        ..Default::default()
    };
    for (teams, change) in [
        (&[NORTH][..], Change::Unchanged),
        (&[NORTH, SOUTH], Change::Updated),
        (&[SOUTH, NORTH, SOUTH], Change::Unchanged),
        (&[], Change::Updated),
        (&[], Change::Unchanged),
    ] {
        assert_eq!(applied(&w.store, with(teams)).await[0].change, change, "{teams:?}");
    }
    assert!(organisations::teams_of_user(&w.store, w.user("clara").await.id).await.unwrap().is_empty());
}

#[tokio::test]
async fn usernames_are_the_same_whatever_letters_are_large() {
    let w = World::new().await;
    let (mut shouted, teams) = user("amina", UserType::Patient, Some("amina"), &[NORTH]);
    shouted.username = "AMINA".into();
    let again = applied(&w.store, Declared { users: vec![(shouted, teams)], ..Default::default() }).await;
    assert_eq!(lines(&again), [("user", "amina", Change::Unchanged)]);
    assert_eq!(people::find(&w.store, "aMiNa").await.unwrap().map(|user| user.id), Some(w.amina));
}

#[tokio::test]
async fn freezing_and_disabling_are_not_undone_by_declaring_again() {
    let w = World::new().await;
    people::change(&w.store, "amina".into(), |user| user.frozen_at = Some(NOW), NOW).await.unwrap();
    clients::change(&w.store, "letters".into(), |client| client.disabled_at = Some(NOW), NOW).await.unwrap();
    let again = applied(&w.store, declared()).await;
    assert!(again.iter().all(|line| line.change == Change::Unchanged));
    assert_eq!(w.user("amina").await.frozen_at, Some(NOW));
    assert_eq!(w.client("letters").await.disabled_at, Some(NOW));
}

#[tokio::test]
async fn a_missing_reference_is_named_and_nothing_of_the_file_is_made() {
    let w = World::new().await;
    let extra = || vec![organisation("extra", "Extra")];
    let cases = [
        (Declared { teams: vec![team("t", "East", "nobody")], ..Default::default() }, "team East", "nobody"),
        (
            Declared { users: vec![user("eve", UserType::Clinician, None, &["no-team"])], ..Default::default() },
            "user eve",
            "no-team",
        ),
        (
            Declared { organisation_grants: vec![WantedGrant::of("nobody", "letters")], ..Default::default() },
            "letters",
            "organisation nobody",
        ),
        (
            Declared { organisation_grants: vec![WantedGrant::of(ELSEWHERE, "no-client")], ..Default::default() },
            ELSEWHERE,
            "client no-client",
        ),
    ];
    for (half, who, missing) in cases {
        let why = refused(&w, Declared { organisations: extra(), ..half }).await;
        assert!(why.contains(who) && why.contains(missing), "{why:?} names {who:?} and {missing:?}");
        assert!(organisations::find(&w.store, "extra").await.unwrap().is_none(), "a half was made");
        assert!(people::find(&w.store, "eve").await.unwrap().is_none(), "a half was made");
    }
}

#[tokio::test]
async fn the_kind_of_a_client_cannot_change() {
    let w = World::new().await;
    let clients = vec![client("letters", ClientKind::User)];
    let why = refused(&w, Declared { clients, ..Default::default() }).await;
    assert!(why.contains("letters") && why.contains("System Client"), "{why}");
    assert_eq!(w.client("letters").await.kind, ClientKind::System);
}

#[tokio::test]
async fn organisations_grant_access_to_system_clients_only() {
    let w = World::new().await;
    for client_id in ["sleep-diary", "ward-board"] {
        let organisation_grants = vec![WantedGrant::of(ELSEWHERE, client_id)];
        let why = refused(&w, Declared { organisation_grants, ..Default::default() }).await;
        assert!(why.contains(client_id), "{why}");
    }
}

#[tokio::test]
async fn a_withdrawn_grant_is_out_of_force_at_once_and_can_be_given_again() {
    let w = World::new().await;
    let letters = w.client("letters").await.id;
    let granted_by =
        async || organisations::standing(&w.store, letters, ELSEWHERE, 1).await.unwrap().unwrap().granted_by;
    assert_eq!(granted_by().await, Some(w.elsewhere));
    assert!(organisations::withdraw(&w.store, w.elsewhere, letters, NOW).await.unwrap());
    assert_eq!(granted_by().await, None);
    assert!(!organisations::withdraw(&w.store, w.elsewhere, letters, NOW).await.unwrap(), "there is none in force");
    let again = applied(&w.store, declared()).await;
    assert_eq!(again.last().map(|line| line.change), Some(Change::Created));
    assert_eq!(granted_by().await, Some(w.elsewhere));
    assert_eq!(organisations::clients_of(&w.store, w.elsewhere).await.unwrap(), ["letters"]);
}

#[tokio::test]
async fn a_new_password_signs_browsers_out_however_it_is_set() {
    let w = World::new().await;
    let signed_in = async || {
        let amina = w.user("amina").await;
        sign_ins::open(
            &w.store,
            &amina,
            crate::grant::fresh_salt(),
            ("Firefox on Linux".into(), sign_ins::Entrance::default()),
            NOW,
        )
        .await
        .unwrap()
        .expect("her own password")
    };
    let ended = async |id| sign_ins::find(&w.store, id).await.unwrap().expect("a browser").ended;

    let browser = signed_in().await;
    applied(&w.store, declared()).await;
    assert!(!ended(browser).await, "nothing changed");

    let mut wanted = declared();
    wanted.users[0].0.password_hash = people::PasswordHash("another".into());
    applied(&w.store, wanted).await;
    assert!(ended(browser).await, "the declared password is new");

    let browser = signed_in().await;
    people::change(&w.store, "amina".into(), |user| user.name = "Amina K".into(), Moment(NOW.0 + 1)).await.unwrap();
    assert!(!ended(browser).await, "a new name is no new password");
    people::change(&w.store, "amina".into(), |user| user.frozen_at = Some(NOW), NOW).await.unwrap();
    assert!(ended(browser).await, "a frozen account has no signed-in browser");
}

#[tokio::test]
async fn a_rehearsal_tells_what_is_then_done_and_changes_nothing() {
    // Something of every sort that is new, changed, or left as it is.
    let mixed = || {
        let mut wanted = declared();
        wanted.organisations.push(organisation("new", "New"));
        wanted.teams[0].organisation = "new".into();
        wanted.teams.push(team("newer", "Newer", "new"));
        wanted.users[0].0.name = "Amina K".into();
        wanted.users[1].1 = vec!["newer".into(), SOUTH.into()];
        wanted.users.push(user("zoe", UserType::Clinician, None, &["newer"]));
        wanted.clients[1].product = "Post".into();
        wanted.organisation_grants.push(WantedGrant::of("new", "letters"));
        wanted
    };
    let w = World::new().await;
    let told = rehearse(&w.store, &mixed(), NOW).await.unwrap();
    let w = w.reopened().await;
    assert_eq!(w.count("SELECT count(*) FROM organisations"), 1);
    assert_eq!(w.user("amina").await.name, "AMINA");
    let done = apply(&w.store, mixed(), NOW.plus_seconds(1)).await.unwrap();
    assert_eq!(lines(&told), lines(&done));
    for change in [Change::Created, Change::Updated, Change::Unchanged] {
        assert!(done.iter().any(|line| line.change == change), "{change:?}");
    }
    let again = rehearse(&w.store, &mixed(), NOW).await.unwrap();
    assert!(again.iter().all(|line| line.change == Change::Unchanged), "{again:?}");
}

#[tokio::test]
async fn a_team_that_moves_takes_its_patients_sight_along_and_one_that_is_renamed_keeps_it() {
    let w = World::new().await;
    let seen_by = |organisation: &str| {
        w.count(&format!(
            "SELECT count(*) FROM sight s JOIN organisations o ON o.id = s.viewer_id WHERE o.public_id = '{organisation}'"
        ))
    };
    let before = seen_by(ELSEWHERE);
    assert!(before > 0 && !registrations::teams(&w.store, "amina").await.unwrap().is_empty());
    let with = |name: &str, home: &str| Declared {
        organisations: vec![organisation("new", "New")],
        teams: vec![team(NORTH, name, home)],
        ..Default::default()
    };
    applied(&w.store, with("Far North", ELSEWHERE)).await;
    assert_eq!((seen_by(ELSEWHERE), seen_by("new")), (before, 0));
    applied(&w.store, with("Far North", "new")).await;
    assert!(seen_by(ELSEWHERE) < before && seen_by("new") > 0);
}
