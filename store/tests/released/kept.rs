//! What the migration changes nothing of: sessions with their salts, clients, people, receipts, the ledger.

use crate::home::Home;
use crate::reader::{NOW, served};
use rules::clients::ClientKind;
use rules::ids::SessionId;
use rules::reach::Reach;
use rules::scope::Scope;
use store::documents::receipts;
use store::grants::{self, Whose};
use store::ledger::{Event, LedgerPosition};
use store::{bearer, clients, ledger, organisations, patients, people};

pub const NORTHMOOR: &str = "6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01";

/// Tables and columns that mean the same in both releases. Among the settings
/// are the nodes that PostgreSQL counts, and the id that the first start gives.
const SAME: [&str; 11] = [
    "SELECT id, public_id, name FROM organisations",
    "SELECT id, public_id, organisation_id, name FROM teams",
    "SELECT id, username, password_hash, type, name, frozen_at FROM users",
    "SELECT * FROM memberships",
    "SELECT id, client_id, kind, owner, product, redirect_uris, scopes, secret_fingerprint, session_seconds, access_seconds,
        refresh_tokens, require_pkce, retry_seconds, scope_echo, redirect_extra_query, disabled_at FROM clients",
    "SELECT organisation_id, client_id, granted_at, withdrawn_at FROM organisation_grants",
    "SELECT * FROM settings WHERE name NOT IN ('nodes-started', 'store-id')",
    "SELECT * FROM read_receipts",
    "SELECT id, salt, client_id, user_id, team_id, scope, scope_spelt, redirect_uri, redirect_uri_sent, challenge, granted_at,
        ends_at, code_redeemed_at, generation, rotated_at, revoked_at, revoked_why FROM sessions",
    "SELECT * FROM sign_ins",
    "SELECT * FROM spent_forms",
];

#[tokio::test]
async fn every_row_that_is_no_record_is_as_the_release_before_wrote_it() {
    for home in Home::released().await {
        let before = SAME.map(|sql| home.rows(sql));
        let filled = before.iter().filter(|rows| !rows.is_empty()).count();
        assert_eq!(filled, 9, "all but the settings and the sign-ins have rows");
        let _store = served(&home).await;
        assert_eq!(SAME.map(|sql| home.rows(sql)), before);
    }
}

/// The first release wrote into the ledger alone whose hand a team's grant was.
#[tokio::test]
async fn a_teams_grant_of_the_release_before_says_who_granted_it() {
    for home in Home::released().await {
        let store = served(&home).await;
        let grants = grants::list(&store, &Whose::Anyone, NOW).await.unwrap();
        let granters: Vec<_> = grants.iter().filter_map(|grant| grant.granter.as_ref()).collect();
        assert_eq!(granters.iter().map(|granter| granter.username.as_str()).collect::<Vec<_>>(), ["coordinator"]);
        assert!(!granters[0].has_left);
    }
}

#[tokio::test]
async fn every_session_is_found_with_its_generation_its_scope_and_the_reach_of_its_holder() {
    for home in Home::released().await {
        let store = served(&home).await;
        let amina = patients::find(&store, "amina-osei").await.unwrap().unwrap();
        let clinic = organisations::list_teams(&store).await.unwrap();
        let clinic = clinic.iter().find(|team| team.name == "Sleep Clinic").unwrap().id;
        let of_clinic = Reach::of_teams(vec![clinic]);
        let sessions = home.rows("SELECT id, scope, generation, revoked_at IS NULL FROM sessions");
        let mut scopes = Vec::new();
        for session in &sessions {
            let id = SessionId(session.split('|').next().unwrap().parse().unwrap());
            let bearer = bearer::find(&store, id).await.unwrap().expect("the session");
            let reach = match (bearer.scope, bearer.user) {
                (Scope::Patient, _) => Reach::of_patient(amina),
                (_, Some(member)) => Reach::of_member(member, vec![clinic]),
                (_, None) => of_clinic.clone(),
            };
            assert_eq!(bearer.reach, reach, "{session}");
            assert_eq!(bearer.patient.as_deref(), (bearer.scope == Scope::Patient).then_some("amina-osei"));
            scopes.push((bearer.scope, bearer.session.generation, bearer.session.revoked_at.is_none()));
        }
        let expected = [
            (Scope::Patient, 1, true),
            (Scope::Patient, 2, true),
            (Scope::Patient, 2, false),
            (Scope::Clinician, 1, true),
            (Scope::Site, 2, true),
        ];
        assert_eq!(scopes, expected);
    }
}

#[tokio::test]
async fn every_user_keeps_their_patient_and_every_client_its_registration() {
    for home in Home::released().await {
        let store = served(&home).await;
        let users = people::list(&store).await.unwrap();
        let patients: Vec<_> = users.iter().map(|user| (&*user.username, user.patient_id.as_deref())).collect();
        let expected = [
            ("amina", Some("amina-osei")),
            ("ben", Some("ben-ferrar")),
            ("chloe", Some("chloe-brandt")),
            ("coordinator", None),
            ("dr.lindqvist", None),
            ("operator", None),
        ];
        assert_eq!(patients, expected);
        let clients = clients::list(&store).await.unwrap();
        let kinds: Vec<_> = clients.iter().map(|client| (&*client.client_id, client.kind)).collect();
        let expected = [
            ("clinic-link", ClientKind::Tethered),
            ("diary", ClientKind::User),
            ("letter-sender", ClientKind::System),
            ("ward-board", ClientKind::User),
        ];
        assert_eq!(kinds, expected);
    }
}

#[tokio::test]
async fn what_the_patient_opened_is_still_read_and_the_ledger_still_tells_of_it() {
    for home in Home::released().await {
        let store = served(&home).await;
        let northmoor = organisations::find(&store, NORTHMOOR).await.unwrap().unwrap().id;
        let asked = ["d0c-1", "letter-1", "d0c-2"].map(String::from);
        let receipts = receipts::receipts(&store, northmoor, &asked).await.unwrap();
        let read: Vec<bool> = receipts.iter().map(|receipt| receipt.read_at.is_some()).collect();
        assert_eq!(read, [true, true, false], "{receipts:?}");
        let amina = people::find(&store, "amina").await.unwrap().unwrap();
        let written = home.count("SELECT count(*) FROM ledger");
        assert_eq!(ledger::add(&store, NOW).await.unwrap(), written.unsigned_abs());
        assert_eq!(home.count("SELECT count(*) FROM ledger"), 0, "they are in the ledger as it is now");
        let patient = patients::find(&store, "amina-osei").await.unwrap().unwrap();
        let lines = ledger::of_patient(&store, patient, amina.id, LedgerPosition::NEWEST, 100).await.unwrap();
        let of = |event| lines.iter().filter(|line| line.event == event).count();
        assert_eq!([Event::DocumentRead, Event::Accessed, Event::Granted].map(of), [1, 3, 3]);
        assert!(lines.iter().all(|line| line.at < NOW));
    }
}
