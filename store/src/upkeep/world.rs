//! The declared world: organisations, teams, users, clients and grants as a file states them, made so piece by piece.

pub use super::comparison::{Change, WantedOrganisation, WantedTeam};
use super::comparison::{changed, wanted_client, wanted_organisation, wanted_team, wanted_user};
use crate::access::clients::{self, Client};
use crate::access::invited_accounts;
use crate::access::memberships;
use crate::access::organisations::{self, GrantChange, WantedTerms};
use crate::access::patients;
use crate::access::people::{self, User};
use crate::engine::Tx;
use crate::error::{Error, Result};
use crate::ids::Ids;
use crate::records::reach::{registrations, sight};
use crate::records::sharing::declared::{self, ConsentFate, DeclaredConsent, GranteeName};
use crate::sql::piece::Piece;
use crate::store::Store;
use crate::version_clock::VersionClock;
use rules::clients::{ClientIds, ClientKind};
use rules::ids::TeamId;
use rules::moment::Moment;
use rules::scope::UserType;
use std::collections::VecDeque;

/// What shall be there. The `id`s inside are ignored; names decide what is the same thing.
#[derive(Debug, Default)]
pub struct World {
    pub organisations: Vec<WantedOrganisation>,
    pub teams: Vec<WantedTeam>,
    /// With the public ids of each user's teams.
    pub users: Vec<(User, Vec<String>)>,
    /// The ids of Patient resources, with the public ids of the teams that each is registered with.
    pub patients: Vec<(String, Vec<String>)>,
    /// Made when all users are there.
    pub consents: Vec<DeclaredConsent>,
    pub clients: Vec<Client>,
    pub organisation_grants: Vec<WantedGrant>,
}

/// That an organisation lets a System Client in.
#[derive(Clone, Debug)]
pub struct WantedGrant {
    /// The organisation's public id, and the Client ID.
    pub organisation: String,
    pub client: String,
    /// Which ids the client may choose; `None`: as it is.
    pub client_ids: Option<ClientIds>,
    /// The public ids of the organisation's teams through which the client looks; `None`: as it is.
    pub through: Option<Vec<String>>,
}

impl WantedGrant {
    /// One that says nothing more.
    #[must_use]
    pub fn of(organisation: &str, client: &str) -> Self {
        Self { organisation: organisation.into(), client: client.into(), client_ids: None, through: None }
    }
}

/// One line of what `apply` did: the sort of thing, its name, and what became of it.
#[derive(Clone, Debug)]
pub struct Applied {
    pub what: &'static str,
    pub name: String,
    pub change: Change,
}

/// Why an account that a patient made by invitation does not become one of another type.
pub const SELF_MADE: &str = "a patient made this account by invitation, so it stays a PATIENT's; \
    end it with `recordgate user end`, or declare the other account under another name";

/// A world of up to so many parts is made in one transaction, all of it or nothing, whatever time that takes.
const SMALL: usize = 100;

/// A part of the world. Each is made whole, or not at all.
#[derive(Debug)]
enum WorldPart {
    Organisation(WantedOrganisation),
    Team(WantedTeam),
    User(User, PatientTeams),
    Patient(String, PatientTeams),
    Consent(Box<DeclaredConsent>),
    Client(Box<Client>),
    OrganisationGrant(WantedGrant),
}

/// The public ids of somebody's teams, and of those to whom a patient's consent is declared by itself.
#[derive(Debug)]
struct PatientTeams {
    teams: Vec<String>,
    apart: Vec<String>,
}

/// What of a declared world is yet to be made, in an order in which nothing comes before what it refers to.
#[derive(Debug)]
pub struct Agenda {
    left: VecDeque<WorldPart>,
    at_once: bool,
}

impl Agenda {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// How many parts are yet to be made.
    #[must_use]
    pub fn len(&self) -> usize {
        self.left.len()
    }
}

