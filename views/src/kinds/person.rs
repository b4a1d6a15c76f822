//! The user of the custom REST API: every scalar a string or null, as its clients know it.

use crate::json_object;
use crate::kinds::contact::{self, Contact, ContactType};
use crate::kinds::measurement::Measurement;
use crate::members::number::Number;
use crate::tree::{items, said};
use fhir::identifier_systems::{NATIONAL, PUBLIC_ID};
use fhir::json::Node;
use rules::scope::Scope;
use serde::Serialize;

json_object! {
    /// A national id, or one that an organisation or a team gave.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct AssignedId {
        "value" => value: String,
        "name" => name: Option<String>,
        "countryCodes" => country_codes: &'static [&'static str],
    }
}

json_object! {
    /// What `users/self` says, in the order of the public record.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Person {
        "id" => id: Option<String>,
        "userType" => user_type: Option<&'static str>,
        "heightCm" => height_cm: Option<String>,
        "heightFeet" => height_feet: Option<String>,
        "heightInches" => height_inches: Option<String>,
        "heightInchesTotal" => height_inches_total: Option<String>,
        "weightKg" => weight_kg: Option<String>,
        "weightLbs" => weight_lbs: Option<String>,
        "title" => title: Option<String>,
        "firstName" => first_name: Option<String>,
        "lastName" => last_name: Option<String>,
        "dob" => dob: Option<String>,
        "dateDeceased" => date_deceased: Option<String>,
        "genderMF" => gender_mf: Option<&'static str>,
        "gender" => gender: Option<&'static str>,
        "email" => email: Option<String>,
        "phone" => phone: Option<String>,
        "address1" => address1: Option<String>,
        "address2" => address2: Option<String>,
        "city" => city: Option<String>,
        "state" => state: Option<String>,
        "postalCode" => postal_code: Option<String>,
        "country" => country: Option<String>,
        "jobTitle" => job_title: Option<String>,
        "organizationName" => organization_name: Option<String>,
        "teamName" => team_name: Option<String>,
        "nationalIds" => national_ids: Vec<AssignedId>,
        "orgLevelIds" => org_level_ids: Option<Vec<AssignedId>>,
        "teamLevelIds" => team_level_ids: Option<Vec<AssignedId>>,
        "contacts" => contacts: Vec<Contact>,
        "patient" => patient: bool,
        "deceased" => deceased: bool,
    }
}

json_object! {
    /// Who cares for the patient in whose record a session is.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Carer {
        "id" => id: String,
        "firstName" => first_name: Option<String>,
        "lastName" => last_name: Option<String>,
    }
}

/// What `users/self` says in a session about a record that is cared for: the patient, and who cares for them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CaredForPerson {
    #[serde(flatten)]
    pub person: Person,
    pub carer: Carer,
}

const TITLES: [&str; 8] = ["Dr", "Miss", "Mr", "Mrs", "Ms", "Mx", "Prof", "Sister"];

/// What is known of a patient beside the Patient resource.
#[derive(Clone, Copy, Debug, Default)]
pub struct PatientFacts<'f> {
    /// The name of the account, for who has no Patient resource yet.
    pub account_name: &'f str,
    /// The newest that the caller sees.
    pub height: Option<&'f Measurement>,
    pub weight: Option<&'f Measurement>,
}

impl Person {
    /// A patient; what the resource does not say stays null. Without a resource only the account's name is known.
    #[must_use]
    pub fn patient(id: &str, resource: Option<&Node<'_>>, facts: PatientFacts<'_>) -> Self {
        let nothing = Node::Null;
        let resource = resource.unwrap_or(&nothing);
        let name = preferred(items(resource, "name"));
        let address = items(resource, "address").first().unwrap_or(&nothing);
        let line = |at: usize| items(address, "line").get(at).and_then(Node::text).map(String::from);
        let contacts = contact::all(items(resource, "telecom"));
        let first_of = |wanted: ContactType| {
            contacts.iter().find(|contact| contact.contact_type == wanted).map(|contact| contact.contact_value.clone())
        };
        let text = |node: &Node<'_>, member: &str| said(node, member).map(String::from);
        let (gender, gender_mf) = gender(said(resource, "gender"));
        let date_deceased = text(resource, "deceasedDateTime");
        let mut person = Self::default();
        match name {
            None => person = person.named(facts.account_name),
            Some(name) => {
                person.title = items(name, "prefix").first().and_then(Node::text).map(String::from);
                let given: Vec<&str> = items(name, "given").iter().filter_map(Node::text).collect();
                person.first_name = Some(given.join(" ")).filter(|given| !given.is_empty());
                person.last_name = text(name, "family");
            }
        }
        Self {
            id: Some(id.into()),
            dob: text(resource, "birthDate"),
            deceased: date_deceased.is_some() || matches!(resource.get("deceasedBoolean"), Some(Node::Bool(true))),
            date_deceased,
            gender,
            gender_mf,
            email: first_of(ContactType::Email),
            phone: first_of(ContactType::Phone),
            address1: line(0),
            address2: line(1),
            city: text(address, "city"),
            state: text(address, "state"),
            postal_code: text(address, "postalCode"),
            country: text(address, "country"),
            national_ids: items(resource, "identifier").iter().filter_map(national).collect(),
            contacts,
            patient: true,
            ..person
        }
        .measured(facts.height, facts.weight)
    }

    /// A clinician or a coordinator: their name, and the teams with their organisations.
    #[must_use]
    pub fn staff(id: &str, scope: Option<Scope>, name: &str, teams: &[(&str, &str)]) -> Self {
        Self { id: Some(id.into()), user_type: scope.map(Scope::word), ..Self::default().named(name).of_teams(teams) }
    }

