//! A team, and a patient as a list of those in its care tells of them.

use crate::item::PrivacyLabel;
use crate::json_object;
use crate::kinds::person::Person;
use crate::members::schema::{JsonSchema, joined};
use crate::members::words::words;
use serde::Serialize;
use serde_json::Value;

words! {
    /// Which patients of a team are asked for.
    pub enum CareWord {
        Current = "CURRENT",
        Past = "PAST",
        All = "ALL",
    }
}

json_object! {
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct TeamOrganisation {
        "id" => id: String,
        "name" => name: String,
    }
}

json_object! {
    #[derive(Clone, Debug, PartialEq)]
    pub struct TeamView {
        "id" => id: String,
        "name" => name: String,
        "organisation" => organisation: TeamOrganisation,
        "defaultLabel" => default_label: PrivacyLabel,
        "defaultAccess" => default_access: Vec<PrivacyLabel>,
        "breakGlass" => break_glass: bool,
    }
}

json_object! {
    /// What a team has of a patient.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Care {
        "labels" => labels: Vec<PrivacyLabel>,
        "discharged" => discharged: bool,
        "dateAdded" => date_added: String,
    }
}

/// A patient whom a team has, or had: what they are recognised by, and what the team has of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TeamPatient {
    #[serde(flatten)]
    pub banner: Person,
    #[serde(flatten)]
    pub care: Care,
}

impl JsonSchema for TeamPatient {
    fn json_schema() -> Value {
        joined(Person::json_schema(), &Care::json_schema())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_of_a_patient_of_a_team_has_the_members_of_both() {
        let schema = TeamPatient::json_schema();
        let care = Care { labels: vec![], discharged: false, date_added: String::new() };
        let shown = serde_json::to_value(TeamPatient { banner: Person::default(), care }).unwrap();
        let told: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(shown.as_object().unwrap().keys().collect::<Vec<_>>(), told);
        assert_eq!(schema["required"].as_array().unwrap().len(), told.len());
    }
}
