//! What the pages about a team's grants show: who has access, the check before a grant, and what was granted and ended.

use askama::Template;

use super::frame::{Frame, GuardedText, TimeText};
use rules::guidance::promises::PromiseGroup;

/// `/coordinator/api-access`: grant a Tethered-Token System Client access to a team, see and revoke grants.
#[derive(Debug, Template)]
#[template(path = "coordinator.html")]
pub struct CoordinatorPage {
    pub frame: Frame,
    /// The teams this person coordinates; the form asks which one only when there are several.
    pub teams: Vec<TeamChoice>,
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

/// `/coordinator/api-access/check`: what is about to be granted, before it is.
#[derive(Debug, Template)]
#[template(path = "grant_check.html")]
pub struct GrantCheckPage {
    pub frame: Frame,
    pub problem: Option<String>,
    pub product: String,
    pub owner: String,
    pub client_id: String,
    pub team: String,
    /// What the partner may do.
    pub may: Vec<PromiseGroup>,
    /// Completes "Access lasts …".
    pub how_long: String,
    /// What the partner has of this team already.
    pub existing: Vec<GrantRow>,
    pub form: GuardedText,
    pub check: GuardedText,
}

/// `/coordinator/api-access/history`.
#[derive(Debug, Template)]
#[template(path = "grant_history.html")]
pub struct GrantHistoryPage {
    pub frame: Frame,
    pub rows: Vec<HistoryRow>,
    pub older: Option<String>,
}

#[derive(Debug, Clone)]
pub struct HistoryRow {
    pub product: String,
    pub owner: String,
    pub client_id: String,
    pub team: String,
    pub granter: Option<GranterText>,
    pub since: TimeText,
    pub end: Option<EndText>,
}

/// How a grant came to its end.
#[derive(Debug, Clone)]
pub struct EndText {
    pub at: TimeText,
    pub why: String,
    pub by: Option<String>,
}
