//! The invented world as the binary carries it: who there is (`world.toml`) and their records, one file for each team
//! that is the source of them.

use serde::{Deserialize, Serialize};

pub(super) const WORLD: &str = include_str!("../../sandbox/world.toml");

/// The records, as `recordgate import --organisation … --team …` would take them.
pub(super) const RECORDS: [Records; 3] = [
    Records {
        file: "larkfield-sleep-clinic.ndjson",
        organisation: LARKFIELD,
        team: SLEEP_CLINIC,
        lines: include_str!("../../sandbox/records/larkfield-sleep-clinic.ndjson"),
    },
    Records {
        file: "larkfield-diabetes-team.ndjson",
        organisation: LARKFIELD,
        team: DIABETES_TEAM,
        lines: include_str!("../../sandbox/records/larkfield-diabetes-team.ndjson"),
    },
    Records {
        file: "marsh-lane-practice-team.ndjson",
        organisation: MARSH_LANE,
        team: PRACTICE_TEAM,
        lines: include_str!("../../sandbox/records/marsh-lane-practice-team.ndjson"),
    },
];

pub(super) const LARKFIELD: &str = "11111111-1111-4111-8111-111111111111";
pub(super) const MARSH_LANE: &str = "22222222-2222-4222-8222-222222222222";
pub(super) const SLEEP_CLINIC: &str = "11111111-1111-4111-8111-aaaaaaaaaaaa";
pub(super) const DIABETES_TEAM: &str = "11111111-1111-4111-8111-bbbbbbbbbbbb";
pub(super) const PRACTICE_TEAM: &str = "22222222-2222-4222-8222-cccccccccccc";

/// The records that one team made.
#[derive(Debug)]
pub(super) struct Records {
    pub file: &'static str,
    pub organisation: &'static str,
    pub team: &'static str,
    pub lines: &'static str,
}

/// The world file cannot be read; only a broken build can have one.
#[derive(Debug, thiserror::Error)]
#[error("the sandbox's world cannot be read: {0}")]
pub struct CannotRead(#[from] toml::de::Error);

/// What the guide tells of the world. The file holds more, which is for the store alone.
#[derive(Deserialize)]
pub(super) struct InventedWorld {
    #[serde(rename = "organisation")]
    pub organisations: Vec<Organisation>,
    #[serde(rename = "user")]
    pub users: Vec<User>,
    #[serde(rename = "client")]
    pub clients: Vec<Client>,
    #[serde(rename = "organisation_grant")]
    pub grants: Vec<Grant>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Organisation {
    pub public_id: String,
    pub name: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct User {
    pub username: String,
    #[serde(rename = "type")]
    pub user_type: String,
    pub name: String,
    pub patient: Option<String>,
}

#[derive(Deserialize, Serialize)]
pub(super) struct Client {
    pub client_id: String,
    pub kind: String,
    pub owner: String,
    pub product: String,
    #[serde(default)]
    pub redirect_uris: Vec<String>,
    #[serde(default)]
    pub scopes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Grant {
    pub organisation: String,
    pub client: String,
}

pub(super) fn read() -> Result<InventedWorld, CannotRead> {
    Ok(toml::from_str(WORLD)?)
}

impl User {
    /// The file has the hash of it.
    pub(super) fn password(&self) -> String {
        format!("sandbox-{}-1", self.username)
    }
}

impl InventedWorld {
    /// The Client IDs that an organisation has granted access.
    pub(super) fn granted_by(&self, organisation: &Organisation) -> Vec<&str> {
        let own = self.grants.iter().filter(|grant| grant.organisation == organisation.public_id);
        own.map(|grant| grant.client.as_str()).collect()
    }

    /// The first client of a kind (`user`, `system`, `tethered`).
    pub(super) fn client_of_kind(&self, kind: &str) -> Option<&Client> {
        self.clients.iter().find(|client| client.kind == kind)
    }
}
