//! Every way to a resource, tried with every reach: what the store says is what the rules say.

use crate::cases::{Case, Onlooker};
use crate::facts::Kept;
use crate::stage::{NOW, Stage};
use fhir::search::reading;
use fhir::types::ResourceType;
use rules::consent::standing::Standing;
use rules::consent::viewer::OpenGlass;
use rules::ids::PatientId;
use rules::moment::Moment;
use rules::reach::{Reach, Right, right};
use rules::smart::permissions::Permissions;
use rules::smart::request::SmartScopes;
use std::collections::BTreeSet;
use store::history::window::HistoryWindow;
use store::history::{type_history, versions};
use store::read;
use store::search::{compile, post_filter};
use store::stored::resource::Resource;

/// Milliseconds in which some of the openings end.
const LATER: i64 = 2;

/// Types without a parameter for identifiers.
const NOT_IDENTIFIED: [ResourceType; 3] = [ResourceType::AuditEvent, ResourceType::Binary, ResourceType::Provenance];

/// Scopes of sessions, and what is needed of them.
const LENSES: [(&str, Permissions); 6] = [
    ("patient/Observation.rs patient/Patient.rs patient/Practitioner.rs", Permissions::READ),
    ("patient/*.rs", Permissions::READ),
    ("user/Observation.rs?category=urn:categories|even patient/DocumentReference.rs user/Binary.rs", Permissions::READ),
    (
        "patient/Observation.rs?category=odd&category=urn:categories|odd user/Communication.read user/Consent.r",
        Permissions::READ,
    ),
    ("user/*.cruds", Permissions::ALL),
    ("user/*.rs patient/Observation.cu?category=urn:categories|odd", Permissions::ALL),
];

/// Of one place: which resource, and by which right.
type Finding = (String, Right);

pub async fn hold(stage: &Stage<'_>, case: &Case) -> Result<(), String> {
    let sight = stage.world.sight(&stage.patients);
    for reach in reaches(stage, case) {
        let look = Look { stage, reach: &reach, sight: &sight, now: NOW };
        for kept in &stage.world.kept {
            look.reads(kept).await?;
            look.reads_versions(kept).await?;
        }
        look.reads_changes().await?;
        look.searches().await?;
        // What was open a moment ago may be over, whatever is remembered of it.
        let later = Look { now: Moment(NOW.0 + LATER), ..look };
        for kept in &stage.world.kept {
            later.reads(kept).await?;
        }
    }
    Ok(())
}

fn reaches(stage: &Stage<'_>, case: &Case) -> Vec<Reach> {
    let teams = |teams: &[usize]| teams.iter().map(|at| stage.teams[*at]).collect::<Vec<_>>();
    let reach = |viewer: &Onlooker| match viewer {
        Onlooker::Own(at) => Reach::of_patient(stage.patients[*at]),
        Onlooker::Carer(at) => Reach::of_carer(stage.carer, stage.patients[*at]),
        Onlooker::Person => Reach::of_individual(stage.person),
        Onlooker::Teams(some) => Reach::of_teams(teams(some)),
        Onlooker::Member(some) => Reach::of_member(stage.member, teams(some)),
        Onlooker::Glass { team, patient } => {
            let (team, patient) = (stage.teams[*team], stage.patients[*patient]);
            let glass = OpenGlass { patient, team, until: Moment(NOW.0 + 60_000) };
            Reach::of_member(stage.member, vec![team]).through_glass(glass)
        }
        Onlooker::Organisation { organisation, through } => {
            Reach::of_organisation_through(stage.organisations[*organisation], teams(through))
        }
    };
    let nobody = [Reach::of_patient(PatientId(0)), Reach::of_teams(vec![])];
    // Every third looks through a lens, with the first patient in context.
    let lensed = |(at, reach): (usize, Reach)| {
        let (scopes, needed) = LENSES[(at / 3 + case.steps.len()) % LENSES.len()];
        let lens = SmartScopes::kept(scopes).lens(Some(stage.patients[0])).unwrap();
        match at % 3 {
            2 => reach.through_lens(lens).aimed_at(needed).into_owned(),
            _ => reach,
        }
    };
    case.viewer.iter().map(reach).enumerate().map(lensed).chain(nobody).collect()
}

