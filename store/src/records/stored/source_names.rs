//! What sources are called, for whoever is shown who made something.

use crate::error::Result;
use crate::sql::arg::args;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::reach::Source;

statements! {
    ORGANISATION = "SELECT name FROM organisations WHERE id = $1";
    TEAM = "SELECT name FROM teams WHERE id = $1";
    PATIENT = "SELECT name FROM users WHERE patient_id = $1 ORDER BY id LIMIT 1";
    PERSON = "SELECT name FROM users WHERE id = $1";
}

/// The name of a source; a patient without an account has none here.
pub async fn name(store: &Store, source: Source) -> Result<Option<String>> {
    let (statement, id) = match source {
        Source::Organisation(organisation) => (ORGANISATION, organisation.0),
        Source::Team(team, _) => (TEAM, team.0),
        Source::Patient(patient) => (PATIENT, patient.0),
        Source::Person(user) => (PERSON, user.0),
    };
    store.db.read_one(statement, args![id], |row| row.text(0)).await
}
