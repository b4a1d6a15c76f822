//! HL7's profiles of FHIR R4 on resources: what each of them asks beyond the type that it is of.

use crate::structure::profile_rule::ProfileRule;
use std::collections::BTreeMap;
use std::iter::Peekable;
use std::sync::LazyLock;

/// A profile to a block: its name, the type and the keys of its invariants, then a line for each element, a space for each level.
const TABLE: &str = include_str!("../../definitions/profiles.txt");
/// Where HL7 has its structures and profiles.
const HOME: &str = "http://hl7.org/fhir/StructureDefinition/";
const VERSION: &str = "4.0.1";

static PROFILES: LazyLock<BTreeMap<&'static str, Profile>> = LazyLock::new(|| {
    let mut lines = TABLE.lines().peekable();
    let mut profiles = BTreeMap::new();
    while let Some(head) = lines.next() {
        let mut words = head.split(' ');
        if let (Some(name), Some(of)) = (words.next(), words.next()) {
            let keys = words.next().and_then(|keys| keys.strip_prefix('!'));
            let invariants = keys.into_iter().flat_map(|keys| keys.split(',')).collect();
            profiles.insert(name, Profile { name, of, invariants, rules: below(&mut lines, 1) });
        }
    }
    profiles
});

/// A profile: a resource keeps to it if all of this holds of it.
#[derive(Debug)]
pub struct Profile {
    pub name: &'static str,
    /// The type that it is of.
    pub of: &'static str,
    pub invariants: Vec<&'static str>,
    pub rules: Vec<ProfileRule>,
}

/// What a canonical URL is to a resource that says it keeps to it.
#[derive(Clone, Copy, Debug)]
pub enum Claim {
    /// FHIR R4 itself.
    Base,
    /// One of HL7's profiles, be it of another type.
    Profile(&'static Profile),
    Unknown,
}

impl Claim {
    /// Reads the URL of a profile, which may have R4's version behind it, for a resource of this type.
    #[must_use]
    pub fn read(url: &str, resource_type: &str) -> Self {
        let plain = url.split_once('|').map_or(Some(url), |(plain, version)| (version == VERSION).then_some(plain));
        match plain.and_then(|plain| plain.strip_prefix(HOME)) {
            Some(name) if name == resource_type || name == "Resource" => Self::Base,
            Some(name) => PROFILES.get(name).map_or(Self::Unknown, Self::Profile),
            None => Self::Unknown,
        }
    }
}

/// The names of the profiles of a type.
pub fn profiles_of(resource_type: &str) -> impl Iterator<Item = &'static str> {
    PROFILES.values().filter(move |profile| profile.of == resource_type).map(|profile| profile.name)
}

/// The rules at this level, with those below each.
fn below(lines: &mut Peekable<impl Iterator<Item = &'static str>>, depth: usize) -> Vec<ProfileRule> {
    let mut rules = Vec::new();
    while let Some(line) = lines.next_if(|line| line.bytes().take_while(|byte| *byte == b' ').count() == depth) {
        if let Some(mut rule) = ProfileRule::read(line.trim_start()) {
            rule.rules = below(lines, depth + 1);
            rules.push(rule);
        }
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::{Claim, PROFILES, ProfileRule, TABLE, profiles_of};
    use crate::structure::{Structure, structure};
    use serde_json::{Value, from_str};

    fn count(rules: &[ProfileRule]) -> usize {
        rules.iter().map(|rule| 1 + count(&rule.rules)).sum()
    }

    /// Every element that a profile speaks of is there, with the types and value sets that it names.
    fn hold(rules: &[ProfileRule], known: &Structure, at: &str) {
        for rule in rules {
            let at = format!("{at}.{}", rule.name);
            let element = known.element(rule.name).unwrap_or_else(|| panic!("{at}"));
            assert_eq!(element.is_choice, rule.is_choice, "{at}");
            assert!(rule.types.iter().all(|one| element.types.iter().any(|other| other.name == one.name)), "{at}");
            assert_eq!(rule.binding().is_some(), rule.value_set().is_some(), "{at}");
            assert!(rule.fixed.into_iter().chain(rule.pattern).all(|json| from_str::<Value>(json).is_ok()), "{at}");
            let is_told = rule.is_choice || rule.rules.iter().any(|inner| inner.tells);
            assert!(rule.slice.is_none() || is_told, "{at}: nothing tells the slice");
            let types = if rule.types.is_empty() { &element.types } else { &rule.types };
            for inner in types.iter().filter_map(|one| structure(one.name)).take(1) {
                hold(&rule.rules, inner, &at);
            }
        }
    }

    #[test]
    fn every_line_is_a_rule_about_an_element_of_its_type() {
        let rules: usize = PROFILES.values().map(|profile| 1 + count(&profile.rules)).sum();
        assert_eq!(rules, TABLE.lines().count());
        for profile in PROFILES.values() {
            let known = structure(profile.of).unwrap();
            assert!(known.is_resource, "{}", profile.name);
            hold(&profile.rules, known, profile.name);
        }
    }

    #[test]
    fn a_profile_is_known_by_its_url_with_or_without_the_version_of_r4() {
        let home = "http://hl7.org/fhir/StructureDefinition/";
        for known in ["bp", "bp|4.0.1", "vitalsigns"] {
            assert!(matches!(Claim::read(&format!("{home}{known}"), "Observation"), Claim::Profile(_)), "{known}");
        }
        for base in ["Observation", "Observation|4.0.1", "Resource"] {
            assert!(matches!(Claim::read(&format!("{home}{base}"), "Observation"), Claim::Base), "{base}");
        }
        for unknown in ["bp|4.0.0", "bp|", "Patient", "Bp", "", "bp/"] {
            assert!(matches!(Claim::read(&format!("{home}{unknown}"), "Observation"), Claim::Unknown), "{unknown}");
        }
        assert!(matches!(Claim::read("bp", "Observation"), Claim::Unknown));
        let vital_signs = [
            "bmi",
            "bodyheight",
            "bodytemp",
            "bodyweight",
            "bp",
            "headcircum",
            "heartrate",
            "oxygensat",
            "resprate",
            "vitalsigns",
            "vitalspanel",
        ];
        let known: Vec<&str> = profiles_of("Observation").collect();
        assert!(vital_signs.iter().all(|name| known.contains(name)), "{known:?}");
        assert_eq!(profiles_of("Patient").count(), 0);
    }
}