impl From<World> for Agenda {
    fn from(world: World) -> Self {
        let mut left: VecDeque<WorldPart> = world.organisations.into_iter().map(WorldPart::Organisation).collect();
        left.extend(world.teams.into_iter().map(WorldPart::Team));
        let apart = |patient: &str| consented_teams(&world.consents, patient).map(String::from).collect();
        let mut people: VecDeque<WorldPart> = VecDeque::new();
        for (user, teams) in world.users {
            let apart = user.patient_id.as_deref().map_or_else(Vec::new, apart);
            people.push_back(WorldPart::User(user, PatientTeams { teams, apart }));
        }
        for (patient, teams) in world.patients {
            let apart = apart(&patient);
            people.push_back(WorldPart::Patient(patient, PatientTeams { teams, apart }));
        }
        left.extend(people);
        left.extend(world.consents.into_iter().map(|consent| WorldPart::Consent(Box::new(consent))));
        left.extend(world.clients.into_iter().map(|client| WorldPart::Client(Box::new(client))));
        left.extend(world.organisation_grants.into_iter().map(WorldPart::OrganisationGrant));
        let at_once = left.len() <= SMALL;
        Self { left, at_once }
    }
}

/// Makes the first parts of a world as declared, as many as one turn at the writer has time for, in one transaction; all of a
/// small world. Says what changed, and gives what is left. What is not declared stays as it is. A part that is as declared
/// already is left alone, so that a world that was begun is finished by making it once more.
pub async fn apply_some(store: &Store, mut agenda: Agenda, now: Moment) -> Result<(Vec<Applied>, Agenda)> {
    let (ids, versions) = (store.ids.clone(), store.versions.clone());
    let write = store.write(move |tx| {
        Box::pin(async move {
            let (piece, mut done) = (Piece::begin(), Vec::new());
            while (agenda.at_once || piece.has_room(done.len()))
                && let Some(part) = agenda.left.pop_front()
            {
                done.push(apply_part(tx, (&ids, &versions), &part, now).await?);
            }
            Ok((done, agenda))
        })
    });
    write.await
}

/// Makes the whole world as declared, piece by piece.
pub async fn apply(store: &Store, world: World, now: Moment) -> Result<Vec<Applied>> {
    let (mut agenda, mut all) = (Agenda::from(world), Vec::new());
    while !agenda.is_empty() {
        let (done, left) = apply_some(store, agenda, now).await?;
        all.extend(done);
        agenda = left;
    }
    Ok(all)
}

async fn apply_part(
    tx: &mut Tx<'_>,
    (ids, versions): (&Ids, &VersionClock),
    part: &WorldPart,
    now: Moment,
) -> Result<Applied> {
    match part {
        WorldPart::Organisation(wanted) => apply_organisation(tx, ids, wanted, now).await,
        WorldPart::Team(wanted) => apply_team(tx, ids, wanted, now).await,
        WorldPart::User(wanted, teams) => apply_user(tx, ids, wanted, teams, now).await,
        WorldPart::Patient(patient, teams) => apply_patient(tx, ids, patient, teams, now).await,
        WorldPart::Consent(wanted) => apply_consent(tx, (ids, versions), wanted, now).await,
        WorldPart::Client(wanted) => apply_client(tx, ids, wanted, now).await,
        WorldPart::OrganisationGrant(wanted) => apply_grant(tx, ids, wanted, now).await,
    }
}

async fn apply_organisation(tx: &mut Tx<'_>, ids: &Ids, wanted: &WantedOrganisation, now: Moment) -> Result<Applied> {
    let before = organisations::load(tx, &wanted.public_id).await?;
    let wanted = wanted_organisation(before.as_ref(), wanted, || ids.next(now).into());
    let change = changed(before.as_ref(), &wanted);
    if change != Change::Unchanged {
        organisations::put(tx, ids, before.as_ref(), &wanted, now).await?;
    }
    Ok(Applied { what: "organisation", name: wanted.name, change })
}

