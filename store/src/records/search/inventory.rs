//! What is in a record, as somebody sees it: how many items of each type and label, and none of them.

use super::compartment::MEMBERS_OF;
use crate::error::Result;
use crate::records::reach::condition::{Columns, ReachArgs, Scoped};
use crate::sql::arg::Arg;
use crate::sql::row::Row;
use crate::store::Store;
use fhir::types::{self, ResourceType};
use rules::ids::PatientId;
use rules::labels::Needs;
use rules::moment::Moment;
use rules::reach::Reach;
use std::sync::LazyLock;

/// So many items of the compartment of the patient `$1`, counted.
static COUNTS: LazyLock<Scoped> = LazyLock::new(|| {
    Scoped::new("store::records::search::inventory::COUNTS", 2, |reach| {
        let seen = reach.seen_and(Columns::of("r"), &[]);
        format!(
            "SELECT f.type, f.needs, count(*) FROM (SELECT r.type, r.needs FROM resources r
                WHERE r.id IN ({MEMBERS_OF}) AND {seen} LIMIT CAST($2 AS BIGINT)) f GROUP BY f.type, f.needs ORDER BY f.type, f.needs"
        )
    })
});

pub(crate) fn statements() -> Vec<String> {
    COUNTS.all().to_vec()
}

/// Items of one type that need the same.
#[derive(Clone, Copy, Debug)]
pub struct ItemCount {
    pub resource_type: ResourceType,
    pub needs: Needs,
    pub count: i64,
}

/// What a caller of this reach sees in the record of a patient; `most` items are counted at the most.
pub async fn count(store: &Store, reach: &Reach, patient: PatientId, most: i64, now: Moment) -> Result<Vec<ItemCount>> {
    let own = ReachArgs::of(reach, now);
    let arguments = own.behind(&[Arg::from(patient), Arg::Int(most)]);
    let row = |row: &dyn Row| {
        let counted = types::numbered(row.int(0)?).map(|resource_type| (resource_type, row.int(1), row.int(2)));
        counted
            .map(|(resource_type, needs, count)| Ok(ItemCount { resource_type, needs: Needs(needs?), count: count? }))
            .transpose()
    };
    let counts = store.db.page(COUNTS.statement(reach), &arguments, row).await?;
    Ok(counts.into_iter().flatten().collect())
}
