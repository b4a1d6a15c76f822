//! Organisations, their teams, and the clients that they have granted access.

use super::clients::Client;
use super::salt::Salt;
use crate::cache::{Entry, through};
use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::ledger::{About, Event, Line};
use crate::sql::arg::args;
use crate::sql::outbox::Outbox;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::sql::touched::Touched;
use crate::store::Store;
use rules::clients::ClientIds;
use rules::ids::{ClientId, OrganisationId, TeamId, UserId};
use rules::invitations::FurtherProof;
use rules::labels::{DEFAULT_ACCESS, DEFAULT_LABEL, Label, Labels};
use rules::moment::Moment;
use rules::smart::request::SmartScopes;
use rules::smart::word::SmartScope;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Organisation {
    pub id: OrganisationId,
    pub public_id: String,
    pub name: String,
    /// What it asks for of whoever redeems one of its invitations; `None` where nothing was said of it, which is to ask for nothing
    /// more.
    pub invitation_proof: Option<FurtherProof>,
    /// The label of what it sends without one; `None`: such an item has none, and needs all four.
    pub default_label: Option<Label>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Team {
    pub id: TeamId,
    pub public_id: String,
    pub organisation: OrganisationId,
    pub organisation_name: String,
    pub name: String,
    pub settings: TeamSettings,
}

/// What operators set of a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TeamSettings {
    /// The label of what the team makes without one.
    pub default_label: Label,
    /// The labels that it is given where nothing is said, and the most that an implied consent gives it.
    pub default_access: Labels,
    /// Whether it may break the glass.
    pub break_glass: bool,
}

impl Default for TeamSettings {
    fn default() -> Self {
        Self { default_label: DEFAULT_LABEL, default_access: DEFAULT_ACCESS, break_glass: false }
    }
}

/// What a System Client's call asks: who the client is now, and whether the organisation it names has granted it.
#[derive(Debug)]
pub struct SystemStanding {
    client: ClientId,
    /// The organisation that the call names, whether or not there is one; empty where it names none.
    organisation: String,
    /// Whether the client acts for an organisation where a call names none.
    pub has_default: bool,
    /// Its Client ID.
    pub client_name: Arc<str>,
    /// What vouches for its access tokens: its secret's fingerprint, or the salts of its keys.
    pub salts: Vec<Salt>,
    pub disabled: bool,
    /// Whether the client has ended this token.
    pub ended: bool,
    /// The organisation's number, if it exists and its grant is in force.
    pub granted_by: Option<OrganisationId>,
    /// The scopes of SMART that the client is registered for.
    pub smart_scopes: Vec<SmartScope>,
    /// Which ids the client may choose in its name.
    pub client_ids: ClientIds,
    /// The teams of the organisation through which it looks.
    pub through: Vec<TeamId>,
}

impl Entry for SystemStanding {
    fn weight(&self) -> usize {
        1
    }

    /// A grant of an organisation touches the client to which it is given.
    fn rests_on(&self, touched: &Touched) -> bool {
        touched.clients.contains(&self.client)
    }
}

macro_rules! teams_where {
    ($condition:literal) => {
        concat!(
            "SELECT t.id, t.public_id, t.organisation_id, o.name, t.name, t.default_label, t.default_access, t.break_glass
             FROM teams t JOIN organisations o ON o.id = t.organisation_id WHERE ",
            $condition
        )
    };
}
pub(crate) use teams_where;

