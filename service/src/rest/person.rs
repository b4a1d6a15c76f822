//! The user of the custom REST API: every scalar a string or null, as its clients know it.

use crate::rest::national_ids::NationalId;
use rules::scope::Scope;
use serde::Serialize;
use store::organisations::Team;
use store::people::User;

/// What `users/self` says, in the order of the public record. Height and weight are not kept with a person here.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Person {
    pub id: Option<String>,
    pub user_type: Option<&'static str>,
    pub height_cm: Option<String>,
    pub height_feet: Option<String>,
    pub height_inches: Option<String>,
    pub height_inches_total: Option<String>,
    pub weight_kg: Option<String>,
    pub weight_lbs: Option<String>,
    pub title: Option<String>,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub dob: Option<String>,
    pub date_deceased: Option<String>,
    #[serde(rename = "genderMF")]
    pub gender_mf: Option<&'static str>,
    pub gender: Option<&'static str>,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub address1: Option<String>,
    pub address2: Option<String>,
    pub city: Option<String>,
    pub state: Option<String>,
    pub postal_code: Option<String>,
    pub country: Option<String>,
    pub job_title: Option<String>,
    pub organization_name: Option<String>,
    pub team_name: Option<String>,
    pub national_ids: Vec<NationalId>,
    pub org_level_ids: Option<Vec<NationalId>>,
    pub team_level_ids: Option<Vec<NationalId>>,
    pub contacts: Vec<Contact>,
    pub patient: bool,
}

/// A way to reach a person. Nobody has confirmed one to this service.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Contact {
    pub id: String,
    pub contact_type: &'static str,
    pub contact_value: String,
    pub phone_use_type: Option<String>,
    pub primary: bool,
    pub confirmed: bool,
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
