//! Who can sign in to a sandbox: everybody who has a name in the invented world, with the published password, and the address at
//! which they would be written to.

use super::world;
use crate::app::{App, SandboxLogin};

/// Has the sign-in page say who can sign in.
pub(super) fn tell(app: &App) {
    // A sandbox is prepared once.
    let _told = app.sandbox_logins.set(of_world());
}

pub(super) fn of_world() -> Vec<SandboxLogin> {
    let users = world::read().map(|world| world.users).unwrap_or_default();
    let login = |user: &world::User| SandboxLogin {
        username: user.username.clone(),
        password: user.password(),
        who: format!("{}, {}", user.name, kind(&user.user_type)),
    };
    users.iter().map(login).collect()
}

/// The address that each of them has confirmed.
pub(super) fn address(username: &str) -> String {
    format!("{username}@sandbox.example")
}

fn kind(user_type: &str) -> &'static str {
    match user_type {
        "PATIENT" => "a patient",
        "CLINICIAN" => "a clinician",
        "TEAM_COORD" => "a Team Coordinator",
        "PRIVACY_OFFICER" => "a privacy officer",
        _ => "an administrator",
    }
}
