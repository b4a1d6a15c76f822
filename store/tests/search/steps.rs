//! Hidden things change no step: what a caller cannot see costs a question the same, whatever else is asked. Steps are those of
//! SQLite's machine; on PostgreSQL, how often each node of a plan ran and what it gave.

use crate::asked::{Asked, statements, steps, work};
use crate::bodies::{self, BASE, Draft, KINDS, id};
use crate::engine::{Behind, Engine};
use crate::questions::{self, Question};
use crate::stage::{NOW, Stage, organisation};
use fhir::search::belonging;
use fhir::search::query::Query;
use fhir::types::{self, ResourceType};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use rules::consent::viewer::OpenGlass;
use rules::ids::UserId;
use rules::reach::{Reach, Source};
use rusqlite::types::Value;
use std::cell::Cell;
use store::{organisations, world};

/// A type, the parameters of a search of it, and what comes behind them.
type NamedSearch<'s> = (&'static str, &'s [(&'static str, &'s str)], Option<&'static str>);

const CASES: u32 = 4;
const QUESTIONS: usize = 12;
/// The place of a patient whom nobody sees but an organisation that nobody looks through.
const HIDDEN: usize = 7;
/// Steps of a look at a hidden row to which a value leads: its place in the index, and whether it is in reach.
const STEPS_OF_A_LOOK: i64 = 250;
/// Looks that one value of a random question can lead to: a composite has one for each of the codings, in each of its places.
const MOST_LOOKS: i64 = 4;
/// Steps between finding a patient's number and finding none.
const STEPS_OF_A_NUMBER: i64 = 10;

/// Somebody whom nobody of the world looks through, and who writes about the hidden patient.
pub async fn outsider(stage: &Stage<'_>) -> Source {
    let name = format!("outsider-of-{}", stage.world);
    let declared = world::World { organisations: vec![organisation(&name)], ..world::World::default() };
    world::apply(stage.store, declared, NOW).await.unwrap();
    Source::Organisation(organisations::find(stage.store, &name).await.unwrap().unwrap().id)
}

/// A draft in a place of its own, about the hidden patient or nobody.
fn hidden(draft: &Draft, world: usize) -> String {
    let place = HIDDEN + draft.place;
    let body = bodies::body(&Draft { place, ..draft.clone() }, world);
    let anybody = (0..bodies::PLACES).map(|place| id(0, place, world));
    anybody.fold(body, |body, known| {
        body.replace(&format!("Patient/{known}"), &format!("Patient/{}", id(0, HIDDEN, world)))
    })
}

