//! A node of the release before that still runs while the database is migrated under it: every call of its that reads or
//! writes a record is refused by the server.

use crate::home::Home;

/// Statements of release 0.1.0, word for word, with values in the places of its arguments.
const STATEMENTS: [&str; 5] = [
    // A clinician reads a resource.
    "SELECT r.id, r.version, r.updated_at, r.deleted_at, r.body, r.patient_id
        FROM resources r JOIN words w ON w.id = r.type_id WHERE w.word = 'Patient' AND r.fhir_id = 'amina-osei'",
    // Somebody writes a resource.
    "SELECT r.id, r.version, r.body, r.source_organisation_id, r.source_team_id, r.source_patient_id
        FROM resources r WHERE r.type_id = (SELECT w.id FROM words w WHERE w.word = 'Patient') AND r.fhir_id = 'x'",
    "INSERT INTO resources (id, type_id, fhir_id, version, updated_at, source_organisation_id,
            source_team_id, source_patient_id, patient_id, body)
        VALUES (1, 1, 'x', 1, 0, NULL, NULL, NULL, NULL, '{}')",
    // A search by token.
    "SELECT t.resource_id FROM tokens t JOIN words d ON d.id = t.type_id JOIN words p ON p.id = t.parameter_id
            LEFT JOIN words s ON s.id = t.system_id
        WHERE d.word = 'Patient' AND p.word = 'identifier' AND t.value IN ('9990000018')",
    // A patient is registered with a team.
    "INSERT INTO registrations (patient_id, team_id) VALUES ('amina-osei', 1)",
];

#[tokio::test]
async fn every_statement_on_a_record_is_refused_once_the_database_is_migrated() {
    let [_, home] = Home::released().await;
    for statement in &STATEMENTS {
        let before = home.run(&format!("BEGIN; {statement}; ROLLBACK")).await;
        // Only the last breaks a rule of the release before itself: there is no such team.
        assert!(before.is_ok() || before.is_err_and(|why| why.contains("foreign key")), "{statement}");
    }
    let _store = home.open().await;
    for statement in &STATEMENTS {
        let refused = home.run(statement).await.expect_err(statement);
        let by_its_shape = ["42703", "22P02", "42883"].iter().any(|code| refused.contains(code));
        assert!(by_its_shape, "{statement}\n{refused}");
    }
}
