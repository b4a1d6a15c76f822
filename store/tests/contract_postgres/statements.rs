//! Every SQL statement of the store is one that PostgreSQL can prepare, and next to none is PostgreSQL's alone.

use crate::world::World;

#[tokio::test]
#[expect(clippy::print_stdout, reason = "how many there are is what one wants to read of it")]
async fn every_statement_is_prepared_on_postgresql() {
    let w = World::new().await;
    let (shared, locking, alone) = (store::statements(), store::locking_statements(), store::postgres_statements());
    let (client, connection) = tokio_postgres::connect(w.home.url(), tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    for sql in shared.iter().chain(&locking).map(String::as_str).chain(alone.iter().copied()) {
        if let Err(error) = client.prepare(&store::in_postgres(sql)).await {
            panic!("{error:?} in {sql}");
        }
    }
    println!(
        "{} statements are shared; {} of them lock a row on PostgreSQL; 0 have a PostgreSQL twin; {} are PostgreSQL's alone",
        shared.len(),
        locking.len(),
        alone.len()
    );
    assert!(locking.iter().all(|sql| shared.iter().any(|plain| sql.starts_with(plain))), "a lock is all they add");
}
