//! What the two pages about standing access show: a Team Coordinator's grants and a patient's connected apps.

use askama::Template;

use super::frame::{Frame, GuardedText, TimeText};

/// `/coordinator/api-access`: grant a Tethered-Token System Client access to a team, see and revoke grants.
#[derive(Debug, Template)]
#[template(path = "coordinator.html")]
pub struct CoordinatorPage {
    pub frame: Frame,
    /// The teams this person coordinates; the form asks which one only when there are several.
    pub teams: Vec<TeamChoice>,
    pub form: GuardedText,
    /// What was entered before, after a failed try.
    pub client_id: String,
    pub problem: Option<String>,
    /// Something that has just been done, such as a revocation.
    pub notice: Option<String>,
    /// Present on exactly one answer: the refresh token is never shown again.
    pub granted: Option<NewTeamGrant>,
    pub grants: Vec<GrantRow>,
    /// Where older grants are, if there are any.
    pub older: Option<String>,
}

#[derive(Debug, Clone)]
pub struct TeamChoice {
    pub id: String,
    pub name: String,
    pub chosen: bool,
}

#[derive(Debug, Clone)]
pub struct NewTeamGrant {
    pub product: String,
    pub owner: String,
    pub team: String,
    pub refresh_token: GuardedText,
}

#[derive(Debug, Clone)]
pub struct GrantRow {
    pub product: String,
    pub owner: String,
    pub client_id: String,
    pub team: String,
    /// Who granted it, where that is known.
    pub granter: Option<GranterText>,
    pub since: TimeText,
    pub last_used: Option<TimeText>,
    pub ends: Option<TimeText>,
    pub revoke_action: String,
    pub form: GuardedText,
}

#[derive(Debug, Clone)]
pub struct GranterText {
    pub name: String,
    /// The grant is the team's, and stays when its granter leaves.
    pub has_left: bool,
}

/// `/connected-apps`: the apps that a person has let use their account.
#[derive(Debug, Template)]
#[template(path = "connected_apps.html")]
pub struct ConnectedAppsPage {
    pub frame: Frame,
    pub notice: Option<String>,
    pub apps: Vec<AppRow>,
    /// Where apps are that were connected earlier, if there are any.
    pub older: Option<String>,
}

#[derive(Debug, Clone)]
pub struct AppRow {
    pub product: String,
    pub owner: String,
    /// What the app may do, in a few words; `words` holds them by scope.
    pub may: String,
    pub since: TimeText,
    pub last_used: Option<TimeText>,
    pub ends: Option<TimeText>,
    pub revoke_action: String,
    pub form: GuardedText,
}