statements! {
    BY_PUBLIC_ID = "SELECT id, public_id, name, invitation_proof, default_label FROM organisations WHERE public_id = $1";
    BY_NUMBER = "SELECT id, public_id, name, invitation_proof, default_label FROM organisations WHERE id = $1";
    ALL = "SELECT id, public_id, name, invitation_proof, default_label FROM organisations WHERE id > $1 ORDER BY name";
    PUT = "INSERT INTO organisations (id, public_id, name, invitation_proof, default_label) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (id) DO UPDATE SET name = $3, invitation_proof = $4, default_label = $5";
    TEAM_BY_PUBLIC_ID = teams_where!("t.public_id = $1");
    TEAM_BY_ID = teams_where!("t.id = $1");
    ALL_TEAMS = teams_where!("t.id > $1 ORDER BY o.name, t.name");
    TEAMS_OF_USER = teams_where!("t.id IN (SELECT m.team_id FROM memberships m WHERE m.user_id = $1) ORDER BY t.name");
    PUT_TEAM = "INSERT INTO teams (id, public_id, organisation_id, name, default_label, default_access, break_glass)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (id) DO UPDATE SET organisation_id = $3, name = $4, default_label = $5, default_access = $6, break_glass = $7";
    /// The client `$1`, the grant of the organisation called `$2` or of the client's own choice, and whether the token of the number `$3` was ended.
    STANDING = "SELECT c.secret_fingerprint, c.disabled_at, g.organisation_id, c.key_salts, e.expires_at, c.client_id,
            g.client_ids, g.through, c.default_organisation, c.smart_scopes
        FROM clients c LEFT JOIN organisations o ON o.public_id = coalesce(nullif($2, ''), c.default_organisation)
            LEFT JOIN organisation_grants g
                ON g.organisation_id = o.id AND g.client_id = c.id AND g.withdrawn_at IS NULL
            LEFT JOIN ended_tokens e ON e.client_id = c.id AND e.token = $3
        WHERE c.id = $1";
    GRANTED = "SELECT withdrawn_at, client_ids, through FROM organisation_grants WHERE organisation_id = $1 AND client_id = $2";
    GRANT = "INSERT INTO organisation_grants (organisation_id, client_id, granted_at, client_ids, through)
    VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (organisation_id, client_id) DO UPDATE
        SET granted_at = $3, withdrawn_at = NULL, client_ids = $4, through = $5";
    SET_TERMS = "UPDATE organisation_grants SET client_ids = $3, through = $4 WHERE organisation_id = $1 AND client_id = $2";
    THROUGH = "SELECT client_id, client_ids, through FROM organisation_grants
    WHERE organisation_id = $1 AND through IS NOT NULL";
    IN_FORCE = "SELECT g.client_ids, g.through FROM organisation_grants g JOIN organisations o ON o.id = g.organisation_id
        JOIN clients c ON c.id = g.client_id WHERE o.public_id = $1 AND c.client_id = $2 AND g.withdrawn_at IS NULL";
    WITHDRAW = "UPDATE organisation_grants SET withdrawn_at = $3
    WHERE organisation_id = $1 AND client_id = $2 AND withdrawn_at IS NULL";
    CLIENTS_OF = "SELECT c.client_id FROM organisation_grants g JOIN clients c ON c.id = g.client_id
    WHERE g.organisation_id = $1 AND g.withdrawn_at IS NULL ORDER BY c.client_id";
}

/// What a System Client's call asks, by the number of its token; from memory where that is as good as the database. `None`: the
/// client is gone.
pub async fn standing(
    store: &Store,
    client: ClientId,
    organisation: &str,
    token: i64,
) -> Result<Option<Arc<SystemStanding>>> {
    let read = async || {
        let row = |row: &dyn Row| standing_row(row, client, organisation);
        store.db.read_one(STANDING, args![client, organisation, token], row).await
    };
    // Whoever asks about a token names no organisation; a call that uses it does.
    let memory = store.cache.as_ref().map(|cache| &cache.standings).filter(|_| !organisation.is_empty());
    let found = through(memory, &(client, token), read).await?;
    match found {
        Some(known) if known.organisation != organisation => Ok(read().await?.map(Arc::new)),
        found => Ok(found),
    }
}

fn standing_row(row: &dyn Row, client: ClientId, organisation: &str) -> Result<SystemStanding> {
    let salts = match row.opt_bytes(0)? {
        Some(fingerprint) => vec![Salt::of_fingerprint(&fingerprint)],
        None => Salt::many_from_bytes(&row.opt_bytes(3)?.unwrap_or_default())?,
    };
    Ok(SystemStanding {
        client,
        organisation: organisation.to_owned(),
        client_name: row.text(5)?.into(),
        salts,
        disabled: row.opt_int(1)?.is_some(),
        granted_by: row.opt_id(2)?,
        ended: row.opt_int(4)?.is_some(),
        client_ids: row.opt_word(6, ClientIds::named)?.unwrap_or_default(),
        through: teams_of(row.opt_text(7)?.as_deref()),
        has_default: row.opt_text(8)?.is_some(),
        smart_scopes: SmartScopes::kept(&row.text(9)?).scopes,
    })
}

pub async fn find(store: &Store, public_id: &str) -> Result<Option<Organisation>> {
    store.db.read_one(BY_PUBLIC_ID, args![public_id], organisation).await
}

/// The organisation of this number of ours.
pub async fn numbered(store: &Store, id: OrganisationId) -> Result<Option<Organisation>> {
    store.db.read_one(BY_NUMBER, args![id], organisation).await
}

pub async fn list(store: &Store) -> Result<Vec<Organisation>> {
    store.db.page(ALL, args![0], organisation).await
}

/// The Client IDs that an organisation has granted access.
pub async fn clients_of(store: &Store, organisation: OrganisationId) -> Result<Vec<String>> {
    store.db.page(CLIENTS_OF, args![organisation], |row| row.text(0)).await
}

pub async fn find_team(store: &Store, public_id: &str) -> Result<Option<Team>> {
    store.db.read_one(TEAM_BY_PUBLIC_ID, args![public_id], team_row).await
}

