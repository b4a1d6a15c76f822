//! Lists of what is there.

use super::refusal::{OperatorRefusal, no_client, no_team, no_user};
use super::summaries::{ClientSummary, GrantSummary, OrganisationSummary, SigningKeySummary, TeamSummary, UserSummary};
use crate::app::{App, signing};
use rules::ids::SessionId;
use rules::labels::Label;
use std::collections::BTreeMap;
use store::grants::{self, Whose};
use store::{clients, organisations, people};

/// Entries of one page of users or grants. Whoever asks goes on until a page is empty.
const PAGE: i64 = 1000;

pub(super) async fn clients(app: &App, only: Option<&str>) -> Result<Vec<ClientSummary>, OperatorRefusal> {
    match only {
        None => Ok(clients::list(&app.store).await?.iter().map(ClientSummary::from).collect()),
        Some(client_id) => {
            let client = clients::find(&app.store, client_id).await?.ok_or_else(|| no_client(client_id))?;
            Ok(vec![ClientSummary::from(&*client)])
        }
    }
}

pub(super) async fn organisations(app: &App) -> Result<Vec<OrganisationSummary>, OperatorRefusal> {
    let teams = organisations::list_teams(&app.store).await?;
    let mut shown = Vec::new();
    for organisation in organisations::list(&app.store).await? {
        let granted = organisations::clients_of(&app.store, organisation.id).await?;
        let mut through = BTreeMap::new();
        for client in &granted {
            let terms = organisations::granted(&app.store, &organisation.public_id, client).await?.unwrap_or_default();
            if !terms.through.is_empty() {
                let named = teams.iter().filter(|team| terms.through.contains(&team.id));
                through.insert(client.clone(), named.map(|team| team.public_id.clone()).collect());
            }
        }
        let proof = organisation.invitation_proof.unwrap_or_default();
        shown.push(OrganisationSummary {
            public_id: organisation.public_id,
            name: organisation.name,
            invitation_proof: proof.word().into(),
            default_label: Label::default_word(organisation.default_label).into(),
            granted,
            through,
        });
    }
    Ok(shown)
}

pub(super) async fn teams(app: &App) -> Result<Vec<TeamSummary>, OperatorRefusal> {
    let organisations = organisations::list(&app.store).await?;
    let public_id = |id| organisations.iter().find(|o| o.id == id).map(|o| o.public_id.clone()).unwrap_or_default();
    let teams = organisations::list_teams(&app.store).await?;
    let shown = teams.into_iter().map(|team| TeamSummary {
        organisation: public_id(team.organisation),
        public_id: team.public_id,
        name: team.name,
        organisation_name: team.organisation_name,
        default_label: team.settings.default_label.code().into(),
        default_access: team.settings.default_access.each().map(|label| label.code().into()).collect(),
        break_glass: team.settings.break_glass,
    });
    Ok(shown.collect())
}

pub(super) async fn users(app: &App, after: &str) -> Result<Vec<UserSummary>, OperatorRefusal> {
    Ok(people::page(&app.store, after, PAGE).await?.iter().map(UserSummary::from).collect())
}

pub(super) async fn grants(
    app: &App,
    username: Option<&str>,
    team: Option<&str>,
    before: Option<i64>,
) -> Result<Vec<GrantSummary>, OperatorRefusal> {
    let whose = match (username, team) {
        (Some(username), _) => {
            Whose::User(people::find(&app.store, username).await?.ok_or_else(|| no_user(username))?.id)
        }
        (None, Some(team)) => {
            let found = organisations::find_team(&app.store, team).await?;
            Whose::Teams(vec![found.ok_or_else(|| no_team(team))?.id])
        }
        (None, None) => Whose::Anyone,
    };
    let before = before.map_or(grants::NEWEST, SessionId);
    Ok(grants::page(&app.store, &whose, before, PAGE, app.clock.now()).await?.iter().map(GrantSummary::from).collect())
}

/// The keys that sign id_tokens, and those that did and are still published.
pub(super) async fn signing_keys(app: &App) -> Result<Vec<SigningKeySummary>, OperatorRefusal> {
    Ok(signing::published(app).await?.iter().map(SigningKeySummary::from).collect())
}
