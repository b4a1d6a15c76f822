//! The people of the invented world who have no name in `world.toml`: drawn by `people`, registered with the sandbox's teams,
//! and with years of a record. Those who have a name there get years of routine care.

use super::world::{DIABETES_TEAM, LARKFIELD, MARSH_LANE, PRACTICE_TEAM, SLEEP_CLINIC};
use crate::operator::ResourceText;
use crate::operator::declaration::{Declaration, Password, UserDeclaration};
use crate::secrets::secret::Secret;
use people::Person;
use people::day::Day;
use people::subject::Subject;
use rules::scope::UserType;

/// How many there are.
pub(super) const COUNT: u64 = 36;
/// The password of each of them.
pub(super) const PASSWORD: &str = "sandbox-people-1";
/// Its hash, made once, so that the sandbox starts without hashing anything.
const PASSWORD_HASH: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$aW52ZW50ZWQgcGVvcGxlIQ$VA93KaR2PRSlhyXQSSAW5zergNrvyGga0Z4eITEZhZk";

/// Decides who they are. Another seed makes others, some of whom may have the same name.
const SEED: u64 = 28;
/// Enough for a page of results, and soon loaded.
const YEARS: i64 = 3;

/// What one team has made.
#[derive(Debug)]
pub(super) struct TeamRecords {
    pub organisation: &'static str,
    pub team: &'static str,
    pub resources: Vec<ResourceText>,
}

/// A team that makes records: its organisation, and as resources name it.
struct Maker {
    organisation: &'static str,
    team: &'static str,
    name: &'static str,
}

const MAKERS: [Maker; 3] = [
    Maker { organisation: LARKFIELD, team: SLEEP_CLINIC, name: "Sleep Clinic, Larkfield Hospitals" },
    Maker { organisation: LARKFIELD, team: DIABETES_TEAM, name: "Diabetes Team, Larkfield Hospitals" },
    Maker { organisation: MARSH_LANE, team: PRACTICE_TEAM, name: "Practice Team, Marsh CoreWorker Surgery" },
];

/// Somebody of `world.toml`.
struct NamedInhabitant {
    id: &'static str,
    name: &'static str,
    born: Day,
    is_female: bool,
    /// Who cares for them.
    team: &'static str,
    /// Height and weight, if the files say them.
    build: Option<(i64, i64)>,
}

const NAMED: [NamedInhabitant; 5] = [
    named("amina-okafor", "Amina Okafor", Day::of(1988, 3, 14), true, PRACTICE_TEAM, Some((168, 845))),
    named("bryn-castellane", "Bryn Castellane", Day::of(1954, 1, 9), false, PRACTICE_TEAM, Some((174, 913))),
    named("chen-alderton", "Chen Alderton", Day::of(1971, 6, 25), true, PRACTICE_TEAM, None),
    named("dorota-finch", "Dorota Finch", Day::of(2001, 11, 2), true, SLEEP_CLINIC, None),
    named("elias-thornby", "Elias Thornby", Day::of(1946, 7, 30), false, DIABETES_TEAM, None),
];

const fn named(
    id: &'static str,
    name: &'static str,
    born: Day,
    is_female: bool,
    team: &'static str,
    build: Option<(i64, i64)>,
) -> NamedInhabitant {
    NamedInhabitant { id, name, born, is_female, team, build }
}

/// Their accounts. All are registered with the practice; two of three also with the team of the hospital that cares for them.
pub(super) fn declaration() -> Declaration {
    let users = MAKERS.iter().flat_map(|maker| of(maker).map(|person| user(maker, &person)));
    Declaration { users: users.collect(), ..Declaration::default() }
}

/// All records, by the team that made them.
pub(super) fn records() -> impl Iterator<Item = TeamRecords> {
    MAKERS.iter().map(|maker| {
        let mut texts: Vec<String> = of(maker).flat_map(|person| person.resources(YEARS).collect::<Vec<_>>()).collect();
        texts.extend(subjects(maker).flat_map(|subject| people::routine(&subject, SEED, YEARS)));
        let given = |(line, json)| ResourceText { at: format!("{}:{}", maker.name, line + 1), json };
        let resources = texts.into_iter().enumerate().map(given).collect();
        TeamRecords { organisation: maker.organisation, team: maker.team, resources }
    })
}

/// The first of them, for those who are told of them all.
pub(super) fn first() -> Option<UserDeclaration> {
    let maker = MAKERS.first()?;
    of(maker).next().map(|person| user(maker, &person))
}

/// The people of one team: every third.
fn of(maker: &Maker) -> impl Iterator<Item = Person> {
    let own = MAKERS.iter().position(|one| one.team == maker.team).unwrap_or_default();
    let numbers = (0..COUNT).skip(own).step_by(MAKERS.len());
    numbers.map(|number| Person::drawn(SEED, number, maker.name))
}

fn subjects(maker: &Maker) -> impl Iterator<Item = Subject> {
    let own = NAMED.iter().filter(|named| named.team == maker.team);
    own.map(|named| Subject {
        id: named.id.into(),
        name: named.name.into(),
        born: named.born,
        is_female: named.is_female,
        carer: maker.name.into(),
        build: named.build,
    })
}

fn user(maker: &Maker, person: &Person) -> UserDeclaration {
    let mut teams = vec![PRACTICE_TEAM.to_owned()];
    teams.extend((maker.team != PRACTICE_TEAM).then(|| maker.team.to_owned()));
    UserDeclaration {
        at: "the sandbox".into(),
        username: format!("{}.{}", person.given, person.family).to_lowercase(),
        password: Password::Hash(Secret::new(PASSWORD_HASH.into())),
        user_type: UserType::Patient,
        name: person.subject.name.clone(),
        patient: Some(person.subject.id.clone()),
        teams,
        organisation: None,
        consents: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn everybody_has_a_user_name_of_their_own() {
        let names: BTreeSet<String> = declaration().users.into_iter().map(|user| user.username).collect();
        assert_eq!(names.len() as u64, COUNT);
    }

    #[test]
    fn every_record_is_valid_fhir() {
        let expectation = fhir::validation::Expectation {
            resource_type: None,
            id: None,
            shape: crate::preparation::SHAPE,
            issues: 5,
        };
        for given in records().flat_map(|records| records.resources).step_by(5) {
            let issues = fhir::validation::validate(&given.json, &expectation);
            assert!(issues.is_empty(), "{issues:?} in {}", given.json);
        }
    }
}