struct Look<'l, 's> {
    stage: &'l Stage<'s>,
    reach: &'l Reach,
    sight: &'l [Standing],
    now: Moment,
}

impl Look<'_, '_> {
    async fn reads(&self, kept: &Kept) -> Result<(), String> {
        let expected = self.stage.world.read(kept, self.reach, self.sight, self.now);
        // The second answer may come from memory.
        for _ in 0..2 {
            let found = read::read(self.stage.store, self.reach, kept.resource_type, &kept.id, self.now).await.unwrap();
            self.same_eyes(kept, found.as_deref())?;
            let found = found.map(|found| (found.version, found.right));
            let newest = i64::try_from(kept.versions.len()).unwrap();
            self.same("read", kept, &found, &expected.map(|right| (newest, right)))?;
        }
        Ok(())
    }

    async fn reads_versions(&self, kept: &Kept) -> Result<(), String> {
        let (store, of) = (self.stage.store, (kept.resource_type, kept.id.as_str()));
        let mut past = Vec::new();
        for version in 1..=kept.versions.len() + 1 {
            let number = i64::try_from(version).unwrap();
            let is_there = version <= kept.versions.len();
            let read = || self.stage.world.read_version(kept, version, self.reach, self.sight, self.now);
            let expected = is_there.then(read).flatten().map(|right| (number, right));
            let found = versions::read(store, self.reach, of, number, self.now).await.unwrap();
            self.same_eyes(kept, found.as_deref())?;
            self.same("version", kept, &found.map(|found| (found.version, found.right)), &expected)?;
            past.extend(expected);
        }
        past.reverse();
        let found = versions::history(store, self.reach, of, (&HistoryWindow::ALL, i64::MAX, 100), self.now)
            .await
            .unwrap()
            .entries;
        self.same("history", kept, &found.iter().map(|found| (found.version, found.right)).collect(), &past)
    }

    /// The history of each type, and of everything, has the versions that the rules show, each once and newest first.
    async fn reads_changes(&self) -> Result<(), String> {
        let (kept, mut types) = (&self.stage.world.kept, BTreeSet::new());
        let mut expected = BTreeSet::new();
        // A Binary that a document opens is in no history but its own.
        for kept in kept.iter().filter(|kept| kept.resource_type != ResourceType::Binary) {
            types.insert(kept.resource_type);
            for version in 1..=kept.versions.len() {
                let right = self.stage.world.read_version(kept, version, self.reach, self.sight, self.now);
                let number = i64::try_from(version).unwrap();
                expected.extend(right.map(|right| (kept.id.clone(), number, right.number())));
            }
        }
        let all = async |of: Option<ResourceType>| {
            let page = (&HistoryWindow::ALL, None, 100_000);
            let found = type_history::changes(self.stage.store, self.reach, of, page, self.now).await.unwrap().entries;
            assert!(found.is_sorted_by_key(|found| std::cmp::Reverse(type_history::HistoryPosition::of(found))));
            // The database has other worlds, too.
            let is_ours = |found: &&std::sync::Arc<Resource>| {
                let mut kept = kept.iter().filter(|kept| kept.resource_type != ResourceType::Binary);
                kept.any(|kept| (kept.resource_type, &kept.id) == (found.resource_type, &found.id))
            };
            let told = |found: &std::sync::Arc<Resource>| (found.id.clone(), found.version, found.right.number());
            found.iter().filter(is_ours).map(told).collect::<Vec<_>>()
        };
        let mut by_type = Vec::new();
        for of in types {
            by_type.extend(all(Some(of)).await);
        }
        for mut found in [by_type, all(None).await] {
            found.sort();
            self.same("changes", &kept[0], &found, &expected.iter().cloned().collect())?;
        }
        Ok(())
    }