pub async fn team(store: &Store, id: TeamId) -> Result<Option<Team>> {
    store.db.read_one(TEAM_BY_ID, args![id], team_row).await
}

pub async fn list_teams(store: &Store) -> Result<Vec<Team>> {
    store.db.page(ALL_TEAMS, args![0], team_row).await
}

pub async fn teams_of_user(store: &Store, user: UserId) -> Result<Vec<Team>> {
    store.db.read(TEAMS_OF_USER, args![user], team_row).await
}

/// Takes an organisation's grant back; `false` if there was none in force.
pub async fn withdraw(store: &Store, organisation: OrganisationId, client: ClientId, now: Moment) -> Result<bool> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            let changed = tx.execute(WITHDRAW, args![organisation, client, now.0]).await? == 1;
            if changed {
                tx.touch(|touched| {
                    touched.clients.insert(client);
                });
                let about = About { client: Some(client), organisation: Some(organisation), ..Default::default() };
                tx.append(Outbox::Records, &ids, &Line::new(now, Event::OrganisationWithdrawn, None, about));
            }
            Ok(changed)
        })
    });
    write.await
}

pub(crate) async fn load(tx: &mut Tx<'_>, public_id: &str) -> Result<Option<Organisation>> {
    tx.query_one(BY_PUBLIC_ID, args![public_id], organisation).await
}

pub(crate) async fn load_team(tx: &mut Tx<'_>, public_id: &str) -> Result<Option<Team>> {
    tx.query_one(TEAM_BY_PUBLIC_ID, args![public_id], team_row).await
}

/// Writes an organisation under its own `id`, new or changed.
pub(crate) async fn put(
    tx: &mut Tx<'_>,
    ids: &Ids,
    before: Option<&Organisation>,
    organisation: &Organisation,
    now: Moment,
) -> Result<()> {
    let proof = organisation.invitation_proof.map(FurtherProof::word);
    let label = Label::default_word(organisation.default_label);
    tx.execute(PUT, args![organisation.id, &organisation.public_id, &organisation.name, proof, label]).await?;
    let event = if before.is_some() { Event::OrganisationChanged } else { Event::OrganisationMade };
    let about = About { organisation: Some(organisation.id), ..About::default() };
    tx.append(Outbox::Records, ids, &Line::new(now, event, None, about).with_detail(organisation.name.clone()));
    Ok(())
}

/// Sets what an organisation asks for of whoever redeems one of its invitations. Tells whether that changed anything; `None` if
/// there is no such organisation.
pub async fn set_proof(store: &Store, public_id: String, proof: FurtherProof, now: Moment) -> Result<Option<bool>> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            let Some(before) = load(tx, &public_id).await? else { return Ok(None) };
            let changed = before.invitation_proof.unwrap_or_default() != proof;
            if changed {
                let after = Organisation { invitation_proof: Some(proof), ..before.clone() };
                put(tx, &ids, Some(&before), &after, now).await?;
            }
            Ok(Some(changed))
        })
    });
    write.await
}

/// Writes a team under its own `id`, new or changed.
pub(crate) async fn put_team(
    tx: &mut Tx<'_>,
    ids: &Ids,
    before: Option<&Team>,
    team: &Team,
    now: Moment,
) -> Result<()> {
    let TeamSettings { default_label, default_access, break_glass } = team.settings;
    let row = args![
        team.id,
        &team.public_id,
        team.organisation,
        &team.name,
        default_label.code(),
        default_access.0,
        break_glass
    ];
    tx.execute(PUT_TEAM, row).await?;
    let event = if before.is_some() { Event::TeamChanged } else { Event::TeamMade };
    let about = About { team: Some(team.id), organisation: Some(team.organisation), ..About::default() };
    tx.append(Outbox::Records, ids, &Line::new(now, event, None, about).with_detail(team.name.clone()));
    Ok(())
}

/// What became of a grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GrantChange {
    Granted,
    /// It was in force, and allows other ids now.
    Changed,
    Unchanged,
}

/// What a grant allows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GrantTerms {
    /// Which ids the client may choose.
    pub client_ids: ClientIds,
    /// The teams through which it looks, in order.
    pub through: Vec<TeamId>,
}

/// What a grant shall allow; what is `None` stays as it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct WantedTerms {
    pub client_ids: Option<ClientIds>,
    pub through: Option<Vec<TeamId>>,
}

impl WantedTerms {
    /// The terms as they are then.
    pub(crate) fn over(&self, there: &GrantTerms) -> GrantTerms {
        let mut through = self.through.clone().unwrap_or_else(|| there.through.clone());
        through.sort_unstable();
        through.dedup();
        GrantTerms { client_ids: self.client_ids.unwrap_or(there.client_ids), through }
    }
}

