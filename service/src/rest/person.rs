//! The user of the custom REST API: every scalar a string or null, as its clients know it.

use crate::formats::json_object::{JsonSchema, json_object};
use crate::rest::national_ids::NationalId;
use rules::scope::Scope;
use serde::Serialize;
use serde_json::{Value, json};
use store::organisations::Team;
use store::people::User;

json_object! {
    /// What `users/self` says, in the order of the public record. Height and weight are not kept with a person here.
    #[derive(Debug, Default)]
    pub(crate) struct Person {
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
        "nationalIds" => national_ids: Vec<NationalId>,
        "orgLevelIds" => org_level_ids: Option<Vec<NationalId>>,
        "teamLevelIds" => team_level_ids: Option<Vec<NationalId>>,
        "contacts" => contacts: Vec<Contact>,
        "patient" => patient: bool,
    }
}

json_object! {
    /// A way to reach a person. Nobody has confirmed one to this service.
    #[derive(Debug)]
    pub(crate) struct Contact {
        "id" => id: String,
        "contactType" => contact_type: ContactType,
        "contactValue" => contact_value: String,
        "phoneUseType" => phone_use_type: Option<String>,
        "primary" => primary: bool,
        "confirmed" => confirmed: bool,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum ContactType {
    Email,
    Phone,
}

impl JsonSchema for ContactType {
    fn json_schema() -> Value {
        json!({ "enum": [Self::Email, Self::Phone] })
    }
}

const TITLES: [&str; 8] = ["Dr", "Miss", "Mr", "Mrs", "Ms", "Mx", "Prof", "Sister"];

impl Person {
    /// A clinician or a coordinator.
    pub fn staff(user: &User, teams: &[Team]) -> Self {
        Self {
            id: Some(user.id.to_string()),
            user_type: user.user_type.scope().map(Scope::word),
            ..Self::default().named(&user.name).of_teams(teams)
        }
    }

    /// A team that has granted access.
    pub fn site(teams: &[Team]) -> Self {
        Self {
            id: teams.first().map(|team| team.public_id.clone()),
            user_type: Some(Scope::Site.word()),
            ..Self::default().of_teams(teams)
        }
    }

    /// Takes the name of an account apart: a title, first names, and the last word.
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

    fn of_teams(mut self, teams: &[Team]) -> Self {
        let joined = |mut names: Vec<&str>| {
            names.sort_unstable();
            names.dedup();
            Some(names.join(", ")).filter(|names| !names.is_empty())
        };
        self.team_name = joined(teams.iter().map(|team| team.name.as_str()).collect());
        self.organization_name = joined(teams.iter().map(|team| team.organisation_name.as_str()).collect());
        self
    }
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