    /// By a list of ids, by the identifier that all have, and by both.
    async fn searches(&self) -> Result<(), String> {
        let types: BTreeSet<ResourceType> = self.stage.world.kept.iter().map(|kept| kept.resource_type).collect();
        let identifier = self.stage.identifier();
        for resource_type in types {
            let all: Vec<&Kept> =
                self.stage.world.kept.iter().filter(|kept| kept.resource_type == resource_type).collect();
            let ids = all.iter().map(|kept| kept.id.as_str()).collect::<Vec<_>>().join(",");
            let expected: Vec<Finding> = all.iter().rev().filter_map(|kept| self.finding(kept)).collect();
            let (by_ids, by_token) = (("_id", ids.as_str()), ("identifier", identifier.as_str()));
            let queries: &[&[(&str, &str)]] = match NOT_IDENTIFIED.contains(&resource_type) {
                true => &[&[by_ids]],
                false => &[&[by_ids], &[by_token], &[by_ids, by_token]],
            };
            // Others have searched before; the second time all that this caller finds may be remembered.
            for query in queries.iter().chain(queries) {
                let found = self.pages(resource_type, query).await?;
                self.same(&format!("search by {query:?}"), all[0], &found, &expected)?;
            }
        }
        Ok(())
    }

    /// What callers' search finds, the newest first, in pages of two.
    async fn pages(&self, resource_type: ResourceType, query: &[(&str, &str)]) -> Result<Vec<Finding>, String> {
        let query = reading::read(resource_type, query.iter().copied(), "https://records.example.org/fhir", 0).unwrap();
        let mut search = compile::Search { query: &query, sort: &[], after: None, floor: None, limit: 2 };
        let mut all = Vec::new();
        loop {
            let page = post_filter::page(self.stage.store, self.reach, &search, self.now).await.unwrap().entries;
            let Some(last) = page.last() else { return Ok(all) };
            search.after = Some(last.place.clone());
            all.extend(self.findings(page.iter().map(|found| &*found.resource))?);
        }
    }

    fn finding(&self, kept: &Kept) -> Option<Finding> {
        Some((kept.id.clone(), right(self.reach, &kept.item, self.sight, self.now)?))
    }

    fn findings<'f>(&self, page: impl Iterator<Item = &'f Resource>) -> Result<Vec<Finding>, String> {
        let finding = |found: &Resource| {
            let kept = self.stage.world.kept.iter().find(|kept| kept.id == found.id).expect("a known resource");
            self.same_eyes(kept, Some(found))?;
            Ok((found.id.clone(), found.right))
        };
        page.map(finding).collect()
    }

    /// Whether a resource was seen through the eyes that the rules say.
    fn same_eyes(&self, kept: &Kept, found: Option<&Resource>) -> Result<(), String> {
        let Some(found) = found else { return Ok(()) };
        let rules = self.stage.world.viewer(kept, found.right, self.reach, self.sight, self.now);
        if rules.contains(&found.viewer) {
            return Ok(());
        }
        let (sql, reach, sight) = (found.viewer, self.reach, self.sight);
        Err(format!("viewer: SQL says {sql:?}, the rules say {rules:?}, of {kept:?} to {reach:?} with {sight:?}"))
    }

    fn same<T: PartialEq + std::fmt::Debug>(&self, what: &str, kept: &Kept, sql: &T, rules: &T) -> Result<(), String> {
        if sql == rules {
            return Ok(());
        }
        let (reach, sight) = (self.reach, self.sight);
        Err(format!("{what}: SQL says {sql:?}, the rules say {rules:?}, of {kept:?} to {reach:?} with {sight:?}"))
    }
}
