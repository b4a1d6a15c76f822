//! A world on its way into the store: each step is written, noted as a fact, and followed by a look at `sight`.

use crate::bodies::{self, prepared};
use crate::cases::{Case, Draft, FIRST_PATIENT, KINDS, Maker, ORGANISATIONS, Opening, PATIENTS, Step, TEAMS};
use crate::engine::Behind;
use crate::facts::{Kept, World};
use fhir::audience::differ_in_meta_alone;
use fhir::types::ResourceType;
use rules::consent::eyes::Eyes;
use rules::consent::item::{self, Participant};
use rules::consent::standing::Standing;
use rules::ids::{OrganisationId, PatientId, TeamId, UserId, ViewerId};
use rules::labels::Labels;
use rules::moment::Moment;
use rules::reach::{Item, Source};
use rules::scope::UserType;
use rules::sight::Sight;
use rules::smart::query::{ItemCode, ScopeParameter};
use store::ledger::Author;
use store::organisations;
use store::people::{self, PasswordHash, User};
use store::world::{WantedOrganisation, WantedTeam};
use store::write::resource_write::{self, NewResource, Outcome};
use store::{Store, patients, world};

pub const NOW: Moment = Moment(1_800_000_000_000);
const UPDATED: &str = "2027-01-15T08:00:00.000Z";

pub struct Stage<'s> {
    pub store: &'s Store,
    behind: &'s Behind,
    /// Its number, which sets its names apart from those of other worlds in the same database.
    number: usize,
    pub organisations: Vec<OrganisationId>,
    pub teams: Vec<TeamId>,
    pub patients: Vec<PatientId>,
    pub person: UserId,
    pub carer: UserId,
    /// Who has sessions for teams.
    pub member: UserId,
    pub world: World,
}

/// By which the queries of scopes find a resource.
fn codes(of: ResourceType, text: u8) -> Vec<ItemCode> {
    let (system, code) = (Some(bodies::CATEGORIES.to_owned()), bodies::category(text).to_owned());
    let category = ItemCode { parameter: ScopeParameter::Category, system, code };
    Some(category).filter(|_| of == ResourceType::Observation).into_iter().collect()
}

impl<'s> Stage<'s> {
    /// The people and the places, before anything happens.
    pub async fn set(store: &'s Store, behind: &'s Behind, number: usize) -> Self {
        let mut stage = Self {
            store,
            behind,
            number,
            organisations: Vec::new(),
            teams: Vec::new(),
            patients: Vec::new(),
            person: UserId(0),
            carer: UserId(0),
            member: UserId(0),
            world: World::default(),
        };
        let users = (0..PATIENTS).map(|at| stage.patient_user(at, &[]));
        let declared = world::World {
            organisations: (0..ORGANISATIONS).map(|at| stage.organisation(at)).collect(),
            teams: (0..TEAMS).map(|at| stage.team(at, at % ORGANISATIONS)).collect(),
            users: users.chain(stage.persons()).collect(),
            ..world::World::default()
        };
        world::apply(store, declared, NOW).await.unwrap();
        for at in 0..ORGANISATIONS {
            let found = organisations::find(store, &stage.name("organisation", at)).await.unwrap();
            stage.organisations.push(found.unwrap().id);
        }
        for at in 0..TEAMS {
            let found = organisations::find_team(store, &stage.name("team", at)).await.unwrap().unwrap();
            stage.teams.push(found.id);
            stage.world.teams.push((found.id, found.organisation));
        }
        for at in 0..PATIENTS {
            stage.patients.push(patients::find(store, &stage.name("patient", at)).await.unwrap().unwrap());
        }
        stage.person = people::find(store, &stage.name("person", 0)).await.unwrap().unwrap().id;
        stage.carer = people::find(store, &stage.name("carer", 0)).await.unwrap().unwrap().id;
        stage.member = people::find(store, &stage.name("member", 0)).await.unwrap().unwrap().id;
        stage
    }

    pub async fn play(&mut self, case: &Case) -> Result<(), String> {
        for step in &case.steps {
            match step {
                Step::Register { patient, teams } => self.register(*patient, teams).await,
                Step::Move { team, organisation } => self.move_team(*team, *organisation).await,
                Step::Write(draft) => self.write(draft, self.source(draft.maker)).await?,
                Step::Rewrite(draft) => self.write(draft, self.source_in(draft)).await?,
            }
            self.holds_sight(step).await?;
        }
        for opening in &case.openings {
            let row = self.row(opening);
            self.behind.open(&row).await;
            let pair = |row: &Standing| (row.sight.patient, row.sight.viewer);
            self.world.openings.retain(|known| pair(known) != pair(&row));
            self.world.openings.push(row);
        }
        Ok(())
    }

