//! The people of the world.

use super::organisations::{HILLSIDE, HILLSIDE_TEAM, RIVERSIDE, RIVERSIDE_TEAM, SLEEP_TEAM};
use super::records;
use rules::ids::UserId;
use rules::scope::UserType;
use service::secrets::passwords;
use service::secrets::secret::Secret;
use std::sync::OnceLock;
use store::people::{PasswordHash, User};

/// A person's account.
pub struct Account {
    pub username: &'static str,
    pub password: &'static str,
    pub name: &'static str,
    pub user_type: UserType,
    pub patient: Option<&'static str>,
    pub team: Option<&'static str>,
}

pub const AMINA: Account = Account {
    username: "amina@example.org",
    password: "river-otter-violin-42",
    name: "Amina Rahman",
    user_type: UserType::Patient,
    patient: Some(records::AMINA),
    team: Some(RIVERSIDE_TEAM),
};
pub const BEN: Account = Account {
    username: "ben@example.org",
    password: "copper-lantern-moss-17",
    name: "Ben Whitlock",
    user_type: UserType::Patient,
    patient: Some(records::BEN),
    team: Some(HILLSIDE_TEAM),
};
pub const OKAFOR: Account = Account {
    username: "okafor@riverside.example",
    password: "granite-heron-piano-63",
    name: "Dr Okafor",
    user_type: UserType::Clinician,
    patient: None,
    team: Some(RIVERSIDE_TEAM),
};
/// A clinician of Riverside's other team.
pub const SILVA: Account = Account {
    username: "silva@riverside.example",
    password: "marble-otter-lamp-74",
    name: "Dr Silva",
    user_type: UserType::Clinician,
    patient: None,
    team: Some(SLEEP_TEAM),
};
pub const GRACE: Account = Account {
    username: "grace@riverside.example",
    password: "amber-walnut-kite-88",
    name: "Grace Lindqvist",
    user_type: UserType::TeamCoord,
    patient: None,
    team: Some(RIVERSIDE_TEAM),
};
pub const HENRY: Account = Account {
    username: "henry@hillside.example",
    password: "silver-badger-drum-29",
    name: "Henry Osei",
    user_type: UserType::TeamCoord,
    patient: None,
    team: Some(HILLSIDE_TEAM),
};
pub const ADMIN: Account = Account {
    username: "admin@records.example",
    password: "velvet-anchor-plum-51",
    name: "Ines Admin",
    user_type: UserType::Admin,
    patient: None,
    team: None,
};
/// The privacy officer of Riverside, and of Hillside.
pub const OLIVE: Account = Account {
    username: "olive@riverside.example",
    password: "cedar-pebble-lute-36",
    name: "Olive Officer",
    user_type: UserType::PrivacyOfficer,
    patient: None,
    team: None,
};
pub const OTTO: Account = Account {
    username: "otto@hillside.example",
    password: "linen-falcon-drum-92",
    name: "Otto Officer",
    user_type: UserType::PrivacyOfficer,
    patient: None,
    team: None,
};
const ALL: [&Account; 9] = [&AMINA, &BEN, &OKAFOR, &SILVA, &GRACE, &HENRY, &ADMIN, &OLIVE, &OTTO];

/// Of which organisation somebody is a privacy officer.
fn organisation(account: &Account) -> Option<String> {
    match account.username {
        username if username == OLIVE.username => Some(RIVERSIDE.into()),
        username if username == OTTO.username => Some(HILLSIDE.into()),
        _ => None,
    }
}

/// Hashing is meant to be slow, so each password is hashed once per process.
fn hashes() -> &'static [PasswordHash] {
    static HASHES: OnceLock<Vec<PasswordHash>> = OnceLock::new();
    HASHES.get_or_init(|| {
        let hash = |account: &&Account| passwords::hash(&Secret::new(account.password.to_owned())).unwrap();
        ALL.iter().map(hash).collect()
    })
}

pub fn users() -> Vec<(User, Vec<String>)> {
    let user = |(account, hash): (&&Account, &PasswordHash)| {
        let user = User {
            id: UserId::default(),
            username: account.username.into(),
            password_hash: hash.clone(),
            user_type: account.user_type,
            name: account.name.into(),
            patient_id: account.patient.map(String::from),
            frozen_at: None,
            deceased: false,
            record_frozen: false,
            organisation: organisation(account),
        };
        (user, account.team.map(String::from).into_iter().collect())
    };
    ALL.iter().zip(hashes()).map(user).collect()
}
