//! A target that does not hold what was sent to it is found out, and never let go.

use crate::home::{ACROSS, Home};
use store::Error;

/// What may happen to a target between the copying and the comparing; the table that it happens to.
const HARM: [(&str, &str); 6] = [
    ("sessions", "UPDATE sessions SET generation = generation + 1 WHERE id = 17"),
    ("sessions", "UPDATE sessions SET revoked_at = NULL WHERE id IN (11, 12)"),
    ("users", "UPDATE users SET name = name || ' ' WHERE id = 7"),
    ("ledger", "DELETE FROM ledger WHERE id = 30"),
    ("settings", "INSERT INTO settings (name, value) VALUES ('one', 'more')"),
    // The same count, the same values, two rows that changed places.
    ("read_receipts", "UPDATE read_receipts SET read_at = CASE read_at WHEN 1 THEN 2 ELSE 1 END WHERE resource_id < 3"),
];

#[tokio::test]
async fn a_row_that_was_changed_lost_or_added_is_found_out_and_the_target_stays_refused() {
    for [from, to] in ACROSS {
        let source = Home::full(from).await;
        let target = to();
        for (table, harm) in HARM {
            let begun = source.begun(&target).await.unwrap();
            let copied = begun.copy(|_| ()).await.unwrap();
            target.run(harm);
            let found = copied.compare(|_| ()).await.expect_err("harm was done");
            let Error::MovedWrongly(tables) = &found else { panic!("{found}") };
            assert_eq!(tables.len(), 1, "{harm}: {found}");
            assert!(tables[0].starts_with(&format!("{table}: sent 3")), "{found}");
            let said = target.open().await.expect_err("not whole").to_string();
            assert!(said.contains("a move into this database was not finished"), "{said}");
            source.open().await.expect("the source is as it was");
        }
        source.moved(&target).await.expect("a move that nobody harms");
    }
}

#[tokio::test]
async fn a_table_that_cannot_take_a_row_ends_the_move_and_the_source_is_as_it_was() {
    let (source, target) = (Home::full(Home::sqlite).await, Home::postgres());
    let begun = source.begun(&target).await.unwrap();
    target.run("ALTER TABLE ledger ADD CONSTRAINT narrow CHECK (id < 20)");
    let said = begun.copy(|_| ()).await.expect_err("a row too many").to_string();
    assert!(said.contains("narrow"), "{said}");
    assert!(target.open().await.is_err());
    source.open().await.expect("the source is as it was");
}