    /// The table is what the rules derive from consents and makers.
    async fn holds_sight(&self, step: &Step) -> Result<(), String> {
        for patient in &self.patients {
            let (mut stored, derived) = (self.behind.sight(*patient).await, self.world.derived(*patient));
            stored.sort_by_key(|row| row.sight.viewer);
            if stored != derived {
                return Err(format!("after {step:?} the sight of {patient} is {stored:?} instead of {derived:?}"));
            }
        }
        Ok(())
    }

    async fn register(&mut self, patient: usize, teams: &[usize]) {
        let declared = world::World { users: vec![self.patient_user(patient, teams)], ..world::World::default() };
        world::apply(self.store, declared, NOW).await.unwrap();
        let teams: Vec<TeamId> = teams.iter().map(|at| self.teams[*at]).collect();
        self.world.register(self.patients[patient], &teams);
    }

    async fn move_team(&mut self, team: usize, organisation: usize) {
        let declared = world::World { teams: vec![self.team(team, organisation)], ..world::World::default() };
        world::apply(self.store, declared, NOW).await.unwrap();
        self.world.teams[team].1 = self.organisations[organisation];
    }

    async fn write(&mut self, draft: &Draft, source: Source) -> Result<(), String> {
        let (names, ids) = (self.patient_names(), self.ids());
        let id = &ids[draft.place];
        let (content, needs) = prepared(draft, id, &ids, &names, &self.identifier(), &self.parties());
        let text = content.body.joined(1, "", "");
        let written = (content.body.before.clone(), content.body.after.clone());
        let known =
            self.world.kept.iter().position(|kept| kept.resource_type == content.resource_type && kept.id == *id);
        let expected = match known.map(|at| &self.world.kept[at]) {
            None => Outcome::Version(1),
            Some(kept) if !kept.item.source.is(&source) => Outcome::OtherSource,
            Some(kept) if kept.written == written => Outcome::Unchanged,
            Some(kept) if kept.is_sent() && !differ_in_meta_alone(&kept.text, &text) => Outcome::Sent,
            Some(kept) => Outcome::Version(i64::try_from(kept.versions.len()).unwrap() + 1),
        };
        let number = |name: &String| self.patients[names.iter().position(|known| known == name).unwrap()];
        let about: Vec<PatientId> = content.patients.iter().map(number).collect();
        let resource_type = content.resource_type;
        let held_back = bodies::is_held_back(&content, &source);
        let carries = (resource_type == ResourceType::DocumentReference)
            .then(|| ids[crate::cases::BINARIES[draft.carries]].clone());
        let user = match draft.maker {
            Maker::Member(_) => Some(self.member),
            _ => None,
        };
        let audience = content.audience.clone();
        let store = self.store.by(Author { user, ..Author::default() });
        let stored =
            resource_write::put(&store, vec![NewResource::as_sent(content, needs)], source, NOW, UPDATED.into())
                .await
                .unwrap();
        if stored[0].outcome != expected {
            return Err(format!("{draft:?} came out as {:?} instead of {expected:?}", stored[0].outcome));
        }
        if !matches!(expected, Outcome::Version(_)) {
            return Ok(());
        }
        let makers = self.makers(source);
        for patient in &about {
            self.world.makers.entry(*patient).or_default().extend(&makers);
        }
        let was_draft = known.and_then(|at| self.world.kept[at].item.draft);
        let author = item::Author::of(known.map_or(source, |at| self.world.kept[at].item.source), user);
        let is_draft = audience.is_draft;
        let item = Item {
            patients: about.clone(),
            needs: needs.of_held_back(held_back),
            source,
            is_directory: resource_type.is_public(),
            draft: is_draft.then(|| was_draft.unwrap_or(author)),
            participants: self.participants(draft, resource_type, is_draft),
            of: resource_type.name(),
            codes: codes(resource_type, draft.text),
        };
        match known {
            None => {
                let (id, author, drafts) = (id.clone(), item.draft, vec![is_draft]);
                let versions = vec![about];
                let kept = Kept { resource_type, id, item, versions, written, text, drafts, author, carries };
                self.world.kept.push(kept);
            }
            Some(at) => {
                let kept = &mut self.world.kept[at];
                // A team that moved to another organisation stays the same source.
                kept.item = Item { source: kept.item.source, ..item };
                kept.versions.push(about);
                kept.drafts.push(is_draft);
                kept.author = kept.item.draft.or(kept.author);
                (kept.written, kept.text, kept.carries) = (written, text, carries);
            }
        }
        Ok(())
    }

    fn source(&self, maker: Maker) -> Source {
        match maker {
            Maker::Patient(at) => Source::Patient(self.patients[at]),
            Maker::Person => Source::Person(self.person),
            Maker::Carer => Source::Person(self.carer),
            Maker::Team(at) | Maker::Member(at) => Source::Team(self.teams[at], self.world.home_of(self.teams[at])),
            Maker::Organisation(at) => Source::Organisation(self.organisations[at]),
        }
    }

