//! The world that an operator declares.

pub const HOSPITAL: &str = "6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01";
pub const CLINIC: &str = "a3d0c7de-41f7-4f0c-8d6e-5b1f7c2e9b01";

/// A hospital with a clinic, its people, and a client of each kind; the System Client's secret is made for it.
pub const WORLD: &str = r#"
[[organisation]]
public_id = "6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01"
name = "Northmoor Hospital"

[[team]]
public_id = "a3d0c7de-41f7-4f0c-8d6e-5b1f7c2e9b01"
organisation = "6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01"
name = "Sleep Clinic"

[[user]]
username = "amina"
password = "Lantern-on-the-4th-sill"
type = "PATIENT"
name = "Amina Osei"
patient = "amina-osei"
teams = ["a3d0c7de-41f7-4f0c-8d6e-5b1f7c2e9b01"]

[[user]]
username = "coordinator"
password = "Nine-keys-on-1-ring"
type = "TEAMCOORD"
name = "Tomas Reyes"
teams = ["a3d0c7de-41f7-4f0c-8d6e-5b1f7c2e9b01"]

[[client]]
client_id = "sleep-diary"
kind = "user"
owner = "Nightjar Health"
product = "Sleep Diary"
redirect_uris = ["https://sleep.example/callback"]
scopes = ["PATIENT"]
session = "90d"

[[client]]
client_id = "letter-sender"
kind = "system"
owner = "Postbridge"
product = "Letter Sender"

[[client]]
client_id = "clinic-link"
kind = "tethered"
owner = "Clinic Link"
product = "Clinic Link"
session = "never"

[[organisation_grant]]
organisation = "6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01"
client = "letter-sender"
"#;
