//! Every SQL statement of the store is one that the database can prepare, and none is left out of the lists.

use crate::home;
use crate::world::World;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

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

/// A file of the store above the engines: its module's name, and its text without comments and tests.
struct Source {
    module: String,
    code: String,
}

fn sources() -> Vec<Source> {
    fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("the store's source") {
            let path = entry.unwrap().path();
            if path.is_dir() { walk(&path, files) } else { files.push(path) }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    walk(&root, &mut files);
    // What is in the engines' own folders is theirs alone, and the ground floor makes statements of all tables; but the
    // outboxes are its own.
    let above = |path: &PathBuf| ["postgres", "sqlite", "sql"].iter().all(|floor| !path.starts_with(root.join(floor)));
    let own = |path: &&PathBuf| above(path) || path.ends_with("sql/outbox.rs");
    let source = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
        Source { module: path.file_stem().unwrap().to_str().unwrap().to_owned(), code }
    };
    files.iter().filter(own).map(source).collect()
}

/// The text between a brace that was just opened and its partner.
fn block(code: &str) -> &str {
    let mut open = 1;
    let end = code.find(|c| {
        open += i32::from(c == '{') - i32::from(c == '}');
        open == 0
    });
    &code[..end.expect("a brace that closes")]
}

/// The statements in a file's list: each is a name, `=` and a value that ends with `;`.
fn listed(source: &Source) -> usize {
    let Some((_, list)) = source.code.split_once("statements! {") else { return 0 };
    block(list).split(";\n").filter(|statement| statement.contains(" = ")).count()
}

/// Kinds of reach, each of which has its own text of a statement, without a lens and with one.
const REACHES: usize = 6 * 2;

#[test]
fn every_list_of_statements_is_in_the_list_of_all() {
    let sources = sources();
    let all = &sources.iter().find(|source| source.module == "lib").expect("lib.rs").code;
    let mut listed_in_all = 0;
    for source in &sources {
        let count = listed(source);
        // With what comes before it: the name of one file may be the end of another's.
        let is_in_all =
            [" ", "::"].iter().any(|before| all.contains(&format!("{before}{}::STATEMENTS", source.module)));
        assert_eq!(count > 0, is_in_all, "{}", source.module);
        listed_in_all += count;
    }
    let scoped = sources.iter().map(|source| source.code.matches("Scoped::new(").count()).sum::<usize>();
    assert_eq!(store::scoped_statements().len(), REACHES * scoped, "one text for each kind of reach");
    let longer =
        sources.iter().map(|source| source.code.matches("Statement::new(\"store::records::").count()).sum::<usize>();
    assert_eq!(store::statements().len(), listed_in_all + REACHES * scoped + longer);
}

/// The code of a file without its list of statements and the macros that its list is written with.
fn outside(code: &str) -> String {
    let (mut outside, mut rest) = (String::new(), code);
    while let Some(at) = ["statements! {", "macro_rules! "].iter().filter_map(|start| rest.find(start)).min() {
        outside.push_str(&rest[..at]);
        let (_, inside) = rest[at..].split_once('{').expect("a block");
        rest = &inside[block(inside).len()..];
    }
    outside + rest
}

#[test]
fn no_sql_is_outside_the_lists_but_what_is_made_for_each_reach_or_with_the_numbers_of_types() {
    const MADE: [&str; 29] = [
        "attachments",
        "binary",
        "cached_page",
        "circle",
        "clauses",
        "compartment",
        "compile",
        "condition",
        "delays",
        "identities",
        "includes",
        "inventory",
        "lens",
        "lookup",
        "messages",
        "missing",
        "named_patient",
        "ownership",
        "parties",
        "read",
        "receipts",
        "resource",
        "snapshot",
        "sort",
        "tokens",
        "type_history",
        "versions",
        "why",
        "window",
    ];
    for source in sources() {
        let outside = outside(&source.code);
        let has_sql = ["SELECT ", "INSERT INTO ", "UPDATE ", "DELETE FROM "].iter().any(|verb| outside.contains(verb));
        assert_eq!(has_sql, MADE.contains(&source.module.as_str()), "{}", source.module);
    }
}