/// Random worlds, before and after an outsider writes about a patient out of reach: whatever is asked beside what leads to a hidden
/// row, the row costs no more than the look whether it is in reach.
#[test]
fn no_clause_of_a_question_is_tried_on_what_is_out_of_reach_on_the_embedded_engine() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (store, behind) = runtime.block_on(Engine::sqlite().open());
    let Behind::Sqlite { connection, .. } = behind else { panic!("the embedded engine") };
    let config = Config { cases: CASES, max_shrink_iters: 0, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let drafts = || prop::collection::vec(bodies::draft(), 4..12);
    let (worlds, costlier) = (Cell::new(0), Cell::new(0));
    let case = (drafts(), drafts(), prop::collection::vec(questions::question(), QUESTIONS));
    let outcome = runner.run(&case, |(seen, unseen, questions)| {
        let world = worlds.replace(worlds.get() + 1);
        let is_record = |draft: &&Draft| !types::named(KINDS[draft.kind]).unwrap().is_public();
        let unseen: Vec<String> = unseen.iter().filter(is_record).map(|draft| hidden(draft, world)).collect();
        runtime
            .block_on(async {
                let mut stage = Stage::set(&store, world).await;
                for draft in &seen {
                    stage.write(draft).await;
                }
                let asked: Vec<Asked> = questions.iter().map(|question| asked(question, world).costly()).collect();
                let all = || {
                    stage.reaches().into_iter().flat_map(|reach| asked.iter().map(move |asked| (reach.clone(), asked)))
                };
                let before: Vec<i64> =
                    all().map(|(reach, asked)| steps(&connection, &asked.statements(&reach))).collect();
                let outsider = outsider(&stage).await;
                for body in &unseen {
                    stage.put(body, outsider).await;
                }
                for ((reach, asked), before) in all().zip(before) {
                    let more = steps(&connection, &asked.statements(&reach)) - before;
                    costlier.set(costlier.get() + usize::from(more > 0));
                    // A page, along each value, and a count.
                    let looks = i64::try_from(unseen.len() * (asked.statements(&reach).len() + 1)).unwrap();
                    if more > looks * MOST_LOOKS * STEPS_OF_A_LOOK {
                        let (kind, asked) = (asked.kind, asked.parameters.first());
                        return Err(format!(
                            "{kind}?{asked:?} costs {reach:?} {more} more for {} hidden rows",
                            unseen.len()
                        ));
                    }
                }
                Ok(())
            })
            .map_err(TestCaseError::fail)
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
    assert!(costlier.get() > 50, "questions lead to hidden rows: {}", costlier.get());
}

fn asked(question: &Question, world: usize) -> Asked {
    let of_world =
        |text: &str| text.replace("patient-2", &format!("patient-{HIDDEN}")).replace("WORLD", &world.to_string());
    let parameters = question.parameters.iter().map(|(name, value)| ((*name).to_owned(), of_world(value)));
    Asked { kind: question.kind, parameters: parameters.collect(), sort: question.sort }
}

/// Whoever looks: those of the world, a member of a team, one who broke the glass to another record, a carer, and a professional to
/// whom nobody opened anything.
fn onlookers(stage: &Stage<'_>) -> Vec<Reach> {
    let (user, team) = (UserId(900_001), stage.teams[0]);
    let member = Reach::of_member(user, vec![team]);
    let glass = OpenGlass { patient: stage.patients[2], team, until: NOW.plus_seconds(60) };
    let consented = [
        member.clone().through_glass(glass),
        member,
        Reach::of_carer(user, stage.patients[0]),
        Reach::of_individual(user),
    ];
    stage.reaches().into_iter().chain(consented).collect()
}

/// A hidden patient with what would be found, and one who does not exist.
const SECRET: &str = "patient-7-of-0";
const NOBODY: &str = "patient-9-of-0";
const NHS_NUMBER: &str = "9434765919";

async fn write_secret(stage: &Stage<'_>, rows: usize) {
    let outsider = outsider(stage).await;
    let patient = format!(
        r#"{{"resourceType":"Patient","id":"{SECRET}","identifier":[{{"system":"urn:nhs","value":"{NHS_NUMBER}"}}]}}"#
    );
    stage.put(&patient, outsider).await;
    for at in 0..rows {
        let code = r#""code":{"coding":[{"system":"urn:icd","code":"B20"}]}"#;
        let of = |kind: &str, more: &str| {
            format!(
                r#"{{"resourceType":"{kind}","id":"{kind}-{at}",{code},"subject":{{"reference":"Patient/{SECRET}"}}{more}}}"#
            )
        };
        stage.put(&of("Condition", ""), outsider).await;
        stage.put(&of("Observation", r#","status":"final","effectiveDateTime":"2020-01-01""#), outsider).await;
    }
}

/// Questions that name a patient of whom nothing is in reach.
fn about_a_patient() -> Vec<Asked> {
    let patient = format!("Patient/{SECRET}");
    let named: [NamedSearch<'_>; 8] = [
        ("Condition", &[("patient", SECRET), ("code", "B20,zz")], None),
        ("Condition", &[("code", "B20"), ("subject", &patient)], Some("code")),
        ("Observation", &[("patient", SECRET), ("code", "urn:icd|B20")], Some("-date")),
        ("Observation", &[("subject", SECRET)], None),
        ("Observation", &[("patient", SECRET), ("date", "gt2019")], Some("-_lastUpdated")),
        ("Observation", &[("subject", &patient), ("patient.identifier", NHS_NUMBER)], None),
        ("Observation", &[("patient", SECRET), ("subject:Patient.identifier:not", "1,2,3")], Some("date")),
        ("Encounter", &[("patient", SECRET), ("_has:Observation:encounter:code", "B20")], None),
    ];
    named.into_iter().map(|(kind, parameters, sort)| Asked::new(kind, parameters, sort).costly()).collect()
}

#[test]
fn to_ask_about_a_hidden_patient_is_to_ask_about_nobody_on_the_embedded_engine() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (store, behind) = runtime.block_on(Engine::sqlite().open());
    let Behind::Sqlite { connection, .. } = behind else { panic!("the embedded engine") };
    let stage = runtime.block_on(Stage::set(&store, 0));
    runtime.block_on(write_secret(&stage, 5));
    for reach in onlookers(&stage) {
        for asked in about_a_patient() {
            let of = |asked: &Asked| steps(&connection, &asked.statements(&reach));
            let (hidden, nobody) = (of(&asked), of(&asked.about(SECRET, NOBODY)));
            is_as_nobody(&reach, &asked.statements(&reach), hidden, nobody);
        }
        let compartment = |patient: &str| {
            let clauses =
                vec![belonging::belonging(ResourceType::Patient, patient, ResourceType::Observation).unwrap()];
            let (resource_type, base) = (ResourceType::Observation, BASE.to_owned());
            statements(&reach, &Query { resource_type, clauses, base, controls: vec![] }, &[])
        };
        let [hidden, nobody] = [SECRET, NOBODY].map(|patient| steps(&connection, &compartment(patient)));
        is_as_nobody(&reach, &compartment(SECRET), hidden, nobody);
    }
}

/// A patient's own session makes the same steps. A viewer's asks for the patient's number, which is there or is not, wherever the text
/// has the id.
fn is_as_nobody(reach: &Reach, asked: &[(String, Vec<Value>)], hidden: i64, nobody: i64) {
    let looks: usize = asked.iter().map(|(sql, _)| sql.matches("FROM patients p").count()).sum();
    let most = match reach.own() {
        Some(_) => 0,
        None => i64::try_from(looks).unwrap() * STEPS_OF_A_NUMBER,
    };
    assert!((hidden - nobody).abs() <= most, "{hidden} instead of {nobody} for {reach:?}: {asked:?}");
}

#[test]
fn whether_a_value_is_that_of_something_hidden_costs_one_look_whatever_else_is_asked() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (store, behind) = runtime.block_on(Engine::sqlite().open());
    let Behind::Sqlite { connection, .. } = behind else { panic!("the embedded engine") };
    let stage = runtime.block_on(Stage::set(&store, 0));
    runtime.block_on(write_secret(&stage, 1));
    let questions: [(&str, &str, Option<&str>); 6] = [
        ("Patient", "identifier", None),
        ("Patient", "identifier", Some("-birthdate")),
        ("Observation", "patient.identifier", None),
        ("Observation", "patient.identifier", Some("-date")),
        ("Encounter", "subject:Patient.identifier", None),
        ("Practitioner", "_has:Patient:general-practitioner:identifier", None),
    ];
    for reach in onlookers(&stage) {
        for (kind, name, sort) in questions {
            let more = |costly: bool| {
                let of = |value: &str| {
                    let asked = Asked::new(kind, &[(name, value)], sort);
                    let asked = if costly { asked.costly() } else { asked };
                    steps(&connection, &asked.statements(&reach))
                };
                of(NHS_NUMBER) - of("1")
            };
            let (plain, costly) = (more(false), more(true));
            assert!(plain <= 2 * STEPS_OF_A_LOOK, "{kind}?{name} costs {plain} more for {reach:?}");
            assert!(costly <= 2 * STEPS_OF_A_LOOK, "{kind}?{name} costs {costly} more with clauses for {reach:?}");
        }
    }
}

#[test]
fn to_ask_about_a_hidden_patient_is_to_ask_about_nobody_on_postgresql() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (store, behind) = runtime.block_on(Engine::postgres().open());
    let Behind::Postgres(client) = behind else { panic!("the other engine") };
    let stage = runtime.block_on(Stage::set(&store, 0));
    runtime.block_on(write_secret(&stage, 5));
    let work = |asked: &Asked, reach: &Reach| {
        asked.statements(reach).iter().map(|(sql, args)| runtime.block_on(work(&client, sql, args))).sum::<i64>()
    };
    for reach in onlookers(&stage) {
        for asked in about_a_patient() {
            let (hidden, nobody) = (work(&asked, &reach), work(&asked.about(SECRET, NOBODY), &reach));
            is_as_nobody(&reach, &asked.statements(&reach), hidden, nobody);
        }
        // What leads to a hidden row by its value leads to none of the clauses beside it, which would go through hundreds of values.
        for (kind, name) in [("Patient", "identifier"), ("Observation", "patient.identifier")] {
            let of = |value: &str| work(&Asked::new(kind, &[(name, value)], None).costly(), &reach);
            let more = of(NHS_NUMBER) - of("1");
            assert!(more <= 200, "{kind}?{name} runs {more} more for {reach:?}");
        }
    }
}
