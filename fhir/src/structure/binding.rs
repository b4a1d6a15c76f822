//! The value sets from which codes have to be (required bindings), with the codes of each.

use std::collections::{HashMap, HashSet};
use std::sync::{LazyLock, OnceLock};

/// A value set to a block: its name, then a code system and its codes to a line, after a space.
const TABLE: &str = include_str!("../../definitions/bindings.txt");
/// Media types are a grammar (BCP 13), not a list.
const MEDIA_TYPES: &str = "mimetypes";

static VALUE_SETS: LazyLock<HashMap<&'static str, Binding>> = LazyLock::new(|| {
    let mut sets = HashMap::from([(MEDIA_TYPES, Binding::new(MEDIA_TYPES))]);
    let mut name = "";
    for line in TABLE.lines() {
        match line.strip_prefix(' ') {
            None => name = line,
            Some(codes) => sets.entry(name).or_insert_with(|| Binding::new(name)).lines.push(codes),
        }
    }
    sets
});

/// A value set of which every code is known.
#[derive(Debug)]
pub struct Binding {
    pub name: &'static str,
    lines: Vec<&'static str>,
    codes: OnceLock<HashSet<&'static str>>,
}

/// The value set of this name: the last part of its URL.
#[must_use]
pub fn binding(name: &str) -> Option<&'static Binding> {
    VALUE_SETS.get(name)
}

impl Binding {
    fn new(name: &'static str) -> Self {
        Self { name, lines: Vec::new(), codes: OnceLock::new() }
    }

    /// Whether this is one of its codes, in whichever system.
    #[must_use]
    pub fn has_code(&self, code: &str) -> bool {
        if self.name == MEDIA_TYPES {
            return is_media_type(code);
        }
        self.codes.get_or_init(|| self.lines.iter().flat_map(|line| line.split(' ').skip(1)).collect()).contains(code)
    }

    /// Whether this code of this system is one of its own.
    #[must_use]
    pub fn has(&self, system: &str, code: &str) -> bool {
        let of_system = self.lines.iter().filter_map(|line| line.split_once(' ')).filter(|(known, _)| *known == system);
        of_system.into_iter().any(|(_, codes)| codes.split(' ').any(|known| known == code))
    }

    /// The code system of all its codes, where that is one.
    #[must_use]
    pub fn only_system(&self) -> Option<&'static str> {
        match self.lines[..] {
            [line] => line.split(' ').next(),
            _ => None,
        }
    }

    /// A few of its codes, for whoever sent another.
    #[must_use]
    pub fn examples(&self) -> String {
        const SHOWN: usize = 12;
        let mut codes: Vec<&str> = self.lines.iter().flat_map(|line| line.split(' ').skip(1)).take(SHOWN + 1).collect();
        if codes.len() > SHOWN {
            codes.truncate(SHOWN);
            codes.push("…");
        }
        codes.join(", ")
    }
}

/// `type/subtype`, with or without parameters. FHIR itself says `xml` and `json` for its own two in places.
fn is_media_type(code: &str) -> bool {
    let is_token = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
    };
    let plain = code.split(';').next().unwrap_or_default().trim();
    matches!(plain, "xml" | "json" | "ttl")
        || plain.split_once('/').is_some_and(|(kind, rest)| is_token(kind) && is_token(rest))
}

#[cfg(test)]
mod tests {
    use super::{TABLE, VALUE_SETS, binding};

    #[test]
    fn every_value_set_of_the_table_has_codes_of_a_system() {
        assert_eq!(VALUE_SETS.len(), TABLE.lines().filter(|line| !line.starts_with(' ')).count() + 1);
        for line in TABLE.lines().filter(|line| line.starts_with(' ')) {
            assert!(line.split(' ').count() > 2 && (line.starts_with(" http") || line.starts_with(" urn:")), "{line}");
        }
    }

    #[test]
    fn a_code_is_in_its_value_set_only() {
        let gender = binding("administrative-gender").unwrap();
        assert!(gender.has_code("female") && !gender.has_code("Female") && !gender.has_code(""));
        assert!(gender.has("http://hl7.org/fhir/administrative-gender", "male") && !gender.has("urn:x", "male"));
        assert_eq!(gender.examples(), "female, male, other, unknown");
        assert!(binding("currencies").unwrap().has_code("EUR") && binding("no-such-set").is_none());
    }

    #[test]
    fn a_media_type_has_two_parts_and_may_have_parameters() {
        let media = binding("mimetypes").unwrap();
        for good in ["text/plain", "application/fhir+json; charset=utf-8", "json"] {
            assert!(media.has_code(good), "{good}");
        }
        for wrong in ["text", "", "/", "text/", "a b/c", "text/pl ain"] {
            assert!(!media.has_code(wrong), "{wrong}");
        }
    }
}
