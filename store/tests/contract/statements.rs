//! Every SQL statement of the store is one that the database can prepare, and none is left out of the lists.

use crate::home;
use crate::world::World;
use std::collections::BTreeSet;
use std::path::Path;
use store::searching;

#[tokio::test]
async fn every_statement_is_prepared_on_a_real_store() {
    let w = World::new().await;
    let connection = home::beside(w.home.path());
    for sql in store::statements() {
        if let Err(error) = connection.prepare(&sql) {
            panic!("{error} in {sql}");
        }
    }
}

#[tokio::test]
async fn no_statement_names_its_parameters_with_a_gap() {
    let w = World::new().await;
    let connection = home::beside(w.home.path());
    for sql in store::statements() {
        let statement = connection.prepare(&sql).unwrap();
        let named: BTreeSet<usize> = (1..=statement.parameter_count())
            .map(|at| statement.parameter_name(at).and_then(|name| name[1..].parse().ok()).expect("$ and a number"))
            .collect();
        assert_eq!(named, (1..=named.len()).collect(), "of {sql}");
    }
}

#[test]
fn every_statement_in_the_source_is_in_the_list_of_its_file_and_every_list_in_the_list_of_all() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut listed = 0;
    // What is in the engines' own folders is theirs alone.
    let folders = [source.clone(), source.join("sessions")];
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("the store's source"));
    for entry in files {
        let path = entry.unwrap().path();
        let Ok(code) = std::fs::read_to_string(&path) else { continue };
        let code = code.replace("\npub(crate) const ", "\nconst ");
        let list = list_of(&code);
        for name in statements_in(&code) {
            let words: Vec<&str> = list.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
            assert!(words.contains(&name), "{name} of {} is in no list of statements", path.display());
            listed += 1;
        }
    }
    // The two reads within a reach are one for each of its three kinds. A search grows from a constant that is none by
    // itself; another text is made by a function.
    assert_eq!(store::statements().len(), listed + 2 * 2 + (searching::statements().len() - 1) + 1);
}

/// The names of the constants that are SQL.
fn statements_in(code: &str) -> Vec<&str> {
    let constants = code.split("\nconst ").skip(1);
    let sql = constants.filter(|constant| {
        let text = constant.split(";\n").next().unwrap_or_default();
        let (_, value) = text.split_once('=').unwrap_or_default();
        let value = value.trim_start();
        let verbs = ["\"SELECT ", "\"INSERT ", "\"UPDATE ", "\"DELETE "];
        let macros = ["_where!(", "_with!(", "within!(", "by_id!("];
        verbs.iter().any(|verb| value.starts_with(verb))
            || macros.iter().any(|written| value.split_inclusive('(').next().unwrap_or_default().ends_with(written))
    });
    sql.filter_map(|constant| constant.split(':').next()).collect()
}

/// The text of a file's list of statements.
fn list_of(code: &str) -> &str {
    let start = code.find("pub const STATEMENTS").or_else(|| code.find("pub fn statements()"));
    let list = start.and_then(|start| code.get(start..)).unwrap_or_default();
    list.split("\n\n").next().unwrap_or_default()
}
