//! A bit that changes on disk, behind the service's back.

use super::world::World;
use store::Place;

/// Changes a piece of every stored content.
pub fn piece(w: &World, number: i64) {
    let sql = format!(
        "UPDATE content_pieces SET bytes = (SELECT c.hashes FROM contents c WHERE c.id = content_id) WHERE number = {number}"
    );
    change(w, &sql);
}

/// Takes away what a stored resource is held to.
pub fn resource(w: &World, id: &str) {
    change(w, &format!("UPDATE resources SET content_hash = NULL WHERE fhir_id = '{id}'"));
}

fn change(w: &World, sql: &str) {
    match &w.place {
        Place::Sqlite(directory) => {
            let connection = rusqlite::Connection::open(directory.join("records.sqlite")).unwrap();
            connection.execute_batch(sql).unwrap();
        }
        Place::Postgres(place) => {
            cluster::ask(&place.to_string(), sql);
        }
    }
}
