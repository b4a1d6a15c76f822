//! The two organisations and their teams: Riverside has two of them.

use super::world::World;
use store::world::{self, WantedOrganisation, WantedTeam, World as Declared};

pub const RIVERSIDE: &str = "3b241101-e2bb-4255-8caf-4136c566a962";
pub const HILLSIDE: &str = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
pub const RIVERSIDE_TEAM: &str = "16fd2706-8baf-433b-82eb-8c7fada847da";
/// Riverside's other team: nobody is registered with it from the start.
pub const SLEEP_TEAM: &str = "b0e4f7aa-93d5-4f9b-8a0c-2d1f5a6c7e80";
pub const HILLSIDE_TEAM: &str = "886313e1-3b8a-4372-9b90-0c9aee199e5d";

pub fn organisations() -> Vec<WantedOrganisation> {
    vec![WantedOrganisation::of(RIVERSIDE, "Riverside"), WantedOrganisation::of(HILLSIDE, "Hillside")]
}

pub fn teams() -> Vec<WantedTeam> {
    vec![
        WantedTeam::of(RIVERSIDE_TEAM, "Riverside Diabetes Team", RIVERSIDE),
        WantedTeam::of(SLEEP_TEAM, "Riverside Sleep Clinic", RIVERSIDE),
        WantedTeam::of(HILLSIDE_TEAM, "Hillside Practice", HILLSIDE),
    ]
}

impl World {
    /// The operator lets a team break the glass.
    pub async fn may_break_the_glass(&self, team: &str) {
        let found = store::organisations::find_team(&self.app.store, team).await.unwrap().unwrap();
        let home = store::organisations::numbered(&self.app.store, found.organisation).await.unwrap().unwrap();
        let wanted =
            WantedTeam { break_glass: Some(true), ..WantedTeam::of(&found.public_id, &found.name, &home.public_id) };
        let declared = Declared { teams: vec![wanted], ..Declared::default() };
        world::apply(&self.app.store, declared, self.now()).await.unwrap();
    }
}