    /// The source of what is in a place, or whoever would be its first.
    fn source_in(&self, draft: &Draft) -> Source {
        let id = &self.ids()[draft.place];
        let kept =
            self.world.kept.iter().find(|kept| kept.id == *id && kept.resource_type.name() == KINDS[draft.place]);
        kept.map_or_else(|| self.source(draft.maker), |kept| kept.item.source)
    }

    /// Who made something by this source.
    fn makers(&self, source: Source) -> Vec<Eyes> {
        match source {
            Source::Patient(_) => vec![],
            Source::Person(user) if user == self.carer => vec![Eyes::Carer(user)],
            Source::Person(user) => vec![Eyes::Individual(user)],
            Source::Team(team, organisation) => vec![Eyes::Team(team), Eyes::Organisation(organisation)],
            Source::Organisation(organisation) => vec![Eyes::Organisation(organisation)],
        }
    }

    fn row(&self, opening: &Opening) -> Standing {
        let teams = self.teams.iter().map(|team| ViewerId::from(*team));
        let organisations = self.organisations.iter().map(|organisation| ViewerId::from(*organisation));
        let persons = [ViewerId::from(self.person), ViewerId::from(self.carer)];
        let viewer = teams.chain(organisations).chain(persons).nth(opening.viewer).expect("a viewer of this world");
        let ends_at = opening.ends_in.map(|after| Moment(NOW.0 + after));
        let patient = self.patients[opening.patient];
        let sight = Sight { viewer, patient, labels: Labels(opening.labels), ends_at };
        Standing { sight, stays: opening.stays }
    }

    /// A professional without a team, somebody who cares for others, and one who has sessions for teams.
    fn persons(&self) -> [(User, Vec<String>); 3] {
        let name = |what: &str| self.name(what, 0);
        [("person", UserType::Clinician), ("carer", UserType::Patient), ("member", UserType::Clinician)]
            .map(|(what, of)| (user(name(what), of, None), vec![]))
    }

    /// How messages name the teams, and the professional without one.
    fn parties(&self) -> Vec<String> {
        let teams = (0..TEAMS).map(|at| format!("Organization/{}", self.name("team", at)));
        teams.chain([format!("Practitioner/{}", self.person.0)]).collect()
    }

    /// Who takes part in a message that is sent, in the order of their numbers.
    fn participants(&self, draft: &Draft, of: ResourceType, is_draft: bool) -> Vec<Participant> {
        if of != ResourceType::Communication || is_draft {
            return vec![];
        }
        let party = |at: &usize| match self.teams.get(*at) {
            Some(team) => (team.0, Participant::Team(*team)),
            None => (self.person.0, Participant::Person(self.person)),
        };
        let mut all: Vec<(i64, Participant)> = draft.audience.parties.iter().map(party).collect();
        all.sort_by_key(|(number, _)| *number);
        all.into_iter().map(|(_, one)| one).collect()
    }

    /// The identifier that every resource of this world has.
    pub fn identifier(&self) -> String {
        self.name("identifier", 0)
    }

    fn patient_names(&self) -> Vec<String> {
        (0..PATIENTS).map(|at| self.name("patient", at)).collect()
    }

    /// The ids of all that can be written.
    fn ids(&self) -> Vec<String> {
        let id = |at: usize| match at.checked_sub(FIRST_PATIENT) {
            Some(patient) => self.name("patient", patient),
            None => self.name("resource", at),
        };
        (0..KINDS.len()).map(id).collect()
    }

    fn name(&self, what: &str, at: usize) -> String {
        format!("{what}-{at}-of-{}", self.number)
    }

    fn organisation(&self, at: usize) -> WantedOrganisation {
        let name = self.name("organisation", at);
        WantedOrganisation::of(&name, &name)
    }

    fn team(&self, at: usize, organisation: usize) -> WantedTeam {
        let name = self.name("team", at);
        WantedTeam::of(&name, &name, &self.name("organisation", organisation))
    }

    fn patient_user(&self, at: usize, teams: &[usize]) -> (User, Vec<String>) {
        let name = self.name("patient", at);
        let teams = teams.iter().map(|team| self.name("team", *team)).collect();
        (user(name.clone(), UserType::Patient, Some(name)), teams)
    }
}

fn user(username: String, user_type: UserType, patient_id: Option<String>) -> User {
    let password_hash = PasswordHash("nobody signs in".into());
    User {
        id: UserId(0),
        name: username.clone(),
        username,
        password_hash,
        user_type,
        patient_id,
        frozen_at: None,
        deceased: false,
        record_frozen: false,
        organisation: None,
    }
}
