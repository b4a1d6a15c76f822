//! What somebody may have meant who misspelt a name: the known one that is nearest.

use strsim::osa_distance;

/// The longest name that is looked at: no name of FHIR's is as long.
const LONGEST: usize = 64;

/// The known name that is nearest to a wrong one, if one is near: another case, or a letter or two wrong, missing, too many or
/// in each other's place. Where several are as near, the first.
pub fn nearest<'k>(wrong: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    if wrong.len() > LONGEST {
        return None;
    }
    let folded = wrong.to_lowercase();
    // Of a short name two letters are most of it.
    let most = match folded.chars().count() {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    };
    // Two letters that changed places are one difference.
    let distances = known.into_iter().map(|name| (osa_distance(&folded, &name.to_lowercase()), name));
    let near = distances.filter(|(distance, _)| *distance <= most);
    near.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

/// The question whether that was meant, to stand behind a sentence; nothing where nothing is near.
#[must_use]
pub fn did_you_mean<'k>(wrong: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    nearest(wrong, known).map(|meant| format!("; did you mean {meant}?")).unwrap_or_default()
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
