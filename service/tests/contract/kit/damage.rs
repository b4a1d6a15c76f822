//! A bit that changes on disk, behind the service's back.

use super::world::World;
use store::Place;

/// Changes a piece of every stored content.
pub fn piece(w: &World, number: i64) {
    let sql = format!(
        "UPDATE content_pieces SET bytes = (SELECT c.hashes FROM contents c WHERE c.id = content_id) WHERE number = {number}"
    );
    match &w.place {
        Place::Sqlite(directory) => {
            let connection = rusqlite::Connection::open(directory.join("records.sqlite")).unwrap();
            connection.execute_batch(&sql).unwrap();
        }
        Place::Postgres(place) => {
            cluster::ask(&place.to_string(), &sql);
        }
    }
}
