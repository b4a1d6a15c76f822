//! The operations that docs/rest.md lists, for the test that holds the list of routes to them.

use crate::tables::marked;

/// A method and a path, and who may call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The number of its row.
    pub number: u32,
    pub method: String,
    /// Without a prefix: `/allergies/{id}`.
    pub path: String,
    /// As a session's scope is written; none where no token is needed.
    pub scopes: Vec<&'static str>,
}

/// What `{kind}` stands for.
pub const KINDS: [&str; 5] = ["allergies", "medications", "diagnoses", "symptoms", "journal"];

/// All operations of the tables under `<!-- ops -->`, each method and path by itself.
#[must_use]
pub fn operations(page: &str) -> Vec<Operation> {
    let rows = marked(page, "ops").into_iter().flat_map(|table| table.rows);
    rows.flat_map(|row| of_row(&row)).collect()
}

fn of_row(row: &[String]) -> Vec<Operation> {
    let [number, methods, paths, scopes, takes, ..] = row else { return Vec::new() };
    let Ok(number) = number.parse() else { return Vec::new() };
    let paths: Vec<&str> = paths.split('`').skip(1).step_by(2).collect();
    let further = takes.split_whitespace().zip(takes.split_whitespace().skip(1));
    let further = further.filter(|(_, word)| word.trim_end_matches(['.', ',', ';']) == "too").map(|(method, _)| method);
    let methods: Vec<&str> = methods.split_whitespace().chain(further).collect();
    let mut operations = Vec::new();
    for (at, path) in paths.iter().enumerate() {
        let kinds: &[&str] = if path.contains("{kind}") { &KINDS } else { &[""] };
        for (kind, method) in kinds.iter().flat_map(|kind| methods.iter().map(move |method| (*kind, *method))) {
            let Some(scopes) = allowed(scopes, at, kind) else { continue };
            let path = path.replace("{kind}", kind);
            operations.push(Operation { number, method: method.into(), path, scopes });
        }
    }
    operations
}

/// The scopes of a path: those of its place between the semicolons, or of all where there are none. `None` where nobody may.
fn allowed(cell: &str, at: usize, kind: &str) -> Option<Vec<&'static str>> {
    // Section 14 says who an author may be.
    let cell = if cell == "author" { "P C S" } else { cell };
    let (plain, exception) =
        cell.split_once('(').map_or((cell, ""), |(plain, rest)| (plain, rest.trim_end_matches(')')));
    let places: Vec<&str> = plain.split(';').collect();
    let own = if places.len() == 1 { plain } else { places.get(at)?.trim() };
    // A path of both kinds of callers takes them all.
    let own = if own.trim() == "both" { plain } else { own };
    let mut scopes = letters(own);
    if let Some((of, only)) = exception.split_once(": ")
        && of == kind
    {
        let only = letters(only);
        scopes.retain(|scope| only.contains(scope));
        if scopes.is_empty() {
            return None;
        }
    }
    Some(scopes)
}

fn letters(text: &str) -> Vec<&'static str> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words
        .filter_map(|word| match word {
            "P" => Some("PATIENT"),
            "C" => Some("CLINICIAN"),
            "T" => Some("TEAMCOORD"),
            "S" => Some("SITE"),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "\
<!-- ops -->
| # | method | path | scopes | in | out |
|---|---|---|---|---|---|
| 4 | GET | `/users/{id}/token` | C T S | POST too | x |
| 8 | GET | `/types` | – | – | x |
| 16 | POST | `/{kind}`, `/{kind}/forPatient/{patientId}` | P; C S (journal: P only) | one | x |
| 34 | PUT DELETE | `/messages/{id}` | author | drafts | x |
| 36 | GET | `/documents`, `/documents/forPatient/{patientId}`, `/documents/{id}` | P; C T S; both | – | x |
| 46 | GET | `/accessLog` | P, own record only | – | x |
";

    fn scopes(method: &str, path: &str) -> Option<String> {
        let found = operations(PAGE).into_iter().find(|one| (one.method.as_str(), one.path.as_str()) == (method, path));
        found.map(|one| one.scopes.join(" "))
    }

    #[test]
    fn each_method_and_path_of_a_row_has_its_scopes() {
        let some = |words: &str| Some(words.to_owned());
        assert_eq!(scopes("POST", "/users/{id}/token"), some("CLINICIAN TEAMCOORD SITE"));
        assert_eq!(scopes("GET", "/types"), some(""));
        assert_eq!(scopes("POST", "/allergies"), some("PATIENT"));
        assert_eq!(scopes("POST", "/symptoms/forPatient/{patientId}"), some("CLINICIAN SITE"));
        assert_eq!(scopes("DELETE", "/messages/{id}"), some("PATIENT CLINICIAN SITE"));
        assert_eq!(scopes("GET", "/documents/{id}"), some("PATIENT CLINICIAN TEAMCOORD SITE"));
        assert_eq!(scopes("GET", "/accessLog"), some("PATIENT"));
    }

    #[test]
    fn what_an_exception_leaves_to_nobody_is_no_operation() {
        assert_eq!(scopes("POST", "/journal"), Some("PATIENT".into()));
        assert_eq!(scopes("POST", "/journal/forPatient/{patientId}"), None);
    }
}
