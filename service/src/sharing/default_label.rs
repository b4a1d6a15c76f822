//! Who sets the label of what a source sends: the source, with the default that its operator gave it.

use rules::consent::label_right::Labeller;
use rules::labels::{DEFAULT_LABEL, Labels};
use rules::reach::Source;
use store::{Store, organisations};

pub(crate) async fn labeller(store: &Store, source: Source) -> store::Result<Labeller> {
    Ok(match source {
        Source::Patient(_) => Labeller::Patient,
        Source::Person(_) => Labeller::Person(Labels::NONE),
        Source::Team(team, _) => {
            let team = organisations::team(store, team).await?;
            Labeller::Team(team.map_or(DEFAULT_LABEL, |team| team.settings.default_label))
        }
        Source::Organisation(organisation) => {
            let organisation = organisations::numbered(store, organisation).await?;
            Labeller::Organisation(organisation.and_then(|organisation| organisation.default_label))
        }
    })
}