    /// A team that has granted access.
    #[must_use]
    pub fn site(public_id: Option<&str>, teams: &[(&str, &str)]) -> Self {
        Self { id: public_id.map(String::from), user_type: Some(Scope::Site.word()), ..Self::default().of_teams(teams) }
    }

    /// Only what somebody is recognised by, as a search by a national id tells it.
    #[must_use]
    pub fn banner(self) -> Self {
        Self {
            id: self.id,
            first_name: self.first_name,
            last_name: self.last_name,
            dob: self.dob,
            date_deceased: self.date_deceased,
            postal_code: self.postal_code,
            national_ids: self.national_ids,
            patient: self.patient,
            deceased: self.deceased,
            ..Self::default()
        }
    }

    /// Takes the name of an account apart: a title, first names, and the last word.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        let mut words = name.split_whitespace().peekable();
        let title = words.next_if(|word| TITLES.contains(&word.trim_end_matches('.')));
        let words: Vec<&str> = words.collect();
        if let Some((last, first)) = words.split_last() {
            self.last_name = Some((*last).into());
            self.first_name = Some(first.join(" ")).filter(|first| !first.is_empty());
        }
        self.title = title.map(String::from);
        self
    }

    fn of_teams(mut self, teams: &[(&str, &str)]) -> Self {
        let joined = |mut names: Vec<&str>| {
            names.sort_unstable();
            names.dedup();
            Some(names.join(", ")).filter(|names| !names.is_empty())
        };
        self.team_name = joined(teams.iter().map(|(team, _)| *team).collect());
        self.organization_name = joined(teams.iter().map(|(_, organisation)| *organisation).collect());
        self
    }

    fn measured(mut self, height: Option<&Measurement>, weight: Option<&Measurement>) -> Self {
        if let Some((centimetres, told)) = height.and_then(|height| metric(height, "cm", "[in_i]", 2.54)) {
            let inches = (centimetres / 2.54).round();
            self.height_feet = Some(format!("{:.0}", (inches / 12.0).floor()));
            self.height_inches = Some(format!("{:.0}", inches % 12.0));
            self.height_inches_total = Some(format!("{inches:.0}"));
            self.height_cm = Some(told);
        }
        if let Some((kilograms, told)) = weight.and_then(|weight| metric(weight, "kg", "[lb_av]", 0.453_592_37)) {
            self.weight_lbs = Some(one_decimal(kilograms / 0.453_592_37));
            self.weight_kg = Some(told);
        }
        self
    }
}

/// A measurement in its metric unit, as a number and as text: as it was written, if it was in that unit.
fn metric(measurement: &Measurement, unit: &str, imperial: &str, factor: f64) -> Option<(f64, String)> {
    let digits = measurement.value.as_ref().map(Number::digits)?;
    let number: f64 = digits.parse().ok().filter(|number: &f64| number.is_finite())?;
    match measurement.unit.as_deref()? {
        own if own == unit => Some((number, digits.into())),
        own if own == imperial => Some((number * factor, one_decimal(number * factor))),
        _ => None,
    }
}

fn one_decimal(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map_or_else(|| text.clone(), String::from)
}

/// The official or usual name if there is one, else the first.
fn preferred<'n, 'a>(names: &'n [Node<'a>]) -> Option<&'n Node<'a>> {
    let used_as = |wanted: &str| names.iter().find(|name| said(name, "use") == Some(wanted));
    used_as("official").or_else(|| used_as("usual")).or_else(|| names.first())
}

/// Sex at birth in one letter, and in small where it is male or female. What is not said is unknown.
fn gender(said: Option<&str>) -> (Option<&'static str>, Option<&'static str>) {
    match said {
        Some("male") => (Some("M"), Some("m")),
        Some("female") => (Some("F"), Some("f")),
        Some("other") => (Some("I"), None),
        _ => (Some("U"), None),
    }
}

fn national(identifier: &Node<'_>) -> Option<AssignedId> {
    let system = said(identifier, "system")?;
    let known = NATIONAL.iter().find(|known| known.uri == system)?;
    let value = said(identifier, "value")?.into();
    Some(AssignedId { value, name: Some(known.name.into()), country_codes: known.countries })
}

/// The other identifiers of a Patient, each with who assigned it: whose they are, and who sees them, is for others to say.
pub fn assigned<'n>(patient: &'n Node<'_>) -> impl Iterator<Item = (&'n Node<'n>, AssignedId)> {
    items(patient, "identifier").iter().filter_map(|identifier| {
        let system = said(identifier, "system").unwrap_or_default();
        if NATIONAL.iter().any(|known| known.uri == system) || PUBLIC_ID.contains(&system) {
            return None;
        }
        let assigner = identifier.get("assigner")?;
        let id = AssignedId {
            value: said(identifier, "value")?.into(),
            name: said(assigner, "display").map(String::from),
            country_codes: &[],
        };
        Some((assigner, id))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_title_first_names_and_a_last_name() {
        let parts = |name: &str| {
            let person = Person::default().named(name);
            [person.title, person.first_name, person.last_name].map(Option::unwrap_or_default)
        };
        assert_eq!(parts("Dr. Sam Ola Okafor"), ["Dr.", "Sam Ola", "Okafor"]);
        assert_eq!(parts("Sam Okafor"), ["", "Sam", "Okafor"]);
        assert_eq!(parts("Reception"), ["", "", "Reception"]);
        assert_eq!(parts("  "), ["", "", ""]);
    }
}
