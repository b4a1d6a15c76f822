//! How the engines go about searches: every table is entered by an index, and a page by one code or one target ends where it
//! is full.

use crate::bodies::BASE;
use crate::engine::{Behind, Engine};
use crate::questions::{self, Question};
use crate::stage::NOW;
use fhir::search::{controls, reading};
use fhir::types;
use rules::ids::{PatientId, TeamId};
use rules::reach::Reach;
use store::search::compile::Search;

fn texts(questions: Vec<Question>) -> Vec<(Question, String)> {
    let of_teams = |teams: &[i64]| Reach::of_teams(teams.iter().copied().map(TeamId).collect());
    let reaches = [Reach::of_patient(PatientId(1)), of_teams(&[1]), of_teams(&[1, 2])];
    let all = questions.into_iter().flat_map(|question| {
        let sort = question.sort.map(|sort| ("_sort", sort));
        let pairs = question.parameters.iter().copied().chain(sort);
        let query = reading::read(types::named(question.kind).unwrap(), pairs, BASE, NOW.0 * 1000).unwrap();
        let controls = controls::read(&query).unwrap();
        let search = Search { query: &query, sort: &controls.sort, after: None, floor: None, limit: 20 };
        reaches.iter().map(|reach| (question.clone(), store::search_text(reach, &search))).collect::<Vec<_>>()
    });
    all.collect()
}

/// Whether a question is one for which the newest, or the latest of a timeline, are walked along an index.
fn is_walk(question: &Question) -> bool {
    let walked = [
        ("identifier", "9"),
        ("identifier", "urn:nhs|9"),
        ("code", "1-8"),
        ("subject", "Patient/patient-0-of-WORLD"),
        ("patient", "patient-2-of-WORLD"),
    ];
    question.sort.is_some() || walked.iter().any(|walked| question.parameters == [*walked])
}

fn plan(connection: &rusqlite::Connection, sql: &str) -> Vec<String> {
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    statement.raw_query().mapped(|row| row.get::<_, String>(3)).collect::<Result<_, _>>().unwrap()
}

#[test]
fn what_is_searched_for_leads_to_the_rows_of_the_index_however_many_values_there_are_and_whatever_the_order() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (_store, behind) = runtime.block_on(Engine::sqlite().open());
    let Behind::Sqlite { connection, .. } = behind else { panic!("the embedded engine") };
    let asked: [&[(&str, &str)]; 6] = [
        &[("patient", "1"), ("code", "1-8")],
        &[("patient", "1,2"), ("code", "1-8,2-9")],
        &[("code", "http://loinc.org|1-8,2-9"), ("status", "final")],
        &[("patient.identifier", "9")],
        &[("patient.identifier", "9,urn:nhs|8"), ("code", "1-8")],
        &[("subject:Patient._has:Encounter:patient:identifier", "9")],
    ];
    let questions = asked.iter().flat_map(|parameters| {
        let question = |sort| Question { kind: "Observation", parameters: parameters.to_vec(), sort };
        [None, Some("-date"), Some("-date,code")].map(question)
    });
    for (question, sql) in texts(questions.collect()) {
        let plan = plan(&connection, &sql);
        let is_of_all =
            |step: &&String| ["(type=? AND parameter=?)", "resources_by_type"].iter().any(|by| step.contains(by));
        assert_eq!(plan.iter().find(is_of_all), None, "{question:?}\n{sql}\n{plan:#?}");
        let is_sorted = plan.iter().any(|step| step.contains("TEMP B-TREE FOR ORDER BY"));
        assert_eq!(is_sorted, question.sort.is_some(), "the newest are walked: {question:?}\n{sql}\n{plan:#?}");
    }
}

#[test]
fn every_table_of_a_search_is_entered_by_an_index_on_the_embedded_engine() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (_store, behind) = runtime.block_on(Engine::sqlite().open());
    let Behind::Sqlite { connection, .. } = behind else { panic!("the embedded engine") };
    let mut walks = 0;
    for (question, sql) in texts([questions::each(), questions::courses()].concat()) {
        let plan = plan(&connection, &sql);
        let found = ["SCAN f", "SCAN c", "SCAN u"];
        let is_list = |step: &&String| step.contains("VIRTUAL TABLE") || found.contains(&step.as_str());
        let scans: Vec<&String> = plan.iter().filter(|step| step.starts_with("SCAN") && !is_list(step)).collect();
        assert!(scans.is_empty(), "{question:?}\n{sql}\n{plan:#?}");
        if is_walk(&question) {
            walks += 1;
            assert!(!plan.iter().any(|step| step.contains("TEMP B-TREE")), "{question:?}\n{sql}\n{plan:#?}");
        }
    }
    assert_eq!(walks, 3 * (7 + questions::courses().len()), "each for each kind of reach");
}

#[test]
fn every_table_of_a_search_can_be_entered_by_an_index_on_postgresql() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (_store, behind) = runtime.block_on(Engine::postgres().open());
    let Behind::Postgres(client) = behind else { panic!("the other engine") };
    let ask = |sql: String| {
        let messages = runtime.block_on(client.simple_query(&sql)).unwrap_or_else(|error| panic!("{error:?} in {sql}"));
        let text = |message| match message {
            tokio_postgres::SimpleQueryMessage::Row(row) => row.get(0).map(String::from),
            _ => None,
        };
        messages.into_iter().filter_map(text).collect::<Vec<_>>().join("\n")
    };
    ask("SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan".into());
    for (question, sql) in texts([questions::each(), questions::courses()].concat()) {
        let sql = store::in_postgres(&sql);
        let count = (1..).take_while(|n| sql.contains(&format!("${n}"))).count();
        let nulls = vec!["NULL"; count].join(", ");
        let plan = ask(format!("DEALLOCATE ALL; PREPARE p AS {sql}; EXPLAIN (COSTS OFF) EXECUTE p ({nulls})"));
        assert!(!plan.contains("Seq Scan"), "{question:?}\n{sql}\n{plan}");
        if is_walk(&question) {
            assert!(!plan.contains("Sort"), "{question:?}\n{sql}\n{plan}");
        }
    }
}
