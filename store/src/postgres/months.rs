//! Months of the ledger: each has a partition of its own, which is made for its first line and dropped with it.

use super::tx::PostgresTx;
use crate::error::Result;
use crate::lines::month::Month;
use crate::sql::arg::{OwnedArg, args};
use crate::sql::table::{Table, Values};

const TABLES: [&str; 2] = ["blocks", "subjects"];

/// The partitions of both tables, the oldest first.
const PARTITIONS: &str = "SELECT CAST(part.relname AS TEXT) FROM pg_inherits
    JOIN pg_class part ON part.oid = inhrelid JOIN pg_class whole ON whole.oid = inhparent
    JOIN pg_namespace place ON place.oid = whole.relnamespace
    WHERE place.nspname = 'ledger' AND whole.relname = $1 ORDER BY part.relname";
/// Whoever reads the ledger holds its tables for as long as that takes. To wait for them would hold up all who come after.
const BRIEFLY: &str = "SELECT set_config('lock_timeout', '100ms', true)";

pub(super) const STATEMENTS: &[&str] = &[PARTITIONS, BRIEFLY];

fn partition(table: &str, month: Month) -> String {
    format!("{table}_{}", month.name())
}

/// What makes the partitions of a month, if they are not there.
fn partitions(month: Month) -> [String; 2] {
    let (from, to) = month.ids();
    TABLES.map(|table| {
        let name = partition(table, month);
        format!(
            "CREATE TABLE IF NOT EXISTS ledger.{name} PARTITION OF ledger.{table} FOR VALUES FROM ({from}) TO ({to})"
        )
    })
}

/// What makes room for rows on their way from another database, where they are the ledger's; otherwise nothing.
pub(super) fn room_for(table: &Table, batch: &[Values]) -> String {
    let id = table.columns.iter().position(|column| column.name == "id");
    let (Some(id), "ledger.blocks" | "ledger.subjects") = (id, table.name.as_str()) else { return String::new() };
    let ids = batch.iter().filter_map(|values| match values.get(id) {
        Some(OwnedArg::Int(id)) => Some(*id),
        _ => None,
    });
    Month::of_ids(ids).into_iter().flat_map(partitions).map(|sql| sql + ";").collect()
}

impl PostgresTx {
    /// Makes the partitions of a month, if they are not there.
    pub(crate) async fn make_month(&mut self, month: Month) -> Result<()> {
        for sql in partitions(month) {
            self.execute(&sql, &[]).await?;
        }
        Ok(())
    }

    /// Drops the oldest month up to this one, if there is any; tells whether there was. Trouble that passes: somebody reads.
    pub(crate) async fn drop_month(&mut self, until: Month) -> Result<bool> {
        let mut oldest = None;
        for table in TABLES {
            let last = partition(table, until);
            let names = self.query(PARTITIONS, args![table], |row| row.text(0)).await?;
            let over = names.into_iter().find(|name| *name <= last);
            let month = over.as_deref().and_then(|name| name.strip_prefix(table)).map(str::to_owned);
            oldest = [oldest, month].into_iter().flatten().min();
        }
        let Some(month) = oldest else { return Ok(false) };
        self.query(BRIEFLY, &[], |_| Ok(())).await?;
        for table in TABLES {
            // Detached first, in the same transaction: then nothing but its own rows can go with it.
            let there = self.query(PARTITIONS, args![table], |row| row.text(0)).await?;
            if there.contains(&format!("{table}{month}")) {
                self.execute(&format!("ALTER TABLE ledger.{table} DETACH PARTITION ledger.{table}{month}"), &[])
                    .await?;
                self.execute(&format!("DROP TABLE ledger.{table}{month}"), &[]).await?;
            }
        }
        Ok(true)
    }
}
