//! Every SQL statement of the store is one that PostgreSQL can prepare, and next to none is PostgreSQL's alone.

use crate::world::World;
use std::fmt::Write;

#[tokio::test]
#[expect(clippy::print_stdout, reason = "how many there are is what one wants to read of it")]
async fn every_statement_is_prepared_on_postgresql() {
    let w = World::new().await;
    let (shared, locking, alone) = (store::statements(), store::locking_statements(), store::postgres_statements());
    let all = shared.iter().chain(&locking).map(String::as_str).chain(alone.iter().copied());
    let mut script = String::new();
    for (number, sql) in all.enumerate() {
        writeln!(script, "PREPARE p{number} AS {sql};").unwrap();
    }
    cluster::ask(w.home.url(), &script);
    println!(
        "{} statements are shared; {} of them lock a row on PostgreSQL; 0 have a PostgreSQL twin; {} are PostgreSQL's alone",
        shared.len(),
        locking.len(),
        alone.len()
    );
    assert!(locking.iter().all(|sql| shared.iter().any(|plain| sql.starts_with(plain))), "a lock is all they add");
}
