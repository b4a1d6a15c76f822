//! The demands of SMART App Launch that docs/smart-requirements.md lists, for the test that holds it to the tests that it names.

use crate::tables::marked;

/// A row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    pub id: u32,
    /// Page and anchor of the specification.
    pub place: String,
    /// In our own words.
    pub demand: String,
    /// `SHALL` or `SHALL NOT`.
    pub word: String,
    /// Whether it is held, met or tested.
    pub how: String,
    /// The tests, or the reason.
    pub proof: String,
}

/// The rows of the table under `<!-- table: smart-requirements -->`; one that is no row of it is a fault.
pub fn requirements(page: &str) -> Result<Vec<Requirement>, String> {
    let rows = marked(page, "table: smart-requirements").into_iter().flat_map(|table| table.rows);
    rows.map(|row| requirement(&row).ok_or_else(|| row.join(" | "))).collect()
}

fn requirement(row: &[String]) -> Option<Requirement> {
    let [id, place, demand, word, how, proof] = row else { return None };
    let place = place.strip_prefix('`')?.strip_suffix('`')?;
    let (page, anchor) = place.split_once('#')?;
    let is_whole = ![page, anchor, demand, proof].iter().any(|cell| cell.is_empty());
    let [place, demand, word, how, proof] = [place, demand, word, how, proof].map(str::to_owned);
    is_whole.then_some(Requirement { id: id.parse().ok()?, place, demand, word, how, proof })
}

impl Requirement {
    /// The tests that it names: a file, and what the test is called in it.
    #[must_use]
    pub fn tests(&self) -> Vec<(&str, &str)> {
        self.proof.split('`').skip(1).step_by(2).filter_map(|name| name.split_once("::")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str =
        "<!-- table: smart-requirements -->\n| id | where | what | word | how | tests |\n|-|-|-|-|-|-|\n";

    #[test]
    fn a_row_names_its_tests_and_other_words_are_none() {
        let page =
            format!("{HEAD}| 7 | `scopes#wide` | Wide | SHALL | held | `lenses::wide`, `a.mjs::it is`; `x` too |\n");
        let [row] = &requirements(&page).unwrap()[..] else { panic!("one row") };
        assert_eq!((row.id, row.place.as_str(), row.how.as_str()), (7, "scopes#wide", "held"));
        assert_eq!(row.tests(), [("lenses", "wide"), ("a.mjs", "it is")]);
    }

    #[test]
    fn a_row_that_lacks_something_is_told() {
        for row in ["| 7 | `scopes#` | Wide | SHALL | held | x |", "| a | `b#c` | d | e | f | g |", "| 7 |"] {
            assert!(requirements(&format!("{HEAD}{row}\n")).is_err(), "{row}");
        }
    }
}
