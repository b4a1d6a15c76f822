//! What somebody may have meant who misspelt a name: the known one that is nearest.

use std::cmp::min;

/// The longest name that is looked at: no name of FHIR's is as long.
const LONGEST: usize = 64;

/// The known name that is nearest to a wrong one, if one is near: another case, or a letter or two wrong, missing, too many or
/// in each other's place. Where several are as near, the first.
pub fn nearest<'k>(wrong: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    if wrong.len() > LONGEST {
        return None;
    }
    let folded: Vec<char> = wrong.to_lowercase().chars().collect();
    // Of a short name two letters are most of it.
    let most = match folded.len() {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    };
    let distances =
        known.into_iter().map(|name| (distance(&folded, &name.to_lowercase().chars().collect::<Vec<_>>()), name));
    let near = distances.filter(|(distance, _)| *distance <= most);
    near.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

/// The question whether that was meant, to stand behind a sentence; nothing where nothing is near.
#[must_use]
pub fn did_you_mean<'k>(wrong: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    nearest(wrong, known).map(|meant| format!("; did you mean {meant}?")).unwrap_or_default()
}

/// In how many letters two words differ, where two that changed places are one.
fn distance(one: &[char], other: &[char]) -> usize {
    let (mut before, mut last): (Vec<usize>, Vec<usize>) = (Vec::new(), (0..=other.len()).collect());
    for (row, letter) in one.iter().enumerate() {
        let mut next = vec![row + 1];
        for (column, known) in other.iter().enumerate() {
            let at = |line: &[usize], column: usize| line.get(column).copied().unwrap_or(usize::MAX / 2);
            let replaced = at(&last, column) + usize::from(letter != known);
            let mut least = min(replaced, 1 + min(at(&last, column + 1), at(&next, column)));
            let is_swapped =
                row > 0 && column > 0 && one.get(row - 1) == Some(known) && other.get(column - 1) == Some(letter);
            if is_swapped {
                least = min(least, 1 + at(&before, column - 1));
            }
            next.push(least);
        }
        (before, last) = (last, next);
    }
    last.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_nearly_spelt_right_is_found_and_what_is_something_else_is_not() {
        let known = ["birthdate", "name", "_id", "identifier", "gender", "given", "_sort"];
        for (wrong, meant) in [
            ("birthDate", Some("birthdate")),
            ("brithdate", Some("birthdate")),
            ("birth-date", Some("birthdate")),
            ("bithdat", Some("birthdate")),
            ("identifer", Some("identifier")),
            ("nmae", Some("name")),
            ("NAME", Some("name")),
            ("neem", None),
            ("give", Some("given")),
            ("colour", None),
            ("id", None),
            ("", None),
            (&"n".repeat(100_000), None),
        ] {
            assert_eq!(nearest(wrong, known), meant, "{wrong}");
        }
        assert_eq!(nearest("Pateint", ["Parameters", "Patient"]), Some("Patient"));
    }
}