/// A team that moves to another organisation moves with all of its patients, however many they are: between two pieces some of
/// them would be seen by the organisation that it has left.
async fn apply_team(tx: &mut Tx<'_>, ids: &Ids, wanted: &WantedTeam, now: Moment) -> Result<Applied> {
    let home = organisations::load(tx, &wanted.organisation).await?;
    let home = home.ok_or_else(|| unknown("team", &wanted.name, "organisation", &wanted.organisation))?;
    let before = organisations::load_team(tx, &wanted.public_id).await?;
    let wanted = wanted_team(before.as_ref(), wanted, (home.id, home.name), || ids.next(now).into());
    let change = changed(before.as_ref(), &wanted);
    if change != Change::Unchanged {
        organisations::put_team(tx, ids, before.as_ref(), &wanted, now).await?;
    }
    if let Some(before) = before.filter(|before| before.organisation != wanted.organisation) {
        organisations::leave(tx, before.organisation, wanted.id).await?;
        sight::derive_for_team(tx, wanted.id).await?;
    }
    Ok(Applied { what: "team", name: wanted.name, change })
}

async fn apply_user(tx: &mut Tx<'_>, ids: &Ids, wanted: &User, teams: &PatientTeams, now: Moment) -> Result<Applied> {
    let before = people::load(tx, &wanted.username).await?;
    if let Some(before) = before.as_ref().filter(|before| before.user_type != wanted.user_type)
        && invited_accounts::load(tx, before.id).await?.is_some()
    {
        return Err(Error::Setup(format!("user {}: {SELF_MADE}", before.username)));
    }
    let wanted = wanted_user(before.as_ref(), wanted, || ids.next(now).into());
    if let Some(organisation) = &wanted.organisation
        && organisations::load(tx, organisation).await?.is_none()
    {
        return Err(unknown("user", &wanted.username, "organisation", organisation));
    }
    let mut change = changed(before.as_ref(), &wanted);
    if change != Change::Unchanged {
        people::put(tx, ids, before.as_ref(), &wanted, now).await?;
    }
    let of_user = ("user", wanted.username.as_str());
    let (teams, apart) = (team_ids(tx, &teams.teams, of_user).await?, team_ids(tx, &teams.apart, of_user).await?);
    if set_teams(tx, ids, &wanted, (&teams, &apart), now).await? && change == Change::Unchanged {
        change = Change::Updated;
    }
    Ok(Applied { what: "user", name: wanted.username, change })
}

/// A patient who may have no account: which teams have them.
async fn apply_patient(
    tx: &mut Tx<'_>,
    ids: &Ids,
    patient: &str,
    teams: &PatientTeams,
    now: Moment,
) -> Result<Applied> {
    let of_patient = ("patient", patient);
    let (teams, apart) = (team_ids(tx, &teams.teams, of_patient).await?, team_ids(tx, &teams.apart, of_patient).await?);
    let number = patients::number(tx, ids, patient, now).await?;
    let changed = registrations::set(tx, ids, number, (&teams, &apart), now).await?;
    let change = if changed { Change::Updated } else { Change::Unchanged };
    Ok(Applied { what: "patient", name: patient.to_owned(), change })
}

/// The numbers of teams, in order and each once.
async fn team_ids(tx: &mut Tx<'_>, teams: &[String], (what, name): (&str, &str)) -> Result<Vec<TeamId>> {
    let mut team_ids = Vec::new();
    for public_id in teams {
        let team = organisations::load_team(tx, public_id).await?;
        team_ids.push(team.ok_or_else(|| unknown(what, name, "team", public_id))?.id);
    }
    team_ids.sort_unstable();
    team_ids.dedup();
    Ok(team_ids)
}

/// Makes `teams` the user's teams: a patient is registered with them, anyone else is a member. Tells whether that
/// changed anything.
async fn set_teams(
    tx: &mut Tx<'_>,
    ids: &Ids,
    user: &User,
    (teams, apart): (&[TeamId], &[TeamId]),
    now: Moment,
) -> Result<bool> {
    if let (Some(patient), UserType::Patient) = (&user.patient_id, user.user_type) {
        let patient = patients::number(tx, ids, patient, now).await?;
        return registrations::set(tx, ids, patient, (teams, apart), now).await;
    }
    memberships::set(tx, ids, user.id, teams, now).await
}

