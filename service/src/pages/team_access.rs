//! The teams that a person coordinates, and who has access to them: what the pages about a team's grants share.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::sign_in::SignIn;
use crate::views::TimeText;
use crate::views::grants::{GrantRow, GranterText};
use crate::voices::page::PageStop;
use rules::moment::Moment;
use store::grants::{self, Grant, Whose};
use store::organisations::{self, Team};

pub(super) const PATH: &str = "/coordinator/api-access";

/// The teams that this person coordinates.
pub(super) async fn teams(app: &App, person: &SignIn) -> Result<Vec<Team>, PageStop> {
    Ok(organisations::teams_of_user(&app.store, person.user.id).await.during("listing a coordinator's teams")?)
}

/// The live grants of these teams.
pub(super) async fn live(app: &App, teams: &[Team], now: Moment) -> Result<Vec<Grant>, PageStop> {
    let whose = Whose::Teams(teams.iter().map(|team| team.id).collect());
    Ok(grants::list(&app.store, &whose, now).await.during("listing grants")?)
}

/// A form revokes the one grant that it was made for.
pub(super) fn purpose(id: &str) -> String {
    format!("revoke-grant {id}")
}

/// Who granted it, where that is known.
pub(super) fn granter(grant: &Grant) -> Option<GranterText> {
    grant.granter.as_ref().map(|granter| GranterText { name: granter.name.clone(), has_left: granter.has_left })
}

pub(super) fn row(app: &App, person: &SignIn, grant: &Grant) -> GrantRow {
    let id = grant.id.to_string();
    let shown = |moment| TimeText::new(moment, &app.settings.time_zone);
    GrantRow {
        product: grant.product.clone(),
        owner: grant.owner.clone(),
        client_id: grant.client_id.clone(),
        team: grant.team.clone().unwrap_or_default(),
        granter: granter(grant),
        since: shown(grant.granted_at),
        last_used: grant.last_used_at.map(shown),
        ends: grant.ends_at.map(shown),
        revoke_action: format!("{PATH}/revoke/{id}"),
        form: person.form(app, &purpose(&id)),
    }
}