/// Grants a client access to what belongs to an organisation. Of what nothing is said, that stays as it is.
pub(crate) async fn grant(
    tx: &mut Tx<'_>,
    ids: &Ids,
    organisation: OrganisationId,
    (client, wanted): (&Client, &WantedTerms),
    now: Moment,
) -> Result<GrantChange> {
    let row = |row: &dyn Row| Ok((row.opt_int(0)?, terms(row, 1)?));
    let before = tx.query_one(GRANTED, args![organisation, client.id], row).await?;
    let in_force = before.and_then(|(withdrawn_at, terms)| withdrawn_at.is_none().then_some(terms));
    let after = wanted.over(in_force.as_ref().unwrap_or(&GrantTerms::default()));
    let (word, through) = (after.client_ids.word(), numbers(&after.through));
    let change = match in_force {
        Some(there) if there == after => return Ok(GrantChange::Unchanged),
        Some(_) => {
            tx.execute(SET_TERMS, args![organisation, client.id, word, through.as_deref()]).await?;
            GrantChange::Changed
        }
        None => {
            tx.execute(GRANT, args![organisation, client.id, now.0, word, through.as_deref()]).await?;
            GrantChange::Granted
        }
    };
    tx.touch(|touched| {
        touched.clients.insert(client.id);
    });
    let about = About { client: Some(client.id), organisation: Some(organisation), ..Default::default() };
    let line = Line::new(now, Event::OrganisationGranted, None, about);
    let said_ids = wanted.client_ids.map(|ids| format!("client_ids {}", ids.word()));
    let said_through = wanted.through.as_ref().map(|_| format!("through teams [{}]", through.unwrap_or_default()));
    let said: Vec<String> = said_ids.into_iter().chain(said_through).collect();
    let line = if said.is_empty() { line } else { line.with_detail(said.join(", ")) };
    tx.append(Outbox::Records, ids, &line);
    Ok(change)
}

/// What a grant that is in force allows; `None` where there is no such grant.
pub async fn granted(store: &Store, organisation: &str, client: &str) -> Result<Option<GrantTerms>> {
    store.db.read_one(IN_FORCE, args![organisation, client], |row| terms(row, 0)).await
}

/// No client looks through a team that has left the organisation.
pub(crate) async fn leave(tx: &mut Tx<'_>, organisation: OrganisationId, team: TeamId) -> Result<()> {
    let row = |row: &dyn Row| Ok((row.id(0)?, terms(row, 1)?));
    let grants: Vec<(ClientId, GrantTerms)> = tx.query(THROUGH, args![organisation], row).await?;
    for (client, terms) in grants.into_iter().filter(|(_, terms)| terms.through.contains(&team)) {
        let left: Vec<TeamId> = terms.through.into_iter().filter(|other| *other != team).collect();
        let through = numbers(&left);
        tx.execute(SET_TERMS, args![organisation, client, terms.client_ids.word(), through.as_deref()]).await?;
        tx.touch(|touched| {
            touched.clients.insert(client);
        });
    }
    Ok(())
}

/// The terms whose columns begin at `first`.
fn terms(row: &dyn Row, first: usize) -> Result<GrantTerms> {
    let client_ids = row.opt_word(first, ClientIds::named)?.unwrap_or_default();
    Ok(GrantTerms { client_ids, through: teams_of(row.opt_text(first + 1)?.as_deref()) })
}

/// Numbers of teams with commas between them.
fn teams_of(numbers: Option<&str>) -> Vec<TeamId> {
    numbers.unwrap_or_default().split(',').filter_map(|number| number.parse().ok()).map(TeamId).collect()
}

/// The same as text; none is null.
fn numbers(teams: &[TeamId]) -> Option<String> {
    let numbers = teams.iter().map(|team| team.0.to_string()).collect::<Vec<_>>().join(",");
    (!numbers.is_empty()).then_some(numbers)
}

fn organisation(row: &dyn Row) -> Result<Organisation> {
    Ok(Organisation {
        id: row.id(0)?,
        public_id: row.text(1)?,
        name: row.text(2)?,
        invitation_proof: row.opt_word(3, FurtherProof::named)?,
        default_label: row.word(4, Label::default_named)?,
    })
}

pub(crate) fn team_row(row: &dyn Row) -> Result<Team> {
    team_from(row, 0)
}

/// The team whose columns begin at `first`.
pub(crate) fn team_from(row: &dyn Row, first: usize) -> Result<Team> {
    Ok(Team {
        id: row.id(first)?,
        public_id: row.text(first + 1)?,
        organisation: row.id(first + 2)?,
        organisation_name: row.text(first + 3)?,
        name: row.text(first + 4)?,
        settings: TeamSettings {
            default_label: row.word(first + 5, Label::named)?,
            default_access: Labels(row.int(first + 6)?),
            break_glass: row.flag(first + 7)?,
        },
    })
}