async fn apply_consent(
    tx: &mut Tx<'_>,
    making: (&Ids, &VersionClock),
    wanted: &DeclaredConsent,
    now: Moment,
) -> Result<Applied> {
    let change = consent_change(declared::make(tx, making, wanted, now).await?);
    Ok(Applied { what: "consent", name: wanted.name(), change })
}

pub(super) const fn consent_change(fate: ConsentFate) -> Change {
    match fate {
        ConsentFate::Given => Change::Created,
        ConsentFate::Changed => Change::Updated,
        ConsentFate::Left => Change::Unchanged,
    }
}

/// The teams to which consents of this patient are declared.
pub(super) fn consented_teams<'c>(consents: &'c [DeclaredConsent], patient: &'c str) -> impl Iterator<Item = &'c str> {
    consents.iter().filter(move |consent| consent.patient == patient).filter_map(|consent| match &consent.to {
        GranteeName::Team(public_id) => Some(public_id.as_str()),
        GranteeName::Professional(_) | GranteeName::Carer(_) => None,
    })
}

async fn apply_client(tx: &mut Tx<'_>, ids: &Ids, wanted: &Client, now: Moment) -> Result<Applied> {
    let before = clients::load(tx, &wanted.client_id).await?;
    if let Some(before) = &before
        && before.kind != wanted.kind
    {
        return Err(Error::Setup(format!(
            "client {}: it is registered as a {}; a client's kind cannot change, register a new Client ID",
            wanted.client_id,
            before.kind.contract_name()
        )));
    }
    let wanted = wanted_client(before.as_ref(), wanted, || ids.next(now).into());
    let change = changed(before.as_ref(), &wanted);
    if change != Change::Unchanged {
        clients::put(tx, ids, before.as_ref(), &wanted, now).await?;
    }
    Ok(Applied { what: "client", name: wanted.client_id, change })
}

async fn apply_grant(tx: &mut Tx<'_>, ids: &Ids, wanted: &WantedGrant, now: Moment) -> Result<Applied> {
    let WantedGrant { organisation, client, client_ids, through } = wanted;
    let name = format!("{client} by {organisation}");
    let home = organisations::load(tx, organisation).await?;
    let home = home.ok_or_else(|| unknown("organisation_grant", &name, "organisation", organisation))?;
    let grantee = clients::load(tx, client).await?;
    let grantee = grantee.ok_or_else(|| unknown("organisation_grant", &name, "client", client))?;
    if grantee.kind != ClientKind::System {
        return Err(Error::Setup(format!(
            "organisation_grant {name}: an organisation grants access to System Clients; {client} is a {}",
            grantee.kind.contract_name()
        )));
    }
    let mut teams = Vec::new();
    for public_id in through.iter().flatten() {
        let team = organisations::load_team(tx, public_id).await?.filter(|team| team.organisation == home.id);
        let team = team.ok_or_else(|| {
            Error::Setup(format!(
                "organisation_grant {name}: {public_id} is no team of the organisation; name one of its own"
            ))
        })?;
        teams.push(team.id);
    }
    let terms = WantedTerms { client_ids: *client_ids, through: through.as_ref().map(|_| teams) };
    let change = match organisations::grant(tx, ids, home.id, (&grantee, &terms), now).await? {
        GrantChange::Granted => Change::Created,
        GrantChange::Changed => Change::Updated,
        GrantChange::Unchanged => Change::Unchanged,
    };
    Ok(Applied { what: "organisation_grant", name, change })
}

fn unknown(what: &str, name: &str, missing: &str, public_id: &str) -> Error {
    Error::Setup(format!("{what} {name}: there is no {missing} {public_id}; declare it first"))
}
