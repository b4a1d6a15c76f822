//! The Patients of a signed-in coordinator's teams, for the pages on which they are looked after.

use super::noted::Noted;
use crate::app::App;
use crate::app::accesses::Viewer;
use crate::app::trouble::{During, Trouble};
use fhir::types::ResourceType;
use rules::ids::{TeamId, UserId};
use rules::moment::Moment;
use rules::reach::Reach;
use store::read as records;

/// The Patient as these teams see them, looked at by this user.
pub(crate) async fn find(
    app: &App,
    (user, teams): (UserId, &[TeamId]),
    id: &str,
    now: Moment,
) -> Result<Option<Noted>, Trouble> {
    let reach = Reach::of_teams(teams.to_vec());
    let found = records::read(&app.store, &reach, ResourceType::Patient, id, now).await;
    let found = found.during("reading a Patient of a coordinator's team")?;
    let viewer = Viewer { client: None, user: Some(user), reach: &reach, now };
    Ok(found.map(|found| Noted::seen_by(app, &viewer, found)))
}
