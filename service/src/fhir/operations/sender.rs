//! For which organisations a caller asks who is no patient: the one that a System Client names, or those of a session's teams.

use crate::app::App;
use crate::app::trouble::During;
use crate::voices::api::ApiStop;
use rules::ids::{OrganisationId, ViewerId};
use rules::reach::Reach;
use std::collections::BTreeMap;
use store::organisations;

/// Each organisation with who looks for it.
pub(crate) async fn organisations(app: &App, reach: &Reach) -> Result<BTreeMap<OrganisationId, ViewerId>, ApiStop> {
    let mut found = BTreeMap::new();
    found.extend(reach.organisation().map(|organisation| (organisation, organisation.into())));
    for id in reach.teams() {
        if let Some(team) = organisations::team(&app.store, *id).await.during("looking a team up")? {
            found.entry(team.organisation).or_insert_with(|| (*id).into());
        }
    }
    Ok(found)
}
